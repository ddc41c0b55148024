"""Rational numbers from a small grid: exact, readable, and they shrink to small integers."""

from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import stated

LIMIT = 4
DENOMINATORS = (1, 2, 3, 5)
LARGEST_DRAWN = 24  # entries; drawing more of them one by one takes longer than most predicates


@lru_cache
def number(limit: int = LIMIT) -> SearchStrategy[Fraction]:
    """A rational in [-limit, limit] with a small denominator; shrinks to 0. A limit of one's own is
    part of the domain.
    """
    drawn = st.builds(lambda n, d: Fraction(n, d), st.integers(-limit, limit), st.sampled_from(DENOMINATORS))
    return stated(drawn, lambda value: is_number(value) and _within(abs(value), limit))


@lru_cache
def positive(limit: int = LIMIT) -> SearchStrategy[Fraction]:
    """A positive rational up to `limit`, now and then very small or very large; shrinks to 1."""
    scales = st.sampled_from([Fraction(1)] * 4 + [Fraction(1, 1000), Fraction(1000)])
    drawn = st.builds(
        lambda n, d, scale: Fraction(n, d) * scale, st.integers(1, limit), st.sampled_from(DENOMINATORS), scales
    )
    return stated(drawn, is_positive)


def is_number(value: Any) -> bool:
    return isinstance(value, (Fraction, float)) or (isinstance(value, int) and not isinstance(value, bool))


def is_positive(value: Any) -> bool:
    return is_number(value) and bool(value > 0)


def _within(size: Any, limit: int) -> bool:
    """Whether a size is in the domain: every size where the limit is the default one."""
    return limit == LIMIT or bool(size <= limit)


def within(value: Array, limit: int) -> bool:
    """Whether the entries are in the domain of arrays with this limit."""
    return all(_within(abs(entry), limit) for entry in value.reshape(-1))


def choice(*values: int | str) -> SearchStrategy[Any]:
    """One of the given counts (3), fractions ("1/2") or words ("mean"); shrinks to the first."""
    known = [value if isinstance(value, int) else _fraction_or_word(value) for value in values]
    return stated(st.sampled_from(known), lambda value: value in known)


def _fraction_or_word(value: str) -> Fraction | str:
    try:
        return Fraction(value)
    except ValueError:
        return value


@lru_cache
def slopes() -> SearchStrategy[Fraction]:
    """Leaky slopes in [0, 1]: ReLU, linear, and slopes in between, some of which make (1 + slope)/2 a square."""
    drawn = st.sampled_from([Fraction(s) for s in ("0", "1", "1/2", "1/3", "1/8", "7/25", "9/10", "1/100")])
    return stated(drawn, is_slope)


def is_slope(value: Any) -> bool:
    return is_number(value) and bool(0 <= value <= 1)


def is_count(value: Any, least: int = 1) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


@lru_cache
def count(least: int, drawn: int, *often: int) -> SearchStrategy[int]:
    """A whole number, drawn from `least` to `drawn` and `often` up to the given ones; the domain has no upper end."""
    ranges = [st.integers(least, most) for most in (*often, drawn)]
    return stated(st.one_of(ranges), lambda value: is_count(value, least))


@lru_cache(maxsize=256)
def _integers(shape: tuple[int, ...], limit: int) -> SearchStrategy[Any]:
    """Nested lists of integers; each row is a unit of its own, so that shrinking can drop it. Large arrays come from a
    seed.
    """
    if not shape:
        return st.integers(-limit, limit)
    if prod(shape) > LARGEST_DRAWN:
        return _seeded(shape, limit)
    return st.lists(_integers(shape[1:], limit), min_size=shape[0], max_size=shape[0])


def _seeded(shape: tuple[int, ...], limit: int) -> SearchStrategy[Any]:
    """Integers of a seeded generator with a few entries chosen one by one: the cost does not grow with the size."""
    chosen = st.lists(st.tuples(st.integers(0, prod(shape) - 1), st.integers(-limit, limit)), max_size=3)

    def build(seed: int, exceptions: list[tuple[int, int]]) -> NDArray[np.int64]:
        values = np.random.default_rng(seed).integers(-limit, limit, size=prod(shape), endpoint=True)
        for index, value in exceptions:
            values[index] = value
        return values.reshape(shape)

    return st.builds(build, st.integers(0, 2**32 - 1), chosen)


@lru_cache(maxsize=256)
def labelled_rows(count: int, length: int, limit: int = LIMIT) -> SearchStrategy[tuple[Array, Array]]:
    """`count` rows and one number for each of them: neurons with their outer weight, samples with their label.

    A row and its number are drawn together, so that shrinking can drop both at once.
    """

    def build(integers: Any, rows_by: int, numbers_by: int) -> tuple[Array, Array]:
        entries = np.array(integers, dtype=object).reshape(count, length + 1)
        return exact_array(entries[:, :length] * Fraction(1, rows_by)), exact_array(
            entries[:, length] * Fraction(1, numbers_by)
        )

    return st.builds(
        build, _integers((count, length + 1), limit), st.sampled_from(DENOMINATORS), st.sampled_from(DENOMINATORS)
    )


@lru_cache(maxsize=256)
def array(*shape: int, limit: int = LIMIT) -> SearchStrategy[Array]:
    """An array of small integers over one common denominator; zeros and repeated entries are frequent."""

    def build(integers: Any, denominator: int) -> Array:
        entries = np.empty(shape, dtype=object)
        entries[...] = np.array(integers, dtype=object).reshape(shape) * Fraction(1, denominator)
        return exact_array(entries)

    drawn = st.builds(build, _integers(shape, limit), st.sampled_from(DENOMINATORS))
    return stated(drawn, lambda value: is_array(value, len(shape)) and value.shape == shape and within(value, limit))


def is_array(value: Any, axes: int) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == axes
