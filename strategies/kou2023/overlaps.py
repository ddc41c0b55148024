"""Repairs for the inputs: their inner products and their lengths."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.models.network import TwoLayer
from refute.strategies.kou2023.step_and_scale import SHARES, dyadic_floor
from refute.strategies.retry import patience


def _overlap_ratio(data: Dataset, weight: Fraction) -> Fraction:
    """R_max^2 n p / (R_min^4 weight): at most 1/C when the data are nearly orthogonal."""
    low, high = squared_radii(data.inputs)
    return Fraction(high * len(data.labels) * largest_overlap(data.inputs) / (low * low * weight))


def _sample_ratio(data: Dataset) -> Fraction:
    """n max over i != k of |<x_i, x_k>| / |x_i|^2."""
    gram = data.inputs @ data.inputs.T
    n = len(gram)
    return max(
        (Fraction(n * abs(gram[i, k]) / gram[i, i]) for i in range(n) for k in range(n) if i != k), default=Fraction(0)
    )


def _shrink_off_axis(draw: DrawFn, data: Dataset, C: int, ratio: Callable[[Dataset], Fraction]) -> dict[str, Dataset]:
    inputs = data.inputs.copy()
    n, d = inputs.shape
    if d < n:
        inputs, n = inputs[:d], d
    axes = np.array([[int(i == k) for k in range(d)] for i in range(n)], dtype=object)
    main = axes * (inputs + (inputs == 0))  # an input that misses its axis gets a one there
    off = inputs * (1 - axes)
    share, wanted = draw(st.sampled_from(SHARES)), Dataset(main + off, data.labels[:n])
    turns = patience()
    while (excess := C * ratio(wanted)) > 1:
        next(turns)
        off = off * dyadic_floor(float(share / excess))
        wanted, share = Dataset(main + off, wanted.labels), Fraction(7, 8)
    return {"data": wanted}


def shrink_overlaps(draw: DrawFn, data: Dataset, C: int) -> dict[str, Dataset]:
    """Off-axis parts so small that R_min^2 >= C R^2 n p: mostly by less than a factor 2, sometimes by 16."""
    return _shrink_off_axis(draw, data, C, lambda found: _overlap_ratio(found, Fraction(1)))


def shrink_overlaps_for_leak(draw: DrawFn, data: Dataset, net: TwoLayer, C: int) -> dict[str, Dataset]:
    """The same with gamma^-4 on the right-hand side."""
    return _shrink_off_axis(draw, data, C, lambda found: _overlap_ratio(found, net.slope**4))


def shrink_overlaps_per_sample(draw: DrawFn, data: Dataset, C: int) -> dict[str, Dataset]:
    """Off-axis parts so small that |x_i|^2 >= C n |<x_i, x_k>| for all i and all k != i."""
    return _shrink_off_axis(draw, data, C, _sample_ratio)


def put_on_axes(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Without the off-axis parts."""
    axes = np.array([[int(i == k) for k in range(data.inputs.shape[1])] for i in range(len(data.labels))], dtype=object)
    return {"data": Dataset(data.inputs * axes + axes * (data.inputs == 0), data.labels)}


def repeat_an_input(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """One more sample: the first input again with the other label, or its mirror image with either label."""
    flip, label = draw(st.sampled_from([(1, -1), (-1, 1), (-1, -1)]))
    labels = np.append(data.labels, label * data.labels[0])
    return {"data": Dataset(np.vstack([data.inputs, flip * data.inputs[:1]]), labels)}


def shorten_inputs(draw: DrawFn, data: Dataset) -> dict[str, Dataset]:
    """Inputs longer than 3 R_min are halved until they are not; overlaps do not grow. Zero inputs become the first
    axis.
    """
    axis = np.array([Fraction(int(k == 0)) for k in range(data.inputs.shape[1])], dtype=object)
    rows = [row if any(row) else axis for row in data.inputs]
    least = min(row @ row for row in rows)
    for i, row in enumerate(rows):
        turns = patience()
        while row @ row > 9 * least:
            next(turns)
            row = row / 2
        rows[i] = row
    return {"data": Dataset(np.array([list(row) for row in rows], dtype=object), data.labels)}


def shorten_an_input(draw: DrawFn, data: Dataset, net: TwoLayer) -> dict[str, Any]:
    """Orthogonal inputs, the first one divided by 64; a single input gets a second one beside it,
    in a new dimension.
    """
    inputs, inner, labels = put_on_axes(draw, data)["data"].inputs, net.inner, data.labels
    if len(labels) == 1:
        inputs = np.vstack(
            [np.append(inputs, [[Fraction(0)]], axis=1), np.append(0 * inputs, [[sum(abs(inputs[0]))]], axis=1)]
        )
        inner, labels = np.append(inner, inner[:, -1:], axis=1), np.append(labels, labels)
    inputs = np.vstack([inputs[:1] / Fraction(64), inputs[1:]])
    return {"data": Dataset(inputs, labels), "net": TwoLayer(inner, net.outer, net.slope)}
