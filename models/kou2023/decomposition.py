r"""The data-correlated decomposition of kou2023 along gradient descent with a fixed second layer.

    w_{j,r}(t) = w_{j,r}(0) + sum_i rho_{j,r,i}(t) |x_i|^{-2} x_i,    rho(0) = 0,
    (5.1) rho_{j,r,i}(t+1) = rho_{j,r,i}(t) + eta/(nm) s_i(t) sigma'(<w_{j,r}(t), x_i>) |x_i|^2 j y_i,    s_i = -l'(y_i
    f(x_i)).

Arrays over neurons and samples have the axes (time, j, r, i); j = +1 comes first, then j = -1, as in `signed_halves`.
`unroll` takes every step in the arithmetic of its arguments (the first step from outputs that are exactly zero is
rational, every other one needs balls); `unroll_long` reaches t = 10^20 and beyond, in float64 or in balls. A signal <w,
x_i> that starts at zero has a known sign in balls only if inputs and weights are dyadic: then products are exact.
"""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from refute.arithmetic.enclosed import ULP, Enclosed
from refute.arithmetic.numbers import FLOAT, Array, Number, arithmetic_of
from refute.decide.confirmation import CONFIRMED, CONTRADICTED, REPEATED, answered, asked
from refute.errors import BadInput, Inexact
from refute.functions import absolute, largest, leaky_relu, leaky_relu_slope, mean, sign
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.descent.kernel_space import start
from refute.models.descent.longtime import long_descent
from refute.models.gradient import descent_direction
from refute.models.kou2023.ball_batch import ball_courses
from refute.models.kou2023.orthogonality import squared_norms
from refute.models.loss import LOGISTIC, expit, softplus
from refute.models.network import TwoLayer
from refute.models.training import Stop

# Each step of descent rounds a few times for every term that is added, and a step within the conditions of the theorems
# does not enlarge what earlier ones left.
ROUNDED = 4 * ULP


@dataclass(frozen=True, slots=True, eq=False)
class Decomposition:
    """What the coefficients and signals <w_{j,r}, x_i> are at the listed steps; `logits` are the s_i = |l_i'|.

    `error` bounds the error of signals, coefficients and margins relative to the largest signal or coefficient at that
    time; 0 where balls carry it.
    """

    steps: Array
    data: Dataset
    start: TwoLayer
    signals: Array
    rho: Array
    logits: Array
    rate: Number
    error: float = 0.0
    stop: Stop = Stop.HORIZON

    def since(self, first: Number) -> "Decomposition":
        """What is known of the listed steps from `first` on."""
        return self._where(self.steps >= first)

    def until(self, last: Number) -> "Decomposition":
        """What is known of the listed steps up to `last`."""
        return self._where(self.steps <= last)

    def _where(self, wanted: Array) -> "Decomposition":
        chosen = np.asarray(wanted, dtype=bool)
        parts = {name: getattr(self, name)[chosen] for name in ("steps", "signals", "rho", "logits")}
        return replace(self, **parts)

    @property
    def squares(self) -> Array:
        """|x_i|^2."""
        return squared_norms(self.data.inputs)

    @property
    def unit(self) -> Array:
        """eta |x_i|^2/(nm)."""
        return np.asarray(self.rate * self.squares / (len(self.squares) * self.width))

    @property
    def width(self) -> int:
        """m, the number of neurons of one sign."""
        return int(self.signals.shape[2])

    @property
    def beta(self) -> Number:
        """The largest |<w_{j,r}(0), x_i>|."""
        return largest(absolute(self.start.inner @ self.data.inputs.T))

    def own(self, values: Array) -> Array:
        """Entries with j = y_i: (time, r, i) from (time, j, r, i), or (time, i) from (time, j, i)."""
        return self._side(values, 0)

    def opposite(self, values: Array) -> Array:
        """Entries with j = -y_i."""
        return self._side(values, 1)

    def _side(self, values: Array, flip: int) -> Array:
        sides = [int(sign(y) < 0) ^ flip for y in self.data.labels]
        return np.stack([values[:, side, ..., i] for i, side in enumerate(sides)], axis=-1)

    @property
    def outputs(self) -> Array:
        """F_j(W_j, x_i): (time, j, i)."""
        return np.asarray(mean(leaky_relu(self.signals, self.start.slope), axis=2))

    @property
    def margins(self) -> Array:
        """y_i f(x_i): (time, i)."""
        outputs = self.outputs
        return np.asarray((outputs[:, 0] - outputs[:, 1]) * self.data.labels)

    @property
    def loss(self) -> Array:
        """The logistic loss at every listed step."""
        return np.asarray(mean(softplus(-self.margins), axis=1))

    def known(self, values: Any, factor: float = 1.0) -> Any:
        """Values, time first, that are off by at most `factor` times what signals or coefficients are off by; balls
        carry their error.
        """
        array = np.asarray(values)
        if array.dtype == object:
            return array
        top = np.maximum(*(np.abs(part).max(axis=(1, 2, 3)) for part in (self.signals, self.rho)))
        return Enclosed(array, (factor * self.error * top).reshape(-1, *[1] * (array.ndim - 1)))

    @property
    def own_gains(self) -> Any:
        """What |rho_{y_i,r,i}| gains after the first listed step: (time, r, i)."""
        sizes = self.known(absolute(self.own(self.rho)))
        return sizes[1:] - sizes[:1]

    @property
    def opposite_gains(self) -> Any:
        """What |rho_{-y_i,r,i}| gains after the first listed step: (time, r, i)."""
        sizes = self.known(absolute(self.opposite(self.rho)))
        return sizes[1:] - sizes[:1]

    @property
    def pushes(self) -> Any:
        """eta |l_i'| |x_i|^2/(nm) at every listed step but the last: (time, i)."""
        return self.known(self.logits * self.unit)[:-1]

    @property
    def sums(self) -> Array:
        """The sum over r of |rho_{j,r,i}|: (time, j, i)."""
        return np.asarray(absolute(self.rho).sum(axis=2))

    @property
    def log_logits(self) -> Any:
        """log |l_i'| = -log(1 + e^{y_i f(x_i)}): (time, i)."""
        return self.known(-softplus(self.margins), 2.0)

    @property
    def known_loss(self) -> Any:
        """The logistic loss with its error."""
        return mean(softplus(-self.known(self.margins, 2.0)), axis=1)

    @property
    def norms(self) -> Any:
        """|w_{j,r}|: (time, j, r), off by at most sum_i |rho_i - its true value|/|x_i|."""
        return self.known(np.linalg.norm(self.weights, axis=-1), self._reach)

    @property
    def liveliest(self) -> Any:
        """The largest signal of the neurons of each sign: (time, j). A ReLU neuron whose signals are all negative never
        moves again, so that a sign whose largest is negative stands still for ever.
        """
        flat = self.known(self.signals).reshape(len(self.steps), 2, -1)
        return largest(flat, axis=2)

    @property
    def rows(self) -> Any:
        """The inner weights with their error, entry by entry."""
        return self.known(self.weights, self._reach)

    @property
    def moved(self) -> Any:
        """The inner weights minus those of the start."""
        return self.known((self.rho / self.squares) @ self.data.inputs, self._reach)

    @property
    def spectral_norms(self) -> Any:
        """|W_j|_2: (time, j)."""
        return self.known(np.linalg.norm(self.weights, ord=2, axis=(2, 3)), self._reach * math.sqrt(self.width))

    @property
    def moved_norms(self) -> Any:
        """|W_j - W_j(0)|_2: (time, j)."""
        moved = (self.rho / self.squares) @ self.data.inputs
        return self.known(np.linalg.norm(moved, ord=2, axis=(2, 3)), self._reach * math.sqrt(self.width))

    @property
    def _reach(self) -> float:
        """How much further off than signals or coefficients a weight may be."""
        return float((1 / np.sqrt(np.asarray(self.squares, dtype=float))).sum())

    @property
    def starts_active(self) -> NDArray[np.bool_]:
        """r in S_i^(0), that is <w_{y_i,r}(0), x_i> > 0: shape (r, i)."""
        signals = (self.start.inner @ self.data.inputs.T).reshape(1, 2, self.width, -1)
        return np.asarray(sign(self.own(signals)[0]) > 0)

    @property
    def weights(self) -> Array:
        """The inner weights: (time, j, r, coordinate)."""
        moved = (self.rho / self.squares) @ self.data.inputs
        return np.asarray(self.start.inner.reshape(1, 2, self.width, -1) + moved)


def check_halves(net: TwoLayer) -> int:
    """m, if the outer weights are m times 1/m and then m times -1/m."""
    m = net.width // 2
    shares = [float(v) * m for v in net.outer]
    if not (net.width == 2 * m > 0 and np.allclose(shares, [1.0] * m + [-1.0] * m, rtol=0, atol=1e-12)):
        raise BadInput(
            f"the outer weights times m are {shares}, not m times 1 and m times -1", "use models.network.signed_halves"
        )
    return m


def unroll(
    net: TwoLayer, data: Dataset, *, rate: Number, steps: int, slope_at_zero: Number | None = None
) -> Decomposition:
    """Steps 0, ..., `steps`, each computed from the last in the arithmetic of the arguments; sigma'(0) = 1 unless
    given.
    """
    m, x, y = check_halves(net), data.inputs, data.labels
    gram = x @ x.T
    squares = np.diagonal(gram)
    at_zero = net.slope * 0 + 1 if slope_at_zero is None else slope_at_zero
    signals, rho = net.inner @ x.T, net.inner @ x.T * 0
    lean = np.repeat([1, -1], m)[:, None] * y[None, :]  # j y_i
    found: list[tuple[Array, Array, Array]] = []
    while True:
        gates = leaky_relu_slope(signals, net.slope, at_zero)
        hidden = gates * signals
        logits = expit(-y * (hidden[:m].sum(axis=0) - hidden[m:].sum(axis=0)) / m)
        found.append((signals, rho, logits))
        if len(found) > steps:
            break
        change = lean * gates * (logits * rate / (len(y) * m))[None, :]
        rho = rho + change * squares[None, :]
        signals = signals + change @ gram
    shape = (len(found), 2, m, len(y))
    each = [np.array(part) for part in zip(*found, strict=True)]
    steps_taken, exact = np.arange(len(found), dtype=float), each[0].dtype == object
    error = 0.0 if exact else ROUNDED * (len(found) + net.width + len(y))
    course = Decomposition(steps_taken, data, net, each[0].reshape(shape), each[1].reshape(shape), each[2], rate, error)
    if asked():
        _answer_in_balls(net, data, rate, at_zero, course.weights, course.signals)
    return course


def _answer_in_balls(
    net: TwoLayer, data: Dataset, rate: Number, at_zero: Number, weights: Array, signals: Array | None = None
) -> None:
    """Say whether float64 weights at the steps 0, 1, ... are those of descent in balls; no claim reads an error of
    theirs, so no more.
    """
    from refute.models.kou2023.confirm import AGREEMENT, ball_grade

    if weights.dtype == object:
        answered(REPEATED)
    else:
        grade, gap = ball_grade(net, data, rate=float(rate), at_zero=float(at_zero), weights=weights, signals=signals)
        answered(grade, "descent in float64 and in balls", gap, AGREEMENT)


def unroll_weights(
    net: TwoLayer, data: Dataset, *, rate: Number, steps: int, slope_at_zero: Number | None = None
) -> Iterator[TwoLayer]:
    """The networks at steps 0, ..., `steps` of (3.2) on the weights themselves, without the decomposition."""
    at_zero = net.slope * 0 + 1 if slope_at_zero is None else slope_at_zero
    nets = _weights(net, data, rate, steps, at_zero)
    if not asked():
        return nets
    found = list(nets)
    _answer_in_balls(net, data, rate, at_zero, np.array([now.inner for now in found]))
    return iter(found)


def _weights(net: TwoLayer, data: Dataset, rate: Number, steps: int, at_zero: Number) -> Iterator[TwoLayer]:
    for _ in range(steps):
        yield net
        net = net.with_weights(net.inner + rate * descent_direction(net, data, LOGISTIC, at_zero)[0], net.outer)
    yield net


def unroll_long(
    net: TwoLayer,
    data: Dataset,
    *,
    rate: Number,
    times: object,
    tolerance: float = 1e-9,
    freeze: int = 300,
    direct: int = 1_000_000,
) -> Decomposition:
    """The listed steps, in the arithmetic of the rate; sigma'(0) = 1.

    In float64: stepped directly at first, then by the reduced system in log t. Where signs never settle, times up to
    `direct` are stepped directly and later ones left out. When a second method is asked, the error is widened by the
    distance from it. In balls: all of them, or `BadInput`.
    """
    steps = np.unique(np.round(np.asarray(times, dtype=float)))
    if isinstance(rate, (arb, fmpq)):
        return _enclosed(net, data, rate, [int(step) for step in steps])
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    m = check_halves(net)
    problem, state = start(net, data, rate=rate, loss=LOGISTIC, slope_at_zero=1.0)
    run = long_descent(problem, state, steps, tolerance=tolerance, freeze=freeze, direct=direct)
    shape = (len(run.time), 2, m, len(problem.labels))
    rho = run.coefficients * np.diagonal(problem.gram)
    logits = np.asarray(expit(-run.margins))
    signals, rate = run.signals.reshape(shape), float(rate)
    course = Decomposition(run.time, data, net, signals, rho.reshape(shape), logits, rate, run.error, run.stop)
    return _confirmed(course, rate, freeze) if asked() else course


def _enclosed(net: TwoLayer, data: Dataset, rate: arb | fmpq, steps: list[int]) -> Decomposition:
    """Networks and data that a claim makes itself, of rationals, are lifted first."""
    from refute.models.kou2023.enclosed_long import enclosed_long

    if isinstance(rate, fmpq):
        raise Inexact("long descent is irrational")
    net = net if isinstance(net.inner.flat[0], arb) else lift(net, arithmetic_of(rate))
    data = data if isinstance(data.inputs.flat[0], arb) else lift(data, arithmetic_of(rate))
    check_halves(net)
    return enclosed_long(net, data, rate=rate, times=steps)


def _confirmed(course: Decomposition, rate: float, freeze: int) -> Decomposition:
    """The course with its error widened by the distance from the second method; claims have errors of 1e-7 of their
    own.
    """
    from refute.models.kou2023.confirm import AGREEMENT
    from refute.models.kou2023.confirm_long import long_gap, own_gap

    net, data, times, direct = course.start, course.data, course.steps, 5 * freeze
    try:
        gap = long_gap(net, data, rate=rate, times=times, signals=course.signals, rho=course.rho, direct=direct)
        known = max(course.error, AGREEMENT)
        allowed = known if gap <= known else known + own_gap(net, data, rate=rate, times=times, direct=direct)
    except BadInput:
        answered(REPEATED)
        return course
    sharp = gap <= max(min(course.error, 1e-7), AGREEMENT)
    grade = CONFIRMED if sharp else REPEATED if gap <= allowed else CONTRADICTED
    answered(grade, "the modified equation of descent and its forward differences", gap, allowed)
    return replace(course, error=course.error + gap)


def batch_courses(
    data: Dataset,
    inner: Array,
    *,
    slope: Number,
    rate: Number,
    steps: int,
    slope_at_zero: float = 1.0,
    record: Collection[int] | None = None,
) -> Iterator[tuple[Array, Array]]:
    """Signals and coefficients, (starts, 2m, samples), from many inner weights, (starts, 2m, dimension), which may be
    balls.

    At the steps 0, ..., `steps`, or only at those in `record`.
    """
    wanted = range(steps + 1) if record is None else record
    if inner.dtype == object:
        return ball_courses(data, inner, slope=slope, rate=rate, wanted=wanted, slope_at_zero=slope_at_zero)
    courses = _courses(data, inner, slope, rate, steps, slope_at_zero)
    if asked():
        from refute.models.kou2023.confirm import AGREEMENT, batch_grade

        found = list(courses)
        grade, gap = batch_grade(data, inner, found, slope=slope, rate=rate, at_zero=slope_at_zero)
        answered(grade, "descent in float64 and in extended precision", gap, AGREEMENT)
        courses = iter(found)
    return (course for step, course in enumerate(courses) if step in wanted)


def _courses(
    data: Dataset, inner: NDArray[np.float64], slope: float, rate: float, steps: int, slope_at_zero: float
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    x, y = np.asarray(data.inputs, dtype=float), np.asarray(data.labels, dtype=float)
    m, gram = inner.shape[1] // 2, x @ x.T
    lean = np.repeat([1.0, -1.0], m)[:, None] * y * rate / (len(y) * m)
    signals, moved = inner @ x.T, np.zeros((*inner.shape[:2], len(y)))
    for _ in range(steps):
        yield signals, moved * np.diagonal(gram)
        gates = np.where(signals > 0, 1.0, np.where(signals < 0, slope, slope_at_zero))
        hidden = gates * signals
        logits = expit(-y * (hidden[:, :m].sum(axis=1) - hidden[:, m:].sum(axis=1)) / m)
        change = lean * gates * logits[:, None, :]
        signals, moved = signals + change @ gram, moved + change
    yield signals, moved * np.diagonal(gram)


def stage_length(net: TwoLayer, data: Dataset, rate: Number, factor: Number = 1) -> float:
    """factor nm / (eta R_max^2): the number of steps of the first stage, as a float."""
    top = largest((data.inputs * data.inputs).sum(axis=1))
    return float(factor) * len(data.labels) * (net.width // 2) / (float(rate) * float(top))


def first_step_after(length: float) -> int:
    """A step number that is certainly not below the given length (the smallest one, or one more)."""
    return math.floor(length * (1 + 1e-12)) + 1


def last_step_before(length: float) -> int:
    """A step number that is certainly not above the given length (the largest one, or one less)."""
    return max(0, math.floor(length * (1 - 1e-12)))
