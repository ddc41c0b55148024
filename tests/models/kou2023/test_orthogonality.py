"""R_min, R_max and p."""

from fractions import Fraction

import numpy as np

from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii


def test_radii_and_overlap_by_hand() -> None:
    """(3, 4), (1, 0), (0, -2): squares 25, 1, 4 and products 3, -8, 0."""
    inputs = np.array(
        [[Fraction(3), Fraction(4)], [Fraction(1), Fraction(0)], [Fraction(0), Fraction(-2)]], dtype=object
    )
    assert list(squared_norms(inputs)) == [25, 1, 4]
    assert squared_radii(inputs) == (1, 25)
    assert largest_overlap(inputs) == 8
    assert largest_overlap(inputs[:1]) == 0
