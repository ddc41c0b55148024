"""Activation patterns of single neurons of min2024."""

from fractions import Fraction

import numpy as np
import pytest

from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.families import repeated
from refute.models.min2024.patterns import activity, is_right, lifetimes, squared_sines, unsettled

DATA = repeated(1, 1)
TILT = 1 / 1024
BEGIN = Balanced(np.array([[-1.0, TILT]]), np.array([1.0]), -1000.0, Fraction(0))


def test_the_wrong_cone_is_left_after_the_logarithm_of_the_tilt():
    """A positive neuron at an angle phi from the negative datum turns by d phi/dt = sin phi."""
    run = log_polar_flow(BEGIN, DATA, EXPONENTIAL_SUM, times=[50.0], tolerance=1e-10)
    found = lifetimes(run, BEGIN, DATA, EXPONENTIAL_SUM, 1e-10)
    assert found.value[0] == pytest.approx(np.log(1 / np.tan(np.arctan(TILT) / 2)), rel=1e-6)


def test_losing_a_datum_of_the_other_class_is_right():
    """And all that happens on this way."""
    run = log_polar_flow(BEGIN, DATA, EXPONENTIAL_SUM, times=[50.0])
    assert run.switches
    assert all(is_right(one, run, DATA) for one in run.switches)


def test_sines_do_not_cancel():
    """1 - cos^2 of a small angle has all its digits."""
    run = log_polar_flow(BEGIN, DATA, EXPONENTIAL_SUM, times=[0.0, 50.0])
    assert squared_sines(run, DATA, 0).value[0] == pytest.approx(np.sin(np.arctan(TILT)) ** 2, rel=1e-12)


def test_dead_neurons_and_those_in_their_cone_are_settled():
    """Others are not."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    assert [unsettled(active, 1, DATA) for active in activity(rows, DATA)] == [False, False, True]
