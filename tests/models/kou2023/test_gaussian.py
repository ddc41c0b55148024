"""Gaussian starts under the conditions of Theorem 4.3."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from refute.models.dataset import Dataset
from refute.models.kou2023.gaussian import gaussian_start, least_width, nearly_orthogonal, on_the_events
from refute.strategies.kou2023.gaussian_relu import SLIDING, gaussian_relu


@given(st.one_of(gaussian_relu().strategy, gaussian_relu(SLIDING).strategy))
@settings(max_examples=30)
def test_inputs_of_gaussian_runs_are_nearly_orthogonal(case: dict):
    """R_min^2 >= C R^2 n p, both labels occur, and overlaps have the sign of their family."""
    labels = np.array([1.0] * case["positive"] + [-1.0] * case["negative"])
    x = nearly_orthogonal(labels, case["C"], case["extra"], case["stretch"], case["family"]).inputs
    gram = x @ x.T
    squares = np.diagonal(gram)
    off = gram - np.diag(squares)
    assert set(labels) == {1.0, -1.0}
    assert squares.min() ** 2 >= case["C"] * squares.max() * len(labels) * np.abs(off).max()
    agree = np.outer(labels, labels)
    signs = {"orthogonal": 0, "class": agree, "anti": -agree, "positive": 1, "negative": -1}[case["family"]]
    assert np.array_equal(np.sign(np.round(off, 12)), signs * (1 - np.eye(len(labels))))


def test_a_start_is_on_the_events_unless_it_is_lopsided():
    """With 300 neurons of each sign half of them are active; after the first half is turned positive they are not."""
    data = Dataset(np.eye(4), np.array([1.0, 1.0, -1.0, -1.0]))
    net, _ = gaussian_start(np.random.default_rng(0), data, 300, 10)
    assert on_the_events(net, data, 10)
    assert not on_the_events(net.with_weights(np.abs(net.inner), net.outer), data, 10)
    assert not on_the_events(net.with_weights(10 * net.inner, net.outer), data, 10)


def test_the_least_width_grows_with_the_logarithm():
    """m >= C log(2n)."""
    assert [least_width(10, n) for n in (1, 2, 20)] == [7, 14, 37]
