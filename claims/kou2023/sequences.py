r"""Real sequences whose increments are compared with $e^{-x_t}$, for Lemma 5.3 and Appendix H.

A sequence is given by $x_0$ and the rates $r_t$ in $x_{t+1}=x_t+r_te^{-x_t}$, so each hypothesis on increments is one
on rates. A finite prefix that meets the hypotheses always continues to an infinite sequence (with the same constant as
rate).
"""

import numpy as np

from refute import Margin, all_of, assumption, at_least, at_most, derived
from refute.arithmetic.numbers import Array, Number
from refute.decide.symbolic import by_identity
from refute.functions import exp
from refute.strategies.kou2023 import sequences as repair
from refute.strategies.kou2023.sequences import banded_sequence, sequence


def sequence_terms(x0: Number, rates: Array) -> Array:
    terms = [x0]
    for rate in rates:
        terms.append(terms[-1] + rate * exp(-terms[-1]))
    return np.array(terms, dtype=object)


@derived
def x(x0: Number, rates: Array) -> Array:
    """The terms of the sequence."""
    return sequence_terms(x0, rates)


@derived
def t(rates: Array) -> Array:
    """0, 1, ... for every term."""
    return np.arange(len(rates) + 1).astype(object)


@assumption("sequence.capped_increments", base=sequence(), satisfy=repair.cap_rates, violate=repair.exceed_rate)
def capped_increments(C: Number, rates: Array) -> Margin:
    """x_{t+1} - x_t <= C exp(-x_t)"""
    return at_most(rates, C, "(x_{t+1} - x_t) exp(x_t)")


@assumption("sequence.floored_increments", base=sequence(), satisfy=repair.floor_rates, violate=repair.undercut_rate)
def floored_increments(C: Number, rates: Array) -> Margin:
    """x_{t+1} - x_t >= C exp(-x_t)"""
    return at_least(rates, C, "(x_{t+1} - x_t) exp(x_t)")


@assumption("sequence.banded_increments", base=banded_sequence(), satisfy=repair.band_rates, violate=repair.leave_band)
def banded_increments(C1: Number, C2: Number, rates: Array) -> Margin:
    """C1 exp(-x_t) <= x_{t+1} - x_t <= C2 exp(-x_t)"""
    return all_of(at_least(rates, C1, "(x_{t+1} - x_t) exp(x_t)"), at_most(rates, C2, "(x_{t+1} - x_t) exp(x_t)"))


# Applied after the bound on the increments: it shrinks only negative rates.
@assumption("sequence.nonnegative", base=sequence(), satisfy=repair.lift_above_zero, violate=repair.start_below_zero)
def nonnegative(x0: Number, rates: Array) -> Margin:
    """x_t >= 0 for all t"""
    return at_least(sequence_terms(x0, rates), 0, "x_t")


def exponential_above_its_tangent(meaning: str) -> str | None:
    """A proof by e^h >= 1 + h; `meaning` says how the statement follows."""
    import sympy

    h, s = sympy.symbols("h s", real=True)
    remainder = sympy.integrate((h - s) * sympy.exp(s), (s, 0, h))  # not negative, whatever the sign of h
    return by_identity(lambda: [sympy.exp(h) - 1 - h - remainder], f"e^h >= 1 + h by its integral remainder; {meaning}")


def upper_proof() -> str | None:
    step = "with h = x_{t+1} - x_t <= C e^{-x_t} <= C, e^{x_{t+1}} - e^{x_t} <= h e^{x_{t+1}} <= max(0, C e^h) <= C e^C"
    return exponential_above_its_tangent(f"{step}; sum over t")


def lower_proof() -> str | None:
    step = "with h = x_{t+1} - x_t >= C e^{-x_t}, e^{x_{t+1}} - e^{x_t} >= h e^{x_t} >= C"
    return exponential_above_its_tangent(f"{step}; sum over t (and e^{{x_0}} >= e^{{-x_0}} if x_0 >= 0)")
