"""Unit vectors with rational coordinates."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from refute.strategies.directions import unit_vector

few = settings(database=None, max_examples=100)
reach = settings(database=None, max_examples=2000, phases=[Phase.generate])


@given(st.integers(1, 5).flatmap(unit_vector))
def test_unit_vectors_have_norm_one(vector):
    """Exactly, in fractions."""
    assert all(type(entry) is Fraction for entry in vector)
    assert sum(entry * entry for entry in vector) == 1


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_unit_vectors_have_the_dimension_and_every_sign(dimension):
    """Both orientations of each axis are reached."""
    for axis in range(dimension):
        for sign in (1, -1):
            found = find(unit_vector(dimension), lambda v, a=axis, s=sign: v[a] == s, settings=reach, random=Random(0))
            assert len(found) == dimension


def test_unit_vectors_point_everywhere():
    """Also off the axes, with all entries different."""
    found = find(
        unit_vector(3), lambda v: len({abs(entry) for entry in v}) == 3 and all(v), settings=reach, random=Random(0)
    )
    assert sum(entry * entry for entry in found) == 1


def test_the_simplest_unit_vector_lies_on_an_axis():
    """Shrinking ends at a basis vector, up to sign."""
    found = find(unit_vector(3), lambda v: True, settings=few, random=Random(0))
    assert sorted(map(abs, found)) == [0, 0, 1]
