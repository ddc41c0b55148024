"""Data on which the bundle comes close to losing a point: one input is long and near the boundary of the cone around
the teacher, the others are shorter and near its other side.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import exact_array
from refute.strategies.chistikov2023.cone import across, labelled
from refute.strategies.chistikov2023.correlated import SETTING

TILTS = [Fraction(t) for t in ("9/10", "19/20", "99/100")]  # tangents of the angles to the teacher
LENGTHS = [Fraction(r) for r in ("1", "1/2", "1/4")]


@st.composite
def _lopsided(draw: DrawFn) -> dict[str, Any]:
    drawn: dict[str, Any] = draw(SETTING.strategy)
    teacher, side = drawn["teacher"], across(drawn["teacher"])
    if draw(st.booleans()) or teacher @ teacher != 1:
        return drawn
    rows = [2 * (teacher + draw(st.sampled_from(TILTS)) * side)]
    for k in range(1, max(len(teacher), len(drawn["data"].labels))):
        turn = side if k % 2 or len(teacher) == 2 else np.cross(teacher, side)
        rows.append(draw(st.sampled_from(LENGTHS)) * (teacher - draw(st.sampled_from(TILTS)) * turn))
    return drawn | {"data": labelled(teacher, exact_array(np.array([list(x) for x in rows], dtype=object)))}


LOPSIDED = SETTING.drawn_by(_lopsided())
