r"""Eq. (25): the system for $\delta W=\tilde W-W$, and the bounds of its remainder $\epsilon$.

$\epsilon$ is read with R2 of (24a).
"""

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
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
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import CONDITION_3, even_inputs, odd_target, small_weights
from refute.claims.zhang2024.equations_24 import DIFFERENCES, last_terms
from refute.claims.zhang2024.lemma_12 import ALONE, INTERVAL, NETWORKS, TAU, run
from refute.claims.zhang2024.norms import cubes, gated_products, second_moments
from refute.claims.zhang2024.pairs import mean_gates_add_up, outputs_add_up
from refute.decide.proof import steps
from refute.functions import exp, maximum, sqrt, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.early_run import EarlyRun
from refute.models.zhang2024.fields import Pair, cubic_term, mean_slope
from refute.strategies import dataset, mixed, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.early_phase import any_target
from refute.strategies.zhang2024.inequalities import linear_neuron


@derived
def epsilon(net: TwoLayer, data: Dataset) -> Pair:
    """Its blocks for both layers."""
    hidden = net.hidden(data.inputs)
    second: Array = net.outer @ (hidden.T @ hidden) / len(hidden)
    return cubic_term(net, data, mean_slope(net)), second


@derived
def bound(net: TwoLayer, data: Dataset) -> Array:
    r"""$(u^3\mathrm{Tr}\,\Sigma)^2$."""
    found: Array = maximum(squared_norm(net.inner), squared_norm(net.outer)) ** 3 * data.covariance.trace() ** 2
    return found


system = section(
    "zhang2024",
    "eq_25.difference_system",
    "Eq. (25)",
    assumes=CONDITION_3,
    derived=[epsilon, bound],
    convention="delta W = W~ - W; epsilon read with R2 of (24a); sigma'(0) = (1 + alpha)/2",
)


ATTAINED = sized(net=linear_neuron, tilde=two_layer, data=dataset, **ALONE)
LINES = ("first block", "second block", "squares: first", "squares: second", "squares: |epsilon|")


@system.claim(
    reference="and the bounds after it",
    given=mixed(DIFFERENCES, ATTAINED),
    derived=[epsilon, bound, last_terms],
    proof=lambda: steps(mean_gates_add_up(), outputs_add_up(), second_moments(), gated_products(), cubes()),
    recorded="proved",
    cost=2.0,
)
@mutants(without(even_inputs), without(odd_target), *(scaled("99/100", line) for line in LINES))
def remainder_of_the_difference_system_is_cubic(last_terms: Pair, epsilon: Pair, bound: Array) -> Margin:
    r"""$\tau\frac d{dt}\delta W=\tfrac{\alpha+1}2M\,\delta W+\epsilon$, both blocks of $\epsilon$ are at most
    $u^3\mathrm{Tr}\,\Sigma$ in norm, hence $\|\epsilon\|\le\sqrt2u^3\mathrm{Tr}\,\Sigma$. Squares are compared; the
    last bound, about trajectories, is R1.
    """
    first, second = (squared_norm(block) for block in epsilon)
    return all_of(
        equal(last_terms[0], epsilon[0], "first block of Eq. (25)"),
        equal(last_terms[1], epsilon[1], "second block of Eq. (25)"),
        at_most(first, bound, "squares: first block of epsilon against u^3 Tr Sigma"),
        at_most(second, bound, "squares: second block of epsilon against u^3 Tr Sigma"),
        at_most(first + second, 2 * bound, "squares: |epsilon| against sqrt(2) u^3 Tr Sigma"),
    )


@system.claim(
    "r1",
    "the last bound after it",
    given=sized(net=two_layer, data=unscaled_dataset),
    assumes=[*CONDITION_3, small_weights],
    recorded="refuted",
    fault=Fault.BOUNDARY,
    printed=True,
)
def the_remainder_is_strictly_below_its_exponential(epsilon: Pair, bound: Array) -> Margin:
    r"""R1: $\|\epsilon\|\le\sqrt2u^3\mathrm{Tr}\,\Sigma
    <\sqrt2u_0^3e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}\mathrm{Tr}\,\Sigma$ from t = 0 on.

    Fails in its strict sign only, at t = 0, where the two bounds are equal (for w = a = 1/2 and the inputs 1, -1 both
    are $\sqrt2/8$); Lemma 12, which it rests on, has the weak sign.

    Convention: the statement at t = 0, where u = u_0 and the exponential is 1; epsilon read with R2 of (24a).
    """
    return all_of(
        at_most(sum(squared_norm(block) for block in epsilon), 2 * bound, "squares: |epsilon| against the first bound"),
        less(2 * bound, 2 * bound, "squares: the first bound against the second at t = 0"),
    )


@system.claim(
    "r1.amended",
    "the last bound after it",
    kind=Kind.DYNAMICS,
    given=mixed(NETWORKS, sized(net=linear_neuron, data=any_target, tau=TAU, **ALONE)),
    assumes=[*CONDITION_3, *INTERVAL],
    derived=[run],
    recorded="supported",
    cost=0.2,
)
@mutants(without(odd_target), scaled("99/100"), exponent("1/4"))
def the_remainder_stays_below_its_exponential(run: EarlyRun) -> Margin:
    r"""Amended: $\|\epsilon(t)\|\le\sqrt2u_0^3e^{3(s+\mathrm{Tr}\,\Sigma)t/\tau}\mathrm{Tr}\,\Sigma$ along the flow.

    Convention: on the interval of Lemma 12; epsilon read with R2 of (24a); sigma'(0) = (1 + alpha)/2.
    """
    remainder: Enclosed = run.remainder() / (np.sqrt(2) * run.start**3 * run.trace)
    growth = exp(3 * (run.size + run.trace) * run.course.time / run.tau)
    return at_most(sqrt((remainder * remainder).sum(axis=(1, 2))), growth, "|epsilon| against its bound")
