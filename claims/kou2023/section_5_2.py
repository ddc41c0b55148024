r"""Section 5.2, its text about leaky ReLU: frozen slopes, rows that stay together, the norms of $W_j$ and the growth of
the margins.

"Constants" are constants in t: they may depend on the case.
"""

from typing import Any

from refute import (
    Fault,
    Kind,
    Margin,
    at_least,
    bent,
    bounded_by,
    changed,
    equal,
    eventually,
    exponent,
    power,
    section,
    suppose,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, off_boundaries, orthogonally, with_comparable_norms
from refute.claims.kou2023.leaky_courses import GIVEN, PAIRS, course, gamma, pattern
from refute.claims.kou2023.theorem_4_1 import tightness
from refute.functions import exp, leaky_relu_slope, log, maximum, sqrt
from refute.models import Dataset, TwoLayer
from refute.models.geometry.stable_rank import enclosed_spectral_norms
from refute.models.kou2023 import rows
from refute.models.kou2023.decomposition import Decomposition

main = section(
    "kou2023",
    "sec5",
    "Section 5.2",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=with_comparable_norms(LEAKY_MAIN),
    derived=[course, gamma],
    recorded="supported",
    cost=0.2,
)


@main.claim(
    "frozen_slopes", "before Lemma 5.7", mutants=[changed("with the square of gamma", gamma=lambda gamma: gamma**2)]
)
def slopes_are_those_of_the_labels(course: Decomposition, gamma: Number) -> Margin:
    r"""Given Lemma 5.6: $\sigma'(\langle w^{(t)}_{j,r},x_i\rangle)$ is 1 where $j=y_i$ and $\gamma$ where $j\ne y_i$.

    Convention: read at the horizons at which the pattern is that of Lemma 5.6, whenever that comes; whether it has come
    by T is asked there. A signal that is exactly 0 would have slope 1.
    """
    settled = course.since(course.steps[-1])
    suppose(pattern(settled).certain, "the pattern of Lemma 5.6")
    slopes = leaky_relu_slope(settled.signals, settled.start.slope, settled.start.slope * 0 + 1)
    own, opposite = settled.own(slopes), settled.opposite(slopes)
    return equal(own * gamma, opposite, "gamma times the own slope")


after_5_7 = main.but("Section 5.2, after Lemma 5.7", given=PAIRS, kind=Kind.ASYMPTOTIC)
OF_BOTH_SIGNS = changed("a row and those of the other sign", course=rows.mixed)
VANISHING = bent("falls like 1/log t", right=lambda _: power(0, -1))


@after_5_7.claim("row_difference_bounded", mutants=[OF_BOTH_SIGNS, VANISHING])
def rows_of_one_sign_stay_together(course: Decomposition) -> Margin:
    r"""$\|w^{(t)}_{j,r}-w^{(t)}_{j,r'}\|_2$ is bounded by a constant."""
    apart = sqrt(rows.gaps(rows.rows(course)))[:, :, 0, 1:]
    return bounded_by(apart, 1, "|w_r - w_r'|", at=course.steps, clock=course.loss)


def _first(course: Decomposition) -> Any:
    """|w_{j,1}|: (time, j)."""
    return course.norms[:, :, 0]


@after_5_7.claim("frobenius_upper", "display", mutants=[OF_BOTH_SIGNS, VANISHING])
def the_frobenius_norm_is_that_of_equal_rows(course: Decomposition) -> Margin:
    r"""$\|W_j^{(t)}\|_F^2\le m\|w_{j,1}^{(t)}\|^2+mC_1\|w_{j,1}^{(t)}\|+mC_2$ with constants in t.

    Convention: the positive part of $(\frac1m\|W_j\|_F^2-\|w_{j,1}\|^2)/\|w_{j,1}\|$ is bounded.
    """
    first = _first(course)
    over = ((course.norms**2).sum(axis=2) / course.width - first**2) / first
    return bounded_by(maximum(over, 0.0), 1, "|W|_F^2", at=course.steps, clock=course.loss)


@after_5_7.claim("spectral_lower", "display", mutants=[OF_BOTH_SIGNS, VANISHING])
def the_spectral_norm_is_that_of_equal_rows(course: Decomposition) -> Margin:
    r"""$\|W_j^{(t)}\|_2^2\ge m\|w_{j,1}^{(t)}\|^2-mC_3\|w_{j,1}^{(t)}\|-mC_4$ with constants in t.

    Convention: the positive part of $(\|w_{j,1}\|^2-\frac1m\|W_j\|_2^2)/\|w_{j,1}\|$ is bounded.
    """
    first = _first(course)
    below = (first**2 - enclosed_spectral_norms(rows.rows(course)) ** 2 / course.width) / first
    return bounded_by(maximum(below, 0.0), 1, "|W|_2^2", at=course.steps, clock=course.loss)


margins = main.but("Section 5.2, text after Lemma 5.7", kind=Kind.ASYMPTOTIC)


@margins.claim(
    "margin_lower_log_t", assumes=[*orthogonally(LEAKY_MAIN), off_boundaries], recorded="against", fault=Fault.CONSTANT
)
def margins_exceed_log_t(course: Decomposition) -> Margin:
    r"""$y_if(W^{(t)},x_i)
    \ge\frac{1-c\gamma^{-2}R_{\min}^{-2}pn}{1+c\gamma^{-2}R_{\min}^{-2}pn}\log t$ for sufficiently large t.

    Fails for $p=0$: $e^q\approx\kappa_it$ with $\kappa_i=\frac{\eta(1+\gamma^2)\|x_i\|^2}{nm}\le\frac{2}{C}$, so that
    $e^{q_i}/t$ tends to $\kappa_i<1$: an additive constant is missing on the right-hand side.

    Convention: $p=0$, where the printed factor is 1 whatever c; both sides in the exponent, divided by t.
    """
    ratio = exp(course.known(course.margins, 2.0) - log(course.steps)[:, None])
    return eventually(lambda t: at_least(ratio[course.steps == t], 1, "e^{y f}/t"), "y f", at=course.steps)


@margins.claim("margin_lower_log_t.amended", "up to a constant", mutants=[exponent("1.01"), exponent("1.1")])
def margins_grow_at_least_like_log_t(course: Decomposition, data: Dataset, net: TwoLayer) -> Margin:
    r"""Amended: $y_if\ge a\log t-K$ with the same factor a and a constant K.

    Convention: c = 1; in the exponent, $e^{-y_if}=O(t^{-a})$.
    """
    fallen = exp(-course.known(course.margins, 2.0))
    return bounded_by(fallen, power(-tightness(data, net)), "e^{-y f}", at=course.steps, clock=course.loss)
