"""The measure M: exact sign and value on the calibration instances."""

import numpy as np
import pytest
from flint import fmpq

from refute.errors import BadInput
from refute.models.chistikov2023.measure_m import dual_basis, measure_m, sign_of_m, squared_v, value_at

ROOT = np.sqrt
INSTANCES = {
    "EX-1": ([[1, 0], [2, 1]], [1, 0], -1, None, -4 / ROOT(5)),
    "EX-2": ([[1, 0, 0], [2, -1, -1], [2, 0, 1]], [1, 0, 0], -1, None, 1 / ROOT(2) - 1),
    "EX-3": ([[1, 0, 0], [2, -1, -1], [2, -1, 0]], [1, 0, 0], -1, None, -2 / ROOT(5)),
    "EX+1": ([[2, -1, 0], [2, 1, 1], [3, 0, 1]], [1, 0, 0], 1, fmpq(7, 5), 12 / ROOT(154) - ROOT(10 / 11)),
    "EX+2": ([[1, 1, -1], [1, 2, 0], [1, 2, 1]], [2, 1, 0], 1, fmpq(54, 25), 5 / ROOT(30) - 4 / 5),
    "EX+3": ([[2, 1, 1], [3, 1, -1], [3, 1, 0]], [1, 0, 0], 1, fmpq(11, 10), 0.00478),
    "EX0": ([[1, -1, 3], [1, -2, 4], [3, 1, 3]], [1, 0, 1], 0, fmpq(1), 0.0),
}


def rationals(values):
    raw = np.array(values, dtype=object)
    return np.vectorize(fmpq, otypes=[object])(raw)


@pytest.mark.parametrize("name", INSTANCES)
def test_the_sign_is_exact(name):
    """Sign of M and V^2 in rationals."""
    points, teacher, expected, square, _ = INSTANCES[name]
    assert sign_of_m(rationals(points), rationals(teacher)) == expected
    if square is not None:
        assert squared_v(rationals(points), rationals(teacher)) == square


@pytest.mark.parametrize("name", INSTANCES)
def test_the_value_is_the_printed_one(name):
    """M in floats."""
    points, teacher, _, _, value = INSTANCES[name]
    assert measure_m(np.array(points, dtype=float), np.array(teacher, dtype=float), starts=3) == pytest.approx(
        value, abs=6e-6
    )


def test_a_grid_never_exceeds_the_value():
    """Random p in random cones stay below M."""
    points, teacher = np.array(INSTANCES["EX+2"][0], dtype=float), np.array([2.0, 1.0, 0.0])
    chi = dual_basis(points)
    chi = chi / np.linalg.norm(chi, axis=1, keepdims=True)
    rng, best = np.random.default_rng(0), measure_m(points, teacher, starts=3)
    for _ in range(200):
        mask = rng.permutation([True, False, rng.random() < 0.5])
        p = rng.random(mask.sum()) @ chi[mask]
        assert value_at(p, chi[~mask], teacher / np.linalg.norm(teacher)) <= best + 1e-9


def test_it_needs_as_many_points_as_dimensions():
    """Two points in dimension three have no M."""
    with pytest.raises(BadInput, match="as many points"):
        sign_of_m(np.eye(3)[:2], np.ones(3))
