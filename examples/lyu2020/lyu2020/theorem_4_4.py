r"""Theorem 4.4: the limit of $\theta/\|\theta\|$ is along a KKT point of the margin problem.

$\min\frac12\|\theta\|^2$ subject to $q_i(\theta)\ge1$ is stationary where $\theta=\sum_i\lambda_i\nabla q_i$ with
$\lambda\ge0$, and $\lambda_i>0$ on the smallest margins only. With the shares $\lambda_i\propto e^{-q_i}$ that the flow
gives the samples, the first says that $\theta$ aligns with its speed.
"""

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    derived,
    eventually,
    instead,
    mutants,
    section,
    suppose,
    tends_to,
)
from refute.language.limits import HORIZONS
from refute.models import EXPONENTIAL_SUM, Dataset, TwoLayer, gradient_flow
from refute.models.flow.trajectory import Change

from .assumptions import below_one
from .models import Late, late, one_neuron_each
from .strategies import PAIRS

FINER = 1e-3  # an error of a margin is one in the exponent of its pull


@derived
def course(net: TwoLayer, data: Dataset, tolerance: float) -> Late:
    """What the flow comes to, up to t = 10^160."""
    run = gradient_flow(net, data, EXPONENTIAL_SUM, np.array(HORIZONS), tolerance=FINER * tolerance)
    suppose(all(event.kind is not Change.SLIDES for event in run.events), "no neuron slides")
    return late(run, data)


theorem = section(
    "lyu2020",
    "theorem_4_4",
    "Theorem 4.4",
    kind=Kind.ASYMPTOTIC,
    given=PAIRS,
    assumes=[below_one],
    derived=[course],
    cost=1 / 8,
)


@theorem.claim("kkt", recorded="supported")
@mutants(instead("the samples pull alike", lambda course: tends_to(course.apart, 0.1, "direction and speed")))
def the_limit_is_a_kkt_point(course: Late) -> Margin:
    r"""$\theta/\|\theta\|-\theta'/\|\theta'\|\to0$, and the samples with $\lambda_i>0$ have the smallest margin.

    Convention: no neuron slides along a hyperplane, where $\nabla q_i$ is a set.
    """
    return all_of(
        tends_to(course.apart, 0, "direction and speed"), tends_to(course.slack, 0, "complementary slackness")
    )


@theorem.claim("global", recorded="against", fault=Fault.WRONG, printed=False)
def the_limit_is_the_global_optimum(course: Late, net: TwoLayer, data: Dataset) -> Margin:
    """No network of the same width has a larger normalised margin, such as the one with one neuron for each sample."""
    suppose(net.width >= len(data.labels), "there is a neuron for each sample")
    reached = dict(zip(HORIZONS, course.margin, strict=True))
    return eventually(lambda t: at_least(reached[t], one_neuron_each(data), "margin against that of a rival"))
