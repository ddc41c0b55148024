"""What the experiments of kou2023 measure, on cases that can be followed by hand."""

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from refute.claims.kou2023.activation import _cross, _cross_signed, _own_alike, _right_signs

from refute.arithmetic.numbers import FLOAT, balls
from refute.claims.kou2023.experiments import stable_ranks
from refute.claims.kou2023.gaussian_start import _deviation
from refute.claims.kou2023.image_experiments import accuracy, parity
from refute.claims.kou2023.switching import switches
from refute.claims.kou2023.theorem_4_3 import _nearly_orthogonal
from refute.language.case import lift
from refute.models import Dataset
from refute.models.kou2023.images import Images
from refute.strategies.kou2023.gaussian_relu import gaussian_relu


def test_a_neuron_of_the_other_class_switches_off_once():
    """One input 1 with label 1, rate 1: w = 1/10 of class -1 falls by |l'| = 1/2 or so, then rests; w = 1/10 of class
    +1 stays active.
    """
    counts = switches(Dataset(np.array([[1.0]]), np.array([1.0])), np.array([[0.1], [0.1]]), 1.0, 4)
    assert counts.shape == (4, 2, 1)
    assert counts[:, 0].sum() == 0
    assert counts[:, 1, 0].tolist() == [1, 0, 0, 0]


def test_switches_in_balls_are_those_in_floats():
    """Overlapping inputs of different label, dyadic numbers."""
    data, inner = (
        Dataset(np.array([[1.0, 0.0], [0.125, 1.0]]), np.array([1.0, -1.0])),
        np.array([[0.125, -0.125], [-0.125, 0.125]]),
    )
    with ctx.workprec(192):
        enclosed = switches(lift(data, balls(192)), balls(192).array(inner), arb(1) / 4, 8)
    assert (enclosed == switches(data, inner, 0.25, 8)).all()
    assert enclosed[-1].sum() > 0


def test_a_window_counts_its_own_steps():
    """<x_1, x_2> = 1/10 and one neuron of each class: a fifth of the late steps are changes, so each window has twice
    the last one's.
    """
    data = Dataset(np.array([[1.0, 0.0], [0.1, np.sqrt(0.99)]]), np.array([1.0, -1.0]))
    counts = switches(data, np.array([[0.1, -0.1], [-0.1, 0.1]]), 0.2, 12)
    late = counts[9:, 0, 1] / 2.0 ** np.arange(9, 12)
    assert np.abs(late - 0.2).max() < 0.01
    assert counts[3:, 0, 0].sum() == 0


def test_accuracy_counts_the_signs_that_are_right():
    """Neuron +1 looks at the first pixel, neuron -1 at the second; digits 0 and 3 are told apart, the 4 is mistaken."""
    pixels, targets = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), np.array([0, 3, 4])
    assert parity(targets).tolist() == [1.0, -1.0, 1.0]
    source = Images(pixels, targets, pixels, targets)
    assert accuracy(source, np.eye(2, dtype=np.float32), 1, 0.0) == 2 / 3
    assert accuracy(source, balls(64).array(np.eye(2)), 1, arb(0)) == 2 / 3


@pytest.mark.parametrize("arithmetic", [FLOAT, balls(192)], ids=["floats", "balls"])
def test_events_of_the_late_pattern(arithmetic):
    """One neuron of each class and two samples of labels 1 and -1, gamma = 1/2: j y_i = [[1, -1], [-1, 1]]."""
    lean = np.array([[1, -1], [-1, 1]])
    signals = arithmetic.array(
        np.array([[[1.0, -1], [-1, 1]], [[1, -1], [-1, -1]], [[1, 0], [-1, 1]], [[0, -1], [-1, 1]]])
    )
    gained = arithmetic.array(np.array([[[2.0, -3], [-1, 6]], [[2, -3], [-1, 5]], [[2, 3], [1, 6]]]))
    half = arithmetic.scalar(0.5)
    with ctx.workprec(192):
        assert _right_signs(signals, gained, lean, half).tolist() == [True, False, True, False]
        assert _cross(signals, gained, lean, half).tolist() == [True, False, False]
        assert _cross_signed(signals, gained, lean, half).tolist() == [False, False, True]


@pytest.mark.parametrize("arithmetic", [FLOAT, balls(192)], ids=["floats", "balls"])
def test_own_gains_are_compared_on_the_samples_of_the_class(arithmetic):
    """Two neurons of each class on one sample of label 1: only the first two are compared, to one part in 10^9."""
    lean = np.array([[1], [1], [-1], [-1]])
    gained = arithmetic.array(np.array([[1.0, 1, -3, -4], [1, 1 + 1e-8, -4, -4], [1, 1 + 1e-9, -4, -4]])[:, :, None])
    with ctx.workprec(192):
        assert _own_alike(gained, gained, lean, arithmetic.scalar(0.5)).tolist() == [True, False, True]


@pytest.mark.parametrize("exponent", [3, 50, 300])
def test_deviations_of_two_squares(exponent):
    """P[|chi^2_2 - 2| > u] = e^{-(2 + u)/2} for u >= 2, so the deviation is 2 log(1/chance) - 2."""
    with ctx.workprec(192):
        chance = arb(10) ** -exponent
        found = _deviation(2, chance)
        assert found.contains(-2 * chance.log() - 2)
        assert abs(float(found) - _deviation(2, 10.0**-exponent)) < 1e-6 * float(found)


def test_stable_ranks_of_figure_1_in_balls_hold_those_in_floats():
    """Of one sign, after one epoch from 1/100, for every run and slope."""
    with ctx.workprec(192):
        enclosed = stable_ranks(arb(0.01), (1,), "positive")
    rounded = stable_ranks(0.01, (1,), "positive")
    assert enclosed.shape == rounded.shape == (5, 4, 1)
    assert np.abs(enclosed.astype(float) - rounded).max() < 1e-9
    assert all(rank.rad() < 1e-9 for rank in enclosed.reshape(-1))


@given(gaussian_relu().strategy)
@settings(max_examples=30)
def test_inputs_of_gaussian_runs_are_nearly_orthogonal(case: dict):
    """R_min^2 >= C R^2 n p, both labels occur, and overlaps have the sign of their family."""
    labels = np.array([1.0] * case["positive"] + [-1.0] * case["negative"])
    x = np.asarray(
        _nearly_orthogonal(labels, case["C"], case["extra"], case["stretch"], case["family"]).inputs, dtype=float
    )
    gram = x @ x.T
    squares = np.diagonal(gram)
    off = gram - np.diag(squares)
    assert set(labels) == {1.0, -1.0}
    assert squares.min() ** 2 >= case["C"] * squares.max() * len(labels) * np.abs(off).max()
    signs = {"orthogonal": 0 * off, "class": np.outer(labels, labels), "positive": np.ones_like(off)}[case["family"]]
    assert np.array_equal(np.sign(np.round(off, 12)), np.sign(signs) * (1 - np.eye(len(labels))))
