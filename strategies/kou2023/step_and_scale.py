"""Repairs for the step size and for the scale of the initial weights."""

import math
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from refute.models.dataset import Dataset
from refute.models.kou2023.orthogonality import squared_radii
from refute.models.network import TwoLayer

SHARES = (Fraction(1), Fraction(1), Fraction(1, 16))


def dyadic_floor(value: float) -> Fraction:
    """The largest number k 2^e with 8 <= k < 16 that is at most `value` (with room for rounding)."""
    exponent = math.floor(math.log2(value)) - 3
    return Fraction(math.floor(value * (1 - 1e-12) * 2.0**-exponent)) * Fraction(2) ** exponent


def largest_rate(data: Dataset, net: TwoLayer, C: int) -> Fraction:
    return Fraction(len(data.labels) * (net.width // 2) / (C * squared_radii(data.inputs)[1]))


def shorten_step(draw: DrawFn, data: Dataset, net: TwoLayer, C: int) -> dict[str, Fraction]:
    """eta = nm/(C R_max^2), or a sixteenth of it."""
    return {"rate": largest_rate(data, net, C) * draw(st.sampled_from(SHARES))}


def lengthen_step(draw: DrawFn, data: Dataset, net: TwoLayer, C: int) -> dict[str, Fraction]:
    """A step 20 or 400 times C too long."""
    return {"rate": largest_rate(data, net, C) * C * draw(st.sampled_from([20, 400]))}


def _rescaled(net: TwoLayer, scale: Fraction, wanted: Fraction) -> dict[str, Any]:
    return {"scale": wanted, "net": TwoLayer(net.inner * (wanted / scale), net.outer, net.slope)}


def _largest_scale(data: Dataset, net: TwoLayer, delta: Fraction, C: int) -> float:
    root = math.sqrt(squared_radii(data.inputs)[1] * math.log(len(data.labels) * (net.width // 2) / delta))
    return 1 / (C * root)


def shrink_start(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int
) -> dict[str, Any]:
    """sigma_0 just below (C R_max sqrt(log(mn/delta)))^-1, or a sixteenth of it."""
    return _rescaled(net, scale, dyadic_floor(_largest_scale(data, net, delta, C)) * draw(st.sampled_from(SHARES)))


def shrink_start_for_leak(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int
) -> dict[str, Any]:
    """The same with a factor gamma."""
    bound = _largest_scale(data, net, delta, C) * float(net.slope)
    return _rescaled(net, scale, dyadic_floor(bound) * draw(st.sampled_from(SHARES)))


def enlarge_start(
    draw: DrawFn, data: Dataset, net: TwoLayer, scale: Fraction, delta: Fraction, C: int
) -> dict[str, Any]:
    """sigma_0 too large by the factor 8 C or 64 C: initial signals of order ten and more."""
    wanted = dyadic_floor(_largest_scale(data, net, delta, C)) * C * draw(st.sampled_from([8, 64]))
    return _rescaled(net, scale, wanted)
