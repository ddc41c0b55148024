"""Linear networks: the networks of `strategies.networks` with slope 1."""

from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from refute.language.cases import values
from refute.models.network import DeepNetwork, TwoLayer
from refute.strategies.networks import deep, deep_sizes, two_layer
from refute.strategies.sizes import Size


@values(
    lambda value: isinstance(value, TwoLayer) and value.slope == 1,
    nearest=lambda net: TwoLayer(net.inner, net.outer, Fraction(1)),
)
def linear_two_layer(size: Size) -> SearchStrategy[TwoLayer]:
    """f(x) = W2 W1 x."""
    return two_layer(size).map(lambda net: TwoLayer(net.inner, net.outer, Fraction(1)))


@values(
    lambda value: isinstance(value, DeepNetwork) and value.slope == 1,
    nearest=lambda net: DeepNetwork(net.weights, Fraction(1)),
    sizes=deep_sizes,
)
def linear_deep(size: Size) -> SearchStrategy[DeepNetwork]:
    """f(x) = W_L ... W_1 x, with hidden widths of any size."""
    return deep(size).map(lambda net: DeepNetwork(net.weights, Fraction(1)))
