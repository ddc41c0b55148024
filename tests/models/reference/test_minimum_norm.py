"""Minimum-norm interpolators on the calibration instances, with dual bounds."""

import numpy as np
import pytest

from refute.models.dataset import Dataset
from refute.models.reference.minimum_norm import activation_patterns, dual_norm, minimum_norm_interpolator

pytest.importorskip("cvxpy")

CASES = {
    "EX+1": ([[2, -1, 0], [2, 1, 1], [3, 0, 1]], [1, 0, 0], 26 * np.sqrt(35) / 77),
    "EX+2": ([[1, 1, -1], [1, 2, 0], [1, 2, 1]], np.array([2, 1, 0]) / np.sqrt(5), 1.950491),
    "EX+3": ([[2, 1, 1], [3, 1, -1], [3, 1, 0]], [1, 0, 0], 1.99976),
    "EX-1": ([[1, 0], [2, 1]], [1, 0], 2.0),
}


@pytest.mark.parametrize("name", CASES)
def test_the_optimum_is_the_known_one(name):
    """|theta|^2 of the optimum; the network interpolates and the dual bound meets it."""
    points, teacher, value = CASES[name]
    inputs = np.array(points, dtype=float)
    found = minimum_norm_interpolator(Dataset(inputs, inputs @ np.asarray(teacher, dtype=float)))
    assert found.squared_norm == pytest.approx(value, abs=5e-6)
    assert np.allclose(found(inputs), inputs @ teacher, atol=1e-5)
    assert found.lower <= found.value + 1e-6
    assert found.value - found.lower < 1e-5


def test_the_helping_neuron_may_be_negative():
    """In EX+3 one outer weight is negative."""
    points = np.array(CASES["EX+3"][0], dtype=float)
    assert (minimum_norm_interpolator(Dataset(points, points[:, 0])).signs == -1).any()


def test_patterns_are_those_of_a_sample_of_directions():
    """For more points than dimensions the linear programmes find the patterns that random directions show."""
    points = np.random.default_rng(0).standard_normal((4, 2))
    seen = {
        tuple(row) for row in (np.random.default_rng(1).standard_normal((4000, 2)) @ points.T > 0).tolist() if any(row)
    }
    assert {tuple(mask.tolist()) for mask in activation_patterns(points)} == seen


def test_the_dual_norm_is_the_supremum():
    """No direction among many exceeds the dual norm, and some come close."""
    rng = np.random.default_rng(2)
    points, dual = rng.standard_normal((3, 2)), rng.standard_normal(3)
    directions = rng.standard_normal((20000, 2))
    values = np.abs(np.maximum(directions @ points.T, 0) @ dual) / np.linalg.norm(directions, axis=1)
    assert values.max() <= dual_norm(dual, points) + 1e-12
    assert values.max() == pytest.approx(dual_norm(dual, points), rel=1e-4)
