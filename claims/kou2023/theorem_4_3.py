r"""Theorem 4.3 with Lemma F.1: ReLU networks in the limit of long training.

The constants of the paper are absolute. The loss is followed on the events of Lemmas A.1 and A.2, see `assumptions`;
stable ranks from Gaussian starts of many sizes, with all conditions at their bounds and $\delta=\frac12$: up to 20
samples of either label, C = 10, 100 and 1000 and widths up to several thousand. Where the inner products have other
signs than $y_iy_k$ neurons may switch for ever, and no limit is reached: there t ends at $10^4$.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    at_most,
    bounded_by,
    changed,
    eventually,
    exponent,
    for_large,
    mutants,
    power,
    scaled,
    section,
    suppose,
)
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import late
from refute.claims.kou2023.theorem_4_1 import excess
from refute.language.limits import HORIZONS
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.kou2023.gaussian import gaussian_run, gaussian_start, least_width, nearly_orthogonal, on_the_events
from refute.models.kou2023.orthogonality import relative_overlap
from refute.strategies.kou2023.gaussian_relu import SLIDING, gaussian_relu
from refute.strategies.kou2023.nearly_orthogonal import relu_training

Rng = np.random.Generator

main = section("kou2023", "thm_4_3", "Theorem 4.3", kind=Kind.ASYMPTOTIC)
lemma_f1 = section("kou2023", "lemma_f1", "Lemma F.1", kind=Kind.ASYMPTOTIC)


def stable_ranks(course: Decomposition) -> Enclosed:
    """Of W_{+1} and W_{-1} at every time."""
    found: Enclosed = excess.function(course)
    return found + 1


def mean_rank(rng: Rng, inputs: int, m: int, d: int) -> float:
    """The larger stable rank at t = 10^20, over two starts, when every label is 1."""
    runs = [gaussian_run(rng, [1] * inputs, m, d, [1e20]) for _ in range(2)]
    return float(np.mean([stable_ranks(run).value.max() for run in runs]))


@lemma_f1.claim("stable_rank_bounded", instances=[{"inputs": 1}], recorded="against", fault=Fault.MISSING_HYPOTHESIS)
def stable_ranks_are_bounded(inputs: int, *, rng: Rng) -> Margin:
    r"""$\limsup_{t\to\infty}\|W_j^{(t)}\|_F^2/\|W_j^{(t)}\|_2^2\le c$ for all $j\in\{\pm1\}$ with a constant c.

    Fails when one label does not occur: for $j=-1$ and all $y_i=1$ each coefficient $\rho_{-1,r,i}$ stops as soon as
    the neuron is inactive on $x_i$, so $W_{-1}$ stays near its Gaussian start, whose stable rank grows like
    $\min(m,d)$. Nothing excludes a single label, and C does not help: with $x_1=e_1$ only the first column of $W_{-1}$
    changes, by steps of order $1/C$ like the weights themselves.

    Convention: one input, label 1, C = 10, $\delta=\frac12$; the constants c = 12, ..., 24 against networks with
    $m=c^2$ and $d=4c^2$, at $t=10^{20}$.
    """
    return for_large(lambda c: at_most(mean_rank(rng, inputs, c * c, 4 * c * c), c, "stable rank"), at=(12, 16, 20, 24))


main.claim(
    "stable_rank_bounded",
    "first item",
    instances=[{"inputs": 1}],
    recorded="against",
    fault=Fault.MISSING_HYPOTHESIS,
    root="kou2023.lemma_f1.stable_rank_bounded",
)(stable_ranks_are_bounded.conclusion)


def _trained(rng: Rng, data: Dataset, C: int, wider: int, times: Any, freeze: int) -> Decomposition:
    """From a Gaussian start on the events of Lemmas A.1 and A.2."""
    net, rate = gaussian_start(rng, data, wider * least_width(C, len(data.labels)), C)
    suppose(on_the_events(net, data, C), "signals are tame and half of the neurons start active")
    return unroll_long(net, data, rate=rate, times=times, freeze=freeze)


def _labels(positive: int, negative: int) -> NDArray[np.float64]:
    return np.array([1.0] * positive + [-1.0] * negative)


ONE_LABEL = changed("one label only", negative=lambda _: 0)
both_labels: dict[str, Any] = {
    "given": gaussian_relu(),
    "recorded": "supported",
    "mutants": [ONE_LABEL, scaled("3/5")],
    "cost": 0.15,
}


@main.claim("stable_rank_bounded.amended", "first item, with both labels", **both_labels)
def stable_ranks_are_bounded_with_both_labels(
    positive: int, negative: int, C: int, wider: int, extra: int, stretch: int, family: str, *, rng: Rng
) -> Margin:
    r"""Amended: both labels occur, in bounded proportion. Then the stable ranks stay below 3 for large t.

    For label j the growing part of $W_j$ is that of the samples of class j, and it outgrows the Gaussian start; with no
    sample of class j nothing does.

    Convention: 3 is our choice, from the limit 2 of Lemma F.3; inputs of norm 1, or 1 and 2, orthogonal or with
    $\langle x_i,x_k\rangle=py_iy_k$ and the largest p that is allowed.
    """
    data = nearly_orthogonal(_labels(positive, negative), C, extra, stretch, family)
    course = _trained(rng, data, C, wider, HORIZONS, 100)
    ranks = stable_ranks(course)
    return eventually(lambda t: at_most(ranks[course.steps == t], 3, "stable rank"), "ranks", at=course.steps)


lemma_f1.claim("stable_rank_bounded.amended", "with both labels", **both_labels)(
    stable_ranks_are_bounded_with_both_labels.conclusion
)


@main.claim(
    "stable_rank_bounded.amended_overlap",
    "first item, with both labels and overlaps of other signs",
    **{**both_labels, "given": gaussian_relu(SLIDING), "mutants": [ONE_LABEL, scaled("1/2")]},
)
def stable_ranks_are_bounded_while_neurons_switch(
    positive: int, negative: int, C: int, wider: int, extra: int, stretch: int, family: str, *, rng: Rng
) -> Margin:
    r"""Amended: both labels occur, and inner products are all p, all $-p$ or $-py_iy_k$. Then the stable ranks are
    below 3 at $t=10^4$.

    Convention: C = 10, up to three samples of either label; a finite time, as patterns need not settle.
    """
    data = nearly_orthogonal(_labels(positive, negative), C, extra, stretch, family)
    return at_most(stable_ranks(_trained(rng, data, C, wider, [1e4], 10_000)), 3, "stable rank")


@main.claim(
    "loss_rate",
    "second item",
    given=relu_training(
        samples=(1, 5), widths=(2, 4, 5, 10), extra=3, constants=(10, 100, 1000), families=("orthogonal", "class")
    ),
    assumes=RELU_APPENDIX,
    derived=[late],
    recorded="supported",
    cost=0.2,
)
@mutants(exponent("1.1"), exponent("1.02"))
def the_loss_of_relu_networks_falls_like_a_power(late: Decomposition) -> Margin:
    r"""$L_S(W^{(t)})=O(t^{-c_1(1-c_2R_{\min}^{-2}pn)/(1+c_2R_{\min}^{-2}pn)})$ with constants $c_1,c_2$.

    Convention: $c_1=c_2=1$; inputs that are orthogonal or have $\langle x_i,x_k\rangle=py_iy_k$, where patterns freeze.
    Explicit bounds at finite times for every sign of the overlaps are in Lemma G.1.
    """
    spread = float(relative_overlap(late.data.inputs))
    rate = power(-(1 - spread) / (1 + spread))
    return bounded_by(late.known_loss, rate, "loss", at=late.steps, clock=late.loss)


@main.claim("loss_rate.r1", "second item, from Gaussian starts", given=gaussian_relu(), recorded="supported", cost=0.15)
@mutants(exponent("1.1"), exponent("1.02"))
def the_loss_of_wide_relu_networks_falls_like_a_power(
    positive: int, negative: int, C: int, wider: int, extra: int, stretch: int, family: str, *, rng: Rng
) -> Margin:
    r"""$L_S(W^{(t)})=O(t^{-c_1(1-c_2R_{\min}^{-2}pn)/(1+c_2R_{\min}^{-2}pn)})$ from Gaussian starts.

    Convention: $c_1=c_2=1$; up to 40 samples, C = 10, 100 and 1000, and widths up to several thousand; inputs that are
    orthogonal or have $\langle x_i,x_k\rangle=py_iy_k$ with the largest p that is allowed.
    """
    data = nearly_orthogonal(_labels(positive, negative), C, extra, stretch, family)
    course = _trained(rng, data, C, wider, HORIZONS, 100)
    spread = float(relative_overlap(data.inputs))
    rate = power(-(1 - spread) / (1 + spread))
    return bounded_by(course.known_loss, rate, "loss", at=course.steps, clock=course.loss)
