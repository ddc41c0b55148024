r"""Section 4.1 beside its numbered statements: how much slower, where linear networks end, and which labels suffice."""

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    at_least,
    at_most,
    changed,
    derived,
    equal,
    mutants,
    scaled,
    section,
    shifted,
    tends_to,
    without,
)
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.assumptions import (
    ASSUMPTION_4,
    CONDITION_3,
    correlated_target,
    downhill_start,
    even_inputs,
    invertible,
    nonzero_layers,
    odd_target,
    separable,
    sign_target,
)
from refute.claims.zhang2024.theorem_5 import DROPS, LATE, SHARED_CLOCK, factor, square, trained_with, weights_agree
from refute.functions import absolute
from refute.models import Dataset, TwoLayer
from refute.models.loss import LOGISTIC, SQUARE
from refute.models.reference.least_squares import least_squares
from refute.models.reference.max_margin import max_margin
from refute.models.zhang2024.against import points_against
from refute.models.zhang2024.late import direction, endless_course, late_course, late_linear_course, linear_part
from refute.models.zhang2024.rescaled import LATE_TIMES, Course, LinearCourse
from refute.models.zhang2024.separation import off_origin, separator
from refute.strategies import drawn, mixed, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.linear import linear_two_layer
from refute.strategies.zhang2024.odd_separable import contradict_a_point, label_by_a_hyperplane
from refute.strategies.zhang2024.tame import tame_dataset

LINEAR = sized(net=linear_two_layer, data=unscaled_dataset, samples=drawn(1, 3), width=(1, 3), dimension=(1, 2))
ONE_LINEAR_NEURON = sized(
    net=linear_two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=(1, 1), dimension=(1, 1)
)
FEW = sized(net=two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=drawn(2, 3), dimension=drawn(1, 2))
NETWORKS = mixed(FEW, sized(net=two_layer, data=tame_dataset, width=drawn(5, 50), dimension=drawn(3, 20)))


@derived
def target(data: Dataset) -> Array:
    """Sigma^-1 beta, of least norm."""
    return least_squares(data)


@derived
def late(net: TwoLayer, data: Dataset, tolerance: float) -> Course:
    """Training with the square loss at late times."""
    return late_course(net, data, tolerance)


@derived
def learned(late: Course) -> Enclosed:
    """The linear part of the network at late times."""
    return linear_part(late)


@derived
def beside(net: TwoLayer, data: Dataset, tolerance: float) -> Course:
    """The linear network of Theorem 5 at the same late times."""
    return late_linear_course(net, data, tolerance)


@derived
def turned(net: TwoLayer, data: Dataset, tolerance: float) -> Enclosed:
    """The direction of the learned map under the logistic loss."""
    return direction(endless_course(net, data, LOGISTIC, tolerance))


@derived
def classifier(data: Dataset) -> Array:
    """The direction of the hard-margin classifier."""
    weights = max_margin(off_origin(data)).weights
    return weights / (weights @ weights) ** 0.5


main = section("zhang2024", "sec_4_1", recorded="supported")
flows = main.but(kind=Kind.DYNAMICS, **{name: square.common[name] for name in ("given", "assumes", "derived")})
limits = main.but(kind=Kind.ASYMPTOTIC, given=LINEAR, derived=[target, late, learned, turned, classifier])


@flows.claim(
    "slower_and_larger",
    "paragraph before Theorem 5",
    convention=f"slower: at (alpha+1)/2 times the speed; larger: both layers, at equal loss; {SHARED_CLOCK}",
)
@mutants(LATE, scaled("1001/1000", "|W|^2"), *DROPS)
def learning_is_slower_and_weights_are_larger(
    data: Dataset, relu: Course, linear: LinearCourse, clock: float, factor: float
) -> Margin:
    r"""Learning runs at $\tfrac{\alpha+1}2$ times the speed of the linear network and the weights are
    $\sqrt{2/(\alpha+1)}$ times larger.

    The linear network at $\tfrac{\alpha+1}2t$ and the (leaky) ReLU network at t have the same loss, and the ratio of
    their norms is that factor.
    """
    other = linear(clock)
    loss, slower = (SQUARE.value(data.labels, course.outputs(data.inputs)) for course in (relu, other))
    (first, second), (one, two) = relu.squared_norms, other.squared_norms
    return all_of(
        equal(loss, slower, "loss"),
        equal(first + second, factor**2 * (one + two), "|W|^2 against 2/(alpha+1) times that of the linear network"),
    )


@main.claim(
    "linear_net_reaches_ols",
    "paragraph before Corollary 6 (cited there)",
    given=ONE_LINEAR_NEURON,
    assumes=[correlated_target, invertible, nonzero_layers],
    derived=[target],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
)
def linear_networks_reach_least_squares(net: TwoLayer, data: Dataset, target: Array) -> Margin:
    r"""Trained with square loss, two-layer linear networks converge to $\Sigma^{-1}\beta$.

    Fails for exceptional starts, those that flow into the saddle at zero. One neuron w = a = 1 on the datum (1, -1) has
    $\tau\dot w=-a(1+wa)$, $\tau\dot a=-w(1+wa)$: w = a > 0 for ever, so f(1) > 0 never comes closer than 1 to
    $\Sigma^{-1}\beta=-1$. The general argument is that of `points_against`. (A computed trajectory would be thrown off
    the saddle by round-off.) The cited result is about generic or small random starts, and the amended claim about all
    starts below the loss of zero.

    Convention: for all initial weights other than zero, where the flow is at rest; s > 0; one neuron, one
    dimension.
    """
    return distance_kept(net, data, target)


def distance_kept(net: TwoLayer, data: Dataset, target: Array) -> Margin:
    """A network that points against the correlation never has an output on the side of the target."""
    kept = absolute(target[0]) if points_against(net, data) else target[0] * 0
    return at_most(kept, 0, "distance from Sigma^-1 beta that the limit must keep")


@limits.claim(
    "linear_net_reaches_ols.amended",
    "paragraph before Corollary 6 (cited there)",
    assumes=[correlated_target, invertible, downhill_start],
)
@mutants(scaled("101/100", "w"), without(invertible), without(downhill_start))
def linear_networks_reach_least_squares_from_downhill(learned: Enclosed, target: Array) -> Margin:
    r"""Amended: for starts with a loss below that of the zero network. The only other stationary points have
    $W_2W_1=0$, where the loss is that of zero, and the loss does not increase.
    """
    return tends_to(learned, target, "w against Sigma^-1 beta", at=LATE_TIMES)


@main.claim(
    "linear_net_reaches_max_margin",
    "paragraph before Corollary 6 (cited there)",
    given=ONE_LINEAR_NEURON,
    assumes=[sign_target, separable, nonzero_layers],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
)
def linear_networks_reach_the_max_margin(net: TwoLayer, data: Dataset) -> Margin:
    r"""Trained with logistic loss on separable labels, two-layer linear networks converge to the max-margin solution.

    Fails for exceptional starts, those that flow into the saddle at zero, as for the square loss. One neuron w = 1, a =
    -1 on the datum (1, 1): $\tau\dot w=a/(1+e^{wa})$, $\tau\dot a=w/(1+e^{wa})$, so w = -a > 0 for ever and f(1) < 0
    has the wrong sign. The cited results are about almost all starts; the amended claim is about starts below the loss
    of zero.

    Convention: logistic loss with its usual sign; all nonzero initial weights; the solution is a direction; one
    neuron, one dimension.
    """
    return direction_not_excluded(net, data)


def direction_not_excluded(net: TwoLayer, data: Dataset) -> Margin:
    """In one dimension the separator is sign(beta), and a network that points against it never has its sign."""
    largest_cosine = -1 if points_against(net, data) else 1
    return at_least(largest_cosine, 1, "largest cosine with the hard-margin classifier, now or later")


@limits.claim(
    "linear_net_reaches_max_margin.amended",
    "paragraph before Corollary 6 (cited there)",
    given=sized(net=linear_two_layer, data=unscaled_dataset, samples=drawn(1, 3), width=(1, 2), dimension=(1, 2)),
    assumes=[sign_target, separable, downhill_start],
)
@mutants(shifted("1/1000", "direction"))
def linear_networks_reach_the_max_margin_from_downhill(turned: Enclosed, classifier: Array) -> Margin:
    r"""Amended: for starts with $\langle f^2\rangle<2\langle yf\rangle$, whose loss is below $\ln2$, that of the zero
    network, since $\ln(1+e^{-z})\le\ln2-\tfrac z2+\tfrac{z^2}8$: the saddle at zero is out of reach.

    Convention: logistic loss with its usual sign; the solution is a direction.
    """
    return tends_to(turned, classifier, "direction of w")


@limits.claim(
    "same_limit_as_linear",
    "paragraph before Corollary 6",
    given=FEW,
    assumes=[*CONDITION_3, correlated_target, *ASSUMPTION_4],
    derived=[late, beside, factor],
)
@mutants(changed("1001/1000 of the factor", factor=lambda factor: factor * 1001 / 1000), *DROPS)
def both_networks_end_at_the_same_weights(late: Course, beside: Course, factor: float) -> Margin:
    r"""$W(\infty)=\sqrt{2/(\alpha+1)}\,W^{lin}(\infty)$ from starts in this ratio.

    Convention: square loss; both at the same late times, not rescaled ones; s > 0, from which the time scale is
    taken.
    """
    return all_of(
        tends_to(late.inner - factor * beside.inner, 0, "W1 against the scaled linear W1", at=LATE_TIMES),
        tends_to(late.outer - factor * beside.outer, 0, "W2 against the scaled linear W2", at=LATE_TIMES),
    )


@assumption(
    "label.not_separable", base=sized(data=unscaled_dataset), satisfy=contradict_a_point, violate=label_by_a_hyperplane
)
def not_separable(data: Dataset) -> Margin:
    """no hyperplane through the origin separates the labels"""
    return equal(0 if separator(data) is None else 1, 0, "1 if the data are separable")


@flows.claim(
    "separable_relaxed_to_odd",
    "section 1.1",
    assumes=[even_inputs, sign_target, odd_target, not_separable, *ASSUMPTION_4],
    derived=trained_with(LOGISTIC),
    convention=f"logistic loss with its usual sign; for the square loss Theorem 5 asks nothing of the sort; "
    f"{SHARED_CLOCK}",
)
@mutants(LATE, scaled("1001/1000", "W"), *DROPS)
def odd_labels_suffice(relu: Course, linear: LinearCourse, clock: float, factor: float) -> Margin:
    r"""For labels $\pm1$ that are odd but not linearly separable the weights still are
    $\sqrt{2/(\alpha+1)}\,W^{lin}(\tfrac{\alpha+1}2t)$ for the logistic loss: the equivalence does not need separable
    labels.
    """
    margin: Margin = weights_agree.conclusion(relu, linear, clock, factor)
    return margin
