"""The error that the log-polar flow reports bounds its true error, against weights of fifty digits."""

from typing import Any

import numpy as np
import pytest

from refute.models.dataset import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.models.training import Stop
from tests.models.flow.fifty_digits import Reference

HORIZON = 0.4


def draw(seed: int) -> tuple[Any, Any, Any, Any, float]:
    """Grids of quarters, in every fourth case collinear points or singular values down to 1e-8: shape, signs, inputs,
    labels, slope.
    """
    rng = np.random.default_rng(seed)
    samples, dim, width = (int(rng.integers(1, most)) for most in (4, 3, 3))
    inputs, shape = rng.integers(-4, 5, (samples, dim)) / 4, rng.integers(-4, 5, (width, dim)) / 4
    if seed % 12 == 11:  # exactly collinear: points that are so up to round-off only have other solutions
        inputs = np.outer(rng.integers(-4, 5, samples) / 4, [0.75, -0.5][:dim])
    elif seed % 4 == 3:
        scales = np.array([1.0, (1e-4, 1e-8)[seed // 4 % 2]])[:dim]
        inputs = rng.standard_normal((samples, dim)) * scales @ np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    labels, signs = rng.integers(-4, 5, samples) / 2, rng.choice([-1.0, 1.0], width)
    return shape, signs, inputs, labels, (0.0, 0.0, 0.25, 1.0)[int(rng.integers(4))]


def on_the_edge_of_the_dead_cone(shape: Any, inputs: Any) -> bool:
    """There the regular solution, which the log-polar flow takes, rests, and the reference takes another one."""
    signals = shape @ inputs[inputs.any(axis=1)].T
    return bool(((signals <= 0).all(axis=1) & (signals == 0).any(axis=1) & shape.any(axis=1)).any())


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_error_bound_on_degenerate_grids(start: int) -> None:
    """Points on hyperplanes, repeated points, zero labels, dead and zero neurons, singular and badly conditioned
    covariance.
    """
    for seed in range(start, start + 50):
        shape, signs, inputs, labels, slope = draw(seed)
        if slope == 0 and on_the_edge_of_the_dead_cone(shape, inputs):
            continue
        scale = (1.0, 0.1, 1e-3)[seed % 3]
        run = log_polar_flow(
            Balanced(shape, signs, np.log(scale), slope),
            Dataset(inputs, labels),
            SQUARE,
            horizon=HORIZON,
            tolerance=1e-7,
        )
        if run.stop is not Stop.HORIZON:  # at rest or fitted: the last time is another one
            assert run.stop in (Stop.AT_REST, Stop.FITTED)
            continue
        inner = scale * shape
        truth, _ = Reference(inner, signs * np.linalg.norm(inner, axis=1), slope, inputs, labels, "square").run(
            run.time[-1]
        )
        found = np.exp(run.log_norm[-1])[:, None] * run.direction[-1]
        allowed = np.exp(run.log_norm[-1]) * (np.expm1(2 * run.error) + run.error) + 1e-15
        assert (np.abs(found - truth).max(axis=1) <= allowed).all(), (seed, np.abs(found - truth).max(axis=1), allowed)
        assert run.error < 1e-4
