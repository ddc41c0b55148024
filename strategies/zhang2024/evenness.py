"""Repairs that cancel, or restore, the even part of a two-layer network."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.models.network import TwoLayer


def cancel_even_part(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """Give every neuron a partner on its line whose even part cancels it: rows -c w with outer weight -w2/c, c > 0.

    A partner with the same sign of the row would cancel the neuron altogether, so the odd part survives.
    """
    factors = [draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3)])) for _ in range(net.width)]
    scale = np.array(factors, dtype=object)
    return {
        "net": TwoLayer(
            np.vstack([net.inner, -net.inner * scale[:, None]]),
            np.concatenate([net.outer, -net.outer / scale]),
            net.slope,
        )
    }


def break_evenness(draw: DrawFn, net: TwoLayer) -> dict[str, TwoLayer]:
    """One more ReLU neuron on a line of its own; the slope becomes one below 1."""
    row = np.array([[Fraction(97), *[Fraction(1, 89)] * (net.inner.shape[1] - 1)]], dtype=object)
    slope = net.slope if net.slope != 1 else Fraction(1, 2)
    return {"net": TwoLayer(np.vstack([net.inner, row]), np.concatenate([net.outer, [Fraction(1)]]), slope)}
