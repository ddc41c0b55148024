"""Repairs of neurons beside separated data: Assumption 2, the balance of (3), and the cones that a point lies in."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array, Number
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import centre, in_dead, in_minus, in_plus
from refute.models.network import TwoLayer
from refute.strategies.directions import unit_vector
from refute.strategies.min2024.vectors import TINY, lengths, orthogonal_to, power_of_two
from refute.strategies.retry import patience

FAR = 2**60


def turn_off_centre(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Reverse each neuron that points exactly along the centre of the other class, or tilt it a little."""
    rows = [_off(draw, row, centre(data, -int(sign))) for row, sign in zip(start.shape, start.signs, strict=True)]
    return {"start": Balanced(np.array(rows), start.signs, start.log_scale, start.slope)}


def _off(draw: DrawFn, row: Array, forbidden: Array) -> Array:
    if not any(forbidden) or (row @ forbidden) <= 0 or (row @ forbidden) ** 2 < (row @ row) * (forbidden @ forbidden):
        return row
    tilt = orthogonal_to(draw, forbidden)
    return row + draw(st.sampled_from(TINY)) * tilt if any(tilt) else -row


def align_with_other_centre(draw: DrawFn, data: Dataset, start: Balanced) -> dict[str, Balanced]:
    """Turn one neuron exactly to the centre of a class that is there, and give it the other sign."""
    j = draw(st.integers(0, len(start.signs) - 1))
    label = int(data.labels[draw(st.integers(0, len(data.labels) - 1))])
    if not any(centre(data, label)):  # the inputs of the class cancel: without separation only
        label = -label
    rows, signs = start.shape.copy(), start.signs.copy()
    target = centre(data, label)
    rows[j], signs[j] = (target if any(target) else rows[j]), Fraction(-label)
    return {"start": Balanced(rows, signs, start.log_scale, start.slope)}


def balance(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Rows in rational directions of their own, of length |v_j|; v_j = 1 in place of 0."""
    outer = np.array([v if v else Fraction(1) for v in net.outer], dtype=object)
    inner = np.array([abs(v) * draw(unit_vector(net.inner.shape[1])) for v in outer])
    return {"net": TwoLayer(inner, outer, net.slope)}


def unbalance(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """One outer weight becomes larger than the norm of its row, with the same sign."""
    j = draw(st.integers(0, net.width - 1))
    outer = net.outer.copy()
    size = sum(abs(entry) for entry in net.inner[j]) + draw(st.sampled_from([Fraction(1), Fraction(1, 16)]))
    outer[j] = size if outer[j] >= 0 else -size
    return {"net": TwoLayer(net.inner, outer, net.slope)}


def _towards(data: Dataset, w: Array, target: Array, inside: Callable[[Array, Dataset], bool]) -> dict[str, Array]:
    """w moved along `target`, an interior direction of the cone, until it is inside; far enough if the data are
    separated.
    """
    step = Fraction(1, 8)
    while not inside(w, data) and step < FAR:
        w, step = w + step * target, 2 * step
    return {"w": w}


def enter_plus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Into S_+: along sum_i y_i x_i, which is interior."""
    return _towards(data, w, data.labels @ data.inputs, in_plus)


def enter_minus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Into S_-: along minus sum_i y_i x_i."""
    return _towards(data, w, -(data.labels @ data.inputs), in_minus)


def leave_dead_cone(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Out of S_dead: along a datum, by little or much."""
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    return _towards(data, w, x, lambda z, data: not in_dead(z, data))


def enter_dead_cone(draw: DrawFn, data: Dataset, w: Array) -> dict[str, object]:
    """Into S_dead, but not to the origin: some vector of the data that is dead, else minus a datum and only the data it
    does not oppose.
    """
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    flat = orthogonal_to(draw, data.labels @ data.inputs)
    candidates = [w, -w, -x, -(centre(data, 1) + centre(data, -1)), flat, -flat]
    found = [z for z in candidates if any(z) and in_dead(z, data)]
    if found:
        return {"w": draw(st.sampled_from(found))}
    keep = [value >= 0 for value in data.inputs @ x]
    return {"w": -x, "data": Dataset(data.inputs[keep], data.labels[keep])}


def leave_plus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Out of S_+: to a point of S_-, which a nonempty class keeps apart from S_+."""
    return {"w": -(data.labels @ data.inputs)}


def leave_minus(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """Out of S_-."""
    return {"w": data.labels @ data.inputs}


def centre_cosine(data: Dataset, w: Array) -> tuple[Number, Number]:
    """<x_+, w>^2 and |x_+|^2 |w|^2."""
    c = centre(data, 1)
    return (c @ w) * (c @ w), (c @ c) * (w @ w)


def turn_away_from_centre(bound: Fraction) -> Callable[..., dict[str, object]]:
    """All y_i x_i close to one vector a, and w close to orthogonal to it, still in S_+: cos(x_+, w) <= bound."""

    def repair(draw: DrawFn, data: Dataset, w: Array) -> dict[str, object]:
        a = data.labels[0] * data.inputs[0]
        u = orthogonal_to(draw, a) * power_of_two(max(abs(entry) for entry in a))
        sizes = draw(lengths(len(data.labels)))
        tilts = np.array(
            [draw(st.sampled_from([Fraction(0), Fraction(1, 16), Fraction(1, 4)])) for _ in sizes], dtype=object
        )
        share = draw(st.sampled_from([Fraction(1, 2), Fraction(1, 4), Fraction(1, 2**20)]))
        turns = patience()
        while True:
            next(turns)
            inputs = (data.labels * sizes)[:, None] * (a + tilts[:, None] * u)
            leaning = {"data": Dataset(inputs, data.labels), "w": share * a + u}
            square, whole = centre_cosine(**leaning)
            if square <= bound**2 * whole:
                return leaning
            tilts, share = tilts / 2, share / 2

    return repair


def turn_to_own_centre(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Any]:
    """w on the centre x_+ itself, or next to it; without a positive label the first datum is mirrored, which keeps its
    y x.
    """
    inputs, labels = data.inputs.copy(), data.labels.copy()
    if all(y < 0 for y in labels):
        inputs[0], labels[0] = -inputs[0], -labels[0]
    changed = Dataset(inputs, labels)
    return {
        "data": changed,
        "w": centre(changed, 1) + draw(st.sampled_from([Fraction(0), Fraction(1, 2**20)])) * (labels @ inputs),
    }
