r"""Appendix C, Eqs. (11) and (12): the gradient flow of deep networks, against minus the gradient of the square loss.

The output is affine in each single weight inside an activation pattern, as for two layers.
"""

import numpy as np

from refute import Fault, Margin, all_of, assumption, changed, derived, equal, mutants, scaled, section
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.neurons import entry_of_the_square_flow
from refute.claims.zhang2024.setting import same_matrix
from refute.functions import leaky_relu, sign
from refute.models import Dataset, DeepNetwork
from refute.models.zhang2024.fields import by_differences, chain, deep_factors, linear_flow
from refute.strategies import deep, sized
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.linear import linear_deep
from refute.strategies.zhang2024.kinks import avoid_deep_kinks, hit_deep_kink


@assumption(
    "network.no_deep_kinks",
    base=sized(net=deep, data=unscaled_dataset),
    satisfy=avoid_deep_kinks,
    violate=hit_deep_kink,
)
def no_deep_kinks(net: DeepNetwork, data: Dataset) -> Margin:
    """no hidden pre-activation is zero, unless the layer below is silent"""
    below, count = data.inputs, 0
    for signal in net.signals(data.inputs)[:-1]:
        alive = np.abs(sign(below)).max(axis=1) > 0
        count += int((sign(signal)[alive] == 0).sum())
        below = leaky_relu(signal, net.slope)
    return equal(count, 0, "pre-activations that are zero although the layer below is not silent")


@derived
def descent(net: DeepNetwork, data: Dataset) -> list[Array]:
    """Minus the gradient for each layer."""
    return [value for value, _ in by_differences(net.weights, net.slope, data)]


@derived
def outputs(net: DeepNetwork, data: Dataset) -> Array:
    """f on the data."""
    return np.asarray(net(data.inputs))


deep_flow = section(
    "zhang2024",
    "eq_11.deep_flow",
    "Eq. (11)",
    given=sized(net=deep, data=unscaled_dataset, depth=(2, 5), samples=(1, 2), width=(1, 3)),
    assumes=[no_deep_kinks],
    derived=[descent, outputs],
    cost=4.0,
)
LARGER = scaled("101/100", "Eq.")


def _contractions(net: DeepNetwork, data: Dataset, outputs: Array) -> list[Array]:
    """<(dh_L/dh_l)^T (y - h_L) sigma(h_{l-1})^T> for each layer, with x in the place of sigma(h_0)."""
    error = (data.labels - outputs)[:, None]
    factors = deep_factors(net.weights, net.slope, data, net.slope)
    return [(above * error).T @ below / len(error) for above, below in factors]


def _alike(printed: list[Array], descent: list[Array], name: str) -> Margin:
    layers = enumerate(zip(descent, printed, strict=True), 1)
    return all_of(*(same_matrix(minus, matrix, f"{name} against -dL/dW_{layer}") for layer, (minus, matrix) in layers))


@deep_flow.claim(recorded="refuted", fault=Fault.CONVENTION)
def deep_flow_in_numerator_layout(net: DeepNetwork, data: Dataset, outputs: Array, descent: list[Array]) -> Margin:
    r"""$\tau\dot W_l=\langle\frac{\partial h_L}{\partial h_l}(y-h_L)\frac{\partial h_l}{\partial W_l}\rangle$, in
    numerator layout.

    Fails only by its layout, which the paper does not name: for one neuron and two inputs the product is a column and
    $W_1$ a row. Read as a contraction, as it is surely meant, it holds (R1).

    Convention: R0: numerator layout, where dh_L/dh_l is a row and dh_L/dW_l has the shape of W_l transposed.
    """
    return _alike([matrix.T for matrix in _contractions(net, data, outputs)], descent, "Eq. (11)")


@deep_flow.claim("r1", proof=entry_of_the_square_flow, recorded="proved")
@mutants(LARGER, changed("101/100 f in place of f", outputs=lambda outputs: outputs * 101 / 100))
def deep_flow_as_a_contraction(net: DeepNetwork, data: Dataset, outputs: Array, descent: list[Array]) -> Margin:
    r"""R1: $-\partial\mathcal L/\partial W_l=\langle(\partial h_L/\partial
    h_l)^\top(y-h_L)\,\sigma(h_{l-1})^\top\rangle$.

    Convention: R1: the contraction over the components of h_l; sigma(h_0) is x; at a kink there is no gradient to
    compare with.
    """
    return _alike(_contractions(net, data, outputs), descent, "Eq. (11)")


@derived
def product(net: DeepNetwork) -> Array | None:
    """The product of all layers."""
    return chain(net.weights)


linear = section(
    "zhang2024",
    "eq_12",
    "Eq. (12)",
    given=sized(net=linear_deep, data=unscaled_dataset, depth=(2, 5), samples=(1, 2), width=(1, 3)),
    derived=[descent, product],
    proof=entry_of_the_square_flow,
    recorded="proved",
    mutants=[LARGER, changed("101/100 of the product", product=lambda product: product * 101 / 100)],
    convention="empty products are identities",
    cost=3.0,
)


@linear.claim("deep_linear_flow")
def deep_linear_flow_is_minus_the_gradient(
    net: DeepNetwork, data: Dataset, product: Array, descent: list[Array]
) -> Margin:
    r"""$-\partial\mathcal L/\partial W_l=(\prod_{i>l}W_i)^\top(\beta^\top-\prod_iW_i\,\Sigma)(\prod_{i<l}W_i)^\top$
    (deep linear).
    """
    middle = data.correlation[None, :] - product @ data.covariance
    printed = [linear_flow(net.weights, level, middle) for level in range(len(net.weights))]
    return _alike(printed, descent, "Eq. (12)")
