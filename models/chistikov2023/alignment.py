r"""The first phase of chistikov2023: the flow beside the yardsticks of J_+ and J_-.

It ends at T_1 = eps ln(1/lambda)/|gamma|; T_0 is one unit after the last crossing of a yardstick.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Number
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.yardstick import Yardstick, end_of_alignment, gamma
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change, Switch
from refute.models.loss import SQUARE

Floats = NDArray[np.float64]
CLOSED = 1e-12  # directions in closed form: rapidities lose digits as they grow, but their tanh does not
COARSER = 1000.0  # than the tolerance asked for: up to T_1 the motion has a closed form


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """The yardsticks by neuron, the signs and the first log-norms of all neurons, the flow, T_0 and T_1."""

    ways: dict[int, Yardstick]
    signs: NDArray[np.int_]
    first: Floats
    flow: LogPolarTrajectory
    begin: float
    end: float

    def of_sign(self, s: int) -> list[int]:
        """J_+ or J_-."""
        return [j for j in self.ways if self.signs[j] == s]

    def log_norms(self, neurons: list[int], time: float) -> Enclosed:
        """ln |w_j| at T_0 or T_1."""
        return Enclosed(self.flow.log_norm[int(np.argmin(np.abs(self.flow.time - time))), neurons], self.flow.error)

    @property
    def turned(self) -> float:
        """The error of a direction: before take-off it has a closed form that knows nothing of the scale."""
        return CLOSED if self.flow.takeoff >= self.end else self.flow.error

    def since(self, time: float, neurons: list[int]) -> tuple[Enclosed, Floats]:
        """Directions from a time on, and how directions and log-norms have changed since then."""
        late = self.flow.time >= time - self.flow.time_error
        rows, norms = self.flow.direction[late][:, neurons], self.flow.log_norm[late][:, neurons]
        moved = np.concatenate([rows, norms[:, :, None]], axis=2)
        return Enclosed(rows, self.turned), moved - moved[0]

    def crossings(self, j: int) -> list[Switch]:
        """Where the neuron meets the boundary of a point."""
        return [one for one in self.flow.switches if one.neuron == j]

    def dies(self, j: int) -> bool:
        """Whether its last active point leaves."""
        return any(one.change is Change.DIES for one in self.crossings(j))

    def inside(self, j: int) -> tuple[NDArray[np.int_], Enclosed]:
        """How many points the neuron has crossed, and its direction, at the times inside the stages that come to an
        end.
        """
        times = np.array([one.time for one in self.crossings(j)])
        close = 1e-9 * (1 + self.flow.time) + self.flow.time_error
        passed = (times < self.flow.time[:, None]).sum(axis=1)
        clear = (np.abs(times - self.flow.time[:, None]) > close[:, None]).all(axis=1) & (passed < len(times))
        return passed[clear], Enclosed(self.flow.direction[clear, j], self.turned)


def alignment(start: Balanced, data: Dataset, epsilon: Number, tolerance: float) -> Alignment:
    """The flow is known at T_0 and T_1 and at what is on the way."""
    ways = dict(yardsticks(start.shape, start.signs, data))
    begin, end = end_of_alignment(list(ways.values())), end_of_first_phase(start, data, epsilon)
    flow = log_polar_flow(start, data, SQUARE, times=[begin, end], tolerance=COARSER * tolerance)
    return Alignment(ways, np.asarray(start.signs, dtype=int), start.log_norms_and_directions()[0], flow, begin, end)


def end_of_first_phase(start: Balanced, data: Dataset, epsilon: Number) -> float:
    """T_1."""
    push = float(np.linalg.norm(gamma(data, np.ones(len(data.labels), dtype=int))))
    return float(epsilon) * -float(start.log_scale) / push
