"""Repairs that give a dataset or a network a symmetry, or take exactly one away."""

from fractions import Fraction
from functools import lru_cache
from math import factorial

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array
from refute.models.dataset import Dataset
from refute.models.network import TwoLayer
from refute.models.zhang2024.symmetry import mirrored, rank_one_defects, row_words
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import array


def _axis(dimension: int) -> Array:
    first = np.array([Fraction(0)] * dimension, dtype=object)
    first[0] = Fraction(1)
    return first


def _extended(data: Dataset, inputs: list[Array], labels: list[Fraction]) -> Dataset:
    extra = np.array(labels, dtype=object)
    return Dataset(np.vstack([data.inputs, *inputs]), np.concatenate([data.labels, extra]))


def mirror_inputs(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Add -x for every nonzero x. The copies keep the label, so that the target does not become odd on the way."""
    nonzero = [any(row) for row in data.inputs]
    return {"data": _extended(data, list(-data.inputs[nonzero]), list(data.labels[nonzero]))}


def unmirror_inputs(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Repeat one nonzero input (with its label) more often than its mirror image."""
    nonzero = [i for i, row in enumerate(data.inputs) if any(row)]
    if not nonzero:
        return {"data": _extended(data, [_axis(data.inputs.shape[1])], [Fraction(1)])}
    chosen = draw(st.sampled_from(nonzero))
    copies = draw(st.integers(1, 2)) * len(data.labels)
    return {"data": _extended(data, [data.inputs[chosen]] * copies, [data.labels[chosen]] * copies)}


def odd_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Make the label an odd function of the input: the first of x, -x that appears decides; at zero it is 0."""
    decided: dict[tuple[str, ...], Fraction] = {}
    labels = []
    for key, label in zip(row_words(data.inputs), data.labels, strict=True):
        mirror = mirrored(key)
        if key not in decided:
            decided[key] = Fraction(0) if key == mirror else label
            decided[mirror] = -decided[key]
        labels.append(decided[key])
    return {"data": Dataset(data.inputs, np.array(labels, dtype=object))}


def unodd_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Add a pair x, -x with one and the same nonzero label: the input law stays even."""
    x = draw(array(data.inputs.shape[1]).filter(lambda row: any(row)))
    label = draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(-1, 2), Fraction(20)]))
    return {"data": _extended(data, [x, -x], [label, label])}


def sign_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Labels +1 and -1: the sign of the drawn label, +1 for zero."""
    return {"data": Dataset(data.inputs, np.array([Fraction(1 if y >= 0 else -1) for y in data.labels], dtype=object))}


def double_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Labels 2 and -2 by their sign, 0 for zero (odd labels stay odd), and a pair off the origin if there is none."""
    labels = [Fraction(2 * ((y > 0) - (y < 0))) for y in data.labels]
    doubled = Dataset(data.inputs, np.array(labels, dtype=object))
    if any(any(row) for row in data.inputs):
        return {"data": doubled}
    x = _axis(data.inputs.shape[1])
    return {"data": _extended(doubled, [x, -x], [Fraction(2), Fraction(-2)])}


@lru_cache(maxsize=64)
def _orders(count: int) -> SearchStrategy[list[int]]:
    """A permutation from one drawn integer (its Lehmer code)."""

    def decode(code: int) -> list[int]:
        left, order = list(range(count)), []
        for size in range(count, 0, -1):
            code, index = divmod(code, size)
            order.append(left.pop(index))
        return order

    return st.integers(0, factorial(count) - 1).map(decode)


def _positive_unit(draw: DrawFn, count: int) -> list[Fraction]:
    return [abs(entry) for entry in draw(unit_vector(count))]


def balance_signs(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Outer weights whose positive and negative entries have equal norm: c p and -c q with unit vectors p, q."""
    width = net.width
    if width == 1:
        return {"net": TwoLayer(net.inner * 0, net.outer * 0, net.slope)}
    plus = draw(st.integers(1, width - 1))
    scale = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2)]))
    values = [scale * v for v in _positive_unit(draw, plus)] + [-scale * v for v in _positive_unit(draw, width - plus)]
    return {"net": TwoLayer(net.inner, np.array([values[k] for k in draw(_orders(width))], dtype=object), net.slope)}


def unbalance_signs(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Double the positive outer weights together with their rows, so that a rank-one network stays one; triple them
    where doubling would balance the signs.
    """
    positive, negative = (sum(v * v for v in net.outer if (v > 0) is side) for side in (True, False))
    factors = np.array(
        [Fraction(1 if v <= 0 else 3 if 4 * positive == negative else 2) for v in net.outer], dtype=object
    )
    if not any(v > 0 for v in net.outer):
        factors, outer = factors * 0, net.outer * 0
        outer = np.array([Fraction(1), *outer[1:]], dtype=object)
        inner = net.inner * 0
        inner[0] = _axis(net.inner.shape[1])
        return {"net": TwoLayer(inner, outer, net.slope)}
    return {"net": TwoLayer(net.inner * factors[:, None], net.outer * factors, net.slope)}


def make_rank_one(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """W1 = W2^T r^T with a rational unit vector r."""
    direction = draw(unit_vector(net.inner.shape[1]))
    return {"net": TwoLayer(net.outer[:, None] * direction[None, :], net.outer, net.slope)}


def break_rank_one(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Another length of r, or one row off the line; the outer weights stay as they are."""
    inner = net.inner.copy()
    if draw(st.booleans()) and any(net.outer):
        inner = inner * draw(st.sampled_from([Fraction(2), Fraction(1, 2)]))
    else:
        entry = draw(st.integers(0, net.width - 1)), draw(st.integers(0, inner.shape[1] - 1))
        inner[entry] += draw(st.sampled_from([Fraction(1), Fraction(-2)]))
    if not any(rank_one_defects(inner, net.outer)):  # the change led to another unit vector
        inner = inner * 2
    return {"net": TwoLayer(inner, net.outer, net.slope)}
