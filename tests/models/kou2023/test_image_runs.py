"""What is measured on images, on cases that can be followed by hand."""

import numpy as np
from flint import arb

from refute.arithmetic.numbers import balls
from refute.models.kou2023.image_runs import accuracy, over_widths, parity
from refute.models.kou2023.images import Images


def test_accuracy_counts_the_signs_that_are_right():
    """Neuron +1 looks at the first pixel, neuron -1 at the second; digits 0 and 3 are told apart, the 4 is mistaken."""
    pixels, targets = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), np.array([0, 3, 4])
    assert parity(targets).tolist() == [1.0, -1.0, 1.0]
    source = Images(pixels, targets, pixels, targets)
    assert accuracy(source, np.eye(2, dtype=np.float32), 1, 0.0) == 2 / 3
    assert accuracy(source, balls(64).array(np.eye(2)), 1, arb(0)) == 2 / 3


def test_ranks_before_training_are_known_to_one_rounding():
    """The error of a stable rank grows with the steps; before training every epoch shows the start."""
    curves = over_widths("digits", 0, 1)
    start = curves.untrained()
    assert curves.rank.shape == (1, 5, 11)
    assert (start.rank.value == curves.rank.value[..., :1]).all()
    assert (np.diff(curves.rank.error / curves.rank.value, axis=-1) > 0).all()
    assert (start.accuracy == curves.accuracy[..., :1]).all()
