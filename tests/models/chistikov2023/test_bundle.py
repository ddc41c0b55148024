"""The aligned bundle against the calibration instance and the full log-polar flow."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from refute.models.chistikov2023.bundle import bundle
from refute.models.chistikov2023.smallness import largest_log_scale, yardsticks
from refute.models.dataset import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE

A = Dataset([[1, Fraction(1, 4)], [Fraction(5, 4), -1]], [1, Fraction(5, 4)])
TEACHER = np.array([1.0, 0.0])
SHAPE, SIGNS = np.array([[0.5, 1], [0.5, 1.5], [1.5, 0.5]]), np.array([1, 1, -1])
LOG_SCALE = largest_log_scale(A, TEACHER, SHAPE, SIGNS, 0.25)


@pytest.fixture(scope="module")
def course():
    return bundle(A, TEACHER, [one for j, one in yardsticks(SHAPE, SIGNS, A) if SIGNS[j] > 0], LOG_SCALE)


def test_the_calibration_instance_is_reproduced(course):
    """T_2 and the late rate 2 mu_2 of instance A; p_1 overshoots and p_2 does not."""
    assert course.offset + course.half_way == pytest.approx(2037.58, abs=0.01)
    late = np.diff(course.log_loss)[-1] / np.diff(course.local)[-1]
    assert late == pytest.approx(-2 * 0.309339, rel=1e-5)
    assert course.q[-1, 0] < 0 < course.q[-1, 1]


def test_it_agrees_with_the_full_flow(course):
    """Outputs of the network of three neurons, from take-off to the end, at the same times."""
    flow = log_polar_flow(Balanced(SHAPE, SIGNS, LOG_SCALE, 0), A, SQUARE)
    outputs = course.v @ A.inputs.astype(float).T
    at = flow.time - course.offset
    both = (at > 0) & (at < course.local[-1])
    mine = CubicSpline(course.local, outputs)(at[both])
    assert both.sum() > 50
    assert np.abs(mine - flow.output[both]).max() < 1e-6


def test_gradient_and_loss_obey_the_chain_rule(course):
    """dL/dt = -|grad L|^2 along the flow."""
    middle = np.sqrt(course.squared_gradient[1:] * course.squared_gradient[:-1])
    loss = np.exp(course.log_loss)
    chosen = slice(250, 400)
    assert np.allclose(-np.diff(loss)[chosen] / np.diff(course.local)[chosen], middle[chosen], rtol=2e-2)


def test_a_coarse_step_that_overflows_is_taken_again():
    """Nearly an eigenvector and nearly equal eigenvalues: at the coarse tolerance one trial step overshoots."""
    inputs = -np.array([[7 / 20, -1 / 3], [7 / 20, 1 / 3], [27 / 40, -2 / 3], [41 / 60, 2 / 3]])
    data, teacher = Dataset(inputs, -inputs[:, 0]), np.array([-1.0, 0.0])
    starts = np.array([[-1.0, 0.0], [1.0, 0.0]])
    ways = [one for _, one in yardsticks(starts, np.array([1, 1]), data)]
    assert bundle(data, teacher, ways, -244844731.0, tolerance=1e-8).error < 1e-5
