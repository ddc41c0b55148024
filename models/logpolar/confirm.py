r"""A second way to follow the log-polar flow, to confirm the first: a multistep method (LSODA), from the very start.

The equations are those of models.logpolar.solve,
    du_j/dt = s_j (I - u_j u_j^T) g_j,   drho_j/dt = s_j <g_j, u_j>,   g_j = sum_i theta_ji c_i x_i,
but nothing here knows a closed form: the plateau is integrated like the rest. There u_j has turned to g_j and rho_j
grows linearly, so the steps of the stiff method become long; none is longer than the time in which a silent neuron can
become audible, which is at least (ln of what it lacks) / |g_j|. It shares the data of the problem with the first
method, and nothing else: another integrator, its own search for events, inputs grouped into lines, and the normal
velocities s_j <g_j, e> on the two sides of a line with unit vector e. If both lead across, the neuron crosses; if
nothing is active beyond, it rests there; anything else (sliding, a boundary that repels) is refused, and so is what
needs too many evaluations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import LSODA
from threadpoolctl import threadpool_limits

from refute.errors import BadInput
from refute.models.flow.lines import Lines, lines_through
from refute.models.logpolar.field import Problem

Floats = NDArray[np.float64]
LOOKS = 8  # times per step at which sides are compared
TOUCHES = 1e-13  # a unit vector this near to a line's hyperplane is on it
STILL = 1e-9  # a normal velocity this small, relative to its terms, has no sign
FINE = 1e-12  # the tolerance at which it confirms
COARSER = 30.0  # and that of the run that measures its own error
QUIET = np.log(1e-22) / 2  # a log-norm below which a neuron is silent
BUDGET = 60_000  # evaluations of the field: a few seconds
EVENTS = 200
MOST = 120  # components of the state
MOST_EXPONENT = 200.0  # a trial step may overshoot, but must not overflow


@dataclass(slots=True, eq=False)
class Second:
    """What the second method found: log-norms and directions at the times, and the (neuron, point, time) of every
    change of side.
    """

    log_norm: Floats
    direction: Floats
    changes: list[tuple[int, int, float]]


@dataclass(slots=True, eq=False)
class _Walk:
    """All neurons at one time: log-norms, directions, and the side of each line on which they are."""

    problem: Problem
    lines: Lines
    log_norm: Floats
    direction: Floats
    side: NDArray[np.int64]
    tolerance: float = FINE
    evaluations: int = 0
    changes: list[tuple[int, int, float]] = field(default_factory=list)

    def gates(self, side: NDArray[np.int64]) -> Floats:
        """sigma' of each neuron on each point."""
        return np.where(side[:, np.maximum(self.lines.index, 0)] * self.lines.factors > 0, 1.0, self.problem.slope)

    def pulls(self, log_norm: Floats, unit: Floats) -> Floats:
        """c_i = -d loss / d f_i at f_i = sum_j s_j e^{2 rho_j} sigma(<u_j, x_i>)."""
        pre = unit @ self.problem.points.T
        mass = self.problem.signs * np.exp(np.minimum(2 * log_norm, MOST_EXPONENT))
        outputs: Floats = mass.astype(float) @ np.maximum(pre, self.problem.slope * pre)
        return self.problem.weight * self.problem.residual(self.problem.labels, outputs)

    def split(self, flat: Floats) -> tuple[Floats, Floats]:
        """Log-norms and unit directions of a state that is kept as (rho - rho at the last restart, u)."""
        width = len(self.log_norm)
        rows = flat[width:].reshape(width, -1)
        size = np.linalg.norm(rows, axis=1, keepdims=True)
        return self.log_norm + flat[:width], rows / np.where(size > 0, size, 1.0)

    def velocity(self, flat: Floats) -> Floats:
        """(drho/dt, du/dt) in the present pattern."""
        self.evaluations += 1
        if self.evaluations > BUDGET:
            raise BadInput(f"the second method needs more than {BUDGET} evaluations", "relax what is asked of it")
        log_norm, unit = self.split(flat)
        push = (self.gates(self.side) * self.pulls(log_norm, unit)) @ self.problem.points
        radial, signs = (
            (unit * push).sum(axis=1),
            np.where(np.isfinite(self.log_norm), self.problem.signs, 0),
        )  # zero neurons rest
        return np.concatenate([signs * radial, (signs[:, None] * (push - radial[:, None] * unit)).reshape(-1)])

    def closed(self, h: int, side: NDArray[np.int64]) -> bool:
        """Whether nothing moves neuron h: it is zero, or no gate is open."""
        return not np.isfinite(self.log_norm[h]) or not (self.gates(side[h : h + 1]) * (self.lines.factors != 0)).any()

    def across(self, h: int, line: int) -> tuple[int, int]:
        """The signs of the normal velocity of neuron h below and above a line that it touches; 0 where round-off
        decides.
        """
        pulls, points = self.pulls(self.log_norm, self.direction), self.problem.points
        noise, found = STILL * float(np.abs(pulls) @ np.linalg.norm(points, axis=1)), []
        for where in (-1, 1):
            side = self.side[h : h + 1].copy()
            side[0, line] = where
            normal = self.problem.signs[h] * float((self.gates(side)[0] * pulls) @ points @ self.lines.directions[line])
            found.append(0 if abs(normal) <= noise else int(np.sign(normal)))
        return found[0], found[1]

    def meet(self, h: int, line: int, time: float) -> None:
        """Neuron h arrives at a line: it crosses, or comes to rest beyond it."""
        beyond = self.side.copy()
        beyond[h, line] *= -1
        if not self.closed(h, beyond) and set(self.across(h, line)) != {int(beyond[h, line])}:
            raise BadInput(
                f"neuron {h} does not cross the boundary that it meets at {time:g}",
                "the second method follows no sliding",
            )
        self.side = beyond
        self.changes += [(h, int(i), time) for i in np.flatnonzero(self.lines.index == line)]
        if len(self.changes) > EVENTS:
            raise BadInput(f"more than {EVENTS} events", "shorten the horizon")

    def reach(self) -> float:
        """A time within which no silent neuron becomes audible: ln of what it lacks, and 3 more, over the fastest it
        may grow.
        """
        pulls, gates = self.pulls(self.log_norm, self.direction), self.gates(self.side)
        silent = np.isfinite(self.log_norm) & (self.log_norm < QUIET)
        alone = silent.all() or not np.exp(2 * self.log_norm[~silent]).any()
        push = np.linalg.norm((gates * pulls) @ self.problem.points, axis=1)
        most = push if alone else (gates * np.abs(pulls)) @ np.linalg.norm(self.problem.points, axis=1)
        with np.errstate(divide="ignore"):
            return float(((QUIET + 3 - self.log_norm) / most)[silent & (most > 0)].min(initial=np.inf))


def confirm_log_polar(
    problem: Problem,
    log_norm: Floats,
    direction: Floats,
    clocks: Sequence[tuple[float, Floats]],
    tolerance: float = FINE,
) -> Second:
    """The flow at the times offset + local of each (offset, increasing local times), every clock starting where the
    last one ended.
    """
    lines = lines_through(problem.points)
    if log_norm.size + direction.size > MOST or not len(lines.directions):
        raise BadInput(
            f"the second method takes at most {MOST} components and an input other than 0",
            "use fewer neurons or dimensions",
        )
    along = direction @ lines.directions.T
    walk = _Walk(problem, lines, log_norm.copy(), direction.copy(), np.where(along > TOUCHES, 1, -1), tolerance)
    for h in np.flatnonzero((np.abs(along) <= TOUCHES).any(axis=1)):
        _start_on_a_line(walk, int(h), np.flatnonzero(np.abs(along[h]) <= TOUCHES))
    with threadpool_limits(1), np.errstate(over="ignore", invalid="ignore"), catch_warnings():
        simplefilter("ignore", UserWarning)  # LSODA warns of what it also reports as failed
        found = [state for offset, local in clocks for state in _follow(walk, offset, local)]
    return Second(np.array([one[0] for one in found]), np.array([one[1] for one in found]), walk.changes)


def _start_on_a_line(walk: _Walk, h: int, touched: NDArray[np.intp]) -> None:
    """The side that both velocities lead to; a neuron that nothing activates stays."""
    if walk.closed(h, walk.side):
        return
    below, above = walk.across(h, int(touched[0]))
    if len(touched) > 1 or below != above or below == 0:
        raise BadInput(f"neuron {h} starts on a boundary and does not leave it by crossing", "move the start")
    walk.side[h, touched[0]] = above


def _follow(walk: _Walk, offset: float, local: Floats) -> list[tuple[Floats, Floats]]:
    """Log-norms and directions at the local times; the walk ends at the last of them."""
    now, found = 0.0, [(walk.log_norm, walk.direction) for time in local if time <= 0]
    while len(found) < len(local):
        now = _piece(walk, offset, now, min(float(local[-1]), now + walk.reach()), local[len(found) :], found)
    return found


def _piece(
    walk: _Walk, offset: float, now: float, end: float, local: Floats, found: list[tuple[Floats, Floats]]
) -> float:
    """Integrate in one pattern to `end` or to the first event, noting the states at local times; where it ended."""
    width = len(walk.log_norm)
    flat = np.concatenate([np.zeros(width), walk.direction.reshape(-1)])
    fine = walk.tolerance
    rtol = np.concatenate(
        [np.full(width, 3e-14), np.full(len(flat) - width, fine)]
    )  # long linear growth must not loosen the log-norms
    solver = LSODA(lambda _, y: walk.velocity(y), 0.0, flat, end - now, rtol=rtol, atol=fine)
    last, event, wanted = 0.0, None, [float(time) for time in local if time <= end]
    while solver.status == "running" and event is None:
        begin = solver.t
        solver.step()
        if solver.status == "failed":
            raise BadInput("the second method cannot keep its tolerance", "relax what is asked of it")
        dense: Any = solver.dense_output()
        event = _event(walk, dense, begin, solver.t)
        last = solver.t if event is None else event[0]
        done = solver.status == "finished" and event is None
        while wanted and (done or wanted[0] - now <= last):
            found.append(walk.split(dense(min(wanted.pop(0) - now, last))))
    walk.log_norm, walk.direction = walk.split(dense(last))
    if event is None:
        return end
    walk.meet(event[1], event[2], offset + now + last)
    return now + last


def _event(walk: _Walk, dense: Callable[[float], Floats], begin: float, end: float) -> tuple[float, int, int] | None:
    """The first time in the step at which a neuron is past one of its lines, by bisection; the neuron and the line."""

    def past(time: float) -> Floats:
        return np.asarray(walk.side * (walk.split(dense(time))[1] @ walk.lines.directions.T) + TOUCHES, dtype=float)

    times = np.linspace(begin, end, LOOKS + 1)
    high = next((k for k in range(1, LOOKS + 1) if (past(times[k]) < 0).any()), None)
    if high is None:
        return None
    low, late = float(times[high - 1]), float(times[high])
    while low < (middle := 0.5 * (low + late)) < late:
        low, late = (low, middle) if (past(middle) < 0).any() else (middle, late)
    h, line = np.unravel_index(int(np.argmin(past(late))), walk.side.shape)
    return late, int(h), int(line)
