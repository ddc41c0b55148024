r"""Proof of Lemma F.3: the example $x_i=e_i$, n even, labels $+1$ for the first half, in the limit of long training.

$C_{ri}$ says whether neuron r of class $+1$ starts active on $x_i$, $a_i=m/|S_i^{(0)}|$, and $A=C\,\mathrm{diag}(a)$ is
the limit of $W_{+1}^{(t)}/\log t$ on the first $n/2$ coordinates; B is the same for class $-1$.
"""

import numpy as np

from refute import Enclosed, Kind, Margin, all_of, bent, changed, derived, equal, mutants, scaled, section, tends_to
from refute.arithmetic.numbers import Array
from refute.functions import log
from refute.language.limits import HORIZONS
from refute.models import Dataset
from refute.models.geometry.stable_rank import stable_rank
from refute.models.kou2023.coins import Coins
from refute.models.kou2023.decomposition import unroll_long
from refute.models.kou2023.gaussian import gaussian_start

main = section("kou2023", "lemma_f3", "proof of Lemma F.3", kind=Kind.ASYMPTOTIC, recorded="supported")


STARTS = [{"n": n, "m": m, "start": start} for n, m in ((2, 5), (6, 8), (20, 24)) for start in (1, 2)]


@main.claim("limit_matrix", instances=STARTS)
@mutants(
    scaled("4/3"),
    bent("C in place of A", right=np.sign),
    bent("A and B exchanged", right=lambda limit: limit[::-1]),
    bent("a squared", right=lambda limit: limit**2),
)
def weights_over_the_logarithm_converge(n: int, m: int, start: int, *, rng: np.random.Generator) -> Margin:
    r"""$W_{+1}^{(t)}/\log t\to[A,0]$ and $W_{-1}^{(t)}/\log t\to[0,B]$, so that the stacked
    $W^{(t)}/\log t\to\mathrm{diag}(A,B)$.

    Convention: C = 10, $\delta=\frac12$, a Gaussian start; a sample on which no neuron of its class is active teaches
    nothing and is left out.
    """
    labels = np.repeat([1.0, -1.0], n // 2)
    net, rate = gaussian_start(rng, Dataset(np.eye(n), labels), m, 10)
    course = unroll_long(net, Dataset(np.eye(n), labels), rate=rate, times=HORIZONS)
    active = net.inner.reshape(2, m, n) >= 0
    limit = np.stack(
        [own * (labels == j) * m / np.maximum(own.sum(axis=0), 1) for own, j in zip(active, (1, -1), strict=True)]
    )
    taught = np.where(labels > 0, *active.sum(axis=1)) > 0
    weights: Enclosed = course.known(course.weights)  # of unit inputs along the axes: one coefficient each
    rows = weights / log(course.steps)[:, None, None, None]
    return tends_to(rows[..., taught], limit[..., taught], "W/log t", at=course.steps, clock=course.loss)


@derived
def pair(n: int, m: int, start: int) -> tuple[Array, Array]:
    """A and B of a random start."""
    A, B = Coins.thrown(np.random.default_rng([n, m, start]), 2, m, n).A
    return A, B


@derived
def squares(pair: tuple[Array, Array]) -> Array:
    """|A|_F^2 and |B|_F^2."""
    return np.array([(matrix**2).sum() for matrix in pair])


@derived
def norms(pair: tuple[Array, Array]) -> Array:
    """|A|_2^2 and |B|_2^2."""
    return np.array([np.linalg.norm(matrix, ord=2) ** 2 for matrix in pair])


COINS = [{"n": n, "m": m, "start": start} for n, m in ((4, 5), (12, 8), (30, 40)) for start in (1, 2)]


@main.claim("stable_rank_formulas", instances=COINS, derived=[pair, squares, norms])
@mutants(
    scaled("1001/1000", "one class"),
    changed("|A|_F^2 only", squares=lambda both: both * [1, 0]),
    changed("the sum of both norms below", norms=lambda both: both + both[::-1]),
)
def stable_ranks_of_the_limit(pair: tuple[Array, Array], squares: Array, norms: Array) -> Margin:
    r"""$\lim\mathrm{sr}(W_{+1})=\frac{\|A\|_F^2}{\|A\|_2^2}$, $\lim\mathrm{sr}(W_{-1})=\frac{\|B\|_F^2}{\|B\|_2^2}$ and
    $\lim\mathrm{sr}(W)=\frac{\|A\|_F^2+\|B\|_F^2}{\max\{\|A\|_2,\|B\|_2\}^2}$.

    Convention: limit matrices in closed form; the stable rank of W by singular values of the stacked matrix.
    """
    (A, B), none = pair, np.zeros_like(pair[0])
    classes = [stable_rank(np.hstack([A, none])), stable_rank(np.hstack([none, B]))]
    whole = stable_rank(np.block([[A, none], [none, B]]))
    return all_of(
        equal(classes, squares / norms, "one class"), equal(whole, squares.sum() / norms.max(), "both classes")
    )
