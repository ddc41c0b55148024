"""Repairs of data with respect to the hyperplane W2 W1 x = 0 of a rank-one network. They keep even inputs even and odd
labels odd.
"""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.strategies.retry import patience


def _joined(data: Dataset, inputs: list[Array], labels: list[int]) -> Dataset:
    extra = np.array([Fraction(label) for label in labels], dtype=object)
    return Dataset(np.vstack([data.inputs, *inputs]), np.concatenate([data.labels, extra]))


def _axis(dimension: int, k: int) -> Array:
    return np.array([Fraction(int(i == k)) for i in range(dimension)], dtype=object)


def leave_boundary(data: Dataset, normal: Array) -> Dataset:
    """The data, with a pair x, -x of labels 1, -1 off the hyperplane if all lay on it."""
    if any(data.inputs @ normal):
        return data
    x = _axis(len(normal), next(k for k, entry in enumerate(normal) if entry))
    return _joined(data, [x, -x], [1, -1])


def drop_boundary(data: Dataset, normal: Array) -> Dataset:
    """The data off the hyperplane, at least one pair."""
    data = leave_boundary(data, normal)
    keep = [bool(value) for value in data.inputs @ normal]
    return Dataset(data.inputs[keep], data.labels[keep])


def join_boundary(draw: DrawFn, data: Dataset, normal: Array) -> Dataset:
    """The data with zero, or with a new pair x, -x of labels 1, -1, added on the hyperplane."""
    zero = normal * 0
    if len(normal) == 1 or draw(st.booleans()):
        return _joined(data, [zero], [0])
    x = np.array([-normal[1], normal[0], *zero[2:]], dtype=object) if any(normal[:2]) else _axis(len(normal), 0)
    turns = patience()
    while any(all(abs(row) == abs(x)) for row in data.inputs):
        next(turns)
        x = x * 2
    return _joined(data, [x, -x], [1, -1])


def _active(net: TwoLayer) -> TwoLayer:
    """The network, or one with outer weights 1, -1, 0, ... and r = e_1 if its output was zero everywhere."""
    if any(net.linear_map()):
        return net
    outer = np.array([Fraction(1), Fraction(-1), *[Fraction(0)] * (net.width - 2)], dtype=object)
    return TwoLayer(outer[:, None] * _axis(net.inner.shape[1], 0)[None, :], outer, net.slope)


def reach_off_boundary(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """A network that is not zero and some datum with W2 W1 x != 0. Needs width two."""
    net = _active(net)
    return {"net": net, "data": leave_boundary(data, net.linear_map())}


def clear_boundary(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """The same, and no datum with W2 W1 x = 0."""
    net = _active(net)
    return {"net": net, "data": drop_boundary(data, net.linear_map())}


def hit_boundary(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """A network that is not zero and data on both sides of W2 W1 x = 0 and on it."""
    net = _active(net)
    return {"net": net, "data": join_boundary(draw, leave_boundary(data, net.linear_map()), net.linear_map())}


def zero_net(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """All weights zero."""
    return {"net": TwoLayer(net.inner * 0, net.outer * 0, net.slope)}


def fill_outer(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """A first outer weight 1 if all were zero."""
    if any(net.outer):
        return {"net": net}
    outer = net.outer.copy()
    outer[0] = Fraction(1)
    return {"net": TwoLayer(net.inner, outer, net.slope)}


def stay_on_boundary(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """A network that is not zero, and one pair x, -x with opposite labels on W2 W1 x = 0; the origin in one
    dimension.
    """
    net = _active(net)
    normal = net.linear_map()
    if len(normal) == 1:
        return {"net": net, "data": Dataset(data.inputs[:1] * 0, data.labels[:1] * 0)}
    x = np.array([-normal[1], normal[0], *normal[2:] * 0], dtype=object)
    x = x if any(x) else _axis(len(normal), 0)
    return {"net": net, "data": Dataset(np.vstack([x, -x]), np.array([Fraction(1), Fraction(-1)], dtype=object))}
