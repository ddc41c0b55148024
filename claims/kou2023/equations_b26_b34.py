r"""Equations (B.26) to (B.34): how the coefficients of a leaky ReLU network grow in one step, and what follows for all
times.

Write $\kappa=\gamma^{-2}c_1^{-1}R_{\min}^{-2}pn$, $c_4=1-\kappa$, $c_5=1-\kappa/\gamma$ and $c_6=1+\kappa$.
"""

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, changed, derived, mutants, scaled, section, shifted
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_APPENDIX
from refute.claims.kou2023.leaky_courses import GIVEN, LATE
from refute.claims.kou2023.single_steps import between_sums, stepwise
from refute.functions import absolute, exp, leaky_relu_slope, log, log1p, mean, sqrt
from refute.models import TwoLayer
from refute.models.kou2023.decomposition import Decomposition

ABSORBED = 2  # the constant that absorbs e^z, as z <= e^{2 beta}/100


@stepwise.claim("eq_b26.increment_sandwich", "Eq. (B.26)", proof=between_sums)
@mutants(scaled("99/100", "above"), scaled("101/100", "below"), changed("the root of gamma", gamma=sqrt))
def increments_lie_between_gamma_and_one(steps: Decomposition, gamma: Number) -> Margin:
    r"""$\bar\rho_{y_i,r,i}$ and $|\underline\rho_{-y_i,r,i}|$ grow per step by at least
    $\frac{\gamma\eta}{nm}|\ell_i'|\|x_i\|^2$ and at most $\frac\eta{nm}|\ell_i'|\|x_i\|^2$.
    """
    sizes, push = absolute(steps.rho), (steps.logits[:-1] * steps.unit)[:, None, None, :]
    grown = sizes[1:] - sizes[:-1]
    return all_of(at_least(grown, gamma * push, "below"), at_most(grown, push, "above"))


@derived
def unit(throughout: Decomposition) -> Array:
    """eta |x_i|^2/(nm)."""
    return throughout.unit


@derived
def time(throughout: Decomposition) -> Array:
    """The listed steps, as a column."""
    return np.asarray(throughout.steps[:, None])


@derived
def gains(throughout: Decomposition, net: TwoLayer) -> tuple[Array, Array]:
    """log of what the averages of rho-bar_{y_i,r,i} and of |rho-underbar_{-y_i,r,i}| gain in a step, in units of
    eta |x_i|^2/(nm).
    """
    slopes: Array = mean(leaky_relu_slope(throughout.signals, net.slope, net.slope * 0 + 1), axis=2)
    logits = throughout.log_logits
    return logits + log(throughout.own(slopes)), logits + log(throughout.opposite(slopes))


displays = section(
    "kou2023",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=LEAKY_APPENDIX,
    derived=[*LATE, unit, time, gains],
    recorded="supported",
    cost=0.4,
)


@displays.claim("eq_b27_b30.recursions", "Eqs. (B.27) to (B.30)")
@mutants(
    *(shifted("-1/10", "(B.27)"), shifted("-4/5", "(B.28)"), shifted("1/10", "(B.29)"), shifted("1/10", "(B.30)")),
    *(scaled("11/10", "(B.27)"), scaled("9/10", "(B.29)"), scaled("9/10", "(B.30)")),
)
def averages_obey_four_recursions(
    gains: tuple[Array, Array], own: Array, opposite: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$\sum_r\bar\rho_{y_i,r,i}$ grows per step by at most
    $\frac{\eta\|x_i\|^2e^{2\beta}}n\exp(-\frac{c_4}m\sum_r\bar\rho)$ and at least
    $\frac{\gamma\eta\|x_i\|^2e^{-(\gamma+1)\beta}}{2n}\exp(-\frac{2c_6}m\sum_r\bar\rho)$;
    $\sum_r|\underline\rho_{-y_i,r,i}|$ by the same with $\gamma c_5$ for $c_4$ and $2c_6/\gamma$ for $2c_6$.

    Convention: divided by $\eta\|x_i\|^2/n$ and compared by logarithms.
    """
    (own_gain, opposite_gain), below = gains, log(gamma / 2) - (gamma + 1) * beta
    return all_of(
        at_most(own_gain, 2 * beta - (1 - kappa) * own, "(B.27)"),
        at_most(opposite_gain, 2 * beta - (gamma - kappa) * opposite, "(B.28)"),
        at_least(own_gain, below - 2 * (1 + kappa) * own, "(B.29)"),
        at_least(opposite_gain, below - 2 * (1 + kappa) * opposite / gamma, "(B.30)"),
    )


SLOWER = changed("nine tenths of the speed", unit=lambda unit: 9 * unit / 10)


@displays.claim("eq_b31.bar_upper", "Eq. (B.31)")
@mutants(scaled("19/20", "average"), SLOWER)
def own_averages_grow_at_most_logarithmically(
    own: Array, unit: Array, time: Array, kappa: Number, beta: Number
) -> Margin:
    r"""$\frac1m\sum_r\bar\rho\le c_4^{-1}\log(1+ze^zt)\le c_4^{-1}\log(1+\frac{c\eta\|x_i\|^2e^{2\beta}}{nm}t)$ with
    $z=\frac{c_4\eta\|x_i\|^2e^{2\beta}}{nm}$ and a constant c.

    Convention: c = 2.
    """
    c4, speed = 1 - kappa, unit * exp(2 * beta)
    bound = log1p(c4 * speed * exp(c4 * speed) * time) / c4
    absorbed = log1p(ABSORBED * speed * time) / c4
    return all_of(at_most(own, bound, "average"), at_most(bound, absorbed, "e^z absorbed"))


@displays.claim("eq_b32.under_upper", "Eq. (B.32)")
@mutants(scaled("51/100", "average"))
def opposite_averages_grow_at_most_logarithmically(
    opposite: Array, unit: Array, time: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$\frac1m\sum_r|\underline\rho|\le(\gamma c_5)^{-1}\log(1+ze^zt)
    \le(\gamma c_5)^{-1}\log(1+\frac{c\gamma\eta\|x_i\|^2e^{2\beta}}{nm}t)$ with
    $z=\frac{\gamma c_5\eta\|x_i\|^2e^{2\beta}}{nm}$ and a constant c.

    Convention: c = 2.
    """
    slope, speed = gamma - kappa, unit * exp(2 * beta)
    bound = log1p(slope * speed * exp(slope * speed) * time) / slope
    absorbed = log1p(ABSORBED * gamma * speed * time) / slope
    return all_of(at_most(opposite, bound, "average"), at_most(bound, absorbed, "e^z absorbed"))


FASTER = [scaled("21/20"), changed("with the root of gamma", gamma=sqrt)]


@displays.claim("eq_b33.bar_lower", "Eq. (B.33)")
@mutants(*FASTER)
def own_averages_grow_at_least_logarithmically(
    own: Array, unit: Array, time: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$\frac1m\sum_r\bar\rho\ge(2c_6)^{-1}\log(1+\frac{\gamma c_6\eta\|x_i\|^2e^{-(\gamma+1)\beta}}{nm}t)$."""
    c6 = 1 + kappa
    speed = c6 * unit * exp(-(gamma + 1) * beta)
    return at_least(own, log1p(gamma * speed * time) / (2 * c6), "average")


@displays.claim("eq_b34.under_lower", "Eq. (B.34)")
@mutants(*FASTER)
def opposite_averages_grow_at_least_logarithmically(
    opposite: Array, unit: Array, time: Array, gamma: Number, kappa: Number, beta: Number
) -> Margin:
    r"""$\frac1m\sum_r|\underline\rho|\ge\frac{\gamma}{2c_6}\log(1+\frac{c_6\eta\|x_i\|^2e^{-(\gamma+1)\beta}}{nm}t)$."""
    c6 = 1 + kappa
    speed = c6 * unit * exp(-(gamma + 1) * beta)
    return at_least(opposite, gamma * log1p(speed * time) / (2 * c6), "average")
