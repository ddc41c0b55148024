"""Predictions of a label, of moderate and of very small size, and repairs for the pair."""

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.language.cases import stated
from refute.strategies.numbers import is_number


def prediction() -> SearchStrategy[Fraction]:
    """A rational in [-40, 40] over 10, 40, 1 or 1000; shrinks to 0."""
    return stated(st.builds(Fraction, st.integers(-40, 40), st.sampled_from([10, 40, 1, 1000])), is_number)


def take_sign(draw: DrawFn, y: Fraction) -> dict[str, Fraction]:
    """The sign of the label, +1 for zero."""
    return {"y": Fraction(1 if y >= 0 else -1)}


def take_three_times_sign(draw: DrawFn, y: Fraction) -> dict[str, Fraction]:
    """A label 3 or -3."""
    return {"y": Fraction(3 if y >= 0 else -3)}


def clip_prediction(draw: DrawFn, prediction: Fraction) -> dict[str, Fraction]:
    """The nearest number in [-1, 1]."""
    return {"prediction": max(Fraction(-1), min(Fraction(1), prediction))}


def move_prediction_beyond_one(draw: DrawFn, prediction: Fraction) -> dict[str, Fraction]:
    """A prediction with absolute value above 1, of either sign."""
    size = abs(prediction) + draw(st.sampled_from([Fraction(3, 2), Fraction(5)]))
    return {"prediction": size * draw(st.sampled_from([1, -1]))}


def clip_to_unit(draw: DrawFn, x: Fraction) -> dict[str, Fraction]:
    """The nearest number in [0, 1]."""
    return {"x": max(Fraction(0), min(Fraction(1), x))}


def leave_unit(draw: DrawFn, x: Fraction) -> dict[str, Fraction]:
    """A number below 0 or above 3/2."""
    return {"x": draw(st.sampled_from([-1, 1])) * (abs(x) + Fraction(3, 2))}


def right_side(draw: DrawFn, y: Fraction, f: Fraction) -> dict[str, Fraction]:
    """An output with the sign of its label."""
    return {"f": y * (abs(f) or Fraction(1))}


def wrong_side(draw: DrawFn, y: Fraction, f: Fraction) -> dict[str, Fraction]:
    """An output of the other sign, or zero."""
    return {"f": -y * abs(f)}
