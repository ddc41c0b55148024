r"""The digest of a longer version of the paper: mechanisms 1 and 2, its key results, its trade-offs.

The digest is a third party's, so none of its sentences is printed in the paper. Where one is ambiguous its readings
stand beside each other. The factors of mechanism 1 are in `summary_factors`.
"""

from refute import (
    Fault,
    Margin,
    all_of,
    assumption,
    at_least,
    changed,
    equal,
    exponent,
    instead,
    mutants,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.assumptions import (
    CONDITION_3,
    even_inputs,
    no_data_on_hyperplane,
    nonempty_half_space,
    odd_function,
    odd_target,
)
from refute.claims.zhang2024.lemma_10 import side
from refute.claims.zhang2024.neurons import homogeneous_neuron, odd_part_of_a_neuron
from refute.claims.zhang2024.pairs import loss_splits, one_of_each_pair
from refute.claims.zhang2024.setting import ON_THE_HYPERPLANE
from refute.functions import absolute, sign
from refute.models import Dataset, TwoLayer
from refute.models.loss import SQUARE
from refute.models.zhang2024.fields import mean_slope
from refute.models.zhang2024.half_spaces import half_space_average, outer_products
from refute.strategies import dataset, drawn, point, positive, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.reflections import break_oddness_on_data, make_odd_on_data

digest = section("zhang2024", "summary", "digest", printed=False)
DROPS = [without(even_inputs), without(odd_target)]


halves = digest.but(given=sized(data=dataset, r=point), assumes=[*CONDITION_3, nonempty_half_space], derived=[side])


@halves.claim(
    "mechanism_1_half_space", "mechanism 1", recorded="refuted", fault=Fault.MISSING_HYPOTHESIS, root=ON_THE_HYPERPLANE
)
def half_space_averages_are_full_averages(data: Dataset, side: Array) -> Margin:
    r"""Under Condition 3 the averages over any half space equal the full averages.

    Fails like Lemma 10 when a datum lies on the boundary: inputs -1, 0, 1 have $\Sigma=2/3$ but average 1 on x > 0.

    Convention: the averages are Sigma and beta; the half space is open and contains data.
    """
    second, first = outer_products(data.inputs), data.labels[:, None] * data.inputs
    return all_of(
        equal(half_space_average(second, side > 0), data.covariance, "<x x^T>_S+ against Sigma"),
        equal(half_space_average(first, side > 0), data.correlation, "<x y>_S+ against beta"),
    )


half_space_averages_are_full_averages.amended(
    "Amended: for half spaces with no datum on their boundary.",
    assumes=[*CONDITION_3, nonempty_half_space, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[*DROPS, without(no_data_on_hyperplane), scaled("99/100", "<x x^T>"), scaled("99/100", "<x y>")],
)


@assumption(
    "network.odd_on_data",
    base=sized(net=two_layer, data=dataset, width=drawn(1, 3)),
    satisfy=make_odd_on_data,
    violate=break_oddness_on_data,
)
def odd_on_data(net: TwoLayer, data: Dataset) -> Margin:
    """f(-x) = -f(x) whenever x and -x are data"""
    rows = {tuple(row) for row in data.inputs}
    sums = absolute(net(data.inputs) + net(-data.inputs))
    mirrored = [tuple(-row) in rows for row in data.inputs]
    return equal(sums * mirrored, 0, "f(x) + f(-x) over the data whose mirror image is a datum")


@digest.claim(
    "mechanism_2_even_inputs",
    "mechanism 2",
    given=sized(net=two_layer, data=dataset, width=drawn(1, 3)),
    assumes=[even_inputs, odd_on_data],
    proof=odd_part_of_a_neuron,
    recorded="proved",
)
@mutants(without(even_inputs), without(odd_on_data), scaled("101/100"))
def odd_functions_on_even_data_are_linear_there(net: TwoLayer, data: Dataset) -> Margin:
    r"""With even inputs, f odd on the data makes the absolute-value part vanish there: $f(x)=\tfrac{\alpha+1}2W_2W_1x$
    at every datum.

    Convention: R0: on the data; oddness is asked of pairs x, -x of data, which is all that the data show.
    """
    linear = mean_slope(net) * (data.inputs @ net.linear_map())
    return equal(net(data.inputs), linear, "f against its linear part on the data")


odd_functions_on_even_data_are_linear_there.reading(
    "r1",
    "R1: for an odd function at any points; no law of the inputs is needed.",
    assumes=[odd_function],
    proof=odd_part_of_a_neuron,
    recorded="proved",
    mutants=[without(odd_function), scaled("101/100")],
    convention="R1: on the whole space; the data are any points",
)


key = digest.but("digest, key results")


@key.claim(
    "odd_task_only_linear",
    given=sized(net=two_layer, data=unscaled_dataset, samples=drawn(1, 2)),
    assumes=CONDITION_3,
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
)
def expressible_functions_are_linear_on_odd_tasks(net: TwoLayer, data: Dataset) -> Margin:
    r"""R0: when the task is odd (Condition 3), two-layer bias-free networks only express linear functions.

    Fails: what a network expresses does not depend on the task. One ReLU neuron is not odd on the inputs 1, -1.

    Convention: R0: every expressible function is linear on the data of an odd task.
    """
    return equal(net(data.inputs), -net(-data.inputs), "f(x) against -f(-x) on the data")


@key.claim(
    "odd_task_only_linear.r1",
    given=sized(net=two_layer, x=point, z=point, width=drawn(1, 3)),
    assumes=[odd_function],
    proof=odd_part_of_a_neuron,
    recorded="proved",
)
@mutants(without(odd_function), scaled("101/100"))
def odd_expressible_functions_are_linear(net: TwoLayer, x: Array, z: Array) -> Margin:
    r"""R1: an odd function expressed by a two-layer net is additive (and homogeneous by oddness), hence linear.

    Convention: R1: every odd expressible function is linear; proved as zhang2024.corollary_2.odd_implies_linear.
    """
    return equal(net(x + z), net(x) + net(z), "f(x + z) against f(x) + f(z)")


@key.claim(
    "odd_task_only_linear.r2",
    given=sized(net=two_layer, data=dataset),
    assumes=CONDITION_3,
    proof=loss_splits,
    recorded="proved",
)
@mutants(*DROPS, scaled("101/100"))
def the_linear_part_fits_no_worse(net: TwoLayer, data: Dataset) -> Margin:
    r"""R2: the best square-loss fit on odd tasks is linear: $\mathcal L(f)\ge\mathcal L(\tfrac{\alpha+1}2W_2W_1x)$, of
    its odd part.

    Convention: R2: no network fits the data of Condition 3 better than its own linear part, which a network of
    twice the width expresses.
    """
    linear = mean_slope(net) * (data.inputs @ net.linear_map())
    loss, least = (SQUARE.value(data.labels, outputs) for outputs in (net(data.inputs), linear))
    return at_least(loss, least, "loss against that of the linear part")


scale = digest.but("digest, design trade-offs", given=sized(net=two_layer, x=point, a=positive()))


@scale.claim("scale_invariance", recorded="refuted", fault=Fault.CONVENTION)
def outputs_ignore_the_scale(net: TwoLayer, x: Array, a: Number) -> Margin:
    r"""R0: $f(ax)=f(x)$ for a > 0. Fails for every network that is not zero: f is homogeneous of degree one.

    Convention: R0: the output does not change with the scale of the input.
    """
    return equal(net(a * x), net(x), "f(ax) against f(x)")


symmetric = scale.but(proof=homogeneous_neuron, recorded="proved")
NEGATIVE = changed("also for a < 0", a=lambda a: -a)


@symmetric.claim("scale_invariance.r1")
@mutants(NEGATIVE, scaled("101/100"), exponent(2))
def outputs_scale_with_the_input(net: TwoLayer, x: Array, a: Number) -> Margin:
    r"""R1: $f(ax)=a\,f(x)$ for a > 0.

    Convention: R1: positive homogeneity.
    """
    return equal(net(a * x), a * net(x), "f(ax) against a f(x)")


def _same_sign(net: TwoLayer, x: Array, other: Array) -> Margin:
    return equal(sign(net(x)), sign(net(other)), "the signs of both outputs")


@symmetric.claim("scale_invariance.r2")
@mutants(NEGATIVE, instead("the input moved by one besides", lambda net, x, a: _same_sign(net, a * x + 1, x)))
def decisions_ignore_the_scale(net: TwoLayer, x: Array, a: Number) -> Margin:
    r"""R2: $\mathrm{sign}f(ax)=\mathrm{sign}f(x)$ for a > 0.

    Convention: R2: the decision, the sign of the output, does not change with the scale of the input.
    """
    return _same_sign(net, a * x, x)
