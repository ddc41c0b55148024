r"""Two-layer networks trained from small random weights on a handful of points, and what they end in."""

import numpy as np
from numpy.typing import NDArray

from refute.models.dataset import Dataset
from refute.models.descent.single import Descent, descend
from refute.models.initialisation import small_gaussian
from refute.models.loss import SQUARE, Loss
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]

WIDTH, SCALE, RATE = 40, 1e-3, 0.1
SEEDS = range(3)


def train(
    data: Dataset,
    seed: int,
    slope: float,
    loss: Loss = SQUARE,
    *,
    steps: int = 3000,
    width: int = WIDTH,
    scale: float = SCALE,
) -> Descent:
    """One network, recorded a hundred times."""
    inner, outer = small_gaussian(np.random.default_rng(seed), width, data.inputs.shape[1], scale)
    return descend(
        TwoLayer(inner, outer, slope), data, loss, rate=RATE, steps=steps, every=steps // 100, slope_at_zero=slope
    )


def train_all(data: Dataset, slope: float, loss: Loss = SQUARE, *, steps: int = 3000) -> list[Descent]:
    """By seed."""
    return [train(data, seed, slope, loss, steps=steps) for seed in SEEDS]


def final_losses(runs: list[Descent]) -> Floats:
    return np.array([run.loss[-1] for run in runs])


def steps_to_half(run: Descent, loss: Floats) -> float:
    """The first recorded step of the run at which a loss is less than half of its first value."""
    return float(run.steps[np.argmax(loss < loss[0] / 2)])


def cosines_of_large_neurons(run: Descent, data: Dataset) -> Floats:
    """Of the neurons that end with at least a tenth of the largest norm, with each input."""
    inner, inputs = run.inner[-1], np.asarray(data.inputs, dtype=float)
    sizes = np.linalg.norm(inner, axis=1)
    large = inner[sizes > 0.1 * sizes.max()]
    lengths = np.linalg.norm(large, axis=1)[:, None] * np.linalg.norm(inputs, axis=1)
    return np.asarray(large @ inputs.T / lengths)


def angles_to(run: Descent, target: Floats) -> Floats:
    """Of the linear part of the network at each record with a direction."""
    maps = np.einsum("th,thd->td", run.outer, run.inner) / 2
    cosines = maps @ target / np.linalg.norm(maps, axis=1) / np.linalg.norm(target)
    return np.asarray(np.arccos(np.clip(cosines, -1, 1)))


def even_over_odd(run: Descent, data: Dataset) -> float:
    """The largest even part of a ReLU network's output on the data at the end, over its largest odd part."""
    x = np.asarray(data.inputs, dtype=float)
    f, mirrored = (np.maximum(side @ run.inner[-1].T, 0) @ run.outer[-1] for side in (x, -x))
    return float(np.abs(f + mirrored).max() / np.abs(f - mirrored).max())


def augmented(data: Dataset) -> Dataset:
    """With each sample (x, y) also (-x, -y)."""
    return Dataset(np.vstack([data.inputs, -data.inputs]), np.concatenate([data.labels, -data.labels]))
