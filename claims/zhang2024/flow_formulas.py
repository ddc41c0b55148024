r"""Appendix C: the right-hand sides of the gradient flow, Eqs. (6) to (12), against minus the gradient of the printed
losses.

Inside an activation pattern the output is affine in each single weight w: f = a w b + g with a, b, g free of w. So the
loss of one sample is a quadratic in w (square loss), whose central difference is its derivative exactly, and one
identity in a, b, g proves the formula for every entry of every layer; averages over samples are linear.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Claim, Margin, all_of, claim, equal, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.conditions import even_inputs
from refute.claims.zhang2024.lemmas import no_kinks
from refute.claims.zhang2024.theorem_5 import sign_target
from refute.decide.symbolic import by_identity
from refute.functions import exp, leaky_relu, leaky_relu_slope, mean, sign
from refute.models import Dataset, DeepNetwork, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import LOGISTIC, LOGISTIC_PRINTED
from refute.strategies import dataset, deep, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.linear import linear_deep, linear_two_layer
from refute.strategies.zhang2024.kinks import avoid_deep_kinks, hit_deep_kink

Weights = Sequence[Array]


def same_matrix(left: Array, right: Array, line: str) -> Margin:
    """left = right entry by entry; matrices of different shapes are not equal."""
    if np.shape(left) != np.shape(right):
        return Margin(Fraction(-1), line=f"{line}: shapes {np.shape(left)} and {np.shape(right)}")
    return equal(left, right, line)


def _signals(weights: Weights, slope: Number, inputs: Array) -> list[Array]:
    found = [inputs @ weights[0].T]
    for matrix in weights[1:]:
        found.append(leaky_relu(found[-1], slope) @ matrix.T)
    return found


def square_loss_descent(weights: Weights, slope: Number, data: Dataset) -> list[Array]:
    """Minus the gradient of <(y - f)^2>/2: a central difference per weight, with a step that no pre-activation changes
    sign in.

    Along one weight each layer is affine as long as the layers below keep their signs, so equal signs at both ends
    suffice.
    """

    def at(level: int, entry: tuple[int, ...], step: Number) -> tuple[Number, list[Array]]:
        moved_matrix = weights[level].copy()
        moved_matrix[entry] = moved_matrix[entry] + step
        signals = _signals([*weights[:level], moved_matrix, *weights[level + 1 :]], slope, data.inputs)
        return mean((data.labels - signals[-1][:, 0]) ** 2) / 2, [sign(signal) for signal in signals[:-1]]

    def derivative(level: int, entry: tuple[int, ...]) -> Number:
        for power in (2, 5, 9, 14):
            step = (slope * 0 + 1) / 10**power
            (above, up), (below, down) = at(level, entry, step), at(level, entry, -step)
            if all((a == b).all() for a, b in zip(up, down, strict=True)):
                break
        return (below - above) / (2 * step)

    found = []
    for level, matrix in enumerate(weights):
        found.append(np.empty(matrix.shape, dtype=object))
        for entry in np.ndindex(matrix.shape):
            found[-1][entry] = derivative(level, entry)
    return found


def _two_layers(net: TwoLayer) -> Weights:
    return net.inner, net.outer[None, :]


def gates(net: TwoLayer, data: Dataset, at_zero: Number) -> Array:
    """sigma'(W1 x), one row per sample."""
    slopes: Array = leaky_relu_slope(data.inputs @ net.inner.T, net.slope, at_zero)
    return slopes


def entry_of_the_square_flow() -> str | None:
    """-d/dw (y - f)^2/2 = a (y - f) b for f = a w b + g."""
    import sympy

    a, w, b, g, y = sympy.symbols("a w b g y", real=True)
    f = a * w * b + g
    return by_identity(
        lambda: [-sympy.diff((y - f) ** 2 / 2, w) - a * (y - f) * b], "every entry is a (y - f) b where f = a w b + g"
    )


def entry_of_the_logistic_flow() -> str | None:
    """-d/dw ln(1 + e^{-yf}) = a y b / (e^{yf} + 1)."""
    import sympy

    a, w, b, g, y = sympy.symbols("a w b g y", real=True)
    f = a * w * b + g
    entry = a * y * b / (sympy.exp(y * f) + 1)
    meaning = "every entry is a y b / (e^{yf} + 1) where f = a w b + g"
    return by_identity(lambda: [-sympy.diff(sympy.log(1 + sympy.exp(-y * f)), w) - entry], meaning)


_PATTERN = "the loss is differentiated where it is differentiable: no pre-activation is zero"
_SQUARE_MUTANTS = [moved("twice the formula", factor=Fraction(2)), moved("y + f in place of y - f", output=-1)]


@claim(
    "zhang2024.eq_6a.square_first_layer",
    "Eq. (6a)",
    given=sized(net=two_layer, data=dataset, width=(1, 3)),
    assumes=[no_kinks],
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=[*_SQUARE_MUTANTS, without(no_kinks)],
    convention=_PATTERN,
    cost=4.0,
)
def first_layer_follows_minus_the_gradient(
    net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1), output: int = 1
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_1=\langle\sigma'(W_1x)\odot W_2^\top(y-W_2\sigma(W_1x))x^\top\rangle$ for the
    square loss.
    """
    error = data.labels - output * net(data.inputs)
    printed = (gates(net, data, net.slope) * net.outer[None, :] * error[:, None]).T @ data.inputs / len(error)
    return equal(
        factor * printed, square_loss_descent(_two_layers(net), net.slope, data)[0], "Eq. (6a) against -dL/dW1"
    )


@claim(
    "zhang2024.eq_6b.square_second_layer",
    "Eq. (6b)",
    given=sized(net=two_layer, data=dataset, width=(1, 3)),
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=_SQUARE_MUTANTS,
    convention="the loss is differentiable in W2 everywhere, also at kinks",
    cost=3.0,
)
def second_layer_follows_minus_the_gradient(
    net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1), output: int = 1
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_2=\langle(y-W_2\sigma(W_1x))\,\sigma(W_1x)^\top\rangle$ for the square loss."""
    error = data.labels - output * net(data.inputs)
    printed = mean(error[:, None] * net.hidden(data.inputs))
    return equal(
        factor * printed, square_loss_descent(_two_layers(net), net.slope, data)[1][0], "Eq. (6b) against -dL/dW2"
    )


def printed_residual(labels: Array, outputs: Array) -> Array:
    """The factor that Eqs. (7), (10) and (37) print in the place of -dl/df: f / (e^{yf} + 1)."""
    residual: Array = outputs / (exp(labels * outputs) + 1)
    return residual


def label_residual(labels: Array, outputs: Array) -> Array:
    """y / (e^{yf} + 1), which is -dl/df for l = ln(1 + e^{-yf})."""
    residual: Array = labels / (exp(labels * outputs) + 1)
    return residual


def two_layer_field(net: TwoLayer, data: Dataset, residual: Array, at_zero: Number) -> tuple[Array, Array]:
    """<sigma'(W1 x) * W2^T g x^T> and <g sigma(W1 x)^T> for residuals g_i."""
    back = gates(net, data, at_zero) * net.outer[None, :] * residual[:, None]
    return back.T @ data.inputs / len(residual), mean(residual[:, None] * net.hidden(data.inputs))


LOSSES = {1: LOGISTIC_PRINTED, -1: LOGISTIC}
READINGS = {
    "": (1, r"R0: against the printed loss $\langle\ln(1+e^{yf})\rangle$."),
    ".r1": (-1, r"R1: against $\langle\ln(1+e^{-yf})\rangle$."),
}
_LAYERS = {0: "first", 1: "second"}


def _logistic_claims(
    id: str, reference: str, layer: int, network: Callable[..., Any], formula: str, amended: str
) -> list[Claim]:
    """The printed field with f in the numerator against both losses, and the amended one with y."""
    name = f"{_LAYERS[layer]}_layer"
    smooth = [] if network is linear_two_layer else [no_kinks]
    cases = sized(net=network, data=unscaled_dataset, width=(1, 2), samples=(1, 2))

    def encode(suffix: str, sign: int, remark: str) -> Claim:
        def conclusion(net: TwoLayer, data: Dataset) -> Margin:
            printed = two_layer_field(net, data, printed_residual(data.labels, net(data.inputs)), net.slope)
            return equal(
                printed[layer],
                descent_direction(net, data, LOSSES[sign], net.slope)[layer],
                f"{reference} against minus the gradient",
            )

        conclusion.__name__ = f"printed_logistic_field_of_the_{name}{suffix.replace('.', '_')}"
        conclusion.__doc__ = (
            f"{formula} for the logistic loss.\n\n{remark}\nFails: minus the derivative of $\\ln(1+e^{{\\pm yf}})$ "
            f"with respect to f is "
            r"$\mp y/(e^{\mp yf}+1)$, with the label y where the output f is printed. Where f is small, on the datum "
            r"(1, 1) with one layer "
            "1 and the other 0 or 1/10, the printed field is about f/2 in place of about -1/2 or 1/2 times the other "
            "layer's weight."
        )
        return claim(
            id + suffix, reference, given=cases, assumes=[sign_target, *smooth], recorded="refuted", convention=_PATTERN
        )(conclusion)

    def conclusion(net: TwoLayer, data: Dataset, *, sign: int = -1, factor: Number = Fraction(1)) -> Margin:
        field = two_layer_field(net, data, label_residual(data.labels, net(data.inputs)), net.slope)
        return equal(
            factor * field[layer],
            descent_direction(net, data, LOSSES[sign], net.slope)[layer],
            "against minus the gradient",
        )

    conclusion.__name__ = f"amended_logistic_field_of_the_{name}"
    conclusion.__doc__ = (
        f"Amended: {amended}, minus the gradient of $\\langle\\ln(1+e^{{-yf}})\\rangle$.\n\n"
        r"The label y stands where the output f is printed, and the loss has $-yf$: "
        r"$-\partial_f\ln(1+e^{-yf})=y/(e^{yf}+1)$."
    )
    register = claim(
        f"{id}.amended",
        reference,
        given=cases,
        assumes=smooth,
        proof=entry_of_the_logistic_flow,
        recorded="proved",
        mutants=[moved("the loss with e^{+yf}", sign=1), moved("half of it", factor=Fraction(1, 2))],
        convention=_PATTERN,
        cost=6.0,
    )
    return [*(encode(suffix, *reading) for suffix, reading in READINGS.items()), register(conclusion)]


EQ_7A = _logistic_claims(
    "zhang2024.eq_7a.logistic_first_layer",
    "Eq. (7a)",
    0,
    two_layer,
    r"$\tau\dot W_1=\langle\sigma'(W_1x)\odot W_2^\top W_2\sigma(W_1x)x^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$",
    r"$\tau\dot W_1=\langle\sigma'(W_1x)\odot W_2^\top y\,x^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$",
)
EQ_7B = _logistic_claims(
    "zhang2024.eq_7b.logistic_second_layer",
    "Eq. (7b)",
    1,
    two_layer,
    r"$\tau\dot W_2=W_2\langle\sigma(W_1x)\sigma(W_1x)^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$",
    r"$\tau\dot W_2=\langle y\,\sigma(W_1x)^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$",
)
EQ_10A = _logistic_claims(
    "zhang2024.eq_10a.linear_logistic_first_layer",
    "Eq. (10a)",
    0,
    linear_two_layer,
    r"$\tau\dot W_1=W_2^\top W_2W_1\langle xx^\top/(e^{yW_2W_1x}+1)\rangle$ for linear networks",
    r"$\tau\dot W_1=W_2^\top\langle y\,x^\top/(e^{yW_2W_1x}+1)\rangle$ for linear networks",
)
EQ_10B = _logistic_claims(
    "zhang2024.eq_10b.linear_logistic_second_layer",
    "Eq. (10b)",
    1,
    linear_two_layer,
    r"$\tau\dot W_2=W_2W_1\langle xx^\top/(e^{yW_2W_1x}+1)\rangle W_1^\top$ for linear networks",
    r"$\tau\dot W_2=\langle y\,x^\top/(e^{yW_2W_1x}+1)\rangle W_1^\top$ for linear networks",
)


def weighted_moment(data: Dataset, weights: Array) -> Array:
    """<x x^T g> for weights g_i."""
    moment: Array = (data.inputs * weights[:, None]).T @ data.inputs / len(weights)
    return moment


def linear_logistic_field(net: TwoLayer, data: Dataset, scale: Number) -> tuple[Array, Array]:
    """W2^T W2 W1 <x x^T/E> and W2 W1 <x x^T/E> W1^T with E = e^{scale y W2 W1 x} + 1: the right-hand sides of Eq. (10)
    for scale 1.
    """
    outputs = data.inputs @ net.linear_map()
    row = net.linear_map() @ weighted_moment(data, 1 / (exp(scale * data.labels * outputs) + 1))
    return net.outer[:, None] * row[None, :], net.inner @ row


def _same_at_slope_one(layer: int, net: TwoLayer, data: Dataset, slope: Number, scale: Number) -> Margin:
    relu = TwoLayer.with_weights(net, net.inner, net.outer)
    object.__setattr__(relu, "slope", slope)
    left = two_layer_field(relu, data, printed_residual(data.labels, relu(data.inputs)), slope)[layer]
    return equal(left, linear_logistic_field(net, data, scale)[layer], "Eq. (7) against Eq. (10)")


_SLOPE_ONE = dict(
    given=sized(net=linear_two_layer, data=unscaled_dataset, width=(1, 2), samples=(1, 2)),
    recorded="supported",
    mutants=[moved("slope 1/2", slope=Fraction(1, 2)), moved("half the exponent", scale=Fraction(1, 2))],
    cost=4.0,
)


@claim("zhang2024.eq_10a.linear_logistic_first_layer.r2", "Eq. (10a)", **_SLOPE_ONE)  # type: ignore[arg-type]
def printed_first_layers_agree_at_slope_one(
    net: TwoLayer, data: Dataset, *, slope: Number = Fraction(1), scale: Number = Fraction(1)
) -> Margin:
    r"""R2: the printed field (7a) at $\alpha=1$ is the printed field (10a), whatever loss they belong to."""
    return _same_at_slope_one(0, net, data, slope, scale)


@claim("zhang2024.eq_10b.linear_logistic_second_layer.r2", "Eq. (10b)", **_SLOPE_ONE)  # type: ignore[arg-type]
def printed_second_layers_agree_at_slope_one(
    net: TwoLayer, data: Dataset, *, slope: Number = Fraction(1), scale: Number = Fraction(1)
) -> Margin:
    r"""R2: the printed field (7b) at $\alpha=1$ is the printed field (10b)."""
    return _same_at_slope_one(1, net, data, slope, scale)


@claim(
    "zhang2024.eq_8a.linear_square_first_layer",
    "Eq. (8a)",
    given=sized(net=linear_two_layer, data=dataset, width=(1, 3)),
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=_SQUARE_MUTANTS,
    cost=3.0,
)
def linear_first_layer_follows_minus_the_gradient(
    net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1), output: int = 1
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_1=W_2^\top(\beta^\top-W_2W_1\Sigma)$ for a linear network
    and the square loss.
    """
    printed = net.outer[:, None] * (data.correlation - output * net.linear_map() @ data.covariance)[None, :]
    return equal(
        factor * printed, square_loss_descent(_two_layers(net), net.slope, data)[0], "Eq. (8a) against -dL/dW1"
    )


@claim(
    "zhang2024.eq_8b.linear_square_second_layer",
    "Eq. (8b)",
    given=sized(net=linear_two_layer, data=dataset, width=(1, 3)),
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=_SQUARE_MUTANTS,
    cost=3.0,
)
def linear_second_layer_follows_minus_the_gradient(
    net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1), output: int = 1
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_2=(\beta^\top-W_2W_1\Sigma)W_1^\top$ for a linear network
    and the square loss.
    """
    printed = net.inner @ (data.correlation - output * net.linear_map() @ data.covariance)
    return equal(
        factor * printed, square_loss_descent(_two_layers(net), net.slope, data)[1][0], "Eq. (8b) against -dL/dW2"
    )


@claim(
    "zhang2024.eq_9.moments",
    "Eq. (9)",
    given=sized(data=dataset),
    assumes=[even_inputs],
    recorded="supported",
    mutants=[without(even_inputs), moved("the inputs moved by one", shift=1)],
    convention="the covariance is not centred in print; under Condition 3, the setting of the paper, that makes no "
    "difference",
)
def second_moment_is_the_covariance_of_even_inputs(data: Dataset, *, shift: int = 0) -> Margin:
    r"""$\Sigma=\langle xx^\top\rangle$ is the covariance of the inputs: their mean is zero when their law is even."""
    centre = mean(data.inputs)
    centred = data.inputs - centre[None, :] + shift
    return all_of(
        equal(centre, 0, "<x>"),
        equal(data.covariance, centred.T @ centred / len(centred), "Sigma against the centred covariance"),
    )


def _no_deep_kink(net: DeepNetwork, data: Dataset) -> Margin:
    below, count = data.inputs, 0
    for signal in net.signals(data.inputs)[:-1]:
        alive = np.abs(sign(below)).max(axis=1) > 0
        count += int((sign(signal)[alive] == 0).sum())
        below = leaky_relu(signal, net.slope)
    return equal(count, 0, "pre-activations that are zero although the layer below is not silent")


no_deep_kinks = Assumption(
    "network.no_deep_kinks",
    "no hidden pre-activation is zero, unless the layer below is silent",
    _no_deep_kink,
    base=sized(net=deep, data=unscaled_dataset),
    satisfy=avoid_deep_kinks,
    violate=hit_deep_kink,
)


def deep_factors(weights: Weights, slope: Number, data: Dataset, at_zero: Number) -> list[tuple[Array, Array]]:
    """For each layer l: dh_L/dh_l and sigma(h_{l-1}) (x for l = 1), one row per sample."""
    signals = _signals(weights, slope, data.inputs)
    above = signals[-1] * 0 + 1
    factors = []
    for level in range(len(weights) - 1, -1, -1):
        below = leaky_relu(signals[level - 1], slope) if level else data.inputs
        factors.append((above, below))
        if level:
            above = (above @ weights[level]) * leaky_relu_slope(signals[level - 1], slope, at_zero)
    return factors[::-1]


def _deep_flow(net: DeepNetwork, data: Dataset, transposed: bool, factor: Number, output: int) -> Margin:
    error = data.labels - output * net(data.inputs)
    gradient = square_loss_descent(net.weights, net.slope, data)
    margins = []
    for level, (above, below) in enumerate(deep_factors(net.weights, net.slope, data, net.slope)):
        printed = factor * (above * error[:, None]).T @ below / len(error)
        margins.append(
            same_matrix(printed.T if transposed else printed, gradient[level], f"Eq. (11) against -dL/dW_{level + 1}")
        )
    return all_of(*margins)


_DEEP = sized(net=deep, data=unscaled_dataset, depth=(2, 5), samples=(1, 2), width=(1, 3))


@claim(
    "zhang2024.eq_11.deep_flow",
    "Eq. (11)",
    given=_DEEP,
    assumes=[no_deep_kinks],
    recorded="refuted",
    convention="R0: numerator layout, where dh_L/dh_l is a row and dh_L/dW_l has the shape of W_l transposed",
    cost=4.0,
)
def deep_flow_in_numerator_layout(net: DeepNetwork, data: Dataset) -> Margin:
    r"""$\tau\dot W_l=\langle\frac{\partial h_L}{\partial h_l}(y-h_L)\frac{\partial h_l}{\partial W_l}\rangle$, in
    numerator layout.

    Fails only by its layout, which the paper does not name: for one neuron and two inputs the product is a column and
    $W_1$ a row. Read as a contraction, as it is surely meant, it holds (R1).
    """
    return _deep_flow(net, data, True, data.labels[0] * 0 + 1, 1)


@claim(
    "zhang2024.eq_11.deep_flow.r1",
    "Eq. (11)",
    given=_DEEP,
    assumes=[no_deep_kinks],
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=[*_SQUARE_MUTANTS, without(no_deep_kinks)],
    convention="R1: the contraction over the components of h_l; sigma(h_0) is x",
    cost=4.0,
)
def deep_flow_as_a_contraction(
    net: DeepNetwork, data: Dataset, *, factor: Number = Fraction(1), output: int = 1
) -> Margin:
    r"""R1: $-\partial\mathcal L/\partial W_l=\langle(\partial h_L/\partial
    h_l)^\top(y-h_L)\,\sigma(h_{l-1})^\top\rangle$.
    """
    return _deep_flow(net, data, False, factor, output)


def chain(weights: Weights) -> Array | None:
    """The ordered product, largest index on the left; None for no factor, which stands for an identity."""
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


@claim(
    "zhang2024.eq_12.deep_linear_flow",
    "Eq. (12)",
    given=sized(net=linear_deep, data=unscaled_dataset, depth=(2, 5), samples=(1, 2), width=(1, 3)),
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=_SQUARE_MUTANTS,
    convention="empty products are identities",
    cost=3.0,
)
def deep_linear_flow_is_minus_the_gradient(
    net: DeepNetwork, data: Dataset, *, factor: Number = Fraction(1), output: int = 1
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_l=(\prod_{i>l}W_i)^\top(\beta^\top-\prod_iW_i\,\Sigma)(\prod_{i<l}W_i)^\top$
    (deep linear).
    """
    whole = chain(net.weights)
    middle = data.correlation[None, :] - output * whole @ data.covariance  # type: ignore[operator]
    gradient = square_loss_descent(net.weights, net.slope, data)
    parts = [
        same_matrix(factor * linear_flow(net.weights, level, middle), minus, f"Eq. (12) for W_{level + 1}")
        for level, minus in enumerate(gradient)
    ]
    return all_of(*parts)
