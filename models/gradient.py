"""The right-hand side of training: minus the gradient, written out, for networks of any depth and any loss.

With the residual g_i = -dl/df at sample i and the weight c (1/n for a mean, 1 for a sum), two layers obey
    dW1 = c sum_i g_i sigma'(W1 x_i) * W2^T x_i^T,    dW2 = c sum_i g_i sigma(W1 x_i)^T,
and deep networks h_1 = W_1 x, h_l = W_l sigma(h_{l-1}) obey dW_l = c sum_i delta_l sigma(h_{l-1})^T with
    delta_L = g_i,    delta_{l-1} = sigma'(h_{l-1}) * W_l^T delta_l.
"""

from collections.abc import Sequence

from refute.arithmetic.numbers import Array, Number
from refute.functions import leaky_relu, leaky_relu_slope
from refute.models.dataset import Dataset
from refute.models.loss import Loss
from refute.models.network import DeepNetwork, TwoLayer


def _count(loss: Loss, data: Dataset) -> int:
    """By what the sum over the samples is divided."""
    return len(data.labels) if loss.averaged else 1


def descent_direction(net: TwoLayer, data: Dataset, loss: Loss, slope_at_zero: Number) -> tuple[Array, Array]:
    """Minus the gradient with respect to the inner and the outer weights; sigma'(0) is `slope_at_zero`."""
    pre = data.inputs @ net.inner.T
    error, count = loss.residual(data.labels, net(data.inputs)), _count(loss, data)
    gates = leaky_relu_slope(pre, net.slope, slope_at_zero)
    back = gates * net.outer[None, :] * error[:, None]
    inner: Array = back.T @ data.inputs / count
    outer: Array = (net.hidden(data.inputs) * error[:, None]).sum(axis=0) / count
    return inner, outer


def deep_descent_direction(net: DeepNetwork, data: Dataset, loss: Loss, slope_at_zero: Number) -> tuple[Array, ...]:
    """Minus the gradient with respect to W_1, ..., W_L; sigma'(0) is `slope_at_zero`."""
    signals = net.signals(data.inputs)
    error, count = loss.residual(data.labels, signals[-1][:, 0]), _count(loss, data)
    below = [data.inputs, *(leaky_relu(signal, net.slope) for signal in signals[:-1])]
    gates = [leaky_relu_slope(signal, net.slope, slope_at_zero) for signal in signals[:-1]]
    return tuple(push / count for push in pulled_back(net.weights, below, gates, error[:, None]))


def pulled_back(
    weights: Sequence[Array], below: Sequence[Array], gates: Sequence[Array], delta: Array
) -> tuple[Array, ...]:
    """delta_l^T sigma(h_{l-1}) for every layer l, in any arithmetic, from delta_L, which is `delta`.

    `below` lists sigma(h_0), ..., sigma(h_{L-1}), the inputs first; `gates` lists sigma'(h_1), ..., sigma'(h_{L-1}).
    """
    found: list[Array] = []
    for level in range(len(weights) - 1, -1, -1):
        found.append(delta.T @ below[level])
        if level:
            delta = (delta @ weights[level]) * gates[level - 1]
    return tuple(reversed(found))
