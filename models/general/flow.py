"""Gradient flow of any objective: a Runge-Kutta method of our own with steps that are halved, and Adams's of scipy.

The error is the distance between the two, and what they allow themselves. Where the objective is smooth and they agree,
the second confirms the first; where it has kinks both may miss a solution that leaves one, and nothing is confirmed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.integrate import LSODA

from refute.decide.confirmation import CONFIRMED, CONTRADICTED, REPEATED, answered
from refute.errors import BadInput, Diverged
from refute.models.checks import checked_times
from refute.models.general.objective import Field, Objective
from refute.models.general.run import Floats, Run
from refute.models.training import Stop

FINEST, HOPELESS, TOO_LARGE = 1e-9, 1e9, 1e12
AGREEMENT = 1e-6  # relative to the largest weight: methods that differ by more contradict each other
BUDGET = 100_000  # evaluations of the gradient by one method


class _Spent(Exception):
    """The budget is spent."""


def flow(
    objective: Objective,
    start: Mapping[str, Any],
    times: Any,
    *,
    tolerance: float = 1e-9,
    smooth: bool = False,
    budget: int = BUDGET,
) -> Run:
    """Integrate d theta/dt = -grad from `start` at time 0. Say `smooth=True` where no activation has a kink."""
    times, field = checked_times(times), Field(start)

    def velocity(state: Floats) -> Floats:
        if field.evaluations >= budget:
            raise _Spent
        found = field(objective, state)
        if not (np.isfinite(found).all() and np.abs(state).max(initial=0.0) < TOO_LARGE):
            raise Diverged("training diverged", Stop.DIVERGED.value)
        return found

    level = max(tolerance, FINEST)
    try:
        states = _doubling(velocity, field.start, times, level)
        field.evaluations = 0
        other = _adams(velocity, field.start, times, level, float(np.abs(states).max(initial=0.0)))
    except _Spent:
        answered(REPEATED)
        held = np.broadcast_to(field.start, (len(times), len(field.start)))
        return Run(times, field.named(held), HOPELESS, Stop.BUDGET)
    size, distance = float(np.abs(states).max(initial=0.0)), float(np.abs(states - other).max(initial=0.0))
    methods = "the Runge-Kutta method and the multistep method of general.flow"
    agree = distance <= AGREEMENT * max(size, 1e-300)
    grade = (CONFIRMED if smooth else REPEATED) if agree else CONTRADICTED
    answered(grade, methods, distance, AGREEMENT * size)
    return Run(times, field.named(states), 2 * distance + 10 * level * size, Stop.HORIZON)


def _doubling(velocity: Any, state: Floats, times: Floats, tolerance: float) -> Floats:
    """The classical method of order four: each step is taken whole and in halves, and the two are extrapolated."""
    now, step, found = 0.0, min(float(times[-1]) or 1.0, 1e-3), []
    for end in times.tolist():
        while now < end:
            length = min(step, end - now)
            whole = _step(velocity, state, length)
            halves = _step(velocity, _step(velocity, state, length / 2), length / 2)
            gap = float(np.abs(halves - whole).max(initial=0.0)) / 15
            allowed = tolerance * max(float(np.abs(np.concatenate([state, halves])).max(initial=0.0)), 1e-290)
            if gap <= allowed:
                now, state = (end if length == end - now else now + length), halves + (halves - whole) / 15
            if length == step or gap > allowed:
                step = length * (min(max(0.9 * (allowed / gap) ** 0.2, 0.2), 4.0) if gap else 4.0)
            if step <= 1e-16 * end:
                raise BadInput(f"the step became too small at time {now:.4g}", Stop.STUCK.value)
        found.append(state)
    return np.array(found)


def _step(velocity: Any, state: Floats, length: float) -> Floats:
    first = velocity(state)
    second = velocity(state + length / 2 * first)
    third = velocity(state + length / 2 * second)
    fourth = velocity(state + length * third)
    return np.asarray(state + length / 6 * (first + 2 * second + 2 * third + fourth))


def _adams(velocity: Any, state: Floats, times: Floats, tolerance: float, size: float) -> Floats:
    floor = 1e-3 * tolerance * max(size, 1e-290)
    now, found = 0.0, []
    for end in times.tolist():
        if end > now:
            solver = LSODA(lambda _, y: velocity(y), now, state, end, rtol=tolerance, atol=floor)
            while solver.status == "running":
                solver.step()
            if solver.status == "failed":
                raise BadInput(f"the multistep method failed at time {solver.t:.4g}", Stop.STUCK.value)
            now, state = end, np.array(solver.y)
        found.append(state)
    return np.array(found)
