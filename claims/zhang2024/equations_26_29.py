r"""Appendix E.2, Eqs. (26) to (29): half spaces, and the output of rank-one weights on them."""

from refute import Fault, Margin, all_of, equal, instead, mutants, scaled, section, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import (
    ASSUMPTION_4,
    CONDITION_3,
    equal_norms,
    even_inputs,
    no_data_on_hyperplane,
    nonempty_half_space,
    odd_target,
    rank_one,
)
from refute.claims.zhang2024.neurons import linear_neuron, neuron_of_a_rank_one_network
from refute.claims.zhang2024.pairs import one_of_each_pair
from refute.claims.zhang2024.setting import ON_THE_HYPERPLANE
from refute.decide.proof import by_smt
from refute.functions import sign, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.fields import mean_slope
from refute.models.zhang2024.half_spaces import half_space_average, outer_products
from refute.models.zhang2024.rank_one import projection
from refute.strategies import dataset, point, sized, two_layer

half_spaces = section("zhang2024", "eq_26.half_spaces", "Eq. (26)", given=sized(data=dataset, r=point), cost=2.0)
values = section(
    "zhang2024",
    given=sized(net=two_layer, x=point, width=(1, 4)),
    assumes=ASSUMPTION_4,
    recorded="proved",
    proof=neuron_of_a_rank_one_network,
    cost=2.0,
)


def _halves_are_complementary() -> str | None:
    import z3

    z = z3.Real("z")
    return by_smt(lambda: z3.Xor(z >= 0, z < 0))


def _in_exactly_one(plus: Array, minus: Array) -> Margin:
    return equal(plus.astype(int) + minus.astype(int), 1, "number of half spaces that contain the datum")


def _with_open_positive_side(data: Dataset, r: Array) -> Margin:
    side = sign(data.inputs @ r)
    return _in_exactly_one(side > 0, side < 0)


def _with_closed_negative_side(data: Dataset, r: Array) -> Margin:
    side = sign(data.inputs @ r)
    return _in_exactly_one(side >= 0, side <= 0)


@half_spaces.claim(proof=_halves_are_complementary, recorded="proved")
@mutants(instead("S+ open as in Lemma 10", _with_open_positive_side), instead("S- closed", _with_closed_negative_side))
def the_half_spaces_partition_the_inputs(data: Dataset, r: Array) -> Margin:
    r"""$\mathbb S^+=\{r^\top x\ge0\}$ and $\mathbb S^-=\{r^\top x<0\}$: each point lies in exactly one of them."""
    side = sign(data.inputs @ r)
    return _in_exactly_one(side >= 0, side < 0)


@half_spaces.claim(
    "r1",
    "with Lemma 10",
    assumes=[*CONDITION_3, nonempty_half_space],
    recorded="refuted",
    fault=Fault.BOUNDARY,
    root=ON_THE_HYPERPLANE,
)
def closed_half_space_averages_are_averages(data: Dataset, r: Array) -> Margin:
    r"""R1: Lemma 10 with $\mathbb S^+=\{r^\top x\ge0\}$: $\langle xx^\top\rangle_{\mathbb S^+}=\Sigma$ and
    $\langle xy\rangle_{\mathbb S^+}=\beta$.

    Fails like the open half space when a datum lies on the hyperplane: inputs -1, 0, 1 have $\Sigma=2/3$ but average
    1/2 on x >= 0.

    Convention: R1: Lemma 10 with the closed half space of Eq. (26)
    """
    inside, labelled = sign(data.inputs @ r) >= 0, data.labels[:, None] * data.inputs
    return all_of(
        equal(half_space_average(outer_products(data.inputs), inside), data.covariance, "<x x^T>_S+ against Sigma"),
        equal(half_space_average(labelled, inside), data.correlation, "<x y>_S+ against beta"),
    )


closed_half_space_averages_are_averages.amended(
    r"Amended: when no datum lies on $r^\top x=0$, where the open and the closed half space contain the same data.",
    assumes=[*CONDITION_3, nonempty_half_space, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[
        *[without(assumption) for assumption in (even_inputs, odd_target, no_data_on_hyperplane)],
        scaled("101/100", "<x x^T>_S+"),
        scaled("101/100", "<x y>_S+"),
    ],
)


@values.claim("eq_27.relu_value", "Eq. (27)")
@mutants(scaled("101/100"), without(equal_norms), without(rank_one))
def output_under_assumption_4(net: TwoLayer, x: Array) -> Margin:
    r"""$W_2\sigma(W_1x)=\tfrac{\alpha+1}2\,r^\top x\,\|W_2\|^2$ under Assumption 4."""
    value = mean_slope(net) * projection(net, x) * squared_norm(net.outer)
    return equal(net(x), value, "f(x) against (alpha+1)/2 r.x |W2|^2")


@values.claim("eq_28.linear_value", "Eq. (28)", assumes=[rank_one], proof=linear_neuron)
@mutants(without(rank_one), scaled("101/100", "W2 W1 x"), scaled("101/100", "W1 x"))
def linear_output_of_rank_one_weights(net: TwoLayer, x: Array) -> Margin:
    r"""$W_2W_1x=W_2W_2^\top r^\top x=r^\top x\,\|W_2\|^2$ for rank-one weights.

    Convention: r is read off W1 by least squares, r = W1^T W2^T/|W2|^2; with W2 = 0 any unit vector will do
    """
    z = projection(net, x)
    return all_of(
        equal(net.linear_map() @ x, z * squared_norm(net.outer), "W2 W1 x against r.x |W2|^2"),
        equal(net.inner @ x, net.outer * z, "W1 x against W2^T r.x"),
    )


@values.claim("eq_29.half_factor", "Eq. (29)")
@mutants(scaled("101/100"), without(equal_norms), without(rank_one))
def output_is_half_the_linear_output(net: TwoLayer, x: Array) -> Margin:
    r"""$W_2\sigma(W_1x)=\tfrac{\alpha+1}2W_2W_1x$ for all x under Assumption 4."""
    return equal(net(x), mean_slope(net) * (net.linear_map() @ x), "f(x) against (alpha+1)/2 W2 W1 x")
