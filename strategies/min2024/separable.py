"""Linearly separable data with their normal, and linear networks that classify them or do not."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import along, values
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import is_array
from refute.strategies.sizes import Size


@values(lambda value: is_array(value, 1) and value @ value == 1, sizes=along("dimension"))
def unit_normal(size: Size) -> SearchStrategy[Array]:
    """A rational unit vector."""
    return unit_vector(size.dimension)


@values(lambda value: is_array(value, 1) and all(-4 <= entry <= 4 for entry in value), sizes=along("samples"))
def extreme_weights(size: Size) -> SearchStrategy[Array]:
    """One number in [-4, 4] for each sample, often at the ends."""
    entries = st.lists(st.sampled_from([-4, 4, 0, 1]), min_size=size.samples, max_size=size.samples)
    return entries.map(lambda drawn: exact_array(np.array([Fraction(entry) for entry in drawn], dtype=object)))


def separate_along_normal(draw: DrawFn, data: Dataset, z: Array) -> dict[str, Dataset]:
    """Reflect each input to the side of its label; one on the hyperplane becomes y z."""
    inner = data.inputs @ z
    rows = [
        y * z if value == 0 else (x if value * y > 0 else -x)
        for x, y, value in zip(data.inputs, data.labels, inner, strict=True)
    ]
    return {"data": Dataset(np.array(rows), data.labels)}


def break_separation_along_normal(draw: DrawFn, data: Dataset, z: Array) -> dict[str, Dataset]:
    """The first input again, reflected, with the same label."""
    return {"data": Dataset(np.vstack([data.inputs, -data.inputs[:1]]), np.concatenate([data.labels, data.labels[:1]]))}


def _follows(net: TwoLayer, z: Array, factor: Fraction) -> TwoLayer:
    """W = factor v z^T, so that f(x) = factor |v|^2 <z, x>; v = (1, ...) in place of zero."""
    outer = net.outer if any(net.outer) else net.outer + 1
    return TwoLayer(factor * outer[:, None] * z[None, :], outer, net.slope)


def classify(draw: DrawFn, data: Dataset, z: Array, net: TwoLayer) -> dict[str, Any]:
    """Keep a network that classifies the data; else one along z where z separates them, or one with W = 0, whose
    outputs vanish.
    """
    if all(y * f >= 0 for y, f in zip(data.labels, net(data.inputs), strict=True)):
        return {}
    separates = all(y * value >= 0 for y, value in zip(data.labels, data.inputs @ z, strict=True))
    factor = draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 4)]))
    return {"net": _follows(net, z, factor if separates else Fraction(0))}


def misclassify(draw: DrawFn, data: Dataset, z: Array, net: TwoLayer) -> dict[str, TwoLayer]:
    """A network along -y_1 x_1, with large outputs."""
    return {"net": _follows(net, -data.labels[0] * data.inputs[0], Fraction(draw(st.sampled_from([8, 32]))))}


def make_first_positive(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The first datum becomes positive: reflected, it keeps y x."""
    inputs, labels = data.inputs.copy(), data.labels.copy()
    if all(y < 0 for y in labels):
        inputs[0], labels[0] = -inputs[0], -labels[0]
    return {"data": Dataset(inputs, labels)}


def make_all_negative(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """All data become negative: reflected where they were not."""
    return {"data": Dataset(-data.labels[:, None] * data.inputs, -abs(data.labels))}
