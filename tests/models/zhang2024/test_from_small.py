"""Descent from small weights ends where plain descent ends, in far fewer evaluations on the plateau."""

import numpy as np

from refute.models import Dataset, DeepNetwork
from refute.models.descent.single import descend_deep
from refute.models.initialisation import small_deep_gaussian
from refute.models.zhang2024.from_small import descend_from_small, moments_only


def test_it_learns_what_plain_descent_learns():
    """Three layers on an even dataset with a linear target: the plateau ends within ten per cent of the time, the end
    is the same.
    """
    rng = np.random.default_rng(1)
    half = rng.standard_normal((8, 2))
    data = Dataset(np.vstack([half, -half]), np.concatenate([half @ [1.0, -0.5], -half @ [1.0, -0.5]]))
    weights = small_deep_gaussian(rng, [2, 10, 10, 1], 0.1)
    fast = descend_from_small(weights, data, rate=0.05, steps=8000)
    plain = descend_deep(DeepNetwork(tuple(weights), 0), data, rate=0.05, steps=8000, every=20, slope_at_zero=0.0)
    departed = plain.steps[np.argmax(plain.loss < (1 - 1e-3) * plain.loss[0])]
    assert abs(fast.steps[fast.first_below(1 - 1e-3)] / departed - 1) < 0.1
    for mine, theirs in zip(fast.weights[-1], plain.weights, strict=True):
        assert np.abs(mine - theirs[-1]).max() < 0.02 * np.abs(theirs[-1]).max() + 0.01


def test_a_linear_network_sees_only_the_moments():
    """Sigma and beta of the short dataset are those of the long one."""
    rng = np.random.default_rng(2)
    data = Dataset(rng.standard_normal((9, 3)), rng.standard_normal(9))
    short = moments_only(data)
    assert short.inputs.shape == (3, 3)
    np.testing.assert_allclose(
        np.asarray(short.covariance, dtype=float), np.asarray(data.covariance, dtype=float), atol=1e-12
    )
    np.testing.assert_allclose(
        np.asarray(short.correlation, dtype=float), np.asarray(data.correlation, dtype=float), atol=1e-12
    )


def test_the_last_digits_of_the_start_do_not_choose_the_steps():
    """Weights that are off by round-off are recorded after the same steps, and are off by little at the end."""
    rng = np.random.default_rng(1)
    half = rng.standard_normal((8, 2))
    data = Dataset(np.vstack([half, -half]), np.concatenate([half @ [1.0, -0.5], -half @ [1.0, -0.5]]))
    weights = small_deep_gaussian(rng, [2, 10, 10, 1], 0.01)
    one, other = (
        descend_from_small([factor * layer for layer in weights], data, rate=0.05, steps=30_000)
        for factor in (1.0, 1 + 1e-14)
    )
    assert len(one.steps) < 1000
    assert np.array_equal(one.steps, other.steps)
    assert max(np.abs(a - b).max() for a, b in zip(one.weights[-1], other.weights[-1], strict=True)) < 1e-10
