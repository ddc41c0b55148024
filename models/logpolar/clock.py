"""When a run is recorded: at times that its motion decides and the steps of the integrator do not.

The times are dyadic numbers. A cell between two of them is halved until the run moves little in it, so that two
integrations whose steps differ (by tolerance, by method, by the kernels that add up their sums) are recorded at the
same times.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CELLS = 16  # at least half as many are looked at
LITTLE = 0.25  # no coordinate changes by more between neighbours
FINEST = 2.0**-48  # of the span: cells are not halved further


def dyadic_times(coordinates: Callable[[Floats], Floats], end: float) -> Floats:
    """Increasing dyadic times in (0, end) between which no column of `coordinates` (times, columns) changes by more
    than `LITTLE`.
    """
    cell = 2.0 ** np.ceil(np.log2(end)) / CELLS
    left = cell * np.arange(CELLS)
    left = left[left < end]
    at_ends = coordinates(np.append(left, end))
    at_left, at_right = at_ends[:-1], at_ends[1:]
    found = [left]
    while left.size and cell > FINEST * end:
        fast = np.abs(at_right - at_left).max(axis=1) > LITTLE
        left, at_left, at_right, cell = left[fast], at_left[fast], at_right[fast], cell / 2
        middle = left + cell
        inside, at_middle = middle < end, coordinates(np.minimum(middle, end))
        left = np.concatenate([left, middle[inside]])
        at_left, at_right = np.concatenate([at_left, at_middle[inside]]), np.concatenate([at_middle, at_right[inside]])
        found.append(middle[inside])
    return np.unique(np.concatenate(found))[1:]


def first_time(happened: Callable[[float], bool], begin: float, end: float) -> float:
    """By bisection, to the last digit, a time from `begin` on at which `happened` turns true; it is true at `end`."""
    if happened(begin):
        return begin
    while begin < (middle := 0.5 * (begin + end)) < end:
        begin, end = (begin, middle) if happened(middle) else (middle, end)
    return end
