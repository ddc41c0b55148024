r"""Lemma 11: under Condition 3 the label terms of the flow are those of a linear network, up to $(\alpha+1)/2$.

The pair x, -x contributes $(\sigma'(z)+\sigma'(-z))\,yx=(1+\alpha)yx$ to (16a) when $z=w^\top x\ne0$, and
$2\sigma'(0)yx$ when z = 0.
"""

from refute import Fault, Margin, changed, derived, equal, mutants, only, scaled, section, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import CONDITION_3, even_inputs, no_kinks, odd_target
from refute.claims.zhang2024.pairs import gates_add_up, mean_gates_add_up, outputs_add_up
from refute.claims.zhang2024.setting import FILIPPOV_SLOPE, KINKS, OPEN_SLOPE
from refute.functions import mean
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.fields import gated_field, mean_slope, slope_at_zero
from refute.strategies import dataset, sized, two_layer

DROPS = [without(even_inputs), without(odd_target)]
HALF = [scaled("99/100")]
OTHER_VALUES = [
    changed("sigma'(0) is one", kink=lambda _: "one"),
    changed("sigma'(0) is zero", kink=lambda _: "zero"),
    changed("sigma'(0) is alpha", kink=lambda _: "alpha"),
]
WITH_KINK = sized(net=two_layer, data=dataset, kink=KINKS)


@derived
def label_term(net: TwoLayer, data: Dataset) -> Array:
    r"""$\tfrac{\alpha+1}2W_2^\top\beta^\top$."""
    term: Array = mean_slope(net) * net.outer[:, None] * data.correlation
    return term


lemma = section(
    "zhang2024",
    "lemma_11",
    "Lemma 11",
    given=sized(net=two_layer, data=dataset),
    assumes=CONDITION_3,
    derived=[label_term],
    mutants=HALF,
)


@lemma.claim(
    "first_layer",
    "Eq. (16a)",
    given=sized(net=two_layer, data=dataset, kink=only("mean")),
    proof=mean_gates_add_up,
    recorded="proved",
    convention=FILIPPOV_SLOPE,
)
@mutants(*DROPS, *OTHER_VALUES)
def label_term_of_the_first_layer_is_linear(net: TwoLayer, data: Dataset, kink: str, label_term: Array) -> Margin:
    r"""$\langle\sigma'(W_1x)\odot W_2^\top yx^\top\rangle=\tfrac{\alpha+1}{2}W_2^\top\beta^\top$."""
    left = gated_field(net, data, data.labels, slope_at_zero(kink, net.slope))
    return equal(left, label_term, "<sigma'(W1 x) * W2^T y x^T> against (1+alpha)/2 W2^T beta^T")


label_term_of_the_first_layer_is_linear.reading(
    "r1",
    r"""R1: for every value of $\sigma'(0)$, which the paper leaves open here.

Fails at a kink: with w = 0 every pre-activation is zero and the left side is $\sigma'(0)w_2\beta$, so only
$\sigma'(0)=(1+\alpha)/2$ would do. One neuron w = 0, w2 = 1, data (1, 1), (-1, -1): the sides are $\sigma'(0)$ and
$(1+\alpha)/2$.""",
    given=WITH_KINK,
    recorded="refuted",
    fault=Fault.CONVENTION,
    mutants=[],
    convention=OPEN_SLOPE,
)
label_term_of_the_first_layer_is_linear.reading(
    "r2",
    r"R2: for every value of $\sigma'(0)$, when no pre-activation is zero.",
    given=WITH_KINK,
    assumes=[*CONDITION_3, no_kinks],
    proof=gates_add_up,
    recorded="proved",
    mutants=[*DROPS, without(no_kinks), *HALF],
    convention=OPEN_SLOPE,
)


@lemma.claim("second_layer", "Eq. (16b)", proof=outputs_add_up, recorded="proved")
@mutants(*DROPS)
def label_term_of_the_second_layer_is_linear(net: TwoLayer, data: Dataset) -> Margin:
    r"""$\langle y\,\sigma(W_1x)^\top\rangle=\tfrac{\alpha+1}{2}\beta^\top W_1^\top$."""
    left = mean(data.labels[:, None] * net.hidden(data.inputs))
    return equal(left, mean_slope(net) * net.inner @ data.correlation, "<y sigma(W1 x)^T> against the linear one")
