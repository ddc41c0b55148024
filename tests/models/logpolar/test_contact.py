"""What a neuron does on activation hyperplanes."""

import numpy as np

from refute.models.dataset import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.contact import across, blurred, gates, holds, hyperplanes, one_sided, push, resolve
from refute.models.logpolar.plateau import first_sides, is_dead
from refute.models.loss import SQUARE

POINTS = np.array([[1.0, 0.0], [1.0, 1.0]])


def touch(pulls, sign, slope=0.0):
    """A neuron above the first point that touches the hyperplane of the second."""
    return int(resolve(POINTS, np.array(pulls), sign, np.array([1, 1]), np.array([1]), slope)[1])


def test_it_crosses_slides_or_stays_by_the_one_sided_velocities():
    """z+ = s(c_1 + 2 c_2), z- = s c_1: equal signs cross, z+ < 0 < z- slides."""
    assert touch([1.0, 1.0], 1) == 1
    assert touch([1.0, -1.0], 1) == 0
    assert touch([1.0, -0.1], 1) == 1
    assert touch([-1.0, 0.1], 1) == -1
    assert touch([-1.0, 1.0], -1) == 0


def test_the_sliding_push_stays_in_the_hyperplane():
    """With the point projected out, the push is orthogonal to it, and the gate lies between the slopes."""
    sides, pulls = np.array([1, 0]), np.array([1.0, -1.0])
    assert abs(POINTS[1] @ push(POINTS, pulls, sides, 0.0)) < 1e-15
    ((normal, members, senses),) = hyperplanes(POINTS, np.array([1]))
    below, above = (side @ pulls[members] for side in one_sided(POINTS, members, senses, 0.0))
    needed = holds(normal[None]) @ (gates(sides, 0.0) * pulls @ POINTS)
    assert np.allclose((needed - below) / (above - below), 0.5)
    assert np.allclose(across(POINTS[1:]) @ POINTS[1], 0)


def test_repeated_points_slide_together():
    """Two copies of a point are one hyperplane; the neuron slides on both."""
    points = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    found = resolve(points, np.array([1.0, -0.6, -0.6]), 1, np.array([1, 1, 1]), np.array([1, 2]), 0.0)
    assert found.tolist() == [1, 0, 0]
    assert abs(points[1] @ push(points, np.array([1.0, -0.6, -0.6]), found, 0.0)) < 1e-12


def test_opposite_points_change_together():
    """x and -x share a hyperplane: when one becomes active the other becomes inactive."""
    points = np.array([[1.0, 0.0], [1.0, 1.0], [-1.0, -1.0]])
    found = resolve(points, np.array([1.0, 1.0, 0.1]), 1, np.array([1, -1, 1]), np.array([1, 2]), 0.0)
    assert found.tolist() == [1, 1, -1]


def test_no_life_in_a_dead_neuron():
    """A neuron on the boundary of the dead cone starts dead, whatever the pull; with a slope nothing is dead."""
    sides = first_sides(np.array([0.0, -1.0]), POINTS, np.array([1.0, 1.0]), 1, 0.0)
    assert is_dead(sides, 0.0)
    assert not is_dead(sides, 0.1)


def test_a_large_point_does_not_hide_a_crossing():
    """Whether the neuron is inactive on it or touches it: what pulls it across is small beside the point, but not
    beside its noise.
    """
    points = np.array([[1.0, 0.0], [1.0, 1.0], [1e6, -1e6]])
    pulls = np.array([1.0, 1.0, 1e6])
    assert resolve(points, pulls, 1, np.array([1, 1, -1]), np.array([1]), 0.0).tolist() == [1, 1, -1]
    assert resolve(points, pulls, 1, np.array([1, -1, 1]), np.array([2]), 0.0).tolist() == [1, -1, 1]


def test_hyperplanes_that_are_nearly_one_are_blurred():
    """Multiples of a point are not, nor those that are told apart, nor a point at the origin."""
    assert blurred(np.array([[3.0, 1.0], [-3.0, -1.0 - 1e-13]]))
    assert not blurred(np.array([[3.0, 1.0], [1.0, 1 / 3], [-0.3, -0.1], [0.0, 0.0], [3.0, 1.0 + 1e-9]]))


def test_a_run_between_nearly_equal_hyperplanes_decides_nothing():
    """Opposite labels hold the neuron between them, and a run that takes them for one lets it pass."""
    points = np.array([[-0.8194644265000162, -1.3317504656565877], [-0.8194644265002662, -1.3317504656568377]])
    start = Balanced(np.array([[0.4844685801799156, -0.3109733233925667]]), np.array([-1.0]), -2.3, 0.01)
    run = log_polar_flow(start, Dataset(points, np.array([-0.2172991367323608, 1.0])), SQUARE, horizon=0.4)
    assert run.error == run.output_error == run.time_error == np.inf
