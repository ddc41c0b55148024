r"""The plateau: while the outputs are zero to round-off, every neuron moves by itself and in closed form.

With outputs 0 the pulls c_i = -d loss / d output_i are constant, so a neuron runs through `Stage`s that end where it
meets an activation hyperplane. The plateau ends when sum_j |w_j|^2 reaches a given level. Between two ends of stages
each log-norm is a convex function of time, and so is ln sum_j |w_j|^2: the level is crossed at most once, upwards, and
bisection finds it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import logsumexp

from refute.models.logpolar.contact import Sides, across, crossed, push, resolve
from refute.models.logpolar.stage import Stage, stage

Floats = NDArray[np.float64]
ON_BOUNDARY = 1e-13  # |<u, x_i>| / |x_i| below which a neuron touches the hyperplane
MOST_STAGES = 1000


class Change(Enum):
    """What happens to the activation of a neuron on a point."""

    ENTERS = "the point becomes active"
    LEAVES = "the point becomes inactive"
    SLIDES = "the neuron stays on the hyperplane of the point"
    DIES = "the last active point leaves; the neuron is frozen"


@dataclass(frozen=True, slots=True)
class Switch:
    """Neuron `neuron` changes its activation on point `point` at time `offset + local`."""

    neuron: int
    point: int
    offset: float
    local: float
    change: Change

    @property
    def time(self) -> float:
        return self.offset + self.local


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The stages of one neuron and the sides (+1, -1, 0 for sliding) it has during each; `dead` says that the last one
    is final.
    """

    stages: tuple[Stage, ...]
    sides: tuple[Sides, ...]
    dead: bool
    switches: tuple[Switch, ...]

    def index_at(self, time: float) -> int:
        """The number of the stage that contains `time`."""
        return max(k for k, one in enumerate(self.stages) if one.start <= time or k == 0)

    def at(self, time: float) -> tuple[float, Floats, Sides]:
        """Log-norm, direction and sides at `time`."""
        k = self.index_at(time)
        return self.stages[k].log_norm_at(time), self.stages[k].direction_at(time), self.sides[k]


def is_dead(sides: Sides, slope: float) -> bool:
    """No gate is open: sigma' = 0 on every point (never for a leaky activation)."""
    return slope == 0 and not (sides == 1).any()


def describe(before: Sides, after: Sides, point: int, dead: bool) -> Change:
    """The change of one neuron on one point."""
    if dead:
        return Change.DIES
    if after[point] == 0:
        return Change.SLIDES
    return Change.ENTERS if after[point] > 0 else Change.LEAVES


def first_sides(direction: Floats, points: Floats, pulls: Floats, sign: int, slope: float) -> Sides:
    """The sides of a neuron at the start; on a hyperplane the consistent mode with fewest active points, and no life in
    a dead neuron.
    """
    pre = points @ direction
    sizes = np.linalg.norm(points, axis=1)
    sides: Sides = np.where(pre > ON_BOUNDARY * sizes, 1, -1)
    touched = np.flatnonzero((np.abs(pre) <= ON_BOUNDARY * sizes) & (sizes > 0))
    if is_dead(sides, slope) or not len(touched):
        return sides
    return resolve(points, pulls, sign, sides, touched, slope)


def path(
    direction: Floats, log_norm: float, sign: int, points: Floats, pulls: Floats, slope: float, neuron: int = 0
) -> Path:
    """The closed-form path of one neuron under constant pulls, up to its last stage."""
    sides = first_sides(direction, points, pulls, sign, slope)
    stages: list[Stage] = []
    modes: list[Sides] = []
    switches: list[Switch] = []
    time = 0.0
    for _ in range(MOST_STAGES):
        dead = is_dead(sides, slope) or not np.isfinite(log_norm)
        within = None
        if (sides == 0).any():  # round-off must not carry a sliding neuron off its hyperplane
            within = across(points[sides == 0])
            direction = _onto(within, direction)
        now = stage(
            time,
            log_norm,
            direction,
            sign,
            np.zeros_like(direction) if dead else push(points, pulls, sides, slope),
            within,
        )
        stages.append(now)
        modes.append(sides)
        times = now.crossing_times(points, sides)
        next_time = float(times.min(initial=np.inf))
        if dead or np.isinf(next_time):
            return Path(tuple(stages), tuple(modes), dead, tuple(switches))
        time, log_norm, direction = next_time, now.log_norm_at(next_time), now.direction_at(next_time)
        pre, sizes = points @ direction, np.linalg.norm(points, axis=1)
        hit = times <= next_time
        moved = crossed(points, sides, np.flatnonzero(hit)) != sides
        touched = np.flatnonzero(
            moved | (sides == 0) | ((np.abs(pre) <= ON_BOUNDARY * sizes) & (sizes > 0) & np.isfinite(times))
        )
        before, sides = sides, _settle(points, pulls, sign, sides, touched, hit, slope)
        ended = is_dead(sides, slope)
        changed = [int(i) for i in touched if sides[i] != before[i]]
        switches += [Switch(neuron, i, 0.0, time, describe(before, sides, i, ended)) for i in changed]
    return Path(tuple(stages), tuple(modes), False, tuple(switches))


def _settle(
    points: Floats,
    pulls: Floats,
    sign: int,
    sides: Sides,
    touched: NDArray[np.int_],
    hit: NDArray[np.bool_],
    slope: float,
) -> Sides:
    """Cross what was hit when nothing is left to push; otherwise a consistent mode."""
    beyond = crossed(points, sides, np.flatnonzero(hit))
    if is_dead(beyond, slope):
        return beyond
    return resolve(points, pulls, sign, sides, touched, slope)


def _onto(within: Floats, direction: Floats) -> Floats:
    moved = within @ direction
    size = float(np.linalg.norm(moved))
    return moved / size if size > 0.5 else direction


def log_mass(paths: Sequence[Path], time: float) -> float:
    """ln sum_j |w_j|^2 over the neurons that are not dead at `time`."""
    alive = [2 * one.at(time)[0] for one in paths if not (one.dead and one.index_at(time) == len(one.stages) - 1)]
    return float(logsumexp(alive)) if alive else -np.inf


def takeoff(paths: Sequence[Path], log_level: float) -> float:
    """The first time when ln sum_j |w_j|^2 >= `log_level`; infinite when it never is."""
    breaks = sorted({one.start for each in paths for one in each.stages})
    for left, right in zip(breaks, [*breaks[1:], np.inf], strict=True):
        if log_mass(paths, left) >= log_level:
            return left
        if np.isinf(right):
            right = _beyond(paths, left, log_level)
            if np.isinf(right):
                return right
        if log_mass(paths, np.nextafter(right, 0)) >= log_level:
            return float(
                brentq(lambda t: log_mass(paths, t) - log_level, left, np.nextafter(right, 0), xtol=1e-300, rtol=1e-15)
            )
    return np.inf


def _beyond(paths: Sequence[Path], left: float, log_level: float) -> float:
    """A time after the last switch when the level is exceeded; infinite when no neuron grows for ever."""
    if all(one.dead or one.stages[-1].strength == 0 for one in paths):
        return np.inf
    step = 1.0 / max(one.stages[-1].strength for one in paths if not one.dead)
    while np.isfinite(step) and left + step < 1e300:
        if log_mass(paths, left + step) >= log_level:
            return left + step
        step *= 2
    return np.inf
