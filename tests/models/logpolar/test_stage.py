"""The closed-form stage against numerical integration."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from refute.models.logpolar.stage import log_cosh, stage


@pytest.mark.parametrize("sign", [1, -1])
def test_it_solves_the_log_polar_equations(sign):
    """Direction and log-norm agree with an integration of du/dt = s P_u g, drho/dt = s <g, u>."""
    rng = np.random.default_rng(0)
    u, g = rng.standard_normal(3), rng.standard_normal(3)
    u /= np.linalg.norm(u)
    field = lambda t, y: np.append(sign * (g - y[:3] * (g @ y[:3])), sign * (g @ y[:3]))  # noqa: E731
    run = solve_ivp(field, (1, 3), np.append(u, -5.0), "DOP853", rtol=1e-12, atol=1e-13)
    now = stage(1.0, -5.0, u, sign, g)
    assert np.allclose(now.direction_at(3.0), run.y[:3, -1], atol=1e-10)
    assert now.log_norm_at(3.0) == pytest.approx(run.y[3, -1], abs=1e-10)


def test_crossings_are_where_the_direction_says():
    """At a crossing time the direction lies on the hyperplane; a receding hyperplane is never met."""
    now = stage(0.0, 0.0, np.array([0.0, 1.0]), 1, np.array([2.0, 0.0]))
    points = np.array([[1.0, -0.5], [1.0, 0.5], [-1.0, 1.0]])
    times = now.crossing_times(points, np.sign(points @ now.direction).astype(int))
    assert np.isinf(times[1])
    for k in (0, 2):
        assert abs(points[k] @ now.direction_at(times[k])) < 1e-14


def test_exact_alignment_moves_radially():
    """Parallel neurons only grow, antiparallel ones only shrink, and no push means no motion."""
    push = np.array([0.0, 3.0])
    assert stage(0.0, 0.0, np.array([0.0, 1.0]), 1, push).log_norm_at(2.0) == pytest.approx(6.0)
    assert stage(0.0, 0.0, np.array([0.0, -1.0]), 1, push).log_norm_at(2.0) == pytest.approx(-6.0)
    assert stage(0.0, 0.0, np.array([0.0, -1.0]), 1, 0 * push).log_norm_at(2.0) == 0.0


def test_nothing_overflows():
    """ln cosh and the stage are right at 10^6."""
    assert log_cosh(1e6) == pytest.approx(1e6 - np.log(2), rel=1e-15)
    assert stage(0.0, -1e6, np.array([1.0, 0.0]), 1, np.array([0.0, 1.0])).log_norm_at(1e6) == pytest.approx(
        -np.log(2), abs=1e-9
    )
