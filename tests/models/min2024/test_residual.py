"""The Caratheodory residual vanishes for solutions, and not for a field of another sigma'(0) or another strength."""

import numpy as np

from refute.models.dataset import Dataset
from refute.models.flow import FILIPPOV, REGULAR
from refute.models.loss import EXPONENTIAL_SUM, SQUARE
from refute.models.min2024.residual import caratheodory_residual
from refute.models.network import TwoLayer

POINT = Dataset(np.array([[1.0, 0.0]]), np.array([1.0]))


def test_a_trajectory_with_events_solves_the_integral_equation():
    """A neuron that loses one datum and gains another on the way."""
    data = Dataset(np.array([[1.0, 0.2], [1.0, -0.5], [-1.0, 0.1]]), np.array([1.0, 1.0, -1.0]))
    net = TwoLayer(np.array([[-0.8, 0.6]]), np.array([1.0]), 0.0)
    found = caratheodory_residual(net, data, EXPONENTIAL_SUM, 2.0, concept=REGULAR)
    assert found.run.events
    assert found.value < 1e-6
    assert found.value <= found.error


def test_staying_and_leaving_are_both_solutions_at_the_edge_of_the_dead_cone():
    """x = (1, 0), w = (0, 1): with sigma'(0) = 0 the constant path solves the equation, and so does the one that
    leaves.
    """
    net = TwoLayer(np.array([[0.0, 1.0]]), np.array([1.0]), 0.0)
    stays = caratheodory_residual(net, POINT, EXPONENTIAL_SUM, 1.0, concept=REGULAR)
    leaves = caratheodory_residual(net, POINT, EXPONENTIAL_SUM, 1.0, concept=FILIPPOV)
    assert stays.value == 0
    assert leaves.value < 1e-8
    assert np.abs(leaves.run.inner[-1] - stays.run.inner[-1]).max() > 0.5


def test_the_constant_path_does_not_solve_the_equation_with_another_slope_at_zero():
    """With sigma'(0) = 1 the residual of the constant path after time 1 is |v x| = 1."""
    net = TwoLayer(np.array([[0.0, 1.0]]), np.array([1.0]), 0.0)
    assert abs(caratheodory_residual(net, POINT, EXPONENTIAL_SUM, 1.0, concept=REGULAR, at_zero=1.0).value - 1) < 1e-12


def test_a_smooth_trajectory_of_a_leaky_network_solves_the_integral_equation():
    """The field has the slope of the network, also on the side where nothing is active."""
    net, data = (
        TwoLayer(np.array([[1.0], [0.25]]), np.array([0.25, 1.0]), 0.25),
        Dataset(np.array([[-1.0], [0.5]]), np.array([-1.0, 1.5])),
    )
    found = caratheodory_residual(net, data, SQUARE, 0.25, concept=FILIPPOV, at_zero=0.25)
    assert not found.run.events
    assert found.value <= found.error < 1e-6
