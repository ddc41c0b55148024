"""Balanced networks in Cartesian coordinates: drawn, made balanced, and unbalanced."""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.language.cases import values
from refute.models.network import TwoLayer
from refute.strategies.chistikov2023.cone import stacked
from refute.strategies.directions import unit_vector
from refute.strategies.sizes import Size


def is_relu(value: Any) -> bool:
    """Whether the value is a two-layer ReLU network."""
    return isinstance(value, TwoLayer) and value.slope == 0


def as_relu(net: TwoLayer) -> TwoLayer:
    """The same weights with slope 0."""
    return net.with_slope(Fraction(0))


@values(is_relu, as_relu)
def balanced_network(size: Size) -> SearchStrategy[TwoLayer]:
    """Neurons c u_j with rational unit vectors u_j and outer weights c or -c."""
    scales = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(2)])
    rows = st.lists(
        st.tuples(unit_vector(size.dimension), scales, st.sampled_from([1, -1])),
        min_size=size.width,
        max_size=size.width,
    )
    return rows.map(
        lambda drawn: TwoLayer(
            stacked([c * u for u, c, _ in drawn]), np.array([c * s for _, c, s in drawn]), Fraction(0)
        )
    )


def rebalance(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Rows as long as their outer weights; a balanced network stays."""
    rows = [
        w if a and w @ w == a * a else (abs(a) or 1) * draw(unit_vector(len(w)))
        for w, a in zip(net.inner, net.outer, strict=True)
    ]
    return {"net": TwoLayer(stacked(rows), np.array([a or Fraction(1) for a in net.outer], dtype=object), net.slope)}


def double_outer(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Outer weights twice as large."""
    return {"net": TwoLayer(net.inner, 2 * net.outer, net.slope)}
