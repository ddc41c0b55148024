"""Steps of the Runge-Kutta method inside one activation pattern, up to the next event or the horizon."""

from typing import Any, NamedTuple

import numpy as np

from refute.models.compiled import compiled, inlined
from refute.models.flow.events import NOISE, TOUCHES, distances, first_exit, first_hit, least_slack, norms, suspects
from refute.models.flow.pattern import drift, pulls, regroup, rejoin, velocity
from refute.models.flow.rk import ROWS, Method, attempt, between, extend, local_error

HORIZON, DIVERGED, BUDGET, STALLED, EVENT = 0, 1, 2, 3, 4
TOO_LARGE = 1e8
CROSSINGS = 10_000  # how many crossings that need no decision are kept
SAFETY, GROWTH, CUT = 0.9, 6.0, 0.2  # of the step: how much of the ideal one is taken, and the limits of its change
TIME, STEP, SPENT, SLACK = 0, 1, 2, 3  # in `clock`
FILLED, EVALUATIONS, STEPS, CROSSED = 0, 1, 2, 3  # in `tally`
WEAK = 0.01  # a kink may add this share of the allowed error to a step without being an event


class Work(NamedTuple):
    """Where one integration keeps its intermediate values."""

    method: Method
    # the time, the next step, the sum of the estimated errors of all steps (in units of the tolerance), the slack of
    # slides
    clock: Any
    tally: Any  # how many of the asked times are done, evaluations of the field, steps, crossings that need no decision
    stages: Any
    shape: Any
    trial: Any
    new: Any
    start: Any  # (neurons, lines): pre-activations at the start of a step, their speeds, and both at its end
    start_speed: Any
    end: Any
    end_speed: Any
    marked: Any  # pairs that may reach their line within the step, and pairs whose line is too weak to matter
    weak: Any
    sizes: Any
    kinks: Any  # (2, lines): the jump of the pull across each line at the start and at the end of a step
    crossed: Any  # time, neuron, line and new side of crossings that need no decision


def workspace(method: Method, size: int, width: int, lines: int) -> Work:
    """Room for states of the given size."""
    start, start_speed, end, end_speed = (np.empty((width, lines)) for _ in range(4))
    marked, weak = (np.zeros((width, lines), dtype=np.bool_) for _ in range(2))
    return Work(
        method=method, clock=np.zeros(4), tally=np.zeros(4, dtype=np.int64), stages=np.zeros((ROWS, size)),
        shape=np.zeros((7, size)),
        trial=np.zeros((1, size)), new=np.zeros(size), start=start, start_speed=start_speed, end=end,
        end_speed=end_speed,
        marked=marked, weak=weak, sizes=np.zeros(width), kinks=np.zeros((2, lines)), crossed=np.zeros((CROSSINGS, 4)),
    )  # fmt: skip


@compiled
def copy(source: Any, into: Any) -> None:
    for e in range(source.shape[0]):
        into[e] = source[e]


@compiled
def largest(values: Any) -> float:
    """The largest entry in size; NaN when there is one."""
    found = 0.0
    for e in range(values.shape[0]):
        if not abs(values[e]) <= found:
            found = abs(values[e])
    return found


@compiled
def keep_kinks(problem: Any, into: Any) -> None:
    """The jump of the pull across each line."""
    for line in range(into.shape[0]):
        into[line] = problem.positive[line] - problem.negative[line]


@inlined
def prepare(problem: Any, pattern: Any, work: Any, state: Any, span: float, fixed: bool, at_zero: float) -> None:
    """The derivative (given the pulls) at a new start; a first step, if there is none, by a hundredth."""
    velocity(problem, pattern, state, work.stages[0])
    keep_kinks(problem, work.kinks[0])
    distances(problem.across, work.stages[0], work.start_speed)
    work.clock[SLACK], _ = least_slack(problem, pattern, state, fixed, at_zero)
    if work.clock[STEP] == 0.0:
        speed = largest(work.stages[0])
        work.clock[STEP] = min(span, 0.01 * largest(state) / speed) if speed > 0.0 else span


@compiled
def flip(problem: Any, pattern: Any, work: Any, h: int, line: int, time: float) -> None:
    """Put neuron h on the other side of a line, and write it down."""
    pattern.side[h, line] = -pattern.side[h, line]
    pattern.gates[h, line] = 1.0 if pattern.side[h, line] > 0 else problem.slope
    if work.tally[CROSSED] < work.crossed.shape[0]:
        note = work.crossed[work.tally[CROSSED]]
        note[0], note[1], note[2], note[3] = time, h, line, pattern.side[h, line]
        work.tally[CROSSED] += 1


@compiled
def excuse_weak(problem: Any, pattern: Any, work: Any, state: Any, relative: float, absolute: float) -> int:
    """Take the mark from lines whose kink is too weak to matter within the step, and note it; how
    many marks are left.
    """
    (width, lines), dim, count = pattern.side.shape, problem.directions.shape[1], 0
    for h in range(width):
        outer = abs(state[width * dim + h])
        allowed = WEAK * (absolute + relative * max(work.sizes[h], outer))
        for line in range(lines):
            jump = (
                work.clock[STEP]
                * outer
                * (1.0 - problem.slope)
                * max(abs(work.kinks[0, line]), abs(work.kinks[1, line]))
            )
            work.weak[h, line] = work.marked[h, line] and jump <= allowed
            work.marked[h, line] = work.marked[h, line] and jump > allowed
            count += work.marked[h, line]
    return count


@compiled
def cross_weak(problem: Any, pattern: Any, work: Any) -> None:
    """Let neurons cross weak lines at the end of a step (or at an event in it) without an event of their own; dated by
    interpolation.
    """
    crossed = False
    for h in range(work.weak.shape[0]):
        for line in range(work.weak.shape[1]):
            before, after = work.start[h, line], work.end[h, line]
            if not work.weak[h, line] or pattern.side[h, line] * after >= 0.0:
                continue
            share = before / (before - after) if before * after < 0.0 else 0.0
            flip(problem, pattern, work, h, line, work.clock[TIME] + share * work.clock[STEP])
            work.clock[SPENT] += WEAK
            crossed = True
    if crossed:
        regroup(pattern, problem.slope)


@compiled
def passes(problem: Any, pattern: Any, work: Any, state: Any, who: int, where: int) -> bool:
    """Whether neuron `who`, which touches line `where` and nothing else, goes through it at once, given the pulls: the
    common case.
    """
    (width, lines), dim = pattern.side.shape, problem.directions.shape[1]
    if where < 0 or pattern.rank[who] > 0:
        return False
    norms(state, dim, work.sizes)
    for h in range(width):
        for line in range(lines):
            touches = (
                abs(work.end[h, line]) <= TOUCHES * work.sizes[h]
                and pattern.side[h, line] != 0
                and pattern.alive[h] > 0.0
            )
            if touches and not (h == who and line == where):
                return False
    base, outer, terms, normal = np.empty(dim), state[width * dim + who], 0.0, 0.0
    drift(problem, pattern.gates[who], base)
    for e in range(dim):
        normal += outer * base[e] * problem.directions[where, e]
    for i in range(problem.labels.shape[0]):
        terms += abs(problem.residuals[i] * problem.factors[i])
    side, noise = pattern.side[who, where], NOISE * abs(outer) * problem.rate * terms
    other = normal - side * outer * (1.0 - problem.slope) * (problem.positive[where] - problem.negative[where])
    return bool(-side * normal > noise and -side * other > noise)


@inlined
def look(problem: Any, pattern: Any, work: Any, state: Any, relative: float, absolute: float, fixed: bool,
         at_zero: float) -> Any:  # fmt: skip
    """The first event in the step just made: share of the step (2: none), neuron, line (-1: it leaves); are there weak
    lines, and are the pulls those at the event? Else they are those at the end of the step."""
    step, start_slack, trial = work.clock[STEP], work.clock[SLACK], work.trial[0]
    norms(state, problem.directions.shape[1], work.sizes)
    hits = suspects(pattern, work.start, work.start_speed, work.end, work.end_speed, work.sizes, step, work.marked)
    marked = hits  # some of these may be excused
    if hits > 0:
        hits = excuse_weak(problem, pattern, work, state, relative, absolute)
    share, who, where, known = 2.0, -1, -1, False
    tight, leaver = least_slack(problem, pattern, work.new, fixed, at_zero)
    slides = leaver >= 0
    work.clock[SLACK] = tight
    if hits > 0 or tight < 0.0:
        extend(problem, pattern, work.method, state, work.new, step, work.stages, work.trial, work.shape)
        work.tally[EVALUATIONS] += work.method.extra
        if hits > 0:
            share, who, where = first_hit(problem, pattern, state, work.shape, work.sizes, work.marked)
        if slides and (share <= 1.0 or work.method.extra > 0):  # the extension has moved the pulls away from the end
            between(state, work.shape, min(share, 1.0), trial)
            pulls(problem, pattern, trial)
            work.tally[EVALUATIONS] += 1
            known = True
            tight, leaver = least_slack(problem, pattern, trial, fixed, at_zero)
        if tight < 0.0:
            terms = 0.0
            for i in range(problem.labels.shape[0]):
                terms += abs(problem.residuals[i] * problem.factors[i])
            harmless = WEAK * relative / (NOISE * step * problem.rate * terms)
            share, who, evaluations = first_exit(problem, pattern, state, work.shape, start_slack, min(share, 1.0),
                tight, leaver,
                                                 harmless, fixed, at_zero, trial)  # fmt: skip
            work.tally[EVALUATIONS] += evaluations
            work.clock[SPENT] += WEAK
            where, known = -1, True
    return share, who, where, marked > hits, known


@compiled
def advance(problem: Any, pattern: Any, work: Any, state: Any, times: Any, states: Any, relative: float,
    absolute: float,
            fixed: bool, at_zero: float, budget: int) -> Any:  # fmt: skip
    """Go on from `state` (which moves) to the next event or the end; why it returns, and the neuron and line of the
    event.
    """
    width, clock, tally = pattern.side.shape[0], work.clock, work.tally
    horizon = times[times.shape[0] - 1]
    distances(problem.across, state, work.start)
    prepare(problem, pattern, work, state, horizon - clock[TIME], fixed, at_zero)
    rejected = False
    while True:
        while tally[FILLED] < times.shape[0] and times[tally[FILLED]] <= clock[TIME]:
            copy(state, states[tally[FILLED]])
            tally[FILLED] += 1
        if tally[FILLED] == times.shape[0]:
            return HORIZON, -1, -1
        if tally[EVALUATIONS] > budget:
            return BUDGET, -1, -1
        wish, target = clock[STEP], times[tally[FILLED]]
        last = (
            wish >= target - clock[TIME]
        )  # steps end at the asked times: near a rest point they may be too long to interpolate
        if last:
            clock[STEP] = target - clock[TIME]
        if clock[TIME] + 0.25 * clock[STEP] <= clock[TIME]:
            if not last:
                return STALLED, -1, -1
            clock[TIME], clock[STEP] = target, wish
            continue
        attempt(problem, pattern, work.method, state, clock[STEP], work.stages, work.trial)
        copy(work.trial[0], work.new)
        keep_kinks(problem, work.kinks[1])
        tally[EVALUATIONS] += work.method.stages
        error = local_error(
            work.method, state, work.new, clock[STEP], work.stages, width, relative, absolute, work.shape
        )
        if error > 1.0:
            clock[STEP] *= max(CUT, SAFETY * error**work.method.exponent) if np.isfinite(error) else CUT
            rejected = True
            continue
        tally[STEPS] += 1
        clock[SPENT] += error
        distances(problem.across, work.new, work.end)
        distances(problem.across, work.stages[work.method.stages], work.end_speed)
        share, who, where, weak, known = look(problem, pattern, work, state, relative, absolute, fixed, at_zero)
        until = clock[TIME] + min(share, 1.0) * clock[STEP]
        if share <= 1.0:
            between(state, work.shape, share, work.new)
            distances(problem.across, work.new, work.end)
        elif last:
            until = target
        if weak:
            cross_weak(problem, pattern, work)
        clock[TIME] = until
        copy(work.new, state)
        growth = GROWTH if error == 0.0 else min(GROWTH, SAFETY * error**work.method.exponent)
        clock[STEP] *= max(CUT, min(growth, 1.0) if rejected else growth)
        if last:
            clock[STEP] = max(clock[STEP], wish)
        rejected = False
        if not largest(state) <= TOO_LARGE:
            return DIVERGED, -1, -1
        for h in range(width):
            copy(work.end[h], work.start[h])
        if share <= 1.0:
            if weak or not known:
                pulls(problem, pattern, state)
                tally[EVALUATIONS] += 1
            if fixed or not passes(problem, pattern, work, state, who, where):
                return EVENT, who, where
            flip(problem, pattern, work, who, where, until)
            rejoin(pattern, problem.slope, who)
            prepare(problem, pattern, work, state, horizon - until, fixed, at_zero)
            continue
        copy(work.stages[work.method.stages], work.stages[0])
        copy(work.kinks[1], work.kinks[0])
        for h in range(width):
            copy(work.end_speed[h], work.start_speed[h])
