"""Angles between neurons far below machine precision."""

import numpy as np
import pytest

from refute.models.chistikov2023.yardstick import yardstick
from refute.models.dataset import Dataset
from refute.models.logpolar.angular_gap import plateau_invariants
from refute.models.logpolar.field import State


@pytest.mark.parametrize("time", [1.0, 40.0, 1e6])
def test_the_angle_to_a_neuron_along_the_push_is_that_of_the_other(time):
    """With the push (1, 0) the neuron from (1, 1) has tan(phi/2) = tan(pi/8) e^{-t}; the one from (1, 0) stays."""
    ways = [yardstick(z, 1, Dataset([[1.0, 0.0]], [1.0])).path for z in ([1.0, 0.0], [1.0, 1.0])]
    at = [way.at(time) for way in ways]
    state = State(*(np.array([one[k] for one in at]) for k in range(3)))
    kept = plateau_invariants(ways, np.ones(2, dtype=int), time, state)
    log_tangent = np.log(np.tan(np.pi / 8)) - time
    wanted = np.log(2) + 2 * log_tangent - np.log1p(np.exp(2 * log_tangent))
    assert kept[0, 1] - state.log_norm.sum() == pytest.approx(wanted, rel=1e-12)
