"""Repairs about the map (x, y) -> (-x, -y): data closed under it, labels that contradict each other, functions odd on
the data.
"""

from fractions import Fraction

import numpy as np
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.strategies.zhang2024.evenness import break_evenness, cancel_even_part


def _joined(data: Dataset, inputs: list[Array], labels: list[int]) -> Dataset:
    extra = np.array([Fraction(label) for label in labels], dtype=object)
    return Dataset(np.vstack([data.inputs, *inputs]), np.concatenate([data.labels, extra]))


def _along_first_axis(data: Dataset, length: int) -> Array:
    return np.array([[Fraction(length * (k == 0)) for k in range(data.inputs.shape[1])]], dtype=object)


def close_under_reflection(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """(-x, -y) for each sample (x, y), as often as it occurs."""
    return {"data": Dataset(np.vstack([data.inputs, -data.inputs]), np.concatenate([data.labels, -data.labels]))}


def break_closure(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """A sample 7 e_1 with label 1 and nothing opposite."""
    return {"data": _joined(data, [_along_first_axis(data, 7)], [1])}


def contradict(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The pairs (x, 1), (-x, -1) and (x, 2), (-x, -2) besides."""
    x = _along_first_axis(data, 7)
    return {"data": _joined(data, [x, -x, x, -x], [1, -1, 2, -2])}


def make_odd_on_data(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, TwoLayer]:
    """The network itself if f(-x) = -f(x) for all pairs x, -x of data, else with its even part cancelled."""
    rows = {tuple(row) for row in data.inputs}
    pairs = data.inputs[[tuple(-row) in rows for row in data.inputs]]
    return cancel_even_part(draw, net) if len(pairs) and any(net(pairs) + net(-pairs)) else {"net": net}


def break_oddness_on_data(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, object]:
    """One more ReLU neuron, and a pair e_1, -e_1 of data on which it is not odd."""
    x = _along_first_axis(data, 1)
    return {**break_evenness(draw, net), "data": _joined(data, [x, -x], [1, -1])}
