"""Points of cones: coefficients of conic combinations, and pairs of vectors with one activation pattern."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases, Fields, values
from refute.models.dataset import Dataset
from refute.models.min2024.cones import in_plus
from refute.strategies.min2024.separated import labelled_dataset
from refute.strategies.min2024.vectors import dyadic, nonzero
from refute.strategies.numbers import is_array, is_positive, positive
from refute.strategies.sizes import Size

RATIOS = st.sampled_from([Fraction(k) for k in (0, 0, 1, 2, 7)] + [Fraction(1, 1024)])


@st.composite
def _coefficients(draw: DrawFn, samples: int) -> Array:
    values = [draw(RATIOS) for _ in range(samples + 2)]
    if not any(values[:-2]):
        values[draw(st.integers(0, samples - 1))] = Fraction(1)
    return exact_array(values)


def enough(*names: str) -> Callable[[Mapping[str, Any]], bool]:
    """The condition that these fields have an entry for each datum; further ones are not used."""
    return lambda fields: all(len(fields[name]) >= len(fields["data"].labels) for name in names)


def _is_conic(value: Any) -> bool:
    return is_array(value, 1) and all(entry >= 0 for entry in value) and any(value)


@values(_is_conic)
def coefficients(size: Size) -> SearchStrategy[Array]:
    """Nonnegative, not all zero, extreme rays among them; two more than samples, for a repair that adds data."""
    return _coefficients(size.samples)


def shared_pattern() -> Cases:
    """Any inputs, and two vectors z and w that are active on the same of them: those labelled +1. So z and w are in
    S_+.
    """
    return Cases(_shared_pattern(), _in_one_cone)


def _in_one_cone(fields: Mapping[str, Any]) -> dict[str, bool]:
    data: Any = fields.get("data")
    if not labelled_dataset.admits(data):
        return dict.fromkeys(("data", "z", "w", "a", "b"), False)
    cones = {
        name: is_array(fields.get(name), 1)
        and len(fields[name]) == data.inputs.shape[1]
        and in_plus(fields[name], data)
        for name in ("z", "w")
    }
    return {"data": True, **cones, **{name: is_positive(fields.get(name)) for name in ("a", "b")}}


@st.composite
def _shared_pattern(draw: DrawFn) -> Fields:
    dimension = draw(st.integers(1, 3))
    z, w = draw(dyadic(dimension)), draw(dyadic(dimension))
    rows = [nonzero(row) for row in draw(dyadic(draw(st.integers(1, 4)), dimension))]
    kept = [x for x in rows if (x @ z > 0) == (x @ w > 0)]
    if not kept:
        kept, w = rows, z
    labels = exact_array([1 if x @ z > 0 else -1 for x in kept])
    return {"data": Dataset(np.array(kept), labels), "z": z, "w": w, "a": draw(positive()), "b": draw(positive())}


@values(lambda value: is_array(value, 1) and all(0 <= entry <= 1 for entry in value))
def gates(size: Size) -> SearchStrategy[Array]:
    """Values of sigma'(0) in [0, 1], one for each sample and two more."""
    choices = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 1024)])
    return st.lists(choices, min_size=size.samples + 2, max_size=size.samples + 2).map(exact_array)
