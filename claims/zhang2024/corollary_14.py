r"""Corollary 14: the closed form of the learned map for white inputs, against the flow itself."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import (
    Derived,
    Fault,
    Kind,
    Margin,
    all_of,
    assumption,
    changed,
    derived,
    equal,
    less,
    mutants,
    scaled,
    section,
    tends_to,
    without,
)
from refute.arithmetic.numbers import Number
from refute.claims.zhang2024.assumptions import (
    ASSUMPTION_4,
    CONDITION_3,
    correlated_target,
    equal_norms,
    even_inputs,
    odd_target,
    rank_one,
)
from refute.claims.zhang2024.setting import FILIPPOV_SLOPE
from refute.claims.zhang2024.theorem_5 import FIELDS
from refute.functions import norm, squared_norm
from refute.language.limits import HORIZONS
from refute.models import Dataset, TwoLayer
from refute.models.loss import SQUARE
from refute.models.zhang2024.fields import mean_slope
from refute.models.zhang2024.rescaled import Course, flow, fresh_points
from refute.models.zhang2024.timecourse import time_course
from refute.strategies import drawn, mixed, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.zhang2024.white import lift_a_pair, stretch, turn_towards, whiten, zero_weights

Floats = NDArray[np.float64]
Maps = Callable[[float], Floats]
TIMES = np.linspace(0.0, 6.0, 9)  # in units of tau
FEW = sized(**FIELDS, samples=drawn(1, 3), width=drawn(2, 4))
MANY: dict[str, Any] = {"samples": drawn(4, 16), "width": drawn(5, 50)}


@assumption("data.white", base=sized(data=unscaled_dataset), satisfy=whiten, violate=stretch)
def white_inputs(data: Dataset) -> Margin:
    """the input covariance is white, Sigma = I"""
    return equal(data.covariance, np.eye(data.inputs.shape[1], dtype=int), "Sigma against the identity")


@assumption(
    "start.not_against_correlation",
    base=sized(net=two_layer, data=unscaled_dataset),
    satisfy=turn_towards,
    violate=zero_weights,
)
def not_against(net: TwoLayer, data: Dataset) -> Margin:
    """the weights are not zero and do not point against the correlation, r != -beta/s"""
    along = norm(data.correlation) * squared_norm(net.outer) + net.linear_map() @ data.correlation
    return less(0, along, "|W2|^2 (s + r.beta)")


odd_labels = replace(odd_target, id="label.odd", violate=lift_a_pair)  # a violation that keeps Sigma as it is


@derived
def course(net: TwoLayer, data: Dataset, tau: float, tolerance: float) -> Course:
    """The flow itself."""
    return flow(net, data, SQUARE, TIMES, tau, tolerance)


@derived
def points(data: Dataset) -> Floats:
    """Where functions are compared."""
    return fresh_points(data)


def formula(start: Callable[[TwoLayer], Number]) -> Derived:
    """(38) with u_0^2 of this network, as a function of the time in units of tau."""

    @derived
    def maps(net: TwoLayer, data: Dataset) -> Maps:
        r = net.linear_map() / squared_norm(net.outer)
        return lambda time: time_course(r, start(net), data.correlation, net.slope, 1.0, time)

    return maps


OWN = formula(lambda net: squared_norm(net.inner))
LINEAR = formula(lambda net: mean_slope(net) * squared_norm(net.inner))

main = section(
    "zhang2024",
    "corollary_14",
    "Corollary 14",
    kind=Kind.DYNAMICS,
    given=mixed(FEW, FEW, *(sized(**FIELDS, **MANY, dimension=(d, d)) for d in (4, 9, 16))),
    assumes=[even_inputs, white_inputs, odd_labels, *ASSUMPTION_4, not_against],
    derived=[course, points, OWN],
)
any_covariance = main.but(
    assumes=[*CONDITION_3, correlated_target, *ASSUMPTION_4, not_against],
    derived=[course, points, LINEAR],
    convention="u_0 as in R1 of the closed form",
    printed=False,
)


@main.claim("closed_form", "Eq. (38)", recorded="refuted", fault=Fault.CONSTANT)
def closed_form_with_the_own_initial_norm(course: Course, points: Floats, maps: Maps) -> Margin:
    r"""With $\Sigma=I$, $f(x;W(t))=w(t)^\top x$ with w(t) as in (38) and $u_0=\|W_1(0)\|$.

    Fails for every $\alpha<1$, already at t = 0: there (38) is $u_0^2r$, but the network is
    $\tfrac{\alpha+1}2\|W_1(0)\|^2r^\top x$, by (27). With the ReLU neurons w = a = 1 and w = a = -1 they are 2 and 1 at
    x = 1.

    Convention: R0: u_0 = |W1(0)| of the (leaky) ReLU network, as the symbols are defined; r is that of Assumption
    4.
    """
    printed = np.array([maps(time) for time in TIMES])
    return equal(course.outputs(points), printed @ points.T, "f(x; W(t)) against w(t).x, by time and point")


closed_form_with_the_own_initial_norm.reading(
    "r1",
    r"R1: $u_0=\|W_1^{lin}(0)\|=\sqrt{\tfrac{\alpha+1}2}\|W_1(0)\|$. For $r=-\bar\beta$ formula (38) divides by "
    "$q_2=0$, and for $s=0$ by s: both are excluded.",
    derived=[course, points, LINEAR],
    recorded="supported",
    mutants=[
        scaled("10001/10000"),
        changed("time a thousandth faster", maps=lambda maps: lambda time: maps(time * 1.001)),
        *[without(assumption) for assumption in (white_inputs, even_inputs, odd_labels, equal_norms, rank_one)],
    ],
    convention=f"R1: u_0 = |W1lin(0)| of the linear network of Theorem 5, whose solution is adopted; {FILIPPOV_SLOPE}; "
    "up to 32 data in 16 dimensions, 50 neurons and t = 6 tau are tried",
    cost=0.15,
)


@any_covariance.claim(
    "white_only", "hypothesis (a probe, not printed)", recorded="refuted", fault=Fault.MISSING_HYPOTHESIS
)
def closed_form_without_white_inputs(course: Course, points: Floats, maps: Maps) -> Margin:
    r"""The closed form (38) holds for every $\Sigma$.

    Fails: it does not contain $\Sigma$. As $t\to\infty$ it tends to $\beta$ and the network to $\Sigma^{-1}\beta$. On
    the data $\pm(\tfrac72,1)$ these are 7/2 and 2/7, so that f at 7/2 tends to 1 and by (38) to 49/4.
    """
    margin: Margin = closed_form_with_the_own_initial_norm.conclusion(course, points, maps)
    return margin


@any_covariance.claim(
    "white_only.amended", "hypothesis (a probe, not printed)", kind=Kind.ASYMPTOTIC, recorded="supported"
)
@mutants(scaled("1001/1000", "f(x; W(0))"), scaled("1001/1000", "w(t)"), without(rank_one))
def closed_form_without_white_inputs_at_both_ends(net: TwoLayer, data: Dataset, points: Floats, maps: Maps) -> Margin:
    r"""Amended: for every $\Sigma$, (38) is right at t = 0, and its limit is $\beta$, the network's only if
    $\Sigma\beta=\beta$.
    """
    return all_of(
        equal(net(points), points @ maps(0.0), "f(x; W(0)) against w(0).x"),
        tends_to(maps, data.correlation, "w(t) against beta", at=HORIZONS),
    )
