r"""Around Theorem 5: what its proof says on the way, the factors in the text and in the digest, and gradient descent in
its place.
"""

from fractions import Fraction

import numpy as np

from refute import Assumption, Kind, Margin, all_of, claim, equal, moved, without
from refute.arithmetic.numbers import FLOAT, Number
from refute.claims.zhang2024.conditions import ASSUMPTION_4, CONDITION_3, equal_norms, even_inputs, odd_target, rank_one
from refute.claims.zhang2024.theorem_5 import TIMES, same_weights, sign_target
from refute.claims.zhang2024.theorem_5_proof import clear
from refute.decide.rate import fit, vanishes_at_least_like
from refute.functions import sqrt, squared_norm
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow, scaled
from refute.models.geometry.separation import separator
from refute.models.gradient import descent_direction, logistic_residual, square_residual
from refute.models.loss import SQUARE
from refute.models.zhang2024.fixed_slope import fixed_slope_flow
from refute.strategies import choice, drawn, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.odd_separable import contradict_a_point, label_by_a_hyperplane
from refute.strategies.zhang2024.rational_factor import rational_factor_net

_CONVENTION = (
    "sigma'(0) = (1 + alpha)/2, the Filippov value under Condition 3; the two networks share the time constant tau"
)
_FLOWS = sized(
    net=two_layer,
    data=unscaled_dataset,
    tau=choice("1", "1/10", "10"),
    samples=drawn(1, 3),
    width=(2, 4),
    dimension=(1, 3),
)
_ASSUMED = [*CONDITION_3, *ASSUMPTION_4]
_DROPS = [without(assumption) for assumption in _ASSUMED]


@claim(
    "zhang2024.sec_4_1.slower_and_larger",
    "paragraph before Theorem 5",
    kind=Kind.DYNAMICS,
    given=_FLOWS,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[
        moved("speed and factor exchanged", speed=-1.0),
        moved("weights 2/(alpha+1) times larger", larger=1.0),
        moved("as fast as the linear network", speed=0.0),
        *_DROPS,
    ],
    convention=f"slower: at (alpha+1)/2 times the speed; larger: both layers, at equal loss; {_CONVENTION}",
)
def learning_is_slower_and_weights_are_larger(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, speed: float = 1.0, larger: float = 0.5
) -> Margin:
    r"""Learning runs at $\tfrac{\alpha+1}2$ times the speed of the linear network and the weights are
    $\sqrt{2/(\alpha+1)}$ times larger.

    The linear network at t and the (leaky) ReLU network at $\tfrac2{\alpha+1}t$ have the same loss, and the ratio of
    their norms is that factor.
    """
    half = (1 + net.slope) / 2
    linear = gradient_flow(scaled(net, half**larger, 1.0), data, SQUARE, TIMES * tau, tau=tau, tolerance=tolerance)
    relu = gradient_flow(net, data, SQUARE, TIMES * tau / half**speed, tau=tau, tolerance=tolerance)
    reach = 1 + float(
        np.abs(data.labels).max() + np.abs(linear.outputs(data.inputs)).max() + np.abs(relu.outputs(data.inputs)).max()
    )
    losses = [np.array([SQUARE.value(data.labels, f) for f in run.outputs(data.inputs)]) for run in (relu, linear)]
    norms = [(run.inner**2).sum(axis=(1, 2)) + (run.outer**2).sum(axis=1) for run in (relu, linear)]
    size = relu.inner[0].size + relu.outer[0].size
    error = 4 * size * (1 + float(np.sqrt(norms[0].max()))) * (relu.error + linear.error)
    return all_of(
        equal(
            losses[0],
            losses[1],
            "loss",
            error=reach * (relu.output_error(data.inputs) + linear.output_error(data.inputs)),
        ),
        equal(
            norms[0],
            norms[1] / half ** (2 * larger),
            "|W|^2 against 2/(alpha+1) times that of the linear network",
            error=error,
        ),
    )


@claim(
    "zhang2024.theorem_5.proof_weight_match",
    "Theorem 5, displays after Eq. (35)",
    kind=Kind.DYNAMICS,
    given=_FLOWS,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[
        moved("time runs twice as fast", stretch=2.0),
        moved("factor (alpha+1)/2 missing in f", power=0.0),
        *_DROPS,
    ],
    convention=f"the printed product W(t) W(t) x lacks its subscripts: W2(t) W1(t) x; {_CONVENTION}",
)
def rescaled_weights_are_those_of_the_linear_network(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, stretch: float = 1.0, power: float = 1.0
) -> Margin:
    r"""With $\overline W=\sqrt{\tfrac{\alpha+1}2}W$ and $\overline W(0)=W^{lin}(0)$:
    $\overline W(t)=W^{lin}(\tfrac{\alpha+1}2t)$, and $f=\tfrac{\alpha+1}2W_2(t)W_1(t)x=W_2^{lin}W_1^{lin}x$ at the
    rescaled time.
    """
    half = (1 + net.slope) / 2
    relu = gradient_flow(net, data, SQUARE, TIMES * tau, tau=tau, tolerance=tolerance)
    linear = gradient_flow(
        scaled(net, half**0.5, 1.0), data, SQUARE, stretch * half * TIMES * tau, tau=tau, tolerance=tolerance
    )
    points = np.vstack([data.inputs, np.eye(data.inputs.shape[1])])
    product = half**power * np.einsum("th,thd,nd->tn", relu.outer, relu.inner, points)
    error = relu.output_error(points) + linear.output_error(points)
    return all_of(
        equal(half**0.5 * relu.inner, linear.inner, "first layer, rescaled", error=relu.error + linear.error),
        equal(half**0.5 * relu.outer, linear.outer, "second layer, rescaled", error=relu.error + linear.error),
        equal(relu.outputs(points), product, "f against (alpha+1)/2 W2 W1 x", error=2 * error),
        equal(product, linear.outputs(points), "(alpha+1)/2 W2 W1 x against the linear network", error=2 * error),
    )


@claim(
    "zhang2024.theorem_5.weights_square.r1",
    "Theorem 5, item 2, Eq. (5)",
    kind=Kind.DYNAMICS,
    given=_FLOWS.drawn_by(clear.violated_by(_FLOWS)),
    assumes=_ASSUMED,
    recorded="against",
    convention="R1: the flow (6) with sigma'(0) = 0, the value that appendix F.2 fixes; cases have a datum on r.x = 0",
)
def the_factor_with_the_slope_zero_at_kinks(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> Margin:
    r"""R1: $W(t)=\sqrt{2/(\alpha+1)}\,W^{lin}(\tfrac{\alpha+1}2t)$ for the flow (6) with $\sigma'(0)=0$, which the
    theorem leaves open.

    Fails when a datum lies on $r^\top x=0$ and the flow does not leave it. For the ReLU neurons $\pm(1,0)$ with outer
    weights $\pm1$ and the data $\pm((0,1),1)$ every pre-activation is zero, so all weights rest for ever. The linear
    network has $\beta=(0,1)$ and $\dot W_1=W_2^\top\beta^\top\ne0$. With $\sigma'(0)=\tfrac{\alpha+1}2$ the theorem
    stands; off the hyperplane no value is asked for.
    """
    half = (1 + net.slope) / 2
    relu = fixed_slope_flow(
        [net.inner, net.outer[None, :]], data, TIMES, slope=float(net.slope), at_zero=0.0, tolerance=tolerance
    )
    linear = gradient_flow(scaled(net, half**0.5, 1.0), data, SQUARE, half * TIMES * tau, tau=tau, tolerance=tolerance)
    error = relu.error + half**-0.5 * linear.error
    return all_of(
        equal(relu.weights[0], half**-0.5 * linear.inner, "W1(t) against the scaled linear W1", error=error),
        equal(relu.weights[1][:, 0], half**-0.5 * linear.outer, "W2(t) against the scaled linear W2", error=error),
    )


@claim(
    "zhang2024.theorem_5.balanced_zero",
    "Theorem 5, display after Eq. (36)",
    kind=Kind.DYNAMICS,
    given=_FLOWS,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[moved("5/4 of the second layer", share=1.25), *_DROPS],
    convention=_CONVENTION,
)
def layers_stay_balanced(net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, share: float = 1.0) -> Margin:
    r"""$W_1(t)W_1(t)^\top-W_2(t)^\top W_2(t)=0$ for all $t\ge0$.

    The diagonal is conserved by every flow; off the diagonal equal norms are needed, since otherwise the two signs turn
    apart.
    """
    run = gradient_flow(net, data, SQUARE, TIMES * tau, tau=tau, tolerance=tolerance)
    first, second = np.einsum("thd,tkd->thk", run.inner, run.inner), run.outer[:, :, None] * run.outer[:, None, :]
    reach = float(np.abs(run.inner).max() + np.abs(run.outer).max()) + run.error
    error = 2 * (1 + data.inputs.shape[1]) * reach * run.error
    return equal(first, share * second, "W1 W1^T against W2^T W2", error=error)


@claim(
    "zhang2024.summary.mechanism_1_factors",
    "digest, mechanism 1",
    kind=Kind.DYNAMICS,
    given=_FLOWS,
    assumes=_ASSUMED,
    recorded="refuted",
    convention=f"R0: the factor for the weights is sqrt(2)/(alpha+1) as typeset; {_CONVENTION}",
)
def the_digest_s_factors(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> Margin:
    r"""$W(t)=\tfrac{\sqrt2}{\alpha+1}W^{lin}(\tfrac{\alpha+1}2t)$ from weights in this ratio.

    Fails: with a factor c the product $W_2W_1$ is $c^2$ times the linear one, and f has the further factor
    $\tfrac{\alpha+1}2$, so that $c^2\tfrac{\alpha+1}2=1$ is needed; here it is $\tfrac1{\alpha+1}$. Two linear networks
    in the ratio $1/\sqrt2$ do not stay in it: from $W_2=(1,-1)$, $W_1=-W_2^\top$ on the inputs 1, -1 with labels 0 the
    weights are $(1+4t)^{-1/2}$ in size, 0.577 at t = 1/2, and by the factor $(1+8t)^{-1/2}$, 0.447.
    """
    return same_weights(net, data, square_residual, tau, tolerance, 1.0, (1 + net.slope) ** -0.5)


@claim(
    "zhang2024.summary.mechanism_1_factors.r1",
    "digest, mechanism 1",
    kind=Kind.DYNAMICS,
    given=_FLOWS,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[moved("time runs twice as fast", stretch=2.0), moved("weights 11/10 times as large", weight=1.1), *_DROPS],
    convention=f"R1: the factor for the weights is sqrt(2/(alpha+1)); {_CONVENTION}",
)
def the_paper_s_factors(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, stretch: float = 1.0, weight: float = 1.0
) -> Margin:
    r"""R1: $W(t)=\sqrt{\tfrac2{\alpha+1}}\,W^{lin}(\tfrac{\alpha+1}2t)$, with the factor
    $\tfrac{\alpha+1}2$ for time.
    """
    return same_weights(net, data, square_residual, tau, tolerance, stretch, weight)


_EXACT = sized(
    net=rational_factor_net,
    data=unscaled_dataset,
    rate=choice("1/10", "1/2", "2"),
    samples=drawn(1, 2),
    width=(2, 3),
    dimension=(1, 2),
)
_EXACTLY = "three steps in exact arithmetic, slopes with a rational factor; sigma'(0) = (1 + alpha)/2"


def _steps(net: TwoLayer, data: Dataset, rate: Number, steps: int = 3) -> list[TwoLayer]:
    """The networks after 1, 2, ... steps of gradient descent on the square loss."""
    found = [net]
    for _ in range(steps):
        inner, outer = descent_direction(found[-1], data, SQUARE, (1 + net.slope) / 2)
        found.append(net.with_weights(found[-1].inner + rate * inner, found[-1].outer + rate * outer))
    return found[1:]


def _linear(net: TwoLayer, factor: Number) -> TwoLayer:
    """The linear network with both layers divided by the factor, in the arithmetic of the weights."""
    linear = net.with_weights(net.inner / factor, net.outer / factor)
    object.__setattr__(linear, "slope", net.slope * 0 + 1)
    return linear


@claim(
    "zhang2024.theorem_5.variant_gradient_descent",
    "Theorem 5 for gradient descent (a probe, not printed)",
    given=_EXACT,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[moved("the same step for both", shared=1), moved("factor 2/(alpha+1)", squared=1), *_DROPS],
    convention=f"steps eta and (alpha+1)/2 eta; {_EXACTLY}",
    cost=4.0,
)
def gradient_descent_keeps_the_factor(
    net: TwoLayer, data: Dataset, rate: Number, *, shared: int = 0, squared: int = 0
) -> Margin:
    r"""Gradient descent with step $\eta$, against the linear network with step $\eta'=\tfrac{\alpha+1}2\eta$: after
    every step $W[k]=\sqrt{2/(\alpha+1)}\,W^{lin}[k]$ exactly.

    The reduced field (34) needs only $W_1=W_2^\top v^\top$ with any v and equal norms, which descent keeps (R1).
    """
    factor = 2 / (1 + net.slope) if squared else sqrt(2 / (1 + net.slope))
    relu, linear = (
        _steps(net, data, rate),
        _steps(_linear(net, factor), data, rate if shared else rate * (1 + net.slope) / 2),
    )
    return all_of(
        *(
            equal(one.inner, factor * other.inner, f"W1 after step {k}")
            for k, (one, other) in enumerate(zip(relu, linear, strict=True), 1)
        ),
        *(
            equal(one.outer, factor * other.outer, f"W2 after step {k}")
            for k, (one, other) in enumerate(zip(relu, linear, strict=True), 1)
        ),
    )


@claim(
    "zhang2024.theorem_5.variant_gradient_descent.r1",
    "Theorem 5 for gradient descent (a probe, not printed)",
    given=_EXACT,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[*_DROPS],
    convention=f"R1: rank one and equal norms; {_EXACTLY}",
    cost=4.0,
)
def gradient_descent_keeps_rank_one_and_equal_norms(net: TwoLayer, data: Dataset, rate: Number) -> Margin:
    r"""R1: both layers stay multiples of the initial outer weights, $W_1[k]=W_2(0)^\top v^\top$ and $W_2[k]=c\,W_2(0)$:
    rank one, and equal norms of both signs.
    """
    size = squared_norm(net.outer)
    after = _steps(net, data, rate)
    return all_of(
        *(
            equal(size * one.inner, net.outer[:, None] * (net.outer @ one.inner)[None, :], "W1 along W2(0)")
            for one in after
        ),
        *(equal(size * one.outer, (net.outer @ one.outer) * net.outer, "W2 along W2(0)") for one in after),
    )


@claim(
    "zhang2024.theorem_5.variant_gradient_descent.r2",
    "Theorem 5 for gradient descent (a probe, not printed)",
    given=_EXACT,
    assumes=_ASSUMED,
    recorded="refuted",
    convention=f"R2: the unit length of r; {_EXACTLY}",
    cost=2.0,
)
def gradient_descent_keeps_the_unit_length(net: TwoLayer, data: Dataset, rate: Number) -> Margin:
    r"""R2: $\|W_1[k]\|=\|W_2[k]\|$, that is r[k] stays a unit vector.

    Fails in two dimensions: one step makes $r+g$ of r and $1+g^\top r$ of the length of $W_2$,
    $g=\tfrac{\alpha+1}2\eta(\dots)$, and $\|r+g\|^2-(1+g^\top r)^2=\|g\|^2-(g^\top r)^2>0$ unless g is parallel to r.
    The excess is of order $\eta^2$.
    """
    return all_of(
        *(
            equal(squared_norm(one.inner), squared_norm(one.outer), "|W1|^2 against |W2|^2")
            for one in _steps(net, data, rate)
        )
    )


_COUNTS = (8, 16, 32, 64, 128)


@claim(
    "zhang2024.theorem_5.variant_gradient_descent.r3",
    "Theorem 5 for gradient descent (a probe, not printed)",
    kind=Kind.ASYMPTOTIC,
    given=sized(
        net=two_layer,
        data=unscaled_dataset,
        slope=choice("1/2", "0", "1/3"),
        samples=drawn(1, 2),
        width=(2, 3),
        dimension=(1, 2),
    ),
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[moved("discrepancy O(eta^1.3)", power=1.3), without(rank_one), without(odd_target)],
    convention="R3: the same step for both and (alpha+1)/2 times as many steps for the linear network, up to the time "
    "1/32",
    cost=0.5,
)
def with_a_shared_step_the_discrepancy_is_of_first_order(
    net: TwoLayer, data: Dataset, slope: float, *, power: float = 1.0
) -> Margin:
    r"""R3: with $\eta'=\eta$ and step numbers in the ratio $\tfrac{\alpha+1}2$,
    $\|W-\sqrt{2/(\alpha+1)}\,W^{lin}\|=O(\eta)$.
    """
    half = Fraction((1 + slope) / 2).limit_denominator(10)
    factor = float(1 / half) ** 0.5
    relu = TwoLayer(net.inner, net.outer, Fraction(slope).limit_denominator(10))
    gaps, rates = [], []
    for count in _COUNTS:
        rates.append(1 / (32 * half.denominator * count))
        one = _steps(lift(relu, FLOAT), data, rates[-1], half.denominator * count)[-1]
        other = _steps(_linear(lift(relu, FLOAT), factor), data, rates[-1], half.numerator * count)[-1]
        gaps.append(
            float(np.abs(one.inner - factor * other.inner).max() + np.abs(one.outer - factor * other.outer).max())
        )
    law = fit(rates, [max(gap, 1e-6 * rate**2) for gap, rate in zip(gaps, rates, strict=True)])
    return vanishes_at_least_like(law, power, "discrepancy in eta, zero counted as a millionth of eta^2")


def _not_separable(data: Dataset) -> Margin:
    return equal(0 if separator(data) is None else 1, 0, "1 if the data are separable")


not_separable = Assumption(
    "label.not_separable",
    "no hyperplane through the origin separates the labels",
    _not_separable,
    base=sized(data=unscaled_dataset),
    satisfy=contradict_a_point,
    violate=label_by_a_hyperplane,
)


@claim(
    "zhang2024.sec_4_1.separable_relaxed_to_odd",
    "section 1.1",
    kind=Kind.DYNAMICS,
    given=_FLOWS,
    assumes=[even_inputs, sign_target, odd_target, not_separable, *ASSUMPTION_4],
    recorded="supported",
    mutants=[
        moved("time runs twice as fast", stretch=2.0),
        without(even_inputs),
        without(odd_target),
        without(equal_norms),
        without(rank_one),
    ],
    convention=f"square loss, and logistic loss with its usual sign; {_CONVENTION}",
)
def odd_labels_suffice(net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, stretch: float = 1.0) -> Margin:
    r"""For labels $\pm1$ that are odd but not linearly separable the weights still are
    $\sqrt{2/(\alpha+1)}\,W^{lin}(\tfrac{\alpha+1}2t)$, for the square and the logistic loss: the equivalence does not
    need separable labels.
    """
    return all_of(
        *(
            same_weights(net, data, loss, tau, tolerance, stretch, 1.0)
            for loss in (square_residual, logistic_residual(-1))
        )
    )
