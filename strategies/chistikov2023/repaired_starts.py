"""Starts that meet a condition on the initial weights or on their scale, or break it."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.models.chistikov2023.crossings import is_active, most_points_touched
from refute.models.chistikov2023.degeneracy import parallel
from refute.models.chistikov2023.smallness import largest_log_scale
from refute.models.chistikov2023.yardstick import gamma
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import rank, reduced
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.cone import labelled, moves, stacked


def _with_rows(start: Balanced, rows: list[Array], signs: list[int]) -> dict[str, Balanced]:
    return {"start": Balanced(stacked(rows), np.array(signs), start.log_scale, start.slope)}


def _signs(start: Balanced) -> list[int]:
    return [int(s) for s in start.signs]


def leave_hyperplanes(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """No z_j orthogonal to an input."""
    rows = [next((z for z in (row, *moves(row)) if all(data.inputs @ z)), row) for row in start.shape]
    return _with_rows(start, rows, _signs(start))


def enter_hyperplane(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """One more neuron, orthogonal to an input (and of either sign)."""
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    z = np.array([-x[1], x[0], *x[2:] * 0], dtype=object)
    z = z if any(z) else np.array([Fraction(int(k == 0)) for k in range(len(x))], dtype=object)
    z = z * draw(st.sampled_from([Fraction(1), Fraction(-1)]))
    return _with_rows(start, [*start.shape, z], [*_signs(start), draw(st.sampled_from([1, -1]))])


def activate_positive(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Some neuron of positive sign that is active on some input: the first one, turned round if need be."""
    signs, rows = _signs(start), list(start.shape)
    if not any(s > 0 and is_active(z, data) for s, z in zip(signs, rows, strict=True)):
        signs[0] = 1
        if not is_active(rows[0], data):
            rows[0] = -rows[0] if is_active(-rows[0], data) else data.inputs.sum(axis=0)
    return _with_rows(start, rows, signs)


def deactivate_positive(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Active neurons of positive sign get a negative one, or are turned until they are inactive."""
    gone = -data.inputs.sum(axis=0)
    flip = draw(st.booleans())
    rows, signs = [], []
    for z, s in zip(start.shape, _signs(start), strict=True):
        awake = s > 0 and is_active(z, data)
        rows.append(gone if awake and not flip else z)
        signs.append(-1 if awake and flip else s)
    return _with_rows(start, rows, signs)


def _acceptable(z: Array, s: int, data: Dataset, was_active: bool) -> bool:
    aligned = s < 0 and parallel(z, gamma(data, np.ones(len(data.labels), dtype=int)))
    return bool(all(data.inputs @ z)) and not aligned and is_active(z, data) == was_active


def misalign_negative(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """No active neuron of negative sign along gamma."""
    signs = _signs(start)
    rows = [
        next((moved for moved in (z, *moves(z)) if _acceptable(moved, s, data, is_active(z, data))), z)
        for z, s in zip(start.shape, signs, strict=True)
    ]
    return _with_rows(start, rows, signs)


def align_negative(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """One more neuron, of negative sign and along gamma."""
    along = gamma(data, np.ones(len(data.labels), dtype=int)) * draw(st.sampled_from([Fraction(1), Fraction(3)]))
    return _with_rows(start, [*start.shape, along], [*_signs(start), -1])


def stagger_crossings(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """No yardstick that meets two inputs at once."""
    signs = _signs(start)
    rows = []
    for z, s in zip(start.shape, signs, strict=True):
        awake = is_active(z, data)
        trials = (moved for moved in (z, *moves(z)) if _acceptable(moved, s, data, awake))
        rows.append(z if not awake else next((t for t in trials if most_points_touched(t, s, data) <= 1), z))
    return _with_rows(start, rows, signs)


def tie_crossings(draw: DrawFn, teacher: Array, data: Dataset, start: Balanced) -> dict[str, Any]:
    """One more neuron whose yardstick meets two inputs at once: z = y - c gamma_I with y orthogonal to both.

    I are the inputs with <y, x> > 0, and c is so small that they are active at z too. In the plane the two have one
    direction.
    """
    if len(teacher) == 2 or len(data.labels) < 3 or rank(data.inputs) < 3:
        data = labelled(teacher, stacked([*data.inputs, 2 * data.inputs[0]]))
    pair = [0, len(data.labels) - 1] if len(teacher) == 2 or rank(data.inputs) < 3 else [0, 1]
    y = _orthogonal(data.inputs[pair], data.inputs)
    signs = data.inputs @ y
    active = np.array([int(value > 0) for value in signs])
    push = gamma(data, active)
    c = min(value / (push @ x) for value, x in zip(signs, data.inputs, strict=True) if value > 0) / 2
    return {"data": data, **_with_rows(start, [*start.shape, y - c * push], [*_signs(start), 1])}


def _orthogonal(pair: Array, inputs: Array) -> Array:
    """A nonzero vector orthogonal to both rows, active on some input where one is."""
    d = pair.shape[1]
    rows, pivots = reduced(pair, d)
    free = [k for k in range(d) if k not in pivots]
    for k in free:
        y = np.array([Fraction(int(i == k)) for i in range(d)], dtype=object)
        for row, p in zip(rows, pivots, strict=False):
            y[p] = -row[k]
        if any(inputs @ y):
            return y if any(value > 0 for value in inputs @ y) else -y
    return y


def shrink_scale(
    draw: DrawFn, teacher: Array, data: Dataset, start: Balanced, epsilon: Fraction
) -> dict[str, Balanced]:
    """ln lambda just below the bound of Assumption 2, or twice as far down."""
    bound = largest_log_scale(data, teacher, start.shape, start.signs, float(epsilon))
    factor = draw(st.sampled_from([1.001, 2.0]))
    log_scale = Fraction(math.floor(factor * bound)) if math.isfinite(bound) else start.log_scale
    return {"start": Balanced(start.shape, start.signs, log_scale, start.slope)}


def enlarge_scale(draw: DrawFn, start: Balanced) -> dict[str, Balanced]:
    """lambda between e^-5 and 1, above the bound whatever the data are."""
    log_scale = Fraction(draw(st.sampled_from([0, -1, -5])))
    return {"start": Balanced(start.shape, start.signs, log_scale, start.slope)}
