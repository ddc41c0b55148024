"""Spectra of chistikov2023 (eigenvalues and coordinates of the teacher) and places in the set S
that belongs to them.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import Array, exact_array
from refute.language.cases import Cases, Values, along, stated, values
from refute.models.chistikov2023.predictor_set import Spectrum
from refute.models.dataset import Dataset
from refute.strategies.chistikov2023.cone import across, labelled
from refute.strategies.chistikov2023.correlated import is_vector
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import is_array, is_count, is_number
from refute.strategies.sizes import Size, drawn, sized

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


def _is_spectrum(value: Any) -> bool:
    if not isinstance(value, Spectrum) or not all(x > 0 for x in (*value.eta, *value.teacher)):
        return False
    return all(a > b for a, b in pairwise(value.eta)) and value.teacher @ value.teacher == 1


@values(_is_spectrum, sizes=lambda value: {"dimension": value.dimension})
def spectrum(size: Size) -> SearchStrategy[Spectrum]:
    """Eigenvalues and the coordinates of a teacher of length one, all positive."""
    return _spectrum(size.dimension)


@values(lambda value: is_count(value, 0))
def stage(size: Size) -> SearchStrategy[int]:
    """The number of coordinates beyond their target: l - 1."""
    return st.integers(0, size.dimension - 1)


def _is_share(value: Any, closed: bool) -> bool:
    return is_number(value) and bool(0 <= value <= 1 if closed else 0 < value < 1)


def shares(choices: list[Fraction]) -> Values:
    """Where each coordinate lies between its bounds, which belong to the domain where they are among the choices."""
    closed = any(value in (0, 1) for value in choices)

    @values(lambda value: is_array(value, 1) and all(_is_share(x, closed) for x in value), sizes=along("dimension"))
    def part(size: Size) -> SearchStrategy[Array]:
        return st.lists(st.sampled_from(choices), min_size=size.dimension, max_size=size.dimension).map(
            lambda drawn: exact_array(np.array(drawn, dtype=object))
        )

    return part


def _reach(inside: bool) -> SearchStrategy[Fraction]:
    drawn = st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(1, 100), *([] if inside else [Fraction(1)])])
    return stated(drawn, lambda value: is_number(value) and bool(0 < value < 1 or (value == 1 and not inside)))


def _is_place(fields: Mapping[str, Any]) -> bool:
    dimension = fields["spectrum"].dimension
    return bool(fields["stage"] < dimension and fields.get("face", 0) <= dimension)


def places(*, dimension: tuple[int, int] = (2, 3), inside: bool = True, **parts: Any) -> Cases:
    """A spectrum, a stage, shares and a reach; `inside` keeps away from the faces (but not from p_l = 1)."""
    cases = sized(
        dimension=drawn(*dimension),
        spectrum=spectrum,
        stage=stage,
        shares=shares(INNER if inside else SHARES),
        reach=_reach(inside),
        **parts,
    )
    return cases.within(_is_place)


LENGTHS = [Fraction(r) for r in ("1", "10", "1/10", "1/100")]


@st.composite
def _places_in_data(draw: DrawFn) -> dict[str, Any]:
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


def places_in_data() -> Cases:
    """A teacher, inputs of very different lengths near the boundary of the cone of 45 degrees around it, and a place in
    their set S.
    """
    return Cases(_places_in_data(), _is_place_in_data)


def _is_place_in_data(fields: Mapping[str, Any]) -> dict[str, bool]:
    parts: list[Any] = [fields.get(name) for name in ("teacher", "data", "stage", "shares", "reach")]
    teacher, data, stage, shares, reach = parts
    d = len(teacher) if is_vector(teacher) else 0
    return {
        "teacher": d >= 2,
        "data": isinstance(data, Dataset) and data.inputs.shape[1] == d,
        "stage": is_count(stage, 0) and stage < d,
        "shares": is_array(shares, 1) and len(shares) == d and all(_is_share(x, False) for x in shares),
        "reach": is_number(reach) and bool(0 < reach < 1),
    }
