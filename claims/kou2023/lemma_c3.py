r"""Lemma C.3: the stable ranks of leaky ReLU networks tend to 1, and the displays of its proof along trajectories.

Write $v_{j,r}=w_{j,r}^{(t)}-w_{j,r}^{(0)}$, $s=\sigma_0\sqrt d$ and $D=C'\sqrt nR_{\min}^{-1}$ with $C'=2$. The steps
of the proof that are linear algebra stand in `lemma_c3_algebra`.
"""

from typing import Any

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    eventually,
    exponent,
    grows_like,
    scaled,
    section,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, near_orthogonal_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import CROWDED, PAIRS, STAGE, course, end, gamma, throughout, whole
from refute.claims.kou2023.theorem_4_1 import (
    GIVEN,
    SEVERAL,
    excess,
    stable_ranks_converge_at_least_like_one_over_log,
    stable_ranks_tend_to_one,
)
from refute.functions import absolute, largest, log, smallest, sqrt
from refute.language.limits import HORIZONS
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import relative_overlap, squared_radii

main = section(
    "kou2023",
    "lemma_c3",
    "Lemma C.3",
    kind=Kind.ASYMPTOTIC,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[course, excess],
    recorded="supported",
    cost=0.1,
)
main.claim("limit", mutants=stable_ranks_tend_to_one.mutants)(stable_ranks_tend_to_one.conclusion)
main.claim("rate", given=SEVERAL, mutants=stable_ranks_converge_at_least_like_one_over_log.mutants)(
    stable_ranks_converge_at_least_like_one_over_log.conclusion
)


def lengths(vectors: Any) -> Any:
    """Euclidean lengths along the last axis."""
    return sqrt((vectors * vectors).sum(axis=-1))


@derived
def moved(throughout: Decomposition) -> Any:
    """v_{j,r}: (time, j, r, coordinate)."""
    return throughout.moved


@derived
def coefficients(throughout: Decomposition) -> Any:
    """rho_{j,r,i}: (time, j, r, i)."""
    return throughout.known(throughout.rho)


@derived
def overlaps(data: Dataset, coefficients: Any) -> Any:
    """R^2 R_min^-2 c_1^-1 gamma^-4 np at every time, where c_1 gamma^4 is the smallest coefficient over the largest."""
    low, high = squared_radii(data.inputs)
    sizes = absolute(coefficients).reshape(len(coefficients), -1)
    return high / low * relative_overlap(data.inputs) * largest(sizes, axis=1) / smallest(sizes, axis=1)


display = section(
    "kou2023",
    "lemma_c3",
    "proof of Lemma C.3",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=LEAKY_APPENDIX,
    derived=[course, end, gamma, throughout, whole, moved, coefficients, overlaps],
    recorded="supported",
    cost=0.7,
)


@display.claim(
    "v_lower",
    "first display",
    given=CROWDED,
    mutants=[changed("without the overlaps", overlaps=lambda share: 0 * share), scaled("101/100")],
)
def moved_parts_are_at_least_the_coefficients(moved: Any, coefficients: Any, overlaps: Any, data: Dataset) -> Margin:
    r"""$\|v_{j,r}\|^2\ge R_{\max}^{-2}(1-R^2R_{\min}^{-2}c_1^{-1}\gamma^{-4}np)\sum_i\rho_{j,r,i}^2$.

    Convention: $c_1\gamma^4$ is the smallest over the largest coefficient, at each of the times from 1 to $10^{12}$.
    """
    sums = (coefficients * coefficients).sum(axis=-1)
    share = (1 - overlaps).reshape(len(sums), 1, 1)
    return at_least((moved * moved).sum(axis=-1) * squared_radii(data.inputs)[1], share * sums, "R_max^2 |v|^2")


@display.claim(
    "v_theta",
    "first display",
    kind=Kind.ASYMPTOTIC,
    mutants=[exponent("3/2", "|v|"), exponent("1/2", "|v|"), scaled(4, "from below"), scaled("1/5", "from above")],
    cost=0.1,
)
def moved_parts_grow_logarithmically(course: Decomposition, data: Dataset, gamma: Number) -> Margin:
    r"""$\|v_{j,r}\|=\Theta(\log t)$, and its square is $\Theta(nR_{\max}^{-2}\log^2t)$.

    Convention: constants of the square: $\|v\|^2R_{\max}^2/(n\log^2t)$ is between $\gamma^2/5$ and $3R^2/2$ in the end
    (the limits are $\gamma^2/(1+\gamma^2)^2$ and $R^2$ up to the overlaps).
    """
    sizes, (low, high) = lengths(course.moved), squared_radii(data.inputs)

    def of_the_order(t: float) -> Margin:
        share = sizes[course.steps == t] ** 2 * (high / (len(data.labels) * log(t) ** 2))
        return all_of(at_least(share, gamma**2 / 5, "from below"), at_most(share, 3 * high / (2 * low), "from above"))

    return all_of(
        grows_like(sizes, log, "|v|", at=course.steps, clock=course.loss),
        eventually(of_the_order, "(R_max |v|)^2/(n log^2 t)", at=course.steps),
    )


@display.claim(
    "v_difference.r1",
    "second display",
    kind=Kind.ALGEBRAIC,
    given=CROWDED,
    assumes=[near_orthogonal_leaky],
    recorded="refuted",
    fault=Fault.SCAN,
    mutants=[scaled("100001/100000")],
    cost=2.0,
)
def the_overlap_term_vanishes(data: Dataset) -> Margin:
    r"""$C'^2nR_{\min}^{-2}+C'^2n^2R_{\min}^{-4}p\le C'^2nR_{\min}^{-2}$.

    Fails for every $p>0$: the second term on the left is positive. The last term of the chain has no factor in the
    scan; with the factor 2 it holds (r2).

    Convention: the second inequality of the chain, divided by $C'^2nR_{\min}^{-2}$.
    """
    return at_most(1 + relative_overlap(data.inputs), 1, "1 + R_min^-2 np")


@derived
def others(whole: Decomposition, end: int) -> Any:
    """The first row of each sign from T_1 on, with which the rows are compared."""
    return whole.since(end).moved[:, :, :1]


@display.claim(
    "v_difference.r2",
    "second display",
    derived=[end, whole, others],
    mutants=[scaled("1/10000000", "|v"), changed("rows of different signs", others=lambda first: first[:, ::-1])],
)
def rows_move_alike(whole: Decomposition, end: int, others: Any, data: Dataset) -> Margin:
    r"""$\|v_{j,r}-v_{j,r'}\|^2\le C'^2nR_{\min}^{-2}+C'^2n^2R_{\min}^{-4}p\le2C'^2nR_{\min}^{-2}$ for $t\ge T_1$.

    Convention: with the factor 2 in the last term; multiplied by $R_{\min}^2/n$; t up to $10^{20}$.
    """
    gaps, n = whole.since(end).moved - others, len(data.labels)
    square = (gaps * gaps).sum(axis=-1) * (squared_radii(data.inputs)[0] / n)
    bound = STAGE**2 * (1 + relative_overlap(data.inputs))
    return all_of(at_most(square, bound, "|v_r - v_r'|^2 R_min^2/n"), at_most(bound, 2 * STAGE**2, "the chain"))


@derived
def third_and_fourth(data: Dataset, scale: Number) -> tuple[Number, Number]:
    """C_3 = 3s/2 + 3D and C_4 = 3s^2/2 + 3sD."""
    n, d = data.inputs.shape
    s, D = scale * sqrt(scale * 0 + d), STAGE * sqrt(n / squared_radii(data.inputs)[0])
    return 3 * s / 2 + 3 * D, 3 * s**2 / 2 + 3 * s * D


@display.claim(
    "spectral_lower.r1",
    "fourth display",
    derived=[end, whole, third_and_fourth],
    mutants=[
        changed("a thousandth of the constants", third_and_fourth=lambda both: (both[0] / 1000, both[1] / 1000)),
        scaled(3),
    ],
)
def the_spectral_norm_along_trajectories(
    whole: Decomposition, end: int, third_and_fourth: tuple[Number, Number]
) -> Margin:
    r"""$\|W_j\|_2^2\ge m\|v_{j,1}\|^2-mC_3\|v_{j,1}\|-mC_4$ with $C_3=\frac32s+3D$ and $C_4=\frac32s^2+3sD$.

    Convention: along trajectories from $T_1$ to $10^{20}$, on the event of Lemma A.1; divided by m.
    """
    late, (C3, C4) = whole.since(end), third_and_fourth
    first = lengths(late.moved)[:, :, 0]
    return at_least(late.spectral_norms**2 / late.width, first**2 - C3 * first - C4, "|W|_2^2/m")


DIMENSIONS = np.array([1.0, 1e4, 1e8, 1e12, 1e16])


@derived
def line(course: Decomposition) -> tuple[Array, Array]:
    """a and b with R_max |v_{j,1}| = a + b log t late in training, for both j."""
    first = np.linalg.norm(course.moved.value, axis=-1)[-2:, :, 0] * sqrt(largest(course.squares))
    b = (first[1] - first[0]) / np.log(course.steps[-1] / course.steps[-2])
    return first[1] - b * np.log(course.steps[-1]), b


@derived
def in_d(data: Dataset, scale: Number) -> Array:
    """sigma_0 (d/n)^{1/2} R_max for dimensions d from 1 to 10^16."""
    return np.asarray(scale * np.sqrt(DIMENSIONS / len(data.labels)) * sqrt(squared_radii(data.inputs)[1]))


@display.claim(
    "rate_constant",
    "last display",
    kind=Kind.ASYMPTOTIC,
    derived=[course, line, in_d, gamma],
    mutants=[
        exponent(2),
        changed("without the term in d", in_d=lambda term: 0 * term),
        changed("d in place of its root", in_d=lambda term: term**2),
    ],
    cost=0.1,
)
def the_bound_falls_like_one_over_log(
    line: tuple[Array, Array], in_d: Array, data: Dataset, scale: Number, gamma: Number
) -> Margin:
    r"""$\frac{(C_1+C_3)\|v\|+C_2+C_4}{\|v\|^2-C_3\|v\|-C_4}=\Theta(\frac{1+\sigma_0\sqrt{d/n}R_{\max}}{\log t})$.

    Convention: $\|v\|=a+b\log t$ from the run, $\log t$ to $10^{160}$, and d from 1 to $10^{16}$, which enters only
    through the constants; Theta in d: the quotient stays between $4/R$ and $40R/\gamma$ (limits: $4.5/R$ and
    $24R/\gamma$ up to the overlaps).
    """
    (a, b), (low, high), n = line, squared_radii(data.inputs), len(data.labels)
    s, D, R = scale * np.sqrt(DIMENSIONS * high), STAGE * np.sqrt(n * high / low), np.sqrt(high / low)
    C1, C2, C3, C4 = 3 * (s + D), 2 * (s + D) ** 2, 1.5 * s + 3 * D, 1.5 * s**2 + 3 * s * D

    def bound(log_t: float) -> Array:
        V = (a + b * log_t)[:, None]
        return np.asarray((C1 + C3 + (C2 + C4) / V) / (V - C3 - C4 / V))

    def of_the_order(log_t: float) -> Margin:
        share = bound(log_t) * log_t / (1 + in_d)
        return all_of(at_least(share, 4 / R, "from below"), at_most(share, 40 * R / gamma, "from above"))

    return all_of(
        grows_like(bound, lambda log_t: np.broadcast_to((1 + in_d) / log_t, (2, len(in_d))), "bound", at=HORIZONS),
        eventually(of_the_order, "bound over the printed one", at=HORIZONS),
    )
