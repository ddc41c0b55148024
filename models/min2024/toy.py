r"""Fifty neurons in the plane, as in A.1 to A.3: gradient descent from $\alpha=10^{-6}$ with step $2\cdot10^{-3}$.

Printed: width, scale, step, the two data of A.2 and A.3, and iteration counts. Not printed: the loss, whether it is
summed or averaged, seeds, and the data of A.1. The iteration counts decide the second question for each loss: the
averaged exponential and the summed logistic loss (which have equal slopes here) show what is printed, the other two
combinations are twice as fast or as slow. The first is used. The data of A.1 are chosen: two positive and two shorter
negative points that satisfy Assumption 1.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.models.dataset import Dataset
from refute.models.descent.single import Descent, descend
from refute.models.initialisation import small_gaussian
from refute.models.loss import Loss, Shape
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
SEEDS, WIDTH, SCALE, RATE = 5, 50, 1e-6, 2e-3
LOSS = Loss(Shape.EXPONENTIAL)
TOY = Dataset(np.array([[1.0, 0.4], [1.2, -0.3], [-0.6, 0.1], [-0.5, -0.2]]), np.array([1.0, 1.0, -1.0, -1.0]))


def two_data(angle: float) -> Dataset:
    """(1, 0) and (sin angle, cos angle), both positive."""
    return Dataset(np.array([[1.0, 0.0], [np.sin(angle), np.cos(angle)]]), np.array([1.0, 1.0]))


@lru_cache(maxsize=32)
def train(angle: float | None, seed: int) -> tuple[Dataset, Descent]:
    """One run, recorded every 200 steps: 28000 of them on two data, 40000 on those of A.1 (no angle)."""
    data, steps = (TOY, 40_000) if angle is None else (two_data(angle), 28_000)
    inner, outer = small_gaussian(np.random.default_rng(seed), WIDTH, 2, SCALE)
    return data, descend(TwoLayer(inner, outer, 0.0), data, LOSS, rate=RATE, steps=steps, every=200, slope_at_zero=0.0)


def recorded(run: Descent, step: int) -> int:
    """The index of a step."""
    return int(np.searchsorted(run.steps, step))


def plateau(run: Descent) -> int:
    """The index of the last recorded time with a loss above 99/100 of the first."""
    return int(np.flatnonzero(run.loss > 0.99 * run.loss[0])[-1])


def outside(angle: float, seed: int, step: int) -> tuple[int, int]:
    """How many positive neurons that see a datum are not in S_+ at a step, and how many are."""
    data, run = train(angle, seed)
    k = recorded(run, step)
    pre = run.inner[k] @ np.asarray(data.inputs, dtype=float).T
    alive, inside = (pre > 0).any(axis=1) & (run.outer[k] > 0), (pre > 0).all(axis=1)
    return int((alive & ~inside).sum()), int((alive & inside).sum())


def partial(angle: float, seed: int) -> tuple[Floats, Floats]:
    """The positive neurons that see one datum only at the end: their cosines with it, and their norms relative to the
    largest one.
    """
    data, run = train(angle, seed)
    pre, norms = run.inner[-1] @ np.asarray(data.inputs, dtype=float).T, np.linalg.norm(run.inner[-1], axis=1)
    chosen = (run.outer[-1] > 0) & ((pre > 0).sum(axis=1) == 1)
    return (pre / norms[:, None]).max(axis=1)[chosen], norms[chosen] / norms.max()


def cone_cosines(run: Descent, k: int) -> tuple[int, Floats]:
    """How many living neurons are in no cone of their sign at time k, on the data of A.1, and the cosines of the others
    with their centre.
    """
    x, y = np.asarray(TOY.inputs, dtype=float), np.asarray(TOY.labels, dtype=float)
    pre, signs = run.inner[k] @ x.T, np.sign(run.outer[k])
    alive, settled = (pre > 0).any(axis=1), ((pre > 0) == (y[None] == signs[:, None])).all(axis=1)
    centres = np.array([x[y == s].sum(axis=0) for s in (1, -1)])[np.where(signs > 0, 0, 1)]
    cosines = (
        (run.inner[k] * centres).sum(axis=1) / np.linalg.norm(run.inner[k], axis=1) / np.linalg.norm(centres, axis=1)
    )
    return int((alive & ~settled).sum()), cosines[alive & settled]


def drops(run: Descent) -> Floats:
    """The separate peaks of -d log L/dt, largest first: between a peak and any larger one the rate is halved."""
    rate = -np.diff(np.log(run.loss))
    order = np.argsort(rate)[::-1]
    peaks: list[int] = []
    for k in order:
        if rate[k] > 0 and all(rate[min(k, p) : max(k, p) + 1].min() < rate[k] / 2 for p in peaks):
            peaks.append(int(k))
    return rate[peaks]


def sharp_drops(run: Descent) -> int:
    """How many of them have at least a tenth of the height of the largest."""
    heights = drops(run)
    return int((heights > 0.1 * heights[0]).sum())
