"""How near a case comes to violating a conclusion: one number per compared entry, on one scale,
negative when violated.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import enclosure
from refute.errors import BadInput
from refute.language.relations import Margin, approximate

Floats = NDArray[np.float64]
MOST_ENTRIES = 512  # of one comparison; the rest of a larger array is thinned evenly


def components(margin: Margin) -> Floats:
    """(right - left) / (|left| + |right|) for every entry compared, in [-1, 1]; slack / (1 + |slack|) where a side is
    zero.

    A ratio, so that a comparison of small numbers does not hide behind one of large numbers.
    """
    if not margin.parts:
        return _ratios(np.array([approximate(margin.value)]), np.zeros(1))
    found = []
    for slack, left, right in margin.parts:
        keep = np.linspace(0, slack.size - 1, min(slack.size, MOST_ENTRIES)).astype(int)
        values, first, second = (_floats(side.reshape(-1)[keep]) for side in (slack, left, right))
        with np.errstate(over="ignore"):
            size = np.where((first == 0) | (second == 0), 0.0, np.abs(first) + np.abs(second))
        found.append(_ratios(values, size))
    return np.concatenate(found) if found else np.zeros(1)


def _floats(values: NDArray[np.generic]) -> Floats:
    if values.dtype != object:
        return values.astype(float)
    return np.array([_float(value) for value in values])


def _float(value: Any) -> float:
    """The nearest float; infinite where the number is too large to be written down."""
    try:
        return approximate(enclosure(value)[0])
    except BadInput:
        return math.inf if value > 0 else -math.inf


def _ratios(slack: Floats, size: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(size > 0, slack / size, slack / (1 + np.abs(slack)))
    ratio = np.where(np.isinf(slack), np.sign(slack), ratio)  # not infinity over infinity
    return np.nan_to_num(ratio, nan=1.0, posinf=1.0, neginf=-1.0)
