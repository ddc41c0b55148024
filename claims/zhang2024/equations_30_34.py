r"""Appendix E.2, Eqs. (30) to (34): the flow of the square loss at weights of Assumption 4 is that of a linear network.

The paper leaves $\sigma'(0)$ open. It matters only for data on the hyperplane $r^\top x=0$, where averages over
$\mathbb S^+$ fail as well. As in Theorem 5, statements are read with the mean slope, to which the two sides of a kink
average over a pair x, -x.
"""

from refute import Fault, Margin, all_of, changed, derived, equal, mutants, only, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.assumptions import (
    ASSUMPTION_4,
    CONDITION_3,
    clear,
    equal_norms,
    even_inputs,
    odd_target,
    off_boundary,
    rank_one,
)
from refute.claims.zhang2024.neurons import neuron_of_a_rank_one_network
from refute.claims.zhang2024.pairs import (
    gated_outputs_add_up,
    gated_weights_add_up,
    half_spaces_off_the_boundary,
    mean_gates_add_up,
    outputs_add_up,
)
from refute.claims.zhang2024.setting import FILIPPOV_SLOPE, KINKS, ON_THE_HYPERPLANE, OPEN_SLOPE
from refute.decide.proof import steps
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.models.zhang2024.fields import Pair, cubic_term, gated_field, mean_slope, slope_at_zero
from refute.models.zhang2024.rank_one import Lines, first_layer_lines, reduced_field, second_layer_lines
from refute.strategies import dataset, drawn, sized, two_layer
from refute.strategies.datasets import unscaled_dataset

A4 = sized(net=two_layer, data=dataset, samples=drawn(1, 3), width=(2, 4))
WITH_KINK = sized(net=two_layer, data=unscaled_dataset, kink=KINKS, samples=drawn(1, 2), width=(2, 3), dimension=(2, 2))
WITH_MEAN_SLOPE = sized(net=two_layer, data=dataset, kink=only("mean"), samples=drawn(1, 3), width=(2, 4))
DROPS = [without(assumption) for assumption in (even_inputs, odd_target, equal_norms, rank_one)]
LARGER = scaled("101/100", "Eq.")
PARTITION = "S+ and S- as in Eq. (26); some datum lies off the hyperplane, so that neither average is empty"


@derived
def at_zero(net: TwoLayer, kink: str) -> Number:
    """sigma'(0)."""
    return slope_at_zero(kink, net.slope)


first = section(
    "zhang2024",
    given=WITH_MEAN_SLOPE,
    assumes=[*CONDITION_3, *ASSUMPTION_4],
    derived=[at_zero],
    recorded="proved",
    mutants=[*DROPS, LARGER, changed("sigma'(0) = 1", at_zero=lambda slope: slope * 0 + 1)],
    convention=FILIPPOV_SLOPE,
)
second = section(
    "zhang2024",
    given=A4,
    assumes=first.assumes,
    proof=lambda: steps(outputs_add_up(), neuron_of_a_rank_one_network()),
    recorded="proved",
    mutants=[*DROPS, LARGER],
    cost=2.0,
)


@first.claim(
    "eq_30a.substituted_first_layer",
    "Eq. (30a)",
    proof=lambda: steps(mean_gates_add_up(), neuron_of_a_rank_one_network()),
    cost=2.0,
)
def first_layer_after_substitution(net: TwoLayer, data: Dataset, at_zero: Number) -> Margin:
    r"""$\tau\dot W_1=\tfrac{\alpha+1}2W_2^\top\beta^\top-\langle\sigma'(W_1x)\odot W_2^\top
    W_2\sigma(W_1x)x^\top\rangle =\tfrac{\alpha+1}2W_2^\top\beta^\top-\tfrac{\alpha+1}2\langle\sigma'(W_1x)\odot
    W_2^\top W_2W_1xx^\top\rangle$.
    """
    flow, half = descent_direction(net, data, SQUARE, at_zero)[0], mean_slope(net)
    label = half * net.outer[:, None] * data.correlation[None, :]
    linear = gated_field(net, data, data.inputs @ net.linear_map(), at_zero)
    return all_of(
        equal(flow, label - cubic_term(net, data, at_zero), "Eq. (6a) against the first line"),
        equal(flow, label - half * linear, "Eq. (6a) against the second line"),
    )


@first.claim(
    "eq_34a.reduced_first_layer",
    "Eq. (34a)",
    proof=lambda: steps(mean_gates_add_up(), neuron_of_a_rank_one_network(), gated_outputs_add_up()),
    cost=0.7,
)
def first_layer_reduces_to_a_linear_one(net: TwoLayer, data: Dataset, at_zero: Number) -> Margin:
    r"""$\tau\dot W_1=\tfrac{\alpha+1}2W_2^\top\beta^\top-(\tfrac{\alpha+1}2)^2W_2^\top W_2W_1\Sigma$."""
    flow = descent_direction(net, data, SQUARE, at_zero)[0]
    return equal(flow, reduced_field(net, data)[0], "Eq. (6a) against Eq. (34a)")


FALLS = r"""R1: for every value of $\sigma'(0)$, which the paper leaves open here.

Fails when a datum lies on $r^\top x=0$: its label term has the factor $\sigma'(0)$ and not $\tfrac{\alpha+1}2$. For the
ReLU neurons $\pm(1,0)$ with outer weights $\pm1$ and the data $\pm((0,1),1)$ the first row is $(0,\sigma'(0))$ on the
left and $(0,\tfrac12)$ on the right."""

for printed in (first_layer_after_substitution, first_layer_reduces_to_a_linear_one):
    printed.reading(
        "r1",
        FALLS,
        given=WITH_KINK,
        recorded="refuted",
        fault=Fault.CONVENTION,
        root="zhang2024.lemma_11.first_layer.r1",
        mutants=[],
        convention=OPEN_SLOPE,
    )
    printed.reading(
        "r2",
        r"R2: for every value of $\sigma'(0)$, when no datum lies on $r^\top x=0$.",
        given=WITH_KINK,
        assumes=[*first.assumes, clear],
        proof=lambda: steps(gated_weights_add_up(), neuron_of_a_rank_one_network(), gated_outputs_add_up()),
        recorded="proved",
        mutants=[*DROPS, LARGER, without(clear)],
        convention=OPEN_SLOPE,
        cost=2.0,
    )


@second.claim("eq_30b.substituted_second_layer", "Eq. (30b)")
def second_layer_after_substitution(net: TwoLayer, data: Dataset) -> Margin:
    r"""$\tau\dot W_2=\tfrac{\alpha+1}2\beta^\top W_1^\top-W_2\langle\sigma\sigma^\top\rangle
    =\tfrac{\alpha+1}2\beta^\top W_1^\top-\tfrac{\alpha+1}2W_2W_1\langle x\,\sigma(W_1x)^\top\rangle$.
    """
    flow, half = descent_direction(net, data, SQUARE, net.slope)[1], mean_slope(net)
    hidden, label = net.hidden(data.inputs), half * net.inner @ data.correlation
    linear = net.linear_map() @ (data.inputs.T @ hidden) / len(hidden)
    return all_of(
        equal(flow, label - net.outer @ (hidden.T @ hidden) / len(hidden), "Eq. (6b) against the first line"),
        equal(flow, label - half * linear, "Eq. (6b) against the second line"),
    )


@second.claim("eq_34b.reduced_second_layer", "Eq. (34b)")
def second_layer_reduces_to_a_linear_one(net: TwoLayer, data: Dataset) -> Margin:
    r"""$\tau\dot W_2=\tfrac{\alpha+1}2\beta^\top W_1^\top-(\tfrac{\alpha+1}2)^2W_2W_1\Sigma W_1^\top$."""
    flow = descent_direction(net, data, SQUARE, net.slope)[1]
    return equal(flow, reduced_field(net, data)[1], "Eq. (6b) against Eq. (34b)")


def display(lines: Lines, gated: Pair) -> Margin:
    """The lines of a display in turn, and its two ends; `gated` are the terms of its third line."""
    halves, terms = sum(lines.halves) / 2, sum(gated) / 2
    return all_of(
        equal(lines.mean, halves, "average against half the sum over S+ and S-"),
        equal(halves, terms, "half spaces against the gated outer weights"),
        equal(terms, lines.whole, "gated outer weights against the last line"),
        equal(lines.mean, lines.whole, "first line against the last line"),
    )


@derived
def of_first_layer(net: TwoLayer, data: Dataset) -> Lines:
    """The lines of Eq. (31)."""
    return first_layer_lines(net, data, data.labels * 0 + 1)


@derived
def of_second_layer(net: TwoLayer, data: Dataset) -> Lines:
    """The lines of Eq. (33)."""
    return second_layer_lines(net, data, data.labels * 0 + 1)


displays = section(
    "zhang2024",
    given=A4,
    assumes=[even_inputs, *ASSUMPTION_4, off_boundary],
    derived=[at_zero, of_first_layer, of_second_layer],
    recorded="refuted",
    fault=Fault.BOUNDARY,
    root=ON_THE_HYPERPLANE,
    convention=PARTITION,
)
ends = displays.but(recorded="proved", fault=None, root="", cost=2.0)
OFF_BOUNDARY = r"Amended: when no datum lies on $r^\top x=0$; then each half space holds one of each pair x, -x."
DISPLAY_MUTANTS = [scaled("101/100", "gated"), scaled("101/100", "half"), without(even_inputs), without(clear)]


@displays.claim("eq_31.second_term_first_layer", "Eq. (31)")
def second_term_of_the_first_layer(of_first_layer: Lines) -> Margin:
    r"""$\langle\sigma'(W_1x)\odot W_2^\top W_2W_1xx^\top\rangle=\tfrac12\langle\cdot\rangle_{\mathbb S^+}
    +\tfrac12\langle\cdot\rangle_{\mathbb S^-}=\tfrac12[W_2^+,\alpha W_2^-]^\top W_2W_1\Sigma
    +\tfrac12[\alpha W_2^+,W_2^-]^\top W_2W_1\Sigma=\tfrac{\alpha+1}2W_2^\top W_2W_1\Sigma$.

    Fails in its half-space averages when a datum lies on the hyperplane: for inputs -1, 0, 1 the average over
    $\mathbb S^+$ has two data and the one over $\mathbb S^-$ one. With the ReLU neurons 1, -1 and outer weights 1, -1
    the entry of the second neuron is -2/3 on average and -1 by the two halves. The two ends agree always (R1).
    """
    return display(of_first_layer, of_first_layer.gated)


@displays.claim("eq_33.second_term_second_layer", "Eq. (33)")
def second_term_of_the_second_layer(of_second_layer: Lines) -> Margin:
    r"""$\langle x\,\sigma(W_1x)^\top\rangle=\tfrac12\langle xx^\top\rangle_{\mathbb S^+}r[W_2^+\ \alpha W_2^-]
    +\tfrac12\langle xx^\top\rangle_{\mathbb S^-}r[\alpha W_2^+\ W_2^-]=\tfrac{\alpha+1}2\Sigma
    rW_2=\tfrac{\alpha+1}2\Sigma W_1^\top$.

    Fails in its half-space averages like (31): for inputs -1, 0, 1, the ReLU neurons 1, -1 and outer weights 1, -1 the
    entry of the second neuron is -1/3 on average and -1/2 by the two halves. The two ends agree always (R1).
    """
    return display(of_second_layer, of_second_layer.gated)


for printed in (second_term_of_the_first_layer, second_term_of_the_second_layer):
    printed.amended(
        OFF_BOUNDARY,
        assumes=[even_inputs, *ASSUMPTION_4, clear],
        proof=half_spaces_off_the_boundary,
        recorded="proved",
        mutants=DISPLAY_MUTANTS,
        convention="",
        cost=3.0,
    )


@ends.claim(
    "eq_31.second_term_first_layer.r1",
    "Eq. (31), first and last line",
    given=WITH_KINK,
    assumes=[even_inputs, *ASSUMPTION_4],
    proof=gated_outputs_add_up,
    convention=f"R1: the two ends of the display only; {OPEN_SLOPE}",
)
@mutants(without(even_inputs), scaled("101/100"))
def ends_of_the_first_display_agree(net: TwoLayer, data: Dataset, at_zero: Number) -> Margin:
    r"""R1: $\langle\sigma'(W_1x)\odot W_2^\top W_2W_1xx^\top\rangle=\tfrac{\alpha+1}2W_2^\top W_2W_1\Sigma$, whatever
    $\sigma'(0)$ is: the term vanishes on the hyperplane.
    """
    whole = mean_slope(net) * net.outer[:, None] * (net.linear_map() @ data.covariance)[None, :]
    linear = gated_field(net, data, data.inputs @ net.linear_map(), at_zero)
    return equal(linear, whole, "first line against the last line")


@ends.claim("eq_33.second_term_second_layer.r1", "Eq. (33), both ends", assumes=[even_inputs], proof=outputs_add_up)
@mutants(without(even_inputs), scaled("101/100"))
def ends_of_the_second_display_agree(net: TwoLayer, data: Dataset) -> Margin:
    r"""R1: $\langle x\,\sigma(W_1x)^\top\rangle=\tfrac{\alpha+1}2\Sigma W_1^\top$ for even inputs and all weights.

    Convention: R1: the two ends of the display only; Assumption 4 is not needed.
    """
    whole = mean_slope(net) * data.covariance @ net.inner.T
    first = data.inputs.T @ net.hidden(data.inputs) / len(data.labels)
    return equal(first, whole, "<x sigma^T> against (alpha+1)/2 Sigma W1^T")
