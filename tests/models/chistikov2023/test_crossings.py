"""The exact crossings of a yardstick: hand values, and the order that the closed form finds in floating point."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import fmpq

from refute.arithmetic.numbers import EXACT
from refute.language.case import lift
from refute.models.chistikov2023.crossings import is_active, most_points_touched, stages
from refute.models.chistikov2023.yardstick import yardstick
from refute.models.dataset import Dataset
from tests.models.chistikov2023.test_yardstick import B_RUNS, B

HALF = fmpq(1, 2)
TWO = lift(Dataset([[1, 0], [1, 1]], [1, 1]), EXACT)


def exact(values):
    return EXACT.array(np.array(values, dtype=object))


def test_a_positive_neuron_by_hand():
    """From (1, -2) the first point alone pushes by (1/2, 0); at c = 2 the second is met, in (2,
    -2), and nothing after it.
    """
    first, last = stages(exact([1, -2]), 1, TWO)
    assert (first.gamma.tolist(), first.length, first.points) == ([HALF, 0], 2, (1,))
    assert (last.start.tolist(), last.gamma.tolist(), last.length) == ([2, -2], [1, HALF], None)


def test_a_negative_neuron_dies_by_hand():
    """From (2, 2) the first point is lost at c = 2, in (0, 1), and the second at c = 1 more, in (-1/2, 1/2)."""
    first, second, last = stages(exact([2, 2]), -1, TWO)
    assert (first.length, first.points, second.start.tolist()) == (2, (0,), [0, 1])
    assert (second.length, second.points, last.start.tolist()) == (1, (1,), [-HALF, HALF])
    assert not any(last.gamma)
    assert not is_active(last.start, TWO)


def test_towards_zero_there_is_no_crossing():
    """A negative neuron along gamma runs straight to zero and never arrives."""
    (only,) = stages(exact([2, 1]), -1, TWO)
    assert only.length is None


@pytest.mark.parametrize(("z", "sign", "points", "times"), B_RUNS)
def test_the_order_is_that_of_the_closed_form(z, sign, points, times):
    """Exact stages end on their points, in the order of the crossing times."""
    data, start = lift(B, EXACT), exact([Fraction(part).limit_denominator(100) for part in z])
    found = stages(start, sign, data)
    assert (
        tuple(one.points for one in found[:-1])
        == tuple((i,) for i in points)
        == tuple((i,) for i in yardstick(z, sign, B).points)
    )
    for one, after in pairwise(found):
        assert (after.start == one.start + sign * one.length * one.gamma).all()
        assert data.inputs[one.points[0]] @ after.start == 0
    assert most_points_touched(start, sign, data) == 1


def test_points_on_one_ray_are_touched_together():
    """A point and its double lie on one hyperplane."""
    data = lift(Dataset([[1, 0], [1, 1], [2, 2]], [1, 1, 2]), EXACT)
    assert most_points_touched(exact([1, -2]), 1, data) == 2
    assert stages(exact([1, -2]), 1, data)[0].points == (1, 2)
