"""Starts and data for which the scale that the theory of min2024 asks for can still be followed in float64, by its
logarithm.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.arithmetic.numbers import FLOAT, Array
from refute.language.case import lift
from refute.language.cases import Cases, Fields
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import scales
from refute.models.min2024.cones import centre, in_dead
from refute.strategies.min2024.data_repairs import joined
from refute.strategies.min2024.neuron_repairs import turn_off_centre
from refute.strategies.min2024.vectors import orthogonal_to
from refute.strategies.retry import patience


def _log_scale(fields: Mapping[str, Any], printed: bool) -> float:
    """The logarithm of the scale (28); minus infinity where the data leave no angle."""
    data, start = (lift(fields[name], FLOAT) for name in ("data", "start"))
    with np.errstate(invalid="ignore"):  # data that are not separated have no scale
        constants = scales(data, start, float(fields["part"]), printed=printed)
        return constants.log_epsilon if constants.mu > 0 and constants.zeta > 0 else -math.inf


@st.composite
def _followable(
    draw: DrawFn, base: SearchStrategy[Fields], deepest: float, printed: bool, repair: Callable[..., Any] | None
) -> Fields:
    fields = draw(base)
    data = fields["data"]
    if repair is not None:
        fields |= repair(draw, **fields)
        data = fields["data"]
    fields |= turn_off_centre(draw, data, fields["start"])
    assume(_log_scale(fields, printed) >= -deepest)
    return fields


def followable(
    base: Cases, deepest: float, *, printed: bool = False, repair: Callable[..., Any] | None = None
) -> Cases:
    """Cases of `base` whose scale (28) is not below e^{-deepest}; deeper ones are outside the domain."""
    cases = base.drawn_by(_followable(base.strategy, deepest, printed, repair))
    return cases.within(lambda fields: _log_scale(fields, printed) >= -deepest)


def see_both_classes(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Any]:
    """Both classes are there; a positive neuron sees a positive datum and a negative neuron a negative one, by much or
    by little.
    """
    inputs, labels = data.inputs.copy(), data.labels.copy()
    if len(labels) == 1:
        inputs, labels = np.vstack([inputs, inputs]), np.concatenate([labels, labels])
    if abs(sum(labels)) == len(labels):  # the mirror image of a datum, with the other label, has the same y x
        inputs[-1], labels[-1] = -inputs[-1], -labels[-1]
    shape, signs = start.shape.copy(), start.signs.copy()
    if len(signs) == 1:
        shape, signs = np.vstack([shape, shape]), np.concatenate([signs, signs])
    for j, s in enumerate((1, -1)):
        signs[j] = Fraction(s)
        own = inputs[[k for k, y in enumerate(labels) if y == s]]
        step = Fraction(1, 8)
        turns = patience()
        while all(value <= 0 for value in own @ shape[j]):
            next(turns)
            shape[j], step = shape[j] + step * own[0], 2 * step
    return {"data": Dataset(inputs, labels), "start": Balanced(shape, signs, start.log_scale, start.slope)}


def see_both_classes_in_time(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Any]:
    """The same with inputs of comparable lengths, so that both classes are fitted in comparable times."""
    rows = [x * _unit_power(x) * draw(st.sampled_from([Fraction(1), Fraction(1), Fraction(2)])) for x in data.inputs]
    return see_both_classes(draw, Dataset(np.array(rows), data.labels), start)


def _unit_power(x: Array) -> Fraction:
    """A power of two that brings the largest entry into [1, 2)."""
    size, power = max(abs(entry) for entry in x), Fraction(1)
    turns = patience()
    while size * power >= 2:
        next(turns)
        power /= 2
    turns = patience()
    while size * power < 1:
        next(turns)
        power *= 2
    return power


def head_for_dead_cone(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Any]:
    """The first neuron sees data of the other class only, and beside it lies a dead direction: the flow takes it there,
    mostly.
    """
    s = int(start.signs[0])
    if abs(sum(data.labels)) == len(data.labels):  # the mirror image of a datum tilted a little, with the other label
        x, size = data.inputs[0], 1 / _unit_power(data.inputs[0])
        data = joined(
            data,
            size * orthogonal_to(draw, x) * draw(st.sampled_from([Fraction(1, 2), Fraction(1, 8)])) - x,
            -data.labels[0],
        )
    own, other = centre(data, s), centre(data, -s)
    flat = orthogonal_to(draw, data.labels @ data.inputs)
    dead = [
        z for z in (-(own * _unit_power(own) + other * _unit_power(other)), flat, -flat) if any(z) and in_dead(z, data)
    ]
    shape = start.shape.copy()
    for z in dead[:1]:
        step = draw(st.sampled_from([Fraction(1), Fraction(1, 4), Fraction(1, 64)]))
        turns = patience()
        while any(y == s and x @ (z + step * other) > 0 for x, y in zip(data.inputs, data.labels, strict=True)):
            next(turns)
            step /= 2
        shape[0] = z + step * other
    return {"data": data, "start": Balanced(shape, start.signs, start.log_scale, start.slope)}


def blind_to_a_class(draw: DrawFn, start: Balanced) -> dict[str, Balanced]:
    """All outer weights get one sign."""
    s = Fraction(draw(st.sampled_from([1, -1])))
    return {"start": Balanced(start.shape, start.signs * 0 + s, start.log_scale, start.slope)}


def spacious(draw: DrawFn, data: Dataset, start: Balanced, **rest: Any) -> dict[str, Any]:
    """Inputs of comparable lengths, and no neuron next to the centre of the other class: so the scale of many data and
    neurons can be followed too.
    """
    rows = np.array([x * _unit_power(x) for x in data.inputs])
    near = Dataset(rows, data.labels)
    shape = [_beside(draw, row, centre(near, -int(s))) for row, s in zip(start.shape, start.signs, strict=True)]
    return {"data": near, "start": Balanced(np.array(shape), start.signs, start.log_scale, start.slope)}


def _beside(draw: DrawFn, row: Array, centre: Array) -> Array:
    """The row, or one that makes an angle of more than about a tenth with the centre."""
    if not any(centre) or row @ centre <= 0 or 100 * (row @ centre) ** 2 < 99 * (row @ row) * (centre @ centre):
        return row
    flat = orthogonal_to(draw, centre)
    if not any(flat):
        return -row
    share: Fraction = draw(st.sampled_from([Fraction(1, 4), Fraction(4)]))
    return np.asarray(centre * _unit_power(centre) + flat * _unit_power(flat) * share)


def mixed(*cases: Cases) -> Cases:
    """Cases of any of several strategies, in the domain of the first."""
    return cases[0].drawn_by(st.one_of(*(one.strategy for one in cases)))
