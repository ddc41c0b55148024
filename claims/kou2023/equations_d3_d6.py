r"""Lemma D.2, its rate and equations (D.3) to (D.6): the margins of a leaky ReLU network after the first stage.

$T_1$ is the first step after $2nm/(\eta R_{\max}^2)$, $c_1\gamma^2$ the least ratio of two sums $\sum_r|\rho_{j,r,i}|$
over the times from 1 to $10^{12}$, and $\kappa=c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn$.
"""

from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    bounded_by,
    changed,
    derived,
    exponent,
    less,
    power,
    scaled,
    section,
    shifted,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, with_comparable_norms
from refute.claims.kou2023.leaky_courses import GIVEN, balance, beta, course, end, gamma, kappa, throughout
from refute.claims.kou2023.theorem_4_1 import SIZES, tightness
from refute.decide.proof import by_smt
from refute.functions import absolute, log
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.kou2023.late_gains import LateGains
from refute.strategies import choice, sized


@derived
def late(data: Dataset, net: TwoLayer, rate: Number, end: int, kappa: Any, beta: Number) -> LateGains:
    """The training from T_1 to 10^12."""
    return LateGains(unroll_long(net, data, rate=rate, times=np.geomspace(end, 1e12, 30)), kappa, beta)


@derived
def slope(gamma: Number) -> Number:
    """The slope of sigma on the left, where a display has it in front of beta or of a sum."""
    return gamma


@derived
def squared(gamma: Number) -> Number:
    """gamma^2, where a display has 1 + gamma^2."""
    return gamma**2


display = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=LEAKY_APPENDIX,
    derived=[end, gamma, beta, throughout, balance, kappa, late, slope, squared],
    recorded="supported",
    convention="t from T_1 to 10^12; c_1 as measured",
)
WITHOUT_BETA = changed("without beta", beta=lambda beta: 0 * beta)


@display.claim("eq_d3.Fy_upper", "Eq. (D.3)", mutants=[WITHOUT_BETA, scaled("99/100")])
def the_output_of_the_own_class_is_bounded_above(late: LateGains, kappa: Number, beta: Number) -> Margin:
    r"""$F_{y_i}(x_i)\le\frac{1+\kappa}m\sum_r\bar\rho_{y_i,r,i}+\beta$ for $t\ge T_1$."""
    outputs = late.course.known(late.course.own(late.course.outputs))
    return at_most(outputs, (1 + kappa) * late.own + beta, "F_y")


@display.claim(
    "eq_d4.Fminus_lower",
    "Eq. (D.4)",
    mutants=[WITHOUT_BETA, scaled("9/10"), changed("gamma^2 in place of gamma", slope=lambda slope: slope**2)],
)
def the_output_of_the_other_class_is_bounded_below(
    late: LateGains, kappa: Number, beta: Number, slope: Number
) -> Margin:
    r"""$F_{-y_i}(x_i)\ge\frac{\gamma(1+\kappa)}m\sum_r\underline\rho_{-y_i,r,i}-\gamma\beta$ for $t\ge T_1$; the sum is
    negative.
    """
    outputs = late.course.known(late.course.opposite(late.course.outputs))
    return at_least(outputs, -slope * (1 + kappa) * late.opposite - slope * beta, "F_-y")


@display.claim(
    "lemma_d2.margin_upper",
    "proof of Lemma D.2, upper bound of the margin",
    mutants=[
        changed("1 in place of 1 + gamma^2", squared=lambda squared: 0 * squared),
        changed("C_i without (gamma + 1) beta", late=LateGains.without_beta),
        scaled("9/10"),
    ],
)
def margins_are_at_most_the_gains_and_a_constant(late: LateGains, kappa: Number, squared: Number) -> Margin:
    r"""$y_if\le\frac{(1+\gamma^2)(1+\kappa)}m\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})+C_i$, where
    $C_i=\frac{1+\kappa}m\sum_r\bar\rho^{(T_1)}_{y_i,r,i}+
    \frac{\gamma(1+\kappa)}m\sum_r|\underline\rho^{(T_1)}_{-y_i,r,i}|+(\gamma+1)\beta$.
    """
    margins = late.course.known(late.course.margins, 2.0)
    return at_most(margins, (1 + squared) * (1 + kappa) * late.gained + late.offset(1), "y f")


def _offsets_bounded() -> str | None:
    def statement() -> Any:
        import z3

        own, opposite, C, kappa, gamma, beta = z3.Reals("own opposite C kappa gamma beta")
        signs = z3.And(own >= 0, opposite >= 0, kappa >= 0, kappa <= 1, gamma > 0, gamma < 1, beta >= 0)
        both, top, slack = own + gamma * opposite, (1 + gamma) * C, (gamma + 1) * beta
        lower, low_top = (1 - kappa) * both - slack, (1 - kappa) * top + slack
        upper = (1 + kappa) * both + slack <= (1 + kappa) * top + slack
        given = z3.And(signs, own <= C, opposite <= C)
        return z3.Implies(given, z3.And(upper, lower <= low_top, -lower <= low_top))

    return by_smt(statement)


SHARE = choice("1", "1/2", "0", "1/10")


@section(
    "kou2023",
    "lemma_d2",
    "proof of Lemma D.2, bounds of C_i and C_i'",
    given=sized(
        own=SHARE, opposite=SHARE, stage=choice(1, 2, 10), kappa=SHARE, gamma=choice("1/2", "1/100", "9/10"), beta=SHARE
    ),
).claim(
    "Ci_bound",
    proof=_offsets_bounded,
    recorded="proved",
    mutants=[scaled("99/100", "C_i"), scaled("99/100", "|C_i'|"), shifted("-1/100", "|C_i'|")],
)
def the_offsets_are_constants(
    own: Number, opposite: Number, stage: Number, kappa: Number, gamma: Number, beta: Number
) -> Margin:
    r"""$C_i\le(\gamma+1)C'(1+\kappa)+(\gamma+1)\beta$ and $|C_i'|\le C'(1+\gamma)(1-\kappa)+(\gamma+1)\beta$.

    Convention: by (C.3) the averages at $T_1$ lie between 0 and $C'$: drawn as shares of it; $\kappa\le1$, as it is
    small in the paper.
    """
    average, top, slack = stage * (own + gamma * opposite), stage * (1 + gamma), (gamma + 1) * beta
    return all_of(
        at_most((1 + kappa) * average + slack, (1 + kappa) * top + slack, "C_i"),
        at_most(absolute((1 - kappa) * average - slack), (1 - kappa) * top + slack, "|C_i'|"),
    )


@display.claim(
    "eq_d5.recursion",
    "Eq. (D.5)",
    mutants=[shifted("4/5"), changed("1 in place of 1 + gamma^2", squared=lambda squared: 0 * squared)],
)
def own_coefficients_gain_at_least_the_exponential(late: LateGains, kappa: Number, squared: Number) -> Margin:
    r"""With $Z^{(t)}=\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})$:
    $Z^{(t+1)}\ge Z^{(t)}+\frac{\eta\|x_i\|^2e^{-C_i}}{2n}\exp(-\frac{(1+\gamma^2)(1+\kappa)}mZ^{(t)})$ for $t\ge T_1$.

    Convention: the left side is $Z^{(t)}+\frac{\eta\|x_i\|^2}n|\ell_i'|$ by (D.1); divided by $\eta\|x_i\|^2/n$ and
    compared by logarithms.
    """
    bound = -log(0 * kappa + 2) - late.offset(1) - (1 + squared) * (1 + kappa) * late.gained
    return at_least(late.course.log_logits, bound, "log |l'|")


@display.claim(
    "eq_d6.rho_lower",
    "Eq. (D.6)",
    mutants=[scaled("11/10"), changed("1 in place of 1 + gamma^2", squared=lambda squared: 0 * squared)],
)
def own_coefficients_gain_at_least_a_logarithm(late: LateGains, kappa: Number, squared: Number) -> Margin:
    r"""$\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})\ge\frac m{(1+\gamma^2)(1+\kappa)}
    \log(1+\frac{\eta\|x_i\|^2e^{-C_i}(1+\gamma^2)(1+\kappa)}{2nm}(t-T_1))$ for $t\ge T_1$.
    """
    return at_least(late.gained, late.growth / ((1 + squared) * (1 + kappa)), "Z/m")


@display.claim(
    "lemma_d2.margin_lower",
    "proof of Lemma D.2, lower bound of the margin",
    mutants=[scaled("11/10"), changed("C_i and C_i' without (gamma + 1) beta", late=LateGains.without_beta)],
)
def margins_grow_at_least_logarithmically(late: LateGains, kappa: Number) -> Margin:
    r"""$y_if\ge\frac{1-\kappa}{1+\kappa}
    \log(1+\frac{\eta\|x_i\|^2e^{-C_i}(1+\gamma^2)(1+\kappa)}{2nm}(t-T_1))+C_i'$ for $t\ge T_1$, where
    $C_i'=\frac{1-\kappa}m\sum_r\bar\rho^{(T_1)}_{y_i,r,i}+
    \frac{\gamma(1-\kappa)}m\sum_r|\underline\rho^{(T_1)}_{-y_i,r,i}|-(\gamma+1)\beta$.
    """
    margins = late.course.known(late.course.margins, 2.0)
    return at_least(margins, (1 - kappa) / (1 + kappa) * late.growth + late.offset(-1), "y f")


@section(
    "kou2023",
    "lemma_d2",
    "Lemma D.2",
    kind=Kind.ASYMPTOTIC,
    given=SIZES,
    assumes=with_comparable_norms(LEAKY_APPENDIX),
    derived=[course],
    recorded="supported",
    cost=0.1,
).claim(
    "rate", mutants=[exponent("1.1", "loss"), bent("the exponent exceeds 1", "0 against", left=lambda zero: zero + 1)]
)
def the_loss_falls_like_a_positive_power(course: Decomposition, data: Dataset, net: TwoLayer) -> Margin:
    r"""$L_S(W^{(t)})=O(t^{-a})$ with
    $a=\frac{1-c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn}{1+c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn}>0$.

    Convention: with $c_1=1$, for C = 3 and more.
    """
    a = tightness(data, net)
    return all_of(
        less(0, a, "0 against the exponent"),
        bounded_by(course.loss, power(-a), "loss", at=course.steps, clock=course.loss),
    )
