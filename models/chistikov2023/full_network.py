"""The whole network of chistikov2023 beside the one-neuron bundle, at scales whose logarithms double.

The bundle does not depend on the scale but for its clock. Both are compared at the times of the bundle's own grid at
which it has grown, and is not at the teacher yet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed, stacked
from refute.arithmetic.numbers import Array
from refute.models.chistikov2023.bundle import Bundle, bundle
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE

Floats = NDArray[np.float64]
GROWN, LEFT = 0.05, 1e-2  # |v| from which on, and the largest |1 - p| down to which they are compared
TIMES = 12


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """At every scale and time: v of the whole network and of the bundle (times, dimension), their losses, and the norms
    of the neurons outside J_+.
    """

    network: Enclosed
    single: Floats
    losses: Enclosed
    single_losses: Floats
    others: Enclosed

    def late(self) -> "Beside":
        """With the bundle one of the times behind."""
        return replace(self, single=np.roll(self.single, 1, axis=0))


def beside(start: Balanced, data: Dataset, teacher: Array, scales: Sequence[float], tolerance: float) -> Beside | None:
    """None where no neuron of positive sign lives."""
    ways = yardsticks(start.shape, start.signs, data)
    chosen = [j for j, _ in ways if start.signs[j] > 0]
    living = [one for j, one in ways if start.signs[j] > 0]
    if not living:
        return None
    logs = [float(np.log(scale)) for scale in scales]
    way = bundle(data, teacher, living, logs[0], level=LEFT / 10, tolerance=tolerance)
    clocks = [
        way.offset + (logs[0] - log) / float(np.linalg.norm(way.spectrum.eta * way.spectrum.teacher)) for log in logs
    ]
    picked = _picked(way, clocks[0])
    runs = [
        (
            log_polar_flow(
                _at(start, log), data, SQUARE, times=(clock + way.local[picked]).tolist(), tolerance=tolerance
            ),
            clock,
        )
        for log, clock in zip(logs, clocks, strict=True)
    ]
    rows = [(run, [int(np.argmin(np.abs(run.time - clock - t))) for t in way.local[picked]]) for run, clock in runs]
    rest = [j for j in range(len(start.shape)) if j not in chosen]
    return Beside(
        stacked(_predictor(run, at, chosen) for run, at in rows),
        way.v[picked],
        stacked(_loss(run, at, data) for run, at in rows),
        np.exp(way.log_loss[picked]),
        stacked(run.log_norms[at][:, rest].through(np.exp) for run, at in rows),
    )


def _at(start: Balanced, log_scale: float) -> Balanced:
    return Balanced(start.shape, start.signs, log_scale, start.slope)


def _picked(way: Bundle, clock: float) -> NDArray[np.int_]:
    """Of the times of the bundle those that are compared; none before the start."""
    fit = (way.size >= GROWN) & (np.abs(way.q).max(axis=1) >= LEFT) & (way.local + clock > 0)
    found = np.flatnonzero(fit)
    return np.asarray(found[np.unique(np.linspace(0, len(found) - 1, TIMES).astype(int))])


def _predictor(run: LogPolarTrajectory, at: list[int], chosen: list[int]) -> Enclosed:
    """v = sum of a_j w_j over J_+."""
    sizes = (2 * run.log_norms[at][:, chosen]).through(np.exp)
    return (sizes.reshape(len(at), len(chosen), 1) * run.directions[at][:, chosen]).sum(axis=1)


def _loss(run: LogPolarTrajectory, at: list[int], data: Dataset) -> Enclosed:
    missed = run.outputs[at] - np.asarray(data.labels, dtype=float)
    return (missed * missed).sum(axis=1) / (2 * len(data.labels))
