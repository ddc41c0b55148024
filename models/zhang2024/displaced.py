r"""Training on the data of Figure 2 with the last input at $(1,\delta)$, for any $\delta$.

Width 100 and $\gamma=10^{-3}$ as printed there, step 0.1: four times the printed one, to shorten the runs, which end
soon after the plateau. Times are in units of t.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.models.descent.single import Descent, descend
from refute.models.initialisation import small_gaussian
from refute.models.network import TwoLayer
from refute.models.zhang2024.six_points import CIRCLE, SEEDS, Runs, six_points
from refute.models.zhang2024.six_points import RATE as RATE_PRINTED

Floats = NDArray[np.float64]

RATE, WIDTH, SCALE, EVERY = 0.1, 100, 1e-3, 20
LEAVING = (0, 2, 4)  # seeds 1, 3 and 5 never leave the plateau for some displacements


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One run: loss over time, and the loss of the best linear map."""

    run: Descent
    linear_loss: float
    rate: float

    @property
    def arrival(self) -> float:
        """The time at which the loss comes within 2 % of the best linear map."""
        return float(self.run.steps[np.argmax(self.run.loss < 1.02 * self.linear_loss)]) * self.rate

    @property
    def departure(self) -> float:
        """The time at which the loss is half of the plateau; infinite if it never is."""
        below = np.flatnonzero(self.run.loss < self.linear_loss / 2)
        return float(self.run.steps[below[0]]) * self.rate if below.size else np.inf

    @property
    def duration(self) -> float:
        """The time between both."""
        return self.departure - self.arrival

    def bend_time(self, ratio: float) -> float:
        """The first time after the arrival at which the even part of f on the circle exceeds `ratio` times its odd
        part; at most 10^9.
        """
        for step, w, a in zip(self.run.steps, self.run.inner, self.run.outer, strict=True):
            if step * self.rate >= self.arrival:
                f, mirrored = (np.maximum(x @ w.T, 0) @ a for x in (CIRCLE[::40], -CIRCLE[::40]))
                if np.abs(f + mirrored).max() > ratio * np.abs(f - mirrored).max():
                    return float(step) * self.rate
        return 1e9


@lru_cache(maxsize=64)
def course(delta: float, seed: int, scale: float = SCALE, rate: float = RATE) -> Course:
    """Train until well after the departure that the law duration = 100/delta expects."""
    data = six_points(delta)
    inner, outer = small_gaussian(np.random.default_rng(seed), WIDTH, 2, scale)
    steps, every = int((160 / max(delta, 0.04)) / rate), round(EVERY * RATE / rate)
    run = descend(TwoLayer(inner, outer, 0), data, rate=rate, steps=steps, every=every, slope_at_zero=0)
    x, y = data.inputs, data.labels
    return Course(run, float(np.mean((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2)) / 2, rate)


def duration(delta: float, scale: float = SCALE) -> float:
    """Median time on the plateau over the runs that leave it."""
    found = [course(delta, seed, scale).duration for seed in LEAVING]
    left = [value for value in found if np.isfinite(value)]
    return float(np.median(left)) if left else np.inf


def gaps_to_linear(runs: Runs) -> Floats:
    """By seed of Figure 2, the largest distance to the loss of the linear network of Theorem 5 in rescaled time up to a
    tenth of the run, relative to the first loss.
    """
    gaps = []
    for seed in range(SEEDS):
        inner, outer = small_gaussian(np.random.default_rng(seed), WIDTH, 2, SCALE)
        start = TwoLayer(inner / np.sqrt(2), outer / np.sqrt(2), 1)
        linear = descend(start, runs.data, rate=RATE_PRINTED / 2, steps=4000, every=200, slope_at_zero=start.slope)
        gaps.append(float(np.abs(runs.loss[:21, seed] - linear.loss).max() / linear.loss[0]))
    return np.array(gaps)
