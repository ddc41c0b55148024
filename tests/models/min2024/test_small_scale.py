"""Runs of Lemma 3 of min2024."""

from fractions import Fraction

import numpy as np
import pytest

from refute.models.logpolar.balanced import Balanced
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.families import repeated
from refute.models.min2024.small_scale import small_run

START = Balanced(np.array([[1.0, 0.0]]), np.array([1.0]), Fraction(0), Fraction(0))


def test_the_scale_is_the_largest_that_is_allowed():
    """eps = 1/(4 X_max W_max^2) e^-below for one neuron, T = log(1/eps)/(4 n X_max)."""
    run = small_run(repeated(1, 1), START, 1.0, 0.0, 0.0, EXPONENTIAL_SUM, 1e-9)
    assert run.log_epsilon == pytest.approx(-np.log(4) - 1)
    assert run.phase == pytest.approx((np.log(4) + 1) / 8)


def test_outputs_are_in_units_of_eps():
    """At the start f(x) = eps^2 for a unit neuron along a unit datum."""
    run = small_run(repeated(1, 1), START, 1.0, 0.0, 0.0, EXPONENTIAL_SUM, 1e-9)
    assert run.outputs.value[0, 0] == pytest.approx(np.exp(run.log_epsilon))


def test_a_run_can_be_cut():
    """Up to T it is shorter than up to 4 T."""
    run = small_run(repeated(1, 1), START, 10.0, 0.0, 0.0, EXPONENTIAL_SUM, 1e-9)
    assert run.until(1).run.time[-1] == pytest.approx(run.phase)
    assert run.run.time[-1] == pytest.approx(4 * run.phase)
