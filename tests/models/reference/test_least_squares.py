"""Ordinary least squares, exact and of minimum norm."""

import numpy as np
import pytest

from refute.arithmetic.numbers import EXACT, FLOAT
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.reference.least_squares import least_squares, normal_equations


@pytest.mark.parametrize(("samples", "dimension"), [(5, 2), (2, 4), (3, 3)])
def test_rationals_and_floats_agree(samples, dimension):
    """The exact solution solves the normal equations exactly and is LAPACK's solution of least norm."""
    rng = np.random.default_rng(samples)
    inputs = rng.integers(-3, 4, (samples, dimension))
    inputs[-1] = 2 * inputs[0]  # singular
    data = Dataset(inputs.tolist(), rng.integers(-3, 4, samples).tolist())
    exact = lift(data, EXACT)
    solution = least_squares(exact)
    assert not any(normal_equations(solution, exact))
    assert np.allclose([float(v.p) / float(v.q) for v in solution], least_squares(lift(data, FLOAT)), atol=1e-10)
