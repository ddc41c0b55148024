"""Runs of min2024 from the scale (28) to small loss."""

import numpy as np
import pytest

from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.families import PAIR, repeated
from refute.models.min2024.fitting import fit_run, members, signed_outputs


@pytest.fixture(scope="module")
def run():
    """One positive and one negative datum, one neuron of either sign."""
    return fit_run(repeated(1, 1), PAIR, EXPONENTIAL_SUM, 0.99, 1e-7)


def test_each_cone_is_reached_by_the_neuron_of_its_sign(run):
    """The first neuron is in S_+ at t_1, the second in S_-."""
    assert run.reached
    assert [run.members(label).tolist() for label in (1, -1)] == [[0], [1]]


def test_outputs_are_those_of_two_linear_networks(run):
    """Each class is fitted by the neurons of its cone."""
    blocks = {label: run.members(label) for label in (1, -1)}
    assert np.allclose(run.linear(blocks).value, run.output, atol=1e-6)


def test_the_loss_falls_at_the_speed_that_is_stated(run):
    """dL/dt agrees with a difference quotient."""
    loss, k = run.total_loss.value, run.second
    quotient = (loss[k + 2] - loss[k]) / (run.time[k + 2] - run.time[k])
    assert run.loss_speed.value[k : k + 3].min() <= quotient <= run.loss_speed.value[k : k + 3].max()


def test_a_class_is_fitted_after_t1(run):
    """t_2 is the first time at which an output exceeds 1/4."""
    k = run.crossing(1)
    assert run.time[k] > run.t1
    assert abs(run.output[k, 0]) == pytest.approx(0.25, abs=1e-4)


def test_data_are_classified_at_t1(run):
    """The sign of y f is known although f underflows."""
    found = signed_outputs(run.aligned, run.data)
    assert (found.low > 0).all()


def test_members_have_the_sign_of_the_class_and_its_pattern():
    """A neuron of the other sign, or one that sees another datum too, is none."""
    active = np.array([[True, False], [True, False], [True, True]])
    assert members(active, np.array([1, -1, 1]), np.array([1, -1]), 1).tolist() == [0]
