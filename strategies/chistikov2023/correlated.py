"""Data labelled by a teacher neuron with which every input is correlated, and balanced starts (chistikov2023).

A case has a `teacher`, `data`, a `start` (unscaled rows z_j, signs, ln lambda) and `epsilon`. What makes a case meet an
assumption, or break it, stands in `repaired_inputs` and `repaired_starts`.
"""

import math
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.assumption import Assumption, repaired
from refute.language.cases import Cases, Fields, Values, along, values
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.cone import labelled, stacked
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import array, choice, is_array
from refute.strategies.sizes import Size, Sizes, drawn, mixed, sized


def _is_start(value: Any) -> bool:
    return isinstance(value, Balanced) and value.slope == 0 and all(abs(s) == 1 for s in value.signs)


@values(_is_start, lambda value: Balanced(value.shape, value.signs, value.log_scale, Fraction(0)))
def start(size: Size) -> SearchStrategy[Balanced]:
    """Rows z_j from the grid with signs; the scale is 10^-1000 until a repair sets it."""
    signs = st.lists(st.sampled_from([1, 1, -1]), min_size=size.width, max_size=size.width)
    return st.builds(
        lambda z, s: Balanced(z, np.array(s), Fraction(-2303), Fraction(0)),
        array(size.width, size.dimension, limit=3),
        signs,
    )


def is_vector(value: Any) -> bool:
    """Whether the value is a vector, and not zero."""
    return is_array(value, 1) and any(value)


@values(is_vector, sizes=along("dimension"))
def teacher(size: Size) -> SearchStrategy[Array]:
    """A rational unit vector."""
    return unit_vector(size.dimension)


def correlated(*, dimension: Sizes = None, samples: Sizes = None, width: Sizes = None, **parts: Any) -> Cases:
    """Teacher and data, and further parts such as `start=start`; the assumptions of the claim make them correlated.

    Sizes that are not given are small in what is drawn, and in the domain any, with at least two dimensions.
    """
    cases = sized(
        dimension=dimension or drawn(2, 3),
        samples=samples or drawn(2, 4),
        width=width or drawn(1, 3),
        teacher=teacher,
        data=unscaled_dataset,
        **parts,
    )
    return cases if dimension else cases.within(lambda fields: len(fields["teacher"]) >= 2)


SETTING = correlated(start=start, epsilon=choice("1/4", "1/8", "1/100"))
LARGER = mixed(
    SETTING,
    correlated(
        start=start,
        epsilon=choice("1/4", "1/8", "1/100"),
        dimension=drawn(2, 5),
        samples=drawn(4, 10),
        width=drawn(2, 8),
    ),
)


@lru_cache
def lattice_points(largest: int) -> list[Array]:
    """Integer points of space within 45 degrees of e_1 and without a common divisor, the shortest first."""
    grid = product(range(1, largest + 1), range(-largest, largest + 1), range(-largest, largest + 1))
    inside = [p for p in grid if p[0] ** 2 > p[1] ** 2 + p[2] ** 2 and math.gcd(*p) == 1]
    return [exact_array(np.array(p)) for p in sorted(inside, key=lambda p: (sum(e * e for e in p), p))]


def lattice_setting(largest: int) -> Cases:
    """Three integer points around the teacher e_1, and two neurons."""
    axis = exact_array(np.array([1, 0, 0]))
    pick = st.lists(st.sampled_from(range(len(lattice_points(largest)))), min_size=3, max_size=3, unique=True)
    data = pick.map(lambda which: labelled(axis, stacked([lattice_points(largest)[k] for k in which])))
    return sized(
        dimension=(3, 3),
        samples=(3, 3),
        width=(2, 2),
        teacher=Values(st.just(axis), is_vector, sizes=along("dimension")),
        data=Values(data, lambda value: isinstance(value, Dataset)),
        start=start,
        epsilon=choice("1/4"),
    )


def prepared(base: Cases | SearchStrategy[Fields], *assumptions: Assumption) -> Cases:
    """Cases of `base` that satisfy the assumptions, under a short name: nested ones would have an endless `repr`."""
    inner = repaired(base, satisfied=list(assumptions))

    @st.composite
    def ready(draw: DrawFn) -> dict[str, Any]:
        return draw(inner)

    return Cases.of(base).drawn_by(ready())
