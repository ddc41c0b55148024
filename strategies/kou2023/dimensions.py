"""Repairs for the dimension of the inputs of a Gaussian layer."""

import math
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn


def add_dimensions(draw: DrawFn, n: int, m: int, d: int, delta: Fraction) -> dict[str, int]:
    """The smallest d with d >= 50 log(mn/delta), or up to 100 more; a larger d stays."""
    least = math.floor(50 * math.log(m * n / delta)) + 1
    return {"d": max(d, least + draw(st.sampled_from([0, 0, 0, 1, 100])))}


def drop_dimensions(draw: DrawFn, n: int, m: int, delta: Fraction) -> dict[str, Any]:
    """One or two dimensions; delta is lowered to 1/10 where needed."""
    return {"d": draw(st.integers(1, 2)), "delta": min(delta, Fraction(1, 10))}
