"""Cones, separation and constants, in rationals and floats."""

from fractions import Fraction

import numpy as np
import pytest

from refute.arithmetic.numbers import EXACT, FLOAT
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.min2024.cones import (
    attraction,
    centre,
    cone_distance,
    cosine,
    dead_margin,
    in_dead,
    in_minus,
    in_plus,
    plus_margins,
    separation,
    separation_margin,
    xi_candidate,
    zeta_1,
    zeta_2,
)

DATA = Dataset([[2, 1], [3, -1], [-1, Fraction(1, 4)]], [1, 1, -1])


@pytest.mark.parametrize("arithmetic", [EXACT, FLOAT], ids=lambda a: a.name)
def test_membership_is_what_the_definition_says(arithmetic):
    """Each direction of a grid is in S_+, S_-, S_dead exactly when the signs of its inner products say so."""
    data = lift(DATA, arithmetic)
    for a in range(-3, 4):
        for b in range(-3, 4):
            z = arithmetic.array(np.array([Fraction(a), Fraction(b)], dtype=object))
            active = [x[0] * a + x[1] * b > 0 for x in DATA.inputs]
            assert in_plus(z, data) == (active == [True, True, False])
            assert in_minus(z, data) == (active == [False, False, True])
            assert in_dead(z, data) == (not any(active))


def test_margins_are_exact_and_absent_classes_are_said():
    """Margins are rationals; without negative labels there is no weak margin."""
    data = lift(DATA, EXACT)
    z = EXACT.array(np.array([Fraction(1), Fraction(0)], dtype=object))
    assert plus_margins(z, data) == (2, 1)
    assert dead_margin(z, data) == -3
    assert plus_margins(np.array([1.0, 0.0]), Dataset([[1.0, 0.0]], [1.0]))[1] is None


def test_the_attraction_lies_in_the_cone():
    """x_a(w) is in K, exactly the sum of the active y_i x_i, and leaky slopes add the others."""
    w = np.array([1.0, 0.0])
    data = lift(DATA, FLOAT)
    assert attraction(w, data).tolist() == [5.0, 0.0]
    assert attraction(w, data, 1.0).tolist() == [6.0, -0.25]
    assert cone_distance(attraction(w, data), data) < 1e-12
    assert cone_distance(np.array([-1.0, 0.0]), data) == pytest.approx(1.0)
    assert centre(data, 1).tolist() == [5.0, 0.0]


def test_separation_is_the_smallest_cosine():
    """mu by brute force; its sign is exact; xi = mu^2."""
    data = lift(DATA, FLOAT)
    brute = min(
        cosine(data.labels[i] * data.inputs[i], data.labels[j] * data.inputs[j]) for i in range(3) for j in range(3)
    )  # fmt: skip
    assert separation(data) == pytest.approx(brute)
    assert separation_margin(lift(DATA, EXACT)) > 0
    assert xi_candidate(data) == pytest.approx(brute**2)


def test_zeta_1_is_where_the_cone_touches():
    """Directions a little closer to x_+ and x_- than arccos sqrt(1 - zeta_1) are in S_+ and S_-; a little farther some
    are not.
    """
    data = lift(DATA, FLOAT)
    reach = np.arccos(np.sqrt(1 - zeta_1(data)))

    def all_inside(factor):
        turns = [
            (member, label, side * factor * reach)
            for member, label in ((in_plus, 1), (in_minus, -1))
            for side in (1, -1)
        ]
        middles = [np.arctan2(*centre(data, label)[::-1]) + turn for _, label, turn in turns]
        return all(
            member(np.array([np.cos(m), np.sin(m)]), data) for (member, _, _), m in zip(turns, middles, strict=True)
        )

    assert all_inside(0.999)
    assert not all_inside(1.001)


def test_zeta_2_clips_negative_cosines():
    """A neuron pointing away from the opposite centre does not count; one at 60 degrees gives 3/4."""
    data = Dataset([[1.0, 0.0], [-1.0, 0.0]], [1.0, -1.0])
    assert zeta_2(np.array([[1.0, 0.0]]), np.zeros((0, 2)), data) == 1
    assert zeta_2(np.array([[-0.5, np.sqrt(0.75)]]), np.zeros((0, 2)), data) == pytest.approx(0.75)
