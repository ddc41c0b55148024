"""What the experiments of kou2023 measure, on cases that can be followed by hand."""

import numpy as np
import pytest
from flint import arb, ctx

from refute.arithmetic.numbers import balls
from refute.claims.kou2023.switching import switches
from refute.language.case import lift
from refute.models import Dataset
from refute.models.kou2023.chi_square import deviation


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


@pytest.mark.parametrize("exponent", [3, 50, 300])
def test_deviations_of_two_squares(exponent):
    """P[|chi^2_2 - 2| > u] = e^{-(2 + u)/2} for u >= 2, so the deviation is 2 log(1/chance) - 2."""
    with ctx.workprec(192):
        chance = arb(10) ** -exponent
        found = deviation(2, chance)
        assert found.contains(-2 * chance.log() - 2)
        assert abs(float(found) - deviation(2, 10.0**-exponent)) < 1e-6 * float(found)
