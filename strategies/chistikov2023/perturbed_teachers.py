"""A teacher and a perturbation of it, with a shift that is short enough to stay within 45 degrees, or not."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases
from refute.strategies.chistikov2023.cone import across
from refute.strategies.chistikov2023.correlated import is_vector
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import array, is_array


@st.composite
def _perturbed(draw: DrawFn) -> dict[str, Array]:
    d = draw(st.integers(2, 3))
    v = draw(unit_vector(d)) * draw(st.sampled_from([Fraction(1), Fraction(3), Fraction(1, 2)]))
    shift = draw(array(d, limit=2)) if draw(st.booleans()) else _critical(v)
    return {"teacher": exact_array(v), "shift": exact_array(shift)}


def _critical(v: Array) -> Array:
    """The shift of length |v|/sqrt(2) that turns v by 45 degrees: half of w - v with w orthogonal to v and as long."""
    square = sum((entry * entry for entry in v), Fraction(0))
    size = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    return np.asarray((size * across(v / size) - v) / 2)


def perturbed_teacher() -> Cases:
    """A teacher of rational length and a shift, often in the direction that turns it most."""
    return Cases(_perturbed(), _is_perturbed)


def _is_perturbed(fields: Mapping[str, Any]) -> dict[str, bool]:
    teacher: Any = fields.get("teacher")
    shift: Any = fields.get("shift")
    fits = is_vector(teacher) and is_array(shift, 1) and np.shape(shift) == np.shape(teacher)
    return {"teacher": is_vector(teacher), "shift": fits}


def shorten_shift(draw: DrawFn, teacher: Array, shift: Array) -> dict[str, Array]:
    """The shift times the largest multiple of 1/2, 1/20 or 1/200 that makes it shorter than |v|/sqrt(2)."""
    step = draw(st.sampled_from([Fraction(1, 2), Fraction(1, 20), Fraction(1, 200)]))
    k = int(1 / step)
    while k and 2 * k * k * step * step * (shift @ shift) >= teacher @ teacher:
        k -= 1
    return {"shift": k * step * shift}


def lengthen_shift(draw: DrawFn, teacher: Array, shift: Array) -> dict[str, Array]:
    """The critical shift, or a longer one."""
    return {"shift": _critical(teacher) * draw(st.sampled_from([Fraction(1), Fraction(11, 10), Fraction(2)]))}
