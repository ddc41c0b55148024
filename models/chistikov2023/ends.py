r"""Where the full flow of chistikov2023 ends, at scales whose logarithms double: beside the point of Theta_{v*} that is
the candidate for the limit as lambda -> 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed, stacked
from refute.arithmetic.numbers import FLOAT, Array
from refute.language.case import lift
from refute.language.limits import Logs
from refute.language.relations import Decision
from refute.models.chistikov2023.angles import log_angle
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.training import fits
from refute.models.chistikov2023.yardstick import limit_shares
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE

Floats = NDArray[np.float64]
SCALES = (1e-1, 1e-2, 1e-4, 1e-8, 1e-16)
LEVEL = 1e-9  # of the first residuals, down to which the flow is followed
GAPS = 4  # times the error of a log-norm: that of ln(1 - cos)


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The flows from the `scales`, the neurons of J_+ (`chosen`), and the shares of their yardsticks.

    Every quantity has the scales along its first axis; what is left of the residuals counts as an error.
    """

    data: Dataset
    scales: Sequence[float]
    runs: tuple[LogPolarTrajectory, ...]
    chosen: tuple[int, ...]
    shares: Floats
    left: Floats

    def run(self, scale: float) -> LogPolarTrajectory:
        """The flow from one of the scales."""
        return self.runs[list(self.scales).index(scale)]

    @property
    def finished(self) -> bool:
        """Whether every run has fitted the labels, or lost one for good: a slow run tells nothing of its limit."""
        return all(fits(run, self.data).decision is not Decision.UNDECIDED for run in self.runs)

    def with_equal_shares(self) -> "Ends":
        """As if all yardsticks of J_+ were equally long in the end."""
        return replace(self, shares=np.full(len(self.chosen), 1 / max(len(self.chosen), 1)))

    def _last(self, name: str, rows: Sequence[int]) -> Enclosed:
        found = [Enclosed(getattr(run, name)[-1][list(rows)], run.error) for run in self.runs]
        return stacked(found)

    def _unsure(self, known: Enclosed) -> Enclosed:
        return Enclosed(known.value, known.error + self.left.reshape(-1, *[1] * (known.ndim - 1)))

    @property
    def squares(self) -> Enclosed:
        """|w_j|^2 for j in J_+."""
        return self._unsure((2 * self._last("log_norm", self.chosen)).through(np.exp))

    @property
    def directions(self) -> Enclosed:
        """Of the neurons of J_+."""
        return self._unsure(self._last("direction", self.chosen))

    @property
    def others(self) -> Enclosed:
        """|w_j| of all other neurons."""
        rows = [j for j in range(len(self.runs[0].signs)) if j not in self.chosen]
        return self._last("log_norm", rows).through(np.exp)

    @property
    def log_angles(self) -> Logs:
        """ln of the angles between two neurons of J_+ that are not parallel."""
        pairs = np.triu_indices(len(self.chosen), 1)
        gaps = np.array([run.log_gap[np.ix_(self.chosen, self.chosen)][pairs] for run in self.runs])
        told = gaps[:, np.isfinite(gaps).all(axis=0)]
        errors = np.array([GAPS * run.error for run in self.runs])[:, None]
        return Logs(log_angle(told), np.broadcast_to(errors, told.shape))

    def distance(self, teacher: Array) -> Enclosed:
        """The largest distance of a w_j from its limit c_j v*, the c_j^2 being the shares."""
        limit = np.zeros(self.runs[0].direction[-1].shape)
        limit[list(self.chosen)] = np.outer(np.sqrt(self.shares), np.asarray(teacher, dtype=float))
        rows = [np.exp(run.log_norm[-1])[:, None] * run.direction[-1] for run in self.runs]
        found = [float(np.linalg.norm(row - limit, axis=1).max()) for row in rows]
        return Enclosed(found, [2 * run.error + left for run, left in zip(self.runs, self.left, strict=True)])


def ends(start: Balanced, data: Dataset, scales: Sequence[float], tolerance: float, level: float = LEVEL) -> Ends:
    """The flow from every scale, whatever the scale of the start is."""
    known, ways = lift(data, FLOAT), yardsticks(start.shape, start.signs, data)
    living = [(j, one) for j, one in ways if start.signs[j] > 0]
    shares = limit_shares([one for _, one in living]) if living else np.empty(0)
    begun = [Balanced(start.shape, start.signs, float(np.log(scale)), start.slope) for scale in scales]
    runs = tuple(log_polar_flow(one, data, SQUARE, tolerance=tolerance, level=level) for one in begun)
    reach = float(np.linalg.norm(np.linalg.pinv(known.inputs), 2))
    left = np.array([reach * float(np.linalg.norm(known.labels - run.output[-1])) for run in runs])
    return Ends(known, tuple(scales), runs, tuple(j for j, _ in living), shares, left)
