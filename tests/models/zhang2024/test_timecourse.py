"""The closed-form time course against numerical flows."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from refute.errors import BadInput
from refute.models.zhang2024.timecourse import linear_time_course, time_course


def linear_flow(direction, start, beta, tau, time):
    """W1 and W2 of a linear network of width 3 with white inputs, integrated in ordinary coordinates."""
    outer = start * np.array([0.6, -0.8, 0.0])

    def field(_, state):
        w1, w2 = state[:-3].reshape(3, -1), state[-3:]
        error = beta - w2 @ w1
        return np.concatenate([np.outer(w2, error).reshape(-1), w1 @ error]) / tau

    run = solve_ivp(
        field,
        (0, time),
        np.concatenate([np.outer(outer, direction).reshape(-1), outer]),
        "DOP853",
        rtol=1e-12,
        atol=1e-14,
    )
    return run.y[-3:, -1] @ run.y[:-3, -1].reshape(3, -1)


@pytest.mark.parametrize("tau", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("time", [0.0, 0.4, 3.0])
def test_the_derived_course_is_the_linear_flow(tau, time):
    """linear_time_course equals an integrated linear network."""
    beta = np.array([1.0, -0.5, 0.25])
    direction = np.array([0.0, 0.6, 0.8])
    expected = linear_flow(direction, 0.7, beta, tau, time) if time else 0.49 * direction
    assert np.allclose(linear_time_course(direction, 0.49, beta, tau, time), expected, atol=1e-9)


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
def test_the_printed_formula_is_the_linear_course_in_rescaled_time(slope):
    """Eq. (38) with u_0 of the linear network is the derived course with time constant 2 tau/(alpha + 1)."""
    beta, direction = np.array([1.0, -0.5]), np.array([0.8, 0.6])
    for time in (0.0, 0.5, 2.0, 6.0):
        printed = time_course(direction, 0.49, beta, slope, 1.3, time)
        assert np.allclose(printed, linear_time_course(direction, 0.49, beta, 2 * 1.3 / (slope + 1), time), rtol=1e-11)


def test_the_exceptional_direction_is_an_error():
    """r = -beta/|beta| divides by zero in Eq. (38), and beta = 0 too."""
    with pytest.raises(BadInput, match="against"):
        time_course(np.array([-1.0, 0.0]), 1.0, np.array([2.0, 0.0]), 0.0, 1.0, 1.0)
    with pytest.raises(BadInput, match="uncorrelated"):
        time_course(np.array([1.0, 0.0]), 1.0, np.zeros(2), 0.0, 1.0, 1.0)
