"""Zeros of the continuous extension of a pre-activation: where it first leaves its side, and which zeros are of no
interest.
"""

import numpy as np
import pytest
from scipy.optimize import brentq

from refute.models.dataset import Dataset
from refute.models.flow.collision import starting_pattern
from refute.models.flow.events import TOUCHES, distances, first_zero, pinned, suspects, value_at
from refute.models.flow.pose import pose
from refute.models.loss import SQUARE
from refute.models.network import TwoLayer


def wave(rng):
    """A start of 1 and seven coefficients of an extension that swings through zero a few times or not at all."""
    return np.concatenate([[1.0], rng.standard_normal(7) * 10.0 ** rng.uniform(-1, 2)])


def zeros_on_a_grid(along, side):
    """The first share on a fine grid where side * value is negative; 2 if there is none."""
    shares = np.linspace(0, 1, 20_001)
    negative = [share for share in shares if side * value_at(along, share) < 0]
    return negative[0] if negative else 2.0


@pytest.mark.parametrize("seed", range(40))
def test_the_first_zero_is_found_to_round_off(seed):
    """Where the value falls to below zero at a sixteenth of the step and not before."""
    along = wave(np.random.default_rng(seed))
    found, coarse = first_zero(along, 1.0, 1e-12, 2.0), zeros_on_a_grid(along, 1.0)
    looked = [k / 16 for k in range(1, 17) if value_at(along, k / 16) < -1e-12]
    if not looked:
        assert found == 2.0 or coarse < 2.0
        return
    low = looked[0] - 1 / 16
    if value_at(along, low) > 0 and coarse > low:  # no dip between two places that are looked at
        assert found == pytest.approx(brentq(lambda s: value_at(along, s), low, looked[0], xtol=1e-15), abs=1e-12)
        assert value_at(along, found) < 0


def test_a_zero_after_the_latest_share_is_of_no_interest():
    along = np.zeros(8)
    along[0], along[1] = 1.0, -2.0  # 1 - 2 share
    assert first_zero(along, 1.0, 1e-12, 2.0) == pytest.approx(0.5, abs=1e-15)
    assert first_zero(along, 1.0, 1e-12, 0.51) == pytest.approx(0.5, abs=1e-15)
    assert first_zero(along, 1.0, 1e-12, 0.49) == 2.0
    assert first_zero(along, -1.0, 1e-12, 2.0) < TOUCHES  # on the wrong side from the start


@pytest.mark.parametrize("zero", [1e-12, 0.3, 1 - 1e-12])
def test_a_zero_near_an_end_is_pinned_to_round_off_of_itself(zero):
    along = np.zeros(8)
    along[0], along[1] = zero, -1.0
    found = pinned(along, 1.0, 0.0, 1.0)
    assert value_at(along, found) < 0
    assert abs(found - zero) <= 1e-15 * max(zero, 1e-3)


@pytest.mark.parametrize("dim", [1, 2, 3, 4, 5, 6, 7, 8])
def test_distances_are_products_with_the_directions(dim):
    """Coordinates are taken by fours, with or without some left over."""
    rng = np.random.default_rng(dim)
    net = TwoLayer(rng.standard_normal((3, dim)), rng.standard_normal(3), 0.0)
    problem, _ = pose(net, Dataset(rng.standard_normal((4, dim)), rng.standard_normal(4)), SQUARE, 1.0, True)
    into = np.empty((3, len(problem.directions)))
    distances(problem.across, np.concatenate([net.inner.reshape(-1), net.outer]), into)
    assert np.allclose(into, net.inner @ problem.directions.T, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("side", "start", "end", "marked"),
    [
        (1, (0.5, -1.0), (-0.1, -1.0), True),  # on the other side at the end
        (1, (0.2, -1.0), (0.2, 1.0), True),  # turns back, and may have been beyond in between
        (1, (2.0, -1.0), (2.0, 1.0), False),  # turns back far away
        (1, (0.2, 1.0), (0.2, -1.0), False),  # turns away from its line
        (-1, (-0.5, 1.0), (0.1, 1.0), True),  # the same from below
        (-1, (-0.2, 1.0), (-0.2, -1.0), True),
        (0, (0.0, -1.0), (-0.1, 1.0), False),  # slides: no event of this kind
    ],
)
def test_who_may_reach_its_line_within_a_step(side, start, end, marked):
    """Values and speeds at both ends of a step of length 1 tell; a neuron that is held fixed is never marked."""
    net = TwoLayer(np.ones((1, 1)), np.ones(1), 0.0)
    problem, _ = pose(net, Dataset(np.ones((1, 1)), np.ones(1)), SQUARE, 1.0, True)
    pattern, into = starting_pattern(problem, net.inner), np.zeros((1, 1), dtype=np.bool_)
    pattern.side[:] = side
    ends = [np.full((1, 1), value) for value in (*start, *end)]
    assert suspects(pattern, *ends, np.ones(1), 1.0, into) == marked == into[0, 0]
    pattern.alive[:] = 0.0
    assert suspects(pattern, *ends, np.ones(1), 1.0, into) == 0
