"""The right-hand side of training a two-layer network: minus the gradient, for any loss given by its residual.

A residual is -d loss / d output, one entry per sample. With it the flow of both layers reads
    dW1 = < sigma'(W1 x) * W2^T residual x^T >,    dW2 = < residual sigma(W1 x)^T >.
"""

from collections.abc import Callable

import numpy as np

from models.dataset import Dataset
from models.network import TwoLayer
from refute.functions import exp, leaky_relu_slope, mean
from refute.numbers import Array, Number

Residual = Callable[[Array, Array], Array]


def square_residual(labels: Array, outputs: Array) -> Array:
    """Of (y - f)^2 / 2."""
    residual: Array = labels - outputs
    return residual


def logistic_residual(sign: int) -> Residual:
    """Of ln(1 + exp(sign y f)): sign -1 is the usual loss, sign +1 the other one found in print."""

    def residual(labels: Array, outputs: Array) -> Array:
        value: Array = -sign * labels / (1 + exp(-sign * labels * outputs))
        return value

    return residual


def descent_direction(net: TwoLayer, data: Dataset, residual: Residual, slope_at_zero: Number) -> tuple[Array, Array]:
    """Minus the gradient with respect to the inner and the outer weights; sigma'(0) is `slope_at_zero`."""
    pre = data.inputs @ net.inner.T
    error = residual(data.labels, net(data.inputs))
    gates = leaky_relu_slope(pre, net.slope, slope_at_zero)
    back = gates * net.outer[None, :] * error[:, None]
    inner: Array = back.T @ data.inputs / data.inputs.shape[0]
    outer: Array = mean(net.hidden(data.inputs) * error[:, None])
    return inner, outer


def loss_value(labels: Array, outputs: Array) -> float:
    """The square loss <(y - f)^2> / 2."""
    return float(np.mean((labels - outputs) ** 2) / 2)
