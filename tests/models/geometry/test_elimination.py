"""Gaussian elimination in rationals and floats."""

import numpy as np
import pytest
from flint import fmpq

from refute.errors import BadInput
from refute.models.geometry.elimination import inverse, rank, solve


def rationals(rows):
    return np.array([[fmpq(entry) for entry in row] for row in rows], dtype=object)


def test_the_inverse_is_exact_on_integers():
    """The dual basis of EX+1 has integer entries."""
    points = rationals([[2, -1, 0], [2, 1, 1], [3, 0, 1]])
    assert (rationals([[1, 1, -3], [1, 2, -3], [-1, -2, 4]]) == inverse(points).T).all()


def test_singular_systems_are_recognised():
    """A singular matrix has a rank and no inverse; an inconsistent system has no solution."""
    singular = rationals([[1, 2], [2, 4]])
    assert rank(singular) == 1
    with pytest.raises(BadInput, match="no inverse"):
        inverse(singular)
    with pytest.raises(BadInput, match="no solution"):
        solve(singular, rationals([[1, 1]])[0])
    assert (singular @ solve(singular, rationals([[1, 2]])[0]) == rationals([[1, 2]])[0]).all()


def test_floats_agree_with_lapack():
    """On random floats the solution is the one of numpy."""
    rng = np.random.default_rng(0)
    matrix, target = rng.standard_normal((5, 5)), rng.standard_normal(5)
    assert np.allclose(solve(matrix, target), np.linalg.solve(matrix, target), rtol=1e-9)
