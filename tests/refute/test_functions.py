"""Elementary functions mean the same in floats, rationals and balls."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from refute import functions
from refute.arithmetic.numbers import EXACT, FLOAT, balls, enclosure, exact_array, rational
from refute.errors import Inexact, SignUnknown
from refute.functions import (
    absolute,
    largest,
    leaky_relu,
    leaky_relu_slope,
    maximum,
    mean,
    minimum,
    norm,
    sign,
    smallest,
    sqrt,
    squared_norm,
    to_power,
)

BITS = 200
BALLS = balls(BITS)
ARITHMETICS = [FLOAT, EXACT, BALLS]
# Where each function is defined, and the only point where its value is rational.
DOMAINS = {
    "exp": (-20, 20, 0),
    "expm1": (-20, 20, 0),
    "tanh": (-20, 20, 0),
    "log": (Fraction(1, 30), 50, 1),
    "log1p": (Fraction(-9, 10), 50, 0),
}
PAIRS = st.tuples(*[st.fractions(-9, 9, max_denominator=20)] * 2)
LISTS = st.lists(st.fractions(-9, 9, max_denominator=20), min_size=1, max_size=6)


def truth(name: str, value: Fraction) -> Fraction:
    """By an independent library, to a hundred digits."""
    with mpmath.workdps(120):
        number = getattr(mpmath, name)(mpmath.mpf(value.numerator) / value.denominator)
        return Fraction(int(mpmath.nint(number * mpmath.mpf(10) ** 100)), 10**100)


def arguments(name: str) -> st.SearchStrategy[Fraction]:
    low, high, _ = DOMAINS[name]
    return st.fractions(low, high, max_denominator=30)


@pytest.mark.parametrize("name", DOMAINS)
@given(data=st.data())
def test_balls_enclose_the_truth(name, data):
    """The ball holds the value that another library computes, and it is thin; the float agrees to round-off."""
    value = data.draw(arguments(name))
    function = getattr(functions, name)
    with ctx.workprec(BITS):
        middle, radius = enclosure(function(BALLS.scalar(value)))
    expected = truth(name, value)
    assert abs(middle - expected) <= radius + Fraction(1, 10**100)
    assert radius < Fraction(1, 10**40)
    assert float(function(float(value))) == pytest.approx(float(expected), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("name", DOMAINS)
@given(data=st.data())
def test_irrational_values_are_refused_in_exact_arithmetic(name, data):
    """Only the one rational value is returned; `Inexact` sends the engine to balls."""
    value = data.draw(arguments(name))
    function, rational_at = getattr(functions, name), DOMAINS[name][2]
    assert rational(function(EXACT.scalar(Fraction(rational_at)))) == truth(name, Fraction(rational_at))
    if value != rational_at:
        with pytest.raises(Inexact, match=name):
            function(EXACT.scalar(value))


@given(st.fractions(0, 100, max_denominator=50))
def test_square_roots_of_squares_are_exact(value: Fraction):
    """sqrt(x^2) = x in rationals; balls and floats enclose and approximate it."""
    square = value * value
    assert rational(sqrt(EXACT.scalar(square))) == value
    with ctx.workprec(BITS):
        middle, radius = enclosure(sqrt(BALLS.scalar(square)))
    assert abs(middle - value) <= radius
    assert sqrt(float(square)) == pytest.approx(float(value), rel=1e-12)


def test_other_square_roots_are_not():
    """An irrational root raises `Inexact`, the root of a negative number an ordinary error."""
    with pytest.raises(Inexact):
        sqrt(fmpq(2))
    with pytest.raises(ValueError, match="negative"):
        sqrt(fmpq(-1))


def test_functions_act_entry_by_entry():
    """Shape is kept in every arithmetic."""
    for arithmetic in ARITHMETICS:
        values = arithmetic.array(exact_array([[0, 0, 0], [0, 0, 0]]))
        assert functions.exp(values).shape == (2, 3)
        assert sqrt(values).shape == (2, 3)


@given(PAIRS)
def test_larger_and_smaller_agree_with_fractions(pair):
    """maximum, minimum, absolute and leaky_relu in all three arithmetics, against plain fractions."""
    a, b = pair
    with ctx.workprec(BITS):
        for arithmetic in ARITHMETICS:
            x, y, half = (arithmetic.scalar(v) for v in (a, b, Fraction(1, 2)))
            for got, expected in [
                (maximum(x, y), max(a, b)),
                (minimum(x, y), min(a, b)),
                (absolute(x), abs(a)),
                (leaky_relu(x, half), max(a, a / 2)),
                (leaky_relu(x, 0), max(a, Fraction(0))),
            ]:
                middle, radius = enclosure(got)
                slack = Fraction(1, 10**12) if arithmetic is FLOAT else 0
                assert abs(middle - expected) <= radius + slack


@given(LISTS)
def test_reductions_agree_with_fractions(values):
    """largest, smallest, squared_norm and mean in all three arithmetics, against plain fractions."""
    expected = [max(values), min(values), sum(v * v for v in values), sum(values) / len(values)]
    with ctx.workprec(BITS):
        for arithmetic in ARITHMETICS:
            array = arithmetic.array(exact_array(values))
            for got, want in zip(
                [largest(array), smallest(array), squared_norm(array), mean(array)], expected, strict=True
            ):
                middle, radius = enclosure(got)
                assert abs(middle - want) <= radius + (Fraction(1, 10**10) if arithmetic is FLOAT else 0)


def test_reductions_along_an_axis():
    """One extreme per line, in every arithmetic; floats keep numpy's type."""
    rows = [[1, 5, -2], [4, 0, 3]]
    for arithmetic in ARITHMETICS:
        array = arithmetic.array(exact_array(rows))
        for axis in (0, 1, -1):
            assert (largest(array, axis=axis) == np.max(rows, axis=axis)).all()
            assert (smallest(array, axis=axis) == np.min(rows, axis=axis)).all()
    assert largest(np.array(rows, dtype=float), axis=0).dtype == np.float64


def test_powers_of_rationals_and_balls():
    """Whole powers are exact, others of 0 and 1 too, and those of 4 are enclosed."""
    assert to_power(fmpq(2, 3), 2) == fmpq(4, 9)
    assert to_power(fmpq(0), fmpq(9, 10)) == 0
    assert to_power(fmpq(1), fmpq(9, 10)) == 1
    with pytest.raises(Inexact):
        to_power(fmpq(4), fmpq(3, 2))
    assert to_power(np.array([arb(4), arb(0)]), arb(3) / 2)[0].overlaps(arb(8))
    assert to_power(4.0, 1.5) == 8.0


def test_norms():
    """The norm is exact on Pythagorean vectors, zero on empty ones, and Frobenius on matrices."""
    for arithmetic in ARITHMETICS:
        assert norm(arithmetic.array(exact_array([3, 4]))) == 5
        assert norm(arithmetic.array(exact_array([[1, 1], [1, 1]]))) == 2
    assert norm(np.array([], dtype=object)) == 0
    with pytest.raises(Inexact):
        norm(EXACT.array(exact_array([1, 1])))


def test_the_mean_of_everything():
    """Along the samples by default, over all entries when asked."""
    values = EXACT.array(exact_array([[1, 2], [3, 4]]))
    assert list(mean(values)) == [2, 3]
    assert mean(values, axis=None) == fmpq(5, 2)


def test_overlapping_balls_have_an_enclosing_maximum():
    """No comparison is made: the result covers both candidates."""
    with ctx.workprec(BITS):
        a, b = arb(1, 0.5), arb(fmpq(5, 4), 0.5)
        assert maximum(a, b).contains(arb(fmpq(3, 2)))
        assert maximum(a, b).contains(arb(fmpq(3, 4)))
        assert minimum(a, b).contains(arb(fmpq(1, 2)))


def test_signs():
    """-1, 0 and 1 in every arithmetic, for numbers and arrays."""
    for arithmetic in ARITHMETICS:
        assert [sign(arithmetic.scalar(Fraction(v))) for v in (-2, 0, 3)] == [-1, 0, 1]
        assert sign(arithmetic.array(exact_array([-2, 0, 3]))).tolist() == [-1, 0, 1]


def test_the_sign_of_a_ball_around_zero_is_unknown():
    """It raises instead of guessing; an exact zero has a sign."""
    with pytest.raises(SignUnknown):
        sign(arb(0, 1e-30))
    with pytest.raises(SignUnknown):
        sign(np.array([arb(1), arb(0, 1)], dtype=object))
    assert sign(arb(0)) == 0


@pytest.mark.parametrize("at_zero", [Fraction(0), Fraction(1, 4), Fraction(5, 8), Fraction(1)])
def test_the_slope_of_leaky_relu(at_zero: Fraction):
    """The slope left of zero, one on the right, and the given value at zero, for arrays and single numbers."""
    slope = Fraction(1, 4)
    for arithmetic in ARITHMETICS:
        z, left, middle = (
            arithmetic.array(exact_array([-2, 0, 3])),
            arithmetic.scalar(slope),
            arithmetic.scalar(at_zero),
        )
        assert list(leaky_relu_slope(z, left, middle)) == [left, middle, arithmetic.scalar(Fraction(1))]
        assert leaky_relu_slope(arithmetic.scalar(Fraction(0)), left, middle) == middle
    assert leaky_relu_slope(np.array([[-1.0, 0.0]]), 0.5, 0.75).dtype == np.float64
