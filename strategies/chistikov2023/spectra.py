"""Spectra of chistikov2023 (eigenvalues and coordinates of the teacher) and places in the set S
that belongs to them.
"""

from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.models.chistikov2023.predictor_set import Spectrum
from refute.strategies.chistikov2023.correlated import across, labelled
from refute.strategies.directions import unit_vector
from refute.strategies.sizes import Size, sized

STEPS = [Fraction(s) for s in ("1/2", "1", "2", "1/10", "1/50")]  # differences of neighbouring eigenvalues
PARTS = [Fraction(s) for s in ("1", "2", "1/2", "1/10", "1/100", "5")]  # of the teacher, before normalisation
INNER = [Fraction(s) for s in ("1/2", "1/10", "9/10", "1/1000", "999/1000")]
SHARES = [*INNER, Fraction(0), Fraction(1)]


@st.composite
def _spectrum(draw: DrawFn, dimension: int) -> Spectrum:
    """Decreasing eigenvalues, and a positive unit vector by inverse stereographic projection."""
    steps = [draw(st.sampled_from(STEPS)) for _ in range(dimension)]
    eta = list(accumulate(steps))[::-1]
    flat = [draw(st.sampled_from(PARTS)) for _ in range(dimension - 1)]
    flat[0] += sum((t * t for t in flat), Fraction(0)) == 1
    square = sum((t * t for t in flat), Fraction(0))
    entries = [*(2 * t / (square + 1) for t in flat), abs(square - 1) / (square + 1)]
    return Spectrum(exact_array(np.array(eta, dtype=object)), exact_array(np.array(entries, dtype=object)))


def spectrum(size: Size) -> SearchStrategy[Spectrum]:
    """Eigenvalues and the coordinates of a teacher of length one, all positive."""
    return _spectrum(size.dimension)


def stage(size: Size) -> SearchStrategy[int]:
    """The number of coordinates beyond their target: l - 1."""
    return st.integers(0, size.dimension - 1)


def shares(choices: list[Fraction]) -> Any:
    """Where each coordinate lies between its bounds."""

    def part(size: Size) -> SearchStrategy[Array]:
        return st.lists(st.sampled_from(choices), min_size=size.dimension, max_size=size.dimension).map(
            lambda drawn: exact_array(np.array(drawn, dtype=object))
        )

    return part


def places(*, dimension: tuple[int, int] = (2, 3), inside: bool = True, **parts: Any) -> SearchStrategy[dict[str, Any]]:
    """A spectrum, a stage, shares and a reach; `inside` keeps away from the faces (but not from p_l = 1)."""
    reach = st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(1, 100), *([] if inside else [Fraction(1)])])
    return sized(
        dimension=dimension,
        spectrum=spectrum,
        stage=stage,
        shares=shares(INNER if inside else SHARES),
        reach=reach,
        **parts,
    )


LENGTHS = [Fraction(r) for r in ("1", "10", "1/10", "1/100")]


@st.composite
def places_in_data(draw: DrawFn) -> dict[str, Any]:
    """A teacher, inputs of very different lengths near the boundary of the cone of 45 degrees around it, and a place in
    their set S.
    """
    d = draw(st.integers(2, 3))
    v = draw(unit_vector(d))
    side = across(v)
    sides = [side] if d == 2 else [side, np.cross(v, side)]
    turns = unit_vector(2) if d == 3 else st.just(np.array([Fraction(1)], dtype=object))
    rows = []
    for k in range(draw(st.integers(d, d + 1))):
        tilt = draw(st.sampled_from([1, -1])) * (
            1 - Fraction(1, 100 * (k + 1))
        )  # the tangent of the angle to the teacher
        length, turn = draw(st.sampled_from(LENGTHS)), draw(turns)
        rows.append(length * (v + tilt * sum((c * w for c, w in zip(turn, sides, strict=True)), v * 0)))
    size = Size(d, len(rows), 1, 2)
    reach = draw(st.sampled_from([Fraction(1, 2), Fraction(99, 100), Fraction(1, 100)]))
    place = {"stage": draw(stage(size)), "shares": draw(shares(INNER[-2:] + INNER[:1])(size)), "reach": reach}
    return {"teacher": v, "data": labelled(v, exact_array(np.array([list(x) for x in rows], dtype=object))), **place}
