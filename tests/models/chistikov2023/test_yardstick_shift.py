"""First-order response of the yardsticks against the real flow at moderate scales."""

from fractions import Fraction

import numpy as np
import pytest

from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.yardstick_shift import crossing_delays, log_lag_of_norms
from refute.models.dataset import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE

A = Dataset([[1, Fraction(1, 4)], [Fraction(5, 4), -1]], [1, Fraction(5, 4)])
SHAPE, SIGNS = np.array([[0.5, 1], [0.5, 1.5], [1.5, 0.5]]), np.array([1, 1, -1])
WAYS = [one for _, one in yardsticks(SHAPE, SIGNS, A)]


def test_the_delays_are_those_of_the_real_crossings():
    """(t - tau)/lambda^2 at lambda = 10^-3.5 for the four crossings of instance A, and the calibration values."""
    delays = np.concatenate(crossing_delays(WAYS, A))
    assert delays == pytest.approx([1.0250, 2.7022, -0.1820, 149.5], rel=3e-4)
    scale = 10**-3.5
    run = log_polar_flow(Balanced(SHAPE, SIGNS, np.log(scale), 0), A, SQUARE, horizon=3.0, tolerance=1e-12)
    for j, way in enumerate(WAYS):
        real = np.array([s.time for s in run.switches if s.neuron == j])
        start = sum(len(one.times) for one in WAYS[:j])
        assert (real - way.times) / scale**2 == pytest.approx(delays[start : start + len(real)], rel=2e-2)


def test_the_norms_lag_behind_as_predicted():
    """ln|alpha| - ln|w/lambda| at t = 6, where it is small and far above round-off."""
    scale, time = 1e-5, 6.0
    run = log_polar_flow(Balanced(SHAPE, SIGNS, np.log(scale), 0), A, SQUARE, times=[time], tolerance=1e-13)
    lag = WAYS[0].log_norm_at(time) - (run.log_norm[-1, 0] - np.log(scale))
    assert lag == pytest.approx(scale**2 * np.exp(log_lag_of_norms(WAYS, A, time)), rel=2e-2)
