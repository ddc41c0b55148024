"""Networks compute the same function in every arithmetic, and refuse layers that do not fit."""

from fractions import Fraction

import numpy as np
import pytest
from flint import ctx
from hypothesis import given

from refute.arithmetic.numbers import EXACT, FLOAT, balls, enclosure, rational
from refute.errors import BadInput
from refute.language.case import lift
from refute.models import DeepNetwork, TwoLayer
from refute.strategies import deep, point, points, sized, two_layer

HALF = Fraction(1, 2)
NET = TwoLayer([[1, 0], [-1, 2]], [2, -1], HALF)


def by_hand(net: TwoLayer, x) -> Fraction:
    total = Fraction(0)
    for row, outer in zip(net.inner, net.outer, strict=True):
        z = sum(w * v for w, v in zip(row, x, strict=True))
        total += outer * (z if z > 0 else net.slope * z)
    return total


def test_a_value_by_hand():
    """x = (1, -1): pre-activations 1 and -3, activations 1 and -3/2, output 2 + 3/2."""
    x = np.array([Fraction(1), Fraction(-1)])
    assert list(NET.hidden(x)) == [1, Fraction(-3, 2)]
    assert NET(x) == Fraction(7, 2)


@given(sized(net=two_layer, x=point).strategy)
def test_every_arithmetic_gives_the_same_function(case):
    """Fractions by hand, rationals, a ball around them, floats."""
    net, x = case["net"], case["x"]
    expected = by_hand(net, x)
    assert rational(lift(net, EXACT)(lift(x, EXACT))) == expected
    assert float(lift(net, FLOAT)(lift(x, FLOAT))) == pytest.approx(float(expected), abs=1e-12)
    with ctx.workprec(100):
        middle, radius = enclosure(lift(net, balls(100))(lift(x, balls(100))))
    assert abs(middle - expected) <= radius


@given(sized(net=two_layer, rows=points).strategy)
def test_rows_of_points_are_points(case):
    """An array of points gives one output per row."""
    net, rows = case["net"], case["rows"]
    assert list(net(rows)) == [net(x) for x in rows]
    assert net.hidden(rows).shape == (len(rows), net.width)


@given(sized(net=two_layer, x=point).strategy)
def test_slope_one_is_linear(case):
    """The function is the linear map."""
    net = TwoLayer(case["net"].inner, case["net"].outer, 1)
    assert net(case["x"]) == net.linear_map() @ case["x"]


@given(sized(net=two_layer, x=point).strategy)
def test_two_layers_are_a_deep_network(case):
    """With the outer weights as the last row."""
    net = case["net"]
    assert DeepNetwork((net.inner, net.outer[None, :]), net.slope)(case["x"]) == net(case["x"])


@given(sized(net=deep, rows=points).strategy)
def test_deep_networks_take_rows_too(case):
    """One output per row."""
    assert list(case["net"](case["rows"])) == [case["net"](x) for x in case["rows"]]


@pytest.mark.parametrize(
    ("inner", "outer", "slope"),
    [([[1, 2]], [1, 2], 0), ([1, 2], [1, 2], 0), ([[1]], [[1]], 0), ([[1]], [1], 2), ([[1]], [1], -HALF)],
    ids=[
        "two outer weights for one neuron",
        "a vector of inner weights",
        "a matrix of outer weights",
        "slope 2",
        "slope -1/2",
    ],
)
def test_what_is_no_network_is_refused(inner, outer, slope):
    """Layers must fit, and slopes lie in [0, 1]."""
    with pytest.raises(BadInput):
        TwoLayer(inner, outer, slope)


def test_deep_layers_must_fit():
    """Each layer takes what the one below it gives."""
    wide, narrow = np.ones((3, 2)), np.ones((1, 2))
    with pytest.raises(BadInput, match="cannot follow"):
        DeepNetwork((wide, narrow), 0)


def test_other_weights_with_the_same_slope():
    """Floats are taken as they are, and the network itself does not change."""
    moved = NET.with_weights(np.zeros((2, 2)), np.ones(2))
    assert moved.slope == HALF
    assert moved.inner.dtype == np.float64
    assert NET.inner[0, 0] == 1
