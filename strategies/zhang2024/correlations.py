"""Repairs that make the correlation <y x> of a dataset nonzero, or zero. They keep even inputs even
and odd labels odd.
"""

from fractions import Fraction

import numpy as np
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset


def correlate(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """If <y x> = 0, add a pair x, -x with labels 1, -1 on an axis where no datum lies yet."""
    if any(data.correlation):
        return {"data": data}
    x = np.array([[Fraction(7, 2)] + [Fraction(0)] * (data.inputs.shape[1] - 1)], dtype=object)
    labels = np.array([Fraction(1), Fraction(-1)], dtype=object)
    return {"data": Dataset(np.vstack([data.inputs, x, -x]), np.concatenate([data.labels, labels]))}


def decorrelate(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """All labels zero, which is odd."""
    return {"data": Dataset(data.inputs, data.labels * 0)}
