"""Numbers: what is read, what is refused, and that the three arithmetics lift to the same value."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from refute.arithmetic.numbers import (
    EXACT,
    FLOAT,
    MOST_DIGITS,
    arithmetic_of,
    balls,
    enclosure,
    exact_array,
    rational,
    written,
)
from refute.errors import BadInput

THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2, Fraction(2)),
        (np.int64(-2), Fraction(-2)),
        (0.1, Fraction(0.1)),
        (np.float64(0.5), Fraction(1, 2)),
        (THIRD, THIRD),
        (fmpq(-3, 7), Fraction(-3, 7)),
        ("-3/7", Fraction(-3, 7)),
        ("+4/6", Fraction(2, 3)),
        ("-0.25", Fraction(-1, 4)),
    ],
)
def test_numbers_of_every_type_are_read_exactly(value, expected):
    """A number becomes the fraction that it is."""
    assert rational(value) == expected
    assert type(rational(value)) is Fraction


REFUSED = [
    *(float("nan"), float("inf"), np.float64("-inf"), True, np.bool_(False), None, 1j, [1]),
    *("", "x", "1/0", "1/-2", " 1", "1_000", ".5", "1.", "1e3", "0x1", "٣", "nan", "1/2/3"),
]


@pytest.mark.parametrize("value", REFUSED, ids=repr)
def test_what_is_not_a_finite_number_is_refused(value):
    """The error names the field and the value."""
    with pytest.raises(BadInput, match=r"^weight must be a .*number, got"):
        rational(value, "weight")


@pytest.mark.parametrize(
    "text", ["1e999999999", "-1E-999999999", "9" * (MOST_DIGITS + 1), "1/" + "9" * (MOST_DIGITS + 1)]
)
def test_numerals_that_would_take_for_ever_are_refused(text):
    """Neither an exponent nor a numeral without end is ever expanded, and the message stays short."""
    with pytest.raises(BadInput) as caught:
        rational(text)
    assert len(caught.value.message) < 200


@given(st.fractions(), st.integers(0, 6000), st.integers(0, 6000))
def test_writing_and_reading_give_the_number_back(value: Fraction, up: int, down: int):
    """Also above the 4300 digits at which `str` gives up."""
    long = value * Fraction(10**up, 7**down)
    assert rational(written(long)) == long


@given(st.fractions())
def test_short_numbers_are_written_as_python_writes_them(value: Fraction):
    """A numeral reads like the fraction."""
    assert written(value) == str(value)


def test_float_arrays_stay_floats():
    """Each float is a rational already: the copy is exact, read-only, and apart from its source."""
    source = np.array([[0.1, -2.0]])
    array = exact_array(source)
    source[0, 0] = 7
    assert array.dtype == np.float64
    assert array[0, 0] == 0.1
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1


def test_other_arrays_become_fractions():
    """Integers, words and mixtures are arrays of fractions of the same shape, read-only."""
    array = exact_array([[1, "2/3"], [0.5, THIRD]])
    assert array.shape == (2, 2)
    assert {type(entry) for entry in array.reshape(-1)} == {Fraction}
    assert array[0, 1] == Fraction(2, 3)
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = Fraction(1)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (1, 1, 1)])
def test_degenerate_shapes_are_kept(shape):
    """A single number and empty arrays are arrays too."""
    assert exact_array(np.zeros(shape)).shape == shape
    assert exact_array(np.zeros(shape, dtype=object)).shape == shape


def test_an_entry_that_is_not_finite_is_named():
    """The message gives the index."""
    with pytest.raises(BadInput, match=r"inputs must be finite, got nan at index \(1, 0\)"):
        exact_array(np.array([[0.0], [np.nan]]), "inputs")
    with pytest.raises(BadInput, match=r"inputs\[1\] must be a finite number"):
        exact_array([Fraction(1), float("inf")], "inputs")


def test_ragged_rows_are_refused():
    """Rows of different lengths are no array."""
    with pytest.raises(BadInput, match="inputs is not an array"):
        exact_array([[1, 2], [3]], "inputs")


@given(st.fractions(-100, 100))
def test_the_three_arithmetics_agree(value: Fraction):
    """The rational lift is exact, the ball encloses it tightly, the float is the nearest."""
    assert rational(EXACT.scalar(value)) == value
    assert FLOAT.scalar(value) == float(value)
    with ctx.workprec(100):
        middle, radius = enclosure(balls(100).scalar(value))
    assert abs(middle - value) <= radius <= abs(value) / 2**95


def test_arrays_are_lifted_entry_by_entry():
    """Shapes are kept and entries have the number type of the arithmetic."""
    source = exact_array([[1, THIRD], [0, -2]])
    assert FLOAT.array(source).dtype == np.float64
    assert all(isinstance(entry, fmpq) for entry in EXACT.array(source).reshape(-1))
    assert all(isinstance(entry, arb) for entry in balls(64).array(source).reshape(-1))
    assert EXACT.array(source).shape == balls(64).array(source).shape == (2, 2)


def test_the_enclosure_of_a_rational_is_a_point():
    """Only balls have a radius."""
    assert enclosure(fmpq(1, 3)) == (THIRD, 0)
    assert enclosure(0.5) == (Fraction(1, 2), 0)
    assert enclosure(arb(1) / 3)[1] > 0


@pytest.mark.parametrize("value", [arb("nan"), arb("inf"), arb(0, "inf"), float("nan")], ids=str)
def test_the_enclosure_of_nothing_finite_is_an_error(value):
    """NaN never becomes a margin."""
    with pytest.raises(BadInput, match="margin"):
        enclosure(value)


def test_a_lifted_number_tells_its_arithmetic():
    """Balls are those of the working precision; whatever is neither a ball nor a rational is a float."""
    assert [arithmetic_of(arithmetic.scalar(THIRD)) for arithmetic in (FLOAT, EXACT)] == [FLOAT, EXACT]
    assert arithmetic_of(np.float64(1)) is FLOAT
    with ctx.workprec(80):
        assert arithmetic_of(balls(80).scalar(THIRD)) == balls(80)
