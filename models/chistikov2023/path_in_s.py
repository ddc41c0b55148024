"""A path inside the set S of chistikov2023, from any of its points to one and the same point, in any arithmetic."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from refute.arithmetic.numbers import Array, Number, lifted_like
from refute.functions import exp, log, sign, smallest
from refute.models.chistikov2023.predictor_set import Spectrum

BETWEEN = 4  # parts of the way between two corners


def small_step(values: list[Number]) -> Number:
    """So short that q^(1/2) of it is far below every slack."""
    least = smallest(np.array(values, dtype=object))
    return least * least / 2**40


def corners(s: Spectrum, p: Array, at: int) -> list[Array]:
    """The vectors q = 1 - p at the corners of the path from p in S_l, l = at + 1."""
    d, q = s.dimension, 1 - p
    found = [q.copy()]
    if q[at] == 0:
        q[at] = small_step([q[k] for k in range(at + 1, d)] or [s.zero + 1])
        found.append(q.copy())
    for k in range(at):  # the coordinates beyond their target come close to it
        for halving in (2, 16, 2**20, 2**200):
            q[k] = (1 - p[k]) / halving
            found.append(q.copy())
    for step in (0, 1, 2, 4, 8, 16, 64):  # the others come close as well, the larger eigenvalue the faster
        decay = [exp(-step * s.eta[k] / s.eta[d - 1] / 4) for k in range(d)]
        q = np.array([q[k] * (decay[k] if k >= at else 1) for k in range(d)], dtype=object)
        found.append(q.copy())
    for k in reversed(range(at)):  # p_k comes back below its target, the last one first
        for value in (s.zero, small_step([q[later] for later in range(k + 1, d)])):
            q[k] = value
            found.append(q.copy())
    return [*found, _goal(s)]


def _goal(s: Spectrum) -> Array:
    goal = [s.zero + 1] * s.dimension
    for k in reversed(range(s.dimension)):
        goal[k] = (goal[k + 1] * goal[k + 1] if k + 1 < s.dimension else s.zero + 1) / 4
    return np.array(goal, dtype=object)


def path(s: Spectrum, p: Array, at: int) -> list[Array]:
    """q = 1 - p at the corners of the path and in between: a line in ln |q_k| where its sign stays, in q_k else."""
    found = corners(s, p, at)
    inner = [_between(a, b, Fraction(k, BETWEEN)) for a, b in pairwise(found) for k in range(BETWEEN)]
    return [*inner, found[-1]]


def _between(a: Array, b: Array, part: Fraction) -> Array:
    return np.array([_mixed(x, y, lifted_like(x, part)) for x, y in zip(a, b, strict=True)], dtype=object)


def _mixed(x: Number, y: Number, part: Number) -> Number:
    ends = int(sign(x)), int(sign(y))
    if ends[0] * ends[1] <= 0:
        return x + part * (y - x)
    return ends[0] * exp(log(abs(x)) * (1 - part) + log(abs(y)) * part)
