"""Paths of activation counts against a full enumeration and against cases found by hand."""

from fractions import Fraction
from itertools import chain, combinations

import numpy as np
import pytest

from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.activation_paths import (
    arrivals,
    best_path,
    follows,
    is_path,
    is_point,
    maximal_path,
    points,
    record,
    succeeds,
    travel_time,
)


def every_path(positive, negative):
    """All monotone paths, by trying every subset of the points in the only order that can work."""
    ordered = sorted(points(positive, negative), key=lambda k: (k[0] - k[1], k))
    subsets = chain.from_iterable(combinations(ordered, size) for size in range(1, len(ordered) + 1))
    return [list(s) for s in subsets if is_path(list(s), positive, negative, succeeds)]


@pytest.mark.parametrize(("positive", "negative"), [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1)])
def test_dynamic_programming_agrees_with_enumeration(positive, negative):
    """The longest and the slowest path, and how many of them there are."""
    paths = every_path(positive, negative)
    for gain in (lambda k: Fraction(1), lambda k: Fraction(1, sum(k))):
        values = [sum((gain(k) for k in path[:-1]), Fraction(0)) for path in paths]
        assert best_path(positive, negative, gain) == (max(values), values.count(max(values)))


def test_maximal_path_of_two_and_two():
    """(0,2), (0,1), (1,1), (1,0), (2,0): time 1/2 + 1 + 1/2 + 1."""
    path = maximal_path(2, 2)
    assert path == [(0, 2), (0, 1), (1, 1), (1, 0), (2, 0)]
    assert travel_time(path) == 3


def test_the_printed_order_lets_counts_go_back():
    """From (2, 1) to (1, 0) a positive datum is lost: printed condition yes, monotone no."""
    assert follows((1, 0), (2, 1))
    assert not succeeds((1, 0), (2, 1))


def test_simultaneous_changes_are_one_step():
    """Losing the negative and gaining the positive datum at once does not pass through (0, 0)."""
    changes = [(1.0, 1, False), (1.0 + 1e-14, 0, True)]
    assert record([False, True], changes, [1, -1], 1, 1e-9) == [(0, 1), (1, 0)]


def test_arrivals_of_a_run():
    """On two nearly opposite data a positive neuron next to the negative one goes (0,1), (1,1), (1,0); one that starts
    at home and a negative one next to the negative datum have no path.
    """
    data = Dataset(np.array([[1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0]))
    rows = np.array([[-0.9, 0.5], [1.0, 0.1], [-1.0, 0.2]])
    start = Balanced(rows, np.array([1.0, 1.0, -1.0]), -1000, 0)
    found = arrivals(data, start, log_polar_flow(start, data, EXPONENTIAL_SUM, times=[50.0]))
    assert found.paths == [[(0, 1), (1, 1), (1, 0)]]
    assert found.sizes == [(1, 1)]
    assert 0 < found.times.value[0] < 50
    assert found.times.error[0] >= 50e-9


@pytest.mark.parametrize(("positive", "negative"), [(1, 1), (2, 3)])
def test_a_point_is_told_by_its_counts(positive, negative):
    """As the list of all points tells it, and where that list has no end."""
    halves = [Fraction(k, 2) for k in range(-2, 9)]
    told = [(p, q) for p in halves for q in halves if is_point((p, q), positive, negative)]
    assert told == points(positive, negative)
    assert is_path([(0, 1), (10**30, 0)], 10**30, 10**30, succeeds)
    assert not is_point((10**30 + 1, 0), 10**30, 10**30)
