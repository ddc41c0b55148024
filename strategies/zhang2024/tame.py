"""Data of any dimension whose covariance has eigenvalues of one size: training settles on one time scale."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.language.cases import values
from refute.models.dataset import Dataset
from refute.strategies.directions import unit_vector
from refute.strategies.sizes import Size

_LENGTHS = [Fraction(3, 2), Fraction(1), Fraction(2)]
_LABELS = [Fraction(value) for value in ("1", "-1", "2", "-1/2", "3")]


@st.composite
def _tame(draw: DrawFn, size: Size) -> Dataset:
    """Points along each axis, as far away as makes Tr Sigma about D, reflected in a rational hyperplane."""
    dimension = size.dimension
    lengths = [draw(st.sampled_from(_LENGTHS)) * round(dimension**0.5) for _ in range(dimension)]
    axes = np.array([[c * int(i == k) for i in range(dimension)] for k, c in enumerate(lengths)], dtype=object)
    mirror = draw(unit_vector(dimension))
    labels = [draw(st.sampled_from(_LABELS)) for _ in range(dimension)]
    return Dataset(axes - 2 * np.outer(axes @ mirror, mirror), np.array(labels, dtype=object))


@values(lambda value: isinstance(value, Dataset))
def tame_dataset(size: Size) -> SearchStrategy[Dataset]:
    """One point along each of `size.dimension` orthogonal directions; with even inputs, twice as many."""
    return _tame(size)
