"""Lemma 7: Gronwall's inequality."""

import numpy as np

from refute import Margin, assumption, at_least, at_most, changed, derived, mutants, section, without
from refute.arithmetic.numbers import Array, Number
from refute.decide.symbolic import by_identity
from refute.functions import exp
from refute.strategies import sized
from refute.strategies.zhang2024.inequalities import NONNEGATIVE, NUMBERS, lift_rate, turn_rate

DEGREES = range(5)  # of the polynomials alpha, with q of degree 2 and the integral of u of degree 3


@assumption("gronwall.nonnegative_rate", base=sized(rate=NUMBERS), satisfy=lift_rate, violate=turn_rate)
def nonnegative_rate(rate: Number) -> Margin:
    """beta is non-negative"""
    return at_least(rate, 0, "beta")


@derived
def powers(t: Number) -> Array:
    """t^k."""
    return np.array([t**k for k in DEGREES], dtype=object)


@derived
def moments(rate: Number, t: Number) -> Array:
    """The integrals of beta s^k e^{beta (t - s)} over [0, t], by parts."""
    found = [exp(rate * t) - 1]
    for k in DEGREES[1:]:
        found.append(-(t**k) + found[-1] * k / rate if rate != 0 else rate)
    return np.array(found, dtype=object)


def _identity() -> str | None:
    """d/ds [v e^{-B}] = (v' - B' v) e^{-B} with v' = beta u, B' = beta."""
    import sympy

    s = sympy.Symbol("s")
    v, B = sympy.Function("v")(s), sympy.Function("B")(s)
    residual = sympy.diff(v * sympy.exp(-B), s) - (v.diff(s) - B.diff(s) * v) * sympy.exp(-B)
    meaning = (
        "with v the integral of beta u and q = alpha + v - u >= 0, the bound exceeds u(t) by q(t) + integral "
        "of q beta e^B >= 0"
    )
    return by_identity(lambda: [residual], meaning)


lemma = section("zhang2024", "lemma_7", "Lemma 7")


POLYNOMIALS = sized(
    rate=NUMBERS, t=NONNEGATIVE, u0=NUMBERS, u1=NUMBERS, u2=NUMBERS, slack=NONNEGATIVE, centre=NONNEGATIVE
)


@lemma.claim(
    "gronwall",
    "Eq. (13)",
    given=POLYNOMIALS,
    assumes=[nonnegative_rate],
    derived=[powers, moments],
    proof=_identity,
    recorded="proved",
    cost=3.0,
)
@mutants(without(nonnegative_rate), changed("99/100 of the integral", moments=lambda values: values * 99 / 100))
def gronwall_bounds_the_solution(
    rate: Number, u0: Number, u1: Number, u2: Number, slack: Number, centre: Number, powers: Array, moments: Array
) -> Margin:
    r"""If $u(t)\le\alpha(t)+\int_a^t\beta u$ for all t and $\beta\ge0$, then
    $u(t)\le\alpha(t)+\int_a^t\alpha(s)\beta(s)e^{\int_s^t\beta}\,ds$.

    Convention: cases have a constant beta (time can be rescaled to make it so), a quadratic u and
    alpha = u - integral of beta u + slack (s - c)^2.
    """
    u = np.array([u0, u1, u2, 0, 0], dtype=object)
    q = slack * np.array([centre**2, -2 * centre, 1, 0, 0], dtype=object)
    alpha = u + q - rate * np.array([0, u0, u1 / 2, u2 / 3, 0], dtype=object)
    return at_most(u @ powers, alpha @ powers + alpha @ moments, "u(t) against Gronwall's bound")
