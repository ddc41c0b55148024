r"""Adaptive integration of the log-polar flow with activation changes as events.

Between events the pattern is constant and the field smooth: DOP853, and Radau once the step size is limited by
stability only (a later plateau, where part of the network is at rest and the rest still silent). A Radau step is never
longer than the time that a silent neuron needs at least to become audible, so that no take-off is stepped over.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853, Radau
from scipy.linalg import LinAlgWarning
from scipy.optimize import brentq
from threadpoolctl import threadpool_limits

from refute.models.logpolar.angular_gap import carried
from refute.models.logpolar.clock import first_time
from refute.models.logpolar.contact import crossed, resolve
from refute.models.logpolar.field import Field, Problem, State
from refute.models.logpolar.plateau import ON_BOUNDARY, Change, Switch, describe, is_dead
from refute.models.training import Stop

Floats = NDArray[np.float64]
INSIDE = np.linspace(0, 1, 6)[1:]
FINE = 3e-14  # the relative tolerance of both methods
SLACK = 1e-9  # how far the share of a sliding neuron may leave [0, 1] before the neuron is released
STEADY = 100  # so many steps of nearly constant size, with many more ahead, call for the implicit method
MANY = 400
IMPLICIT = 60  # steps of the implicit method after which the explicit one gets another chance
SILENT = 1e-20
HARMLESS = 3.0
CROWD = 20  # so many events at one time, and four more per pair of a neuron and a point, never end
REST = 1e-2  # speeds below this part of the asked level count as rest


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One accepted step from `begin` to `end` with its interpolant."""

    begin: float
    end: float
    field: Field
    state: State  # at the last restart: what the frozen neurons keep
    dense: Callable[[Any], Floats]

    def at(self, time: float) -> State:
        log_norm, direction = self.state.log_norm.copy(), self.state.direction.copy()
        log_norm[self.field.live], direction[self.field.live] = self.field.unpack(self.dense(time))
        return State(log_norm, direction, self.state.sides)


@dataclass(frozen=True, slots=True, eq=False)
class Leg:
    """The numerical part of a trajectory: pieces, switches, the last state, invariants of pairs, and why it ended."""

    first: State
    pieces: tuple[Piece, ...]
    switches: tuple[Switch, ...]
    last: State
    invariants: Floats
    stop: Stop

    @property
    def time(self) -> Floats:
        """The ends of the steps."""
        return np.array([0.0, *(piece.end for piece in self.pieces)])

    def at(self, times: Floats) -> tuple[Floats, Floats]:
        """Log-norms and directions at increasing times within the leg."""
        log_norm, direction = (
            np.tile(part, (len(times), *[1] * part.ndim)) for part in (self.first.log_norm, self.first.direction)
        )
        which = self._pieces_at(times)
        for k in np.unique(which) if self.pieces else []:
            now, piece = which == k, self.pieces[k]
            log_norm[now], direction[now] = piece.state.log_norm, piece.state.direction
            live = np.ix_(now, piece.field.live)
            log_norm[live], direction[live] = piece.field.unpack(piece.dense(times[now]))
        return log_norm, direction

    def _pieces_at(self, times: Floats) -> NDArray[np.int_]:
        return np.minimum(np.searchsorted(self.time[1:], times), max(len(self.pieces) - 1, 0))


def integrate(
    problem: Problem,
    state: State,
    offset: float,
    span: float,
    tolerance: float,
    floor: float,
    steps: int,
    invariants: Floats,
) -> Leg:
    """From `state` at local time 0 to `span`, or to the time at which every pull has fallen to `floor`, whatever the
    steps are.
    """
    # Matrices this small gain nothing from threads on a busy machine; a trial step that overflows is rejected.
    with threadpool_limits(1), catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
        simplefilter("ignore", LinAlgWarning)  # a singular Newton matrix makes the implicit method shorten its step
        course, stop = _Course(problem, state, offset, span, tolerance, floor, steps, invariants), None
        while stop is None:
            stop = course.to_the_next_event()
        return Leg(state, tuple(course.pieces), tuple(course.switches), course.state, course.invariants, stop)


@dataclass(eq=False)
class _Method:
    """DOP853, and Radau for as long as only stability would limit its steps."""

    problem: Problem
    field: Field
    span: float
    tolerance: float
    solver: DOP853 | Radau
    sizes: list[float] = dataclass_field(default_factory=list)
    steady: float = 0.0

    @classmethod
    def start(
        cls, problem: Problem, field: Field, time: float, span: float, tolerance: float, flat: Floats
    ) -> "_Method":
        return cls(problem, field, span, tolerance, DOP853(field, time, flat, span, rtol=FINE, atol=tolerance))

    def choose(self, time: float) -> None:
        if isinstance(self.solver, Radau):
            self.solver.max_step = _audible_in(self.problem, self.field, self.solver.y)
            if len(self.sizes) >= IMPLICIT:
                self._explicit(time)
        elif _stability_limited(self.sizes, self.span - time):
            self.steady, self.sizes = min(self.sizes[-STEADY:]), []
            longest = _audible_in(self.problem, self.field, self.solver.y)
            self.solver = Radau(
                self.field, time, self.solver.y, self.span, rtol=FINE, atol=self.tolerance, max_step=longest
            )

    def _explicit(self, time: float) -> None:
        first, self.sizes = min(self.steady, self.span - time), []
        self.solver = DOP853(
            self.field, time, self.solver.y, self.span, rtol=FINE, atol=self.tolerance, first_step=first
        )

    def step(self, time: float) -> bool:
        """Whether a step was made; where the implicit method fails, the explicit one takes over."""
        self.solver.step()
        if self.solver.status != "failed":
            self.sizes.append(self.solver.t - time)
        elif isinstance(self.solver, Radau):
            self._explicit(time)
        else:
            return False
        return True


@dataclass(eq=False)
class _Course:
    """A run while it is being made."""

    problem: Problem
    state: State
    offset: float
    span: float
    tolerance: float
    floor: float
    steps: int
    invariants: Floats
    time: float = 0.0
    crowd: int = 0
    pieces: list[Piece] = dataclass_field(default_factory=list)
    switches: list[Switch] = dataclass_field(default_factory=list)

    def to_the_next_event(self) -> Stop | None:
        """Steps with one pattern of activations; why the run ends, if it does."""
        field = Field(self.problem, self.state)
        if not field.width:
            return Stop.AT_REST
        flat = np.concatenate([np.zeros(field.width), self.state.direction[field.live].reshape(-1)])
        method = _Method.start(self.problem, field, self.time, self.span, self.tolerance, flat)
        while self.time < self.span:
            if len(self.pieces) + len(self.switches) >= self.steps:
                return Stop.BUDGET
            method.choose(self.time)
            solver = method.solver
            old_speed = np.abs(solver.f[field.width :]).max() if solver.f is not None else np.inf
            if not method.step(self.time):
                return Stop.BUDGET
            if method.solver is not solver:
                continue
            dense = solver.dense_output()
            event = _first_event(self.problem, field, solver, dense, self.time, old_speed)
            stop = self._keep(field, dense, solver.t if event is None else event[0])
            if stop is not None or event is not None:
                return self._change(field, event[1]) if stop is None and event is not None else stop
        if self.pieces and self.pieces[-1].field is field:
            self.state = self.pieces[-1].at(self.time)
        return Stop.HORIZON

    def _keep(self, field: Field, dense: Callable[[Any], Floats], end: float) -> Stop | None:
        """The step up to `end` as a piece; why the run ends in it."""
        begin, self.time = self.time, end
        if end <= begin:
            return None
        self.pieces.append(Piece(begin, end, field, self.state, dense))
        self.crowd = 0
        over = _over_in(self.problem, field, dense, begin, end, self.floor)
        if over is None:
            return None
        self.pieces[-1] = replace(self.pieces[-1], end=over[0])
        self.state = self.pieces[-1].at(over[0])
        return over[1]

    def _change(self, field: Field, event: list[tuple[int, int, int]]) -> Stop | None:
        """Other activations; no end where events crowd at one time."""
        self.crowd += 1
        if self.crowd > CROWD + 4 * self.state.sides.size:
            return Stop.CHATTERS
        if self.pieces and self.pieces[-1].field is field:  # else nothing has moved since the last event
            self.state = self.pieces[-1].at(self.time)
        self.state, news = _after(self.problem, self.state, event)
        self.switches += [replace(one, offset=self.offset, local=self.time) for one in news]
        self.invariants = carried(self.invariants, sorted({one.neuron for one in news}), self.state)
        return None


def _over_in(
    problem: Problem, field: Field, dense: Callable[[Any], Floats], begin: float, end: float, floor: float
) -> tuple[float, Stop] | None:
    """When in a step at whose end it has happened all speeds have fallen to rest, or all pulls to the floor, and which
    of the two.
    """
    longest = np.linalg.norm(problem.points, axis=1).max()

    def over(time: float) -> Stop | None:
        flat = dense(time)
        if np.abs(field(time, flat)).max() <= REST * floor * longest:
            return Stop.AT_REST
        log_norm, direction = field.unpack(flat)
        return Stop.FITTED if np.abs(field.pulls(log_norm, direction @ problem.points.T)).max() <= floor else None

    stop = over(end)
    if stop is None:
        return None
    time = first_time(lambda t: over(t) is not None, begin, end)
    return time, over(time) or stop


def _stability_limited(sizes: list[float], remaining: float) -> bool:
    """The last steps are all alike and many of that size are ahead."""
    last = sizes[-STEADY:]
    return len(last) == STEADY and max(last) < 3 * min(last) and remaining > MANY * max(last)


def _audible_in(problem: Problem, field: Field, flat: Floats) -> float:
    """A time within which no silent neuron can become loud: log-norms grow at most at the rate sum_i |c_i| |x_i|, and a
    growth by `HARMLESS` at the present rate leaves a silent neuron far below round-off."""
    log_norm, direction = field.unpack(flat)
    missing = np.log(SILENT) / 2 - log_norm
    silent = missing > 0
    if not silent.any():
        return np.inf
    pulls = field.pulls(log_norm, direction @ problem.points.T)
    most = float(np.abs(pulls) @ np.linalg.norm(problem.points, axis=1))
    growth = field.signs * np.einsum("jd,jd->j", direction, field.pushes(pulls))
    with np.errstate(divide="ignore"):
        return float(np.maximum(missing / most, HARMLESS / np.maximum(growth, 0.0))[silent].min())


def _slacks(problem: Problem, field: Field, flat: Floats) -> Floats:
    """Positive while neuron j stays on its side of point i (width, samples); for sliding points, while its share stays
    in [0, 1].

    Several states as columns of `flat` give a leading axis.
    """
    log_norm, direction = field.unpack(flat)
    pre = direction @ problem.points.T
    sizes = np.linalg.norm(problem.points, axis=1)
    slack: Floats = field.sides * pre + np.where(sizes > 0, ON_BOUNDARY * sizes, np.inf)
    if len(field.sliding):
        theta = field.sliding_gates(field.pulls(log_norm, pre))
        inside = np.minimum(theta, 1 - theta) + SLACK
        slack[..., field.sides == 0] = SLACK  # points that share a hyperplane with another one are spoken for by it
        slack[..., field.contacts[:, 0], field.contacts[:, 1]] = np.where(np.isnan(inside), SLACK, inside)
    return slack


def _first_event(
    problem: Problem,
    field: Field,
    solver: DOP853 | Radau,
    dense: Callable[[Any], Floats],
    begin: float,
    old_speed: float,
) -> tuple[float, list[tuple[int, int, int]]] | None:
    """The first time in the last step when a slack vanishes, and the (neuron, point, side it goes to) that are
    concerned.

    The side is 0 when a boundary was reached, and +1 or -1 when a sliding neuron is released.
    """
    at_end = _slacks(problem, field, solver.y)
    moved = (solver.t - begin) * max(
        old_speed, np.abs(solver.f[field.width :]).max() if solver.f is not None else np.inf
    )
    reach = moved * np.abs(problem.points).sum(axis=1)
    if not len(field.sliding) and (at_end > reach).all():
        return None
    times = begin + INSIDE * (solver.t - begin)
    gone = _slacks(problem, field, dense(times)) < 0
    if not gone.any():
        return None
    first = int(np.argmax(gone.any(axis=(1, 2))))
    return _located(
        problem, field, dense, float(times[first - 1]) if first else begin, float(times[first]), gone[first]
    )


def _located(
    problem: Problem, field: Field, dense: Callable[[Any], Floats], left: float, right: float, gone: NDArray[np.bool_]
) -> tuple[float, list[tuple[int, int, int]]]:
    def slack(time: float, j: int, i: int) -> float:
        return float(_slacks(problem, field, dense(time))[j, i])

    roots = []
    for j, i in np.argwhere(gone):
        inside = slack(left, j, i) > 0
        roots.append(float(brentq(slack, left, right, args=(j, i), xtol=1e-15, rtol=1e-14)) if inside else left)
    time = min(roots)
    flat = dense(time)
    near = _slacks(problem, field, flat) <= 0.5 * ON_BOUNDARY * np.linalg.norm(problem.points, axis=1)
    near[tuple(np.argwhere(gone)[int(np.argmin(roots))])] = True
    log_norm, direction = field.unpack(flat)
    pulls = field.pulls(log_norm, direction @ problem.points.T)
    released = np.zeros(near.shape, dtype=int)
    if len(field.sliding):
        steep = field.signs[field.contacts[:, 0]] * (
            (field.above - field.below) @ pulls
        )  # of the normal speed in the share
        shares = field.sliding_gates(pulls)
        for share, gain, (j, i), (members, senses) in zip(shares, steep, field.contacts, field.members, strict=True):
            released[j, members] = senses if (share > 0.5) == (gain <= 0) else -senses
            near[j, members] = near[j, i]
    news = [(int(field.live[j]), int(i), int(released[j, i])) for j, i in np.argwhere(near)]
    return time, news


def _after(problem: Problem, state: State, news: list[tuple[int, int, int]]) -> tuple[State, list[Switch]]:
    """The state with new sides for the neurons concerned: released ones leave, the others cross, slide or die."""
    pulls = problem.pulls(problem.outputs(state.log_norm, state.direction))
    sizes = np.linalg.norm(problem.points, axis=1)
    sides, direction = state.sides.copy(), state.direction.copy()
    switches: list[Switch] = []
    for j in sorted({neuron for neuron, _, _ in news}):
        before = sides[j].copy()
        released = {i: side for neuron, i, side in news if neuron == j and side}
        hit = [i for neuron, i, side in news if neuron == j and not side]
        for i, side in released.items():
            sides[j, i] = side
        if hit:
            beyond = crossed(problem.points, sides[j], np.array(hit))
            near = np.abs(problem.points @ direction[j]) <= 2 * ON_BOUNDARY * sizes
            touched = [
                i
                for i in range(len(sizes))
                if beyond[i] != sides[j, i] or sides[j, i] == 0 or (near[i] and sizes[i] > 0 and i not in released)
            ]
            dead = is_dead(beyond, problem.slope)
            sides[j] = (
                beyond
                if dead
                else resolve(problem.points, pulls, int(problem.signs[j]), sides[j], np.array(touched), problem.slope)
            )
        ended = is_dead(sides[j], problem.slope)
        landed = (sides[j] == 0) | np.isin(
            np.arange(len(sizes)), hit
        )  # exactly on the hyperplane, whatever the event location left
        if landed.any() and not ended:
            span = problem.points[landed]
            direction[j] -= np.linalg.lstsq(span, span @ direction[j], rcond=None)[0]
            direction[j] /= np.linalg.norm(direction[j])
        concerned = [i for i in range(len(sizes)) if sides[j, i] != before[i]] or hit
        switches += [
            Switch(j, i, 0.0, 0.0, Change.DIES if ended else describe(before, sides[j], i, False)) for i in concerned
        ]
    return State(state.log_norm, direction, sides), switches
