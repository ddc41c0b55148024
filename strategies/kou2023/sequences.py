"""Real sequences, written by their first term and the rates r_t in x_{t+1} = x_t + r_t exp(-x_t), with repairs.

Every real sequence has this form, and C exp(-x_t) bounds an increment exactly when C bounds the rate: a rational
inequality.
"""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases
from refute.strategies.numbers import is_array, is_number, is_positive, number

MOST_STEPS = 6
CONSTANTS = [Fraction(c) for c in ("1", "2", "1/2", "1/5", "4", "5/3", "1/1000", "1000")]
SHARES = [Fraction(s) for s in ("1", "1/2", "0", "2", "3/2", "-1/2", "-3")]  # of the constant that bounds the rates


def _rates(values: Iterable[Fraction]) -> Array:
    return exact_array(np.array(list(values), dtype=object), "rates")


def _any_sequence(fields: Mapping[str, Any]) -> dict[str, bool]:
    return {"x0": is_number(fields.get("x0")), "rates": is_array(fields.get("rates"), 1)}


def _ordered(fields: Mapping[str, Any]) -> dict[str, bool]:
    low: Any = fields.get("C1")
    high: Any = fields.get("C2")
    return {"C1": is_positive(low), "C2": is_positive(low) and is_positive(high) and bool(low <= high)}


@st.composite
def _sequence(draw: DrawFn) -> dict[str, Any]:
    constant = draw(st.sampled_from(CONSTANTS))
    shares = draw(st.lists(st.sampled_from(SHARES), max_size=MOST_STEPS))
    return {"x0": draw(number()), "C": constant, "rates": _rates(share * constant for share in shares)}


def sequence() -> Cases:
    """A first term, a constant C > 0 and up to six rates near C. Shrinks to x0 = 0, C = 1 and no step."""
    return Cases(_sequence(), lambda fields: _any_sequence(fields) | {"C": is_positive(fields.get("C"))})


@st.composite
def _banded_sequence(draw: DrawFn) -> dict[str, Any]:
    drawn = draw(_sequence())
    low = drawn.pop("C")
    return drawn | {
        "C1": low,
        "C2": low + draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 5), Fraction(4)])),
    }


def banded_sequence() -> Cases:
    """The same with two constants 0 < C1 <= C2."""
    return Cases(_banded_sequence(), lambda fields: _any_sequence(fields) | _ordered(fields))


def _clipped(rates: Array, low: Fraction | None, high: Fraction | None) -> dict[str, Array]:
    up = [r if low is None else max(r, low) for r in rates]
    return {"rates": _rates(r if high is None else min(r, high) for r in up)}


def cap_rates(draw: DrawFn, C: Fraction, rates: Array) -> dict[str, Array]:
    """No rate above C."""
    return _clipped(rates, None, C)


def floor_rates(draw: DrawFn, C: Fraction, rates: Array) -> dict[str, Array]:
    """No rate below C."""
    return _clipped(rates, C, None)


def band_rates(draw: DrawFn, C1: Fraction, C2: Fraction, rates: Array) -> dict[str, Array]:
    """No rate below C1 or above C2."""
    return _clipped(rates, C1, C2)


def exceed_rate(draw: DrawFn, C: Fraction, rates: Array) -> dict[str, Array]:
    """A last step with a rate two or nine times C."""
    return {"rates": _rates([*rates, C * draw(st.sampled_from([2, 9]))])}


def undercut_rate(draw: DrawFn, C: Fraction, rates: Array) -> dict[str, Array]:
    """A last step with a rate below C."""
    return {"rates": _rates([*rates, C * draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(-1)]))])}


def leave_band(draw: DrawFn, C1: Fraction, C2: Fraction, rates: Array) -> dict[str, Array]:
    """A last step with a rate below C1 (but not negative) or above C2."""
    return {"rates": _rates([*rates, draw(st.sampled_from([Fraction(0), C1 / 2, 2 * C2, 9 * C2]))])}


def lift_above_zero(draw: DrawFn, x0: Fraction, rates: Array) -> dict[str, Any]:
    """|x0| as the first term; a rate that would lead below zero is divided by 4, by 20, or becomes zero.

    The path is followed in float64, so a downward step ends at a distance from zero that no rounding reaches.
    """
    x, kept = float(abs(x0)), []
    for rate in rates:
        safe = next(r for r in (rate, rate / 4, rate / 20, Fraction(0)) if r >= 0 or x + float(r) * math.exp(-x) > 1e-6)
        x += float(safe) * math.exp(-x)
        kept.append(safe)
    return {"x0": abs(x0), "rates": _rates(kept)}


def start_below_zero(draw: DrawFn, x0: Fraction, rates: Array) -> dict[str, Any]:
    """A negative first term; negative rates become zero, since exp(-x_t) grows beyond all bounds on the way down."""
    return {"x0": -abs(x0) or Fraction(-1), **_clipped(rates, Fraction(0), None)}


def swap_if_greater(draw: DrawFn, s: Fraction, t: Fraction) -> dict[str, Fraction]:
    """s <= t."""
    return {"s": min(s, t), "t": max(s, t)}


def put_later_first(draw: DrawFn, s: Fraction, t: Fraction) -> dict[str, Fraction]:
    """s > t."""
    return {"s": max(s, t) + (s == t), "t": min(s, t)}


def raise_above(draw: DrawFn, a: Fraction, b: Fraction) -> dict[str, Fraction]:
    """a < b, by exchanging them or by doubling b."""
    return {"a": min(a, b), "b": max(a, b) * (1 + (a == b))}


def lower_below(draw: DrawFn, a: Fraction, b: Fraction) -> dict[str, Fraction]:
    """a > b."""
    return {"a": max(a, b) * (1 + (a == b)), "b": min(a, b)}


def turn_negative(draw: DrawFn, a: Fraction, s: Fraction, t: Fraction) -> dict[str, Fraction]:
    """a < 0, small enough that 1 + a s and 1 + a t stay positive."""
    return {"a": -1 / (draw(st.sampled_from([2, 5])) * max(s, t))}
