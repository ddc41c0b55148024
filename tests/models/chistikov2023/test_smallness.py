"""delta, Delta and the admissible scale of chistikov2023 on an instance that is done by hand."""

import numpy as np
import pytest

from refute.models.chistikov2023.smallness import (
    delta,
    delta_components,
    largest_length,
    largest_log_scale,
    log_scale_bound,
    yardsticks,
)
from refute.models.dataset import Dataset

DATA = Dataset([[1.0, 0.0], [0.6, 0.8]], [1.0, 0.6])
TEACHER = np.array([1.0, 0.0])
SHAPE, SIGNS = np.array([[0.6, -0.2], [-2.0, -2.0]]), np.array([1, 1])


def test_components_by_hand():
    """The covariance has eigenvalues 4/5 and 1/5 along (2, 1) and (1, -2); the first neuron sees both points, the
    second none.
    """
    found = delta_components(DATA, TEACHER, SHAPE, SIGNS)
    expected = {
        "least |x_i|": 1.0,
        "least cosine of two points": 0.6,
        "eigenvalue gap": np.sqrt(0.8) - np.sqrt(0.2),
        "least eigenvalue": np.sqrt(0.2),
        "share of an eigenvector": np.sqrt(0.4),
        "least |z_j|": np.sqrt(0.4),
        "sine to gamma, negative": np.inf,
        "closest approach": np.inf,
        "cosine to the first exit": np.inf,
        "shortest stage": np.inf,
    }
    for name, value in expected.items():
        assert found[name] == pytest.approx(value), name
    pull = 0.5 * (DATA.inputs[0] + 0.6 * DATA.inputs[1]).astype(float)
    assert found["cosine to gamma, positive"] == pytest.approx(SHAPE[0] @ pull / np.linalg.norm(pull) / np.sqrt(0.4))
    assert len(found) == 11
    assert delta(DATA, TEACHER, SHAPE, SIGNS) == pytest.approx(np.sqrt(0.2))
    assert [j for j, _ in yardsticks(SHAPE, SIGNS, DATA)] == [0]


def test_the_scale_by_hand():
    """Delta is |z_2| = sqrt(8); with delta = 1/2 the bound is -(3/eps) (ln 2 + 9 2 8 8 ln 2)."""
    assert largest_length(DATA, SHAPE) == pytest.approx(np.sqrt(8))
    assert largest_length(DATA, 0.1 * SHAPE) == 1
    assert log_scale_bound(2, 2, 0.5, np.sqrt(8), 0.1) == pytest.approx(-30 * (1 + 9 * 2 * 8 * 8) * np.log(2))
    small = np.sqrt(0.2)
    assert largest_log_scale(DATA, TEACHER, SHAPE, SIGNS, 0.1) == pytest.approx(
        log_scale_bound(2, 2, small, np.sqrt(8), 0.1)
    )


def test_no_scale_is_small_enough_for_points_met_together():
    """Two points on one ray are crossed at once: delta is zero."""
    data = Dataset([[1.0, 0.0], [0.6, 0.8], [1.2, 1.6]], [1.0, 0.6, 1.2])
    shape, signs = np.array([[1.0, -1.0]]), np.array([1])
    assert delta_components(data, TEACHER, shape, signs)["closest approach"] == 0
    assert largest_log_scale(data, TEACHER, shape, signs, 0.1) == -np.inf
