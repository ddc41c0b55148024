"""The compiled integrator of models.flow.early: steps of order 5 (Dormand and Prince) for the change made by the cubic
terms.

Importing this module imports numba: do it inside the function that needs it. It calls nothing outside this file, so
numba's own cache knows when to compile it anew.
"""

from typing import Any

import numba
import numpy as np
from scipy.integrate import RK45

A, B, C, E = (np.ascontiguousarray(table) for table in (RK45.A, RK45.B, RK45.C, RK45.E))


@numba.njit(cache=True, error_model="numpy")
def velocity(
    time: float, d: Any, linear: Any, b: Any, x: Any, slope: float, rate: float, scale: float, into: Any
) -> None:
    """into = (M - 3) d + N(V) / rate with V = up + (still + down / E) / E - w^2 E^2 d, E = e^time, w = e^-scale."""
    width, last = d.shape[0], d.shape[1] - 1
    decay, cubic = np.exp(-time), np.exp(2 * (time - scale))
    weights = linear[0] + (linear[2] + linear[1] * decay) * decay - cubic * d
    pre, gates = np.zeros(width), np.zeros(width)
    for h in range(width):
        along = 0.0
        for e in range(last):
            into[h, e] = d[h, last] * b[e] - 3 * d[h, e]
            along += d[h, e] * b[e]
        into[h, last] = along - 3 * d[h, last]
    for i in range(x.shape[0]):
        output = 0.0
        for h in range(width):
            value = 0.0
            for e in range(last):
                value += weights[h, e] * x[i, e]
            gates[h] = 1.0 if value > 0 else slope if value < 0 else (1 + slope) / 2
            pre[h] = gates[h] * value
            output += weights[h, last] * pre[h]
        push = output / (x.shape[0] * rate)
        for h in range(width):
            into[h, last] += push * pre[h]
            for e in range(last):
                into[h, e] += push * gates[h] * weights[h, last] * x[i, e]


@numba.njit(cache=True, error_model="numpy")
def follow(
    times: Any,
    linear: Any,
    b: Any,
    x: Any,
    slope: float,
    rate: float,
    scale: float,
    tolerance: float,
    floor: float,
    budget: int,
) -> Any:
    """d at the increasing times, from zero at time 0; NaN from where the budget of steps was spent."""
    shape = linear[0].shape
    found = np.full((len(times), shape[0], shape[1]), np.nan)
    d, stages = np.zeros(shape), np.zeros((7, shape[0], shape[1]))
    now, step = 0.0, 1e-2
    velocity(now, d, linear, b, x, slope, rate, scale, stages[0])
    for k in range(len(times)):
        while now < times[k]:
            budget -= 1
            if budget < 0:
                return found
            length = min(step, times[k] - now)
            for j in range(1, 6):
                trial = d.copy()
                for m in range(j):
                    trial += length * A[j, m] * stages[m]
                velocity(now + length * C[j], trial, linear, b, x, slope, rate, scale, stages[j])
            new = d.copy()
            for m in range(6):
                new += length * B[m] * stages[m]
            velocity(now + length, new, linear, b, x, slope, rate, scale, stages[6])
            error = np.zeros(shape)
            for m in range(7):
                error += length * E[m] * stages[m]
            worst = np.abs(error).max() / (floor + tolerance * max(np.abs(d).max(), np.abs(new).max()))
            if worst <= 1.0:
                now = times[k] if length == times[k] - now else now + length
                d = new
                stages[0] = stages[6]
            step = length * min(5.0, max(0.2, 0.9 * worst**-0.2))
        found[k] = d
    return found
