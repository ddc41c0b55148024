"""One integration of the flow from start to horizon: compiled steps to an event, a decision, and on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.models.flow.collision import arriving, bury, collide, starting_pattern, touching
from refute.models.flow.march import (
    CROSSED,
    EVALUATIONS,
    EVENT,
    FILLED,
    SPENT,
    STEP,
    STEPS,
    TIME,
    Work,
    advance,
    workspace,
)
from refute.models.flow.pattern import Pattern, Problem, pulls, velocity
from refute.models.flow.pose import check_start
from refute.models.flow.rk import ORDER_5, ORDER_8
from refute.models.flow.trajectory import Change, Event
from refute.models.training import Stop

Floats = NDArray[np.float64]
LOOSE = 5e-10  # from this tolerance on, steps of order 5 are cheaper than steps of order 8
FLOOR = 1e-3  # absolute tolerance over relative tolerance, in units of the largest initial weight
RETREAT = 0.1  # the step shrinks so much when a neuron seems to reach a line but its velocity says that it does not
CROWD = 50  # so many events at one time, and four more per pair of a neuron and a line, are an accumulation
BLOWN = 1e-9  # weights that grow within this part of the time passed are blowing up, whatever events they meet
_STOPS = (Stop.HORIZON, Stop.DIVERGED, Stop.BUDGET, Stop.DIVERGED)  # by the number that `advance` returns


@dataclass(frozen=True, slots=True)
class Concept:
    """What counts as a solution: dead neurons may be held, and sigma'(0) may be fixed."""

    regular: bool = False
    at_zero: float | None = None


@dataclass(slots=True, eq=False)
class Course:
    """The state of an integration, and what it has met."""

    problem: Problem
    pattern: Pattern
    work: Work
    state: Floats
    states: Floats
    stop: Stop = Stop.HORIZON
    log: list[tuple[float, int, int, int]] = field(default_factory=list)  # time, neuron, line, side of what was decided
    latest: float = 0.0  # the time of the last event, and how many in a row came at one time
    crowd: int = 0

    @property
    def inner(self) -> Floats:
        width, dim = len(self.pattern.side), self.problem.directions.shape[1]
        return self.state[: width * dim].reshape(width, dim)

    @property
    def reached(self) -> float:
        return float(self.work.clock[TIME])

    @property
    def evaluations(self) -> int:
        return int(self.work.tally[EVALUATIONS])

    @property
    def steps(self) -> int:
        return int(self.work.tally[STEPS])

    @property
    def spent(self) -> float:
        """The sum of the estimated errors of all steps, in units of the tolerance."""
        return float(self.work.clock[SPENT])


def follow(
    problem: Problem,
    start: Floats,
    width: int,
    times: Floats,
    tolerance: float,
    concept: Concept,
    budget: int,
    complain: Callable[[], None],
) -> Course:
    """Integrate from `start` (the inner weights row by row, then the outer) to the given times."""
    inner = start[: len(start) - width].reshape(width, -1)
    pattern = starting_pattern(problem, inner)
    work = workspace(ORDER_8 if tolerance < LOOSE else ORDER_5, start.size, *pattern.side.shape)
    course = Course(problem, pattern, work, start, np.empty((len(times), start.size)))
    floor = max(tolerance * FLOOR * float(np.abs(start).max(initial=0.0)), 1e-290)  # its reciprocal is finite
    pulls(problem, pattern, start)
    complain()
    check_start(problem)
    if concept.regular:
        bury(problem, pattern, inner, range(width))
    near = touching(problem, pattern, inner)
    while _decided(course, near, concept):
        code, who, where = advance(
            problem, pattern, work, start, times, course.states, tolerance, floor,
            concept.at_zero is not None, concept.at_zero or 0.0, budget,
        )  # fmt: skip
        complain()
        if code != EVENT:
            course.stop = _STOPS[code]
            break
        near = arriving(problem, pattern, start, who, where)
    course.states[work.tally[FILLED] :] = start
    return course


def _decided(course: Course, near: NDArray[np.bool_], concept: Concept) -> bool:
    """Settle the neurons marked in `near`; False when there is no way on."""
    changes, possible = collide(course.problem, course.pattern, course.state, near, concept.at_zero)
    if concept.regular:
        bury(course.problem, course.pattern, course.inner, np.flatnonzero(near.any(axis=1)))
    if not changes:
        course.work.clock[STEP] *= RETREAT
    now = course.reached
    course.crowd = course.crowd + 1 if now - course.latest <= 1e-13 * now else 0
    course.latest = now
    course.log += [(now, *change) for change in changes]
    if not possible:
        course.stop = Stop.NO_SOLUTION
    elif course.crowd > CROWD + 4 * course.pattern.side.size:
        course.stop = Stop.DIVERGED if _blows_up(course) else Stop.ACCUMULATION
    return course.stop is Stop.HORIZON


def _blows_up(course: Course) -> bool:
    """Whether the weights change by their own size in almost no time, given the pulls."""
    change = np.empty_like(course.state)
    velocity(course.problem, course.pattern, course.state, change)
    return bool(BLOWN * course.reached * np.abs(change).max() > np.abs(course.state).max())


def events(course: Course) -> tuple[Event, ...]:
    """Events per line as events per sample: parallel samples change together, opposite ones the other way."""
    problem: Any = course.problem
    members: list[list[tuple[int, float]]] = [[] for _ in problem.directions]
    for sample, (line, factor) in enumerate(zip(problem.index.tolist(), problem.factors.tolist(), strict=True)):
        if line >= 0:
            members[line].append((sample, factor))
    crossed = course.work.crossed[: course.work.tally[CROSSED]].tolist()
    log = sorted(course.log + [(time, int(neuron), int(line), int(side)) for time, neuron, line, side in crossed])
    activates, deactivates, slides = Change
    return tuple(
        Event(time, neuron, sample, slides if side == 0 else activates if side * factor > 0 else deactivates)
        for time, neuron, line, side in log
        for sample, factor in members[line]
    )
