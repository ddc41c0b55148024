"""The lines through the origin on which the inputs lie: parallel inputs meet a neuron's hyperplane together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
PARALLEL = 16 * np.finfo(float).eps  # the same line when unit vectors differ by less: round-off of a rational multiple


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """x_i = factors[i] * directions[index[i]], with unit directions; an input at the origin has
    index -1 and factor 0.
    """

    directions: Floats
    index: Integers
    factors: Floats


def lines_through(inputs: Floats) -> Lines:
    """Group the rows of `inputs`; the direction of a line is that of its first input."""
    norms = np.linalg.norm(inputs, axis=1)
    index, factors = np.full(len(inputs), -1, dtype=np.int64), np.zeros(len(inputs))
    units = inputs / np.where(norms > 0, norms, 1.0)[:, None]
    firsts: list[int] = []
    for i in np.flatnonzero(norms):
        if index[i] >= 0:
            continue
        signs = np.where(units @ units[i] < 0, -1.0, 1.0)
        same = (np.abs(units - signs[:, None] * units[i]).max(axis=1) <= PARALLEL) & (index < 0) & (norms > 0)
        index[same] = len(firsts)
        factors[same] = (signs * norms)[same]
        firsts.append(int(i))
    return Lines(units[firsts], index, factors)
