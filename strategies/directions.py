"""Unit vectors with rational coordinates."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.numbers import Array, exact_array
from strategies.numbers import array


@st.composite
def _unit_vector(draw: DrawFn, dimension: int) -> Array:
    """Inverse stereographic projection of a grid point, with the pole on a drawn axis. Shrinks to minus a basis vector."""
    flat = draw(array(dimension - 1))
    square = sum((t * t for t in flat), Fraction(0))
    pole = draw(st.integers(0, dimension - 1))
    entries = list(2 * flat / (square + 1))
    entries.insert(pole, (square - 1) / (square + 1))
    return exact_array(np.array(entries, dtype=object) * draw(st.sampled_from([-1, 1])))


def unit_vector(dimension: int) -> SearchStrategy[Array]:
    """A rational vector of Euclidean norm exactly one."""
    return _unit_vector(dimension)
