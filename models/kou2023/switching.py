"""How often ReLU neurons change their state on samples, in windows of steps that double."""

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import Array, Number
from refute.functions import sign
from refute.models.dataset import Dataset
from refute.models.kou2023.decomposition import batch_courses

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]


def switches(data: Dataset, inner: Array, rate: Number, windows: int, slope: float = 0.0) -> Counts:
    """How often each neuron changed its state on each sample at the steps 2^k to 2^(k+1) - 1: (window k, neuron,
    sample).
    """
    counts = np.zeros((windows, len(inner), len(data.labels)), dtype=np.int64)
    courses = batch_courses(data, inner[None], slope=slope, rate=rate, steps=2**windows - 1)
    before = sign(next(courses)[0][0]) > 0
    for step, (signals, _) in enumerate(courses, start=1):
        now = sign(signals[0]) > 0
        counts[step.bit_length() - 1] += now != before
        before = now
    return counts


def two_points(overlap: float, radius: float, label: int) -> Dataset:
    """x_1 = e_1 with label 1, and x_2 of norm `radius` with <x_1, x_2> = overlap."""
    return Dataset(np.array([[1.0, 0.0], [overlap, np.sqrt(radius**2 - overlap**2)]]), np.array([1.0, float(label)]))


def own_active(inner: Floats, data: Dataset) -> tuple[Bools, Bools]:
    """S_1 among the first half of the neurons, S_2 among the second."""
    active = inner @ np.asarray(data.inputs, dtype=float).T > 0
    return active[: len(inner) // 2, 0], active[len(inner) // 2 :, 1]


def half_active_start(rng: np.random.Generator, data: Dataset, m: int) -> Floats:
    """Standard normal weights, drawn again until 0.4m <= |S_i| <= 0.6m."""
    while True:
        inner = rng.standard_normal((2 * m, 2))
        if all(0.4 * m <= active.sum() <= 0.6 * m for active in own_active(inner, data)):
            return inner
