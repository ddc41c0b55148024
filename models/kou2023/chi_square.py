"""Tails of chi^2 with d degrees of freedom, in balls, and how far it deviates from d with a given chance."""

from flint import arb, fmpq

from refute.arithmetic.numbers import Number
from refute.errors import BadInput, Inexact
from refute.functions import maximum, sign

ROOT = 1e-9  # relative radius of a ball around a root found in float64; that it holds the root is checked at its ends


def tails(d: int, low: Number, high: Number) -> Number:
    """P[chi^2_d < low] + P[chi^2_d > high], in balls."""
    if not isinstance(low, arb):
        raise Inexact("a tail of chi^2")
    half = arb(fmpq(d, 2))
    return (low / 2).gamma_lower(half, regularized=1) + (high / 2).gamma_upper(half, regularized=1)


def deviation(d: int, chance: Number) -> Number:
    """The smallest u with P[|chi^2_d - d| > u] <= chance; for a ball `chance` a ball, at whose ends the tails are on
    either side of it.
    """
    from scipy.optimize import brentq
    from scipy.stats import chi2

    wanted = float(chance)
    near = float(brentq(lambda u: chi2.cdf(d - u, d) + chi2.sf(d + u, d) - wanted, 0.0, 10 * d + 2000.0))
    if not isinstance(chance, arb):
        return near
    low, high = near * (1 - ROOT), near * (1 + ROOT)
    sides = [sign(tails(d, maximum(arb(d) - u, arb(0)), arb(d) + u) - chance) for u in (low, high)]
    if sides != [1, -1]:
        raise BadInput(f"the deviation is not within {ROOT} of {near}")
    return arb(low).union(arb(high))
