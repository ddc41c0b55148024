"""The even part of a two-layer function, line by line."""

from fractions import Fraction

import numpy as np
from hypothesis import given

from refute.models import TwoLayer
from refute.models.zhang2024.evenness import even_part_coefficients
from refute.strategies import points, sized, two_layer
from refute.strategies.zhang2024.evenness import cancel_even_part


@given(sized(net=two_layer, rows=points).strategy)
def test_coefficients_vanish_only_for_odd_functions(case):
    """Where they all vanish, f(-x) = -f(x) at every drawn point."""
    net = case["net"]
    if not any(even_part_coefficients(net)):
        assert (net(-case["rows"]) == -net(case["rows"])).all()


@given(sized(net=two_layer).strategy)
def test_a_coefficient_shows_on_some_point(case):
    """Where one does not vanish, some point of a generic grid has f(x) + f(-x) != 0."""
    net = case["net"]
    dimension = net.inner.shape[1]
    grid = np.array(
        [[Fraction(k) ** j + Fraction(j, 20 + k) for j in range(dimension)] for k in range(-12, 13)], dtype=object
    )
    if any(even_part_coefficients(net)):
        assert any(net(x) + net(-x) for x in grid)


def test_neurons_on_one_line_add_up():
    """Rows w and -2w with outer weights 2 and -1 cancel; with 2 and 1 they do not."""
    assert list(even_part_coefficients(TwoLayer([[1, 2], [-2, -4]], [2, -1], 0))) == [0]
    assert list(even_part_coefficients(TwoLayer([[1, 2], [-2, -4]], [2, 1], 0))) == [2]


def test_dead_and_linear_neurons_have_no_even_part():
    """A zero row and slope one."""
    assert not any(even_part_coefficients(TwoLayer([[0, 0]], [5], 0)))
    assert not any(even_part_coefficients(TwoLayer([[1, 0]], [5], 1)))


@given(sized(net=two_layer).strategy)
def test_cancelling_keeps_the_drawn_neurons(case):
    """The repaired network is odd and starts with the rows that were drawn."""
    net = case["net"]
    odd = cancel_even_part(lambda strategy: Fraction(2), net)["net"]
    assert not any(even_part_coefficients(odd))
    assert (odd.inner[: net.width] == net.inner).all()
