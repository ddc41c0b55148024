"""Dyadic vectors, signs and lengths: a ball holds each entry exactly, and the sign of an inner product is known also on
a hyperplane.
"""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array
from refute.language.cases import stated
from refute.strategies.numbers import is_array, within

LENGTHS = st.sampled_from([Fraction(1), Fraction(1, 128), Fraction(128), Fraction(3)])
TINY = [Fraction(1, 2**k) for k in (3, 10, 27)]


@lru_cache(maxsize=256)
def dyadic(*shape: int, limit: int = 4) -> SearchStrategy[Array]:
    """Small integers over 1, 2 or 4; zeros and repeated entries are frequent."""
    count = int(np.prod(shape))
    integers = st.lists(st.integers(-limit, limit), min_size=count, max_size=count)
    drawn = st.builds(lambda n, d: rows_of(n, shape) * Fraction(1, d), integers, st.sampled_from([1, 2, 4]))
    return stated(drawn, lambda value: is_array(value, len(shape)) and value.shape == shape and within(value, limit))


def rows_of(entries: list[int], shape: tuple[int, ...]) -> Array:
    """Integers as rationals in an array of this shape."""
    return np.array([Fraction(entry) for entry in entries], dtype=object).reshape(shape)


def axis(dimension: int, k: int = 0) -> Array:
    """The k-th unit vector."""
    return np.array([Fraction(int(i == k)) for i in range(dimension)], dtype=object)


def nonzero(row: Array) -> Array:
    """The row, or the first axis in place of zero."""
    return row if any(row) else axis(len(row))


@lru_cache(maxsize=256)
def signs(count: int) -> SearchStrategy[Array]:
    """+1 and -1; shrinks to all +1."""
    return st.integers(0, 2**count - 1).map(
        lambda bits: rows_of([1 - 2 * (bits >> k & 1) for k in range(count)], (count,))
    )


@lru_cache(maxsize=256)
def lengths(count: int) -> SearchStrategy[Array]:
    """All one, or anything from 1/128 to 128."""
    mixed = st.lists(LENGTHS, min_size=count, max_size=count).map(lambda values: np.array(values, dtype=object))
    return st.just(rows_of([1] * count, (count,))) | mixed


def signs_of(values: Array) -> Array:
    """The signs of the values, +1 at zero: the labels or outer signs next to them."""
    return rows_of([1 if value >= 0 else -1 for value in values], (len(values),))


def orthogonal_to(draw: DrawFn, x: Array) -> Array:
    """A dyadic vector of size one orthogonal to x: |x|^2 g - <x, g> x for a drawn or axis vector g; zero in one
    dimension.
    """
    dimension = len(x)
    for g in [draw(dyadic(dimension, limit=2)), *(axis(dimension, k) for k in range(dimension))]:
        flat: Array = (x @ x) * g - (x @ g) * x
        if any(flat):
            return np.asarray(flat / power_of_two(max(abs(entry) for entry in flat)))
    zero: Array = x * 0
    return zero


def power_of_two(size: Fraction) -> Fraction:
    """The power of two next to a positive number, from below."""
    power = Fraction(1)
    while power * 2 <= size:
        power *= 2
    while power > size:
        power /= 2
    return power
