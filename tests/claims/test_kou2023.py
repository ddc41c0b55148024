"""What the experiments of kou2023 measure, on cases that can be followed by hand."""

import numpy as np
from hypothesis import given, settings

from claims.kou2023.image_experiments import accuracy, parity
from claims.kou2023.switching import switches
from claims.kou2023.theorem_4_3 import _nearly_orthogonal
from models import Dataset
from models.images import Images
from strategies.gaussian_relu import gaussian_relu


def test_a_neuron_of_the_other_class_switches_off_once():
    """One input 1 with label 1, rate 1: w = 1/10 of class -1 falls by |l'| = 1/2 or so, then rests; w = 1/10 of class +1 stays active."""
    counts = switches(Dataset(np.array([[1.0]]), np.array([1.0])), np.array([[0.1], [0.1]]), 1.0, 4)
    assert counts.shape == (4, 2, 1)
    assert counts[:, 0].sum() == 0
    assert counts[:, 1, 0].tolist() == [1, 0, 0, 0]


def test_a_window_counts_its_own_steps():
    """<x_1, x_2> = 1/10 and one neuron of each class: a fifth of the late steps are changes, so each window has twice the last one's."""
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


@given(gaussian_relu())
@settings(max_examples=30)
def test_inputs_of_gaussian_runs_are_nearly_orthogonal(case: dict):
    """R_min^2 >= C R^2 n p, both labels occur, and overlaps have the sign of their family."""
    labels = np.array([1.0] * case["positive"] + [-1.0] * case["negative"])
    x = np.asarray(_nearly_orthogonal(labels, case["C"], case["extra"], case["stretch"], case["family"]).inputs, dtype=float)
    gram = x @ x.T
    squares = np.diagonal(gram)
    off = gram - np.diag(squares)
    assert set(labels) == {1.0, -1.0}
    assert squares.min() ** 2 >= case["C"] * squares.max() * len(labels) * np.abs(off).max()
    signs = {"orthogonal": 0 * off, "class": np.outer(labels, labels), "positive": np.ones_like(off)}[case["family"]]
    assert np.array_equal(np.sign(np.round(off, 12)), np.sign(signs) * (1 - np.eye(len(labels))))
