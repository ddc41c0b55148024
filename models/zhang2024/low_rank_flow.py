r"""The flow from the weights (40), up to three times the time in which the weights first change by their own size, and
the reduced flow $\tau\tfrac d{dt}(vr)=\tfrac12v^{L-1}(\beta-v^L\Sigma r)$ that it is said to follow.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from refute.arithmetic.enclosed import Enclosed
from refute.functions import maximum, sqrt
from refute.models.dataset import Dataset
from refute.models.zhang2024.fixed_slope import DeepField, fixed_slope_flow, joined
from refute.models.zhang2024.low_rank import LowRank, Rays, same_sign

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LowRankFlow:
    """`weights[k]` are all layers at time k."""

    rays: Rays
    time: Floats
    weights: list[list[Enclosed]]

    def v(self, k: int) -> Enclosed:
        """Read off the last layer."""
        last = self.weights[k][-1]
        return sqrt((last * last).sum()) / np.sqrt(2)  # type: ignore[no-any-return]

    def vr(self, k: int) -> Enclosed:
        """v r, read off the first layer."""
        return (self.weights[k][0].T @ np.asarray(self.rays[0], dtype=float)[:, None]).reshape(-1) / 2.0

    def form(self, k: int) -> list[Enclosed]:
        """The weights (40) with these v and r."""
        rays = [np.asarray(ray, dtype=float) for ray in self.rays]
        blocks = [np.outer(b, a) * same_sign(b, a) for a, b in pairwise(rays)]
        first = self.vr(k).reshape(1, -1) * rays[0][:, None]
        return [first, *(self.v(k) * block for block in (*blocks, rays[-1][None, :]))]

    def output(self, k: int, x: Floats) -> Enclosed:
        """f(x; W(t)) at rows of points."""
        signal = x @ self.weights[k][0].T
        for matrix in self.weights[k][1:]:
            signal = maximum(signal, 0.0) @ matrix.T
        return signal.reshape(-1)


def low_rank_flow(low: LowRank, tolerance: float, at_zero: float = 0.0) -> LowRankFlow:
    """At five times."""
    state, shapes = joined(low.weights), [matrix.shape for matrix in low.weights]
    speed = float(np.abs(DeepField(shapes, low.data).descent(state)[0]).max())
    times = np.linspace(0.0, 3.0, 5) * (float(np.abs(state).max()) / speed if speed > 1e-9 else 1.0)
    run = fixed_slope_flow(low.weights, low.data, times, at_zero=at_zero, tolerance=tolerance)
    weights = [[Enclosed(layer[k], run.error) for layer in run.weights] for k in range(len(times))]
    return LowRankFlow(low.rays, times, weights)


def reduced_flow(low: LowRank, times: Floats, tolerance: float) -> Enclosed:
    """v r at the times from the reduced equation; the error is the gap to a coarser run, twice."""
    fine, coarse = (_reduced(low.v * low.r, low.data, low.depth, times, part * tolerance) for part in (1.0, 30.0))
    return Enclosed(fine, 2 * np.abs(fine - coarse).max() + 10 * tolerance * np.abs(fine).max())


def _reduced(start: Floats, data: Dataset, depth: int, times: Floats, tolerance: float) -> Floats:
    def velocity(_: float, q: Floats) -> Floats:
        scale = np.sqrt(q @ q) ** (depth - 1)
        return np.asarray(scale * (data.correlation - scale * (data.covariance @ q)) / 2)

    if times[-1] == 0:
        return np.array([start] * len(times))
    rtol = max(tolerance, 1e-13)
    found = solve_ivp(velocity, (0.0, times[-1]), start, method="DOP853", t_eval=times, rtol=rtol, atol=1e-14)
    return np.asarray(found.y.T)
