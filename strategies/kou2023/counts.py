"""How many of m neurons are active on a sample: counts s near m/2, and repairs for that; rows and vectors."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.language.cases import Cases
from refute.strategies.numbers import array, count, is_array, is_count
from refute.strategies.sizes import sized


def counts() -> Cases:
    """m neurons, s of them active."""
    return sized(m=count(2, 12), s=count(1, 12))


def near_half(draw: DrawFn, m: int, s: int) -> dict[str, int]:
    """0.4m <= s <= 0.6m; three neurons, which have no such number, become four."""
    m = 4 if m == 3 else m
    return {"m": m, "s": min(max(s, -(-2 * m // 5)), 3 * m // 5)}


def all_active(draw: DrawFn, m: int) -> dict[str, int]:
    """s = m."""
    return {"s": m}


@st.composite
def _matrix_and_vector(draw: DrawFn) -> dict[str, Any]:
    n = draw(st.integers(1, 3))
    return {"m": draw(st.integers(1, 4)), "a": draw(array(1, n))[0], "v": draw(array(1, n))[0]}


def _fit(fields: Mapping[str, Any]) -> dict[str, bool]:
    a, v = fields.get("a", 0), fields.get("v", 0)
    fit = is_array(a, 1) and is_array(v, 1) and np.size(a) == np.size(v) > 0
    return {"m": is_count(fields.get("m"), 1), "a": fit, "v": fit}


def matrix_and_vector() -> Cases:
    """m rows, and two vectors a and v of one length."""
    return Cases(_matrix_and_vector(), _fit)
