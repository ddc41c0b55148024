"""The bound on the round-off of float64 descent holds against exact rationals and balls, on cases
full of coincidences.
"""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from refute.errors import BadInput, SignUnknown
from refute.models.dataset import Dataset
from refute.models.descent.exact_deep import ball_deep_descent
from refute.models.descent.rounding import rounding_bound
from refute.models.descent.single import descend, descend_deep
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE
from refute.models.network import DeepNetwork, TwoLayer, as_deep

LOSSES = (SQUARE, SQUARE, LOGISTIC, EXPONENTIAL_SUM)
CONDITIONS = (1.0, 1e2, 1e4, 1e8, np.inf)  # infinite: a singular covariance


def grid(rng: np.random.Generator, *shape: int) -> Any:
    """Quarters between -1 and 1: full of zeros, repeated and opposite points, and neurons on hyperplanes."""
    return rng.integers(-4, 5, shape) / 4


def draw(seed: int) -> tuple[TwoLayer, Dataset]:
    """A grid, or data with singular values between 1 and 1/condition; some neurons are dead or
    zero, some labels zero.
    """
    rng = np.random.default_rng(seed)
    samples, dim, width = (int(rng.integers(1, most)) for most in (5, 4, 4))
    inputs, inner, outer, labels = grid(rng, samples, dim), grid(rng, width, dim), grid(rng, width), grid(rng, samples)
    condition = CONDITIONS[seed // 2 % len(CONDITIONS)]
    if seed % 2:
        scales = condition ** -np.linspace(0, 1, dim) if np.isfinite(condition) else (np.arange(dim) == 0).astype(float)
        inputs = rng.standard_normal((samples, dim)) * scales @ np.linalg.qr(rng.standard_normal((dim, dim)))[0]
        inner = rng.standard_normal((width, dim))
    if seed % 5 == 0:
        inner[0] = outer[0] = 0.0
    return TwoLayer(inner, outer, (0.0, 0.0, 0.3, 1.0)[int(rng.integers(4))]), Dataset(inputs, labels)


def true_error(reached: Any, enclosed: Any) -> float:
    """The largest distance of a float from an enclosure."""
    with ctx.workprec(200):
        exact = [w if isinstance(w, arb) else arb(fmpq(w)) for layer in enclosed for w in layer[-1].reshape(-1)]
        floats = [float(w) for layer in reached for w in layer.reshape(-1)]
        return max(float(abs(arb(a) - b).upper()) for a, b in zip(floats, exact, strict=True))


def test_the_bound_holds_on_two_hundred_two_layer_cases() -> None:
    """Ties, repeated points, zero labels, dead and zero neurons, condition numbers to 1e8; most bounds are finite, and
    then small.
    """
    finite = 0
    for seed in range(200):
        net, data = draw(seed)
        loss, steps = LOSSES[seed % 4], (3, 20)[seed % 2]
        run = descend(net, data, loss, rate=0.3, steps=steps, slope_at_zero=net.slope)
        reached = run.inner[-1], run.outer[-1][None]
        bound = rounding_bound(net, data, loss, rate=0.3, steps=steps, reached=reached, slope_at_zero=net.slope)
        try:
            truth = ball_deep_descent(
                as_deep(net), data, loss, rate=0.3, steps=steps, accuracy=1e-20, slope_at_zero=net.slope
            )
        except SignUnknown:
            assert bound == np.inf, seed
            continue
        assert true_error(reached, truth.weights) <= bound, seed
        finite += bound < np.inf
        assert bound == np.inf or bound < 1e-13 * (1 + np.abs(run.inner).max())
    assert finite >= 150


def test_the_bound_holds_for_deep_networks() -> None:
    """Depths two to four, square and logistic loss."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        sizes = [2, *(int(rng.integers(1, 4)) for _ in range(int(rng.integers(1, 4)))), 1]
        weights = tuple(rng.standard_normal((b, a)) for a, b in pairwise(sizes))
        net, data, loss = (
            DeepNetwork(weights, (0.0, 0.25)[seed % 2]),
            Dataset(grid(rng, 3, 2), grid(rng, 3)),
            LOSSES[seed % 3],
        )
        run = descend_deep(net, data, loss, rate=0.1, steps=10, slope_at_zero=net.slope)
        reached = [layer[-1] for layer in run.weights]
        bound = rounding_bound(net, data, loss, rate=0.1, steps=10, reached=reached, slope_at_zero=net.slope)
        truth = ball_deep_descent(net, data, loss, rate=0.1, steps=10, accuracy=1e-20, slope_at_zero=net.slope)
        assert true_error(reached, truth.weights) <= bound < 1e-13


def test_it_says_when_a_sign_is_open_and_refuses_other_shapes() -> None:
    """w . (1, 1, 1) stays exactly zero while w itself moves by multiples of 1/30: after a step no precision can tell
    its sign.
    """
    net, data = TwoLayer([[1.0, -1.0, 0.0]], [1.0], 0.0), Dataset([[1.0, 1.0, 1.0], [1.0, -1.0, 0.0]], [1.0, 3.0])
    run = descend(net, data, rate=1 / 3, steps=2, slope_at_zero=net.slope)
    reached = [run.inner[-1], run.outer[-1][None]]
    assert (
        rounding_bound(
            net, data, rate=1 / 3, steps=1, reached=[run.inner[0], run.outer[0][None]], slope_at_zero=net.slope
        )
        < np.inf
    )
    assert rounding_bound(net, data, rate=1 / 3, steps=2, reached=reached, slope_at_zero=net.slope) == np.inf
    with pytest.raises(BadInput, match="shapes"):
        rounding_bound(net, data, rate=1 / 3, steps=2, reached=reached[:1], slope_at_zero=net.slope)


def test_a_descent_that_overflows_has_no_bound() -> None:
    """Not the weights, nor a signal that is a difference of infinities."""
    data = Dataset([[1.0], [-1.0]], [1.0, 2.0])
    for inner, outer in (([[1e200]], [1e200]), ([[1.0]], [1.0])):
        net = TwoLayer(inner, outer, 0.5)
        assert (
            rounding_bound(net, data, rate=1e100, steps=6, reached=as_deep(net).weights, slope_at_zero=net.slope)
            == np.inf
        )
