r"""Section 4.1 and Corollary 6 for the logistic loss on separable labels: the direction in which the learned map grows.

The curve of the weights is followed until every margin $y_if(x_i)$ is $10^5$, where the loss is about $e^{-10^5}$.
Directions converge like the inverse of the margin, and across the span of the inputs like its inverse root; "converges
to w" means a cosine above $1-10^{-4}$.
"""

import numpy as np

from refute import Assumption, Kind, Margin, at_least, claim, equal, moved, without
from refute.claims.zhang2024.conditions import ASSUMPTION_4, even_inputs, odd_target
from refute.claims.zhang2024.converged import downhill_start, points_against
from refute.claims.zhang2024.early_phase_limits import nonzero_layers
from refute.claims.zhang2024.theorem_5 import sign_target
from refute.models import Dataset, TwoLayer
from refute.models.flow.direction import follow_to_margin
from refute.models.geometry.separation import off_origin, separator
from refute.models.reference.max_margin import max_margin
from refute.strategies import drawn, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.linear import linear_two_layer
from refute.strategies.zhang2024.odd_separable import contradict_a_point, label_by_a_hyperplane

FAR = 1e5
COSINE = 1 - 1e-4


separable = Assumption(
    "label.separable",
    "a hyperplane through the origin separates the labels (of inputs off the origin)",
    lambda data: equal(0 if separator(data) is None else 1, 1, "1 if the data are separable"),
    base=sized(data=unscaled_dataset),
    satisfy=label_by_a_hyperplane,
    violate=contradict_a_point,
)


def _direction_is_the_max_margin(net: TwoLayer, data: Dataset, sign: int, support: int = 1) -> Margin:
    """The cosine between the learned map and the hard-margin classifier (or the least-squares one), far along the
    curve.
    """
    end = follow_to_margin(net, data, FAR, sign=sign)
    found = end.linear_part
    kept = off_origin(data)
    target = max_margin(kept).weights if support else np.linalg.lstsq(kept.inputs, kept.labels, rcond=None)[0]
    size = float(np.linalg.norm(found) * np.linalg.norm(target))
    error = 3.0 if end.spent else 1e-6
    return at_least(
        float(found @ target) / size if size else 0.0, COSINE, "cosine with the hard-margin classifier", error=error
    )


def _direction_not_excluded(net: TwoLayer, data: Dataset) -> Margin:
    """In one dimension the separator is sign(beta), and the learned map keeps the opposite sign if
    it starts that way.
    """
    return at_least(
        -1 if points_against(net, data) else 1, 1, "largest cosine with the hard-margin classifier, now or later"
    )


_LINEAR = sized(net=linear_two_layer, data=unscaled_dataset, samples=drawn(1, 3), width=(1, 2), dimension=(1, 2))
_CASES = sized(net=two_layer, data=unscaled_dataset, samples=drawn(2, 3), width=(2, 3), dimension=(1, 2))
_THEOREM_5 = [even_inputs, sign_target, odd_target, separable, *ASSUMPTION_4]
_LEAST_SQUARES = moved("the least-squares direction", support=0)
_OPPOSITE = moved("the loss with e^{+yf}", sign=1)


@claim(
    "zhang2024.sec_4_1.linear_net_reaches_max_margin",
    "paragraph before Corollary 6 (cited there)",
    given=sized(net=linear_two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=(1, 1), dimension=(1, 1)),
    assumes=[sign_target, separable, nonzero_layers],
    recorded="refuted",
    convention="logistic loss with its usual sign; all nonzero initial weights; the solution is a direction; one "
    "neuron, one dimension",
)
def linear_networks_reach_the_max_margin(net: TwoLayer, data: Dataset) -> Margin:
    r"""Trained with logistic loss on separable labels, two-layer linear networks converge to the max-margin solution.

    Fails for exceptional starts, those that flow into the saddle at zero, as for the square loss. One neuron w = 1, a =
    -1 on the datum (1, 1): $\tau\dot w=a/(1+e^{wa})$, $\tau\dot a=w/(1+e^{wa})$, so w = -a > 0 for ever and f(1) < 0
    has the wrong sign. The cited results are about almost all starts; the amended claim is about starts below the loss
    of zero.
    """
    return _direction_not_excluded(net, data)


@claim(
    "zhang2024.sec_4_1.linear_net_reaches_max_margin.amended",
    "paragraph before Corollary 6 (cited there)",
    kind=Kind.DYNAMICS,
    given=_LINEAR,
    assumes=[sign_target, separable, downhill_start],
    recorded="supported",
    mutants=[_LEAST_SQUARES, _OPPOSITE, without(downhill_start)],
    convention="logistic loss with its usual sign; the solution is a direction",
)
def linear_networks_reach_the_max_margin_from_downhill(
    net: TwoLayer, data: Dataset, *, sign: int = -1, support: int = 1
) -> Margin:
    r"""Amended: for starts with $\langle f^2\rangle<2\langle yf\rangle$, whose loss is below $\ln2$, that of the zero
    network, since $\ln(1+e^{-z})\le\ln2-\tfrac z2+\tfrac{z^2}8$: the saddle at zero is out of reach.
    """
    return _direction_is_the_max_margin(net, data, sign, support)


@claim(
    "zhang2024.corollary_6.max_margin",
    "Corollary 6, last sentence",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=[*_THEOREM_5, downhill_start],
    recorded="against",
    convention="R0: the loss as printed, <ln(1 + e^{yf})>",
)
def the_direction_is_the_max_margin_for_the_printed_loss(net: TwoLayer, data: Dataset) -> Margin:
    r"""Under the conditions of Theorem 5, with logistic loss and linearly separable labels, $w^*$ is the hard-margin
    solution.

    Fails for the loss as printed: it is small where $yf$ is very negative, so that w grows in the opposite direction.
    For the ReLU neurons $\pm(1,0)$ with outer weights $\pm1$ and the data $\pm((1,1),1)$ the separator is
    $\tfrac12(1,1)$, and w turns to the direction -(1, 1).
    """
    return _direction_is_the_max_margin(net, data, 1)


@claim(
    "zhang2024.corollary_6.max_margin.r1",
    "Corollary 6, last sentence",
    given=sized(net=two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=(2, 3), dimension=(1, 1)),
    assumes=[*_THEOREM_5, nonzero_layers],
    recorded="refuted",
    convention="R1: the loss with its usual sign, <ln(1 + e^{-yf})>; r is any unit vector, the weights are not zero; "
    "one dimension",
)
def the_direction_is_the_max_margin(net: TwoLayer, data: Dataset) -> Margin:
    r"""R1: the same for $\langle\ln(1+e^{-yf})\rangle$.

    Fails for exceptional starts only, those that flow into the saddle at zero: for the data (1, 1), (-1, -1) the
    neurons w = -1, a = 1 and w = 1, a = -1 satisfy Assumption 4 with $r=-\bar\beta$ and keep $f(1)\le0$ (see
    `points_against`), while the separator is +1.
    """
    return _direction_not_excluded(net, data)


@claim(
    "zhang2024.corollary_6.max_margin.amended",
    "Corollary 6, last sentence",
    kind=Kind.DYNAMICS,
    given=sized(net=two_layer, data=unscaled_dataset, samples=drawn(2, 3), width=(2, 3), dimension=(2, 2)),
    assumes=[*_THEOREM_5, downhill_start],
    recorded="supported",
    mutants=[_LEAST_SQUARES, without(downhill_start)],
    convention="the loss with its usual sign; sigma'(0) = (1 + alpha)/2",
    cost=2.0,
)
def the_direction_is_the_max_margin_from_downhill(
    net: TwoLayer, data: Dataset, *, sign: int = -1, support: int = 1
) -> Margin:
    r"""Amended: with the usual sign and for starts with $\langle f^2\rangle<2\langle yf\rangle$, whose loss is below
    $\ln2$.

    Condition 3 and Assumption 4 make the network linear; that they are needed is shown at Theorem 5 and at the first
    sentence.
    """
    return _direction_is_the_max_margin(net, data, sign, support)
