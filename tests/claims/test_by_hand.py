"""Arguments by hand that claims rest on, against another computation of the same thing."""

from fractions import Fraction

import numpy as np
import pytest

from refute.claims.chistikov2023.section_7 import m_can_be_positive_at_any_angle, narrow
from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.loss import LOGISTIC, SQUARE, Loss
from refute.models.zhang2024.against import points_against

PAIR = Dataset(np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]))


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC], ids=["square", "logistic"])
@pytest.mark.parametrize("slope", [0.0, 0.5, 1.0])
def test_neurons_against_the_correlation_stay_so(loss: Loss, slope: float):
    """Along the computed flow, as long as round-off has not grown, w_j = -sign(beta) a_j and no output gets the sign of
    its label.
    """
    net = TwoLayer(np.array([[-1.0], [1.0]]), np.array([1.0, -1.0]), slope)
    assert points_against(net, PAIR)
    run = gradient_flow(net, PAIR, loss, np.linspace(0.0, 3.0, 7))
    assert np.abs(run.inner[:, :, 0] + run.outer).max() <= 2 * run.error + 1e-9
    assert (PAIR.labels * run.outputs(PAIR.inputs)).max() <= run.output_error(PAIR.inputs)


def test_neurons_along_the_correlation_do_not_point_against_it():
    """With one neuron turned round the argument does not apply."""
    assert not points_against(TwoLayer(np.array([[1.0], [1.0]]), np.array([1.0, -1.0]), 0.0), PAIR)


@pytest.mark.parametrize("n", [2, 10, 1000])
def test_two_neurons_cost_less_than_the_teacher_at_any_angle(n: int):
    """e_1 - xi chi_3 and xi e_2 fit the labels of e_1 exactly, and the lengths add up to less than one."""
    inputs = [(2 * n, -2, 2), (2 * n * n, 0, 2 * n + 1), (n, 1, 1)]
    chi = (1 + Fraction(1, 2 * n), Fraction(1, 2), Fraction(-n))
    assert [sum(c * x for c, x in zip(chi, row, strict=True)) for row in inputs] == [0, 0, 1]
    xi = Fraction(1, 10 * n**3)
    neurons = [(1 - xi * chi[0], -xi * chi[1], -xi * chi[2]), (Fraction(0), xi, Fraction(0))]
    outputs = [
        sum(max(sum(u * x for u, x in zip(neuron, row, strict=True)), Fraction(0)) for neuron in neurons)
        for row in inputs
    ]
    assert outputs == [row[0] for row in inputs]
    assert sum(u * u for u in neurons[0]) < (1 - xi) ** 2


def test_the_points_of_that_family_are_those_of_the_claim():
    """The claim holds for the angles named in it and has the sign of M computed exactly."""
    assert not m_can_be_positive_at_any_angle.conclusion(7, narrow.function(7)).violated
