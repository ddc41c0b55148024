"""Distances to a cone and signed squares of cosines, against numbers found by hand and against least squares."""

from fractions import Fraction

import numpy as np

from refute.arithmetic.numbers import EXACT, FLOAT, exact_array, rational
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.min2024.cones import cone_distance, separation
from refute.models.min2024.conic import foot, signed_data, signed_separation, signed_square, squared_distance

QUADRANT = exact_array([[1, 0], [0, 2]])


def test_distance_to_a_quadrant():
    """Inside zero, beside an edge the other coordinate, behind the tip the norm."""
    assert squared_distance(exact_array([3, 1]), QUADRANT) == 0
    assert squared_distance(exact_array([3, -2]), QUADRANT) == 4
    assert squared_distance(exact_array([-3, -4]), QUADRANT) == 25


def test_distance_agrees_with_nonnegative_least_squares():
    """On random data in three dimensions, with more generators than dimensions and dependent ones among them."""
    rng = np.random.default_rng(1)
    for _ in range(30):
        inputs = rng.integers(-3, 4, (4, 3))
        inputs[3] = inputs[0] + inputs[1]
        data = Dataset(inputs, rng.choice([-1, 1], 4))
        z = exact_array(rng.integers(-4, 5, 3))
        exact = squared_distance(EXACT.array(z), signed_data(lift(data, EXACT)))
        assert abs(float(rational(exact)) - cone_distance(FLOAT.array(z), data) ** 2) < 1e-9


def test_signed_square_orders_cosines():
    """cos = -3/5 gives -9/25, and the separation is the signed square of mu."""
    assert signed_square(exact_array([1, 0]), exact_array([-3, 4])) == Fraction(-9, 25)
    data = Dataset([[2, 1], [3, -1], [-1, Fraction(1, 4)]], [1, 1, -1])
    mu = separation(lift(data, FLOAT))
    assert abs(float(signed_separation(data)) - mu * abs(mu)) < 1e-15


def test_the_foot_is_the_nearest_direction_of_the_hyperplane():
    """No other direction of the hyperplane makes a smaller angle with z."""
    z, normal = exact_array([1, 2, 2]), exact_array([1, 1, 0])
    nearest = foot(z, normal)
    assert nearest @ normal == 0
    others = [exact_array([1, -1, k]) for k in range(-5, 6)]
    assert all(signed_square(z, other) <= signed_square(z, nearest) for other in others)
