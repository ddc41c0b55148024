"""The error that the flow of networks of depth three and four reports bounds its true error, against fifty digits."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from refute.models import Dataset, DeepNetwork
from refute.models.flow.deep import HOPELESS, deep_gradient_flow
from refute.models.loss import SQUARE
from tests.models.flow.fifty_digits import Reference
from tests.models.flow.fifty_digits_deep import Ambiguous, DeepReference

pytestmark = pytest.mark.slow

FAMILIES = (
    "grid",
    "gaussian",
    "zero labels",
    "repeated points",
    "on hyperplanes",
    "dead and zero neurons",
    "singular",
    "ill-conditioned",
)
CASES, HORIZON = 256, 0.25


def quarters(rng: np.random.Generator, *shape: int) -> Any:
    return rng.integers(-4, 5, shape) / 4


def draw(seed: int) -> tuple[list[Any], float, Any, Any]:
    """Weights, slope, inputs and labels; the families take turns."""
    rng, family = np.random.default_rng(seed), FAMILIES[seed % len(FAMILIES)]
    samples, dim = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    widths = [dim, *rng.integers(1, 3, int(rng.integers(2, 4))), 1]
    weights = [1.5 * rng.standard_normal((rows, columns)) for columns, rows in pairwise(widths)]
    inputs, labels = rng.standard_normal((samples, dim)), 2 * rng.standard_normal(samples)
    slope = (0.0, 0.0, 0.25)[int(rng.integers(3))]
    if family == "grid":
        weights, inputs, labels = (
            [quarters(rng, *w.shape) for w in weights],
            quarters(rng, samples, dim),
            4 * quarters(rng, samples),
        )
    elif family == "zero labels":
        labels[: 1 + samples // 2] = 0
    elif family == "repeated points":
        inputs, labels = np.vstack([inputs, inputs[:1], -inputs[:1]]), np.append(labels, [labels[0], -1.0])
    elif family == "on hyperplanes":
        inputs = quarters(rng, samples, dim)
        weights[0][0] = 0 if dim == 1 else [-inputs[0, 1], inputs[0, 0]]
    elif family == "dead and zero neurons":
        weights[0][0], weights[1][:, 0] = 0, 0
        weights[1][-1] = -np.abs(weights[1][-1])
    elif family == "singular":
        inputs = np.outer(quarters(rng, samples), rng.standard_normal(dim))
    elif family == "ill-conditioned":
        scales = np.array([1.0, 10.0 ** -int(rng.integers(2, 9))])[:dim]
        inputs = rng.standard_normal((samples, dim)) * scales @ np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    return weights, slope, inputs, labels


@pytest.mark.parametrize("seed", range(2))
def test_the_deep_reference_is_the_shallow_one_at_depth_two(seed: int) -> None:
    """Two references that share nothing but fixed-point numbers agree to the last bit of float64."""
    rng = np.random.default_rng(seed)
    inner, outer, inputs, labels = (rng.standard_normal(shape) for shape in ((2, 2), 2, (3, 2), 3))
    one, other = (
        Reference(inner, outer, 0.0, inputs, labels, "square").run(0.2),
        DeepReference([inner, outer[None]], 0.0, inputs, labels),
    )
    found = other.run(0.2)
    assert (one[0] == found[0]).all()
    assert (one[1] == found[1][0]).all()


def test_error_bound_at_depth_three_and_four() -> None:
    """In at least 200 cases whose solution is unique, with crossings and slides, the true error is below the bound."""
    compared, crossing, sliding, refused = dict.fromkeys(FAMILIES, 0), 0, 0, 0
    for seed in range(CASES):
        weights, slope, inputs, labels = draw(seed)
        try:
            reference = DeepReference(weights, slope, inputs, labels)
            truth = reference.run(HORIZON)
        except Ambiguous:
            continue
        run = deep_gradient_flow(
            DeepNetwork(tuple(weights), slope), Dataset(inputs, labels), SQUARE, np.array([HORIZON]), tolerance=1e-7
        )
        miss = max(float(np.abs(found[-1] - exact).max()) for found, exact in zip(run.weights, truth, strict=True))
        assert miss <= run.error, (seed, miss, run.error)
        if (
            run.error == HOPELESS
        ):  # units that must be decided together, by a weight that becomes zero: it says that it cannot
            refused += 1
            continue
        assert run.error < 1e-3, (seed, run.error)
        compared[FAMILIES[seed % len(FAMILIES)]] += 1
        crossing, sliding = crossing + (reference.crossings > 0), sliding + (reference.slides > 0)
    assert sum(compared.values()) >= 200
    assert refused <= 10
    assert min(compared.values()) >= 10
    assert crossing >= 10
    assert sliding >= 10
