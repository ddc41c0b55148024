r"""Corollary 6 with the paragraph E.4: the limit of training is linear, least squares or the hard-margin classifier.

A network that starts in the saddle at zero, or flows into it, ends there; the amended claims are about starts below the
loss of the zero network, which cannot.
"""

import numpy as np
from numpy.typing import NDArray

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    derived,
    equal,
    mutants,
    scaled,
    section,
    shifted,
    tends_to,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.assumptions import (
    ASSUMPTION_4,
    CONDITION_3,
    correlated_target,
    downhill_start,
    equal_norms,
    even_inputs,
    invertible,
    nonzero_layers,
    odd_target,
    rank_one,
    separable,
    sign_target,
)
from refute.claims.zhang2024.pairs import least_squares_is_least, loss_splits, outputs_add_up
from refute.claims.zhang2024.section_4_1 import (
    NETWORKS,
    classifier,
    direction_not_excluded,
    distance_kept,
    late,
    learned,
    target,
    turned,
)
from refute.claims.zhang2024.setting import FILIPPOV_SLOPE
from refute.decide.proof import steps
from refute.language.limits import HORIZONS
from refute.models import Dataset, TwoLayer
from refute.models.geometry.elimination import solve
from refute.models.loss import LOGISTIC, LOGISTIC_PRINTED, SQUARE
from refute.models.reference.least_squares import least_squares
from refute.models.zhang2024.late import direction, endless_course
from refute.models.zhang2024.rescaled import LATE_TIMES, Course, fresh_points
from refute.strategies import dataset, drawn, mixed, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.tame import tame_dataset

Floats = NDArray[np.float64]

ONE_DIMENSION = sized(net=two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=(2, 3), dimension=(1, 1))
PAIRS = mixed(
    sized(net=two_layer, data=unscaled_dataset, samples=drawn(2, 3), width=drawn(2, 3), dimension=drawn(2, 2)),
    sized(net=two_layer, data=tame_dataset, width=drawn(4, 20), dimension=drawn(3, 6)),
)
TRIED = "up to 40 data in 20 dimensions and 50 neurons are tried, in more than two with a covariance of one size"
SEPARABLE = [even_inputs, sign_target, odd_target, separable, *ASSUMPTION_4]
DROPS = [without(assumption) for assumption in (even_inputs, odd_target, equal_norms, rank_one)]

main = section("zhang2024", "corollary_6", "Corollary 6", recorded="supported")
limits = main.but(
    kind=Kind.ASYMPTOTIC,
    given=NETWORKS,
    assumes=[*CONDITION_3, correlated_target, *ASSUMPTION_4],
    convention=f"square loss; s > 0, from which the time scale is taken; {FILIPPOV_SLOPE}; {TRIED}",
    cost=0.4,
)


@derived
def points(data: Dataset) -> Floats:
    """Where the function is looked at."""
    return fresh_points(data)


@limits.claim("linear_limit", "first sentence", derived=[late, points])
@mutants(shifted("1/1000", "f(x)"), *DROPS)
def the_limit_is_linear(late: Course, points: Floats) -> Margin:
    r"""Under the conditions of Theorem 5 the network converges to a linear function $f(x;W(\infty))=w^{*\top}x$;
    $\Sigma$ is any.

    The start is any that Assumption 4 allows: those that flow into the saddle at zero have the limit 0, which is linear
    too. By Theorem 1 the limit is linear if and only if it is odd.
    """
    f = late.outputs(points)
    return all_of(
        tends_to(f[1:] - f[:-1], 0, "change of f from one time to the next", at=LATE_TIMES[1:]),
        tends_to(f + late.outputs(-points), 0, "f(x) + f(-x)", at=LATE_TIMES),
    )


@derived
def endless(net: TwoLayer, data: Dataset, tolerance: float) -> Course:
    """Training with the usual logistic loss."""
    return endless_course(net, data, LOGISTIC, tolerance)


@limits.claim(
    "linear_limit.r1",
    "first sentence",
    assumes=[even_inputs, sign_target, odd_target, separable, correlated_target, *ASSUMPTION_4, downhill_start],
    derived=[endless, points],
    recorded="against",
    fault=Fault.CONVENTION,
    convention=f"R1: logistic loss with its usual sign, separable labels; {FILIPPOV_SLOPE}",
)
def the_limit_of_logistic_training_is_linear(endless: Course, points: Floats) -> Margin:
    r"""R1: the same for the logistic loss.

    Fails for separable labels: the loss has no minimiser, and $y f(x)$ grows like $\ln t$ without end. Only the
    direction of w converges. For the ReLU neurons 1, -1 with outer weights 1, -1 and the data (1, 1), (-1, -1) each
    neuron sees one datum, so that $\dot f=f/(1+e^f)$ at x = 1 from f = 1: 6.2 at t = 100 and 7.1 at t = 200.
    """
    f = endless.outputs(points)
    return tends_to(f[1:] - f[:-1], 0, "change of f from one time to the next", at=HORIZONS[1:])


@main.claim(
    "ols_limit",
    "second sentence",
    given=ONE_DIMENSION,
    assumes=[*CONDITION_3, correlated_target, invertible, *ASSUMPTION_4, nonzero_layers],
    derived=[target],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    root="zhang2024.sec_4_1.linear_net_reaches_ols",
)
def the_limit_is_least_squares(net: TwoLayer, data: Dataset, target: Array) -> Margin:
    r"""Under the conditions of Theorem 5, with square loss, $f(x;W(\infty))=w^{*\top}x$ with $w^*=\Sigma^{-1}\beta$.

    Fails for exceptional starts only, those that flow into the saddle at zero. For the data (1, 1), (-1, -1) the
    neurons w = -1, a = 1 and w = 1, a = -1 satisfy Assumption 4 with $r=-\bar\beta$; by `points_against` $f(1)\le0$ for
    ever, while $w^*=1$. The same holds in any dimension for $r=-\bar\beta$ when $\bar\beta$ is an eigenvector of
    $\Sigma$. Assumption 4 is offered as what training from small random weights leads to, and there r is near
    $+\bar\beta$, which the amended claim covers.

    Convention: r is any unit vector, the weights are not zero; Sigma is invertible as the formula implies; s > 0;
    one dimension.
    """
    return distance_kept(net, data, target)


@limits.claim(
    "ols_limit.amended",
    "second sentence",
    assumes=[*CONDITION_3, correlated_target, invertible, *ASSUMPTION_4, downhill_start],
    derived=[late, learned, target],
    convention=f"{FILIPPOV_SLOPE}; {TRIED}",
)
@mutants(scaled("1001/1000", "w"), *DROPS, without(invertible), without(downhill_start))
def the_limit_is_least_squares_from_downhill(learned: Enclosed, target: Array) -> Margin:
    r"""Amended: for starts with a loss below that of the zero network."""
    return tends_to(learned, target, "w against Sigma^-1 beta", at=LATE_TIMES)


@derived
def turned_by_the_printed_loss(net: TwoLayer, data: Dataset, tolerance: float) -> Enclosed:
    """The direction of the learned map under the loss with e^{yf}."""
    return direction(endless_course(net, data, LOGISTIC_PRINTED, tolerance))


@limits.claim(
    "max_margin",
    "last sentence",
    assumes=[*SEPARABLE, downhill_start],
    derived=[turned_by_the_printed_loss, classifier],
    recorded="against",
    fault=Fault.SIGN,
)
def the_direction_is_the_max_margin_for_the_printed_loss(
    turned_by_the_printed_loss: Enclosed, classifier: Array
) -> Margin:
    r"""Under the conditions of Theorem 5, with logistic loss and linearly separable labels, $w^*$ is the hard-margin
    solution.

    Fails for the loss as printed: it is small where $yf$ is very negative, so that w grows in the opposite direction.
    For the ReLU neurons $\pm(1,0)$ with outer weights $\pm1$ and the data $\pm((1,1),1)$ the separator is
    $\tfrac12(1,1)$, and w turns to the direction -(1, 1).

    Convention: R0: the loss as printed, <ln(1 + e^{yf})>.
    """
    return tends_to(turned_by_the_printed_loss, classifier, "direction of w")


@main.claim(
    "max_margin.r1",
    "last sentence",
    given=ONE_DIMENSION,
    assumes=[*SEPARABLE, nonzero_layers],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    root="zhang2024.sec_4_1.linear_net_reaches_max_margin",
)
def the_direction_is_the_max_margin(net: TwoLayer, data: Dataset) -> Margin:
    r"""R1: the same for $\langle\ln(1+e^{-yf})\rangle$.

    Fails for exceptional starts only, those that flow into the saddle at zero: for the data (1, 1), (-1, -1) the
    neurons w = -1, a = 1 and w = 1, a = -1 satisfy Assumption 4 with $r=-\bar\beta$ and keep $f(1)\le0$ (see
    `points_against`), while the separator is +1.

    Convention: R1: the loss with its usual sign, <ln(1 + e^{-yf})>; r is any unit vector, the weights are not zero;
    one dimension.
    """
    return direction_not_excluded(net, data)


@limits.claim(
    "max_margin.amended",
    "last sentence",
    given=PAIRS,
    assumes=[*SEPARABLE, downhill_start],
    derived=[turned, classifier],
    cost=0.5,
)
@mutants(shifted("1/1000", "direction"))
def the_direction_is_the_max_margin_from_downhill(turned: Enclosed, classifier: Array) -> Margin:
    r"""Amended: with the usual sign and for starts with $\langle f^2\rangle<2\langle yf\rangle$, whose loss is below
    $\ln2$.

    Condition 3 and Assumption 4 make the network linear; that they are needed is shown at Theorem 5 and at the first
    sentence.

    Convention: the loss with its usual sign; sigma'(0) = (1 + alpha)/2, the Filippov value under Condition 3; up to 12
    data in 6 dimensions and 20 neurons are tried.
    """
    return tends_to(turned, classifier, "direction of w")


def _best_outer(net: TwoLayer, data: Dataset) -> TwoLayer:
    """The outer weights that fit best with these inner weights: a solution of the normal equations of the hidden
    layer.
    """
    hidden = net.hidden(data.inputs)
    return net.with_weights(net.inner, solve(hidden.T @ hidden, hidden.T @ data.labels))


def _outputs_of_two_neurons(net: TwoLayer, data: Dataset, w: Array) -> Array:
    """Of the neurons w, -w with outer weights 1/(1 + alpha), -1/(1 + alpha)."""
    outer = net.outer[:1] * 0 + 1 / (1 + net.slope)
    outputs: Array = sum(net.with_weights(sign * w[None, :], sign * outer)(data.inputs) for sign in (1, -1))
    return outputs


EXACT = sized(net=two_layer, data=dataset, samples=drawn(1, 3), width=(1, 3), dimension=(1, 2))


def _loss(data: Dataset, outputs: Array) -> Number:
    return SQUARE.value(data.labels, outputs)


@main.claim(
    "global_minimum",
    "second sentence; E.4",
    given=EXACT,
    assumes=CONDITION_3,
    proof=lambda: steps(loss_splits(), least_squares_is_least(), outputs_add_up()),
    recorded="proved",
    cost=3.0,
)
@mutants(without(even_inputs), without(odd_target), scaled("10001/10000", "loss of"))
def no_network_beats_least_squares(net: TwoLayer, data: Dataset) -> Margin:
    r"""Under Condition 3 the least-squares map $w^*=\Sigma^{-1}\beta$ attains the global minimum of the network's
    square loss.

    For every $W_1$ the best $W_2$ (an exact least-squares fit on the hidden layer) leaves at least the loss of
    $x^\top w^*$, and the two neurons $\pm w^*$ with outer weights $\pm\frac1{1+\alpha}$ attain it. For singular
    $\Sigma$, $w^*$ is the solution of least norm. Both parts of Condition 3 are needed.

    Convention: global minimum over networks of every width; two neurons attain it, one ReLU neuron need not.
    """
    w = least_squares(data)
    least, best = _loss(data, data.inputs @ w), _best_outer(net, data)
    return all_of(
        at_least(_loss(data, best(data.inputs)), least, "loss of the best outer weights"),
        equal(_loss(data, _outputs_of_two_neurons(net, data, w)), least, "two neurons with the least-squares map"),
    )
