r"""Appendix C, Eqs. (6) to (10): the right-hand sides of the gradient flow of two-layer networks, against minus the
gradient of the printed losses.

The gradient is a central difference per weight, which for the square loss is exact. Inside an activation pattern the
output is affine in each single weight w: f = a w b + g with a, b, g free of w. One identity in a, b, g proves the
formula for every entry of both layers; averages over samples are linear.
"""

from typing import Any

import numpy as np

from refute import (
    Derived,
    Fault,
    Margin,
    all_of,
    changed,
    derived,
    equal,
    instead,
    mutants,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import even_inputs, no_kinks, sign_target
from refute.claims.zhang2024.neurons import entry_of_the_logistic_flow, entry_of_the_square_flow, sigma
from refute.claims.zhang2024.norms import even_moments
from refute.decide.symbolic import by_identity
from refute.functions import mean
from refute.models import Dataset, TwoLayer
from refute.models.loss import LOGISTIC, LOGISTIC_PRINTED, SQUARE, Loss
from refute.models.zhang2024.fields import (
    Pair,
    by_differences,
    gated_field,
    label_residual,
    linear_logistic_field,
    printed_residual,
    through,
    two_layer_field,
)
from refute.strategies import dataset, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.linear import linear_two_layer

PATTERN = "the loss is differentiated where it is differentiable: no pre-activation is zero"
LARGER = scaled("101/100", "Eq.")
OUTPUTS = changed("101/100 f in place of f", outputs=lambda outputs: outputs * 101 / 100)


@derived
def outputs(net: TwoLayer, data: Dataset) -> Array:
    """f on the data."""
    return np.asarray(net(data.inputs))


@derived
def product(net: TwoLayer) -> Array:
    """W2 W1."""
    return net.linear_map()


def minus_gradient(loss: Loss) -> Derived:
    """Of both layers, each with a bound on its error."""

    @derived
    def descent(net: TwoLayer, data: Dataset) -> Any:
        inner, (outer, error) = by_differences([net.inner, net.outer[None, :]], net.slope, data, loss)
        return inner, (outer[0], error[0])

    return descent


@derived
def descent_of_outer(net: TwoLayer, data: Dataset) -> Pair:
    """Minus the gradient of the square loss in W2 alone."""
    value, error = by_differences([net.inner, net.outer[None, :]], net.slope, data, levels=(1,))[0]
    return value[0], error[0]


def _against(descent: Pair, field: Array, line: str) -> Margin:
    value, error = descent
    return equal(value, field, line, error=error)


square = section(
    "zhang2024",
    given=sized(net=two_layer, data=dataset, width=(1, 3)),
    derived=[outputs, minus_gradient(SQUARE)],
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=[LARGER, OUTPUTS],
    cost=3.0,
)
linear = section(
    "zhang2024",
    given=sized(net=linear_two_layer, data=dataset, width=(1, 3)),
    derived=[product, minus_gradient(SQUARE)],
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=[LARGER, changed("101/100 W2 W1", product=lambda product: product * 101 / 100)],
    cost=3.0,
)


def _without_gates(net: TwoLayer, data: Dataset, outputs: Array, descent: Any) -> Margin:
    pulled = mean((data.labels - outputs)[:, None] * data.inputs)
    return _against(descent[0], net.outer[:, None] * pulled, "Eq. (6a)")


@square.claim("eq_6a.square_first_layer", "Eq. (6a)", assumes=[no_kinks], convention=PATTERN)
@mutants(instead("sigma' = 1", _without_gates))
def first_layer_follows_minus_the_gradient(net: TwoLayer, data: Dataset, outputs: Array, descent: Any) -> Margin:
    r"""$-\partial\mathcal L/\partial W_1=\langle\sigma'(W_1x)\odot W_2^\top(y-W_2\sigma(W_1x))x^\top\rangle$ for the
    square loss.
    """
    return _against(descent[0], gated_field(net, data, data.labels - outputs, net.slope), "Eq. (6a)")


@square.claim("eq_6b.square_second_layer", "Eq. (6b)", derived=[outputs, descent_of_outer])
def second_layer_follows_minus_the_gradient(
    net: TwoLayer, data: Dataset, outputs: Array, descent_of_outer: Pair
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_2=\langle(y-W_2\sigma(W_1x))\,\sigma(W_1x)^\top\rangle$ for the square loss.

    Convention: the loss is differentiable in W2 everywhere, also at kinks
    """
    field = mean((data.labels - outputs)[:, None] * net.hidden(data.inputs))
    return _against(descent_of_outer, field, "Eq. (6b)")


@linear.claim("eq_8a.linear_square_first_layer", "Eq. (8a)")
def linear_first_layer_follows_minus_the_gradient(net: TwoLayer, data: Dataset, product: Array, descent: Any) -> Margin:
    r"""$-\partial\mathcal L/\partial W_1=W_2^\top(\beta^\top-W_2W_1\Sigma)$ for a linear network and the square
    loss.
    """
    return _against(descent[0], through(net, data.correlation - product @ data.covariance)[0], "Eq. (8a)")


@linear.claim("eq_8b.linear_square_second_layer", "Eq. (8b)")
def linear_second_layer_follows_minus_the_gradient(
    net: TwoLayer, data: Dataset, product: Array, descent: Any
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_2=(\beta^\top-W_2W_1\Sigma)W_1^\top$ for a linear network and the square
    loss.
    """
    return _against(descent[1], through(net, data.correlation - product @ data.covariance)[1], "Eq. (8b)")


@section("zhang2024", given=sized(data=dataset)).claim(
    "eq_9.moments", "Eq. (9)", assumes=[even_inputs], proof=even_moments, recorded="proved"
)
@mutants(without(even_inputs), shifted("1/100", "<x>"), scaled("101/100", "Sigma"))
def second_moment_is_the_covariance_of_even_inputs(data: Dataset) -> Margin:
    r"""$\Sigma=\langle xx^\top\rangle$ is the covariance of the inputs: their mean is zero when their law is even.

    Convention: the covariance is not centred in print; under Condition 3, the setting of the paper, that makes no
    difference
    """
    centre = mean(data.inputs)
    centred = data.inputs - centre[None, :]
    return all_of(
        equal(centre, 0, "<x>"),
        equal(data.covariance, centred.T @ centred / len(centred), "Sigma against the centred covariance"),
    )


logistic = section(
    "zhang2024",
    given=sized(net=two_layer, data=unscaled_dataset, width=(1, 2), samples=(1, 2)),
    assumes=[sign_target, no_kinks],
    derived=[outputs, minus_gradient(LOGISTIC_PRINTED)],
    recorded="refuted",
    fault=Fault.WRONG,
    root="zhang2024.eq_7a.logistic_first_layer",
    convention=f"R0: against the printed loss <ln(1 + e^{{yf}})>; {PATTERN}",
)
linear_logistic = logistic.but(
    given=sized(net=linear_two_layer, data=unscaled_dataset, width=(1, 2), samples=(1, 2)), assumes=[sign_target]
)


def _printed(net: TwoLayer, data: Dataset, outputs: Array) -> Pair:
    return two_layer_field(net, data, printed_residual(data.labels, outputs), net.slope)


def _with_label(net: TwoLayer, data: Dataset, outputs: Array) -> Pair:
    return two_layer_field(net, data, label_residual(data.labels, outputs), net.slope)


@logistic.but(root="").claim("eq_7a.logistic_first_layer", "Eq. (7a)")
def printed_logistic_field_of_the_first_layer(net: TwoLayer, data: Dataset, outputs: Array, descent: Any) -> Margin:
    r"""$\tau\dot W_1=\langle\sigma'(W_1x)\odot W_2^\top W_2\sigma(W_1x)x^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$ for the
    logistic loss.

    Fails: minus the derivative of $\ln(1+e^{\pm yf})$ with respect to f is $\mp y/(e^{\mp yf}+1)$, with the label y
    where the output f is printed. Where f is small, on the datum (1, 1) with one layer 1 and the other 0 or 1/10, the
    printed field is about f/2 in place of about -1/2 or 1/2 times the other layer's weight.
    """
    return _against(descent[0], _printed(net, data, outputs)[0], "Eq. (7a)")


@logistic.claim("eq_7b.logistic_second_layer", "Eq. (7b)")
def printed_logistic_field_of_the_second_layer(net: TwoLayer, data: Dataset, outputs: Array, descent: Any) -> Margin:
    r"""$\tau\dot W_2=W_2\langle\sigma(W_1x)\sigma(W_1x)^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$ for the logistic loss.

    Fails like (7a): the output f is printed where the label y belongs.
    """
    return _against(descent[1], _printed(net, data, outputs)[1], "Eq. (7b)")


@linear_logistic.claim("eq_10a.linear_logistic_first_layer", "Eq. (10a)")
def printed_linear_logistic_field_of_the_first_layer(net: TwoLayer, data: Dataset, descent: Any) -> Margin:
    r"""$\tau\dot W_1=W_2^\top W_2W_1\langle xx^\top/(e^{yW_2W_1x}+1)\rangle$ for linear networks and the logistic loss.

    Fails like (7a): the output is printed where the label y belongs.
    """
    return _against(descent[0], linear_logistic_field(net, data)[0], "Eq. (10a)")


@linear_logistic.claim("eq_10b.linear_logistic_second_layer", "Eq. (10b)")
def printed_linear_logistic_field_of_the_second_layer(net: TwoLayer, data: Dataset, descent: Any) -> Margin:
    r"""$\tau\dot W_2=W_2W_1\langle xx^\top/(e^{yW_2W_1x}+1)\rangle W_1^\top$ for linear networks and the logistic loss.

    Fails like (7a): the output is printed where the label y belongs.
    """
    return _against(descent[1], linear_logistic_field(net, data)[1], "Eq. (10b)")


_PRINTED = (
    printed_logistic_field_of_the_first_layer,
    printed_logistic_field_of_the_second_layer,
    printed_linear_logistic_field_of_the_first_layer,
    printed_linear_logistic_field_of_the_second_layer,
)
for printed in _PRINTED:
    printed.reading(
        "r1",
        r"R1: against $\langle\ln(1+e^{-yf})\rangle$.",
        derived=[outputs, minus_gradient(LOGISTIC)],
        recorded="refuted",
        fault=Fault.WRONG,
        root="zhang2024.eq_7a.logistic_first_layer",
        convention=PATTERN,
    )

amended = logistic.but(
    assumes=[no_kinks],
    derived=[outputs, minus_gradient(LOGISTIC)],
    proof=entry_of_the_logistic_flow,
    recorded="proved",
    fault=None,
    root="",
    mutants=[scaled("101/100"), OUTPUTS],
    convention=PATTERN,
    cost=6.0,
)
amended_linear = amended.but(given=linear_logistic.common["given"], assumes=[])


@amended.claim("eq_7a.logistic_first_layer.amended", "Eq. (7a)")
def amended_logistic_field_of_the_first_layer(net: TwoLayer, data: Dataset, outputs: Array, descent: Any) -> Margin:
    r"""Amended: $\tau\dot W_1=\langle\sigma'(W_1x)\odot W_2^\top y\,x^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$, minus the
    gradient of $\langle\ln(1+e^{-yf})\rangle$, since $-\partial_f\ln(1+e^{-yf})=y/(e^{yf}+1)$.
    """
    return _against(descent[0], _with_label(net, data, outputs)[0], "first layer")


@amended.claim("eq_7b.logistic_second_layer.amended", "Eq. (7b)")
def amended_logistic_field_of_the_second_layer(net: TwoLayer, data: Dataset, outputs: Array, descent: Any) -> Margin:
    r"""Amended: $\tau\dot W_2=\langle y\,\sigma(W_1x)^\top/(e^{yW_2\sigma(W_1x)}+1)\rangle$, minus the gradient of
    $\langle\ln(1+e^{-yf})\rangle$.
    """
    return _against(descent[1], _with_label(net, data, outputs)[1], "second layer")


def _linear_row(data: Dataset, outputs: Array) -> Array:
    """<y x^T/(e^{yf} + 1)>."""
    return np.asarray(mean(label_residual(data.labels, outputs)[:, None] * data.inputs))


@amended_linear.claim("eq_10a.linear_logistic_first_layer.amended", "Eq. (10a)")
def amended_linear_logistic_field_of_the_first_layer(
    net: TwoLayer, data: Dataset, outputs: Array, descent: Any
) -> Margin:
    r"""Amended: $\tau\dot W_1=W_2^\top\langle y\,x^\top/(e^{yW_2W_1x}+1)\rangle$ for linear networks, minus the
    gradient of $\langle\ln(1+e^{-yf})\rangle$.
    """
    return _against(descent[0], through(net, _linear_row(data, outputs))[0], "first layer")


@amended_linear.claim("eq_10b.linear_logistic_second_layer.amended", "Eq. (10b)")
def amended_linear_logistic_field_of_the_second_layer(
    net: TwoLayer, data: Dataset, outputs: Array, descent: Any
) -> Margin:
    r"""Amended: $\tau\dot W_2=\langle y\,x^\top/(e^{yW_2W_1x}+1)\rangle W_1^\top$ for linear networks, minus the
    gradient of $\langle\ln(1+e^{-yf})\rangle$.
    """
    return _against(descent[1], through(net, _linear_row(data, outputs))[1], "second layer")


def _one_slope() -> str | None:
    import sympy

    z = sympy.Symbol("z", real=True)
    return by_identity(
        lambda: [sigma(z, 1) - z, sigma(z, 1).diff(z) - 1], "sigma(z) = z and sigma' = 1, put into (7), give (10)"
    )


slope_one = section(
    "zhang2024",
    given=linear_logistic.common["given"],
    proof=_one_slope,
    recorded="proved",
    mutants=[LARGER, changed("slope 99/100", net=lambda net: net.with_slope(net.slope * 99 / 100))],
    cost=4.0,
)


@slope_one.claim("eq_10a.linear_logistic_first_layer.r2", "Eq. (10a)")
def printed_first_layers_agree_at_slope_one(net: TwoLayer, data: Dataset) -> Margin:
    r"""R2: the printed field (7a) at $\alpha=1$ is the printed field (10a), whatever loss they belong to."""
    return equal(_printed(net, data, net(data.inputs))[0], linear_logistic_field(net, data)[0], "Eq. (7) and Eq. (10)")


@slope_one.claim("eq_10b.linear_logistic_second_layer.r2", "Eq. (10b)")
def printed_second_layers_agree_at_slope_one(net: TwoLayer, data: Dataset) -> Margin:
    r"""R2: the printed field (7b) at $\alpha=1$ is the printed field (10b)."""
    return equal(_printed(net, data, net(data.inputs))[1], linear_logistic_field(net, data)[1], "Eq. (7) and Eq. (10)")
