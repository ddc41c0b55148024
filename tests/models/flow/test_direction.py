"""Logistic training followed by its margin ends in the direction of the hard-margin classifier."""

import numpy as np
import pytest

from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.flow.direction import follow_to_margin
from refute.models.loss import LOGISTIC

DATA = Dataset(np.array([[2.0, 0.0], [0.0, 1.0], [-2.0, 0.0], [0.0, -1.0]]), np.array([1.0, 1.0, -1.0, -1.0]))


@pytest.mark.parametrize("slope", [0.0, 1.0])
def test_two_support_vectors(slope: float):
    """min |w| with 2 w_1 >= 1 and w_2 >= 1 is (1/2, 1)."""
    net = TwoLayer(np.array([[0.8, -0.6], [-0.8, 0.6]]), np.array([1.0, -1.0]), slope)
    end = follow_to_margin(net, DATA, 1e5)
    assert end.reached
    assert not end.spent
    assert np.allclose(end.linear_part / np.linalg.norm(end.linear_part), np.array([1.0, 2.0]) / np.sqrt(5), atol=1e-3)


def test_it_is_the_curve_of_the_flow():
    """A point of the flow in time lies on the curve: its least margin leads to the same weights."""
    net = TwoLayer(np.array([[0.8, 0.6]]), np.array([0.9]), 1.0)
    run = gradient_flow(net, DATA, LOGISTIC, np.array([5.0]))
    least = float((np.asarray(DATA.labels, dtype=float) * run.outputs(np.asarray(DATA.inputs, dtype=float))[0]).min())
    end = follow_to_margin(net, DATA, least)
    assert np.allclose(end.net.inner, run.inner[0], atol=1e-5)
    assert np.allclose(end.net.outer, run.outer[0], atol=1e-5)
