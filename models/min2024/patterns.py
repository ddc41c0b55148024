"""Activation patterns of single neurons during the alignment phase of min2024."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import ON_BOUNDARY, Change, Switch
from refute.models.loss import Loss
from refute.models.min2024.cones import centre

Bools = NDArray[np.bool_]


def is_right(switch: Switch, run: LogPolarTrajectory, data: Dataset) -> bool:
    """Whether a datum of the neuron's class becomes active, or one of the other class inactive."""
    wanted = {Change.ENTERS: 1, Change.LEAVES: -1, Change.DIES: -1}
    return bool(run.signs[switch.neuron] * int(data.labels[switch.point]) == wanted.get(switch.change))


def unsettled(active: Bools, sign: int, data: Dataset) -> bool:
    """Neither dead nor in the cone of its sign."""
    return bool(active.any() and (active != (data.labels == sign)).any())


def activity(directions: NDArray[np.float64], data: Dataset) -> Bools:
    """Which data directions see."""
    units = data.inputs / np.linalg.norm(data.inputs, axis=1)[:, None]
    return np.asarray(directions @ units.T > ON_BOUNDARY)


def lifetimes(seen: LogPolarTrajectory, begin: Balanced, data: Dataset, loss: Loss, tolerance: float) -> Enclosed:
    """How long each pattern of each unsettled neuron lasts until the end of a run that has been seen, times its number
    of active data. The patterns are those of a second run, halfway between changes.
    """
    width, end = range(len(begin.signs)), float(seen.time[-1])
    breaks = [[0.0, *sorted({one.time for one in seen.switches if one.neuron == j}), end] for j in width]
    middles = sorted({(a + b) / 2 for times in breaks for a, b in pairwise(times)})
    run = log_polar_flow(begin, data, loss, times=[*middles, end], tolerance=tolerance)
    found = []
    for j, times in enumerate(breaks):
        for a, b in pairwise(times):
            middle = int(np.argmin(np.abs(run.time - (a + b) / 2)))
            active = activity(run.direction[middle, j], data)
            if unsettled(active, int(run.signs[j]), data):
                found.append((b - a) * int(active.sum()))
    return Enclosed(np.array(found), 2 * len(data.labels) * seen.error)


def squared_sines(run: LogPolarTrajectory, data: Dataset, neuron: int) -> Enclosed:
    """1 - cos^2 of the angles of a neuron with the centre of the other class at every time, without cancellation; 1
    where the cosine is negative.
    """
    c = np.asarray(centre(data, -int(run.signs[neuron])), dtype=float)
    rows, unit = run.directions[:, neuron], c / np.linalg.norm(c)
    apart = ((rows - unit) ** 2).sum(axis=-1)
    found, behind = apart * (1 - apart / 4), rows.value @ unit <= 0
    return Enclosed(np.where(behind, 1.0, found.value), np.where(behind, 0.0, found.error))
