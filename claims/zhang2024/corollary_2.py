r"""Corollary 2: a two-layer network expresses no odd function but linear ones."""

from refute import Margin, all_of, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import odd_function
from refute.claims.zhang2024.neurons import odd_part_of_a_neuron
from refute.models import TwoLayer
from refute.models.zhang2024.fields import mean_slope
from refute.strategies import drawn, point, sized, two_layer

main = section(
    "zhang2024",
    "corollary_2",
    "Corollary 2",
    given=sized(net=two_layer, x=point, z=point, width=drawn(1, 3)),
    assumes=[odd_function],
    proof=odd_part_of_a_neuron,
    recorded="proved",
)


@main.claim("odd_implies_linear")
@mutants(without(odd_function), scaled("101/100", "f(x)"))
def odd_functions_are_linear(net: TwoLayer, x: Array, z: Array) -> Margin:
    r"""An odd function expressed by a two-layer net is linear, namely $\tfrac{1+\alpha}{2}W_2W_1x$.

    If f is odd then f(x) = (f(x) - f(-x))/2, and that is linear for every two-layer net.

    Convention: oddness is decided exactly: sum_h w2h |w1h.x| vanishes iff it does on every line spanned by rows of W1
    """
    return all_of(
        equal(net(x + z), net(x) + net(z), "f(x+z) = f(x) + f(z)"),
        equal(net(x), mean_slope(net) * (net.linear_map() @ x), "f(x) = (1+alpha)/2 W2 W1 x"),
    )
