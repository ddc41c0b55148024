"""Defects are zero exactly when there is the symmetry."""

from fractions import Fraction

import pytest
from hypothesis import given

from refute.arithmetic.numbers import EXACT, exact_array, rational
from refute.models.zhang2024.symmetry import evenness_defect, oddness_defect, rank_one_defects, sign_imbalance
from refute.strategies import dataset, sized

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("inputs", "defect"),
    [
        ([[1], [-1]], 0),
        ([[0]], 0),
        ([[1]], 1),
        ([[1], [1], [-1]], 1),
        ([[1], [1], [1]], 3),
        ([[1, 2], [-1, -2], [0, 0]], 0),
        ([[1, 2], [-1, 2]], 1),
    ],
)
def test_evenness_counts_unpaired_inputs(inputs, defect):
    """The largest difference between the number of copies of x and of -x."""
    assert evenness_defect(exact_array(inputs)) == defect


@pytest.mark.parametrize(
    ("inputs", "labels", "defect"),
    [
        ([[1], [-1]], [2, -2], 0),
        ([[1], [-1]], [2, 1], 3),
        ([[0]], [0], 0),
        ([[0]], [1], 2),
        ([[1], [1]], [1, 3], 2),
        ([[1], [2]], [5, 7], 0),
    ],
)
def test_oddness_compares_a_pair(inputs, labels, defect):
    """y(x) + y(-x) for pairs, twice the label at zero, and y(x) - y(x) for repeated inputs; lone inputs say nothing."""
    assert oddness_defect(exact_array(inputs), exact_array(labels)) == defect


@given(sized(data=dataset).strategy)
def test_defects_do_not_depend_on_the_order(case):
    """Nor on a reflection of all inputs."""
    x, y = case["data"].inputs, case["data"].labels
    assert evenness_defect(x) == evenness_defect(x[::-1]) == evenness_defect(-x)
    assert oddness_defect(x, y) == oddness_defect(x[::-1], y[::-1]) == oddness_defect(-x, y)


@pytest.mark.parametrize(
    ("inner", "outer", "defects"),
    [
        ([[3, 4], [-3, -4]], [5, -5], (0, 0)),  # r = (3/5, 4/5)
        ([[3, 4]], [1], (0, 24)),  # r is five long
        ([[1, 0], [0, 1]], [1, 1], (HALF, HALF)),  # r = (1/2, 1/2)
        ([[0, 0]], [0], (0, 0)),
        ([[2, 0]], [0], (2, 0)),
    ],
)
def test_rank_one_by_hand(inner, outer, defects):
    """The distance from W2^T r^T and the defect of |r|, with the best r."""
    found = rank_one_defects(EXACT.array(exact_array(inner)), EXACT.array(exact_array(outer)))
    assert tuple(map(rational, found)) == defects


@pytest.mark.parametrize(("outer", "imbalance"), [([3, -3], 0), ([3, 4, -5], 0), ([1, 1], 2), ([-2], 4), ([0], 0)])
def test_signs_are_balanced_when_their_norms_agree(outer, imbalance):
    """The difference of the squared norms of positive and negative entries."""
    assert sign_imbalance(exact_array(outer)) == imbalance
