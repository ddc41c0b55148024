"""Labels +-1 that a hyperplane through the origin separates, or that none does. Even inputs stay
even and odd labels odd.
"""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset
from refute.strategies.numbers import array
from refute.strategies.retry import patience


def label_by_a_hyperplane(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The side of a hyperplane that no input off the origin lies on; 0 at the origin. The first basis vector if all
    inputs are zero.
    """
    inputs = data.inputs
    if not inputs.any():
        axis = np.array([[Fraction(int(k == 0)) for k in range(inputs.shape[1])]], dtype=object)
        inputs = np.vstack([axis, -axis])
    normal = draw(array(inputs.shape[1], limit=2))
    tilt = np.array([Fraction(1, 97**k) for k in range(1, inputs.shape[1] + 1)], dtype=object)
    turns = patience()
    while any(row @ normal == 0 for row in inputs if row.any()):
        next(turns)
        normal, tilt = normal + tilt, tilt / 3
    return {
        "data": Dataset(
            inputs, np.array([Fraction((row @ normal > 0) - (row @ normal < 0)) for row in inputs], dtype=object)
        )
    }


def contradict_a_point(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """An input x and twice this input, with labels of opposite sign, and their mirror images; the other labels become
    odd signs.
    """
    x = draw(st.sampled_from([row for row in data.inputs if row.any()] or [data.inputs[0] * 0 + 1]))
    signs = {tuple(x): Fraction(1), tuple(-x): Fraction(-1), tuple(2 * x): Fraction(-1), tuple(-2 * x): Fraction(1)}
    rows, labels = [x, 2 * x, -x, -2 * x], [Fraction(1), Fraction(-1), Fraction(-1), Fraction(1)]
    for row, label in zip(data.inputs, data.labels, strict=True):
        sign = Fraction((label > 0) - (label < 0)) if row.any() else Fraction(0)
        rows.append(row)
        labels.append(signs.get(tuple(row), sign))
    return {"data": Dataset(np.array([list(row) for row in rows], dtype=object), np.array(labels, dtype=object))}
