"""One step of a Runge-Kutta method of Dormand and Prince, and its continuous extension.

Order 8(5,3) with an extension of order 7 for high accuracy, order 5(4) with one of order 4 where little is asked: each
event costs a step, so the cheaper step wins. Hairer's form of the extension is the same for both.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import DOP853, RK45

from refute.models.compiled import compiled, inlined
from refute.models.flow.pattern import field

ROWS = 16  # stages, the derivative at the end of the step, and those of the extension
EXTRA, LAST, THIRD, FIFTH = 13, 16, 20, 21  # rows of a table, after the stages and the step


class Method(NamedTuple):
    """A table with one row of weights for each stage, the step, the stages of the extension, its last coefficients, two
    error estimates.
    """

    weights: Any
    stages: int
    extra: int
    exponent: float  # the step changes with this power of the error


def _method(stages: Any, step: Any, extra: Any, last: Any, third: Any, fifth: Any, exponent: float) -> Method:
    weights = np.zeros((FIFTH + 1, ROWS))
    for place, rows in ((0, [*stages, step]), (EXTRA, extra), (LAST, last), (THIRD, [third]), (FIFTH, [fifth])):
        for k, row in enumerate(rows):
            weights[place + k, : len(row)] = row
    return Method(weights, len(stages), len(extra), exponent)


_DENSE_5 = [-12715105075 / 11282082432, 0, 87487479700 / 32700410799, -10690763975 / 1880347072,
            701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423]  # fmt: skip
ORDER_5 = _method([np.zeros(1), *RK45.A[1:]], RK45.B, [], [_DENSE_5], np.zeros(1), RK45.E, -0.2)
ORDER_8 = _method(DOP853.A[:12], DOP853.B, DOP853.A_EXTRA, DOP853.D, DOP853.E3, DOP853.E5, -0.125)


@inlined
def combine(method: Any, row: int, count: int, step: float, stages: Any, into: Any, at: int) -> None:
    """into[at] = step * (sum of weights[row, j] stages[j] for j < count)."""
    for e in range(into.shape[1]):
        into[at, e] = 0.0
    for j in range(count):
        weight = step * method.weights[row, j]
        if weight != 0.0:
            for e in range(into.shape[1]):
                into[at, e] += weight * stages[j, e]


@inlined
def stage(
    problem: Any,
    pattern: Any,
    method: Any,
    state: Any,
    row: int,
    count: int,
    step: float,
    stages: Any,
    trial: Any,
    at: int,
) -> None:
    """trial[0] = state + step * (weighted stages), and its derivative as stage `at`."""
    combine(method, row, count, step, stages, trial, 0)
    for e in range(state.shape[0]):
        trial[0, e] += state[e]
    field(problem, pattern, trial[0], stages[at])


@compiled
def local_error(
    method: Any, state: Any, new: Any, step: float, stages: Any, width: int, relative: float, absolute: float, room: Any
) -> float:
    """The estimated error of the step over what is allowed, root mean square; the scale of a weight
    is that of its neuron.
    """
    dim = state.shape[0] // width - 1
    combine(method, THIRD, method.stages + 1, step, stages, room, 0)
    combine(method, FIFTH, method.stages + 1, step, stages, room, 1)
    third = fifth = 0.0
    for h in range(width):
        last = width * dim + h
        size = max(abs(state[last]), abs(new[last]))
        for e in range(h * dim, (h + 1) * dim):
            size = max(size, abs(state[e]), abs(new[e]))
        scale = 1.0 / (absolute + relative * size)
        third += (room[0, last] * scale) ** 2
        fifth += (room[1, last] * scale) ** 2
        for e in range(h * dim, (h + 1) * dim):
            third += (room[0, e] * scale) ** 2
            fifth += (room[1, e] * scale) ** 2
    if not np.isfinite(third + fifth):
        return np.inf
    return fifth / np.sqrt((fifth + 0.01 * third) * state.shape[0]) if fifth > 0.0 else 0.0


@inlined
def attempt(problem: Any, pattern: Any, method: Any, state: Any, step: float, stages: Any, trial: Any) -> None:
    """Fill all stages and `trial`, the state after the step, given the derivative at the start as stage 0."""
    for j in range(1, method.stages + 1):
        stage(problem, pattern, method, state, j, j, step, stages, trial, j)


@compiled
def extend(
    problem: Any, pattern: Any, method: Any, state: Any, new: Any, step: float, stages: Any, trial: Any, shape: Any
) -> None:
    """Fill `shape`, the seven coefficients of the continuous extension."""
    end = method.stages
    for k in range(method.extra):
        stage(problem, pattern, method, state, EXTRA + k, end + 1 + k, step, stages, trial, end + 1 + k)
    for e in range(state.shape[0]):
        change = new[e] - state[e]
        shape[0, e] = change
        shape[1, e] = step * stages[0, e] - change
        shape[2, e] = 2 * change - step * (stages[end, e] + stages[0, e])
    for k in range(4):
        combine(method, LAST + k, ROWS, step, stages, shape, 3 + k)


@compiled
def between(state: Any, shape: Any, share: float, into: Any) -> None:
    """The state at the given share of the step."""
    for e in range(state.shape[0]):
        value = 0.0
        for k in range(6, -1, -1):
            value = (value + shape[k, e]) * (share if k % 2 == 0 else 1.0 - share)
        into[e] = state[e] + value
