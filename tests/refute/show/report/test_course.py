"""The quantity against its bound: from what is stored, from the line alone, and from files that may hold anything."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refute import Case, Counterexample, at_most
from refute.decide.compared import compared
from refute.language.derived import kept
from refute.show.report.course import Sides, drawn, sides

STORED = {"left": [1.0, 2.0, 5.0], "right": [3, 3, 3], "x": [0.0, 0.5, 1.0], "at": 2, "over": "time", "line": "loss"}


def found(margin: Any) -> Counterexample:
    return Counterexample("a.b", Case.of(x=1), (), margin, "exact", "rationals")


def test_both_sides_are_kept_through_the_worst_entry():
    """Along the longest axis, as floats, whatever the arithmetic."""
    left = np.array([[Fraction(1), Fraction(2)], [Fraction(3), Fraction(9, 2)], [Fraction(0), Fraction(1)]])
    made = compared(found(at_most(left, 4, "size")))
    assert made == {
        "left": [2.0, 4.5, 1.0],
        "right": [4.0, 4.0, 4.0],
        "x": [0, 1, 2],
        "at": 1,
        "over": "entry",
        "line": "size",
    }


def test_the_clock_of_a_training_is_the_axis(monkeypatch: pytest.MonkeyPatch):
    """Where the comparison is as long as the course that it was derived from."""
    one = found(at_most(np.array([0.0, 1.0, 4.0]), np.array([2.0, 2.0, 2.0]), "loss"))
    key = ("derived", one.case.digest())
    monkeypatch.setitem(kept.values, key, SimpleNamespace(time=np.array([0.0, 0.1, 0.3])))
    made = compared(one)
    assert made is not None
    assert (made["over"], made["x"], made["at"]) == ("time", [0.0, 0.1, 0.3], 2)


def test_long_comparisons_are_thinned_and_keep_the_worst():
    """A picture has so many points."""
    left = np.zeros(5000)
    left[1234] = 7.0
    made = compared(found(at_most(left, 1.0)))
    assert made is not None
    assert len(made["x"]) <= 401
    assert made["x"][made["at"]] == 1234


def test_what_came_from_another_process_has_no_sides():
    """Balls and arrays stay where they were."""
    assert compared(found(at_most(2, 1))) is not None
    assert compared(found(at_most(2, 1).__reduce__()[0](*at_most(2, 1).__reduce__()[1]))) is None


def test_curves_mark_the_violating_point():
    """The caption says where, and what both sides are there."""
    one = sides(STORED, None)
    assert one is not None
    figure = drawn(one)
    assert "Marked: t = 1, where the left side is 5 and the right side 3." in figure.caption
    assert 'class="worst"' in figure.drawing
    assert figure.drawing.count('class="side ') == 2


@pytest.mark.parametrize(
    "line", ["loss: left 9, right 1", "left 9, right 1   (slack -8)", "a: b: left 9, right 1 at (3,)"]
)
def test_two_numbers_of_a_line_are_drawn(line: str):
    """Where nothing else is stored."""
    one = sides(None, line)
    assert one is not None
    assert (one.left, one.right) == ([9.0], [1.0])
    assert "the left side is 9, the right side 1" in drawn(one).caption


@given(st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=6), st.lists(st.floats(1e-30, 1e30), min_size=6))
def test_any_numbers_can_be_drawn(left: list[float], right: list[float]):
    """No range is too large, or empty."""
    shown = drawn(Sides(left, right[: len(left)], list(range(len(left))), 0, "entry", "x"))
    assert "nan" not in shown.drawing
    assert "inf" not in shown.drawing


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"left": []},
        STORED | {"at": 9},
        STORED | {"at": "2"},
        STORED | {"left": [1, "x", 2]},
        STORED | {"x": [1]},
        [],
        "<b>",
    ],
)
def test_odd_files_draw_nothing(odd: Any):
    """They may hold anything."""
    assert sides(odd, "nothing to see") is None
