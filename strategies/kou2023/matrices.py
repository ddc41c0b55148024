"""A matrix A and inputs X that it can be multiplied with; a training and a vector with an entry for each sample."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.language.cases import Cases
from refute.strategies.kou2023.nearly_orthogonal import training
from refute.strategies.numbers import array, is_array


@st.composite
def _matrices(draw: DrawFn) -> dict[str, Any]:
    n = draw(st.integers(1, 3))
    return {"A": draw(array(draw(st.integers(1, 3)), n)), "X": draw(array(n, draw(st.integers(1, 3))))}


def _fit(fields: Mapping[str, Any]) -> dict[str, bool]:
    A, X = fields.get("A", 0), fields.get("X", 0)
    fit = is_array(A, 2) and is_array(X, 2) and np.shape(A)[1] == np.shape(X)[0] > 0
    return {"A": fit, "X": fit}


MATRICES = Cases(_matrices(), _fit)


_TRAINING = training(samples=(1, 3), constants=(2,))


@st.composite
def _and_a_vector(draw: DrawFn) -> dict[str, Any]:
    entries = [Fraction(draw(st.integers(-2, 2))) for _ in range(4)]
    return draw(_TRAINING.strategy) | {"v": np.array(entries, dtype=object)}


WITH_VECTOR = _TRAINING.joined(_and_a_vector(), v=lambda value: is_array(value, 1)).within(
    lambda fields: len(fields["v"]) >= len(fields["data"].labels)  # one entry for each sample, the others are not used
)
