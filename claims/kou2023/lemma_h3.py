"""Lemma H.3: the norm of a random matrix."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, changed, derived, mutants, section
from refute.decide.probability import with_probability
from refute.strategies import choice, sized

Floats = NDArray[np.float64]


def _signs(rng: np.random.Generator, shape: tuple[int, ...], q: float) -> Floats:
    """Random signs, zero with chance 1 - q."""
    return np.asarray(rng.choice([-1.0, 1.0], size=shape) * (rng.random(shape) < q))


# Entries and their psi_2 norm, the smallest K with E exp(a^2/K^2) <= 2: sqrt(8/3) for N(0, 1), and for signs that are
# zero with chance 1 - q the root of q exp(1/K^2) = 1 + q.
LAWS: dict[str, tuple[Callable[..., Floats], float]] = {
    "gaussian": (lambda rng, shape: rng.standard_normal(shape), np.sqrt(8 / 3)),
    "signs": (lambda rng, shape: _signs(rng, shape, 1.0), 1 / np.sqrt(np.log(2))),
    "sparse": (lambda rng, shape: _signs(rng, shape, 0.01), 1 / np.sqrt(np.log1p(100))),
    "shifted": (lambda rng, shape: 4 + rng.standard_normal(shape), np.sqrt(8 / 3)),  # its mean is not zero
}


@derived
def terms(m: int, n: int, t: float) -> Floats:
    """sqrt(m), sqrt(n) and t."""
    return np.array([np.sqrt(m), np.sqrt(n), t])


norms = section(
    "kou2023",
    "lemma_h3",
    "Lemma H.3",
    kind=Kind.PROBABILISTIC,
    given=sized(law=choice("gaussian", "signs", "sparse"), m=choice(30, 1), n=choice(40, 1), t=choice(1, "3/2", 2)),
    derived=[terms],
)


@norms.claim("matrix_norm", recorded="supported")
@mutants(
    changed("C = 2/5", terms=lambda terms: terms * 0.4 / 1.5),
    changed("C = 9/10 and without the root of n", terms=lambda terms: terms * [0.6, 0, 0.6]),
    changed("C = 3/5 and without t", terms=lambda terms: terms * [0.4, 0.4, 0]),
    changed("entries of mean 4", law=lambda law: "shifted"),
)
def random_matrices_have_small_norms(
    law: str, m: int, n: int, t: float, terms: Floats, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""For an $m\times n$ matrix of independent centred entries with $K=\max\|a_{ij}\|_{\psi_2}$, every $t>0$:
    $\|A\|_2\le CK(\sqrt m+\sqrt n+t)$ with probability at least $1-2e^{-t^2}$.

    Convention: the absolute constant is taken as $C=3/2$; Gaussian entries, random signs, and random signs with 99 %
    zeros.
    """
    entries, K = LAWS[law]
    bound = 1.5 * K * terms.sum()

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        return np.asarray(np.linalg.norm(entries(rng, (count, m, n)), ord=2, axis=(1, 2)) <= bound)

    return with_probability(
        float(1 - 2 * np.exp(-t * t)), trial, rng, trials, "|A|_2 is at most C K (sqrt m + sqrt n + t)"
    )
