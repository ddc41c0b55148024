"""Lemma 15: how fast the loss of a linear network falls on separable data."""

from fractions import Fraction

from flint import arb

from refute import Margin, assumption, at_least, bent, changed, claim, less, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.lemma_2 import with_the_sign_of_the_label
from refute.claims.min2024.training import LOSSES
from refute.decide.proof import by_smt, by_subdivision, in_words, steps
from refute.functions import log1p, smallest, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import EXPONENTIAL_SUM, Loss
from refute.strategies import choice, sized
from refute.strategies.linear import linear_two_layer
from refute.strategies.min2024 import separable as repair
from refute.strategies.min2024.separable import unit_normal
from refute.strategies.min2024.separated import labelled_dataset

CASES = sized(
    data=labelled_dataset, z=unit_normal, net=linear_two_layer, dimension=(1, 2), samples=(1, 3), width=(1, 2)
)
LOGISTIC = sized(
    data=labelled_dataset,
    z=unit_normal,
    net=linear_two_layer,
    loss=choice("twice logistic", "logistic"),
    dimension=(1, 2),
    samples=(1, 3),
    width=(1, 2),
)


@assumption(
    "data.separable_along_z",
    base=CASES,
    satisfy=repair.separate_along_normal,
    violate=repair.break_separation_along_normal,
)
def separable(data: Dataset, z: Array) -> Margin:
    """y_i <z, x_i> > 0 for all data, z a unit vector"""
    return less(0, smallest(data.labels * (data.inputs @ z)), "0 against the least y_i <z, x_i>")


@assumption("network.classifies_correctly", base=CASES, satisfy=repair.classify, violate=repair.misclassify)
def classified(data: Dataset, net: TwoLayer) -> Margin:
    """y_i v^T W^T x_i >= 0 for all data"""
    return at_least(data.labels * net(data.inputs), 0, "y_i v^T W^T x_i")


def _decrease(data: Dataset, z: Array, net: TwoLayer, loss: Loss) -> Margin:
    """-dL/dt = |grad_W L|^2 + |grad_v L|^2 against |v|^2 L^2 gamma^2 / 4."""
    inner, outer = descent_direction(net, data, loss, 1)
    scale = loss.value(data.labels, net(data.inputs)) * smallest(data.labels * (data.inputs @ z))
    bound = squared_norm(net.outer) * scale * scale / 4
    return at_least(squared_norm(inner) + squared_norm(outer), bound, "-dL/dt against |v|^2 L^2 gamma^2 / 4")


def _decrease_proof(*slopes: str | None) -> str | None:
    """With s_i = -y_i dl_i: |grad_W L| is at least its component along v z^T, whose length is |v|."""
    import z3

    s, inner, gamma, square = z3.Reals("s inner gamma square")
    return steps(
        in_words("<-grad_W L, v z^T> = |v|^2 sum_i s_i y_i <z, x_i> with s_i = -y_i dl_i, and |v z^T| = |v|"),
        with_the_sign_of_the_label(),
        by_smt(
            lambda: z3.Implies(z3.And(s > 0, inner >= gamma), s * inner >= gamma * s), "s_i y_i <z, x_i> >= gamma s_i"
        ),
        in_words("so |grad_W L| >= |v| gamma sum_i s_i"),
        *slopes,
        by_smt(lambda: z3.Implies(square >= 0, square >= square / 4), "the square, and a quarter of it"),
    )


def _exponential_proof() -> str | None:
    return _decrease_proof(in_words("s_i = l_i, so |grad_W L|^2 >= |v|^2 gamma^2 L^2"))


def _logistic_proof() -> str | None:
    return _decrease_proof(
        _ratio_proof(),
        in_words(
            "with z = e^{-y_i f_i} <= 1: s_i >= l_i/2, so |grad_W L|^2 >= |v|^2 gamma^2 L^2/4; likewise twice both"
        ),
    )


lemma = section("min2024", "lemma_15", "Lemma 15, Eq. (31)", recorded="proved", cost=3.0)


@lemma.claim("exp", "exponential loss", given=CASES, assumes=[separable], proof=_exponential_proof, cost=1.0)
@mutants(scaled("4004/1000"))
def exponential_loss_of_a_linear_network_decreases(data: Dataset, z: Array, net: TwoLayer) -> Margin:
    r"""Gradient flow on $\sum_i\ell(y_i,v^\top W^\top x_i)$ with $y_i\langle z,x_i\rangle\ge\gamma>0$, $\|z\|=1$:
    $\dot{\mathcal L}\le-\frac14\|v\|^2\mathcal L^2\gamma^2$ for the exponential loss.

    Separability is not shown necessary here: without it there is no $\gamma>0$.

    Convention: the sign condition y_i v^T W^T x_i >= 0 is not needed and not assumed; 1/4 could be 1, which is sharp.
    """
    return _decrease(data, z, net, EXPONENTIAL_SUM)


@lemma.claim("logistic", "logistic loss", given=LOGISTIC, assumes=[separable, classified], proof=_logistic_proof)
@mutants(scaled("21/10"), without(classified))
def logistic_loss_of_a_linear_network_decreases(data: Dataset, z: Array, net: TwoLayer, loss: str) -> Margin:
    r"""The same for the logistic loss, where $y_iv^\top W^\top x_i\ge0$ for all i.

    Convention: both logistic losses in print: twice the loss doubles both sides of the step 2z/(1+z) >= log(1+z).
    """
    return _decrease(data, z, net, LOSSES[loss])


def _ratio_proof() -> str | None:
    r"""2z/(1+z) >= log(1+z) on [0, 1]: divided by z, 2/(1+z) against log(1+z)/z <= 1 near zero."""

    def slack(z: arb) -> arb:
        mean = arb(1) / (1 + arb(0).union(arb(1)) * z) if z.contains(0) else z.log1p() / z
        return 2 / (1 + z) - mean

    return by_subdivision(slack, Fraction(0), Fraction(1), "2/(1+z) > log(1+z)/z")


@claim(
    "min2024.lemma_15.logistic.step",
    "proof of Lemma 15",
    given=sized(z=choice("0", "1/1000", "1/4", "1/2", "3/4", "1", "9/10")),
    proof=_ratio_proof,
    recorded="proved",
)
@mutants(scaled("1443/1000"), bent("z/(1+z)", left=lambda left: left / 2), changed("up to 4", z=lambda z: 4 * z))
def the_elementary_step_of_the_logistic_case(z: Number) -> Margin:
    r"""$\frac{2z}{1+z}\ge\log(1+z)$ for $z\in[0,1]$."""
    return at_least(2 * z / (1 + z), log1p(z), "2z/(1+z) against log(1+z)")
