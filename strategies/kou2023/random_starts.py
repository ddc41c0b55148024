"""Repairs for the network: its second layer, its width, and what the lemmas of appendix A say of a random start."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array, exact_array
from refute.models.dataset import Dataset
from refute.models.kou2023.orthogonality import squared_radii
from refute.models.network import TwoLayer, signed_halves
from refute.strategies.kou2023.step_and_scale import dyadic_floor
from refute.strategies.retry import patience


def set_halves(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Outer weights 1/m and -1/m (the last row is dropped if their number is odd)."""
    m = net.width // 2
    return {"net": signed_halves(net.inner[:m], net.inner[m : 2 * m], net.slope)}


def break_halves(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """All outer weights positive, or one of them doubled."""
    outer = net.outer.copy()
    outer[-1] *= draw(st.sampled_from([-1, 2]))
    return {"net": TwoLayer(net.inner, outer, net.slope)}


def bound_signals(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction) -> dict[str, TwoLayer]:
    """Rows halved until |<w, x_i>| <= sqrt(2 log(8mn/delta)) sigma_0 R_max for all i."""
    return {"net": TwoLayer(_bounded(data, net.inner, _signal_bound(data, net, scale, delta)), net.outer, net.slope)}


def _signal_bound(data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction) -> float:
    mn = len(data.labels) * (net.width // 2)
    return math.sqrt(2 * math.log(8 * mn / delta) * squared_radii(data.inputs)[1]) * float(scale) * (1 - 1e-9)


def _bounded(data: Dataset, inner: Array, bound: float) -> Array:
    rows = []
    for row in inner:
        turns = patience()
        while max(abs(data.inputs @ row)) > bound:
            next(turns)
            row = row / 2
        rows.append(list(row))
    return exact_array(np.array(rows, dtype=object))


def lengthen_a_neuron(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction
) -> dict[str, TwoLayer]:
    """One neuron along an input, sixteen times longer than the bound on its signals allows."""
    inner, chosen = net.inner.copy(), draw(st.integers(0, net.width - 1))
    x = data.inputs[draw(st.integers(0, len(data.labels) - 1))]
    inner[chosen] = (
        x * draw(st.sampled_from([-1, 1])) * dyadic_floor(32 * _signal_bound(data, net, scale, delta) / float(x @ x))
    )
    return {"net": TwoLayer(inner, net.outer, net.slope)}


def fit_row_norms(draw: DrawFn, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """Rows with |w|^2 outside [sigma_0^2 d/2, 3 sigma_0^2 d/2] keep their signs only: every entry becomes +-sigma_0."""
    d = net.inner.shape[1]
    fair = [scale**2 * d <= 2 * (row @ row) <= 3 * scale**2 * d for row in net.inner]
    rows = [
        list(row) if good else [scale if w >= 0 else -scale for w in row]
        for row, good in zip(net.inner, fair, strict=True)
    ]
    return {"net": TwoLayer(np.array(rows, dtype=object), net.outer, net.slope)}


def break_row_norms(draw: DrawFn, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """One row becomes zero, or every entry of it 2 sigma_0."""
    inner = net.inner.copy()
    inner[draw(st.integers(0, net.width - 1))] = draw(st.sampled_from([Fraction(0), 2 * scale]))
    return {"net": TwoLayer(inner, net.outer, net.slope)}


def activate_half(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """For every sample, as near to half of the neurons of its class as the width allows get a positive entry on its
    axis.
    """
    return {"net": _with_active(draw, data, net, scale, net.width // 4 or 1)}


def activate_none_or_all(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """For every sample, no neuron of its class is active on it (or all of them)."""
    return {"net": _with_active(draw, data, net, scale, draw(st.sampled_from([0, net.width // 2])))}


def _with_active(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, active: int) -> TwoLayer:
    inner, m = net.inner.copy(), net.width // 2
    for i, y in enumerate(data.labels):
        rows = np.arange(m) + (0 if y > 0 else m)
        order = draw(st.permutations(range(m)))
        for rank, r in enumerate(rows[list(order)]):
            wanted = 1 if rank < active else -1
            inner[r, i] = (abs(inner[r, i]) or scale) * wanted * (1 if data.inputs[i, i] > 0 else -1)
            turns = patience()
            while inner[r] @ data.inputs[i] * wanted <= 0:
                next(turns)
                inner[r, i] *= 2
    return TwoLayer(inner, net.outer, net.slope)


def move_off_boundaries(draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction) -> dict[str, TwoLayer]:
    """Weights moved by small multiples of sigma_0 until no <w, x_i> is zero (which has probability zero at a random
    start).
    """
    inner = net.inner.copy()
    for row in inner:
        nudge = scale / 4
        for i, x in enumerate(data.inputs):
            if not row @ x:
                row[i % len(row)] += nudge
        turns = patience()
        while not all(data.inputs @ row):
            next(turns)
            row += np.array([nudge / 2**k for k in range(len(row))], dtype=object)
            nudge = nudge / 3
    return {"net": TwoLayer(inner, net.outer, net.slope)}


def put_on_a_boundary(draw: DrawFn, data: Dataset, net: TwoLayer) -> dict[str, TwoLayer]:
    """One neuron is zero."""
    inner = net.inner.copy()
    inner[draw(st.integers(0, net.width - 1))] *= 0
    return {"net": TwoLayer(inner, net.outer, net.slope)}


def widen_beyond_log(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int
) -> dict[str, TwoLayer]:
    """m >= C log(n/delta), with new neurons whose entries are 0 or +-sigma_0."""
    m = net.width // 2
    missing = math.floor(C * math.log(len(data.labels) / delta)) + 1 - m
    if missing <= 0:
        return {"net": net}
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    more = rng.integers(-2, 2, size=(2, missing, net.inner.shape[1]), endpoint=True).astype(object) * (scale / 2)
    halves = [np.vstack([net.inner[k * m : (k + 1) * m], more[k]]) for k in range(2)]
    return {"net": signed_halves(halves[0], halves[1], net.slope)}


def narrow_to_one(draw: DrawFn, data: Dataset, net: TwoLayer, delta: Fraction, C: int) -> dict[str, Any]:
    """One neuron of each sign, which is too few whenever C log(n/delta) > 1; delta is lowered where that is needed."""
    m = net.width // 2
    return {"net": signed_halves(net.inner[:1], net.inner[m : m + 1], net.slope), "delta": min(delta, Fraction(1, 10))}
