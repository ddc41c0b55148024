"""Groups of neurons with equal gates."""

import numpy as np
import pytest

from refute.models.dataset import Dataset
from refute.models.flow.collision import starting_pattern
from refute.models.flow.pattern import field, regroup, rejoin
from refute.models.flow.pose import pose
from refute.models.loss import SQUARE
from refute.models.network import TwoLayer


def families(pattern):
    """Which neurons are together."""
    return {frozenset(np.flatnonzero(pattern.group == g).tolist()) for g in range(pattern.count[0])}


@pytest.mark.parametrize("seed", range(10))
def test_one_neuron_at_a_time_gives_the_groups_that_all_at_once_give(seed):
    """After each of 60 changes of side the groups, their gates and the field are those of a fresh grouping."""
    rng = np.random.default_rng(seed)
    net = TwoLayer(rng.standard_normal((6, 2)), rng.standard_normal(6), 0.25)
    problem, _ = pose(net, Dataset(rng.standard_normal((3, 2)), rng.standard_normal(3)), SQUARE, 1.0, True)
    state = np.concatenate([net.inner.reshape(-1), net.outer])
    stepwise, fresh = starting_pattern(problem, net.inner), starting_pattern(problem, net.inner)
    for _ in range(60):
        h, line = rng.integers(6), rng.integers(len(problem.directions))
        for pattern in (stepwise, fresh):
            pattern.gates[h, line] = 1.25 - pattern.gates[h, line]
        rejoin(stepwise, problem.slope, h)
        regroup(fresh, problem.slope)
        assert families(stepwise) == families(fresh)
        velocities = []
        for pattern in (stepwise, fresh):
            velocities.append(np.empty_like(state))
            field(problem, pattern, state, velocities[-1])
        assert np.allclose(*velocities, rtol=0, atol=1e-13)
