r"""Soudry, Hoffer, Nacson, Gunasekar, Srebro 2018, The implicit bias of gradient descent on separable data.

The flow of a linear classifier on separable data with the exponential loss: $w(t)=\hat w\log t+\rho(t)$, where
$\hat w$ solves the hard-margin problem and $\rho$ is bounded for almost every dataset (Theorem 3).
"""

import numpy as np

from refute import (
    Enclosed,
    Kind,
    Margin,
    assumption,
    bounded_by,
    derived,
    exponent,
    grows_like,
    less,
    mutants,
    power,
    section,
    suppose,
    tends_to,
)
from refute.functions import log, norm, sqrt
from refute.language.limits import HORIZONS
from refute.models import EXPONENTIAL_SUM, Dataset, TwoLayer, exact_max_margin, gradient_flow, least_squares, max_margin
from refute.strategies import drawn, separable_data, sized

SEPARABLE = sized(data=separable_data, dimension=drawn(2, 2), samples=drawn(2, 4))


def drop_idle(draw, data: Dataset) -> dict[str, Dataset]:
    """Without the samples on the margin that the normal does not need."""
    best = max_margin(data)
    margins = (data.labels * (data.inputs @ best.weights)).astype(float)
    needed = (best.multipliers > 1e-9) | (margins > 1 + 1e-9)
    return {"data": Dataset(data.inputs[needed], data.labels[needed])}


def add_idle(draw, data: Dataset) -> dict[str, Dataset]:
    """One sample, and another one beside it on the margin."""
    x = data.inputs[0]
    across = [-x[1], x[0], *(0 * x[2:])] if any(x[:2]) else [1, *(0 * x[1:])]
    return {"data": Dataset([x, x + np.array(across, dtype=object)], [data.labels[0]] * 2)}


@assumption("data.almost_every", base=SEPARABLE, satisfy=drop_idle, violate=add_idle)
def almost_every(data: Dataset) -> Margin:
    """every sample on the margin is a support vector, as for almost every dataset"""
    best = exact_max_margin(data)
    on_it = data.labels * (data.inputs @ best.weights) == 1
    return less(0, best.multipliers[on_it], "multiplier of a sample on the margin")


@derived
def weights(data: Dataset, tolerance: float) -> Enclosed:
    """w(t) from w(0) = 0, up to t = 10^160: a network of one linear neuron whose outer weight stays 1."""
    start = TwoLayer(0 * data.inputs[:1], [1.0], 1)
    times = np.array(HORIZONS)
    return gradient_flow(start, data, EXPONENTIAL_SUM, times, tolerance=tolerance, train_outer=False).inners[:, 0]


@derived
def size(weights: Enclosed) -> Enclosed:
    """|w(t)|."""
    return sqrt((weights**2).sum(axis=1))


theorem = section(
    "soudry2018", "theorem_3", "Theorem 3", kind=Kind.ASYMPTOTIC, given=SEPARABLE, derived=[weights, size], cost=1 / 8
)


@theorem.claim("norm", recorded="supported")
@mutants(exponent("9/10"), exponent("11/10"))
def weights_grow_like_log(size) -> Margin:
    r"""$\|w(t)\|=\Theta(\log t)$."""
    return grows_like(size, log, "|w|")


@theorem.claim("direction", assumes=[almost_every], recorded="supported")
@mutants(exponent("3/2"))
def the_direction_converges_like_1_over_log(weights, size, data, *, of_t=0, of_log=-1) -> Margin:
    r"""$\left\|\frac{w(t)}{\|w(t)\|}-\frac{\hat w}{\|\hat w\|}\right\|=O(1/\log t)$ for almost every dataset."""
    best = max_margin(data).weights
    apart = sqrt(((weights / size.reshape(-1, 1) - best / norm(best)) ** 2).sum(axis=1))
    suppose(bool((apart.low > 0).all()), "the direction is not right from the start")
    return bounded_by(apart, power(of_t, of_log), "distance of the directions")


the_direction_converges_like_1_over_log.reading(
    "fast", "Like 1/t, as a flow towards a minimum would.", of_t=-1, of_log=0, mutants=(), recorded="against"
)


@theorem.claim("least_squares", recorded="against", printed=False)
def the_direction_is_that_of_least_squares(weights, size, data) -> Margin:
    """The limit is the direction of least squares on the labels. Fails where that is not the hard-margin direction."""
    other = least_squares(data)
    suppose(norm(other) > 0, "least squares gives a direction")
    return tends_to(sqrt(((weights / size.reshape(-1, 1) - other / norm(other)) ** 2).sum(axis=1)), 0, "distance")
