r"""Section 5: the bundle of aligned neurons grows and turns from the origin to the teacher (Theorem 6 and what its
proof says on the way).

$\lambda$ is the one that Assumption 2 asks for, often below $10^{-10000}$. Up to take-off the closed form of the
yardsticks is used; then neurons of positive sign differ in direction by far less than round-off, so that they move as
one (`models.reference.bundle`).
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute import Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, nothing, suppose, without
from refute.arithmetic.numbers import FLOAT, Array
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2, quarter_angle
from refute.errors import BadInput
from refute.language.case import lift
from refute.models import Dataset
from refute.models.chistikov2023.bundle import Bundle, bundle
from refute.models.chistikov2023.smallness import delta, largest_length, yardsticks
from refute.models.chistikov2023.yardstick import Yardstick, gamma
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.angular_gap import plateau_invariants
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.field import State
from refute.models.loss import SQUARE
from refute.models.run import Stop
from refute.strategies import choice
from refute.strategies.chistikov2023.correlated import SETTING, correlated, start

Floats = NDArray[np.float64]
PAIRS = correlated(start=start, epsilon=choice("1/4", "1/8", "1/100"), width=(2, 3))
LOST = 1e-3  # a cosine to a point, and the part of the labels that may be left on the others
ALIGNED = 100.0  # of ln(1/lambda): angles in the bundle at take-off, about lambda, are then far below round-off


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One training run: ln(1/lambda), |gamma|, delta, Delta, T_1, the yardsticks of J_+, and their bundle if it is
    aligned to round-off.

    `lost` says that a point leaves the half-space of the bundle, which is then followed beyond where it is the flow.
    """

    small: float
    push: float
    delta: float
    length: float
    start: float
    living: list[Yardstick]
    bundle: Bundle | None
    lost: bool

    @property
    def half_way(self) -> float:
        """T_2: infinite when no neuron of positive sign is active, and T_1, which is a lower bound, where the bundle is
        not followed.
        """
        if not self.living:
            return np.inf
        return max(self.start, self.bundle.offset + self.bundle.half_way) if self.bundle else self.start


def run(data: Dataset, teacher: Array, start: Balanced, epsilon: float, tolerance: float, level: float = 1e-12) -> Run:
    """The closed form up to take-off, and the bundle from there on; margins are wide, so it is integrated to 100 times
    the tolerance.
    """
    ways, small = yardsticks(start.shape, start.signs, data), -float(start.log_scale)
    push = float(np.linalg.norm(gamma(data, np.ones(len(data.labels), dtype=int))))
    living = [one for j, one in ways if start.signs[j] > 0]
    settled = all(one.path.dead if start.signs[j] < 0 else (one.path.sides[-1] > 0).all() for j, one in ways)
    aligned = living and settled and small > ALIGNED
    way = bundle(data, teacher, living, -small, level=level, tolerance=100 * tolerance) if aligned else None
    sizes = delta(data, teacher, start.shape, start.signs), largest_length(data, start.shape)
    lost = way is not None and bool(
        (way.v @ np.asarray(data.inputs, dtype=float).T <= -10 * way.error * way.size[:, None]).any()
    )
    return Run(small, push, *sizes, epsilon * small / push, living, way, lost)


def followed(one: Run) -> Bundle:
    """The bundle, which there is under Assumptions 1 and 2, and which is active on all points as long as the angles are
    below pi/4.
    """
    if one.bundle is None:
        raise BadInput("the neurons of positive sign are not aligned to round-off", "keep Assumption 2")
    if one.lost:
        raise BadInput(
            "a point leaves the half-space of the bundle, which then no longer moves like one linear neuron",
            "keep the angle bound",
        )
    return one.bundle


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


def fits_in_the_end(data: Dataset, start: Balanced) -> Margin:
    """For runs without a linear bundle: the full flow fits all labels."""
    return fits(log_polar_flow(start, data, SQUARE, tolerance=1e-7, level=1e-7), data)


def _constraints(way: Bundle, low: float, half: float) -> Floats:
    """Relative slacks of the constraints of S along the bundle (times, constraints); infinite where
    one does not apply.
    """
    s, q, p = way.spectrum, way.q, np.exp(way.log_p)
    stage = np.argmax(q >= 0, axis=1)
    logs = np.where(
        p < 0.5, np.log1p(-np.minimum(p, 0.5)), np.log(np.maximum(np.abs(q), 1e-300))
    )  # ln q, also for tiny p
    found = [np.where((q >= 0).any(axis=1), np.inf, -1.0), way.heading]
    for k in range(s.dimension):
        if k:  # p_1 > 0 goes without saying
            found.append(np.where(stage == k, p[:, k] * 2 * s.eta[k - 1] / s.eta[k] - 1, np.inf))
        for later in range(k + 1, s.dimension):
            ratio, e = low * s.eta[later] / (2 * s.eta[k]), half + (1 - half) * s.eta[later] / s.eta[k]
            found.append(np.where(stage <= k, p[:, later] / (ratio * p[:, k]) - 1, np.inf))
            found.append(np.where(stage <= k, e * logs[:, k] / logs[:, later] - 1, np.inf))
    return np.array(found).T


@claim(
    "chistikov2023.set_S.trajectory_stays",
    "section 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        moved("lower bounds by p_k 11/5 times as large", low=2.2),
        moved("exponent 11/10 eta_k'/eta_k - 1/10", half=-0.1),
    ],
    convention="relative slacks from take-off on; from T_1 till then the ratios of the p_k are the same to round-off; "
    "so is the padding 0",
)
def the_bundle_stays_in_the_set(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    low: float = 1.0,
    half: float = 0.5,
) -> Margin:
    r"""$v^t\in\mathcal S$ for all $t\ge T_1$."""
    way = followed(run(data, teacher, start, epsilon, tolerance))
    slack = _constraints(way, low, half)
    return less(0, np.minimum(slack, 1.0), "relative slacks", error=10 * way.error)


@claim(
    "chistikov2023.set_S.handover_order",
    "section 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("in the opposite order", way=-1), moved("the last coordinate overshoots as well", overshoots=1)],
    convention="the signs of q_k = 1 - p_k on a grid of times, down to |q| = 1e-20; exactly when means: by definition "
    "of S_l",
)
def coordinates_overshoot_in_order(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    way: int = 1,
    overshoots: int = 0,
) -> Margin:
    r"""$v^t$ passes through $\mathcal S_1,\dots,\mathcal S_d$ in this order: $\nu_1^t,\dots,\nu_{d-1}^t$ exceed their
    targets one after the other, each once and for good, and $\nu_d^t$ never does.
    """
    course = followed(run(data, teacher, start, epsilon, tolerance, level=1e-20))
    beyond = course.q < 0
    last = beyond.shape[1] - 1
    changes = np.abs(np.diff(beyond.astype(int), axis=0)).sum(axis=0)
    parts = [
        equal(changes[:last], 1, "how often q_1, ..., q_{d-1} change sign"),
        equal(changes[last], overshoots, "how often q_d does"),
    ]
    for k in range(last):
        then = int(np.argmax(beyond[:, k]))
        parts.append(
            less(
                0,
                way * course.q[then, k + 1] / np.abs(course.q[then]).max(),
                "q_{k+1} when p_k exceeds 1",
                error=course.error,
            )
        )
    return all_of(*parts)


def _log_gaps(one: Run) -> Floats:
    """ln(1 - cos) of pairs of J_+ at T_1, from the closed form."""
    paths = [way.path for way in one.living]
    at = [path.at(one.start) for path in paths]
    state = State(np.array([a[0] for a in at]), np.array([a[1] for a in at]), np.array([a[2] for a in at]))
    kept = plateau_invariants(paths, np.ones(len(paths), dtype=int), one.start, state)
    return np.asarray((kept - state.log_norm[:, None] - state.log_norm[None])[np.triu_indices(len(paths), 1)])


@claim(
    "chistikov2023.bundle.cosines",
    "section 5",
    kind=Kind.DYNAMICS,
    given=PAIRS,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("1 - 4 lambda^{3 epsilon}", power=3.0), moved("1 - lambda^{2 epsilon}/4", power=2.0, factor=0.25)],
    convention="logarithms: at T_1 in closed form, later by the conserved |w_j||w_k| - <w_j, w_k>, so 1 - cos falls "
    "as the norms grow",
    cost=0.25,  # in many a case only one neuron lives
)
def angles_in_the_bundle_stay_tiny(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    power: float = 1.0,
    factor: float = 4.0,
) -> Margin:
    r"""$\cos\angle(w_j^t,w_{j'}^t)>1-4\lambda^\varepsilon$ for all $t\ge T_1$ and $j,j'\in J_+$."""
    one = run(data, teacher, start, epsilon, tolerance)
    gaps = _log_gaps(one)
    suppose(gaps.size > 0, "two neurons live")
    first = float(logsumexp([2 * way.log_norm_at(one.start) for way in one.living])) - 2 * one.small
    grown = np.log(followed(one).size) - first
    largest = np.maximum(gaps.max() - np.concatenate([[0.0], grown]), -1e300)
    return less(largest, np.log(factor) - power * epsilon * one.small, "ln(1 - cos)", error=1e-13 * one.small)


@claim(
    "chistikov2023.bundle.angles_non_increasing",
    "section 1, third contribution",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("at a rate of |g|/2 at least", rate=0.5), moved("at a rate of |g| at least", rate=1.0)],
    convention="d ln(1 - cos)/dt = -<g, w_j/|w_j| + w_k/|w_k|>; both directions are that of v to round-off",
)
def angles_in_the_bundle_do_not_grow(
    data: Dataset, teacher: Array, start: Balanced, epsilon: float, tolerance: float, *, rate: float = 0.0
) -> Margin:
    r"""From $T_1$ on the angle between any two neurons of $J_+$ does not increase:
    $g^\top(\bar w_j+\bar w_{j'})\ge0$.
    """
    way = followed(run(data, teacher, start, epsilon, tolerance))
    return at_least(2 * way.heading, 2 * rate, "<g, sum of directions> / |g|", error=10 * way.error)


@claim(
    "chistikov2023.bundle.linear_network",
    "section 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        without(quarter_angle),
        moved("cosine to every input at least 3/5", cosine=0.6),
        moved("neurons of negative sign stay active", active=1),
    ],
    convention="positive sign: active on every input from T_1 on (v on the bundle's grid); all others: inactive on "
    "every input",
)
def the_network_is_linear_on_the_data(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    cosine: float = 0.0,
    active: int = 0,
) -> Margin:
    r"""From $T_1$ on $h_{\theta^t}(x_i)=v^{t\top}x_i$ for all $i$: the network acts like one linear neuron."""
    one = run(data, teacher, start, epsilon, tolerance)
    way = one.bundle or followed(one)
    cosines = way.v @ data.inputs.T / (way.size[:, None] * np.linalg.norm(data.inputs, axis=1))
    others = [
        path.path.at(one.start)[1] for j, path in yardsticks(start.shape, start.signs, data) if start.signs[j] < 0
    ]
    others += [z / np.linalg.norm(z) for z in start.shape if not (data.inputs @ z > 0).any()]
    quiet = np.array([data.inputs @ w for w in others]).reshape(-1)
    return all_of(
        less(cosine, cosines, "cosine of v and x_i", error=10 * way.error),
        at_most(quiet, -0.1 if active else 0.0, "pre-activation of the others", error=1e-12)
        if quiet.size
        else nothing("no others"),
    )


@claim(
    "chistikov2023.polyak_lojasiewicz",
    "section 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        moved("5/2 in place of 2/5", constant=2.5),
        moved("eta_1 in place of eta_d", least=0),
        moved("from take-off on", from_start=1),
    ],
    convention="the printed constant carries the factor |gamma|, without which the two sides would scale differently "
    "with the inputs",
)
def the_gradient_dominates_the_loss(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    constant: float = 0.4,
    least: int = -1,
    from_start: int = 0,
) -> Margin:
    r"""$\|\nabla L(\theta^t)\|^2>\frac{2\eta_d\|\gamma_{[n]}\|}{5\eta_1}L(\theta^t)$ for all $t\ge T_2$."""
    one = run(data, teacher, start, epsilon, tolerance)
    way = followed(one)
    late = way.local >= (0.0 if from_start else way.half_way)
    ratio = np.log(way.squared_gradient) - way.log_loss
    eta = way.spectrum.eta
    return less(np.log(constant * eta[least] * one.push / eta[0]), ratio[late], "ln |grad L|^2/L", error=20 * way.error)
