r"""Theorem 4.3 with Lemma F.1: ReLU networks in the limit of long training.

The constants of the paper are absolute. The loss is followed on the events of Lemmas A.1 and A.2, see `assumptions`;
stable ranks from Gaussian starts of many sizes, with all conditions at their bounds and $\delta=\frac12$: up to 20
samples of either label, C = 10, 100 and 1000 and widths up to several thousand. Where the inner products have other
signs than $y_iy_k$ neurons may switch for ever, and no limit is reached: there t ends at $10^4$.
"""

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    at_most,
    bounded_by,
    derived,
    eventually,
    exponent,
    for_large,
    instead,
    mutants,
    power,
    scaled,
    section,
    suppose,
)
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import late
from refute.claims.kou2023.theorem_4_1 import SINGULAR
from refute.language.limits import HORIZONS
from refute.models import Dataset
from refute.models.geometry.stable_rank import known_stable_ranks
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.kou2023.gaussian import gaussian_run, gaussian_start, least_width, nearly_orthogonal, on_the_events
from refute.models.kou2023.orthogonality import relative_overlap
from refute.strategies.kou2023.gaussian_relu import SLIDING, gaussian_relu
from refute.strategies.kou2023.nearly_orthogonal import relu_training

main = section("kou2023", "thm_4_3", "Theorem 4.3", kind=Kind.ASYMPTOTIC)
lemma_f1 = section("kou2023", "lemma_f1", "Lemma F.1", kind=Kind.ASYMPTOTIC)


def stable_ranks(course: Decomposition) -> Enclosed:
    """Of W_{+1} and W_{-1} at every time."""
    return known_stable_ranks(course.weights, course.error + SINGULAR)


def mean_rank(rng: np.random.Generator, inputs: int, m: int, d: int) -> float:
    """The larger stable rank at t = 10^20, over two starts, when every label is 1."""
    runs = [gaussian_run(rng, [1] * inputs, m, d, [1e20]) for _ in range(2)]
    return float(np.mean([stable_ranks(run).value.max() for run in runs]))


@lemma_f1.claim("stable_rank_bounded", instances=[{"inputs": 1}], recorded="against", fault=Fault.MISSING_HYPOTHESIS)
def stable_ranks_are_bounded(inputs: int, *, rng: np.random.Generator) -> Margin:
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
    root=stable_ranks_are_bounded.id,
)(stable_ranks_are_bounded.conclusion)


@derived
def data(positive: int, negative: int, C: int, extra: int, stretch: int, family: str) -> Dataset:
    """Inputs of norm 1, or 1 and 2, with the largest overlaps that are allowed."""
    return nearly_orthogonal(np.array([1.0] * positive + [-1.0] * negative), C, extra, stretch, family)


def _trained(data: Dataset, C: int, wider: int, start: int, times: object, freeze: int) -> Decomposition:
    """From a Gaussian start on the events of Lemmas A.1 and A.2."""
    net, rate = gaussian_start(np.random.default_rng(start), data, wider * least_width(C, len(data.labels)), C)
    suppose(on_the_events(net, data, C), "signals are tame and half of the neurons start active")
    return unroll_long(net, data, rate=rate, times=times, freeze=freeze)


@derived
def trained(data: Dataset, C: int, wider: int, start: int) -> Decomposition:
    """At the horizons of limits."""
    return _trained(data, C, wider, start, HORIZONS, 100)


@derived
def ranks(trained: Decomposition) -> Enclosed:
    """The stable ranks of W_{+1} and W_{-1} at these horizons."""
    return stable_ranks(trained)


@derived
def sliding(data: Dataset, C: int, wider: int, start: int) -> Decomposition:
    """At t = 10^4, where every step has been taken."""
    return _trained(data, C, wider, start, [1e4], 10_000)


def _with_one_label(data: Dataset, C: int, wider: int, start: int) -> Margin:
    every_one = Dataset(data.inputs, abs(data.labels))
    return at_most(stable_ranks(_trained(every_one, C, wider, start, [1e4], 10_000)), 3, "stable rank")


# Theorem 4.3 and Lemma F.1 are judged on the same runs.
both_labels = section(
    "kou2023",
    kind=Kind.ASYMPTOTIC,
    given=gaussian_relu(),
    derived=[data, trained, ranks],
    recorded="supported",
    cost=0.15,
)
MUTANTS = [instead("one label only", _with_one_label), scaled("3/5")]


@both_labels.claim("thm_4_3.stable_rank_bounded.amended", "Theorem 4.3, first item, with both labels", mutants=MUTANTS)
def stable_ranks_are_bounded_with_both_labels(trained: Decomposition, ranks: Enclosed) -> Margin:
    r"""Amended: both labels occur, in bounded proportion. Then the stable ranks stay below 3 for large t.

    For label j the growing part of $W_j$ is that of the samples of class j, and it outgrows the Gaussian start; with no
    sample of class j nothing does.

    Convention: 3 is our choice, from the limit 2 of Lemma F.3; inputs of norm 1, or 1 and 2, orthogonal or with
    $\langle x_i,x_k\rangle=py_iy_k$ and the largest p that is allowed.
    """
    return eventually(lambda t: at_most(ranks[trained.steps == t], 3, "stable rank"), "ranks", at=trained.steps)


both_labels.claim("lemma_f1.stable_rank_bounded.amended", "Lemma F.1, with both labels", mutants=MUTANTS)(
    stable_ranks_are_bounded_with_both_labels.conclusion
)


@both_labels.claim(
    "thm_4_3.stable_rank_bounded.amended_overlap",
    "Theorem 4.3, first item, with both labels and overlaps of other signs",
    given=gaussian_relu(SLIDING),
    derived=[data, sliding],
    printed=False,
)
@mutants(instead("one label only", _with_one_label), scaled("1/2"))
def stable_ranks_are_bounded_while_neurons_switch(sliding: Decomposition) -> Margin:
    r"""Amended: both labels occur, and inner products are all p, all $-p$ or $-py_iy_k$. Then the stable ranks are
    below 3 at $t=10^4$.

    Convention: C = 10, up to three samples of either label; a finite time, as patterns need not settle.
    """
    return at_most(stable_ranks(sliding), 3, "stable rank")


def falls_like_a_power(course: Decomposition) -> Margin:
    """The loss is O(t^-a) with a = (1 - e)/(1 + e) and e = R_min^-2 p n."""
    spread = float(relative_overlap(course.data.inputs))
    rate = power(-(1 - spread) / (1 + spread))
    return bounded_by(course.known_loss, rate, "loss", at=course.steps, clock=course.loss)


FREEZING = relu_training(
    samples=(1, 5), widths=(2, 4, 5, 10), extra=3, constants=(10, 100, 1000), families=("orthogonal", "class")
)


@main.claim(
    "loss_rate", "second item", given=FREEZING, assumes=RELU_APPENDIX, derived=[late], recorded="supported", cost=0.2
)
@mutants(exponent("1.1"), exponent("1.02"))
def the_loss_of_relu_networks_falls_like_a_power(late: Decomposition) -> Margin:
    r"""$L_S(W^{(t)})=O(t^{-c_1(1-c_2R_{\min}^{-2}pn)/(1+c_2R_{\min}^{-2}pn)})$ with constants $c_1,c_2$.

    Convention: $c_1=c_2=1$; inputs that are orthogonal or have $\langle x_i,x_k\rangle=py_iy_k$, where patterns freeze.
    Explicit bounds at finite times for every sign of the overlaps are in Lemma G.1.
    """
    return falls_like_a_power(late)


@both_labels.claim("thm_4_3.loss_rate.r1", "Theorem 4.3, second item, from Gaussian starts")
@mutants(exponent("1.1"), exponent("1.02"))
def the_loss_of_wide_relu_networks_falls_like_a_power(trained: Decomposition) -> Margin:
    r"""$L_S(W^{(t)})=O(t^{-c_1(1-c_2R_{\min}^{-2}pn)/(1+c_2R_{\min}^{-2}pn)})$ from Gaussian starts.

    Convention: $c_1=c_2=1$; up to 40 samples, C = 10, 100 and 1000, and widths up to several thousand; inputs that are
    orthogonal or have $\langle x_i,x_k\rangle=py_iy_k$ with the largest p that is allowed.
    """
    return falls_like_a_power(trained)
