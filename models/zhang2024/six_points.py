r"""The training of Figure 2: six points that satisfy Condition 3 up to a small displacement of one of them.

Printed: the inputs, width 100, $\gamma=10^{-3}$, step 0.025. Read: the labels, drawn as circles and lines, are odd
up to the displacement and not linearly separable, which leaves one choice; the loss is the square loss.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.models.dataset import Dataset
from refute.models.descent.single import Snapshot, descend, square_loss_descent
from refute.models.drawing import Progress, watched
from refute.models.initialisation import small_gaussian
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]

SEEDS = 10
WIDTH, SCALE, RATE = 100, 1e-3, 0.025
STEPS, EVERY = 40_000, 200
ANGLES = np.linspace(-np.pi, np.pi, 7201)
CIRCLE = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


def six_points(displacement: float) -> Dataset:
    """The data of the figure; displacement 0.15 as printed, 0 for the exactly symmetric set."""
    inputs = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1], [-1, 0], [1, displacement]], dtype=float)
    return Dataset(inputs, np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0]))


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Training curves of all seeds: `loss` has shape (times, seeds)."""

    data: Dataset
    steps: Floats
    loss: Floats
    snapshots: tuple[Snapshot, ...]

    def output(self, time: int, seed: int, x: Floats) -> Floats:
        shot = self.snapshots[time]
        result: Floats = np.maximum(x @ shot.inner[seed].T, 0) @ shot.outer[seed]
        return result

    @property
    def linear_fit(self) -> Floats:
        """The least-squares linear map of the data."""
        fit: Floats = np.linalg.lstsq(self.data.inputs, self.data.labels, rcond=None)[0]
        return fit

    @property
    def linear_loss(self) -> float:
        return float(np.mean((self.data.labels - self.data.inputs @ self.linear_fit) ** 2) / 2)

    @property
    def converged(self) -> NDArray[np.intp]:
        """The seeds whose loss is practically zero at the end."""
        return np.flatnonzero(self.loss[-1] < 1e-3)

    def plateau(self, seed: int) -> tuple[int, int]:
        """First and last recorded time at which the loss is within 2 % of the linear optimum."""
        near = np.flatnonzero(np.abs(self.loss[:, seed] / self.linear_loss - 1) < 0.02)
        return (int(near[0]), int(near[-1])) if near.size else (0, 0)


@lru_cache(maxsize=4)
def train(displacement: float, device: str = "cpu") -> Runs:
    """All seeds at once, with the printed hyper-parameters."""
    starts = [small_gaussian(np.random.default_rng(seed), WIDTH, 2, SCALE) for seed in range(SEEDS)]
    inner, outer = np.stack([w for w, _ in starts]), np.stack([v for _, v in starts])
    data = six_points(displacement)
    shots = tuple(square_loss_descent(inner, outer, data, rate=RATE, steps=STEPS, every=EVERY, device=device))
    return Runs(data, np.array([s.step for s in shots], dtype=float), np.stack([s.loss for s in shots]), shots)


def train_in_turn(displacement: float, seeds: int, progress: Progress) -> Runs:
    """The same runs for any number of seeds, one after another in the fused kernel, which is faster for a picture."""
    data, runs = six_points(displacement), []
    for seed in watched(range(seeds), progress):
        inner, outer = small_gaussian(np.random.default_rng(seed), WIDTH, 2, SCALE)
        runs.append(descend(TwoLayer(inner, outer, 0), data, rate=RATE, steps=STEPS, every=EVERY, slope_at_zero=0))
    inner, outer, loss = (np.stack([getattr(run, name) for run in runs], axis=1) for name in ("inner", "outer", "loss"))
    shots = tuple(Snapshot(int(step), *parts) for step, *parts in zip(runs[0].steps, inner, outer, loss, strict=True))
    return Runs(data, runs[0].steps.astype(float), loss, shots)


@dataclass(frozen=True, slots=True)
class Plateaus:
    """By seed: the length of the plateau as a part of the run; a quarter into it, even over odd part on the circle, and
    the distance of the odd part from the least-squares map.
    """

    lengths: Floats
    even: Floats
    gaps: Floats

    def typical(self) -> "Plateaus":
        """Their medians."""
        return Plateaus(*(np.array([np.median(values)]) for values in (self.lengths, self.even, self.gaps)))


def plateaus(runs: Runs) -> Plateaus:
    """Where the loss stays near that of the linear optimum, and how linear the networks are there."""
    ends = [runs.plateau(seed) for seed in range(runs.loss.shape[1])]
    lengths = np.array([last - first for first, last in ends]) / len(runs.steps)
    even, gaps = [], []
    for seed, (first, last) in enumerate(ends):
        f = runs.output((3 * first + last) // 4, seed, CIRCLE)
        mirrored = f[(np.arange(len(f)) + len(f) // 2) % (len(f) - 1)]
        even.append(np.abs(f + mirrored).max() / np.abs(f - mirrored).max())
        gaps.append(np.abs((f - mirrored) / 2 - CIRCLE @ runs.linear_fit).max() / np.abs(runs.linear_fit).max())
    return Plateaus(lengths, np.array(even), np.array(gaps))


def nearest_boundaries(runs: Runs) -> tuple[Floats, float]:
    """For each converged run the smallest angle between a boundary and a datum; the smallest angle between neighbouring
    data.
    """
    data = np.sort(np.arctan2(runs.data.inputs[:, 1], runs.data.inputs[:, 0]))
    spacing = float(np.diff(np.append(data, data[0] + 2 * np.pi)).min())
    nearest = []
    for seed in runs.converged:
        f = runs.output(-1, int(seed), CIRCLE)
        zeros = ANGLES[:-1][f[:-1] * f[1:] <= 0]
        gap = np.abs((zeros[:, None] - data[None, :] + np.pi) % (2 * np.pi) - np.pi)
        nearest.append(float(gap.min()))
    return np.array(nearest), spacing
