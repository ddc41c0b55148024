"""Separability through the origin, in exact arithmetic."""

from refute.arithmetic.numbers import EXACT
from refute.language.case import lift
from refute.models import Dataset
from refute.models.zhang2024.separation import off_origin, separator


def test_a_separator_separates():
    """It has functional margin one; the input at the origin is left out."""
    data = Dataset([[1, 2], [0, 0], [-1, 0]], [1, 0, -1])
    found = separator(data)
    assert found is not None
    kept = off_origin(data)
    assert len(kept.labels) == 2
    exact = lift(kept, EXACT)
    assert all(value >= 1 for value in exact.labels * (exact.inputs @ found))


def test_opposite_labels_on_one_ray():
    """No hyperplane through the origin separates a point from its double."""
    assert separator(Dataset([[1], [2]], [1, -1])) is None
