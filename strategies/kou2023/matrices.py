"""A matrix A and inputs X that it can be multiplied with."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.language.cases import Cases
from refute.strategies.numbers import array, is_array


@st.composite
def _matrices(draw: DrawFn) -> dict[str, Any]:
    n = draw(st.integers(1, 3))
    return {"A": draw(array(draw(st.integers(1, 3)), n)), "X": draw(array(n, draw(st.integers(1, 3))))}


def _fit(fields: Mapping[str, Any]) -> dict[str, bool]:
    A, X = fields.get("A"), fields.get("X")
    fit = is_array(A, 2) and is_array(X, 2) and A.shape[1] == len(X) > 0
    return {"A": fit, "X": fit}


MATRICES = Cases(_matrices(), _fit)
