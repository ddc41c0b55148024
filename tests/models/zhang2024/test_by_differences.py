"""Differences of the loss inside an activation pattern are its derivatives, however small the weights are."""

from fractions import Fraction

import pytest

from refute import Case
from refute.arithmetic.numbers import EXACT, exact_array
from refute.errors import BadInput
from refute.models import Dataset, DeepNetwork
from refute.models.zhang2024.fields import by_differences

DATA = Dataset([[0, Fraction(1, 3)], [Fraction(-2, 3), 0]], labels=[2, 2])


def _gradients(second: Fraction) -> list[Fraction]:
    layers = ([[-2, 1]], [[second]], [[1]], [[Fraction(-1, 5)]])
    net = DeepNetwork(tuple(exact_array(layer) for layer in layers), slope=Fraction(1, 8))
    case = Case.of(net=net, data=DATA)
    lifted, data = case.lifted("net", EXACT), case.lifted("data", EXACT)
    return [entry for matrix, _ in by_differences(lifted.weights, lifted.slope, data) for entry in matrix.reshape(-1)]


@pytest.mark.parametrize("power", [1, 20, 100, 1000])
def test_steps_are_smaller_than_the_weights(power: int):
    """Here f = -w b(x) / 5 with b = 1/3, 4/3 for w > 0: minus the derivative of the loss in w is the mean of
    -(2 - f) b / 5.
    """
    tiny = Fraction(1, 10**power)
    expected = sum(-(2 + tiny * b / 5) * b / 5 for b in (Fraction(1, 3), Fraction(4, 3))) / 2
    found = _gradients(tiny)[2]
    assert Fraction(int(found.p), int(found.q)) == expected


def test_at_a_kink_there_is_no_step():
    """An error, not a wrong derivative."""
    with pytest.raises(BadInput, match="crosses a kink"):
        _gradients(Fraction(0))
