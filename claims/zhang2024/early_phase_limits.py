r"""Appendix E.1: Theorem 13, how small its errors are, and the two messages drawn from it.

The statements are about $w\to0$ on the interval $t<T=\tfrac{\tau}{s+\mathrm{Tr}\,\Sigma}\ln\tfrac1w$. The initial
weights are $w$ times fixed directions and w runs from 10^-20 to 10^-100; the largest error on $[0,T]$ gives an
exponent. With $p=\frac{(\alpha+1)s}{2(s+\mathrm{Tr}\,\Sigma)}$ the growth $e^{kT}$, $k=\frac{\alpha+1}{2\tau}s$, is
$w^{-p}$, and the cubic terms change the weights by $w^3e^{3kt}$, at the end by $w^{3-3p}$.
"""

import numpy as np
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, all_of, at_most, claim, less, moved, without
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.early_phase import correlated_target
from refute.decide.rate import Law, fit, vanishes_at_least_like
from refute.functions import norm, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.zhang2024.early import ACCURACY, EarlyFlow, early_flow, growth_share
from refute.strategies import choice, drawn, positive, sized, two_layer
from refute.strategies.zhang2024.early_phase import (
    any_target,
    empty_outer_layer,
    enlarge_labels,
    fill_layers,
    shrink_labels,
)

Floats = NDArray[np.float64]
SCALES = np.log(10) * np.linspace(20, 100, 5)  # ln(1/w)
PARTS = np.linspace(0.0, 1.0, 5)
CASES = sized(net=two_layer, data=any_target, samples=drawn(1, 3), dimension=(1, 3), width=(1, 3))


nonzero_layers = Assumption(
    "network.nonzero_layers",
    "neither layer is zero",
    lambda net: all_of(less(0, squared_norm(net.inner), "|W1|^2"), less(0, squared_norm(net.outer), "|W2|^2")),
    base=sized(net=two_layer),
    satisfy=fill_layers,
    violate=empty_outer_layer,
)


def _moderate(net: TwoLayer, data: Dataset) -> Margin:
    return at_most(
        (3 * net.slope - 1) * norm(data.correlation), 4 * data.covariance.trace(), "(3 alpha - 1) s against 4 Tr Sigma"
    )


moderate_target = Assumption(
    "target.moderate",
    "the target is moderate, 3 (alpha + 1) s <= 4 (s + Tr Sigma)",
    _moderate,
    base=sized(net=two_layer, data=any_target),
    satisfy=shrink_labels,
    violate=enlarge_labels,
)

ADMISSIBLE = [*CONDITION_3, correlated_target, nonzero_layers]


def unit_layers(net: TwoLayer, ratio: float = 1.0) -> TwoLayer:
    """Directions of a start: both layers of norm one, or the second one of norm `ratio`."""
    return net.with_weights(net.inner / np.linalg.norm(net.inner), ratio * net.outer / np.linalg.norm(net.outer))


def early(net: TwoLayer, data: Dataset, ratio: float = 1.0) -> EarlyFlow:
    """Weights over w on the whole early phase, for all scales."""
    return early_flow(unit_layers(net, ratio), data, SCALES, growth_share(data, net.slope) * SCALES, PARTS)


def sizes(layers: Floats) -> Floats:
    """The norms of both layers together; their squares may be too small for a float."""
    top = np.abs(layers).max(axis=(2, 3), keepdims=True)
    scaled = layers / np.where(top > 0, top, 1.0)
    norms: Floats = top[..., 0, 0] * np.sqrt((scaled**2).sum(axis=(2, 3)))
    return norms


def largest_over_time(norms: Floats) -> Law:
    """The exponent in w of the largest norm on the interval; zero counts as w^2.9."""
    return fit(list(np.exp(-SCALES)), list(np.maximum(norms.max(axis=0), np.exp(-2.9 * SCALES))))


def vanishes(errors: Floats, power: float, line: str) -> Margin:
    """Errors over w are O(w^(power - 1)), so that the errors are O(w^power)."""
    return vanishes_at_least_like(largest_over_time(sizes(errors)), power - 1, f"largest {line}, over w")


_FIRST, _SECOND = "error of the first layer", "error of the second layer"
_UNIFORM = "O(w) uniformly on the interval; equal norms: each layer is w times a fixed direction of norm one"
_TIGHTER = [moved("errors O(w^1.1)", power=1.1), without(moderate_target)]
_MORE = moved("a tenth more in the exponent", more=0.1)
_SYMMETRY = [without(even_inputs), without(odd_target)]


@claim(
    "zhang2024.theorem_13.first_layer",
    "Theorem 13, Eq. (20) left",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=ADMISSIBLE,
    recorded="against",
    convention=_UNIFORM,
    cost=0.4,
)
def first_layer_grows_along_one_direction(net: TwoLayer, data: Dataset) -> Margin:
    r"""$W_1(t)=e^{\frac{\alpha+1}{2\tau}st}r_1\bar\beta^\top+O(w)$ for $t<T$, with
    $r_1=\tfrac12(W_1(0)\bar\beta+W_2^\top(0))$.

    Fails for large targets: at the end the cubic terms have changed the weights by $w^{3-3p}$, and $3-3p<1$ when
    $3(\alpha+1)s>4(s+\mathrm{Tr}\,\Sigma)$, which can be as soon as $\alpha>1/3$. By hand, with D = H = $\alpha$ = 1
    and $W_1=W_2=a$: $\tau\dot a=a(s-a^2\Sigma)$ gives $a=we^{st/\tau}(1-\tfrac{\Sigma}{2s}w^2e^{2st/\tau}+\dots)$, an
    error of order $w^{3-3s/(s+\Sigma)}$; for s = 10 and $\Sigma=1$, the data $\pm(1,10)$, this is $w^{3/11}$. At a
    fixed time t the error is $O(w)$ for every target: it is the interval, which grows with $\ln\tfrac1w$, that is too
    long.
    """
    return vanishes(early(net, data).error[..., :-1], 1.0, _FIRST)


@claim(
    "zhang2024.theorem_13.first_layer.amended",
    "Theorem 13, Eq. (20) left",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=[*ADMISSIBLE, moderate_target],
    recorded="supported",
    mutants=[*_TIGHTER, *_SYMMETRY],
    convention=_UNIFORM,
)
def first_layer_grows_along_one_direction_for_moderate_targets(
    net: TwoLayer, data: Dataset, *, power: float = 1.0
) -> Margin:
    r"""Amended: the statement with the further assumption $3(\alpha+1)s\le4(s+\mathrm{Tr}\,\Sigma)$, under which
    $w^{3-3p}\le w$.

    That holds for all targets when $\alpha\le1/3$. The error $O(w)$ is what the initial weights have across the growing
    direction.
    """
    return vanishes(early(net, data).error[..., :-1], power, _FIRST)


@claim(
    "zhang2024.theorem_13.second_layer",
    "Theorem 13, Eq. (20) right",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=ADMISSIBLE,
    recorded="against",
    convention=_UNIFORM,
    cost=0.4,
)
def second_layer_grows_likewise(net: TwoLayer, data: Dataset) -> Margin:
    r"""$W_2(t)=e^{\frac{\alpha+1}{2\tau}st}r_1^\top+O(w)$ for $t<T$.

    Fails like the first layer and by the same case: the error is of order $w^{3-3p}$, on the data $\pm(1,10)$ with
    $\alpha=1$ of order $w^{3/11}$.
    """
    return vanishes(early(net, data).error[..., -1:], 1.0, _SECOND)


@claim(
    "zhang2024.theorem_13.second_layer.amended",
    "Theorem 13, Eq. (20) right",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=[*ADMISSIBLE, moderate_target],
    recorded="supported",
    mutants=[*_TIGHTER, *_SYMMETRY],
    convention=_UNIFORM,
)
def second_layer_grows_likewise_for_moderate_targets(net: TwoLayer, data: Dataset, *, power: float = 1.0) -> Margin:
    r"""Amended: the statement with the further assumption $3(\alpha+1)s\le4(s+\mathrm{Tr}\,\Sigma)$."""
    return vanishes(early(net, data).error[..., -1:], power, _SECOND)


@claim(
    "zhang2024.theorem_13.equal_initial_norms_role",
    "Theorem 13, hypothesis (a probe, not printed)",
    kind=Kind.ASYMPTOTIC,
    given=sized(
        net=two_layer,
        data=any_target,
        ratio=choice("1/5", "1", "1/1000", "0"),
        samples=drawn(1, 3),
        dimension=(1, 3),
        width=(1, 3),
    ),
    assumes=[*ADMISSIBLE, moderate_target],
    recorded="supported",
    mutants=[*_TIGHTER, *_SYMMETRY],
    convention="w is the larger norm, that of the first layer; the second layer has 1, 1/5, 1/1000 or 0 times this "
    "norm",
)
def equal_initial_norms_are_not_needed(net: TwoLayer, data: Dataset, ratio: float, *, power: float = 1.0) -> Margin:
    r"""With $\|W_2(0)\|\le\|W_1(0)\|=w$ the conclusion of the amended theorem is the same: both layers have errors
    $O(w)$.

    So $\|W_1(0)\|=\|W_2(0)\|$ is not load-bearing: Lemma 12 bounds the larger norm, and the rest of the proof never
    compares the two.
    """
    return vanishes(early(net, data, ratio).error, power, "error of both layers")


@claim(
    "zhang2024.theorem_13.proof_final_bound",
    "Theorem 13, last display of the proof",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=ADMISSIBLE,
    recorded="against",
    convention=_UNIFORM,
    cost=0.4,
)
def error_of_both_layers_is_linear(net: TwoLayer, data: Dataset) -> Margin:
    r"""$\|W-e^{\frac{\alpha+1}{2\tau}st}\begin{bmatrix}\bar\beta\\1\end{bmatrix}r_1^\top\|<C_1w^2+C_2w<Cw$ for $t<T$.

    Fails for large targets, since the part $W-\tilde W$ is of order $w^{3-3p}$ and not $w^2$; by the case of the first
    layer, $w^{3/11}$.
    """
    return vanishes(early(net, data).error, 1.0, "error of both layers")


@claim(
    "zhang2024.theorem_13.proof_final_bound.amended",
    "Theorem 13, last display of the proof",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=ADMISSIBLE,
    recorded="supported",
    mutants=[_MORE, moved("C w for all targets", cubic=1.0), *_SYMMETRY],
    convention=_UNIFORM,
    cost=0.3,
)
def error_of_both_layers_has_two_parts(
    net: TwoLayer, data: Dataset, *, cubic: float = 3.0, more: float = 0.0
) -> Margin:
    r"""Amended: the error is at most $C_1w^{3-3p}+C_2w$, for all targets. It vanishes with w, but more slowly than w if
    p > 2/3.
    """
    power = min(1.0, cubic * (1 - growth_share(data, net.slope) * (cubic > 1)))
    return vanishes(early(net, data).error, power + more, "error of both layers")


@claim(
    "zhang2024.theorem_13.proof_quadratic_bound",
    "Theorem 13, sentence after the Gronwall display",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=ADMISSIBLE,
    recorded="against",
    convention="R0: of the trajectories; u_0 = w",
    cost=0.4,
)
def the_linear_approximation_errs_quadratically(net: TwoLayer, data: Dataset) -> Margin:
    r"""$\|W-\tilde W\|<C_1w^2$ for $t<T$ with a constant $C_1$.

    Fails: $W-\tilde W$ is of order $w^3e^{3kt}$, at the end $w^{3-3p}$, and $3-3p<2$ when
    $3(\alpha+1)s>2(s+\mathrm{Tr}\,\Sigma)$: already for ReLU networks with $s>2\mathrm{Tr}\,\Sigma$. On the data
    $\pm(1,10)$ a ReLU network has $p=5/11$, which gives $w^{18/11}$.
    """
    return vanishes(early(net, data).change, 2.0, "distance of the linear approximation")


@claim(
    "zhang2024.theorem_13.proof_quadratic_bound.r1",
    "Theorem 13, sentence after the Gronwall display",
    kind=Kind.ASYMPTOTIC,
    given=sized(s=positive(2), trace=positive(2)),
    recorded="against",
    convention="R1: of the second line of the display before it, tau = 1, at the end of the interval",
)
def the_gronwall_display_is_quadratic(s: Number, trace: Number) -> Margin:
    r"""R1: the bound in the Gronwall display is below $C_1u_0^2$ at the end of the interval.

    Fails: there $e^{3(s+\mathrm{Tr}\,\Sigma)t}=u_0^{-3}$, so $u_0^3$ times the bracket does not vanish. As printed its
    middle term even grows, like $u_0^{-\sqrt2s/(s+\mathrm{Tr}\,\Sigma)}$; with the right integral (the amended display)
    the bound is of order one.
    """
    c, b = 3.0, np.sqrt(2) * s / (s + trace)  # exponents over (s + Tr Sigma) t = ln(1/u_0)
    scale = trace / (s + trace) * np.sqrt(2) / 3
    u = np.logspace(-2, -20, 7)
    bracket = u ** (3 - c) + b * (u ** (3 - c - b) - u**3) / (c + b) - u ** (3 - b)
    return vanishes_at_least_like(fit(list(u), list(scale * bracket)), 2.0, "the display at the end of the interval")


@claim(
    "zhang2024.theorem_13.proof_quadratic_bound.amended",
    "Theorem 13, sentence after the Gronwall display",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=ADMISSIBLE,
    recorded="supported",
    mutants=[_MORE, moved("w^2 as printed", cubic=2.0), *_SYMMETRY],
    convention="of the trajectories",
)
def the_linear_approximation_errs_by_the_cubic_term(
    net: TwoLayer, data: Dataset, *, cubic: float = 3.0, more: float = 0.0
) -> Margin:
    r"""Amended: $\|W-\tilde W\|=O(w^{3-3p})$ for $t<T$."""
    power = 3 - 3 * growth_share(data, net.slope) if cubic == 3 else cubic
    return vanishes(early(net, data).change, power + more, "distance of the linear approximation")


@claim(
    "zhang2024.theorem_13.remark_same_time_course",
    "paragraph after Theorem 13, first message",
    kind=Kind.ASYMPTOTIC,
    given=CASES,
    assumes=ADMISSIBLE,
    recorded="supported",
    mutants=[
        moved("smaller than the cubic terms", power=2.5),
        moved("no scale factor of time", rescaled=0),
        *_SYMMETRY,
    ],
    convention="both start from the same weights; the scale factor is that of time, (alpha + 1)/2; the difference is "
    "relative to |W|",
)
def early_phase_is_that_of_the_linear_network(
    net: TwoLayer, data: Dataset, *, rescaled: int = 1, power: float = 1.0
) -> Margin:
    r"""On $t<T$ the network follows the linear one at time $\tfrac{\alpha+1}2t$:
    $\|W(t)-W^{lin}(\tfrac{\alpha+1}2t)\|/\|W(t)\|\to0$ as $w\to0$.

    The cubic terms relative to the weights are of order $w^{2-2p}$ at the end. Half of this exponent, $1-p>0$, is asked
    for: with one neuron along $\bar\beta$ the difference vanishes faster, and a law that bends has no sharp exponent.
    """
    run, share = early(net, data), growth_share(data, net.slope)
    start, stretch = unit_layers(net), 1.0 if rescaled else 2 / (1 + net.slope)
    linear = early_flow(TwoLayer(start.inner, start.outer, 1), data, SCALES, stretch * share * SCALES, PARTS)
    # At the rescaled time the two linear systems have the same solution, which is left out: its difference would be
    # round-off.
    gap = run.change - linear.change if rescaled else run.weights - linear.weights
    missed = ACCURACY * (sizes(run.change) + sizes(linear.change))
    law = largest_over_time((sizes(gap) + missed) / sizes(run.weights))
    return vanishes_at_least_like(law, power * (1 - share), "difference relative to |W|")


@claim(
    "zhang2024.theorem_13.remark_rank_one",
    "paragraph after Theorem 13, second message",
    kind=Kind.ASYMPTOTIC,
    given=sized(net=two_layer, data=any_target, samples=drawn(1, 3), dimension=(2, 3), width=(2, 3)),
    assumes=ADMISSIBLE,
    recorded="supported",
    mutants=[_MORE, *_SYMMETRY],
    convention="at the end of the interval; the error is what W1 has across beta, relative to |W1|, which bounds its "
    "second singular value",
)
def first_layer_becomes_rank_one(net: TwoLayer, data: Dataset, *, more: float = 0.0) -> Margin:
    r"""In the early phase (leaky) ReLU and linear networks come close to rank one:
    $\|W_1-W_1\bar\beta\bar\beta^\top\|/\|W_1\|\to0$ as $w\to0$.

    By the amended bound it is of order $w^{\min(p,2-2p)}$, and $0<p<1$.
    """
    run, share = early(net, data), growth_share(data, net.slope)
    b = data.correlation / np.linalg.norm(data.correlation)
    error, whole = run.error[-1:, :, :, :-1], run.weights[-1:, :, :, :-1]  # the growing term lies along beta
    law = largest_over_time(sizes(error - (error @ b)[..., None] * b) / sizes(whole))
    return vanishes_at_least_like(law, min(share, 2 - 2 * share) + more, "relative error of rank one")
