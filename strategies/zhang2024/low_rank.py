"""Deep weights of the rank-one and rank-two form, in rational numbers.

A case holds v = u/sqrt(2), the unit vector r and the rays rho_l = sqrt(2) r_l, so that every weight and every product
is rational. A ray has squared length 2; its positive entries come first and no entry is zero.
"""

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.language.cases import Cases
from refute.models.dataset import Dataset
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import is_array, is_positive
from refute.strategies.sizes import Size

Rays = tuple[Array, ...]

_PARTS = [[Fraction(1)], [Fraction(3, 5), Fraction(4, 5)], [Fraction(12, 13), Fraction(5, 13)]]
_EVEN, _UNEVEN = (Fraction(1), Fraction(1)), [(Fraction(7, 5), Fraction(1, 5)), (Fraction(1, 5), Fraction(7, 5))]
_SIDED = [[Fraction(1), Fraction(1)], [Fraction(7, 5), Fraction(1, 5)], [Fraction(-1), Fraction(-1)]]


def _ray(values: list[Fraction]) -> Array:
    return np.array(values, dtype=object)


def _two_sided(draw: DrawFn, lengths: tuple[Fraction, Fraction]) -> Array:
    plus, minus = draw(st.sampled_from(_PARTS)), draw(st.sampled_from(_PARTS))
    return _ray([lengths[0] * value for value in plus] + [-lengths[1] * value for value in minus])


@st.composite
def _any_ray(draw: DrawFn) -> Array:
    kind = draw(st.sampled_from(["even", "uneven", "sided"]))
    if kind == "sided":
        return _ray(draw(st.sampled_from(_SIDED)))
    return _two_sided(draw, _EVEN if kind == "even" else draw(st.sampled_from(_UNEVEN)))


@st.composite
def _low_rank(draw: DrawFn, depth: tuple[int, int]) -> dict[str, Any]:
    dimension, layers = draw(st.integers(1, 2)), draw(st.integers(*depth))
    return {
        "v": draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2), Fraction(2, 3)])),
        "r": draw(unit_vector(dimension)),
        "rays": tuple(draw(_any_ray()) for _ in range(layers - 1)),
        "data": draw(unscaled_dataset(Size(dimension, draw(st.integers(1, 2)), 1, 2))),
    }


def low_rank(depth: tuple[int, int] | None = None) -> Cases:
    """Scale, direction, rays and data, for networks with `depth` weight matrices, at least two."""
    return Cases(_low_rank(depth or (2, 5)), partial(_domain, depth or (2, math.inf)))


def _domain(depth: tuple[int, float], fields: Mapping[str, Any]) -> dict[str, bool]:
    r, rays, data = (fields.get(name) for name in ("r", "rays", "data"))
    unit = is_array(r, 1) and np.asarray(r) @ np.asarray(r) == 1
    return {
        "v": is_positive(fields.get("v")),
        "r": unit,
        "rays": isinstance(rays, tuple) and depth[0] <= len(rays) + 1 <= depth[1] and all(map(_is_ray, rays)),
        "data": unit and isinstance(data, Dataset) and data.inputs.shape[1] == len(np.asarray(r)),
    }


def _is_ray(value: Any) -> bool:
    if not is_array(value, 1) or not all(value) or value @ value != 2:
        return False
    return all(a > 0 or b < 0 for a, b in pairwise(value))


def give_both_signs(draw: DrawFn, rays: Rays) -> dict[str, Rays]:
    """Rays with entries of one sign only become (1, -1)."""
    one_sided = [all(value > 0 for value in ray) or all(value < 0 for value in ray) for ray in rays]
    return {
        "rays": tuple(
            _ray([Fraction(1), Fraction(-1)]) if bad else ray for ray, bad in zip(rays, one_sided, strict=True)
        )
    }


def take_one_sign(draw: DrawFn, rays: Rays) -> dict[str, Rays]:
    """The first ray becomes (1, 1)."""
    return {"rays": (_ray([Fraction(1), Fraction(1)]), *rays[1:])}


def even_parts(draw: DrawFn, rays: Rays) -> dict[str, Rays]:
    """Positive and negative entries of each ray have length one."""
    return {"rays": tuple(_two_sided(draw, _EVEN) for _ in rays)}


def uneven_parts(draw: DrawFn, rays: Rays) -> dict[str, Rays]:
    """Positive entries of length 7/5 and negative ones of length 1/5 in every ray."""
    return {"rays": tuple(_two_sided(draw, _UNEVEN[0]) for _ in rays)}
