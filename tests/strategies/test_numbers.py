"""Numbers from the grid: exact, small, and reaching what theorems trip over."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from refute.strategies.numbers import DENOMINATORS, LIMIT, array, choice, labelled_rows, number, positive, slopes

quick = settings(database=None, max_examples=200)
reach = settings(database=None, max_examples=2000, phases=[Phase.generate])


def simplest(strategy, condition=lambda value: True):
    return find(strategy, condition, settings=quick, random=Random(0))


def some(strategy, condition):
    return find(strategy, condition, settings=reach, random=Random(0))


@given(number())
def test_numbers_are_small_fractions(value):
    """Numerators up to the limit over a small denominator."""
    assert type(value) is Fraction
    assert abs(value) <= LIMIT
    assert any((value * d).denominator == 1 for d in DENOMINATORS)


@given(number(2))
def test_limits_can_be_given(value):
    """A smaller grid."""
    assert abs(value) <= 2


@given(positive())
def test_positive_numbers_are_positive(value):
    """Never zero."""
    assert value > 0


def test_numbers_shrink_to_the_simplest():
    """Zero, and one where zero is excluded."""
    assert simplest(number()) == 0
    assert simplest(positive()) == 1
    assert simplest(number(), lambda v: v > 1) == 2


@pytest.mark.parametrize(
    "condition", [lambda v: v >= 1000, lambda v: v <= Fraction(1, 1000), lambda v: v.denominator == 5]
)
def test_positive_numbers_reach_far(condition):
    """Very large, very small, and with every denominator."""
    assert condition(some(positive(), condition))


@given(slopes())
def test_slopes_lie_in_the_unit_interval(value):
    """From ReLU to linear."""
    assert 0 <= value <= 1


@pytest.mark.parametrize("slope", [0, 1, Fraction(1, 2)])
def test_the_special_slopes_are_drawn(slope):
    """ReLU, linear, and one in between."""
    assert simplest(slopes(), lambda v: v == slope) == slope
    assert simplest(slopes()) == 0


@given(choice(3, "1/2", "mean"))
def test_choices_are_counts_fractions_or_words(value):
    """Each kept in its kind."""
    assert (type(value), value) in {(int, 3), (Fraction, Fraction(1, 2)), (str, "mean")}


@given(
    st.sampled_from([(), (0,), (3,), (2, 3), (1, 2, 2)]).flatmap(lambda shape: st.tuples(st.just(shape), array(*shape)))
)
def test_arrays_have_their_shape(drawn):
    """Of fractions over one denominator, read-only."""
    shape, values = drawn
    assert values.shape == shape
    assert all(type(entry) is Fraction and abs(entry) <= LIMIT for entry in values.reshape(-1))
    assert not values.flags.writeable


@pytest.mark.parametrize(
    "condition",
    [
        lambda rows: not rows.any(),
        lambda rows: (rows[0] == rows[1]).all() and rows.any(),
        lambda rows: (rows[0] == -rows[1]).all() and rows.any(),
        lambda rows: all(any(entry.denominator > 1 for entry in row) for row in rows),
        lambda rows: len(set(map(abs, rows.reshape(-1)))) == rows.size,
    ],
    ids=["all zero", "repeated rows", "mirrored rows", "fractions", "all different"],
)
def test_arrays_reach_the_degenerate_and_the_generic(condition):
    """Zeros, repeated and mirrored rows, fractions, and entries in general position."""
    assert condition(some(array(2, 2), condition))


@given(labelled_rows(3, 2))
def test_rows_come_with_a_number_each(drawn):
    """One per row."""
    rows, numbers = drawn
    assert rows.shape == (3, 2)
    assert numbers.shape == (3,)
    assert isinstance(rows, np.ndarray)
