"""Unit vectors with rational coordinates."""

from fractions import Fraction
from functools import lru_cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.strategies.numbers import DENOMINATORS, LIMIT

_VALUES = (0, *(s * k for k in range(1, LIMIT + 1) for s in (1, -1)))  # numerators, the simplest first


def _vector(dimension: int, index: int) -> Array:
    """Inverse stereographic projection of the grid point with this number, the pole on one of the
    axes, with either sign.
    """
    index, side = divmod(index, 2)
    index, pole = divmod(index, dimension)
    index, denominator = divmod(index, len(DENOMINATORS))
    below, above = DENOMINATORS[denominator], []
    for _ in range(dimension - 1):
        index, digit = divmod(index, len(_VALUES))
        above.append(_VALUES[digit])
    # (2 t, |t|^2 - 1) / (|t|^2 + 1) for t = above / below, in integers
    square, one = sum(n * n for n in above), below * below
    numerators = [2 * n * below for n in above]
    numerators.insert(pole, square - one)
    sign = -1 if side else 1
    return exact_array(np.array([Fraction(sign * n, square + one) for n in numerators], dtype=object))


@lru_cache(maxsize=64)
def unit_vector(dimension: int) -> SearchStrategy[Array]:
    """A rational vector of Euclidean norm exactly one; shrinks to minus a basis vector.

    One draw of one integer: drawing the coordinates one by one would take longer than most predicates.
    """
    points, axes = 2 * dimension * len(DENOMINATORS) * len(_VALUES) ** (dimension - 1), 2 * dimension
    # A quarter of the draws lie on an axis: that is where pre-activations vanish.
    return st.integers(0, points + points // 3 - 1).map(
        lambda index: _vector(dimension, index if index < points else index % axes)
    )
