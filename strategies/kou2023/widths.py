"""Repairs for the width of a random layer, and for inputs on which a random neuron has a sign."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset


def widen(draw: DrawFn, data: Dataset, m: int, delta: Fraction) -> dict[str, int]:
    """The smallest integer above 50 log(2n/delta), which is irrational, or up to 100 more; a wider layer stays."""
    least = math.floor(50 * math.log(2 * len(data.labels) / delta)) + 1
    return {"m": max(m, least + draw(st.sampled_from([0, 0, 0, 1, 100])))}


def narrow(draw: DrawFn, m: int) -> dict[str, int]:
    """At most five neurons."""
    return {"m": draw(st.integers(1, 5))}


def replace_zero_inputs(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """The first basis vector in place of zero."""
    axis = [Fraction(1), *[Fraction(0)] * (data.inputs.shape[1] - 1)]
    rows = [row if any(row) else axis for row in data.inputs]
    return {"data": Dataset(np.array([list(row) for row in rows], dtype=object), data.labels)}


def blank_an_input(draw: DrawFn, data: Dataset) -> dict[str, Any]:
    """One input becomes zero."""
    inputs = data.inputs.copy()
    inputs[draw(st.integers(0, len(inputs) - 1))] *= 0
    return {"data": Dataset(inputs, data.labels)}
