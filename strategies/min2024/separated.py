"""Two classes in opposite cones (orthogonally separable data), neurons at telling places of them, and repairs.

Every entry is dyadic, so a ball holds it exactly and the sign of an inner product is known also on a hyperplane.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, Number, exact_array
from refute.language.cases import Cases, Fields, along, stated, values
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import centre, in_dead, in_minus, in_plus, separation_margin
from refute.models.network import TwoLayer
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import is_array, within
from refute.strategies.retry import patience
from refute.strategies.sizes import Part, Size, Sizes, sized

LENGTHS = st.sampled_from([Fraction(1), Fraction(1, 128), Fraction(128), Fraction(3)])
FAR = 2**60
TINY = [Fraction(1, 2**k) for k in (3, 10, 27)]


@lru_cache(maxsize=256)
def dyadic(*shape: int, limit: int = 4) -> SearchStrategy[Array]:
    """Small integers over 1, 2 or 4; zeros and repeated entries are frequent."""
    count = int(np.prod(shape))
    integers = st.lists(st.integers(-limit, limit), min_size=count, max_size=count)
    drawn = st.builds(lambda n, d: _rows(n, shape) * Fraction(1, d), integers, st.sampled_from([1, 2, 4]))
    return stated(drawn, lambda value: is_array(value, len(shape)) and value.shape == shape and within(value, limit))


def _rows(entries: list[int], shape: tuple[int, ...]) -> Array:
    return np.array([Fraction(entry) for entry in entries], dtype=object).reshape(shape)


def _axis(dimension: int, k: int = 0) -> Array:
    return np.array([Fraction(int(i == k)) for i in range(dimension)], dtype=object)


def nonzero(row: Array) -> Array:
    """The row, or the first axis in place of zero."""
    return row if any(row) else _axis(len(row))


@lru_cache(maxsize=256)
def signs(count: int) -> SearchStrategy[Array]:
    """+1 and -1; shrinks to all +1."""
    return st.integers(0, 2**count - 1).map(
        lambda bits: _rows([1 - 2 * (bits >> k & 1) for k in range(count)], (count,))
    )


@lru_cache(maxsize=256)
def lengths(count: int) -> SearchStrategy[Array]:
    """All one, or anything from 1/128 to 128."""
    mixed = st.lists(LENGTHS, min_size=count, max_size=count).map(lambda values: np.array(values, dtype=object))
    return st.just(_rows([1] * count, (count,))) | mixed


def signs_of(values: Array) -> Array:
    """The signs of the values, +1 at zero: the labels or outer signs next to them."""
    return _rows([1 if value >= 0 else -1 for value in values], (len(values),))


def _is_labelled(value: Any) -> bool:
    return (
        isinstance(value, Dataset) and all(abs(y) == 1 for y in value.labels) and all(any(row) for row in value.inputs)
    )


def _is_separated(value: Any) -> bool:
    return _is_labelled(value) and separation_margin(value) > 0


def _relabelled(data: Dataset) -> Dataset:
    return Dataset(data.inputs, signs_of(data.labels))


def _is_start(value: Any) -> bool:
    """A balanced ReLU start of scale 1 without a zero neuron."""
    if not isinstance(value, Balanced) or value.slope != 0 or value.log_scale != 0:
        return False
    return all(abs(s) == 1 for s in value.signs) and all(any(row) for row in value.shape)


@st.composite
def _labelled(draw: DrawFn, size: Size) -> Dataset:
    rows = draw(dyadic(size.samples, size.dimension))
    return Dataset(np.array([nonzero(row) for row in rows]), draw(signs(size.samples)))


@values(_is_labelled, _relabelled)
def labelled_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Nonzero inputs with labels +1 and -1; one class may be empty."""
    return _labelled(size)


@values(_is_separated, _relabelled)
def separated_dataset(size: Size) -> SearchStrategy[Dataset]:
    """The same, with y_i y_j <x_i, x_j> > 0 for all pairs: barely or well, lengths up to 1 : 16384, now and then
    repeated or antipodal.
    """
    return _separated(size)


@st.composite
def _separated(draw: DrawFn, size: Size) -> Dataset:
    data = separate(draw, draw(_labelled(size)))["data"]
    signed = data.labels[:, None] * data.inputs
    if draw(st.integers(0, 3)) == 3:  # y_i x_i = y_j x_j: repeated for equal labels, antipodal for different ones
        signed[draw(st.integers(0, size.samples - 1))] = signed[0]
    return Dataset((data.labels * draw(lengths(size.samples)))[:, None] * signed, data.labels)


@values(_is_labelled, _relabelled)
def borderline_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Labelled data: any, or separated, or one datum with one or two that are orthogonal or opposed to it."""
    return _borderline(size)


@st.composite
def _borderline(draw: DrawFn, size: Size) -> Dataset:
    data = draw(_labelled(size))
    kind = draw(st.sampled_from(["separated", "overlapping", "any"]))
    if kind == "overlapping":
        return overlap(draw, single_datum(draw, data)["data"])["data"]
    return separate(draw, data)["data"] if kind == "separated" else data


@values(_is_separated, _relabelled)
def tame_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Separated data of sizes near one, for training."""
    return _tame(size)


@st.composite
def _tame(draw: DrawFn, size: Size) -> Dataset:
    rows = np.array([nonzero(row) for row in draw(dyadic(size.samples, size.dimension, limit=2))])
    return separate(draw, Dataset(rows, draw(signs(size.samples))))["data"]


def _is_balanced(value: Any) -> bool:
    return (
        isinstance(value, TwoLayer)
        and value.slope == 0
        and all(v and row @ row == v * v for row, v in zip(value.inner, value.outer, strict=True))
    )


@values(_is_balanced)
def tame_network(size: Size) -> SearchStrategy[TwoLayer]:
    """A balanced ReLU network with neurons of length 1, 1/2 or 1/4 in rational directions, often on an axis."""
    return _tame_network(size)


@st.composite
def _tame_network(draw: DrawFn, size: Size) -> TwoLayer:
    outer = draw(signs(size.width)) * draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 4)]))
    inner = np.array([abs(v) * draw(unit_vector(size.dimension)) for v in outer])
    return TwoLayer(inner, outer, Fraction(0))


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


def overlap(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
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


def both_classes(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One more datum, minus the first one with the other label, if all labels are equal."""
    alone = all(y == data.labels[0] for y in data.labels)
    return {"data": joined(data, -data.inputs[0], -data.labels[0]) if alone else data}


def one_class(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Only the data with the label of the first one."""
    keep = [y == data.labels[0] for y in data.labels]
    return {"data": Dataset(data.inputs[keep], data.labels[keep])}


def second_datum(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """A single datum is joined by a multiple of itself, or by the mirror image of one with the other label."""
    if len(data.labels) > 1:
        return {"data": data}
    side = draw(st.sampled_from([Fraction(1), Fraction(-1)]))
    return {"data": joined(data, side * draw(LENGTHS) * data.inputs[0], side * data.labels[0])}


def single_datum(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One datum only."""
    k = draw(st.integers(0, len(data.labels) - 1))
    return {"data": Dataset(data.inputs[k : k + 1], data.labels[k : k + 1])}


def opposite_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The second of two data reflected, label and all, where the labels are equal."""
    return _signed_pair(data, -data.labels[0])


def equal_labels(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The second of two data reflected, label and all, where the labels differ."""
    return _signed_pair(data, data.labels[0])


def _signed_pair(data: Dataset, second: Fraction) -> dict[str, Dataset]:
    flip = second * data.labels[1]
    labels = np.array([data.labels[0], second], dtype=object)
    return {"data": Dataset(np.array([data.inputs[0], flip * data.inputs[1]]), labels)}


def mirror_pair(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The first datum and its mirror image, with the other label."""
    x, label = data.inputs[0], data.labels[0]
    return {"data": Dataset(np.array([x, -draw(LENGTHS) * x]), np.array([label, -label]))}


def spread_pair(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The second of two data tilted against the first, by much or by little, where they are parallel."""
    x, label = data.inputs[0], data.labels[1]
    if (x @ data.inputs[1]) ** 2 < (x @ x) * (data.inputs[1] @ data.inputs[1]):
        return {"data": data}
    if len(x) == 1:
        x = np.append(x, 0 * x)
    tilt = x + draw(st.sampled_from(TINY)) * orthogonal_to(draw, x)
    return {"data": Dataset(np.array([x, data.labels[0] * label * tilt]), data.labels)}


def raise_dimension(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One-dimensional inputs get a second coordinate, zero."""
    flat = data.inputs.shape[1] == 1
    return {"data": Dataset(np.hstack([data.inputs, 0 * data.inputs]), data.labels) if flat else data}


def flat_data(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The labels themselves as one-dimensional inputs: separated."""
    return {"data": Dataset(data.labels[:, None] * draw(LENGTHS), data.labels)}


def joined(data: Dataset, x: Array, label: Fraction) -> Dataset:
    """The data and one sample more."""
    return Dataset(np.vstack([data.inputs, x]), np.concatenate([data.labels, [label]]))


def orthogonal_to(draw: DrawFn, x: Array) -> Array:
    """A dyadic vector of size one orthogonal to x: |x|^2 g - <x, g> x for a drawn or axis vector g; zero in one
    dimension.
    """
    dimension = len(x)
    for g in [draw(dyadic(dimension, limit=2)), *(_axis(dimension, k) for k in range(dimension))]:
        flat: Array = (x @ x) * g - (x @ g) * x
        if any(flat):
            return np.asarray(flat / _power_of_two(max(abs(entry) for entry in flat)))
    zero: Array = x * 0
    return zero


def _power_of_two(size: Fraction) -> Fraction:
    """The power of two next to a positive number, from below."""
    power = Fraction(1)
    while power * 2 <= size:
        power *= 2
    while power > size:
        power /= 2
    return power


PLACES = ["drawn", "hyperplane", "datum", "opposite", "near_opposite", "own", "dead", "minus_datum"]


@st.composite
def _place(draw: DrawFn, data: Dataset, row: Array, sign: int) -> Array:
    """A nonzero direction: as drawn, or where the flow of a neuron with this sign is delicate."""
    place = draw(st.sampled_from(PLACES))
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    own, opposite = centre(data, sign), centre(data, -sign)
    if place == "hyperplane":
        return nonzero(orthogonal_to(draw, x))
    if place in ("opposite", "near_opposite") and any(opposite):
        tilt = 0 if place == "opposite" else draw(st.sampled_from(TINY))
        return nonzero(opposite + tilt * row)
    chosen = {"datum": x, "minus_datum": -x, "own": own, "dead": -(own + opposite)}.get(place, row)
    return nonzero(chosen if any(chosen) else row)


def direction(data: Dataset, sign: int = 1) -> SearchStrategy[Array]:
    """A nonzero vector for this data: anywhere, on a hyperplane <x_i, w> = 0, on a datum, on or near a class centre, or
    dead.
    """
    return st.builds(nonzero, dyadic(data.inputs.shape[1])).flatmap(lambda row: _place(data, row, sign))


def _at_scale_one(value: Balanced) -> Balanced:
    return Balanced(value.shape, signs_of(value.signs), Fraction(0), Fraction(0))


@values(_is_start, _at_scale_one)
def neurons(size: Size) -> SearchStrategy[Balanced]:
    """A balanced ReLU start of scale 1 with nonzero rows of very different lengths; `placed` puts its rows at telling
    places.
    """
    return _neurons(size)


@st.composite
def _neurons(draw: DrawFn, size: Size) -> Balanced:
    rows = np.array([nonzero(row) for row in draw(dyadic(size.width, size.dimension))])
    return Balanced(rows * draw(lengths(size.width))[:, None], draw(signs(size.width)), Fraction(0), Fraction(0))


@st.composite
def _placed(draw: DrawFn, base: SearchStrategy[Fields]) -> Fields:
    fields = draw(base)
    data = fields["data"]
    if "w" in fields:
        fields["w"] = exact_array(draw(_place(data, nonzero(fields["w"]), draw(st.sampled_from([1, -1])))))
    if "start" in fields:
        start: Balanced = fields["start"]
        rows = [draw(_place(data, row, int(sign))) for row, sign in zip(start.shape, start.signs, strict=True)]
        fields["start"] = Balanced(np.array(rows), start.signs, start.log_scale, start.slope)
    return fields


def placed(**parts: Part | Sizes) -> Cases:
    """`sized(...)` with `data`, whose point `w` and whose `start` are moved, neuron by neuron, to telling places of the
    data.
    """
    base = sized(**parts)  # type: ignore[arg-type]  # sizes and parts, as `sized` takes them
    return base.drawn_by(_placed(base.strategy))


@values(lambda value: is_array(value, 1) and any(value), sizes=along("dimension"))
def vector(size: Size) -> SearchStrategy[Array]:
    """One dyadic vector, not zero."""
    return st.builds(lambda row: exact_array(nonzero(row)), dyadic(size.dimension))


@values(lambda value: is_array(value, 1), sizes=along("width"))
def outer_weights(size: Size) -> SearchStrategy[Array]:
    """A dyadic number for each neuron, zero among them."""
    return dyadic(size.width)


# Repairs of a start: Assumption 2.


def turn_off_centre(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Reverse each neuron that points exactly along the centre of the other class, or tilt it a little."""
    rows = [_off(draw, row, centre(data, -int(sign))) for row, sign in zip(start.shape, start.signs, strict=True)]
    return {"start": Balanced(np.array(rows), start.signs, start.log_scale, start.slope)}


def _off(draw: DrawFn, row: Array, forbidden: Array) -> Array:
    if not any(forbidden) or (row @ forbidden) <= 0 or (row @ forbidden) ** 2 < (row @ row) * (forbidden @ forbidden):
        return row
    tilt = orthogonal_to(draw, forbidden)
    return row + draw(st.sampled_from(TINY)) * tilt if any(tilt) else -row


def align_with_opposite(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Turn one neuron exactly to the centre of a class that is there, and give it the other sign."""
    j = draw(st.integers(0, len(start.signs) - 1))
    label = int(data.labels[draw(st.integers(0, len(data.labels) - 1))])
    if not any(centre(data, label)):  # the inputs of the class cancel: without separation only
        label = -label
    rows, signs = start.shape.copy(), start.signs.copy()
    target = centre(data, label)
    rows[j], signs[j] = (target if any(target) else rows[j]), Fraction(-label)
    return {"start": Balanced(rows, signs, start.log_scale, start.slope)}


# Repairs of a network: the balance of (3).


def balance(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Rows in rational directions of their own, of length |v_j|; v_j = 1 in place of 0."""
    outer = np.array([v if v else Fraction(1) for v in net.outer], dtype=object)
    inner = np.array([abs(v) * draw(unit_vector(net.inner.shape[1])) for v in outer])
    return {"net": TwoLayer(inner, outer, net.slope)}


def unbalance(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """One outer weight becomes larger than the norm of its row, with the same sign."""
    j = draw(st.integers(0, net.width - 1))
    outer = net.outer.copy()
    size = sum(abs(entry) for entry in net.inner[j]) + draw(st.sampled_from([Fraction(1), Fraction(1, 16)]))
    outer[j] = size if outer[j] >= 0 else -size
    return {"net": TwoLayer(net.inner, outer, net.slope)}


# Repairs of a point: the cones. They need separated data.


def _towards(data: Dataset, w: Array, target: Array, inside: Callable[[Array, Dataset], bool]) -> dict[str, Array]:
    """w moved along `target`, an interior direction of the cone, until it is inside; far enough if the data are
    separated.
    """
    step = Fraction(1, 8)
    while not inside(w, data) and step < FAR:
        w, step = w + step * target, 2 * step
    return {"w": w}


def enter_plus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Into S_+: along sum_i y_i x_i, which is interior."""
    return _towards(data, w, data.labels @ data.inputs, in_plus)


def enter_minus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Into S_-: along minus sum_i y_i x_i."""
    return _towards(data, w, -(data.labels @ data.inputs), in_minus)


def leave_dead_cone(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Out of S_dead: along a datum, by little or much."""
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    return _towards(data, w, x, lambda z, data: not in_dead(z, data))


def enter_dead_cone(draw: DrawFn, data: Dataset, w: Array) -> dict[str, object]:
    """Into S_dead, but not to the origin: some vector of the data that is dead, else minus a datum and only the data it
    does not oppose.
    """
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    flat = orthogonal_to(draw, data.labels @ data.inputs)
    candidates = [w, -w, -x, -(centre(data, 1) + centre(data, -1)), flat, -flat]
    found = [z for z in candidates if any(z) and in_dead(z, data)]
    if found:
        return {"w": draw(st.sampled_from(found))}
    keep = [value >= 0 for value in data.inputs @ x]
    return {"w": -x, "data": Dataset(data.inputs[keep], data.labels[keep])}


def leave_plus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Out of S_+: to a point of S_-, which a nonempty class keeps apart from S_+."""
    return {"w": -(data.labels @ data.inputs)}


def leave_minus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Out of S_-."""
    return {"w": data.labels @ data.inputs}


# Repairs of a point and the data together: a cosine with the centre x_+ that is small although w is in S_+.


def centre_cosine(data: Dataset, w: Array) -> tuple[Number, Number]:
    """<x_+, w>^2 and |x_+|^2 |w|^2."""
    c = centre(data, 1)
    return (c @ w) * (c @ w), (c @ c) * (w @ w)


def turn_away_from_centre(bound: Fraction) -> Callable[..., dict[str, object]]:
    """All y_i x_i close to one vector a, and w close to orthogonal to it, still in S_+: cos(x_+, w) <= bound."""

    def repair(draw: DrawFn, data: Dataset, w: Array) -> dict[str, object]:
        a = data.labels[0] * data.inputs[0]
        u = orthogonal_to(draw, a) * _power_of_two(max(abs(entry) for entry in a))
        sizes = draw(lengths(len(data.labels)))
        tilts = np.array(
            [draw(st.sampled_from([Fraction(0), Fraction(1, 16), Fraction(1, 4)])) for _ in sizes], dtype=object
        )
        share = draw(st.sampled_from([Fraction(1, 2), Fraction(1, 4), Fraction(1, 2**20)]))
        turns = patience()
        while True:
            next(turns)
            inputs = (data.labels * sizes)[:, None] * (a + tilts[:, None] * u)
            leaning = {"data": Dataset(inputs, data.labels), "w": share * a + u}
            square, whole = centre_cosine(**leaning)
            if square <= bound**2 * whole:
                return leaning
            tilts, share = tilts / 2, share / 2

    return repair


def turn_to_centre(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Any]:
    """w on the centre x_+ itself, or next to it; without a positive label the first datum is mirrored, which keeps its
    y x.
    """
    inputs, labels = data.inputs.copy(), data.labels.copy()
    if all(y < 0 for y in labels):
        inputs[0], labels[0] = -inputs[0], -labels[0]
    changed = Dataset(inputs, labels)
    return {
        "data": changed,
        "w": centre(changed, 1) + draw(st.sampled_from([Fraction(0), Fraction(1, 2**20)])) * (labels @ inputs),
    }
