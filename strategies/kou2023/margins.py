"""Repairs for a margin q and its bound -B."""

from fractions import Fraction

from hypothesis.strategies import DrawFn


def raise_margin(draw: DrawFn, q: Fraction, B: Fraction) -> dict[str, Fraction]:
    """q >= -B."""
    return {"q": max(q, -Fraction(B))}


def lower_margin(draw: DrawFn, q: Fraction, B: Fraction) -> dict[str, Fraction]:
    """q < -B."""
    return {"q": -Fraction(B) - abs(q) - 1}
