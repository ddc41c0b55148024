r"""Theorem 13, how small its errors are, and the two messages drawn from it.

The statements are about $w\to0$ on the interval $t<T=\tfrac{\tau}{s+\mathrm{Tr}\,\Sigma}\ln\tfrac1w$. The initial
weights are $w$ times fixed directions, and each quantity is the largest on $[0,T]$. With
$p=\frac{(\alpha+1)s}{2(s+\mathrm{Tr}\,\Sigma)}$ the growth $e^{kT}$, $k=\frac{\alpha+1}{2\tau}s$, is $w^{-p}$, and the
cubic terms change the weights by $w^3e^{3kt}$, at the end by $w^{3-3p}$.
"""

from typing import Any

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    at_most,
    bent,
    bounded_by,
    derived,
    exponent,
    instead,
    mutants,
    power,
    section,
    suppose,
    tends_to,
    without,
)
from refute.claims.zhang2024.assumptions import CONDITION_3, correlated_target, even_inputs, nonzero_layers, odd_target
from refute.functions import norm
from refute.language.limits import Logs, Power
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.early import ACCURACY, TINY, EarlyFlow, growth_share, norms, unit_layers, whole_phase
from refute.strategies import choice, drawn, mixed, sized, two_layer
from refute.strategies.zhang2024.early_phase import any_target, enlarge_labels, shrink_labels


@assumption(
    "target.moderate", base=sized(net=two_layer, data=any_target), satisfy=shrink_labels, violate=enlarge_labels
)
def moderate_target(net: TwoLayer, data: Dataset) -> Margin:
    """the target is moderate, 3 (alpha + 1) s <= 4 (s + Tr Sigma)"""
    left = (3 * net.slope - 1) * norm(data.correlation)
    return at_most(left, 4 * data.covariance.trace(), "(3 alpha - 1) s against 4 Tr Sigma")


@derived
def early(net: TwoLayer, data: Dataset) -> EarlyFlow:
    """Weights over w from layers of norm w on the whole interval, for every w."""
    return whole_phase(unit_layers(net), data)


@derived
def p(net: TwoLayer, data: Dataset) -> float:
    return growth_share(data, net.slope)


ADMISSIBLE = [*CONDITION_3, correlated_target, nonzero_layers]
MODERATE = [*ADMISSIBLE, moderate_target]
SIZES: dict[str, Any] = {"samples": drawn(1, 3), "dimension": drawn(1, 3), "width": drawn(1, 3)}
MORE: dict[str, Any] = {"samples": drawn(4, 12), "dimension": drawn(2, 12), "width": drawn(5, 25)}
LONG: dict[str, Any] = {"samples": drawn(13, 20), "dimension": drawn(2, 6), "width": drawn(1, 3)}
WIDE: dict[str, Any] = {"samples": drawn(1, 3), "dimension": drawn(13, 20), "width": drawn(26, 50)}
FEW, LARGE, MANY_DATA, MANY_NEURONS = (
    sized(net=two_layer, data=any_target, **sizes) for sizes in (SIZES, MORE, LONG, WIDE)
)
IN_SPACE = mixed(
    sized(net=two_layer, data=any_target, samples=drawn(1, 3), dimension=drawn(2, 3), width=drawn(2, 3)), LARGE
)
UNEQUAL = sized(net=two_layer, data=any_target, ratio=choice("1/5", "1", "1/1000", "0"), **SIZES)
SYMMETRY = [without(even_inputs), without(odd_target)]
NEAR = [exponent("51/50"), *SYMMETRY]
TIGHT = [without(moderate_target), *NEAR]
LEAST = 0.1  # with a smaller p, e^{kT} is below 10^8 at w = 10^-80
FIRST, SECOND, BOTH = "error of the first layer", "error of the second layer", "error of both layers"

theorem = section(
    "zhang2024",
    "theorem_13",
    "Theorem 13",
    kind=Kind.ASYMPTOTIC,
    given=mixed(FEW, LARGE, FEW, LARGE, MANY_DATA, MANY_NEURONS),
    assumes=ADMISSIBLE,
    derived=[early, p],
    recorded="against",
    fault=Fault.MISSING_HYPOTHESIS,
    cost=0.2,
    convention="O(w) uniformly on the interval; equal norms: each layer is w times a fixed direction of norm one; up "
    "to 40 data, 20 dimensions and 50 neurons are tried",
)


@theorem.claim("first_layer", "Eq. (20) left")
def first_layer_grows_along_one_direction(early: EarlyFlow) -> Margin:
    r"""$W_1(t)=e^{\frac{\alpha+1}{2\tau}st}r_1\bar\beta^\top+O(w)$ for $t<T$, with
    $r_1=\tfrac12(W_1(0)\bar\beta+W_2^\top(0))$.

    Fails for large targets: at the end the cubic terms have changed the weights by $w^{3-3p}$, and $3-3p<1$ when
    $3(\alpha+1)s>4(s+\mathrm{Tr}\,\Sigma)$, which can be as soon as $\alpha>1/3$. By hand, with D = H = $\alpha$ = 1
    and $W_1=W_2=a$: $\tau\dot a=a(s-a^2\Sigma)$ gives $a=we^{st/\tau}(1-\tfrac{\Sigma}{2s}w^2e^{2st/\tau}+\dots)$, an
    error of order $w^{3-3s/(s+\Sigma)}$; for s = 10 and $\Sigma=1$, the data $\pm(1,10)$, this is $w^{3/11}$. At a
    fixed time t the error is $O(w)$ for every target: it is the interval, which grows with $\ln\tfrac1w$, that is too
    long.
    """
    return bounded_by(early.largest(early.error[..., :-1]), power(1), FIRST, at=TINY)


first_layer_grows_along_one_direction.amended(
    r"""Amended: with the further assumption $3(\alpha+1)s\le4(s+\mathrm{Tr}\,\Sigma)$, under which $w^{3-3p}\le w$.

That holds for all targets when $\alpha\le1/3$. The error $O(w)$ is what the initial weights have across the growing
direction.""",
    assumes=MODERATE,
    recorded="supported",
    mutants=TIGHT,
)


@theorem.claim("second_layer", "Eq. (20) right", root="zhang2024.theorem_13.first_layer")
def second_layer_grows_likewise(early: EarlyFlow) -> Margin:
    r"""$W_2(t)=e^{\frac{\alpha+1}{2\tau}st}r_1^\top+O(w)$ for $t<T$.

    Fails like the first layer and by the same case: the error is of order $w^{3-3p}$, on the data $\pm(1,10)$ with
    $\alpha=1$ of order $w^{3/11}$.
    """
    return bounded_by(early.largest(early.error[..., -1:]), power(1), SECOND, at=TINY)


second_layer_grows_likewise.amended(
    r"Amended: with the further assumption $3(\alpha+1)s\le4(s+\mathrm{Tr}\,\Sigma)$.",
    assumes=MODERATE,
    recorded="supported",
    mutants=TIGHT,
)


@theorem.claim(
    "equal_initial_norms_role",
    "hypothesis (a probe, not printed)",
    given=UNEQUAL,
    assumes=MODERATE,
    recorded="supported",
    fault=None,
    printed=False,
)
@mutants(*TIGHT)
def equal_initial_norms_are_not_needed(net: TwoLayer, data: Dataset, ratio: float) -> Margin:
    r"""With $\|W_2(0)\|\le\|W_1(0)\|=w$ the conclusion of the amended theorem is the same: both layers have errors
    $O(w)$.

    So $\|W_1(0)\|=\|W_2(0)\|$ is not load-bearing: Lemma 12 bounds the larger norm, and the rest of the proof never
    compares the two.

    Convention: w is the larger norm, that of the first layer; the second layer has 1, 1/5, 1/1000 or 0 times this
    norm.
    """
    early = whole_phase(unit_layers(net, ratio), data)
    return bounded_by(early.largest(early.error), power(1), BOTH, at=TINY)


@theorem.claim("proof_final_bound", "last display of the proof", root="zhang2024.theorem_13.first_layer")
def error_of_both_layers_is_linear(early: EarlyFlow) -> Margin:
    r"""$\|W-e^{\frac{\alpha+1}{2\tau}st}\begin{bmatrix}\bar\beta\\1\end{bmatrix}r_1^\top\|<C_1w^2+C_2w<Cw$ for $t<T$.

    Fails for large targets, since the part $W-\tilde W$ is of order $w^{3-3p}$ and not $w^2$; by the case of the first
    layer, $w^{3/11}$.
    """
    return bounded_by(early.largest(early.error), power(1), BOTH, at=TINY)


@theorem.claim("proof_final_bound.amended", "last display of the proof", recorded="supported", fault=None, cost=0.2)
@mutants(*NEAR)
def error_of_both_layers_has_two_parts(early: EarlyFlow, p: float) -> Margin:
    r"""Amended: the error is at most $C_1w^{3-3p}+C_2w$, for all targets. It vanishes with w, but more slowly than w if
    p > 2/3.
    """
    return bounded_by(early.largest(early.error), power(min(1.0, 3 - 3 * p)), BOTH, at=TINY)


@theorem.claim("proof_quadratic_bound", "sentence after the Gronwall display", fault=Fault.WRONG)
def the_linear_approximation_errs_quadratically(early: EarlyFlow) -> Margin:
    r"""$\|W-\tilde W\|<C_1w^2$ for $t<T$ with a constant $C_1$.

    Fails: $W-\tilde W$ is of order $w^3e^{3kt}$, at the end $w^{3-3p}$, and $3-3p<2$ when
    $3(\alpha+1)s>2(s+\mathrm{Tr}\,\Sigma)$: already for ReLU networks with $s>2\mathrm{Tr}\,\Sigma$. On the data
    $\pm(1,10)$ a ReLU network has $p=5/11$, which gives $w^{18/11}$.

    Convention: R0: of the trajectories; u_0 = w.
    """
    return bounded_by(early.largest(early.change), power(2), "distance of the linear approximation", at=TINY)


@theorem.claim("proof_quadratic_bound.amended", "sentence after the Gronwall display", recorded="supported", fault=None)
@mutants(bent("w^2 as printed", right=lambda _: power(2)), *NEAR)
def the_linear_approximation_errs_by_the_cubic_term(early: EarlyFlow, p: float) -> Margin:
    r"""Amended: $\|W-\tilde W\|=O(w^{3-3p})$ for $t<T$.

    Convention: of the trajectories.
    """
    suppose(p > LEAST, "the growing part outgrows the others within the horizons")
    return bounded_by(early.largest(early.change), power(3 - 3 * p), "distance of the linear approximation", at=TINY)


def vanishes_like(quantity: Logs, law: Power, line: str) -> Margin:
    """quantity -> 0, and quantity = O(law) where the law is a power of w."""
    limit = tends_to(quantity, 0, f"{line}, to zero", at=TINY)
    return all_of(limit, bounded_by(quantity, law, line, at=TINY))


@derived
def linear(net: TwoLayer, data: Dataset) -> EarlyFlow:
    r"""The linear network from the same weights, at time $\tfrac{\alpha+1}2t$."""
    return whole_phase(unit_layers(net), data, slope=1)


def _without_the_factor(net: TwoLayer, data: Dataset, early: EarlyFlow, p: float) -> Margin:
    """The linear network at the same time."""
    linear = whole_phase(unit_layers(net), data, slope=1, stretch=2 / (1 + net.slope))
    gap = early.largest(early.weights - linear.weights, norms(early.weights))
    return vanishes_like(gap, power(1 - p), "difference relative to |W|")


@theorem.claim(
    "remark_same_time_course",
    "paragraph after Theorem 13, first message",
    derived=[early, p, linear],
    recorded="supported",
    fault=None,
)
@mutants(exponent("5/2"), instead("no scale factor of time", _without_the_factor), *SYMMETRY)
def early_phase_is_that_of_the_linear_network(early: EarlyFlow, linear: EarlyFlow, p: float) -> Margin:
    r"""On $t<T$ the network follows the linear one at time $\tfrac{\alpha+1}2t$:
    $\|W(t)-W^{lin}(\tfrac{\alpha+1}2t)\|/\|W(t)\|\to0$ as $w\to0$.

    The cubic terms relative to the weights are of order $w^{2-2p}$ at the end. Half of this exponent, $1-p>0$, is asked
    for: with one neuron along $\bar\beta$ the difference vanishes faster.

    Convention: both start from the same weights; the scale factor is that of time, (alpha + 1)/2; the difference is
    relative to |W|.
    """
    # At these times the two linear systems have the same solution: its difference would be round-off.
    missed = ACCURACY * norms(linear.change)
    gap = early.largest(early.change - linear.change, norms(early.weights) - missed)
    return vanishes_like(gap, power(1 - p), "difference relative to |W|")


@theorem.claim(
    "remark_rank_one", "paragraph after Theorem 13, second message", given=IN_SPACE, recorded="supported", fault=None
)
@mutants(*NEAR)
def first_layer_becomes_rank_one(data: Dataset, early: EarlyFlow, p: float) -> Margin:
    r"""In the early phase (leaky) ReLU and linear networks come close to rank one:
    $\|W_1-W_1\bar\beta\bar\beta^\top\|/\|W_1\|\to0$ as $w\to0$.

    By the amended bound it is of order $w^{\min(p,2-2p)}$, and $0<p<1$.

    Convention: at the end of the interval; the error is what W1 has across beta, relative to |W1|, which bounds its
    second singular value.
    """
    suppose(p > LEAST, "the growing part outgrows the others within the horizons")
    b = data.correlation / np.linalg.norm(data.correlation)
    error = early.error[-1:, ..., :-1]  # the growing term lies along beta
    across = early.largest(error - (error @ b)[..., None] * b, norms(early.weights[-1:, ..., :-1]))
    return vanishes_like(across, power(min(p, 2 - 2 * p)), "relative error of rank one")
