"""Paths on the plateau and the time of take-off."""

from itertools import pairwise

import numpy as np
import pytest

from refute.models.logpolar.plateau import Change, log_mass, path, takeoff

POINTS = np.array([[1.0, 0.25], [1.25, -1.0]])
PULLS = np.array([0.5, 0.625])


def test_take_off_is_where_the_mass_reaches_the_level():
    """At the time found, ln sum |w|^2 is the level; before it is below."""
    paths = [path(np.array([0.6, 0.8]), -500.0, s, POINTS, PULLS, 0.0) for s in (1, -1)]
    time = takeoff(paths, -46.0)
    assert log_mass(paths, time) == pytest.approx(-46.0, abs=1e-9)
    assert log_mass(paths, 0.99 * time) < -46.0


def test_a_network_of_dying_neurons_never_takes_off():
    """Negative neurons on positive labels die one point after the other."""
    paths = [
        path(np.array([0.6, 0.8]), -50.0, -1, POINTS, PULLS, 0.0),
        path(np.array([-1.0, 0.0]), -50.0, 1, POINTS, PULLS, 0.0),
    ]
    assert takeoff(paths, -46.0) == np.inf
    assert paths[0].dead
    assert paths[0].switches[-1].change is Change.DIES
    assert paths[1].dead


def test_a_start_above_the_level_takes_off_at_once():
    """With large weights there is no plateau."""
    assert takeoff([path(np.array([0.6, 0.8]), 0.0, 1, POINTS, PULLS, 0.0)], -46.0) == 0.0


@pytest.mark.parametrize("dimension", [2, 3])
def test_sides_are_the_signs_at_all_times(dimension):
    """Also long after round-off could have carried a sliding neuron off its hyperplane, sides and
    inner products agree.
    """
    slid = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        points, pulls, start = (
            rng.standard_normal((4, dimension)),
            rng.standard_normal(4),
            rng.standard_normal(dimension),
        )
        way = path(start / np.linalg.norm(start), -9.0, int(rng.choice([-1, 1])), points, pulls, 0.0)
        for time in (*(0.5 * (a.start + b.start) for a, b in pairwise(way.stages)), 1e2, 1e4):
            _, direction, sides = way.at(time)
            pre = points @ direction
            assert (np.abs(pre[sides == 0]) < 1e-11).all()
            assert (sides * pre > -1e-11).all()
            slid += (sides == 0).any()
    assert slid > 5
