"""Two neurons in exchange for a teacher: a dataset where it pays, by hand, and one where it does not."""

from fractions import Fraction

import numpy as np
import pytest

from refute.arithmetic.numbers import EXACT
from refute.models.chistikov2023.exchange import (
    best_exchange,
    cheaper_interpolator,
    cost,
    exchanged,
    largest_share,
    network,
)

TENTH = Fraction(1, 10)
WIDE = np.array([[1, TENTH], [-1, TENTH]], dtype=object)  # dual basis (1/2, 5), (-1/2, 5)
TEACHER = np.array([0, 1], dtype=object)


def exact(values):
    return EXACT.array(np.array(values, dtype=object))


def test_the_best_exchange_by_hand():
    """p = a chi_1, q = chi_2 gain 25 a^2 / ((a+1)^2/4 + 25 (a-1)^2), largest at a = 101/99: V^2 = 101/4."""
    found = best_exchange(WIDE, TEACHER)
    assert found.squared_gain == EXACT.scalar(Fraction(101, 4))
    assert found.sense == 1
    sizes = sorted([found.p[1], found.q[1]])
    assert sizes[1] / sizes[0] == EXACT.scalar(Fraction(101, 99))


def test_the_exchanged_neurons_fit_the_labels():
    """For every share up to the largest, u_1 and u_2 give <v, x_i>."""
    points, teacher = exact(WIDE), exact(TEACHER)
    exchange = best_exchange(WIDE, TEACHER)
    most = largest_share(points, teacher, exchange)
    for share in (most, most / 3):
        one, two = exchanged(teacher, exchange, share)
        for x in points:
            assert max(one @ x, 0) + exchange.sense * max(two @ x, 0) == teacher @ x


def test_a_cheaper_interpolator_is_exact():
    """It costs less than 2 |v| = 2 and fits both labels in rationals."""
    net = cheaper_interpolator(WIDE, TEACHER)
    assert cost(net) < 2
    assert net(WIDE).tolist() == [TENTH, TENTH]


def test_orthonormal_points_have_none():
    """There V < 1."""
    assert cheaper_interpolator(np.eye(2, dtype=int), np.array([1, 1])) is None


def test_a_network_is_nearly_balanced():
    """a_j w_j is u_j exactly, and |theta|^2 is close to 2 |u| for a fine denominator."""
    net = network([exact([3, 4])], [-1], 2**30)
    assert (net.outer[0] * net.inner[0]).tolist() == [-3, -4]
    assert float(cost(net)) == pytest.approx(10.0, rel=1e-12)
