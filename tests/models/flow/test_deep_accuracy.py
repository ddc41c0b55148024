"""The error that the deep flow reports bounds its true error, at depth two against fifty digits."""

import numpy as np
import pytest

from refute.models import Dataset, TwoLayer
from refute.models.flow.deep import deep_gradient_flow
from refute.models.loss import SQUARE
from refute.models.network import as_deep
from refute.models.training import Stop
from tests.models.flow.fifty_digits import Reference

HORIZON = 0.3


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_error_bound_on_degenerate_grids(start: int) -> None:
    """Points on hyperplanes, repeated points, zero labels, dead and zero neurons, condition numbers to 1e8."""
    for seed in range(start, start + 50):
        rng = np.random.default_rng(seed)
        samples, dim, width = (int(rng.integers(1, most)) for most in (4, 3, 3))
        inputs, inner = rng.integers(-4, 5, (samples, dim)) / 4, rng.integers(-4, 5, (width, dim)) / 4
        if seed % 4 == 3:
            scales = np.array([1.0, (1e-4, 1e-8)[seed // 4 % 2]])[:dim]
            inputs = rng.standard_normal((samples, dim)) * scales @ np.linalg.qr(rng.standard_normal((dim, dim)))[0]
        outer, labels, slope = (
            rng.integers(-4, 5, width) / 4,
            rng.integers(-4, 5, samples) / 2,
            (0.0, 0.25, 1.0)[int(rng.integers(3))],
        )
        truth = Reference(inner, outer, slope, inputs, labels, "square").run(HORIZON)
        run = deep_gradient_flow(
            as_deep(TwoLayer(inner, outer, slope)), Dataset(inputs, labels), SQUARE, np.array([HORIZON]), tolerance=1e-7
        )
        miss = max(np.abs(run.weights[0][-1] - truth[0]).max(), np.abs(run.weights[1][-1, 0] - truth[1]).max())
        assert run.stop is Stop.HORIZON, seed
        assert miss <= run.error < 1e-3, (seed, miss, run.error)
