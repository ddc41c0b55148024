r"""A whole training of chistikov2023 at the scale of Assumption 2, often below 10^-10000.

Up to take-off the closed form of the yardsticks is used; then neurons of positive sign differ in direction by far less
than round-off, so that they move as one (`bundle`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT, Array, Number
from refute.errors import BadInput
from refute.language.case import lift
from refute.language.relations import Margin, equal, less
from refute.models.chistikov2023.alignment import CLOSED, end_of_first_phase
from refute.models.chistikov2023.bundle import Bundle, bundle, start_of
from refute.models.chistikov2023.smallness import delta, largest_length, yardsticks
from refute.models.chistikov2023.yardstick import Yardstick, gamma
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.angular_gap import plateau_invariants
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.field import State
from refute.models.loss import SQUARE
from refute.models.training import Stop

Floats = NDArray[np.float64]
LOST = 1e-3  # a cosine to a point, and the part of the labels that may be left on the others
ALIGNED = 100.0  # of ln(1/lambda): angles in the bundle at take-off, about lambda, are then far below round-off
COARSER = 100.0  # than the tolerance asked for: margins are wide
LEVEL = 1e-7  # of the first residuals, down to which a full flow is followed


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """ln(1/lambda), |gamma|, delta, Delta, T_1, the yardsticks of J_+, and their bundle if it is aligned to round-off.

    `lost` says that a point leaves the half-space of the bundle, which is then followed beyond where it is the flow.
    `since` is the local time of T_2 on the clock of the bundle.
    """

    data: Dataset
    begin: Balanced
    small: float
    push: float
    delta: float
    length: float
    start: float
    living: list[Yardstick]
    bundle: Bundle | None
    lost: bool
    since: float = field(default=np.inf)

    @property
    def half_way(self) -> float:
        """T_2: infinite when no neuron of positive sign is active, and T_1, which is a lower bound, where the bundle is
        not followed.
        """
        if not self.living:
            return np.inf
        return max(self.start, self.bundle.offset + self.bundle.half_way) if self.bundle else self.start

    @property
    def followed(self) -> Bundle:
        """The bundle, which there is under Assumptions 1 and 2, and which is active on all points as long as the angles
        are below pi/4.
        """
        if self.bundle is None:
            raise BadInput("the neurons of positive sign are not aligned to round-off", "keep Assumption 2")
        if self.lost:
            raise BadInput(
                "a point leaves the half-space of the bundle, which then no longer moves like one linear neuron",
                "keep the angle bound",
            )
        return self.bundle

    @property
    def late(self) -> NDArray[np.bool_]:
        """The times from T_2 on."""
        return np.asarray(self.followed.local >= self.since)

    def half_way_from(self, small: float) -> float:
        """T_2 for another ln(1/lambda)."""
        return start_of(self.followed.spectrum, self.living, -small)[0] + self.followed.half_way

    def judged(self, line: str, judge: Callable[[Bundle], Margin]) -> Margin:
        """What is said of the bundle; if there is none, the loss stays what it was; if a point is lost, whether the
        full flow fits.
        """
        if not self.living:
            return less(1, 0, f"{line}: no neuron of positive sign ever takes off")
        if self.lost:
            return fits(log_polar_flow(self.begin, self.data, SQUARE, tolerance=LEVEL, level=LEVEL), self.data)
        return judge(self.followed)

    @property
    def log_gaps(self) -> Enclosed:
        """ln(1 - cos) of pairs of J_+ at T_1, from the closed form; parallel ones are `PARALLEL`."""
        paths = [way.path for way in self.living]
        at = [path.at(self.start) for path in paths]
        state = State(np.array([a[0] for a in at]), np.array([a[1] for a in at]), np.array([a[2] for a in at]))
        kept = plateau_invariants(paths, np.ones(len(paths), dtype=int), self.start, state)
        gaps = (kept - state.log_norm[:, None] - state.log_norm[None])[np.triu_indices(len(paths), 1)]
        return Enclosed(np.maximum(gaps, PARALLEL), ROUND_OFF * self.small)

    @property
    def log_growth(self) -> Enclosed:
        """ln of |v| over that at T_1: at T_1, and along the bundle."""
        first = float(logsumexp([2 * way.log_norm_at(self.start) for way in self.living])) - 2 * self.small
        return Enclosed(np.concatenate([[0.0], np.log(self.followed.size) - first]), ROUND_OFF * self.small)


ROUND_OFF = 1e-13  # relative, of logarithms
PARALLEL = -1e100  # a logarithm below all others


def train(
    data: Dataset, teacher: Array, start: Balanced, epsilon: Number, tolerance: float, level: float = 1e-12
) -> Training:
    """The closed form up to take-off, and the bundle from there on."""
    ways, small = yardsticks(start.shape, start.signs, data), -float(start.log_scale)
    push = float(np.linalg.norm(gamma(data, np.ones(len(data.labels), dtype=int))))
    living = [one for j, one in ways if start.signs[j] > 0]
    settled = all(one.path.dead if start.signs[j] < 0 else (one.path.sides[-1] > 0).all() for j, one in ways)
    aligned = living and settled and small > ALIGNED
    way = bundle(data, teacher, living, -small, level=level, tolerance=COARSER * tolerance) if aligned else None
    sizes = delta(data, teacher, start.shape, start.signs), largest_length(data, start.shape)
    lost = way is not None and bool(
        (way.v @ np.asarray(data.inputs, dtype=float).T <= -10 * way.error * way.size[:, None]).any()
    )
    end = end_of_first_phase(start, data, epsilon)
    return Training(data, start, small, push, *sizes, end, living, way, lost, way.half_way if way else np.inf)


def quiet_neurons(start: Balanced, data: Dataset, time: float) -> Enclosed:
    """The pre-activations, per unit length, of all neurons but those of J_+: at `time` by their yardsticks, in closed
    form, or as they were at the start where they are active on no point.
    """
    points = lift(data, FLOAT).inputs
    moving = [one.path.at(time)[1] for j, one in yardsticks(start.shape, start.signs, data) if start.signs[j] < 0]
    rows = np.asarray(start.shape, dtype=float)
    asleep = [z / np.linalg.norm(z) for z in rows if not (points @ z > 0).any()]
    found = np.array([points @ w for w in [*moving, *asleep]]).reshape(-1)
    return Enclosed(found, CLOSED * float(np.linalg.norm(points, axis=1).max()))


def late_rate(one: Training) -> Enclosed:
    """-d ln L/dt at the last times; what it changes by over the last eighth of them is what it is not known to."""
    slopes = -np.diff(one.followed.log_loss) / np.diff(one.followed.local)
    return Enclosed(slopes[-1], abs(float(slopes[-1] - slopes[-len(slopes) // 8])))


def fits(end: LogPolarTrajectory, data: Dataset) -> Margin:
    """Every label is fitted in the end. It fails if the others are and no neuron is near being active on some point, so
    that it is lost.

    A flow that stopped before that, since it moves slowly, decides nothing.
    """
    known = lift(data, FLOAT)
    if end.stop is Stop.FITTED:
        return equal(1, 1, "the flow fits the labels")
    cosines = end.direction[-1] @ (known.inputs / np.linalg.norm(known.inputs, axis=1)[:, None]).T
    lost = ((cosines < -LOST - end.error) | end.dead[:, None]).all(axis=0)
    rest = np.abs(known.labels - end.output[-1])[~lost] + end.output_error
    if lost.any() and (rest < LOST * known.labels.max()).all():
        return equal(int(lost.sum()), 0, "points with a positive label on which no neuron is active any more")
    return Margin(Fraction(0), Fraction(1), line="the flow stopped before the labels were fitted")
