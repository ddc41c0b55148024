r"""Right-hand sides of gradient flow as the paper writes them: gated averages for two layers, products for deep
networks.

Deep networks are lists of weights $W_1,\dots,W_L$; a product has the largest index on the left.
"""

from collections.abc import Sequence

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import absolute, exp, leaky_relu, leaky_relu_slope, mean, sign
from refute.models.dataset import Dataset
from refute.models.loss import SQUARE, Loss
from refute.models.network import TwoLayer

Pair = tuple[Array, Array]
Weights = Sequence[Array]


def slope_at_zero(word: str, alpha: Number) -> Number:
    """The named value of sigma'(0): "mean" is (1 + alpha)/2."""
    return {"zero": alpha * 0, "alpha": alpha, "mean": (1 + alpha) / 2, "one": alpha * 0 + 1}[word]


def mean_slope(net: TwoLayer) -> Number:
    """(alpha + 1)/2."""
    return (net.slope + 1) / 2


def gates(net: TwoLayer, data: Dataset, at_zero: Number) -> Array:
    """sigma'(W1 x), one row per sample."""
    slopes: Array = leaky_relu_slope(data.inputs @ net.inner.T, net.slope, at_zero)
    return slopes


def gated_field(net: TwoLayer, data: Dataset, residual: Array, at_zero: Number) -> Array:
    """<sigma'(W1 x) * W2^T g x^T> for residuals g_i."""
    back = gates(net, data, at_zero) * net.outer[None, :] * residual[:, None]
    field: Array = back.T @ data.inputs / len(residual)
    return field


def two_layer_field(net: TwoLayer, data: Dataset, residual: Array, at_zero: Number) -> Pair:
    """<sigma'(W1 x) * W2^T g x^T> and <g sigma(W1 x)^T> for residuals g_i."""
    return gated_field(net, data, residual, at_zero), mean(residual[:, None] * net.hidden(data.inputs))


def cubic_term(net: TwoLayer, data: Dataset, at_zero: Number) -> Array:
    """<sigma'(W1 x) * W2^T W2 sigma(W1 x) x^T>, the second term of Eq. (6a)."""
    return gated_field(net, data, net(data.inputs), at_zero)


def printed_residual(labels: Array, outputs: Array) -> Array:
    """The factor that Eqs. (7), (10) and (37) print in the place of -dl/df: f / (e^{yf} + 1)."""
    residual: Array = outputs / (exp(labels * outputs) + 1)
    return residual


PRINTED_FIELD = Loss.of(printed_residual)  # the flow of Eqs. (7) and (10) as they are printed


def label_residual(labels: Array, outputs: Array) -> Array:
    """y / (e^{yf} + 1), which is -dl/df for l = ln(1 + e^{-yf})."""
    residual: Array = labels / (exp(labels * outputs) + 1)
    return residual


def weighted_moment(data: Dataset, weights: Array) -> Array:
    """<x x^T g> for weights g_i."""
    moment: Array = (data.inputs * weights[:, None]).T @ data.inputs / len(weights)
    return moment


def through(net: TwoLayer, row: Array) -> Pair:
    """W2^T row and row W1^T: the field of a linear network whose product W2 W1 is pulled along the row."""
    return net.outer[:, None] * row[None, :], net.inner @ row


def signals(weights: Weights, slope: Number, inputs: Array) -> list[Array]:
    """The pre-activations h_1, ..., h_L, one row per input."""
    found = [inputs @ weights[0].T]
    for matrix in weights[1:]:
        found.append(leaky_relu(found[-1], slope) @ matrix.T)
    return found


def deep_factors(weights: Weights, slope: Number, data: Dataset, at_zero: Number) -> list[Pair]:
    """For each layer l: dh_L/dh_l and sigma(h_{l-1}) (x for l = 1), one row per sample."""
    before = signals(weights, slope, data.inputs)
    above = before[-1] * 0 + 1
    factors = []
    for level in range(len(weights) - 1, -1, -1):
        below = leaky_relu(before[level - 1], slope) if level else data.inputs
        factors.append((above, below))
        if level:
            above = (above @ weights[level]) * leaky_relu_slope(before[level - 1], slope, at_zero)
    return factors[::-1]


def chain(weights: Weights) -> Array | None:
    """The ordered product; None for no factor, which stands for an identity."""
    product: Array | None = None
    for matrix in weights:
        product = matrix if product is None else matrix @ product
    return product


def linear_flow(weights: Weights, level: int, middle: Array) -> Array:
    """(product of the layers above)^T middle (product of the layers below)^T for the layer with index `level`, middle
    being 1 x D.
    """
    above, below = chain(weights[level + 1 :]), chain(weights[:level])
    left = middle if above is None else above.T @ middle
    return left if below is None else left @ below.T


def linear_logistic_field(net: TwoLayer, data: Dataset) -> Pair:
    """The right-hand sides of Eq. (10)."""
    row = net.linear_map()
    damping = 1 / (exp(data.labels * (data.inputs @ row)) + 1)
    return through(net, row @ weighted_moment(data, damping))


# Powers of ten: weights may be so small that no larger step keeps the activation pattern.
STEPS = (2, 5, 9, 14, 30, 60, 120, 240, 480, 960, 1920)
SMALL_STEPS = (25, 35, 70, 140, 280)


def by_differences(weights: Weights, slope: Number, data: Dataset, loss: Loss = SQUARE) -> list[tuple[Array, Array]]:
    """Minus the gradient of the loss, for each layer with a bound on the error: a central difference per weight, with a
    step that no pre-activation changes sign in.

    Along one weight each layer is affine as long as the layers below keep their signs, so equal signs at both ends
    suffice. Then the square loss is a quadratic, whose central difference is its derivative.
    """
    found = []
    for level, matrix in enumerate(weights):
        entries = [_difference(weights, level, entry, slope, data, loss) for entry in np.ndindex(matrix.shape)]
        found.append(tuple(np.array(part, dtype=object).reshape(matrix.shape) for part in zip(*entries, strict=True)))
    return found  # type: ignore[return-value]


def _difference(
    weights: Weights, level: int, entry: tuple[int, ...], slope: Number, data: Dataset, loss: Loss
) -> tuple[Number, Number]:
    def at(step: Number) -> tuple[Array, list[Array]]:
        matrix = weights[level].copy()
        matrix[entry] = matrix[entry] + step
        found = signals([*weights[:level], matrix, *weights[level + 1 :]], slope, data.inputs)
        return found[-1][:, 0], [sign(signal) for signal in found[:-1]]

    for power in STEPS if loss is SQUARE else SMALL_STEPS:
        step = (slope * 0 + 1) / 10**power
        (above, up), (below, down) = at(step), at(-step)
        if all((a == b).all() for a, b in zip(up, down, strict=True)):
            break
    else:
        raise BadInput(f"every step along a weight of layer {level + 1} crosses a kink", "move the case away from it")
    difference = (loss.value(data.labels, below) - loss.value(data.labels, above)) / (2 * step)
    if loss is SQUARE:
        return difference, slope * 0
    gain = absolute(data.labels * (above - below)) / (2 * step)  # of y f, which is affine too
    return difference, step * step * mean(gain * gain * gain) / 60  # the third derivative of ln(1 + e^z) is below 1/10
