"""Even datasets with covariance exactly one, and repairs for weights that point against the correlation."""

from fractions import Fraction
from itertools import product
from math import isqrt

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.models.zhang2024.symmetry import mirrored, row_words
from refute.strategies.directions import unit_vector
from refute.strategies.zhang2024.correlations import correlate
from refute.strategies.zhang2024.symmetry import unodd_labels


def _corners(dimension: int) -> Array:
    """One of each pair. Along an axis the multiples c have the mean square D: one multiple if D is a square, else four,
    which Lagrange grants.
    """
    if dimension < 4:
        rows = [[Fraction(c) for c in corner] for corner in product((1, -1), repeat=dimension)]
        return np.array(rows[: len(rows) // 2], dtype=object)
    root = isqrt(dimension)
    multiples = [root] if root * root == dimension else _four_squares(4 * dimension)
    axes = np.array([[Fraction(int(i == k)) for i in range(dimension)] for k in range(dimension)], dtype=object)
    return np.vstack([multiple * axes for multiple in multiples])


def _four_squares(total: int) -> list[int]:
    """Four numbers whose squares add up to this."""
    sizes = range(isqrt(total) + 1)
    return next([a, b, c, d] for a, b, c, d in product(sizes, repeat=4) if a * a + b * b + c * c + d * d == total)


def whiten(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The corners of a cube, or multiples of the axes where it has many, reflected in a rational hyperplane, with odd
    labels that are correlated with them; in one dimension now and then +-7/5 and +-1/5. The drawn labels are used in
    turn.
    """
    dimension = data.inputs.shape[1]
    corners = _corners(dimension)
    if dimension == 1 and draw(st.booleans()):
        corners = np.array([[Fraction(7, 5)], [Fraction(1, 5)]], dtype=object)
    mirror = draw(unit_vector(dimension))
    inputs = corners - 2 * np.outer(corners @ mirror, mirror)
    labels = np.array([data.labels[k % len(data.labels)] for k in range(len(inputs))], dtype=object)
    if not (labels @ inputs).any():
        labels = inputs @ np.array([Fraction(1)] * dimension, dtype=object) + labels * 0
    if not (labels @ inputs).any():
        labels = corners[:, 0] + labels * 0
    return {"data": Dataset(np.vstack([inputs, -inputs]), np.concatenate([labels, -labels]))}


def stretch(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The first coordinate of every input twice as large, or four times if the covariance were one then."""
    inputs = data.inputs.copy()
    inputs[:, 0] = inputs[:, 0] * 2
    if (Dataset(inputs, data.labels).covariance[0] == [1, *[0] * (inputs.shape[1] - 1)]).all():
        inputs[:, 0] = inputs[:, 0] * 2
    return {"data": Dataset(inputs, data.labels)}


def lift_a_pair(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One added to the labels of x and of -x for the first x that has both: inputs and correlation stay. Else a new
    pair is added.
    """
    words = row_words(data.inputs)
    pair = next(({key, mirrored(key)} for key in words if key != mirrored(key) and mirrored(key) in words), None)
    if pair is None:
        return unodd_labels(draw, data)
    return {
        "data": Dataset(
            data.inputs, data.labels + np.array([Fraction(int(key in pair)) for key in words], dtype=object)
        )
    }


def turn_towards(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """The inner weights reversed if they point against the correlation; a first neuron 0, 1 if there are no outer
    weights.
    """
    data = correlate(draw, data)["data"]
    inner, outer = net.inner, net.outer
    if not outer.any():
        inner, outer = inner * 0, np.array([Fraction(1), *outer[1:]], dtype=object)
    against = (
        float(outer @ inner @ data.correlation) + np.linalg.norm(data.correlation.astype(float)) * float(outer @ outer)
        < 1e-9
    )
    return {"net": TwoLayer(-inner if against else inner, outer, net.slope), "data": data}


def zero_weights(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Zero weights."""
    return {"net": TwoLayer(net.inner * 0, net.outer * 0, net.slope)}
