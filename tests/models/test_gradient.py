"""Closed-form gradients against automatic differentiation away from kinks, and against hand values at them."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from flint import fmpq

from refute.arithmetic.numbers import EXACT, FLOAT, rational
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset, with_bias
from refute.models.descent.single import descend
from refute.models.gradient import deep_descent_direction, descent_direction
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, LOGISTIC_PRINTED, SQUARE, TWICE_LOGISTIC_SUM, Loss, Shape
from refute.models.network import DeepNetwork, TwoLayer, as_deep, signed_halves

LOSSES = [SQUARE, LOGISTIC, LOGISTIC_PRINTED, EXPONENTIAL_SUM, TWICE_LOGISTIC_SUM]


def _by_autograd(weights: list[np.ndarray], slope: float, x: np.ndarray, y: np.ndarray, loss: Loss) -> list[np.ndarray]:  # type: ignore[type-arg]
    leaves = [torch.tensor(w, requires_grad=True) for w in weights]
    signal = torch.tensor(x) @ leaves[0].T
    for w in leaves[1:]:
        signal = torch.maximum(signal, slope * signal) @ w.T
    z, labels = signal[:, 0], torch.tensor(y)
    factor, power = float(loss.factor), loss.sign * labels * z
    shapes = {
        Shape.SQUARE: (labels - z) ** 2,
        Shape.LOGISTIC: torch.nn.functional.softplus(power),
        Shape.EXPONENTIAL: torch.exp(power),
    }
    each = factor * shapes[loss.shape]
    (each.mean() if loss.averaged else each.sum()).backward()  # type: ignore[no-untyped-call]
    return [-leaf.grad.numpy() for leaf in leaves if leaf.grad is not None]


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("widths", [(1,), (6, 1), (5, 4, 1), (3, 3, 2, 1)], ids=str)
def test_gradients_agree_with_autograd_away_from_kinks(loss: Loss, slope: float, widths: tuple[int, ...]) -> None:
    """For depths 1 to 4, every slope and loss, the written-out gradient is autograd's to round-off."""
    rng = np.random.default_rng(0)
    sizes = (3, *widths)
    weights = [rng.standard_normal((above, below)) for below, above in pairwise(sizes)]
    x, y = rng.standard_normal((8, 3)), rng.choice([-1.0, 1.0], 8)
    net, data = lift(DeepNetwork(tuple(weights), slope), FLOAT), lift(Dataset(x, y), FLOAT)
    expected = _by_autograd(weights, slope, x, y, loss)
    for found, wanted in zip(deep_descent_direction(net, data, loss, slope), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12 * np.abs(wanted).max())
    if len(widths) == 2:
        two = lift(TwoLayer(weights[0], weights[1][0], slope), FLOAT)
        inner, outer = descent_direction(two, data, loss, slope)
        np.testing.assert_allclose(inner, expected[0], rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(outer, expected[1][0], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("at_zero", ["0", "1/4", "1/2", "1"])
def test_the_convention_at_a_kink_is_the_given_one(at_zero: str) -> None:
    """w = (1, 0), v = 2, x = (0, 1), y = 3: the output is 0, the residual 3, and -grad is sigma'(0) * 2 * 3 in the
    direction x.
    """
    value = EXACT.scalar(rational(at_zero))
    net, data = lift(TwoLayer([[1, 0]], [2], "1/4"), EXACT), lift(Dataset([[0, 1]], [3]), EXACT)  # type: ignore[arg-type]
    inner, outer = descent_direction(net, data, SQUARE, value)
    assert inner.tolist() == [[0, 6 * value]]
    assert outer.tolist() == [0]
    deep = deep_descent_direction(lift(as_deep(TwoLayer([[1, 0]], [2], "1/4")), EXACT), data, SQUARE, value)  # type: ignore[arg-type]
    assert deep[0].tolist() == [[0, 6 * value]]


def test_a_zero_network_has_the_gradient_of_its_convention() -> None:
    """All weights zero: a stationary point whatever sigma'(0), since each layer's gradient contains the other layer."""
    net, data = lift(TwoLayer([[0, 0]], [0], 0), EXACT), lift(Dataset([[1, 2]], [1]), EXACT)  # type: ignore[arg-type]
    for at_zero in (0, 1):
        inner, outer = descent_direction(net, data, SQUARE, fmpq(at_zero))
        assert inner.tolist() == [[0, 0]]
        assert outer.tolist() == [0]


def test_a_loss_of_ones_own_is_known_by_its_residual() -> None:
    """It gives the direction of the loss with the same residual; its values and compiled code are out of reach."""
    rng = np.random.default_rng(3)
    net = lift(TwoLayer(rng.standard_normal((4, 2)), rng.standard_normal(4), 0.2), FLOAT)
    data = lift(Dataset(rng.standard_normal((5, 2)), np.sign(rng.standard_normal(5))), FLOAT)
    for loss in (SQUARE, LOGISTIC, LOGISTIC_PRINTED, EXPONENTIAL_SUM):
        own = Loss.of(loss.residual, averaged=loss.averaged)
        ways = (descent_direction(net, data, each, 0.0) for each in (loss, own))
        for one, other in zip(*ways, strict=True):
            np.testing.assert_array_equal(one, other)
    with pytest.raises(BadInput, match="values of a loss"):
        own.value(data.labels, data.labels)
    with pytest.raises(BadInput, match="compiled code"):
        descend(net, data, own, rate=1.0, steps=1, slope_at_zero=0)
    with pytest.raises(BadInput, match="residual of its own"):
        Loss(Shape.OWN)


def test_the_signed_halves_are_the_network_of_kou2023() -> None:
    """f = mean of sigma over the positive rows minus the mean over the negative rows, with outer
    weights exactly +-1/m.
    """
    net = signed_halves(np.array([[1, 0], [0, 3]], dtype=object), np.array([[1, 1], [-1, 0]], dtype=object), 0)
    assert [str(v) for v in net.outer] == ["1/2", "1/2", "-1/2", "-1/2"]
    assert lift(net, EXACT)(lift(Dataset([[1, 1]], [1]), EXACT).inputs)[0] == 1  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="positive has shape"):
        signed_halves(np.empty((0, 2)), np.empty((0, 2)), 0)


def test_a_bias_is_a_stacked_one() -> None:
    """Appending a one to every input turns the last column of the first layer into a bias, in
    floats and in rationals.
    """
    data = with_bias(Dataset(np.array([[2.0], [3.0]]), np.array([0.0, 1.0])))
    net = lift(TwoLayer(np.array([[1.0, -2.5]]), np.array([1.0]), 0), FLOAT)
    np.testing.assert_array_equal(net(data.inputs), [0.0, 0.5])
    assert with_bias(Dataset([["1/3"]], [1])).inputs.tolist()[0][1] == 1  # type: ignore[arg-type]


def test_a_deep_network_needs_a_scalar_output() -> None:
    """A last layer with two rows, or no layer at all, is refused."""
    with pytest.raises(BadInput, match="last one has a single row"):
        DeepNetwork((np.ones((2, 3)),), 0)
