r"""Yardstick trajectories of chistikov2023: where a neuron would go if the network's output stayed zero.

alpha_j(0) = z_j, d alpha_j/dt = s_j |alpha_j| gamma_{I_+(alpha_j)} with gamma_I = (1/n) sum_{i in I} y_i x_i. In
log-polar coordinates this is the motion of `models.logpolar.plateau` with pulls y_i / n, so each stage has a closed
form and each crossing time is one arsinh.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT, Array
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.logpolar.plateau import Path, path
from refute.models.logpolar.stage import log_cosh

Floats = NDArray[np.float64]
STEP = 1e-5  # of a difference quotient, in units of 1/|gamma|


def gamma(data: Dataset, active: Array) -> Array:
    """gamma_I = (1/n) sum_{i in I} y_i x_i for a mask of active points, in the arithmetic of the data."""
    moment: Array = (data.labels * np.asarray(active, dtype=int)) @ data.inputs / data.inputs.shape[0]
    return moment


@dataclass(frozen=True, slots=True, eq=False)
class Yardstick:
    """The trajectory of one neuron: crossing times tau^1 < tau^2 < ..., the points that are crossed, and the path in
    between.
    """

    times: Floats
    points: tuple[int, ...]
    path: Path

    def at(self, time: float) -> Floats:
        """alpha at `time` (beware of overflow beyond ln |alpha| = 700; `log_norm_at` and `direction_at` do not
        overflow).
        """
        return float(np.exp(self.log_norm_at(time))) * self.direction_at(time)

    def log_norm_at(self, time: float) -> float:
        """ln |alpha|."""
        return self.path.at(time)[0]

    def direction_at(self, time: float) -> Floats:
        """alpha / |alpha|."""
        return self.path.at(time)[1]

    def log_one_minus_cosine_at(self, time: float) -> float:
        """ln(1 - cos phi), phi the angle to gamma of the active points; -inf when aligned or without active points."""
        now = self.path.stages[self.path.index_at(time)]
        v = now.rapidity_at(time) if np.isfinite(now.rapidity) else now.rapidity
        if now.strength == 0 or v == np.inf:
            return -np.inf
        return float(np.log(2)) if v == -np.inf else float(-v - log_cosh(v))

    @property
    def log_growth(self) -> float:
        """ln c, c = lim e^{-|gamma| t} |alpha(t)| in the last stage of a neuron of positive sign: (b/2) e^{u_0 -
        |gamma| t_0}.
        """
        last = self.path.stages[-1]
        if np.isinf(last.rapidity):
            return last.log_norm - last.strength * last.start
        return float(last.log_norm - log_cosh(last.rapidity) + last.rapidity - np.log(2) - last.strength * last.start)


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """One-sided derivatives of yardsticks at some times, what the equation asks of them there, the sign of the neuron,
    and whether a point is crossed.
    """

    before: Enclosed
    after: Enclosed
    wanted: Floats
    s: NDArray[np.int_]
    crossing: NDArray[np.bool_]


def slopes(one: Yardstick, data: Dataset) -> Slopes:
    """By difference quotients of second order, at the crossings and in the middle of the stages.

    The third derivative is at most |gamma|^3 |alpha|; a point that is being crossed is not active.
    """
    s, ends = one.path.stages[0].sign, np.array([0.0, *one.times])
    most = float(np.linalg.norm(gamma(data, np.ones(len(data.labels), dtype=int))))
    h = min([STEP / most, *(np.diff(ends) / 4)])
    middles = (ends + np.append(one.times, ends[-1] + 1.0)) / 2
    times = np.concatenate([middles, one.times])
    active = [one.path.sides[k] > 0 for k in np.searchsorted(one.times, times, side="left" if s > 0 else "right")]
    sizes = np.array([np.linalg.norm(one.at(t)) for t in times])
    error = (2 * most**3 * h**2 + 1e-14 * (1 + times) / h) * sizes

    def towards(way: float) -> Enclosed:
        rows = [way * (4 * one.at(t + way * h) - 3 * one.at(t) - one.at(t + 2 * way * h)) / (2 * h) for t in times]
        return Enclosed(rows, error[:, None])

    wanted = s * sizes[:, None] * np.array([gamma(data, each) for each in active])
    crossing = np.arange(len(times)) > len(one.times)
    return Slopes(towards(-1.0), towards(1.0), wanted, np.full(len(times), s), crossing)


def yardstick(z: Array, sign: int, data: Dataset) -> Yardstick:
    """The yardstick trajectory from `z`; sigma' = 0 on points where alpha is not positive, and a neuron without active
    point stays.
    """
    data = lift(data, FLOAT)
    start = np.asarray(z, dtype=float)
    size = float(np.linalg.norm(start))
    if not size > 0 or start.shape != data.inputs.shape[1:]:
        raise BadInput(f"z must be a nonzero vector of dimension {data.inputs.shape[1]}, got {start.tolist()}")
    if sign not in (1, -1):
        raise BadInput(f"sign must be 1 or -1, got {sign}")
    way = path(start / size, float(np.log(size)), int(sign), data.inputs, data.labels / len(data.labels), 0.0)
    return Yardstick(np.array([one.time for one in way.switches]), tuple(one.point for one in way.switches), way)


def end_of_alignment(yardsticks: list[Yardstick]) -> float:
    """T_0 = max_j tau_j^{n_j} + 1."""
    return max([float(one.times[-1]) if one.times.size else 0.0 for one in yardsticks], default=0.0) + 1.0


def limit_shares(yardsticks: list[Yardstick]) -> Floats:
    """c_j^2 / sum_k c_k^2: the candidate for the limit of |w_j|^2 as first t -> infinity and then lambda -> 0 (positive
    signs).
    """
    growth = 2 * np.array([one.log_growth for one in yardsticks])
    parts = np.exp(growth - growth.max())
    shares: Floats = parts / parts.sum()
    return shares


def closest_approach(one: Yardstick, data: Dataset) -> float:
    r"""Component 9 of delta for one neuron: min |<alpha, x_i>| / (|alpha| |x_i|) over its stages, without the points
    crossed at their ends.

    On a stage <u, x_i> = sech(v) <e, x_i> + tanh(v) <g, x_i>/G, whose only stationary point is sinh(v) = <g, x_i>/(G
    <e, x_i>). One point is crossed at a time: where two are met together the second is approached to zero.
    """
    if (np.diff(one.times) == 0).any():
        return 0.0
    points = lift(data, FLOAT).inputs
    sizes = np.linalg.norm(points, axis=1, keepdims=True)
    points = points / np.where(sizes > 0, sizes, 1.0)
    smallest = np.inf
    for now, after in pairwise(one.path.stages):
        met = [point for time, point in zip(one.times, one.points, strict=True) if time in (now.start, after.start)]
        others = np.delete(points, met, axis=0)
        along, across = others @ now.toward, others @ now.across
        with np.errstate(divide="ignore", invalid="ignore"):
            turning = np.arcsinh(along / across)
        low, high = sorted((now.rapidity, now.rapidity_at(after.start)))
        for v in (np.full(len(others), low), np.full(len(others), high), np.clip(turning, low, high)):
            values = np.abs(np.exp(-log_cosh(v)) * across + np.tanh(v) * along)
            smallest = min(smallest, float(np.nanmin(values, initial=np.inf)))
    return smallest
