"""Repairs of data: separation, classes, the number of data and their dimension."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.models.dataset import Dataset
from refute.models.min2024.cones import separation_margin
from refute.strategies.min2024.vectors import LENGTHS, TINY, dyadic, nonzero, orthogonal_to
from refute.strategies.retry import patience


def separate(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Shift all y_i x_i along one vector until every pair is positively correlated; halving the
    shift brings mu near 0.
    """
    if separation_margin(data) > 0:
        return {"data": data}
    signed = data.labels[:, None] * data.inputs
    shift = nonzero(draw(dyadic(data.inputs.shape[1], limit=2)))
    low, high = Fraction(0), Fraction(1)
    turns = patience()
    while separation_margin(_shifted(data, signed, high * shift)) <= 0:
        next(turns)
        low, high = high, 2 * high
    for _ in range(draw(st.sampled_from([0, 0, 3, 9]))):
        middle = (low + high) / 2
        low, high = (low, middle) if separation_margin(_shifted(data, signed, middle * shift)) > 0 else (middle, high)
    return {"data": _shifted(data, signed, high * shift)}


def _shifted(data: Dataset, signed: Array, shift: Array) -> Dataset:
    return Dataset(data.labels[:, None] * (signed + shift), data.labels)


def break_separation(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One more datum: an input again with the other label, or a vector orthogonal to it (mu = 0) or at an obtuse angle;
    or two more, so that three y_i x_i surround the origin in a plane."""
    k = draw(st.integers(0, len(data.labels) - 1))
    x, label = data.inputs[k], data.labels[k]
    orthogonal = orthogonal_to(draw, x)
    kind = (
        draw(st.sampled_from(["contradiction", "orthogonal", "obtuse", "around"]))
        if any(orthogonal)
        else "contradiction"
    )
    if kind == "contradiction":
        return {"data": joined(data, x * draw(LENGTHS), -label)}
    other = draw(st.sampled_from([Fraction(1), Fraction(-1)]))
    if kind == "around":
        wide = orthogonal * draw(st.sampled_from([4, 1024]))
        return {"data": joined(joined(data, label * other * (wide - x), other), label * other * (-wide - x), other)}
    tilted = orthogonal if kind == "orthogonal" else orthogonal - x * Fraction(1, 8)
    return {"data": joined(data, label * other * tilted, other)}


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


def add_other_class(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One more datum, minus the first one with the other label, if all labels are equal."""
    alone = all(y == data.labels[0] for y in data.labels)
    return {"data": joined(data, -data.inputs[0], -data.labels[0]) if alone else data}


def keep_one_class(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Only the data with the label of the first one."""
    keep = [y == data.labels[0] for y in data.labels]
    return {"data": Dataset(data.inputs[keep], data.labels[keep])}


def add_second_datum(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """A single datum is joined by a multiple of itself, or by the mirror image of one with the other label."""
    if len(data.labels) > 1:
        return {"data": data}
    side = draw(st.sampled_from([Fraction(1), Fraction(-1)]))
    return {"data": joined(data, side * draw(LENGTHS) * data.inputs[0], side * data.labels[0])}


def keep_one_datum(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One datum only."""
    k = draw(st.integers(0, len(data.labels) - 1))
    return {"data": Dataset(data.inputs[k : k + 1], data.labels[k : k + 1])}


def give_opposite_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The second of two data reflected, label and all, where the labels are equal."""
    return _signed_pair(data, -data.labels[0])


def give_equal_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The second of two data reflected, label and all, where the labels differ."""
    return _signed_pair(data, data.labels[0])


def _signed_pair(data: Dataset, second: Fraction) -> dict[str, Dataset]:
    flip = second * data.labels[1]
    labels = np.array([data.labels[0], second], dtype=object)
    return {"data": Dataset(np.array([data.inputs[0], flip * data.inputs[1]]), labels)}


def make_antipodal(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The first datum and its mirror image, with the other label."""
    x, label = data.inputs[0], data.labels[0]
    return {"data": Dataset(np.array([x, -draw(LENGTHS) * x]), np.array([label, -label]))}


def make_not_parallel(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The second of two data tilted against the first, by much or by little, where they are parallel."""
    x, label = data.inputs[0], data.labels[1]
    if (x @ data.inputs[1]) ** 2 < (x @ x) * (data.inputs[1] @ data.inputs[1]):
        return {"data": data}
    if len(x) == 1:
        x = np.append(x, 0 * x)
    tilt = x + draw(st.sampled_from(TINY)) * orthogonal_to(draw, x)
    return {"data": Dataset(np.array([x, data.labels[0] * label * tilt]), data.labels)}


def add_second_dimension(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One-dimensional inputs get a second coordinate, zero."""
    flat = data.inputs.shape[1] == 1
    return {"data": Dataset(np.hstack([data.inputs, 0 * data.inputs]), data.labels) if flat else data}


def make_one_dimensional(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The labels themselves as one-dimensional inputs: separated."""
    return {"data": Dataset(data.labels[:, None] * draw(LENGTHS), data.labels)}


def joined(data: Dataset, x: Array, label: Fraction) -> Dataset:
    """The data and one sample more."""
    return Dataset(np.vstack([data.inputs, x]), np.concatenate([data.labels, [label]]))
