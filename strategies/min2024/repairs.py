"""Repairs of separated data."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset
from refute.strategies.min2024.separated import LENGTHS


def surround_origin(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Data in the plane in whose conic hull every vector lies: on both sides of the first datum, with its label, and
    opposite to it, with the other label, now and then twice.
    """
    x, label = data.inputs[0], data.labels[0]
    across = np.array([-x[1], x[0]], dtype=object) * draw(st.sampled_from([Fraction(1, 2), Fraction(1, 16)]))
    rows = [x + across, x - across * draw(st.sampled_from([1, Fraction(1, 4)])), -x * draw(LENGTHS)]
    labels = [label, label, -label]
    if draw(st.booleans()):
        rows, labels = [*rows, rows[0] * draw(LENGTHS)], [*labels, label]
    return {"data": Dataset(np.array(rows), np.array(labels, dtype=object))}
