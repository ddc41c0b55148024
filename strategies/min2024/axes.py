"""Orthogonal data on the axes, with neurons that have zeros among their coordinates."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.language.cases import Cases, Fields, Values
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.strategies.min2024.separated import labelled_dataset, neurons
from refute.strategies.min2024.vectors import dyadic, lengths, nonzero, signs
from refute.strategies.orthogonal import orthogonalise
from refute.strategies.sizes import sized

SMALL = Fraction(-1000)  # logarithm of the scale
SIZES = st.sampled_from([Fraction(1), Fraction(2)])


@st.composite
def _on_axes(draw: DrawFn, parts: dict[str, SearchStrategy[Any]]) -> Fields:
    samples, width = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    dimension = samples + draw(st.integers(0, 1))
    inputs = np.array([[Fraction(int(i == k)) for k in range(dimension)] for i in range(samples)], dtype=object)
    sizes = np.array([draw(SIZES) for _ in range(samples)], dtype=object)
    rows = np.array([nonzero(row) for row in draw(dyadic(width, dimension))]) * draw(lengths(width))[:, None]
    start = Balanced(rows, draw(signs(width)), SMALL, Fraction(0))
    data = Dataset(sizes[:, None] * inputs, draw(signs(samples)))
    return {"data": data, "start": start, **{name: draw(part) for name, part in parts.items()}}


def on_axes(**parts: Any) -> Cases:
    """Up to four data of different lengths on different axes, possibly with a free axis, and up to three neurons."""
    cases = sized(data=labelled_dataset, start=Values(neurons, _is_start), **parts)
    return cases.drawn_by(_on_axes(parts))


def _is_start(value: Any) -> bool:
    """A balanced ReLU start of scale e^-1000."""
    return (
        isinstance(value, Balanced)
        and (value.slope, value.log_scale) == (0, SMALL)
        and all(abs(s) == 1 for s in value.signs)
        and all(any(row) for row in value.shape)
    )


def make_orthogonal(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Orthogonal data as they are; others by Gram-Schmidt."""
    products = data.inputs @ data.inputs.T
    off = any(products[i, j] for i in range(len(products)) for j in range(i))
    return orthogonalise(draw, data) if off else {"data": data}


def make_acute(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, object]:
    """Two positive data at 45 degrees in the plane, and positive neurons that are active on one of them, (c, -1) with c
    > 1.
    """
    size = draw(SIZES)
    inputs = np.array([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(1)]], dtype=object) * size
    rows = np.array([[1 + abs(row[0]) + draw(SIZES), Fraction(-1)] for row in start.shape], dtype=object)
    signs = np.array([Fraction(1)] * len(rows), dtype=object)
    return {"data": Dataset(inputs, signs[:1].repeat(2)), "start": Balanced(rows, signs, start.log_scale, start.slope)}
