r"""Eqs. (24a), (24b): the linear approximation $\tilde W$ minus the weights, layer by layer.

$\tilde W$ is any pair of matrices of the same shapes, and $\sigma'(0)=(1+\alpha)/2$, with which (6) is linear up to the
last terms.
"""

from collections.abc import Callable

from refute import Fault, Margin, derived, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.pairs import mean_gates_add_up, outputs_add_up
from refute.claims.zhang2024.setting import same_matrix
from refute.functions import mean
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.models.zhang2024.fields import Pair, cubic_term, gates, mean_slope, through
from refute.strategies import dataset, drawn, sized, two_layer

DIFFERENCES = sized(net=two_layer, tilde=two_layer, data=dataset, samples=drawn(1, 3))
DROPS = [without(even_inputs), without(odd_target)]


@derived
def last_terms(net: TwoLayer, tilde: TwoLayer, data: Dataset) -> Pair:
    r"""$\tau\frac d{dt}(\tilde W-W)$ from (21) and (6), less its part that is linear in $\tilde W-W$."""
    row, flow = mean_slope(net) * data.correlation, descent_direction(net, data, SQUARE, mean_slope(net))
    gap = net.with_weights(tilde.inner - net.inner, tilde.outer - net.outer)
    first, second = (a - b - c for a, b, c in zip(through(tilde, row), flow, through(gap, row), strict=True))
    return first, second


equations = section(
    "zhang2024",
    given=DIFFERENCES,
    assumes=CONDITION_3,
    derived=[last_terms],
    convention="sigma'(0) = (1 + alpha)/2; W~ is any pair of matrices of the same shapes",
)
Factor = Callable[[TwoLayer, Array, Array], Array]


def entrywise(net: TwoLayer, products: Array, inputs: Array) -> Array:
    """W2^T W2 times the column of averages <sigma * sigma'>: H x 1."""
    column: Array = (net.outer * (net.outer @ mean(products)))[:, None]
    return column


def with_the_input(net: TwoLayer, products: Array, inputs: Array) -> Array:
    """W2^T W2 times the matrix <(sigma * sigma') x^T>: H x D."""
    matrix: Array = net.outer[:, None] * (net.outer @ (products.T @ inputs))[None, :] / len(inputs)
    return matrix


@equations.claim("eq_24a.difference_first_layer", "Eq. (24a)", recorded="refuted", fault=Fault.WRONG)
def first_layer_difference(net: TwoLayer, data: Dataset, last_terms: Pair, *, factor: Factor = entrywise) -> Margin:
    r"""$\tau\frac d{dt}(\tilde W_1-W_1)=\tfrac{\alpha+1}2(\tilde W_2-W_2)^\top\beta^\top
    +W_2^\top W_2\langle\sigma(W_1x)\sigma'(W_1x)\rangle$, with the entrywise product.

    Fails by its shape: the last term is an H-vector and the left side H x D. It lacks the input, see R2. In one
    dimension the values differ too: for one ReLU neuron w = a = 1 and the inputs 2, -2 the last term has to be
    $\langle\sigma\sigma'x\rangle=2$ and is 1.
    """
    products = net.hidden(data.inputs) * gates(net, data, mean_slope(net))
    return same_matrix(last_terms[0], factor(net, products, data.inputs), "the last term of Eq. (24a)")


first_layer_difference.reading(
    "r1",
    r"""R1: the average is of $(\sigma\odot\sigma')x^\top$.

Fails with two neurons: the gate $\sigma'$ belongs to the row h of the result, and here it stands inside the sum over
neurons. For the ReLU neurons 0 and 1 with outer weights 1, 1, inputs 1, -1 and $\sigma'(0)=\tfrac12$ the first row has
to be 1/4 and is 1/2.""",
    factor=with_the_input,
    recorded="refuted",
    fault=Fault.WRONG,
)


@equations.claim("eq_24a.difference_first_layer.r2", "Eq. (24a)", proof=mean_gates_add_up, recorded="proved", cost=3.0)
@mutants(*DROPS, scaled("99/100"))
def first_layer_difference_with_gates(net: TwoLayer, data: Dataset, last_terms: Pair) -> Margin:
    r"""R2: the last term of (24a) is $\langle\sigma'(W_1x)\odot W_2^\top W_2\sigma(W_1x)x^\top\rangle$, as (6a) minus
    (21) gives.
    """
    return equal(last_terms[0], cubic_term(net, data, mean_slope(net)), "the last term of Eq. (24a)")


@equations.claim("eq_24b.difference_second_layer", "Eq. (24b)", proof=outputs_add_up, recorded="proved", cost=2.0)
@mutants(*DROPS, scaled("99/100"))
def second_layer_difference(net: TwoLayer, data: Dataset, last_terms: Pair) -> Margin:
    r"""$\tau\frac d{dt}(\tilde W_2-W_2)=\tfrac{\alpha+1}2\beta^\top(\tilde W_1-W_1)^\top
    +W_2\langle\sigma(W_1x)\sigma(W_1x)^\top\rangle$.
    """
    hidden = net.hidden(data.inputs)
    return equal(last_terms[1], net.outer @ (hidden.T @ hidden) / len(hidden), "the last term of Eq. (24b)")
