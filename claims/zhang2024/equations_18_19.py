r"""Eqs. (18), (19): for small weights the flow is linear."""

from refute import Margin, all_of, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.assumptions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.neurons import homogeneous_neuron
from refute.claims.zhang2024.pairs import gate_ignores_the_scale, mean_gates_add_up, outputs_add_up
from refute.decide.proof import in_words, steps
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.models.zhang2024.fields import Pair, mean_slope, through
from refute.strategies import positive, sized, two_layer
from refute.strategies.datasets import unscaled_dataset


def dropped(net: TwoLayer, data: Dataset) -> Pair:
    """What the linear system leaves out of the flow of each layer."""
    flow = descent_direction(net, data, SQUARE, mean_slope(net))
    first, second = through(net, mean_slope(net) * data.correlation)
    return first - flow[0], second - flow[1]


CUBIC = in_words(
    "so <sigma' * W2^T W2 sigma x^T> and W2 <sigma sigma^T> are left, each with three factors of the weights"
)
equations = section("zhang2024", "eq_18_19", "Eqs. (18), (19)")


@equations.claim(
    "early_phase_linear",
    given=sized(net=two_layer, data=unscaled_dataset, scale=positive()),
    assumes=CONDITION_3,
    proof=lambda: steps(mean_gates_add_up(), outputs_add_up(), gate_ignores_the_scale(), homogeneous_neuron(), CUBIC),
    recorded="proved",
    cost=2.0,
)
@mutants(without(even_inputs), without(odd_target), scaled("99/100", "W1"), scaled("99/100", "W2"))
def small_weights_obey_a_linear_system(net: TwoLayer, data: Dataset, scale: Number) -> Margin:
    r"""For small weights, approximately,
    $\tau\dot W_1=\tfrac{\alpha+1}{2}W_2^\top\beta^\top$ and $\tau\dot W_2=\tfrac{\alpha+1}{2}\beta^\top W_1^\top$.

    What is dropped is of third order in the weights, so its part of the flow falls like the square of their scale: at
    the weights cW it is exactly $c^3$ times what it is at W, while the linear terms are c times as large.

    Convention: sigma'(0) = (1 + alpha)/2.
    """
    here = dropped(net, data)
    there = dropped(net.with_weights(scale * net.inner, scale * net.outer), data)
    return all_of(*(equal(b, scale**3 * a, line) for line, a, b in zip(("W1", "W2"), here, there, strict=True)))
