"""What the theorems assume of the activation."""

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from refute import Margin, all_of, assumption, equal
from refute.models import DeepNetwork

from .strategies import INSTANTS


def straighten(draw, net: DeepNetwork) -> dict[str, Any]:
    return {"net": net.with_slope(Fraction(1)), "at_zero": Fraction(1)}


def bend(draw, net: DeepNetwork) -> dict[str, Any]:
    return {"net": net.with_slope(draw(st.sampled_from([Fraction(0), Fraction(1, 2)])))}


@assumption("activation.linear", base=INSTANTS, satisfy=straighten, violate=bend)
def linear(net: DeepNetwork, at_zero) -> Margin:
    """the activation is linear, with derivative one at zero as everywhere"""
    return all_of(equal(net.slope, 1, "slope below zero"), equal(at_zero, 1, "slope at zero"))
