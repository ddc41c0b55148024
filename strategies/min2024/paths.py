"""Paths of activation counts that meet the printed conditions, repairs, and neurons that walk along a path."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases, Fields
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.activation_paths import is_point, points
from refute.strategies.numbers import is_array, is_count


def printed_path() -> Cases:
    """Numbers of data and some counts, put in order by k_+ - k_-, with (n_+, 0) at the end."""
    return Cases(_printed_path(), _is_listed)


def _is_listed(fields: Mapping[str, Any]) -> dict[str, bool]:
    """Positive numbers of data, and a list of points that these allow."""
    parts: list[Any] = [fields.get(name) for name in ("positive", "negative", "path")]
    positive, negative, path = parts
    found = {"positive": is_count(positive), "negative": is_count(negative)}
    listed = all(found.values()) and is_array(path, 2) and len(path) > 0 and path.shape[1] == 2
    return {**found, "path": listed and all(is_point(row, positive, negative) for row in path)}


@st.composite
def _printed_path(draw: DrawFn) -> Fields:
    positive, negative = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    chosen = draw(st.lists(st.sampled_from(points(positive, negative)), max_size=8, unique=True))
    return {"positive": positive, "negative": negative} | order_path(
        draw, positive, negative, exact_array(chosen).reshape(-1, 2)
    )


def order_path(draw: DrawFn, positive: int, negative: int, path: Array) -> dict[str, Array]:
    """The allowed points, each once, by k_+ - k_-, and (n_+, 0) at the end."""
    found = {(int(p), int(q)) for p, q in path if is_point((p, q), positive, negative)} - {(positive, 0)}
    return {"path": exact_array([*sorted(found, key=lambda k: (k[0] - k[1], k)), (positive, 0)])}


def break_path(draw: DrawFn, positive: int, negative: int, path: Array) -> dict[str, Array]:
    """A path that ends elsewhere, or that starts at its end."""
    end = exact_array([[0, negative]])
    return {"path": np.vstack([path, end]) if draw(st.booleans()) else np.vstack([path[-1:], path])}


def send_on_its_way(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Balanced]:
    """The first neuron sees a datum of its class, and either one of the other class or not all of its own: on separated
    data that are not all on one line, where the flow must still take it to the cone of its sign.
    """
    pairs = [(i, k) for i in range(len(data.labels)) for k in range(len(data.labels)) if i != k]
    if not pairs:
        return {}
    i, k = draw(st.sampled_from(pairs))
    x, u = data.inputs[i], -data.labels[i] * data.labels[k] * data.inputs[k]  # <x, u> < 0; <u, w> > 0 is not at home
    low, high = -(x @ u) / (x @ x), (u @ u) / -(x @ u)
    if low >= high:  # parallel
        return {}
    part = draw(st.sampled_from([Fraction(1, 2), Fraction(1, 16), Fraction(15, 16)]))
    shape, signs = start.shape.copy(), start.signs.copy()
    shape[0], signs[0] = u + _dyadic_near(low + part * (high - low), high - low) * x, data.labels[i]
    return {"start": Balanced(shape, signs, start.log_scale, start.slope)}


def _dyadic_near(value: Fraction, width: Fraction) -> Fraction:
    """A dyadic number within width/32 of the value."""
    power = 1
    while Fraction(1, power) > width / 32:
        power *= 2
    return Fraction(round(value * power), power)
