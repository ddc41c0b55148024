"""Stochastic gradient descent in float32 against the fused kernel in float64."""

import numpy as np
import pytest

from refute.errors import Diverged
from refute.models import Dataset, TwoLayer
from refute.models.descent.minibatch import minibatches
from refute.models.descent.single import descend
from refute.models.kou2023.wide import descend_wide
from refute.models.loss import LOGISTIC


def case(slope: float) -> tuple[TwoLayer, Dataset]:
    """Forty neurons on thirty Gaussian samples; the first neuron is zero, so that sigma'(0) counts."""
    rng = np.random.default_rng(3)
    inner = rng.standard_normal((40, 6))
    inner[0] = 0
    labels = rng.choice([-1.0, 1.0], size=30)
    return TwoLayer(inner, np.repeat([1 / 20, -1 / 20], 20), slope), Dataset(rng.standard_normal((30, 6)), labels)


@pytest.mark.parametrize("slope", [0.0, 0.1])
def test_it_agrees_with_the_fused_kernel(slope: float):
    """At every recorded step, to the precision of float32."""
    net, data = case(slope)
    picks = minibatches(np.random.default_rng(0), 30, 8, 50)
    shots = list(descend_wide(net, data, rate=0.5, picks=picks, every=20))
    run = descend(net, data, LOGISTIC, rate=0.5, steps=50, every=20, slope_at_zero=1.0, train_outer=False, picks=picks)
    assert run.steps.tolist() == [0, 20, 40, 50]
    assert np.abs(np.array(shots) - run.inner).max() < 1e-5


def test_descent_that_leaves_the_floats_is_an_error():
    """The message names the step."""
    net, data = case(0.0)
    huge = Dataset(np.asarray(data.inputs, dtype=float) * 1e30, data.labels)
    with pytest.raises(Diverged), np.errstate(all="ignore"):
        list(descend_wide(net, huge, rate=1e30, picks=np.zeros((4, 8), dtype=np.int64), every=1))
