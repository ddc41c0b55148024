"""The geometry of one input: the cone of 45 degrees around the teacher, and small moves inside it.

Repairs move one entry at a time, so that numbers stay small, and put what they moved back into the cone.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from refute.arithmetic.numbers import Array, exact_array
from refute.models.dataset import Dataset
from refute.strategies.retry import patience

MOVES = [Fraction(m) for m in ("1", "-1", "1/2", "2", "-2", "3", "1/3", "5")]


def in_cone(v: Array, x: Array) -> bool:
    """angle(v, x) < 45 degrees."""
    along = v @ x
    return bool(along > 0 and 2 * along * along > (v @ v) * (x @ x))


def towards(v: Array, x: Array, step: Fraction) -> Array:
    """x or -x plus the least multiple of step v that leads into the cone."""
    x = x if v @ x >= 0 else -x
    if in_cone(v, x):
        return x
    along = (v @ x) / (v @ v)
    across = (x @ x) / (v @ v) - along * along
    k = max(0, math.floor((math.sqrt(across) - along) / step) - 1)
    turns = patience()
    while not in_cone(v, x + k * step * v):
        next(turns)
        k += 1
    return np.asarray(x + k * step * v)


def across(v: Array) -> Array:
    """A rational vector as long as v and orthogonal to it, for a rational unit vector v: the reflection of e_1 to v,
    applied to e_2.
    """
    axes = np.array([[Fraction(int(i == k)) for i in range(len(v))] for k in range(2)], dtype=object)
    mirror = axes[0] - v
    if not any(mirror):
        return np.asarray(axes[1])
    return np.asarray(axes[1] - 2 * mirror * (mirror @ axes[1]) / (mirror @ mirror))


def labelled(v: Array, inputs: Array) -> Dataset:
    """The inputs with the labels sigma(<v, x>)."""
    return Dataset(inputs, np.array([max(y, Fraction(0)) for y in inputs @ v], dtype=object))


def stacked(rows: list[Array]) -> Array:
    return exact_array(np.array([list(row) for row in rows], dtype=object))


def moves(x: Array) -> Iterator[Array]:
    """x with one entry moved, small moves first; then along a moment curve, which leaves every hypersurface."""
    for move in MOVES:
        for k in range(len(x)):
            moved = x.copy()
            moved[k] = moved[k] + move
            yield moved
    for step in range(1, 30):
        yield x + np.array([Fraction(step) ** (k + 1) / 10 for k in range(len(x))], dtype=object)


def mended(v: Array, inputs: Array, defect: Callable[[Array], int]) -> Array:
    """Move rows within the cone, one at a time, until there is no defect left."""
    best = defect(inputs)
    rows = list(inputs)
    while best:
        for i, x in [(k, moved) for k in reversed(range(len(rows))) for moved in moves(rows[k])]:
            trial = stacked([*rows[:i], towards(v, x, Fraction(1)), *rows[i + 1 :]])
            if defect(trial) < best:
                rows, best = list(trial), defect(trial)
                break
        else:
            break
    return stacked(rows)
