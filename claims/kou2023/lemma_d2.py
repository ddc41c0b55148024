r"""Lemma D.2 with Eqs. (D.3) to (D.6): the margins and the loss of a leaky ReLU network after the first stage.

$T_1$ is the first step after $2nm/(\eta R_{\max}^2)$, $c_1\gamma^2$ the least ratio of two sums $\sum_r|\rho_{j,r,i}|$
over the listed times from $T_1$ to $10^{12}$, and $\kappa=c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn$. Write
$C_i=\frac{1+\kappa}m\sum_r\bar\rho^{(T_1)}_{y_i,r,i}
+\frac{\gamma(1+\kappa)}m\sum_r|\underline\rho^{(T_1)}_{-y_i,r,i}|+(\gamma+1)\beta$,
$C_i'=\frac{1-\kappa}m\sum_r\bar\rho^{(T_1)}_{y_i,r,i}
+\frac{\gamma(1-\kappa)}m\sum_r|\underline\rho^{(T_1)}_{-y_i,r,i}|-(\gamma+1)\beta$ and
$\Lambda_i=\log(1+\frac{\eta\|x_i\|^2e^{-C_i}(1+\gamma^2)(1+\kappa)}{2nm}(t-T_1))$.
"""

from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bounded_by,
    changed,
    derived,
    exponent,
    less,
    mutants,
    power,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX, near_orthogonal_leaky, with_comparable_norms
from refute.claims.kou2023.leaky_courses import CROWDED, GIVEN, beta, course, end, gamma
from refute.claims.kou2023.theorem_4_1 import SIZES, tightness
from refute.decide.proof import by_smt
from refute.functions import absolute, exp, largest, log1p, mean, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.kou2023.orthogonality import relative_overlap
from refute.strategies import choice, sized

LAST_PAIR = 10_000  # up to here every step is taken, so that increments keep their digits


@derived
def late(data: Dataset, net: TwoLayer, rate: Number, end: int) -> Decomposition:
    """Some times from T_1 to 10^12."""
    return unroll_long(net, data, rate=rate, times=np.geomspace(end, 1e12, 30))


@derived
def kappa(data: Dataset, late: Decomposition) -> Number:
    """R_min^-2 pn over the least ratio of two sums."""
    sums = late.known(late.sums.reshape(len(late.steps), -1), late.width)
    return relative_overlap(data.inputs) / smallest(smallest(sums, axis=1) / largest(sums, axis=1))


@derived
def own(late: Decomposition) -> Any:
    """The average of rho-bar_{y_i,r,i} over r: (time, i)."""
    return late.known(late.own(late.sums / late.width))


@derived
def opposite(late: Decomposition) -> Any:
    """The average of |rho-underbar_{-y_i,r,i}| over r: (time, i)."""
    return late.known(late.opposite(late.sums / late.width))


@derived
def both(own: Any, opposite: Any, gamma: Number) -> Any:
    """Of both averages at T_1, the second times gamma."""
    return own[0] + gamma * opposite[0]


@derived
def room(gamma: Number, beta: Number) -> Number:
    """(gamma + 1) beta."""
    return (gamma + 1) * beta


@derived
def steepness(gamma: Number, kappa: Number) -> Any:
    """(1 + gamma^2)(1 + kappa)."""
    return (1 + gamma**2) * (1 + kappa)


@derived
def growth(late: Decomposition, both: Any, room: Number, kappa: Any, steepness: Any) -> Any:
    """Lambda_i: (time, i)."""
    speed = late.unit * exp(-((1 + kappa) * both + room)) * steepness / 2
    return log1p(speed * (late.steps - late.steps[0])[:, None])


RUN = [gamma, beta, end, late, kappa, own, opposite, both, room, steepness, growth]
main = section(
    "kou2023",
    "lemma_d2",
    "Lemma D.2",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=LEAKY_APPENDIX,
    derived=RUN,
    recorded="supported",
    cost=0.25,
)
proof = main.but("proof of Lemma D.2")
displays = section("kou2023", **{**main.common, "given": CROWDED})

WITHOUT_BETA = changed("without beta", beta=lambda beta: 0 * beta)
WITHOUT_OVERLAPS = changed("without the overlaps", kappa=lambda kappa: 0 * kappa)


@displays.claim("eq_d3.Fy_upper", "Eq. (D.3)")
@mutants(WITHOUT_BETA, WITHOUT_OVERLAPS)
def the_output_of_the_own_class_is_bounded_above(late: Decomposition, own: Any, kappa: Number, beta: Number) -> Margin:
    r"""$F_{y_i}(x_i)\le\frac{1+\kappa}m\sum_r\bar\rho_{y_i,r,i}+\beta$ for $t\ge T_1$."""
    return at_most(late.known(late.own(late.outputs)), (1 + kappa) * own + beta, "F_y")


@displays.claim("eq_d4.Fminus_lower", "Eq. (D.4)")
@mutants(WITHOUT_BETA, WITHOUT_OVERLAPS)
def the_output_of_the_other_class_is_bounded_below(
    late: Decomposition, opposite: Any, kappa: Number, gamma: Number, beta: Number
) -> Margin:
    r"""$F_{-y_i}(x_i)\ge\frac{\gamma(1+\kappa)}m\sum_r\underline\rho_{-y_i,r,i}-\gamma\beta$ for $t\ge T_1$; the sum is
    negative.
    """
    bound = -gamma * (1 + kappa) * opposite - gamma * beta
    return at_least(late.known(late.opposite(late.outputs)), bound, "F_-y")


@proof.claim("margin_upper", "upper bound of the margin")
@mutants(
    changed("C_i without (gamma + 1) beta", room=lambda room: 0 * room),
    changed("9/10 of the steepness", steepness=lambda steepness: 0.9 * steepness),
)
def margins_are_at_most_the_gains_and_a_constant(
    late: Decomposition, own: Any, both: Any, room: Number, kappa: Number, steepness: Any
) -> Margin:
    r"""$y_if\le\frac{(1+\gamma^2)(1+\kappa)}m\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})+C_i$ for
    $t\ge T_1$.
    """
    bound = steepness * (own - own[0]) + (1 + kappa) * both + room
    return at_most(late.known(late.margins, 2.0), bound, "y f")


@derived
def steps(data: Dataset, net: TwoLayer, rate: Number, end: int) -> Decomposition:
    """Pairs t and t + 1 from T_1 on, the first one being T_1."""
    times = np.unique(np.round(np.geomspace(end, max(LAST_PAIR, 4 * end), 15)))
    return unroll_long(net, data, rate=rate, times=np.union1d(times, times + 1), freeze=10**6)


@displays.claim("eq_d5.recursion", "Eq. (D.5)", given=GIVEN, derived=[*RUN, steps])
@mutants(scaled(2), changed("half of the exponent", steepness=lambda steepness: steepness / 2))
def own_coefficients_gain_at_least_the_exponential(
    steps: Decomposition, both: Any, room: Number, kappa: Number, steepness: Any
) -> Margin:
    r"""With $Z^{(t)}=\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})$:
    $Z^{(t+1)}\ge Z^{(t)}+\frac{\eta\|x_i\|^2e^{-C_i}}{2n}\exp(-\frac{(1+\gamma^2)(1+\kappa)}mZ^{(t)})$ for $t\ge T_1$.

    Convention: divided by m; pairs of steps from $T_1$ to $10^4$, or to $4T_1$.
    """
    averages = steps.known(steps.own(steps.sums / steps.width))
    now = np.flatnonzero(np.diff(steps.steps) == 1)
    gained, step = averages[now] - averages[0], averages[now + 1] - averages[now]
    bound = steps.unit / 2 * exp(-((1 + kappa) * both + room) - steepness * gained)
    return at_least(step / bound, 1, "gain of one step over its bound")


@displays.claim("eq_d6.rho_lower", "Eq. (D.6)", given=GIVEN)
@mutants(scaled("11/10"), changed("1 in place of 1 + gamma^2", steepness=lambda steepness: 0 * steepness + 1))
def own_coefficients_gain_at_least_a_logarithm(own: Any, growth: Any, steepness: Any) -> Margin:
    r"""$\sum_r(\bar\rho^{(t)}_{y_i,r,i}-\bar\rho^{(T_1)}_{y_i,r,i})\ge\frac m{(1+\gamma^2)(1+\kappa)}\Lambda_i$ for
    $t\ge T_1$.

    Convention: divided by m.
    """
    return at_least(own - own[0], growth / steepness, "mean gain of the own coefficients")


@proof.claim("margin_lower", "lower bound of the margin")
@mutants(scaled("11/10"), shifted("1"))
def margins_grow_at_least_logarithmically(
    late: Decomposition, growth: Any, both: Any, room: Number, kappa: Number
) -> Margin:
    r"""$y_if\ge\frac{1-\kappa}{1+\kappa}\Lambda_i+C_i'$ for $t\ge T_1$."""
    bound = (1 - kappa) / (1 + kappa) * growth + (1 - kappa) * both - room
    return at_least(late.known(late.margins, 2.0), bound, "y f")


@main.claim("loss_bound")
@mutants(
    scaled("1/2"),
    changed("exponent a tenth larger", growth=lambda growth: 1.1 * growth),
    changed("e^{-2 C_i'} in front", both=lambda both: 2 * both),
)
def the_loss_is_bounded_by_powers(late: Decomposition, growth: Any, both: Any, room: Number, kappa: Number) -> Margin:
    r"""For $t\ge T_1$: $L_S\le\sum_i\frac{e^{-C_i'}}ne^{-a\Lambda_i}$ with $a=\frac{1-\kappa}{1+\kappa}$.

    Convention: t from $T_1$ to $10^{12}$.
    """
    below = (1 - kappa) * both - room
    bound = mean(exp(-below - (1 - kappa) / (1 + kappa) * growth), axis=1)
    return at_most(late.known_loss / bound, 1, "loss over its bound")


@main.claim(
    "rate", kind=Kind.ASYMPTOTIC, given=SIZES, assumes=with_comparable_norms(LEAKY_APPENDIX), derived=[course], cost=0.1
)
@mutants(exponent("1.1", "loss"), exponent("1.02", "loss"), without(near_orthogonal_leaky))
def the_loss_falls_like_a_positive_power(course: Decomposition, data: Dataset, net: TwoLayer) -> Margin:
    r"""$L_S(W^{(t)})=O(t^{-a})$ with
    $a=\frac{1-c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn}{1+c_1^{-1}\gamma^{-2}R_{\min}^{-2}pn}>0$.

    Convention: with $c_1=1$, for C = 3 and more; a smaller $c_1$ says less.
    """
    a = tightness(data, net)
    return all_of(less(0, a, "a"), bounded_by(course.known_loss, power(-a), "loss", at=course.steps, clock=course.loss))


def _offsets_bounded() -> str | None:
    def statement() -> Any:
        import z3

        own, opposite, C, kappa, gamma, beta = z3.Reals("own opposite C kappa gamma beta")
        means = z3.And(own >= 0, own <= C, opposite >= 0, opposite <= C)
        given = z3.And(means, kappa >= 0, kappa <= 1, gamma > 0, gamma < 1, beta >= 0)
        both, top, slack = own + gamma * opposite, (1 + gamma) * C, (gamma + 1) * beta
        lower = (1 - kappa) * both - slack
        low_top = (1 - kappa) * top + slack
        upper = (1 + kappa) * both + slack <= (1 + kappa) * top + slack
        return z3.Implies(given, z3.And(upper, lower <= low_top, -lower <= low_top))

    return by_smt(statement)


@derived
def averaged(own: Number, opposite: Number, stage: int, gamma: Number) -> Number:
    """own + gamma opposite, of shares of C'."""
    return stage * (own + gamma * opposite)


@derived
def limit(stage: int, gamma: Number) -> Number:
    """C'(1 + gamma)."""
    return stage * (1 + gamma)


SHARE = choice("1", "1/2", "0", "1/10")


offsets = section(
    "kou2023",
    "lemma_d2",
    "proof of Lemma D.2",
    given=sized(
        own=SHARE, opposite=SHARE, stage=choice(1, 2, 10), kappa=SHARE, gamma=choice("1/2", "1/100", "9/10"), beta=SHARE
    ),
    derived=[averaged, limit, room],
    proof=_offsets_bounded,
    recorded="proved",
)


@offsets.claim("Ci_bound", "bounds of C_i and C_i'")
@mutants(scaled("99/100", "C_i"), scaled("99/100", "|C_i'|"))
def the_offsets_are_constants(averaged: Number, limit: Number, kappa: Number, room: Number) -> Margin:
    r"""$C_i\le(\gamma+1)C'(1+\kappa)+(\gamma+1)\beta$ and $|C_i'|\le C'(1+\gamma)(1-\kappa)+(\gamma+1)\beta$.

    Convention: by (C.3) the averages at $T_1$ lie between 0 and $C'$; $\kappa\le1$, as it is small in the paper.
    """
    return all_of(
        at_most((1 + kappa) * averaged + room, (1 + kappa) * limit + room, "C_i"),
        at_most(absolute((1 - kappa) * averaged - room), (1 - kappa) * limit + room, "|C_i'|"),
    )
