"""What is said of the signals and gains of many starts, on cases that can be followed by hand."""

import numpy as np
import pytest
from flint import ctx

from refute.arithmetic.numbers import FLOAT, balls
from refute.models.kou2023.gaussian_starts import Seen


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
        seen = Seen(signals, gained, lean, half)
        assert seen.signs_are_those_of_the_labels().tolist() == [True, False, True, False]
        assert seen.opposite_gains_are_own_ones().tolist() == [True, False, False]
        assert seen.opposite_gains_are_own_ones_with_their_sign().tolist() == [False, False, True]


@pytest.mark.parametrize("arithmetic", [FLOAT, balls(192)], ids=["floats", "balls"])
def test_own_gains_are_compared_on_the_samples_of_the_class(arithmetic):
    """Two neurons of each class on one sample of label 1: only the first two are compared, to one part in 10^9."""
    lean = np.array([[1], [1], [-1], [-1]])
    gained = arithmetic.array(np.array([[1.0, 1, -3, -4], [1, 1 + 1e-8, -4, -4], [1, 1 + 1e-9, -4, -4]])[:, :, None])
    with ctx.workprec(192):
        assert Seen(gained, gained, lean, arithmetic.scalar(0.5)).own_gains_are_equal().tolist() == [True, False, True]
