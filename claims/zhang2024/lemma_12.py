r"""Lemma 12: how fast the larger norm u of the two layers can grow, and the displays of its proof.

Both halves of Condition 3 are inherited from the section; equal norms of the layers are not assumed.
"""

from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    at_most,
    derived,
    equal,
    exponent,
    less,
    mutants,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.assumptions import (
    CONDITION_3,
    correlated_target,
    even_inputs,
    nonzero_layers,
    odd_target,
    small_weights,
)
from refute.claims.zhang2024.norms import growth_of_u
from refute.claims.zhang2024.pairs import gate_times_argument, outputs_add_up
from refute.claims.zhang2024.setting import KINKS, OPEN_SLOPE
from refute.decide.proof import steps
from refute.functions import absolute, exp, maximum, norm, sqrt, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.models.zhang2024.early_run import EarlyRun, early_run
from refute.models.zhang2024.fields import slope_at_zero
from refute.strategies import choice, dataset, drawn, mixed, sized, two_layer
from refute.strategies.zhang2024.early_phase import any_target, large_target
from refute.strategies.zhang2024.inequalities import linear_neuron, nonzero_data_and_weights, zero_weights

LEMMA = ("zhang2024", "lemma_12", "Lemma 12")
INTERVAL = [correlated_target, nonzero_layers, small_weights]


@derived
def run(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> EarlyRun:
    """The flow on the interval of the lemma."""
    return early_run(net, data, tau, tolerance, np.linspace(0.0, 1.0, 9))


@derived
def larger(run: EarlyRun) -> Enclosed:
    """u(t)/u(0)."""
    return run.larger()


ALONE: dict[str, Any] = {"samples": drawn(1, 1), "width": (1, 1), "dimension": (1, 1)}  # where bounds are attained
TAU = choice("1", "1/10", "10")
NETWORKS = sized(net=two_layer, data=any_target, tau=TAU, samples=drawn(1, 3))
COURSES = mixed(NETWORKS, sized(net=linear_neuron, data=large_target, tau=TAU, **ALONE))

lemma = section(
    *LEMMA, kind=Kind.DYNAMICS, given=COURSES, assumes=[*CONDITION_3, *INTERVAL], derived=[run, larger], cost=0.2
)


@lemma.claim("norm_bound", "Eq. (17)", recorded="supported")
@mutants(without(odd_target), exponent("49/50", "u(t)"))
def the_larger_norm_grows_at_most_exponentially(run: EarlyRun, larger: Enclosed) -> Margin:
    r"""$u(t)\le u(0)e^{(s+\mathrm{Tr}\,\Sigma)t/\tau}$ for $t<\frac\tau{s+\mathrm{Tr}\,\Sigma}\ln\frac1{u(0)}$, for all
    slopes.

    The rate is not sharp: the cubic term of $\frac d{dt}u^2$ is negative, so the rate $\tfrac{\alpha+1}2s$ suffices.

    Convention: small is u(0) < 1, for otherwise the interval is empty; s > 0.
    """
    return at_most(larger, exp((run.size + run.trace) * run.course.time / run.tau), "u(t)/u(0) against its bound")


the_larger_norm_grows_at_most_exponentially.reading(
    "r1",
    r"""R1: on any data, as the lemma is worded; its section is about symmetric data, and its proof uses Lemma 11.

Fails: a neuron sees its own half space only, where labels and inputs can be more correlated than on the whole. Data
(1, 8), (-2, 3) have $s=|8-6|/2=1$ and $\mathrm{Tr}\,\Sigma=5/2$, while one ReLU neuron w = a > 0 sees the first datum
alone and grows at first at the rate 8/2 = 4, faster than $s+\mathrm{Tr}\,\Sigma=7/2$. The target is odd there, so even
inputs are needed.""",
    assumes=INTERVAL,
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    mutants=[],
)


@assumption(
    "network.nonzero_with_nonzero_data",
    base=sized(net=two_layer, data=dataset),
    satisfy=nonzero_data_and_weights,
    violate=zero_weights,
)
def nonzero_case(net: TwoLayer, data: Dataset) -> Margin:
    """the weights are not all zero, nor are the inputs"""
    size = maximum(squared_norm(net.inner), squared_norm(net.outer))
    return less(0, size * data.covariance.trace(), "u^2 Tr Sigma")


proof = section(*LEMMA, assumes=CONDITION_3)


@proof.claim(
    "proof_derivative",
    "first line of the proof",
    given=sized(net=two_layer, data=dataset, kink=KINKS),
    proof=lambda: steps(gate_times_argument(), outputs_add_up()),
    recorded="proved",
    convention=f"u^2 = max(|W1|^2, |W2|^2) has the derivative of either square, as both are equal; {OPEN_SLOPE}",
    cost=2.0,
)
@mutants(without(even_inputs), without(odd_target), scaled("99/100", "d|W1|^2/dt"), scaled("99/100", "d|W2|^2/dt"))
def both_norms_grow_alike(net: TwoLayer, data: Dataset, kink: str) -> Margin:
    r"""$\tau\frac{d}{dt}u^2=\tau\frac{d}{dt}\|W_2\|^2=(\alpha+1)\beta^\top W_1^\top
    W_2^\top-2W_2\langle\sigma\sigma^\top\rangle W_2^\top$.

    $\frac{d}{dt}\|W_1\|^2=\frac{d}{dt}\|W_2\|^2$ for all data, since $\sigma'(z)z=\sigma(z)$; so u may be the norm of
    either layer.
    """
    inner, outer = descent_direction(net, data, SQUARE, slope_at_zero(kink, net.slope))
    first, second, f = 2 * (net.inner * inner).sum(), 2 * (net.outer @ outer), net(data.inputs)
    printed = (1 + net.slope) * (net.linear_map() @ data.correlation) - 2 * (f @ f) / len(f)
    return all_of(equal(first, second, "d|W1|^2/dt"), equal(second, printed, "d|W2|^2/dt"))


@proof.claim(
    "proof_chain",
    "rest of the proof",
    given=mixed(sized(net=two_layer, data=dataset), sized(net=linear_neuron, data=dataset, **ALONE)),
    assumes=[*CONDITION_3, small_weights],
    recorded="refuted",
    fault=Fault.BOUNDARY,
)
def the_growth_of_u_is_bounded(net: TwoLayer, data: Dataset) -> Margin:
    r"""$(\alpha+1)\beta^\top W_1^\top W_2^\top-2W_2\langle\sigma\sigma^\top\rangle W_2^\top\le|\cdot|+|\cdot|
    \le2\|\beta\|\|W_1\|\|W_2\|+2\|W_2\|^2\|W_1\|^2\mathrm{Tr}\,\Sigma\le2su^2+2u^4\mathrm{Tr}\,\Sigma
    <2(s+\mathrm{Tr}\,\Sigma)u^2$ for u < 1. The second link is taken term by term.

    Fails only in its strict sign: with all weights zero (or all inputs zero) the last two members are equal.
    """
    s, trace, f = norm(data.correlation), data.covariance.trace(), net(data.inputs)
    label: Number = (1 + net.slope) * (net.linear_map() @ data.correlation)
    output, first, second = 2 * (f @ f) / len(f), squared_norm(net.inner), squared_norm(net.outer)
    u = maximum(first, second)  # squared
    terms, larger = (2 * s * sqrt(first * second), 2 * first * second * trace), 2 * s * u + 2 * u * u * trace
    return all_of(
        at_most(label - output, absolute(label) + output, "the triangle inequality"),
        at_most(absolute(label), terms[0], "the label term"),
        at_most(output, terms[1], "the output term"),
        at_most(terms[0] + terms[1], larger, "both norms by u"),
        less(larger, 2 * (s + trace) * u, "u^4 by u^2"),
    )


the_growth_of_u_is_bounded.amended(
    r"Amended: the same chain for 0 < u < 1 and $\mathrm{Tr}\,\Sigma>0$, where $u^4<u^2$ makes the last step strict.",
    assumes=[*CONDITION_3, nonzero_case, small_weights],
    proof=growth_of_u,
    recorded="proved",
    mutants=[
        without(small_weights),
        without(nonzero_case),
        *(scaled("99/100", line) for line in ("the triangle", "the label", "the output", "both norms", "u^4")),
    ],
    cost=2.0,
)
