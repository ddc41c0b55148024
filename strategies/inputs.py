"""Datasets of the shapes that theorems assume, as parts of `sized(...)`: `sized(data=separable_data, net=two_layer)`.

Each states its domain exactly, so that a search may walk in it and a certificate may rest on it. Where no dataset of
some size has the shape (three orthogonal inputs in the plane), that size is not drawn.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array
from refute.errors import BadInput
from refute.language.cases import Values, values
from refute.models.dataset import Dataset
from refute.models.reference.max_margin import max_margin
from refute.strategies.datasets import dataset, unscaled_dataset
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import array
from refute.strategies.sizes import Size

LENGTHS = st.sampled_from([Fraction(length) for length in ("1", "2", "1/2", "3/2", "4", "1/5")])
Inputs = Callable[[DrawFn, Size], Array]


def _shape(draws: Inputs, possible: Callable[[Size], bool]) -> Callable[[Size], SearchStrategy[Dataset]]:
    """Inputs drawn in a way of their own, with labels from the grid; nothing where there are none."""

    @st.composite
    def drawn(draw: DrawFn, size: Size) -> Dataset:
        return Dataset(draws(draw, size), draw(array(size.samples, limit=2)))

    return lambda size: drawn(size) if possible(size) else st.nothing()


def _domain(holds: Callable[[Array], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, Dataset) and holds(value.inputs)


def _pairs(inputs: Array) -> list[tuple[Array, Array]]:
    return list(combinations(inputs, 2))


# Labels.


def signed(part: Values) -> Values:
    """The same datasets with labels +1 and -1: `sized(data=signed(orthogonal_data))`."""

    def sign(data: Dataset) -> Dataset:
        return Dataset(data.inputs, np.array([Fraction(1 if y >= 0 else -1) for y in data.labels], dtype=object))

    def nearest(value: Any) -> Any:
        return sign(value if part.nearest is None else part.nearest(value))

    return Values(
        lambda size: part(size).map(sign),
        lambda value: part.admits(value) and all(abs(y) == 1 for y in value.labels),
        nearest,
        part.sizes,
    )


signed_data = signed(dataset)
signed_data.__doc__ = "Any inputs, with labels +1 and -1."


# Separable through the origin.


def is_separable(value: Any) -> bool:
    """Whether y_i <w, x_i> > 0 for some w and all i: a w is found in floats and checked exactly."""
    if not isinstance(value, Dataset) or not all(any(row) for row in value.inputs) or not all(value.labels):
        return False
    sizes = [max(abs(entry) for entry in row) for row in value.inputs]
    signs = [Fraction(1 if y > 0 else -1) for y in value.labels]
    rows = np.array(
        [[Fraction(entry) / Fraction(size) for entry in row] for row, size in zip(value.inputs, sizes, strict=True)]
    )
    try:
        weights = max_margin(Dataset(rows, np.array(signs, dtype=object))).weights
    except BadInput:
        return False
    normal = [Fraction(float(weight)) for weight in weights]
    return all(y * sum(a * b for a, b in zip(normal, row, strict=True)) > 0 for y, row in zip(signs, rows, strict=True))


@values(lambda value: is_separable(value) and all(abs(y) == 1 for y in value.labels))
def separable_data(size: Size) -> SearchStrategy[Dataset]:
    """Labels +1 and -1 that a hyperplane through the origin separates; no input lies on it."""
    return _separable(size)


@st.composite
def _separable(draw: DrawFn, size: Size) -> Dataset:
    normal, data = draw(unit_vector(size.dimension)), draw(signed(unscaled_dataset)(size))
    sides = data.labels * (data.inputs @ normal)
    rows = [
        x if side > 0 else -x if side < 0 else x + y * normal
        for x, y, side in zip(data.inputs, data.labels, sides, strict=True)
    ]
    return Dataset(np.array(rows, dtype=object), data.labels)


# Orthogonal, nearly orthogonal, white.


def _axes(draw: DrawFn, dimension: int) -> Array:
    """An orthogonal matrix of rationals: the identity, reflected once or twice."""
    matrix = np.array([[Fraction(int(i == k)) for k in range(dimension)] for i in range(dimension)], dtype=object)
    for _ in range(draw(st.integers(0, 2))):
        mirror = draw(unit_vector(dimension))
        matrix = matrix - 2 * np.outer(matrix @ mirror, mirror)
    return matrix


def _orthogonal(draw: DrawFn, size: Size) -> Array:
    lengths = np.array([draw(LENGTHS) for _ in range(size.samples)], dtype=object)
    rows: Array = lengths[:, None] * _axes(draw, size.dimension)[: size.samples]
    return rows


def _fit(size: Size) -> bool:
    return size.samples <= size.dimension


@values(_domain(lambda inputs: all(any(x) for x in inputs) and all(x @ z == 0 for x, z in _pairs(inputs))))
def orthogonal_data(size: Size) -> SearchStrategy[Dataset]:
    """Pairwise orthogonal inputs, none zero: at most as many as dimensions. Any labels."""
    return _shape(_orthogonal, _fit)(size)


def nearly_orthogonal_data(most: Fraction | int = Fraction(1, 10)) -> Values:
    """Inputs with n |<x_i, x_k>| <= `most` * min_j |x_j|^2 for all i != k, none zero. Any labels.

    At most as many as dimensions are drawn; the domain has more.
    """
    if not most > 0:
        raise BadInput(f"most must be positive, got {most}", "use orthogonal_data for inputs that are orthogonal")

    def near(inputs: Array) -> bool:
        least = min(x @ x for x in inputs)
        return bool(least > 0) and all(len(inputs) * abs(x @ z) <= most * least for x, z in _pairs(inputs))

    def draws(draw: DrawFn, size: Size) -> Array:
        rows, push = _orthogonal(draw, size), draw(array(size.samples, size.dimension, limit=2))
        for _ in range(12):
            if near(rows + push):
                break
            push = push / 2
        else:
            push = push * 0
        return np.array(rows + push, dtype=object)

    return Values(_shape(draws, _fit), _domain(near))


def _order(size: Size) -> int:
    """The least power of two that is at least the dimension: the order of a Hadamard matrix."""
    return 1 << (size.dimension - 1).bit_length()


def _white(draw: DrawFn, size: Size) -> Array:
    """The first columns of a stack of Hadamard matrices, turned on both sides: X^T X = n stays."""
    hadamard = np.array([[Fraction(1)]], dtype=object)
    while len(hadamard) < _order(size):
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]])
    stack = np.vstack([hadamard[:, : size.dimension]] * (size.samples // len(hadamard)))
    rows: Array = _axes(draw, size.samples) @ stack @ _axes(draw, size.dimension)
    return rows


def _is_white(inputs: Array) -> bool:
    moment, (samples, dimension) = inputs.T @ inputs, inputs.shape
    return all(moment[i, k] == (samples if i == k else 0) for i in range(dimension) for k in range(dimension))


@values(_domain(_is_white))
def whitened_data(size: Size) -> SearchStrategy[Dataset]:
    """Inputs with <x x^T> = 1 exactly. Any labels.

    Drawn for numbers of samples that a power of two, not less than the dimension, divides.
    """
    return _shape(_white, lambda each: each.samples % _order(each) == 0)(size)


# Correlated, collinear, repeated.


def _correlated(draw: DrawFn, size: Size) -> Array:
    """Rows from the grid, pushed along one direction until every two have a positive product."""
    rows, axis = draw(array(size.samples, size.dimension, limit=2)), draw(unit_vector(size.dimension))
    far = Fraction(1)
    while not _are_correlated(rows + far * axis):
        far *= 2
    return np.array(rows + far * axis, dtype=object)


def _are_correlated(inputs: Array) -> bool:
    return all(any(x) for x in inputs) and all(x @ z > 0 for x, z in _pairs(inputs))


@values(_domain(_are_correlated))
def correlated_data(size: Size) -> SearchStrategy[Dataset]:
    """Inputs of which every two have a positive inner product, none zero. Any labels."""
    return _shape(_correlated, lambda _: True)(size)


def _collinear(draw: DrawFn, size: Size) -> Array:
    factors, axis = draw(array(size.samples)), draw(unit_vector(size.dimension))
    return np.array(np.outer(factors, axis), dtype=object)


def _are_collinear(inputs: Array) -> bool:
    longest = max(inputs, key=lambda x: x @ x)
    top = max(range(len(longest)), key=lambda k: abs(longest[k]))
    return all(x[k] * longest[top] == x[top] * longest[k] for x in inputs for k in range(len(longest)))


@values(_domain(_are_collinear))
def collinear_data(size: Size) -> SearchStrategy[Dataset]:
    """Inputs on one line through the origin, on both sides of it or at it. Any labels."""
    return _shape(_collinear, lambda _: True)(size)


def _repeated(draw: DrawFn, size: Size) -> Array:
    rows = np.array(draw(array(size.samples, size.dimension)), dtype=object)
    first, second = draw(st.permutations(range(size.samples)))[:2]
    rows[second] = rows[first]
    return rows


@values(_domain(lambda inputs: any(all(x == z) for x, z in _pairs(inputs))))
def repeated_data(size: Size) -> SearchStrategy[Dataset]:
    """At least two samples with the same input, whose labels may differ."""
    return _shape(_repeated, lambda each: each.samples > 1)(size)
