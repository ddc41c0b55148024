r"""The proof of Lemma C.3 along trajectories: what the rows have moved, how far they are apart, and the norms of
$W_j$.

Write $v_{j,r}=w_{j,r}^{(t)}-w_{j,r}^{(0)}$, $s=\sigma_0\sqrt d$ and $D=C'\sqrt nR_{\min}^{-1}$ with $C'=2$. What
follows from the norms of the rows alone is in `lemma_c3_algebra`.
"""

from fractions import Fraction

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    changed,
    derived,
    eventually,
    exponent,
    grows_like,
    mutants,
    power,
    scaled,
    section,
)
from refute.arithmetic.enclosed import stacked
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, near_orthogonal_leaky
from refute.claims.kou2023.leaky_courses import CROWDED, EARLY, OVERLAPPING, PAIRS, STAGE, course, throughout, whole
from refute.functions import absolute, largest, log, smallest, sqrt
from refute.language.limits import HORIZONS
from refute.models import Dataset
from refute.models.kou2023 import rows
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import relative_overlap, squared_radii
from refute.strategies.kou2023.nearly_orthogonal import training


@derived
def share(data: Dataset) -> Number:
    """R^2 R_min^-2 pn."""
    low, high = squared_radii(data.inputs)
    return high / low * relative_overlap(data.inputs)


@derived
def top(data: Dataset) -> Number:
    """R_max^2."""
    return squared_radii(data.inputs)[1]


@derived
def s(data: Dataset, scale: Number) -> Number:
    """sigma_0 sqrt(d)."""
    return scale * float(np.sqrt(data.inputs.shape[1]))


@derived
def D(data: Dataset) -> Number:  # noqa: N802  # as printed
    """C' sqrt(n)/R_min."""
    return STAGE * sqrt(len(data.labels) / squared_radii(data.inputs)[0])


main = section(
    "kou2023",
    "lemma_c3",
    "proof of Lemma C.3",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=LEAKY_APPENDIX,
    derived=[*EARLY, throughout, whole, course, share, top, s, D],
    recorded="supported",
    cost=0.25,
)


@main.claim("v_lower", "first display", given=CROWDED)
@mutants(
    changed("without the overlaps", share=lambda share: 0 * share),
    changed("a quarter of R_max^2", top=lambda top: top / 4),
)
def moved_parts_are_at_least_the_coefficients(throughout: Decomposition, share: Number, top: Number) -> Margin:
    r"""$\|v_{j,r}\|^2\ge R_{\max}^{-2}(1-R^2R_{\min}^{-2}c_1^{-1}\gamma^{-4}np)\sum_i\rho_{j,r,i}^2$.

    Convention: $c_1\gamma^4$ is the smallest over the largest coefficient at each time; t from 1 to $10^{12}$.
    """
    sizes = throughout.known(absolute(throughout.rho))
    flat = sizes.reshape(len(throughout.steps), -1)
    part = 1 - share * largest(flat, axis=1) / smallest(flat, axis=1)
    square = rows.moved_norms(throughout) ** 2 * top / (sizes * sizes).sum(axis=-1)
    return at_least(square, part[:, None, None], "(R_max |v|)^2 over the sum of rho^2")


@main.claim("v_theta", "first display", kind=Kind.ASYMPTOTIC)
@mutants(
    exponent("3/2", "|v|"),
    scaled(3, "(R_max |v|)^2 below"),
    scaled("1/20", "(R_max |v|)^2 above"),
    changed("with the root of gamma", gamma=sqrt),
)
def moved_parts_grow_logarithmically(data: Dataset, course: Decomposition, gamma: Number, top: Number) -> Margin:
    r"""$\|v_{j,r}\|=\Theta(\log t)$, and its square is $\Theta(nR_{\max}^{-2}\log^2t)$.

    Convention: in n, R and gamma: $(R_{\max}\|v\|)^2$ is between $\frac{\gamma^2}5n\log^2t$ and
    $\frac32R^2n\log^2t$ for large t, as it tends to at least $\frac{\gamma^2}{(1+\gamma^2)^2}$ and at most $R^2$ times
    $n\log^2t$ up to the overlaps.
    """
    lengths, n, low = rows.moved_norms(course), len(data.labels), squared_radii(data.inputs)[0]

    def holds(t: float) -> Margin:
        square, law = lengths[course.steps == t] ** 2 * top, n * np.log(t) ** 2
        return all_of(
            at_least(square, gamma**2 / 5 * law, "(R_max |v|)^2 below"),
            at_most(square, 3 * top / (2 * low) * law, "(R_max |v|)^2 above"),
        )

    grows = grows_like(lengths, log, "|v|", at=course.steps, clock=course.loss)
    return all_of(grows, eventually(holds, "explicit", at=course.steps))


algebra = main.but(
    kind=Kind.ALGEBRAIC,
    given=training(samples=(2, 3), constants=(100,), families=OVERLAPPING),
    assumes=[near_orthogonal_leaky],
    recorded="refuted",
    fault=Fault.SCAN,
    cost=2.0,
)


@algebra.claim("v_difference.r1", "second display")
@mutants(scaled(Fraction(100001, 100000)))
def the_overlap_term_vanishes(data: Dataset) -> Margin:
    r"""$C'^2nR_{\min}^{-2}+C'^2n^2R_{\min}^{-4}p\le C'^2nR_{\min}^{-2}$.

    Fails for every $p>0$: the second term on the left is positive.

    Convention: without a factor 2 in the last term, which the scan may have lost: the second inequality of the chain,
    divided by $C'^2nR_{\min}^{-2}$.
    """
    return at_most(1 + relative_overlap(data.inputs), 1, "1 + R_min^-2 np")


@main.claim("v_difference.r2", "second display")
@mutants(scaled("1/100000", "|v_r - v_r'|^2"), changed("rows of different signs", whole=rows.mixed))
def rows_move_alike(data: Dataset, whole: Decomposition, end: int) -> Margin:
    r"""$\|v_{j,r}-v_{j,r'}\|^2\le C'^2nR_{\min}^{-2}+C'^2n^2R_{\min}^{-4}p\le2C'^2nR_{\min}^{-2}$ for $t\ge T_1$.

    Convention: with the factor 2 in the last term, divided by $nR_{\min}^{-2}$; t up to $10^{20}$.
    """
    bound = STAGE**2 * (1 + relative_overlap(data.inputs))
    apart = rows.gaps(rows.moves(whole.since(end))) * (squared_radii(data.inputs)[0] / len(data.labels))
    return all_of(at_most(apart, bound, "|v_r - v_r'|^2"), at_most(bound, 2 * STAGE**2, "the chain"))


@main.claim("spectral_lower.r1", "fourth display")
@mutants(scaled("5/4"), changed("without s and D", s=lambda s: 0 * s, D=lambda D: 0 * D))
def the_spectral_norm_along_trajectories(whole: Decomposition, end: int, s: Number, D: Number) -> Margin:
    r"""$\|W_j\|_2^2\ge m\|v_{j,1}\|^2-mC_3\|v_{j,1}\|-mC_4$ with $C_3=\frac32s+3D$ and $C_4=\frac32s^2+3sD$ for
    $t\ge T_1$.

    Convention: divided by m; t up to $10^{20}$.
    """
    late = whole.since(end)
    size = rows.moved_norms(late)[:, :, 0]
    bound = size**2 - (1.5 * s + 3 * D) * size - (1.5 * s**2 + 3 * s * D)
    return at_least(late.spectral_norms**2 / late.width, bound, "|W|_2^2/m")


@main.claim("rate_constant", "last display", kind=Kind.ASYMPTOTIC)
@mutants(exponent(2, "in t"), bent("without the term in d", "in d", right=lambda law: 0 * law + 1), exponent(2, "in d"))
def the_bound_falls_like_one_over_log(data: Dataset, course: Decomposition, scale: Number) -> Margin:
    r"""$\frac{(C_1+C_3)\|v\|+C_2+C_4}{\|v\|^2-C_3\|v\|-C_4}=\Theta(\frac{1+\sigma_0\sqrt{d/n}R_{\max}}{\log t})$.

    Convention: $\|v_{j,1}\|=a+b\log t$ from the run, continued to larger t, as it settles to that. In t: $\log t$ from
    $10^5$ to $10^{160}$ with the d of the case. In d: d from $10^5$ to $10^{160}$, which enters through the constants
    only, at $\log t=10^6(1+sR_{\max})$.
    """
    size, (low, high) = rows.moved_norms(course)[:, :, 0], squared_radii(data.inputs)
    end, n = np.log(course.steps[-1]), len(data.labels)
    slope = (size[-1] - size[-2]) / np.log(course.steps[-1] / course.steps[-2])
    D = STAGE * np.sqrt(n / low)

    def bound(d: float, logs: float) -> Enclosed:
        s, V = scale * np.sqrt(d), size[-1] + slope * (logs - end)
        C1, C2, C3, C4 = 3 * (s + D), 2 * (s + D) ** 2, 1.5 * s + 3 * D, 1.5 * s**2 + 3 * s * D
        found: Enclosed = (C1 + C3 + (C2 + C4) / V) / (V - C3 - C4 / V)
        return found

    def late(d: float) -> float:
        return float(1e6 * (1 + scale * np.sqrt(d * high)))

    in_t = stacked([bound(data.inputs.shape[1], logs) for logs in HORIZONS])
    in_d = stacked([bound(d, late(d)) * late(d) for d in HORIZONS])
    return all_of(
        grows_like(in_t, power(-1), "in t"), grows_like(in_d, lambda d: 1 + scale * np.sqrt(d / n * high), "in d")
    )
