"""Interpolators of rank one: hand values and a scan over the ratio of the two sides."""

import numpy as np
import pytest

from refute.models.chistikov2023.rank_one import least_rank_one_cost, two_sided_length


def test_orthonormal_points_by_hand():
    """On e_1, e_2 with labels 1: both sides cost (1 + t) sqrt(1 + 1/t^2), least at t = 1; one side costs sqrt(2), which
    is less.
    """
    assert two_sided_length(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == pytest.approx(2 * np.sqrt(2))
    assert least_rank_one_cost(np.eye(2), np.ones(2)) == pytest.approx(2 * np.sqrt(2))


def test_nearly_opposite_points_are_cheaper_on_two_sides():
    """On (1, 1/10), (-1, 1/10) with labels 1/10: v = (0, 1) costs 2; the neurons +-(1/10, 0) cost 2 (1 + 1) / 10."""
    points = np.array([[1.0, 0.1], [-1.0, 0.1]])
    assert least_rank_one_cost(points, np.array([0.1, 0.1])) <= 0.4 + 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_the_least_length_is_that_of_a_scan(seed):
    """No ratio on a fine logarithmic grid is cheaper, and one is nearly as cheap."""
    p, q = np.random.default_rng(seed).standard_normal((2, 3))
    ratios = np.exp(np.linspace(-8, 8, 20_001))
    scan = ((1 + ratios) * np.linalg.norm(p - q / ratios[:, None], axis=1)).min()
    least = two_sided_length(p, q)
    assert least <= scan * (1 + 1e-12)
    assert least == pytest.approx(scan, rel=1e-5)
