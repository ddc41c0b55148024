r"""Gradient flow of a balanced two-layer network in log-polar coordinates, from any initial scale.

Each neuron is kept as log-norm and direction, w_j = e^{rho_j} u_j, a_j = s_j e^{rho_j}, |u_j| = 1. With pulls
c_i = -d loss / d f_i and gates theta_ji = sigma'(<u_j, x_i>),
    du_j/dt = s_j (I - u_j u_j^T) g_j,   drho_j/dt = s_j <g_j, u_j>,   g_j = sum_i theta_ji c_i x_i,
    f_i = sum_j s_j e^{2 rho_j} sigma(<u_j, x_i>).
While the outputs are zero to round-off the motion has a closed form (`plateau`), however long it lasts. From take-off
on an adaptive high-order integrator with its own clock takes over (`steps`). Activation changes are events; a neuron
crosses or slides as `contact` says, and one whose last active point has left is frozen for good (the regular solution).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT
from refute.decide.confirmation import CONFIRMED, CONTRADICTED, REPEATED, answered, asked
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.checks import check_dimension
from refute.models.dataset import Dataset
from refute.models.flow.solve import HOPELESS
from refute.models.logpolar.angular_gap import log_gap, plateau_invariants
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.clock import dyadic_times, first_time
from refute.models.logpolar.contact import blurred
from refute.models.logpolar.field import Problem, State
from refute.models.logpolar.plateau import Path, Switch, path, takeoff
from refute.models.logpolar.steps import SILENT, Leg, integrate
from refute.models.loss import Loss
from refute.models.training import Stop
from refute.show.cards import card, curves
from refute.shown import Shown

Floats = NDArray[np.float64]
FINEST = 1e-13
# by default training is followed for so many units of 1/|push| after the time when the slowest neuron would take off
FOLLOW = 3000.0
AGREEMENT = 1e-9  # two methods that differ by less do not contradict each other
EPSILON = float(np.finfo(float).eps)
UNFINISHED = (Stop.BUDGET, Stop.CHATTERS)


@dataclass(frozen=True, slots=True, eq=False)
class LogPolarTrajectory(Shown):
    """Log-norms (times, width), directions (times, width, dimension) and outputs (times, samples) at the times
    `offset + local`.

    The two parts are kept apart because the plateau may last 10^5 or more. Neither depends on the steps of the
    integrator. `error` bounds directions and log-norms, `output_error` the outputs, `time_error` the times at which a
    level is met (the end of a run that stops by one, and `loud`): the gap between runs at the tolerance and a hundredth
    of it, each taken where it meets the level, doubled, plus what the steps of the finer run allow themselves (both may
    take the same ones), plus round-off; where a second method was asked for, plus the
    distance from it, and `error` then also covers the times of the switches. A run that was cut short is so uncertain
    that it decides nothing. At the last time `sides` tells the activation (+1, -1, 0 sliding) and `log_gap[j, k]` is
    ln(1 - cos angle(w_j, w_k)), which the second method does not know. `loud` (samples) is infinite where the modulus
    of an output never exceeds what was asked for.
    """

    offset: Floats
    local: Floats
    log_norm: Floats
    direction: Floats
    output: Floats
    signs: NDArray[np.int_]
    sides: NDArray[np.int_]
    dead: NDArray[np.bool_]
    log_gap: Floats
    switches: tuple[Switch, ...]
    takeoff: float
    loud: Floats
    error: float
    output_error: float
    time_error: float
    stop: Stop

    @property
    def time(self) -> Floats:
        """The times, one number each; the difference of two late ones may have lost digits."""
        return self.offset + self.local

    @property
    def log_norms(self) -> Enclosed:
        """Log-norms with their error."""
        return Enclosed(self.log_norm, self.error)

    @property
    def directions(self) -> Enclosed:
        """Directions with their error."""
        return Enclosed(self.direction, self.error)

    @property
    def outputs(self) -> Enclosed:
        """Outputs with their error."""
        return Enclosed(self.output, self.output_error)

    def __str__(self) -> str:
        width, dimension = self.direction.shape[1:]
        words = f"{len(self.local)} times up to t = {self.time[-1]:g}, {width} neurons in dimension {dimension}"
        bounds = f"directions and log-norms known to {self.error:.2g}, outputs to {self.output_error:.2g}"
        return (
            f"{words}, take-off at {self.takeoff:g}, {len(self.switches)} activation changes, {bounds}; "
            f"{self.stop.value}"
        )

    def _repr_html_(self) -> str:
        return card("trajectory", [("flow", str(self))], curves(self.time, self.log_norm, "ln of the norms"))


def log_polar_flow(
    start: Balanced,
    data: Dataset,
    loss: Loss,
    *,
    horizon: float | None = None,
    times: Sequence[float] = (),
    level: float = 1e-6,
    tolerance: float = 1e-10,
    steps: int = 20_000,
    loud: float = np.inf,
) -> LogPolarTrajectory:
    """Follow the flow of `loss` from `start` until every d loss / d output has fallen to `level` of the largest first
    one.

    `times` are reported besides those that the motion decides (`clock`), and so are the end, when the level is met, and
    the first time at which each |output| exceeds `loud`; the horizon defaults to the last of `times`, and without them
    lies far beyond take-off.
    """
    wanted = np.sort(np.asarray(times, dtype=float))
    _check(wanted, horizon, level, tolerance)
    problem, paths = _posed(start, data, loss)
    strength = max((one.stages[-1].strength for one in paths), default=0.0)
    begin = takeoff(paths, _silence(problem))
    if horizon is None:
        horizon = float(wanted[-1]) if wanted.size else (_far(paths) if np.isfinite(begin) else 1.0)
    calm = min(begin, horizon)
    quiet_times = _plateau_times(paths, calm, wanted)
    quiet = [_state(paths, float(t)) for t in quiet_times]
    invariants = plateau_invariants(paths, problem.signs, calm, quiet[-1])
    round_off = 8 * EPSILON * (1 + abs(float(start.log_scale)) + strength * calm)
    if begin < horizon:
        fine, coarse = (
            integrate(problem, quiet[-1], begin, horizon - begin, allowed, level * _first(problem), steps, invariants)
            for allowed in (max(tolerance / 100, FINEST), max(tolerance, 30 * FINEST))
        )
    else:
        stop = Stop.HORIZON if np.isfinite(begin) else Stop.AT_REST
        fine = coarse = Leg(quiet[-1], (), (), quiet[-1], invariants, stop)
    both = _compared(problem, fine, coarse, wanted[wanted > begin] - begin, loud)
    later, (log_norm, direction) = both.time, _joined(quiet, fine.at(both.time))
    output = problem.outputs(log_norm, direction)
    size, allowed = float(np.abs(output).max(initial=0.0)), len(fine.pieces) * max(tolerance / 100, FINEST)
    last, unseen = fine.last, np.inf if blurred(problem.points) else 0.0
    alive = set(last.live(problem.slope).tolist())
    run = LogPolarTrajectory(
        offset=np.concatenate([np.zeros(len(quiet)), np.full(len(later), begin)]),
        local=np.concatenate([quiet_times, later]),
        log_norm=log_norm,
        direction=direction,
        output=output,
        signs=problem.signs,
        sides=last.sides,
        dead=np.array([j not in alive for j in range(len(paths))]),
        log_gap=log_gap(fine.invariants, last, problem.signs),
        switches=(*_early_switches(paths, calm), *fine.switches),
        takeoff=begin,
        loud=begin + both.loud,
        error=2 * both.gap + allowed + round_off + unseen,
        output_error=2 * both.output_gap + 4 * (round_off + allowed) * size + unseen,
        time_error=2 * both.time_gap + unseen + (round_off / strength if strength else 0.0) + 8 * EPSILON * calm,
        stop=fine.stop,
    )
    return _confirmed(run, problem, start) if asked() else run


def _first(problem: Problem) -> float:
    """The largest d loss / d output at zero output."""
    return float(np.abs(problem.pulls(np.zeros(len(problem.labels)))).max())


def _joined(quiet: Sequence[State], grown: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Log-norms and directions before take-off and after it."""
    before = ([state.log_norm for state in quiet], [state.direction for state in quiet])
    log_norm, direction = (
        np.concatenate([early, late.reshape(-1, *early[0].shape)]) for early, late in zip(before, grown, strict=True)
    )
    return log_norm, direction


def _early_switches(paths: Sequence[Path], until: float) -> list[Switch]:
    return sorted((s for one in paths for s in one.switches if s.local <= until), key=lambda s: s.local)


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """The times after take-off at which a run is recorded, when its outputs are loud, and how far a second run is from
    it there.
    """

    time: Floats
    loud: Floats
    gap: float
    output_gap: float
    time_gap: float


def _compared(problem: Problem, fine: Leg, coarse: Leg, wanted: Floats, loud: float) -> _Compared:
    """What is met at a level (the end, an output that becomes loud) each run meets at a time of its own, and there they
    are compared.
    """
    end, shared = float(fine.time[-1]), float(min(fine.time[-1], coarse.time[-1]))
    grid = np.concatenate([dyadic_times(_coordinates(problem, fine), end) if end > 0 else [], wanted])
    grid = np.unique(grid[(grid > 0) & (grid < shared)])
    mine, other = (_loud(problem, leg, grid, loud) for leg in (fine, coarse))
    met, met_by_other = (
        [*own[np.isfinite(own)].tolist(), float(leg.time[-1])] for own, leg in ((mine, fine), (other, coarse))
    )
    time = np.unique(np.concatenate([grid, met]))
    if fine.stop is not coarse.stop or fine.stop in UNFINISHED or len(met) != len(met_by_other):
        return _Compared(time[time > 0], mine, HOPELESS, HOPELESS, HOPELESS)
    ends = coarse.time[
        (coarse.time > 0) & (coarse.time < shared)
    ]  # between them an interpolant adds errors of its own to the second run
    here, there = fine.at(np.concatenate([ends, met])), coarse.at(np.concatenate([ends, met_by_other]))
    return _Compared(
        time[time > 0],
        mine,
        gap=max(_gap(a, b) for a, b in zip(here, there, strict=True)),
        output_gap=_gap(problem.outputs(*here), problem.outputs(*there)),
        time_gap=_gap(np.array(met), np.array(met_by_other)),
    )


def _coordinates(problem: Problem, leg: Leg) -> Callable[[Floats], Floats]:
    """What moves: log-norms of neurons that are not silent, directions, outputs, and the logarithm
    of the largest pull.
    """
    quiet, size = _silence(problem) / 2, float(np.abs(problem.labels).max()) or 1.0

    def at(times: Floats) -> Floats:
        log_norm, direction = leg.at(times)
        output = problem.outputs(log_norm, direction)
        pull = np.log(np.maximum(np.abs(problem.pulls(output)).max(axis=1), SILENT))
        return np.column_stack(
            [
                np.maximum(log_norm, quiet),
                direction.reshape(len(times), np.prod(direction.shape[1:])),
                output / size,
                pull,
            ]
        )

    return at


def _loud(problem: Problem, leg: Leg, grid: Floats, loud: float) -> Floats:
    """The first time at which the modulus of each output exceeds `loud`, as far as the grid shows; infinite when it
    never does.
    """

    def above(times: Floats) -> NDArray[np.bool_]:
        return np.abs(problem.outputs(*leg.at(times))) > loud

    def when(i: int, k: int) -> float:
        return first_time(lambda t: bool(above(np.array([t]))[0, i]), float(times[max(k - 1, 0)]), float(times[k]))

    times = np.array([0.0, *grid, leg.time[-1]])
    seen = above(times)
    return np.array([when(i, int(np.argmax(mine))) if mine.any() else np.inf for i, mine in enumerate(seen.T)])


def _confirmed(run: LogPolarTrajectory, problem: Problem, start: Balanced) -> LogPolarTrajectory:
    """The run with its errors widened by its distance from the second method: at all its times, and between the times
    of the switches.

    The error of the second method is measured only where the first one's error and rounding do not explain the
    distance.
    """
    from refute.models.logpolar.confirm import COARSER, FINE, confirm_log_polar

    late = run.offset > 0
    clocks = [(0.0, run.local[~late]), *([(float(run.offset[-1]), run.local[late])] if late.any() else [])]
    try:
        if run.stop in UNFINISHED:
            raise BadInput("the first method did not come to an end")
        second = confirm_log_polar(problem, *start.log_norms_and_directions(), clocks)
        states, other = (run.log_norm, run.direction), (second.log_norm, second.direction)
        distance, allowed = _apart(states, other), max(run.error, AGREEMENT)
        if not distance <= allowed:
            rough = confirm_log_polar(problem, *start.log_norms_and_directions(), clocks, COARSER * FINE)
            allowed += 2 * _apart(other, (rough.log_norm, rough.direction))
        apart = _switches_apart(run, second.changes) if distance <= allowed else 0.0
    except BadInput:
        answered(REPEATED)
        return run
    methods = "the log-polar flow in closed form and by Runge-Kutta and the multistep method"
    answered(CONFIRMED if distance <= allowed else CONTRADICTED, methods, distance, allowed)
    output_distance = _gap(run.output, problem.outputs(second.log_norm, second.direction))
    return (
        replace(  # twice: at the time that is recorded, and for the time at which the second method would meet a level
            run,
            error=run.error + max(2 * distance, apart),
            output_error=run.output_error + 2 * output_distance,
            time_error=run.time_error + 2 * output_distance * _slowest(run),
        )
    )


def _slowest(run: LogPolarTrajectory) -> float:
    """The largest dt / d|f_i| where an output becomes loud, from the recorded time before; 0 when none does."""
    pairs = [(i, int(np.searchsorted(run.time, time))) for i, time in enumerate(run.loud) if np.isfinite(time)]
    spans = [(run.time[k] - run.time[k - 1], abs(run.output[k, i] - run.output[k - 1, i])) for i, k in pairs if k]
    return max((float(time / change) for time, change in spans if change > 0), default=0.0)


def _switches_apart(run: LogPolarTrajectory, changes: list[tuple[int, int, float]]) -> float:
    """The largest difference between the times of corresponding switches up to the last time."""
    mine = sorted((one.neuron, one.point, one.time) for one in run.switches if one.time <= run.time[-1])
    other = sorted(changes)
    if [one[:2] for one in mine] != [one[:2] for one in other]:
        raise BadInput("the methods see different switches")
    return max((abs(a[2] - b[2]) for a, b in zip(mine, other, strict=True)), default=0.0)


def _apart(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> float:
    return max(_gap(a, b) for a, b in zip(one, other, strict=True))


def _gap(a: Floats, b: Floats) -> float:
    with np.errstate(invalid="ignore"):  # zero neurons have log-norm -inf
        return float(np.nanmax(np.abs(a - b), initial=0.0))


def _check(times: Floats, horizon: float | None, level: float, tolerance: float) -> None:
    if not np.isfinite(times).all() or (times < 0).any():
        raise BadInput(f"times must be finite and not negative, got {times.tolist()}")
    if horizon is not None and not horizon >= 0:
        raise BadInput(f"horizon must not be negative, got {horizon}")
    for name, value in (("level", level), ("tolerance", tolerance)):
        if not 0 < value < np.inf:
            raise BadInput(f"{name} must be positive and finite, got {value}")


def _posed(start: Balanced, data: Dataset, loss: Loss) -> tuple[Problem, list[Path]]:
    """The problem in float64 and the closed-form path of every neuron under the pulls at zero output."""
    data = lift(data, FLOAT)
    log_norm, direction = start.log_norms_and_directions()
    check_dimension(direction.shape[1], data.inputs.shape[1])
    weight = float(loss.weight(len(data.labels)))
    problem = Problem(
        data.inputs, data.labels, np.asarray(start.signs, dtype=int), float(start.slope), loss.residual, weight
    )
    pulls = problem.pulls(np.zeros(len(data.labels)))
    if not np.isfinite(pulls).all():
        raise BadInput(f"the residual at zero output is {pulls.tolist()}", "give finite labels and points")
    neurons = range(len(direction))
    paths = [
        path(direction[j], float(log_norm[j]), int(problem.signs[j]), data.inputs, pulls, problem.slope, j)
        for j in neurons
    ]
    return problem, paths


def _far(paths: Sequence[Path]) -> float:
    """A time long after the slowest neuron would have taken off by itself."""
    last = [(one.stages[-1], one.stages[-1].strength) for one in paths if not one.dead and one.stages[-1].strength > 0]
    if not last:  # at rest as long as the outputs are zero, but they are not
        return FOLLOW
    slowest = min(strength for _, strength in last)
    return float(max(now.start + 2 * abs(now.log_norm) / strength for now, strength in last) + FOLLOW / slowest)


def _silence(problem: Problem) -> float:
    """ln of the sum of squared norms at which outputs reach `SILENT` of the labels."""
    largest = float(np.linalg.norm(problem.points, axis=1).max())
    return float(np.log(SILENT) + np.log(np.abs(problem.labels).max() or 1.0) - np.log(largest or 1.0))


def _state(paths: Sequence[Path], time: float) -> State:
    log_norm, direction, sides = zip(*(one.at(time) for one in paths), strict=True)
    return State(np.array(log_norm), np.array(direction), np.array(sides))


def _plateau_times(paths: Sequence[Path], end: float, wanted: Floats) -> Floats:
    """The ends of the stages, the wanted times, some points while directions move and some until take-off."""
    stages = [one.start for each in paths for one in each.stages]
    strength = max(each.stages[-1].strength for each in paths)
    busy = min(end, max(stages) + 5 / strength) if strength else end
    if not np.isfinite(end):
        end = busy if np.isfinite(busy) else max(stages)
    grid = np.concatenate(
        [stages, wanted, np.linspace(0, busy if np.isfinite(busy) else 0, 17), np.linspace(0, end, 9)]
    )
    return np.unique(grid[grid <= end])
