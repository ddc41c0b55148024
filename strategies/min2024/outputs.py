"""Repairs that make the outputs of a balanced state small or large by its scale, and neurons on the hyperplane of a
datum.
"""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT, Array
from refute.language.case import lift
from refute.language.cases import Cases, Fields
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import in_dead, separation
from refute.models.network import TwoLayer
from refute.strategies.min2024.vectors import orthogonal_to
from refute.strategies.retry import patience

STEP = Fraction(3, 4)


def _outputs(rows: Array, signs: Array, data: Dataset, slope: float = 0.0) -> NDArray[np.float64]:
    weights, points = np.asarray(rows, dtype=float), np.asarray(data.inputs, dtype=float)
    pre = points @ weights.T
    outputs: NDArray[np.float64] = np.maximum(pre, slope * pre) @ (
        np.asarray(signs, dtype=float) * np.linalg.norm(weights, axis=1)
    )
    return outputs


def _shrunk(scale: Fraction, outputs: NDArray[np.float64], limit: float) -> Fraction:
    """The scale times a power of 3/4 at which the largest output, which grows with its square, is below the limit."""
    largest = float(np.abs(outputs).max())
    turns = patience()
    while largest * float(scale) ** 2 > 0.999 * limit:
        next(turns)
        scale = scale * STEP
    return scale


def _lift_to(scale: Fraction, outputs: NDArray[np.float64], limit: float) -> Fraction:
    largest = float(np.abs(outputs).max())
    turns = patience()
    while largest * float(scale) ** 2 <= 1.001 * limit:
        next(turns)
        scale = scale * 2
    return scale


@st.composite
def _moderate(draw: DrawFn, base: SearchStrategy[Fields], limit: float) -> Fields:
    fields = draw(base)
    rows = np.vstack([fields["w"], fields["start"].shape])
    outputs = _outputs(rows, np.concatenate([[1], fields["start"].signs]), fields["data"])
    return fields | {"scale": _shrunk(fields["scale"], outputs, limit)}


def moderate(base: Cases, limit: float = 50.0) -> Cases:
    """Cases whose neurons w and start have outputs up to `limit`, so that exponentials of outputs stay of moderate
    size.
    """
    return base.drawn_by(_moderate(base.strategy, limit))


def outputs_at_most_one(
    draw: DrawFn, data: Dataset, start: Balanced, scale: Fraction, slope: Fraction
) -> dict[str, Fraction]:
    """A smaller scale, so that no output exceeds 1."""
    return {"scale": _shrunk(scale, _outputs(start.shape, start.signs, data, float(slope)), 1.0)}


def outputs_at_most_half(
    draw: DrawFn, data: Dataset, start: Balanced, scale: Fraction, slope: Fraction
) -> dict[str, Fraction]:
    """A smaller scale, so that no output exceeds 1/2."""
    return {"scale": _shrunk(scale, _outputs(start.shape, start.signs, data, float(slope)), 0.5)}


def outputs_above_one(
    draw: DrawFn, data: Dataset, start: Balanced, scale: Fraction, slope: Fraction
) -> dict[str, object]:
    """A larger scale; a first neuron along the first datum if all outputs vanish."""
    rows = start.shape.copy()
    if not _outputs(rows, start.signs, data, float(slope)).any():
        rows[0] = data.inputs[0] * 2
    moved = Balanced(rows, start.signs, start.log_scale, start.slope)
    return {"start": moved, "scale": _lift_to(scale, _outputs(rows, start.signs, data, float(slope)), 1.0)}


def outputs_at_most_29(draw: DrawFn, data: Dataset, w: Array, start: Balanced, scale: Fraction) -> dict[str, Fraction]:
    """A smaller scale, so that no output exceeds mu^(3/2) X_min / (4 n X_max)."""
    outputs = _outputs(np.vstack([w, start.shape]), np.concatenate([[1], start.signs]), data)
    mu, sizes = float(separation(lift(data, FLOAT))), np.linalg.norm(np.asarray(data.inputs, dtype=float), axis=1)
    limit = max(mu, 0.0) ** 1.5 * sizes.min() / (4 * len(sizes) * sizes.max())
    return {"scale": _shrunk(scale, outputs, limit) if limit > 0 else scale}


def outputs_above_29(draw: DrawFn, data: Dataset, w: Array, start: Balanced, scale: Fraction) -> dict[str, object]:
    """A larger scale, with another neuron along the first datum."""
    rows = start.shape.copy()
    rows[0] = data.inputs[0] * 2
    outputs = _outputs(np.vstack([w, rows]), np.concatenate([[1], start.signs]), data)
    big = _lift_to(scale, outputs, 1.0) if outputs.any() else scale
    return {"start": Balanced(rows, start.signs, start.log_scale, start.slope), "scale": big}


def touch_hyperplane(draw: DrawFn, data: Dataset, w: Array) -> dict[str, object]:
    """w orthogonal to some datum and active on another, if the data allow it; else two data that do."""
    found = [z for x in data.inputs for flat in [orthogonal_to(draw, x)] for z in (flat, -flat) if any(flat)]
    active = [z for z in found if not in_dead(z, data)]
    if any(value == 0 for value in data.inputs @ w) and not in_dead(w, data):
        return {"w": w}
    if active:
        return {"w": draw(st.sampled_from(active))}
    axes = np.array(
        [[Fraction(int(i <= k and i < 2)) for i in range(data.inputs.shape[1])] for k in (0, 1)], dtype=object
    )
    label = data.labels[0]
    return {"data": Dataset(axes, np.array([label, label], dtype=object)), "w": axes[1] - axes[0]}


def leave_hyperplanes(draw: DrawFn, data: Dataset, w: Array) -> dict[str, Array]:
    """The sum of the signed data, which under separation is orthogonal to none."""
    return {"w": data.labels @ data.inputs}


def raise_loss(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, TwoLayer]:
    """The outer weights with the signs turned, if the first loss is below that of the zero network;
    else as they are.
    """
    losses = np.exp(-np.asarray(data.labels, dtype=float) * np.asarray(net(data.inputs), dtype=float)).sum()
    return {"net": net if losses >= len(data.labels) else TwoLayer(net.inner, -net.outer, net.slope)}


def lower_loss(draw: DrawFn, net: TwoLayer, data: Dataset) -> dict[str, TwoLayer]:
    """Neurons along the first datum with its sign: on separated data all outputs have the sign of
    the label or vanish.
    """
    label = data.labels[0]
    row = data.inputs[0] / (1 + data.inputs[0] @ data.inputs[0])
    return {"net": TwoLayer(np.array([row] * net.width), np.array([label] * net.width, dtype=object), net.slope)}
