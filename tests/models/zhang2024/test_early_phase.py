"""The early-phase solution against the matrix exponential."""

import numpy as np
import pytest
from flint import fmpq
from scipy.linalg import expm

from refute.errors import BadInput
from refute.models.zhang2024.early_phase import early_phase, early_phase_terms


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("tau", [0.1, 1.0, 10.0])
def test_it_is_the_matrix_exponential(slope, tau):
    """W(t) = exp((alpha+1)/(2 tau) t M) W(0) with M = [[0, beta], [beta^T, 0]]."""
    rng = np.random.default_rng(1)
    inner, outer, beta = rng.standard_normal((4, 3)), rng.standard_normal(4), rng.standard_normal(3)
    matrix = np.zeros((4, 4))
    matrix[:3, 3] = matrix[3, :3] = beta
    stacked = expm((slope + 1) / (2 * tau) * 0.7 * matrix) @ np.concatenate([inner.T, outer[None]])
    now = early_phase(inner, outer, beta, slope, tau, 0.7)
    assert np.allclose(np.concatenate([now[0].T, now[1][None]]), stacked, rtol=1e-11)


def test_it_starts_at_the_initial_weights_exactly():
    """At t = 0 the three terms add up to W(0) in rationals (|beta| = 5)."""
    inner = np.array([[fmpq(1), fmpq(2)], [fmpq(-1, 3), fmpq(0)]], dtype=object)
    outer = np.array([fmpq(1, 2), fmpq(-2)], dtype=object)
    now = early_phase(inner, outer, np.array([fmpq(3), fmpq(4)], dtype=object), fmpq(0), fmpq(1), fmpq(0))
    assert (now[0] == inner).all()
    assert (now[1] == outer).all()


def test_without_correlation_nothing_moves():
    """beta = 0 leaves the weights where they are; the terms of Eq. (23) are then undefined."""
    inner, outer = np.ones((2, 2)), np.ones(2)
    assert (early_phase(inner, outer, np.zeros(2), 0.0, 1.0, 5.0)[0] == inner).all()
    with pytest.raises(BadInput, match="uncorrelated"):
        early_phase_terms(inner, outer, np.zeros(2), 0.0, 1.0, 5.0)
