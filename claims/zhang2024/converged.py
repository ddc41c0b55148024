r"""Section 4.1 and Corollary 6 for the square loss: where training ends.

A flow is followed until what is left of it would be below $10^{-12}$ at the rate of its linearisation at least squares;
"the limit is w" then means: within $10^{-7}$ of w, relative to its size.
"""

import numpy as np
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.claims.zhang2024.conditions import ASSUMPTION_4, CONDITION_3, equal_norms, even_inputs, odd_target, rank_one
from refute.claims.zhang2024.early_phase import correlated_target
from refute.claims.zhang2024.early_phase_limits import nonzero_layers
from refute.claims.zhang2024.theorem_5 import sign_target
from refute.errors import BadInput
from refute.functions import absolute, sign
from refute.models import Dataset, TwoLayer
from refute.models.flow import Trajectory, gradient_flow, scaled
from refute.models.geometry.elimination import rank
from refute.models.loss import LOGISTIC, SQUARE
from refute.strategies import drawn, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.linear import linear_two_layer
from refute.strategies.zhang2024.downhill import flatten, head_downhill, head_uphill, span_the_space

Floats = NDArray[np.float64]
REACHED = 1e-7
LEFT = 28.0  # -ln 1e-12
UNCORRELATED = 1e-9  # an s that is round-off

invertible = Assumption(
    "data.invertible_covariance",
    "the input covariance is invertible",
    lambda data: at_least(rank(data.inputs), data.inputs.shape[1], "rank of the inputs against the dimension"),
    base=sized(data=unscaled_dataset),
    satisfy=span_the_space,
    violate=flatten,
)


def _downhill(net: TwoLayer, data: Dataset) -> Margin:
    f = net(data.inputs)
    return less(f @ f, 2 * (data.labels @ f), "n <f^2> against 2 n <y f>")


downhill_start = Assumption(
    "start.downhill",
    "the initial square loss is below that of the zero network, <f^2> < 2 <y f>",
    _downhill,
    base=sized(net=linear_two_layer, data=unscaled_dataset),
    satisfy=head_downhill,
    violate=head_uphill,
)


def _settled(net: TwoLayer, data: Dataset, tolerance: float) -> Trajectory:
    """The flow at a late time and at twice this time."""
    half = (1 + net.slope) / 2
    size = float(np.linalg.norm(data.correlation))
    if size < UNCORRELATED:
        raise BadInput("inputs and labels are not correlated, and the time scale is 1/s")
    least = np.linalg.lstsq(data.inputs, data.labels, rcond=None)[0]
    spread = np.linalg.eigvalsh(data.covariance)
    slowest = float(min(value for value in spread if value > 1e-9 * spread[-1]))
    escape = LEFT / size  # from the saddle at zero, which the weights leave at the rate s
    first = gradient_flow(net, data, SQUARE, np.array([escape / half]), tolerance=tolerance)
    settle = LEFT / (
        slowest * max(half * float((first.outer[0] ** 2).sum()), 0.1 * float(np.linalg.norm(least)) / (1 + size))
    )
    return gradient_flow(net, data, SQUARE, (escape + settle) / half * np.array([1.0, 2.0]), tolerance=tolerance)


def _maps(run: Trajectory) -> Floats:
    """The linear part (alpha+1)/2 W2 W1 at each time."""
    maps: Floats = (1 + run.slope) / 2 * np.einsum("th,thd->td", run.outer, run.inner)
    return maps


def _ends_at_least_squares(net: TwoLayer, data: Dataset, tolerance: float, inverse: int) -> Margin:
    run = _settled(net, data, tolerance)
    target = np.linalg.lstsq(data.inputs, data.labels, rcond=None)[0] if inverse else data.correlation
    unit = 1 + float(np.abs(target).max())
    error = run.output_error(np.eye(data.inputs.shape[1])) / unit + REACHED
    return equal(
        _maps(run)[-1] / unit,
        target / unit,
        "the limit of w against Sigma^-1 beta, over 1 + |Sigma^-1 beta|",
        error=error,
    )


def points_against(net: TwoLayer, data: Dataset) -> bool:
    r"""In one dimension: $w_j=-\operatorname{sign}(\beta)a_j$ for every neuron. Training keeps it so.

    Both losses give $\tau\dot w_j=a_jG_j$ and $\tau\dot a_j=w_jG_j$ with one factor $G_j$, and so, with
    $b=\operatorname{sign}(\beta)$, $\tau\frac d{dt}(w_j+ba_j)=b(w_j+ba_j)G_j$. Then
    $bx\,f(x)=\sum_jbx\,a_j\sigma(-ba_jx)\le0$ for every x and all times.
    """
    wrong = net.inner[:, 0] + sign(data.correlation[0]) * net.outer
    return not any(wrong)


def _distance_kept(net: TwoLayer, data: Dataset) -> Margin:
    beta, sigma = data.correlation[0], data.covariance[0, 0]
    kept = absolute(beta) / sigma if points_against(net, data) else beta * 0
    return at_most(kept, 0, "distance from Sigma^-1 beta that the limit must keep")


_LINEAR = sized(net=linear_two_layer, data=unscaled_dataset, samples=drawn(1, 3), width=(1, 3), dimension=(1, 2))
_CASES = sized(net=two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=(2, 3), dimension=(1, 2))
_THEOREM_5 = [*CONDITION_3, correlated_target, *ASSUMPTION_4]
_DOMAIN = [*CONDITION_3, correlated_target, invertible, *ASSUMPTION_4, downhill_start]
_BETA = moved("the limit is beta", inverse=0)


@claim(
    "zhang2024.sec_4_1.linear_net_reaches_ols",
    "paragraph before Corollary 6 (cited there)",
    given=sized(net=linear_two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=(1, 1), dimension=(1, 1)),
    assumes=[correlated_target, invertible, nonzero_layers],
    recorded="refuted",
    convention="for all initial weights other than zero, where the flow is at rest; s > 0; one neuron, one dimension",
)
def linear_networks_reach_least_squares(net: TwoLayer, data: Dataset) -> Margin:
    r"""Trained with square loss, two-layer linear networks converge to $\Sigma^{-1}\beta$.

    Fails for exceptional starts, those that flow into the saddle at zero. One neuron w = a = 1 on the datum (1, -1) has
    $\tau\dot w=-a(1+wa)$, $\tau\dot a=-w(1+wa)$: w = a > 0 for ever, so f(1) > 0 never comes closer than 1 to
    $\Sigma^{-1}\beta=-1$. The general argument is that of `points_against`. (A computed trajectory would be thrown off
    the saddle by round-off.) The cited result is about generic or small random starts, and the amended claim about all
    starts below the loss of zero.
    """
    return _distance_kept(net, data)


@claim(
    "zhang2024.sec_4_1.linear_net_reaches_ols.amended",
    "paragraph before Corollary 6 (cited there)",
    kind=Kind.DYNAMICS,
    given=_LINEAR,
    assumes=[correlated_target, invertible, downhill_start],
    recorded="supported",
    mutants=[_BETA, without(invertible), without(downhill_start)],
)
def linear_networks_reach_least_squares_from_downhill(
    net: TwoLayer, data: Dataset, tolerance: float, *, inverse: int = 1
) -> Margin:
    r"""Amended: for starts with a loss below that of the zero network. The only other stationary points have
    $W_2W_1=0$, where the loss is that of zero, and the loss does not increase.
    """
    return _ends_at_least_squares(net, data, tolerance, inverse)


@claim(
    "zhang2024.corollary_6.ols_limit",
    "Corollary 6, second sentence",
    given=sized(net=two_layer, data=unscaled_dataset, samples=drawn(1, 2), width=(2, 3), dimension=(1, 1)),
    assumes=[*CONDITION_3, correlated_target, invertible, *ASSUMPTION_4, nonzero_layers],
    recorded="refuted",
    convention="r is any unit vector, the weights are not zero; Sigma is invertible as the formula implies; s > 0; "
    "one dimension",
)
def the_limit_is_least_squares(net: TwoLayer, data: Dataset) -> Margin:
    r"""Under the conditions of Theorem 5, with square loss, $f(x;W(\infty))=w^{*\top}x$ with $w^*=\Sigma^{-1}\beta$.

    Fails for exceptional starts only, those that flow into the saddle at zero. For the data (1, 1), (-1, -1) the
    neurons w = -1, a = 1 and w = 1, a = -1 satisfy Assumption 4 with $r=-\bar\beta$; by `points_against` $f(1)\le0$ for
    ever, while $w^*=1$. The same holds in any dimension for $r=-\bar\beta$ when $\bar\beta$ is an eigenvector of
    $\Sigma$. Assumption 4 is offered as what training from small random weights leads to, and there r is near
    $+\bar\beta$, which the amended claim covers.
    """
    return _distance_kept(net, data)


@claim(
    "zhang2024.corollary_6.ols_limit.amended",
    "Corollary 6, second sentence",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=_DOMAIN,
    recorded="supported",
    mutants=[
        _BETA,
        *[without(a) for a in (even_inputs, odd_target, equal_norms, rank_one, invertible, downhill_start)],
    ],
    convention="sigma'(0) = (1 + alpha)/2",
)
def the_limit_is_least_squares_from_downhill(
    net: TwoLayer, data: Dataset, tolerance: float, *, inverse: int = 1
) -> Margin:
    r"""Amended: for starts with a loss below that of the zero network."""
    return _ends_at_least_squares(net, data, tolerance, inverse)


@claim(
    "zhang2024.sec_4_1.same_limit_as_linear",
    "paragraph before Corollary 6",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=_THEOREM_5,
    recorded="supported",
    mutants=[
        moved("21/20 of the factor", factor=1.05),
        moved("the same weights", power=0.0),
        *[without(a) for a in (even_inputs, odd_target, equal_norms, rank_one)],
    ],
    convention="square loss; both at the same late time, not a rescaled one; s > 0, from which the time scale is taken",
)
def both_networks_end_at_the_same_weights(
    net: TwoLayer, data: Dataset, tolerance: float, *, factor: float = 1.0, power: float = 0.5
) -> Margin:
    r"""$W(\infty)=\sqrt{2/(\alpha+1)}\,W^{lin}(\infty)$ from starts in this ratio."""
    ratio = factor * (2 / (1 + net.slope)) ** power
    relu, linear = _settled(net, data, tolerance), _settled(scaled(net, 1 / ratio, 1.0), data, tolerance)
    unit = 1 + float(np.abs(relu.inner).max() + np.abs(relu.outer).max())
    error = (relu.error + ratio * linear.error) / unit + REACHED
    return all_of(
        equal(relu.inner[-1] / unit, ratio * linear.inner[-1] / unit, "W1 in the limit, scaled", error=error),
        equal(relu.outer[-1] / unit, ratio * linear.outer[-1] / unit, "W2 in the limit, scaled", error=error),
    )


def _limit_is_linear(run: Trajectory, data: Dataset, factor: float = 1.0) -> Margin:
    """f at the late time is what it is at twice this time, and linear in x."""
    points = np.vstack([data.inputs, np.eye(data.inputs.shape[1]), -np.eye(data.inputs.shape[1])])
    outputs, error = run.outputs(points), run.output_error(points)
    unit = 1 + float(np.abs(outputs).max())
    limit = factor * points @ _maps(run)[1]
    return all_of(
        equal(
            outputs[0] / unit,
            outputs[1] / unit,
            "f at a late time against f at twice this time",
            error=error / unit + REACHED,
        ),
        equal(
            outputs[1] / unit, limit / unit, "f in the limit against (alpha+1)/2 W2 W1 x", error=error / unit + REACHED
        ),
    )


@claim(
    "zhang2024.corollary_6.linear_limit",
    "Corollary 6, first sentence",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=_THEOREM_5,
    recorded="supported",
    mutants=[
        *[without(a) for a in (even_inputs, odd_target, equal_norms, rank_one)],
        moved("101/100 of the linear part", factor=1.01),
    ],
    convention="square loss; s > 0, from which the time scale is taken; sigma'(0) = (1 + alpha)/2",
)
def the_limit_is_linear(net: TwoLayer, data: Dataset, tolerance: float, *, factor: float = 1.0) -> Margin:
    r"""Under the conditions of Theorem 5 the network converges to a linear function $f(x;W(\infty))=w^{*\top}x$;
    $\Sigma$ is any.

    The start is any that Assumption 4 allows: those that flow into the saddle at zero have the limit 0, which is linear
    too.
    """
    return _limit_is_linear(_settled(net, data, tolerance), data, factor)


@claim(
    "zhang2024.corollary_6.linear_limit.r1",
    "Corollary 6, first sentence",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=[even_inputs, sign_target, odd_target, correlated_target, *ASSUMPTION_4, downhill_start],
    recorded="refuted",
    convention="R1: logistic loss with its usual sign, times 100 and 200",
)
def the_limit_of_logistic_training_is_linear(net: TwoLayer, data: Dataset, tolerance: float) -> Margin:
    r"""R1: the same for the logistic loss.

    Fails for separable labels: the loss has no minimiser, and $y f(x)$ grows like $\ln t$ without end. Only the
    direction of w converges. For the ReLU neurons 1, -1 with outer weights 1, -1 and the data (1, 1), (-1, -1) each
    neuron sees one datum, so that $\dot f=f/(1+e^f)$ at x = 1 from f = 1: 6.2 at t = 100 and 7.1 at t = 200.
    """
    return _limit_is_linear(gradient_flow(net, data, LOGISTIC, np.array([100.0, 200.0]), tolerance=tolerance), data)
