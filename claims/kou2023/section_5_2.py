r"""Section 5.2, around Lemma 5.7: slopes freeze, rows of one sign stay together, and margins grow like $\log t$."""

from typing import Any

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    at_least_like,
    at_most,
    bounded_by,
    changed,
    derived,
    equal,
    eventually,
    exponent,
    mutants,
    power,
    scaled,
    section,
    suppose,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import (
    LEAKY_APPENDIX,
    LEAKY_MAIN,
    off_boundaries,
    orthogonally,
    small_start_leaky,
    with_comparable_norms,
)
from refute.claims.kou2023.leaky_courses import EARLY, GIVEN, PAIRS, TOO_EARLY, course, pattern
from refute.claims.kou2023.theorem_4_1 import tightness
from refute.functions import absolute, exp, largest, log, sqrt
from refute.language.limits import Logs
from refute.language.relations import Decision
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition


def slopes_are_those_of_the_labels(after: Decomposition, gamma: Number) -> Margin:
    """The slopes of sigma as the coefficients show them: what they gain in a step over eta |l_i'| |x_i|^2/(nm)."""
    push = after.pushes[:, None, :]
    own, opposite = (after.known(absolute(side(after.rho))) for side in (after.own, after.opposite))
    return all_of(
        equal((own[1:] - own[:-1]) / push, 1, "own slopes"),
        equal((opposite[1:] - opposite[:-1]) / push, gamma, "opposite slopes"),
    )


frozen = section(
    "kou2023",
    "sec5",
    "Section 5.2, before Lemma 5.7",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=EARLY,
    recorded="supported",
)


@frozen.claim("frozen_slopes")
@mutants(scaled("1001/1000", "own"), changed("the root of gamma", gamma=sqrt))
def slopes_freeze_where_the_pattern_does(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""Given Lemma 5.6, for $t\ge T$ the slope $\sigma'(\langle w^{(t)}_{j,r},x_i\rangle)$ is 1 where $j=y_i$ and
    $\gamma$ where $j\ne y_i$.

    Convention: an implication; cases whose signals do not have the signs of the labels from T on say nothing, T has the
    constant C' = 2.
    """
    after = run.since(end)
    suppose(pattern(after).decision is Decision.HOLDS, "the signals have the signs of the labels from T on")
    return slopes_are_those_of_the_labels(after, gamma)


@frozen.claim("frozen_slopes.amended", "with the scale of (B.2)", assumes=with_comparable_norms(LEAKY_APPENDIX))
@mutants(TOO_EARLY, without(small_start_leaky))
def slopes_freeze_from_a_smaller_start(run: Decomposition, end: int, gamma: Number) -> Margin:
    r"""Amended: with the scale of (B.2) nothing need be supposed: for $t\ge T$ the slope of $\sigma$ at each signal is
    1 for $j=y_i$ and $\gamma$ for $j\ne y_i$.

    Convention: on the event of Lemma A.1; T with the constant C' = 2.
    """
    return slopes_are_those_of_the_labels(run.since(end), gamma)


@derived
def rows(course: Decomposition) -> Any:
    """The inner weights: (time, j, r, coordinate)."""
    return course.rows


@derived
def first(course: Decomposition) -> Any:
    """The first row of each sign."""
    return course.rows[:, :, :1]


@derived
def spread(course: Decomposition) -> Any:
    """The largest distance of a row from the first one of its sign at the first horizon."""
    return largest(_lengths(course.rows[0] - course.rows[0, :, :1]))


@derived
def spectral(course: Decomposition) -> Any:
    """|W_j|_2: (time, j)."""
    return course.spectral_norms


def _lengths(vectors: Any) -> Any:
    return sqrt((vectors * vectors).sum(axis=-1))


together = section(
    "kou2023",
    "sec5",
    "Section 5.2, after Lemma 5.7",
    given=PAIRS,
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=[course, rows, first, spread, spectral],
    recorded="supported",
    mutants=[changed("the first row of the other sign", first=lambda first: first[:, ::-1])],
    cost=0.1,
)


@together.claim("row_difference_bounded", kind=Kind.ASYMPTOTIC)
@mutants(changed("zero in place of the first row", first=lambda first: 0 * first))
def rows_of_one_sign_stay_together(course: Decomposition, rows: Array, first: Array) -> Margin:
    r"""$\|w^{(t)}_{j,r}-w^{(t)}_{j,r'}\|_2$ is bounded by a constant.

    Convention: bounded in t; the constant may depend on gamma and on the data. Rows are compared with the first one,
    and $1+R_{\max}\|w_r-w_1\|$ is looked at, which is bounded when the distance is and never zero.
    """
    unit = sqrt(largest(course.squares))
    gaps = 1 + unit * _lengths(rows[:, :, 1:] - first)
    return bounded_by(gaps, power(0), "1 + R_max |w_r - w_1|", at=course.steps, clock=course.loss)


CONSTANTS = [
    changed("constants zero", spread=lambda spread: 0 * spread),
    changed("constants a hundred times smaller", spread=lambda spread: spread / 100),
]
display = together.but("Section 5.2, display after Lemma 5.7", kind=Kind.DYNAMICS, mutants=CONSTANTS)


@display.claim("frobenius_upper")
@mutants(scaled("9/10"))
def the_frobenius_norm_is_that_of_equal_rows(rows: Any, first: Any, spread: Any) -> Margin:
    r"""$\|W_j^{(t)}\|_F^2\le m\|w_{j,1}^{(t)}\|^2+mC_1\|w_{j,1}^{(t)}\|+mC_2$ with constants in t.

    Convention: $C_1=2D$ and $C_2=D^2$ with D the largest distance of a row from the first one at $t=10^5$; then t to
    $10^{160}$, so that a distance that still grew would break the bound.
    """
    m, length = rows.shape[2], _lengths(first)[:, :, 0]
    return at_most((rows * rows).sum(axis=(2, 3)) / m, length * length + 2 * spread * length + spread**2, "|W|_F^2/m")


@display.claim("spectral_lower")
@mutants(scaled("11/10"))
def the_spectral_norm_is_that_of_equal_rows(rows: Any, first: Any, spectral: Any, spread: Any) -> Margin:
    r"""$\|W_j^{(t)}\|_2^2\ge m\|w_{j,1}^{(t)}\|^2-mC_3\|w_{j,1}^{(t)}\|-mC_4$ with constants in t.

    Convention: $C_3=2D$ and $C_4=0$ with D as for the Frobenius norm.
    """
    m, length = rows.shape[2], _lengths(first)[:, :, 0]
    return at_least(spectral**2 / m, length * length - 2 * spread * length, "|W|_2^2/m")


margins = section(
    "kou2023",
    "sec5",
    "Section 5.2, text after Lemma 5.7",
    kind=Kind.ASYMPTOTIC,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=[course],
    cost=0.1,
)


@margins.claim(
    "margin_lower_log_t", assumes=[*orthogonally(LEAKY_MAIN), off_boundaries], recorded="against", fault=Fault.CONSTANT
)
def margins_exceed_log_t(course: Decomposition) -> Margin:
    r"""$y_if(W^{(t)},x_i)\ge\frac{1-c\gamma^{-2}R_{\min}^{-2}pn}{1+c\gamma^{-2}R_{\min}^{-2}pn}\log t$ for sufficiently
    large t.

    Fails for $p=0$: $e^{q}\approx\kappa_it$ with $\kappa_i=\frac{\eta(1+\gamma^2)\|x_i\|^2}{nm}\le\frac{2}{C}$, so
    $q_i-\log t\to\log\kappa_i<0$: a constant is missing on the right-hand side.

    Convention: $p=0$, where the printed factor is 1 whatever c; as $e^{y_if}/t\ge1$.
    """

    def exceeds(t: float) -> Margin:
        now = course.steps == t
        return at_least(exp(course.known(course.margins, 2.0)[now] - log(t)), 1, "e^{y f}/t")

    return eventually(exceeds, "margins", at=course.steps)


@margins.claim("margin_lower_log_t.amended", "up to a constant", recorded="supported")
@mutants(exponent("1.005"), exponent("1.1"))
def margins_grow_at_least_like_log_t(course: Decomposition, data: Dataset, net: TwoLayer) -> Margin:
    r"""Amended: $y_if\ge a\log t-K$ with a constant K, that is $e^{y_if}=\Omega(t^a)$.

    Convention: c = 1 in the printed factor a.
    """
    known = course.known(course.margins, 2.0)
    return at_least_like(
        Logs(known.value, known.error), power(tightness(data, net)), "e^{y f}", at=course.steps, clock=course.loss
    )
