"""The hard-margin classifier against a cone solver and in exact rationals."""

import numpy as np
import pytest

from refute.arithmetic.numbers import EXACT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.reference.max_margin import exact_max_margin, max_margin


def test_it_solves_the_quadratic_programme():
    """The classifier agrees with clarabel, and multipliers rebuild it."""
    cvxpy = pytest.importorskip("cvxpy")
    rng = np.random.default_rng(3)
    inputs = rng.standard_normal((12, 3))
    labels = np.sign(inputs @ np.array([1.0, 2.0, -1.0]))
    w = cvxpy.Variable(3)
    cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(w)), [cvxpy.multiply(labels, inputs @ w) >= 1]).solve(
        solver=cvxpy.CLARABEL
    )
    found = max_margin(Dataset(inputs, labels))
    assert np.allclose(found.weights, w.value, rtol=1e-5)
    assert np.allclose((found.multipliers * labels) @ inputs, found.weights, rtol=1e-8)


def test_the_certificate_is_exact():
    """Optimality holds in rationals: w = sum a_i y_i x_i, a >= 0, every margin at least 1 and 1 on the support."""
    data = Dataset([[2, 1], [1, 3], [-1, -1], [3, 0]], [1, 1, -1, 1])
    found = exact_max_margin(data)
    exact = lift(data, EXACT)
    margins = exact.labels * (exact.inputs @ found.weights)
    assert min(margins) == 1
    assert all(a >= 0 and (a == 0 or m == 1) for a, m in zip(found.multipliers, margins, strict=True))
    assert np.allclose([float(w.p) / float(w.q) for w in found.weights], max_margin(data).weights)


def test_inseparable_data_are_an_error():
    """Two opposite labels on one point cannot be separated."""
    with pytest.raises(BadInput, match="separable"):
        max_margin(Dataset([[1, 0], [1, 0]], [1, -1]))
