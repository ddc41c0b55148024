"""Repairs that move data off the boundary of a half space or onto it. All of them keep even inputs even and odd labels
odd.
"""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import EXACT, Array
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.strategies.retry import patience


def _kept(data: Dataset, keep: list[bool]) -> Dataset:
    return Dataset(data.inputs[keep], data.labels[keep])


def _signed_pair(dimension: int, axis: int = 0) -> Dataset:
    unit = np.array([[Fraction(int(k == axis)) for k in range(dimension)]], dtype=object)
    return Dataset(np.vstack([unit, -unit]), np.array([Fraction(1), Fraction(-1)], dtype=object))


def _joined(first: Dataset, second: Dataset) -> Dataset:
    return Dataset(np.vstack([first.inputs, second.inputs]), np.concatenate([first.labels, second.labels]))


def _nonzero(r: Array) -> Array:
    if any(r):
        return r
    unit = r.copy()
    unit[0] = Fraction(1)
    return unit


def _projections(data: Dataset, r: Array) -> Array:
    return EXACT.array(data.inputs) @ EXACT.array(r)


def tilt_off_zero(draw: DrawFn, data: Dataset, r: Array) -> dict[str, object]:
    """A nonzero normal, and a pair of data off its hyperplane if there was none."""
    r = _nonzero(r)
    if all(value <= 0 for value in _projections(data, r)):
        axis = next(k for k, entry in enumerate(r) if entry)
        data = _joined(data, _signed_pair(len(r), axis))
    return {"data": data, "r": r}


def zero_normal(draw: DrawFn, data: Dataset, r: Array) -> dict[str, object]:
    """r = 0: no datum is in the open half space."""
    return {"r": r * 0}


def avoid_hyperplane(draw: DrawFn, data: Dataset, r: Array) -> dict[str, object]:
    """Drop the data on the hyperplane (with their mirror images, which lie there too)."""
    fixed = tilt_off_zero(draw, data, r)
    data, r = fixed["data"], fixed["r"]  # type: ignore[assignment]
    return {"data": _kept(data, [value != 0 for value in _projections(data, r)]), "r": r}


def hit_hyperplane(draw: DrawFn, data: Dataset, r: Array) -> dict[str, object]:
    """Add data on the hyperplane: zero with label zero, or a nonzero pair where the dimension allows one."""
    dimension = len(r)
    origin = Dataset(np.array([[Fraction(0)] * dimension], dtype=object), np.array([Fraction(0)], dtype=object))
    if dimension == 1 or draw(st.booleans()):
        return {"data": _joined(data, origin)}
    x = np.array([-r[1], r[0], *[Fraction(0)] * (dimension - 2)], dtype=object)
    if not any(x):
        x[0] = Fraction(1)
    rows = [tuple(row) for row in data.inputs]
    label = data.labels[rows.index(tuple(x))] if tuple(x) in rows else Fraction(1)
    pair = Dataset(np.vstack([x, -x]), np.array([label, -label], dtype=object))
    return {"data": _joined(data, pair if tuple(-x) in rows or tuple(x) not in rows else origin)}


def avoid_kinks(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """Replace each row that is orthogonal to a datum by one that is not, and drop data at zero."""
    data = (
        _kept(data, [any(row) for row in data.inputs])
        if any(any(row) for row in data.inputs)
        else _signed_pair(data.inputs.shape[1])
    )
    inner = net.inner.copy()
    for h in range(net.width):
        step = 0
        turns = patience()
        while any(value == 0 for value in data.inputs @ inner[h]):
            next(turns)
            step += 1  # a row on a moment curve meets each hyperplane at finitely many steps
            inner[h] = net.inner[h] + np.array(
                [Fraction(step) ** (k + 1) / 10 for k in range(inner.shape[1])], dtype=object
            )
    return {"net": TwoLayer(inner, net.outer, net.slope), "data": data}


def hit_kink(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """Make one row zero, with a nonzero outer weight."""
    inner, outer = net.inner.copy(), net.outer.copy()
    h = draw(st.integers(0, net.width - 1))
    inner[h] = inner[h] * 0
    outer[h] = outer[h] if outer[h] else Fraction(1)
    return {"net": TwoLayer(inner, outer, net.slope)}
