"""Angles near 0 and pi, and the fixed-pattern formula."""

import numpy as np
import pytest
from flint import arb
from scipy.integrate import solve_ivp

from refute.errors import BadInput
from refute.models.chistikov2023.angles import (
    active_rows,
    angle,
    angle_at,
    half_angle_tangent,
    largest_angle,
    log_angle,
)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_fixed_pattern_formula_solves_its_equation(sign):
    """phi(t) solves d phi/dt = -s |x_a| sin(phi)."""
    run = solve_ivp(lambda t, p: -sign * 1.7 * np.sin(p), (0, 2), [2.0], "DOP853", rtol=1e-12, atol=1e-13)
    assert angle_at(2.0, sign, 1.7, 2.0) == pytest.approx(run.y[0, -1], abs=1e-10)
    assert np.tan(angle_at(2.0, sign, 1.7, 2.0) / 2) == pytest.approx(
        half_angle_tangent(np.tan(1.0), sign, 1.7, 2.0), rel=1e-12
    )


def test_balls_enclose_the_formula():
    """The tangent of the half angle in ball arithmetic contains the float value."""
    assert abs(float(half_angle_tangent(arb(1), 1, arb(2), arb(3)).mid()) - np.exp(-6)) < 1e-15


def test_angles_are_accurate_where_the_cosine_is_not():
    """An angle of 1e-12 and one of pi - 1e-12 keep their digits."""
    assert angle(np.array([1.0, 0.0]), np.array([5.0, 5e-12])) == pytest.approx(1e-12, rel=1e-6)
    assert np.pi - angle(np.array([1.0, 0.0]), np.array([-1.0, 1e-8])) == pytest.approx(1e-8, rel=1e-6)
    with pytest.raises(BadInput, match="zero vector"):
        angle(np.zeros(2), np.ones(2))


def test_the_largest_angle_is_over_all_pairs():
    """Three rows at 0, 30 and 100 degrees span 100 degrees; a single row spans none."""
    turns = np.deg2rad([0.0, 30.0, 100.0])
    rows = np.stack([np.cos(turns), np.sin(turns)], axis=1) * np.array([[1], [2], [3]])
    assert largest_angle(rows) == pytest.approx(turns[2])
    assert largest_angle(rows[:1]) == 0
    assert active_rows(rows, np.array([[-1.0, 0.0]])).tolist() == [False, False, True]


def test_logarithms_of_tiny_angles():
    """ln of the angle from ln(1 - cos) is right at 1 radian, at 1e-9 and at e^-1000."""
    assert log_angle(np.log(1 - np.cos(1.0))) == pytest.approx(0.0, abs=1e-12)
    assert log_angle(2 * np.log(1e-9) - np.log(2)) == pytest.approx(np.log(1e-9), abs=1e-9)
    assert log_angle(-2000 - np.log(2)) == pytest.approx(-1000)
