r"""Section 5: the bundle of aligned neurons grows and turns from the origin to the teacher (Theorem 6 and what its
proof says on the way).

$\lambda$ is the one that Assumption 2 asks for, often below $10^{-10000}$. Up to take-off the closed form of the
yardsticks is used; then neurons of positive sign differ in direction by far less than round-off, so that they move as
one (`models.reference.bundle`).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    claim,
    equal,
    identity,
    less,
    moved,
    nothing,
    suppose,
    without,
)
from refute.arithmetic.numbers import FLOAT, Array
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2, quarter_angle, small_scale, some_positive
from refute.decide.rate import exponent_equals, fit
from refute.errors import BadInput
from refute.language.case import lift
from refute.models import Dataset
from refute.models.chistikov2023.bundle import Bundle, bundle, start_of
from refute.models.chistikov2023.smallness import delta, largest_length, yardsticks
from refute.models.chistikov2023.yardstick import Yardstick, gamma
from refute.models.logpolar import LogPolarTrajectory, Stop, log_polar_flow
from refute.models.logpolar.angular_gap import plateau_invariants
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.field import State
from refute.models.loss import SQUARE
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


@claim(
    "chistikov2023.theorem_6.T2_bound",
    "Theorem 6",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        without(small_scale),
        without(some_positive),
        moved("(1/2 + epsilon) d ln(1/lambda)", factor=0.5, small_power=0, large_power=0),
    ],
    convention="T_2 is the one that the proof names: the first time from T_1 on when v is half way to the teacher "
    "along u_1",
)
def half_way_is_reached_in_logarithmic_time(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    factor: float = 4.0,
    small_power: int = 6,
    large_power: int = 2,
) -> Margin:
    r"""$T_2<\ln(1/\lambda)\,(4+\varepsilon)\,d\,\Delta^2/\delta^6$. In fact
    $T_2\approx\ln(1/\lambda)/\|\gamma_{[n]}\|$.

    No other assumption is shown to be necessary: without most of them $\delta=0$, so that no $\lambda$ meets Assumption
    2.
    """
    one = run(data, teacher, start, epsilon, tolerance)
    if not np.isfinite(one.half_way):
        return less(1, 0, "p_1 never reaches 1/2")
    bound = one.small * (factor + epsilon) * len(teacher) * one.length**large_power / one.delta**small_power
    return less(one.half_way, bound, "T_2", error=1e-6 * one.half_way)


@claim(
    "chistikov2023.theorem_6.loss_decay",
    "Theorem 6",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        without(some_positive),
        moved("0.05 Delta^2 in front", factor=0.05),
        moved("rate 0.4", small_power=0, large_power=0),
    ],
    convention="T_2 as the proof names it; the loss is followed until every coordinate is within 1e-12 of the "
    "teacher's",
)
def the_loss_decays_exponentially(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    factor: float = 0.5,
    rate: float = 0.4,
    small_power: int = 4,
    large_power: int = 2,
) -> Margin:
    r"""$L(\theta^{T_2+t})<0.5\,\Delta^2e^{-0.4\,t\,\delta^4/\Delta^2}$ for all $t\ge0$.

    The angle bound is needed in space (theorem_7.limit_in_Theta_vstar.beyond_quarter_angle). No other assumption but
    $J_+\ne\emptyset$ is shown to be necessary: without most of them $\delta=0$, so that no $\lambda$ meets Assumption
    2.
    """
    one = run(data, teacher, start, epsilon, tolerance)
    if not one.living:
        return less(1, 0, "no neuron ever takes off and the loss stays what it was")
    if one.lost:
        return fits_in_the_end(data, start)
    way = followed(one)
    since = way.local - way.half_way
    bound = np.log(factor * one.length**2) - rate * since * one.delta**small_power / one.length**large_power
    return less(way.log_loss[since >= 0], bound[since >= 0], "ln L(T_2 + t)", error=4 * way.error + 1e-6)


@claim(
    "chistikov2023.theorem_6.rate_independent_of_lambda",
    "section 5, first paragraph",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("rate 2 eta_d", least=1), moved("half of the rate", factor=0.5)],
    convention="the rate is the slope of ln L near 1e-80, at lambda and lambda^10, within 1/1000 of a number that "
    "knows only the data",
    cost=3.0,
)
def the_rate_depends_on_the_data_only(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    least: int = 0,
    factor: float = 1.0,
) -> Margin:
    r"""$L$ decays like $e^{-2\mu t}$ with $\mu$ the least eigenvalue of $(I+v^*v^{*\top})H$, whatever $\lambda$ is."""
    second_moment = data.covariance
    linearised = second_moment if least else (np.eye(len(teacher)) + np.outer(teacher, teacher)) @ second_moment
    wanted = 2 * factor * float(np.linalg.eigvals(linearised).real.min())
    parts = []
    for times in (1.0, 10.0):
        scaled = Balanced(start.shape, start.signs, times * start.log_scale, start.slope)
        way = followed(run(data, teacher, scaled, epsilon, tolerance, level=1e-40))
        slopes = -np.diff(way.log_loss) / np.diff(way.local)
        bending = abs(float(slopes[-1] - slopes[-len(slopes) // 8]))
        gap = abs(float(slopes[-1]) / wanted - 1)
        parts.append(at_most(gap, 1e-3, "relative distance of the late rate of ln L from 2 mu", error=bending / wanted))
    return all_of(*parts)


@identity(
    "chistikov2023.theorem_6.explicit_T2",
    "text after Theorem 6",
    recorded="proved",
    mutants=[moved("16 in place of 17", front=16), moved("27 Delta^3/delta^9", large_power=3)],
    convention="that lambda meets Assumption 2, since delta <= 1 <= Delta makes the power of m at least 1",
)
def the_bound_on_half_way_for_one_lambda(*, front: int = 17, large_power: int = 4) -> Any:
    r"""For $\varepsilon=\frac14$ and $\lambda=((mn^n)^{9\Delta^2/\delta^3})^{-3/\varepsilon}$ the bound of Theorem 6 is
    $(\ln m+n\ln n)\,d\cdot17\cdot27\,\Delta^4/\delta^9$.
    """
    import sympy

    m, n, d, small, large = sympy.symbols("m n d delta Delta", positive=True)
    epsilon = sympy.Rational(1, 4)
    log_inverse = 3 / epsilon * 9 * large**2 / small**3 * (sympy.log(m) + n * sympy.log(n))
    bound = log_inverse * (4 + epsilon) * d * large**2 / small**6
    return sympy.expand(bound - (sympy.log(m) + n * sympy.log(n)) * d * front * 27 * large**large_power / small**9)


@claim(
    "chistikov2023.saddle.escape_time_scaling",
    "section 1, fourth contribution",
    kind=Kind.ASYMPTOTIC,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        moved("like the square of ln(1/lambda)", power=2.0),
        moved("like its square root", power=0.5),
        moved("less than ln(1/lambda) d/8", bound=0.125),
    ],
    convention="T_2 for lambda, lambda^4, ..., lambda^1024; the dependence on d is that of the bound of Theorem 6",
    cost=2.0,
)
def the_saddle_is_left_in_logarithmic_time(
    data: Dataset,
    teacher: Array,
    start: Balanced,
    epsilon: float,
    tolerance: float,
    *,
    power: float = 1.0,
    bound: float = 0.0,
) -> Margin:
    r"""$T_2$ grows like $\ln(1/\lambda)$ as $\lambda\to0$, and is below $\ln(1/\lambda)$ times a bound that is linear
    in $d$.
    """
    one = run(data, teacher, start, epsilon, tolerance)
    way = followed(one)
    scales = [one.small * 4**k for k in range(6)]
    times = [start_of(way.spectrum, one.living, -small)[0] + way.half_way for small in scales]
    linear = bound or (4 + epsilon) * one.length**2 / one.delta**6
    return all_of(
        exponent_equals(fit(scales, times), power, "T_2 as a power of ln(1/lambda)"),
        less(
            np.array(times) / np.array(scales),
            linear * len(teacher),
            "T_2 / ln(1/lambda) against its bound",
            error=1e-6 * times[-1] / scales[-1],
        ),
    )


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
