"""What of a case can be drawn: data, a network without biases, vectors of the same space. Told from the JSON alone, by
the names of fields.

A dataset is a record with `inputs` and `labels`; a network one with `inner`, `outer` and `slope`; one with `shape` and
`signs` gives the directions of balanced neurons, whose outer weight is as long as the inner one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.show.report.quantity import as_float

Floats = NDArray[np.float64]

MOST_POINTS, MOST_NEURONS = 400, 80
LARGEST, SMALLEST = 1e100, 1e-100  # beyond them there is nothing to see but overflow
VECTORS = ("r", "w", "x", "z", "v", "teacher")


@dataclass(frozen=True, eq=False)
class Network:
    """f(x) = sum_h outer[h] max(inner[h].x, slope inner[h].x)."""

    inner: Floats
    outer: Floats
    slope: float

    def __call__(self, x: Floats) -> Floats:
        before = x @ self.inner.T
        result: Floats = np.maximum(before, self.slope * before) @ self.outer
        return result

    def gradient(self, x: Floats) -> Floats:
        """The linear map that f is next to x, which lies on no hyperplane."""
        gates = np.where(self.inner @ x > 0, 1.0, self.slope)
        result: Floats = (self.outer * gates) @ self.inner
        return result


@dataclass(frozen=True, eq=False)
class Scene:
    """`directions`: the weights are drawn without their common scale, which is too small to draw."""

    dimension: int
    inputs: Floats | None = None
    labels: Floats | None = None
    network: Network | None = None
    directions: bool = False
    vectors: Mapping[str, Floats] = field(default_factory=dict)


def array(value: Any, axes: int) -> Floats | None:
    """An array of the JSON of a case, as finite floats with so many axes."""
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("entries"), list)
        or not isinstance(value.get("shape"), list)
    ):
        return None
    shape = value["shape"]
    numbers = [as_float(entry) for entry in value["entries"]]
    if (
        len(shape) != axes
        or not all(type(size) is int and size > 0 for size in shape)
        or None in numbers
        or np.prod(shape) != len(numbers)
    ):
        return None
    found = np.array(numbers, dtype=float).reshape(shape)
    size = np.abs(found).max()
    return found if size <= LARGEST and (size == 0 or size >= SMALLEST) else None


def scene(case: Any) -> Scene | None:
    """None when there is nothing to draw."""
    if not isinstance(case, dict):
        return None
    records = [value for value in case.values() if isinstance(value, dict)]
    inputs, labels = next(filter(None, map(_data, records)), (None, None))
    network, directions = next(filter(None, map(_network, records)), (None, False))
    if inputs is None and network is None:
        return None
    dimension = inputs.shape[1] if inputs is not None else network.inner.shape[1] if network is not None else 0
    if network is not None and network.inner.shape[1] != dimension:
        network, directions = None, False
    found = {name: array(case.get(name), 1) for name in VECTORS}
    vectors = {name: vector for name, vector in found.items() if vector is not None and len(vector) == dimension}
    return Scene(dimension, inputs, labels, network, directions, vectors)


def _data(record: dict[str, Any]) -> tuple[Floats, Floats | None] | None:
    inputs, labels = array(record.get("inputs"), 2), array(record.get("labels"), 1)
    if inputs is None or len(inputs) > MOST_POINTS:
        return None
    return inputs, labels if labels is not None and len(labels) == len(inputs) else None


def _network(record: dict[str, Any]) -> tuple[Network, bool] | None:
    slope = as_float(record.get("slope"))
    inner, outer = array(record.get("inner"), 2), array(record.get("outer"), 1)
    shape, signs = array(record.get("shape"), 2), array(record.get("signs"), 1)
    directions = inner is None and shape is not None and signs is not None
    if shape is not None and signs is not None and directions:
        inner, outer = shape, signs * np.linalg.norm(shape, axis=1) if len(signs) == len(shape) else None
    if slope is None or inner is None or outer is None or len(outer) != len(inner) or len(inner) > MOST_NEURONS:
        return None
    return Network(inner, outer, slope), directions
