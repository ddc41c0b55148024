r"""The rows of W_{+1} and W_{-1} along a run: weights, what they have moved, and how far two of one sign are apart.

A row w_{j,r} is off by at most sum_i |x_i|^{-1} times what a coefficient is off by.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from refute.arithmetic.numbers import Array
from refute.models.kou2023.decomposition import Decomposition


def reach(course: Decomposition) -> float:
    """sum_i |x_i|^-1."""
    return float((1 / np.sqrt(np.asarray(course.squares, dtype=float))).sum())


def moves(course: Decomposition) -> Any:
    """v_{j,r} = w_{j,r}(t) - w_{j,r}(0): (time, j, r, coordinate)."""
    return course.known((course.rho / course.squares) @ course.data.inputs, reach(course))


def moved_norms(course: Decomposition) -> Any:
    """|v_{j,r}|: (time, j, r)."""
    return course.known(np.linalg.norm((course.rho / course.squares) @ course.data.inputs, axis=-1), reach(course))


def gaps(rows: Any) -> Any:
    """The squared distances of any two rows of one sign: (time, j, r, r')."""
    return ((rows[:, :, :, None] - rows[:, :, None, :]) ** 2).sum(axis=-1)


def mixed(course: Decomposition) -> Decomposition:
    """Every second neuron exchanged for that of the other sign, with its weights and coefficients."""
    width, odd = course.width, np.arange(course.width) % 2 == 1

    def exchanged(values: Array) -> Array:
        return np.asarray(np.where(odd[:, None], values[:, ::-1], values))

    start = course.start.inner.reshape(1, 2, width, -1)
    net = course.start.with_weights(exchanged(start).reshape(2 * width, -1), course.start.outer)
    return replace(course, start=net, signals=exchanged(course.signals), rho=exchanged(course.rho))
