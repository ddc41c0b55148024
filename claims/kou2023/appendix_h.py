r"""Appendix H: the steps inside the proofs of Lemmas H.1 and H.2, and Lemma H.3 on the norm of a random matrix."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.sequences import (
    capped_increments,
    exponential_above_its_tangent,
    floored_increments,
    nonnegative,
    sequence_terms,
)
from refute.decide.probability import with_probability
from refute.functions import exp
from refute.strategies import choice, sized
from refute.strategies.kou2023.sequences import sequence

Floats = NDArray[np.float64]


def _integral(x: Array) -> Array:
    """The integral of e^x from x_0 to x_T for every T >= 1."""
    return np.asarray(exp(x[1:]) - exp(x[0]))


def _upper_steps_proof() -> str | None:
    return exponential_above_its_tangent(
        "at -h with h = x_{t+1} - x_t it says e^{x_{t+1}} - e^{x_t} <= h e^{x_{t+1}}, whose sum is the third display; "
        "h <= C e^{-x_t} = C e^{h - x_{t+1}} and h <= C give the first, and times e^{x_{t+1}} the second"
    )


def _lower_steps_proof() -> str | None:
    return exponential_above_its_tangent(
        "at h = x_{t+1} - x_t it says e^{x_{t+1}} - e^{x_t} >= h e^{x_t}, which is at least C; sum over t"
    )


@claim(
    "kou2023.lemma_h1.proof_step",
    "proof of Lemma H.1",
    given=sequence(),
    assumes=[capped_increments, nonnegative],
    proof=_upper_steps_proof,
    recorded="proved",
    mutants=[
        moved("exponent C/2 in the first display", exponent=Fraction(1, 2)),
        moved("without e^C in the second display", second=Fraction(0)),
        moved("left end points in the sum", late=0),
        without(capped_increments),
        without(nonnegative),
    ],
    convention="C > 0",
    cost=2.0,
)
def steps_of_the_upper_bound(
    x0: Number, C: Number, rates: Array, *, exponent: Number = Fraction(1), second: Number = Fraction(1), late: int = 1
) -> Margin:
    r"""$x_{t+1}-x_t\le Ce^{-x_{t+1}+C}$, so $e^{x_{t+1}}(x_{t+1}-x_t)\le Ce^C$, and
    $\int_{x_0}^{x_T}e^x\,dx\le\sum_{t<T}e^{x_{t+1}}(x_{t+1}-x_t)$.
    """
    x = sequence_terms(x0, rates)
    rises = x[1:] - x[:-1]
    sums = np.cumsum(exp(x[1:] if late else x[:-1]) * rises)
    return all_of(
        at_most(rises, C * exp(exponent * C - x[1:]), "x_{t+1} - x_t against C exp(C - x_{t+1})"),
        at_most(exp(x[1:]) * rises, C * exp(second * C), "exp(x_{t+1}) (x_{t+1} - x_t) against C e^C"),
        at_most(_integral(x), sums, "integral of e^x against the upper sum"),
    )


@claim(
    "kou2023.lemma_h2.proof_step",
    "proof of Lemma H.2",
    given=sequence(),
    assumes=[floored_increments],
    proof=_lower_steps_proof,
    recorded="proved",
    mutants=[
        moved("right end points in the sum", late=1),
        moved("11 C T/10", slope=Fraction(11, 10)),
        without(floored_increments),
    ],
    convention="C > 0; the terms may be negative",
    cost=2.0,
)
def steps_of_the_lower_bound(
    x0: Number, C: Number, rates: Array, *, slope: Number = Fraction(1), late: int = 0
) -> Margin:
    r"""$\int_{x_0}^{x_T}e^x\,dx\ge\sum_{t<T}e^{x_t}(x_{t+1}-x_t)\ge CT$."""
    x = sequence_terms(x0, rates)
    sums = np.cumsum(exp(x[1:] if late else x[:-1]) * (x[1:] - x[:-1]))
    times = np.arange(1, len(x)).astype(object)
    return all_of(
        at_least(_integral(x), sums, "integral of e^x against the lower sum"),
        at_least(sums, slope * C * times, "sum against C T"),
    )


# Entries and their psi_2 norm, the smallest K with E exp(a^2/K^2) <= 2: sqrt(8/3) for N(0, 1), and for signs that are
# zero
# with chance 1 - q the root of q exp(1/K^2) = 1 + q.
def _entries(law: str, rng: np.random.Generator, shape: tuple[int, ...], shift: float) -> tuple[Floats, float]:
    if law == "gaussian":
        return shift + rng.standard_normal(shape), float(np.sqrt(8 / 3))
    q = {"signs": 1.0, "sparse": 0.01}[law]
    signs = rng.choice([-1.0, 1.0], size=shape) * (rng.random(shape) < q)
    return shift + signs, float(1 / np.sqrt(np.log1p(1 / q)))


_LAWS: dict[str, Any] = {
    "kind": Kind.PROBABILISTIC,
    "given": sized(law=choice("gaussian", "signs", "sparse"), m=choice(30, 1), n=choice(40, 1), t=choice(1, "3/2", 2)),
}


@claim(
    "kou2023.lemma_h3.matrix_norm",
    "Lemma H.3",
    recorded="supported",
    mutants=[
        moved("C = 2/5", C=0.4),
        moved("C = 9/10 and without the root of n", C=0.9, columns=0.0),
        moved("entries of mean 4", shift=4.0),
        moved("independent of t", tail=0.0, C=0.6),
    ],
    convention="the absolute constant is taken as C = 3/2; Gaussian entries, random signs, and random signs with 99 % "
    "zeros",
    **_LAWS,
)
def random_matrices_have_small_norms(
    law: str,
    m: int,
    n: int,
    t: float,
    *,
    rng: np.random.Generator,
    trials: int,
    C: float = 1.5,
    columns: float = 1.0,
    tail: float = 1.0,
    shift: float = 0.0,
) -> Margin:
    r"""For an $m\times n$ matrix of independent centred entries with $K=\max\|a_{ij}\|_{\psi_2}$, every $t>0$:
    $\|A\|_2\le CK(\sqrt m+\sqrt n+t)$ with probability at least $1-2e^{-t^2}$.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        entries, K = _entries(law, rng, (count, m, n), shift)
        bound = C * K * (np.sqrt(m) + columns * np.sqrt(n) + tail * t)
        return np.asarray(np.linalg.norm(entries, ord=2, axis=(1, 2)) <= bound)

    return with_probability(1 - 2 * np.exp(-t * t), trial, rng, trials, "|A|_2 is at most C K (sqrt m + sqrt n + t)")
