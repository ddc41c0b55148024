r"""Corollary 14: the closed form of the learned map for white inputs, against the flow itself."""

from dataclasses import replace

import numpy as np

from refute import Assumption, Kind, Margin, all_of, claim, equal, less, moved, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.conditions import ASSUMPTION_4, CONDITION_3, equal_norms, even_inputs, odd_target, rank_one
from refute.claims.zhang2024.early_phase import correlated_target
from refute.functions import norm, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.loss import SQUARE
from refute.models.zhang2024.timecourse import time_course
from refute.strategies import choice, drawn, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.white import lift_a_pair, stretch, turn_towards, whiten, zero_weights

TIMES = np.linspace(0.0, 6.0, 9)
FAR = 1e4  # in units of tau; s is at least of order 1/100 here

white_inputs = Assumption(
    "data.white",
    "the input covariance is white, Sigma = I",
    lambda data: equal(data.covariance, np.eye(data.inputs.shape[1], dtype=int), "Sigma against the identity"),
    base=sized(data=unscaled_dataset),
    satisfy=whiten,
    violate=stretch,
)


def _not_against(net: TwoLayer, data: Dataset) -> Margin:
    return less(
        0, norm(data.correlation) * squared_norm(net.outer) + net.linear_map() @ data.correlation, "|W2|^2 (s + r.beta)"
    )


not_against = Assumption(
    "start.not_against_correlation",
    "the weights are not zero and do not point against the correlation, r != -beta/s",
    _not_against,
    base=sized(net=two_layer, data=unscaled_dataset),
    satisfy=turn_towards,
    violate=zero_weights,
)

odd_labels = replace(odd_target, id="label.odd", violate=lift_a_pair)  # a violation that keeps Sigma as it is

_CASES = sized(
    net=two_layer,
    data=unscaled_dataset,
    tau=choice("1", "1/10", "10"),
    samples=drawn(1, 3),
    width=(2, 4),
    dimension=(1, 3),
)
_ASSUMED = [even_inputs, white_inputs, odd_labels, *ASSUMPTION_4, not_against]


def _direction(net: TwoLayer) -> Array:
    r: Array = net.linear_map() / squared_norm(net.outer)
    return r


def _matches(net: TwoLayer, data: Dataset, tau: float, tolerance: float, own: float, slope: float) -> Margin:
    """f(x; W(t)) = w(t)^T x on data and fresh points; `own` is the part of |W1(0)|^2 that stands for u_0^2."""
    run = gradient_flow(net, data, SQUARE, TIMES * tau, tau=tau, tolerance=tolerance)
    points = np.vstack([data.inputs, np.eye(data.inputs.shape[1]), -np.eye(data.inputs.shape[1])])
    scale = own * float(squared_norm(net.inner))
    course = np.array([time_course(_direction(net), scale, data.correlation, slope, tau, t * tau) for t in TIMES])
    error = run.output_error(points) + 1e-13 * float(np.abs(course).max())
    return equal(run.outputs(points), course @ points.T, "f(x; W(t)) against w(t).x, by time and point", error=error)


@claim(
    "zhang2024.corollary_14.closed_form",
    "Corollary 14, Eq. (38)",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=_ASSUMED,
    recorded="refuted",
    convention="R0: u_0 = |W1(0)| of the (leaky) ReLU network, as the symbols are defined; r is that of Assumption 4",
)
def closed_form_with_the_own_initial_norm(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> Margin:
    r"""With $\Sigma=I$, $f(x;W(t))=w(t)^\top x$ with w(t) as in (38) and $u_0=\|W_1(0)\|$.

    Fails for every $\alpha<1$, already at t = 0: there (38) is $u_0^2r$, but the network is
    $\tfrac{\alpha+1}2\|W_1(0)\|^2r^\top x$, by (27). With the ReLU neurons w = a = 1 and w = a = -1 they are 2 and 1 at
    x = 1.
    """
    return _matches(net, data, tau, tolerance, 1.0, net.slope)


@claim(
    "zhang2024.corollary_14.closed_form.r1",
    "Corollary 14, Eq. (38)",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=_ASSUMED,
    recorded="supported",
    mutants=[
        moved("u_0 of the (leaky) ReLU network", linear=0),
        moved("time not rescaled", rescaled=0),
        *[without(assumption) for assumption in (white_inputs, even_inputs, odd_labels, equal_norms, rank_one)],
    ],
    convention="R1: u_0 = |W1lin(0)| of the linear network of Theorem 5, whose solution is adopted; sigma'(0) = (1 + "
    "alpha)/2",
)
def closed_form_with_the_linear_network_s_initial_norm(
    net: TwoLayer, data: Dataset, tau: float, tolerance: float, *, linear: int = 1, rescaled: int = 1
) -> Margin:
    r"""R1: the same with $u_0=\|W_1^{lin}(0)\|=\sqrt{\tfrac{\alpha+1}2}\|W_1(0)\|$.

    For $r=-\bar\beta$ formula (38) divides by $q_2=0$, and for $s=0$ by s: both are excluded.
    """
    return _matches(net, data, tau, tolerance, (1 + net.slope) / 2 if linear else 1.0, net.slope if rescaled else 1.0)


@claim(
    "zhang2024.corollary_14.white_only",
    "Corollary 14, hypothesis (a probe, not printed)",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=[*CONDITION_3, correlated_target, *ASSUMPTION_4, not_against],
    recorded="refuted",
    convention="u_0 as in R1 of the closed form",
)
def closed_form_without_white_inputs(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> Margin:
    r"""The closed form (38) holds for every $\Sigma$.

    Fails: it does not contain $\Sigma$. As $t\to\infty$ it tends to $\beta$ and the network to $\Sigma^{-1}\beta$. On
    the data $\pm(\tfrac72,1)$ these are 7/2 and 2/7, so that f at 7/2 tends to 1 and by (38) to 49/4.
    """
    return _matches(net, data, tau, tolerance, (1 + net.slope) / 2, net.slope)


@claim(
    "zhang2024.corollary_14.white_only.amended",
    "Corollary 14, hypothesis (a probe, not printed)",
    kind=Kind.DYNAMICS,
    given=_CASES,
    assumes=[*CONDITION_3, correlated_target, *ASSUMPTION_4, not_against],
    recorded="supported",
    mutants=[moved("the limit is least squares", inverse=1), moved("at time 1/100 too", start=0.01), without(rank_one)],
    convention="u_0 as in R1 of the closed form",
)
def closed_form_without_white_inputs_at_both_ends(
    net: TwoLayer, data: Dataset, tau: float, *, start: float = 0.0, inverse: int = 0
) -> Margin:
    r"""Amended: for every $\Sigma$, (38) is right at t = 0, and its limit is $\beta$, the network's only if
    $\Sigma\beta=\beta$.
    """
    scale = (1 + net.slope) / 2 * float(squared_norm(net.inner))
    first, last = (time_course(_direction(net), scale, data.correlation, net.slope, tau, t * tau) for t in (start, FAR))
    limit = np.linalg.lstsq(data.covariance, data.correlation, rcond=None)[0] if inverse else data.correlation
    points = np.vstack([data.inputs, np.eye(data.inputs.shape[1]), -np.eye(data.inputs.shape[1])])
    return all_of(
        equal(
            np.asarray(net(points)),
            points @ first,
            "f(x; W(0)) against w(0).x",
            error=1e-12 * (1 + float(np.abs(first).max())),
        ),
        equal(last, limit, "w(t) at a late time against beta", error=1e-9 * (1 + float(np.abs(limit).max()))),
    )
