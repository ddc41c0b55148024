"""Two classes in opposite cones (orthogonally separable data), and neurons at telling places of them."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases, Fields, along, values
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import centre
from refute.models.network import TwoLayer
from refute.strategies.directions import unit_vector
from refute.strategies.min2024.data_repairs import break_separation, keep_one_datum, separate
from refute.strategies.min2024.domains import (
    at_scale_one,
    is_balanced,
    is_labelled,
    is_separated,
    is_start,
    with_signs_as_labels,
)
from refute.strategies.min2024.vectors import TINY, dyadic, lengths, nonzero, orthogonal_to, signs
from refute.strategies.numbers import is_array
from refute.strategies.sizes import Part, Size, Sizes, sized


@st.composite
def _labelled(draw: DrawFn, size: Size) -> Dataset:
    rows = draw(dyadic(size.samples, size.dimension))
    return Dataset(np.array([nonzero(row) for row in rows]), draw(signs(size.samples)))


@values(is_labelled, with_signs_as_labels)
def labelled_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Nonzero inputs with labels +1 and -1; one class may be empty."""
    return _labelled(size)


@values(is_separated, with_signs_as_labels)
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


@values(is_labelled, with_signs_as_labels)
def borderline_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Labelled data: any, or separated, or one datum with one or two that are orthogonal or opposed to it."""
    return _borderline(size)


@st.composite
def _borderline(draw: DrawFn, size: Size) -> Dataset:
    data = draw(_labelled(size))
    kind = draw(st.sampled_from(["separated", "overlapping", "any"]))
    if kind == "overlapping":
        return break_separation(draw, keep_one_datum(draw, data)["data"])["data"]
    return separate(draw, data)["data"] if kind == "separated" else data


@values(is_separated, with_signs_as_labels)
def tame_dataset(size: Size) -> SearchStrategy[Dataset]:
    """Separated data of sizes near one, for training."""
    return _tame(size)


@st.composite
def _tame(draw: DrawFn, size: Size) -> Dataset:
    rows = np.array([nonzero(row) for row in draw(dyadic(size.samples, size.dimension, limit=2))])
    return separate(draw, Dataset(rows, draw(signs(size.samples))))["data"]


@values(is_balanced)
def tame_network(size: Size) -> SearchStrategy[TwoLayer]:
    """A balanced ReLU network with neurons of length 1, 1/2 or 1/4 in rational directions, often on an axis."""
    return _tame_network(size)


@st.composite
def _tame_network(draw: DrawFn, size: Size) -> TwoLayer:
    outer = draw(signs(size.width)) * draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 4)]))
    inner = np.array([abs(v) * draw(unit_vector(size.dimension)) for v in outer])
    return TwoLayer(inner, outer, Fraction(0))


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


@values(is_start, at_scale_one)
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
