"""The cost of a limit: floats agree with the proof, and the proof is given where it is asked for and possible."""

from fractions import Fraction

import numpy as np
import pytest

from refute.arithmetic.numbers import EXACT, FLOAT
from refute.decide.confirmation import CERTIFIED, confirming
from refute.language.case import lift
from refute.models.chistikov2023.limit import cost_of_the_limit
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced

POINTS = np.array([[4, 1, -3], [3, 1, 2], [3, 1, -1]], dtype=object)
DATA = Dataset(POINTS, POINTS[:, 0])


def start(rows: list[list[int]]) -> Balanced:
    return Balanced(np.array(rows, dtype=object), np.ones(len(rows), dtype=int), Fraction(-1000), Fraction(0))


def test_floats_agree_with_the_proof():
    """The teacher has length 1, so the cost is 2: to within a tenth in floats, to round-off when it is proved."""
    found = cost_of_the_limit(start([[1, 0, 0], [1, 0, 0]]), DATA, 1e-12)
    assert abs(found.value - 2) <= found.error < 0.1
    with confirming() as opinions:
        found = cost_of_the_limit(start([[1, 0, 0], [1, 0, 0]]), DATA, 1e-12)
    assert opinions.grades == [CERTIFIED]
    assert abs(found.value - 2) <= found.error < 1e-14


@pytest.mark.parametrize("arithmetic", [FLOAT, EXACT], ids=lambda one: one.name)
def test_lifted_cases_are_proved_too(arithmetic):
    """A claim hands over what the engine has lifted."""
    with confirming() as opinions:
        cost_of_the_limit(lift(start([[1, 0, 0]]), arithmetic), lift(DATA, arithmetic), 1e-12)
    assert opinions.level == CERTIFIED


def test_without_a_proof_the_integrators_answer():
    """The second neuron is not active on the first point at the start: no proof, but two methods."""
    with confirming() as opinions:
        found = cost_of_the_limit(start([[1, 0, 0], [0, 0, 1]]), DATA, 1e-12)
    assert CERTIFIED not in opinions.grades
    assert opinions.grades
    assert abs(found.value - 2) <= found.error
