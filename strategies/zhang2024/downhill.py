"""Starts of training below or above the zero network, and covariances that are or are not invertible."""

from fractions import Fraction

import numpy as np
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset
from refute.models.geometry.elimination import rank
from refute.models.network import TwoLayer
from refute.strategies.zhang2024.correlations import correlate


def _gain(net: TwoLayer, data: Dataset) -> tuple[Fraction, Fraction]:
    """<y f> and <f^2>, times the number of samples."""
    outputs = net(data.inputs)
    return data.labels @ outputs, outputs @ outputs


def head_downhill(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """The inner weights reversed, turned to an axis along which inputs and labels are correlated, or both layers
    halved, as needed.

    A network that is odd stays so, and one with W1 = W2^T r^T, |r| = 1 too. Data without any correlation get some.
    """
    data = correlate(draw, data)["data"]
    inner, outer = net.inner, net.outer
    if not outer.any():
        outer = np.array([Fraction(1), *outer[1:]], dtype=object)
        inner = inner * 0
    if _gain(TwoLayer(inner, outer, net.slope), data)[0] < 0:
        inner = -inner
    if _gain(TwoLayer(inner, outer, net.slope), data)[0] <= 0:
        axis = max(range(inner.shape[1]), key=lambda k: abs(data.correlation[k]))
        towards = np.array([Fraction(int(k == axis)) for k in range(inner.shape[1])], dtype=object)
        inner = np.outer(outer, towards * (1 if data.correlation[axis] > 0 else -1))
    aligned, size = _gain(TwoLayer(inner, outer, net.slope), data)
    if aligned <= 0:
        return {"net": net, "data": data}  # neurons see half of the data, which without symmetry can be the wrong half
    scale = Fraction(1)
    while aligned < scale * scale * size:
        scale = scale / 2
    return {"net": TwoLayer(inner * scale, outer * scale, net.slope), "data": data}


def head_uphill(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, TwoLayer]:
    """The inner weights reversed if the network has learned anything; for a network that is odd it now has learned the
    opposite.
    """
    aligned, size = _gain(net, data)
    return {"net": TwoLayer(-net.inner if 2 * aligned > size else net.inner, net.outer, net.slope)}


def span_the_space(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """If the inputs do not span the space, the points +-9/2 on every axis, with label 0, where no other datum lies."""
    dimension = data.inputs.shape[1]
    if rank(data.inputs) == dimension:
        return {"data": data}
    corners = [
        [Fraction(9, 2) * sign * int(k == axis) for k in range(dimension)]
        for axis in range(dimension)
        for sign in (1, -1)
    ]
    labels = np.array([Fraction(0)] * len(corners), dtype=object)
    return {
        "data": Dataset(
            np.vstack([data.inputs, np.array(corners, dtype=object)]), np.concatenate([data.labels, labels])
        )
    }


def flatten(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The last coordinate of every input becomes zero, and so do labels that are no longer those of a function."""
    inputs = data.inputs.copy()
    inputs[:, -1] = inputs[:, -1] * 0
    seen: dict[tuple[Fraction, ...], set[Fraction]] = {}
    for row, label in zip(inputs, data.labels, strict=True):
        seen.setdefault(tuple(row), set()).add(label)
        seen.setdefault(tuple(-row), set()).add(-label)
    labels = [
        label if len(seen[tuple(row)]) == 1 else Fraction(0) for row, label in zip(inputs, data.labels, strict=True)
    ]
    return {"data": Dataset(inputs, np.array(labels, dtype=object))}
