"""Descent on the first layer against the decomposition's own steps, and mini-batches against the gradient of their loss."""

import numpy as np
import pytest

from models import Dataset
from models.descent.decomposition import unroll_weights
from models.descent.first_layer import accuracy, first_layer_descent
from models.network import signed_halves
from refute.case import lift
from refute.numbers import FLOAT


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
def test_full_batches_take_the_steps_of_the_decomposition(slope: float) -> None:
    """With every sample in each batch the weights are those of (3.2)."""
    rng = np.random.default_rng(0)
    data = Dataset(rng.standard_normal((4, 3)), np.array([1.0, -1.0, 1.0, -1.0]))
    net = lift(signed_halves(rng.standard_normal((2, 3)), rng.standard_normal((2, 3)), slope), FLOAT)
    data = lift(data, FLOAT)
    expected = [now.inner for now in unroll_weights(net, data, rate=0.7, steps=5)]
    found = list(first_layer_descent(net.inner, net.outer, data, slope=slope, rate=0.7, picks=[np.arange(4)] * 5))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_step_by_hand() -> None:
    """One neuron w = 0, a = 1, x = 2, y = 1, rate 1: the logit is 1/2 and sigma'(0) = 1, so w becomes 1."""
    data = Dataset(np.array([[2.0], [5.0]]), np.array([1.0, 1.0]))
    steps = list(first_layer_descent(np.zeros((1, 1)), np.ones(1), data, slope=0.0, rate=1.0, picks=[np.array([0])]))
    assert steps[-1][0, 0] == pytest.approx(1.0)
    assert accuracy(steps[-1], np.ones(1), data, 0.0) == 1.0
    assert accuracy(np.zeros((1, 1)), np.ones(1), data, 0.0) == 0.0
