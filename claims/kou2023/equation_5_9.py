r"""Eq. (5.9): the outputs of a network are averages of coefficients, up to overlaps.

The sign for approximately equal is read as: up to the printed term and $\beta$; the first hundred steps.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from refute import Fault, Kind, Margin, all_of, at_most, changed, derived, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import (
    LEAKY_MAIN,
    near_orthogonal,
    off_boundaries,
    signed_halves,
    small_start,
    small_step,
    tame_start,
)
from refute.claims.kou2023.leaky_courses import beta, gamma
from refute.claims.kou2023.relu_runs import early
from refute.functions import absolute, leaky_relu, mean
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import relative_overlap
from refute.strategies.kou2023.nearly_orthogonal import LEAKS, training

Side = Callable[[Array], Array]
SMALL = [signed_halves, near_orthogonal, small_step, small_start, tame_start]


@derived
def others(early: Decomposition) -> Array:
    """sum_{k != i} (1/m sum_r |rho_{j,r,k}|) R_min^-2 p: (time, j, i)."""
    sizes = mean(absolute(early.rho), axis=2)
    spread = relative_overlap(early.data.inputs) / len(early.data.labels)
    return np.asarray((sizes.sum(axis=2, keepdims=True) - sizes) * spread)


def averaged(early: Decomposition, values: Array, others: Array, beta: Number, side: Side) -> Margin:
    """|F_j - mean_r of the values| is at most what the others add up to, and beta, on one side."""
    output, mean_value = early.known(side(early.outputs)), early.known(side(mean(values, axis=2)))
    return at_most(absolute(output - mean_value), early.known(side(others)) + beta, "|F - mean|")


main = section(
    "kou2023",
    "eq_5_9",
    "Eq. (5.9)",
    kind=Kind.DYNAMICS,
    given=training(leaks=(Fraction(0), *LEAKS[:3])),
    assumes=SMALL,
    derived=[gamma, beta, early, others],
    recorded="supported",
    cost=0.5,
)
WITHOUT_BETA = changed("without the slack beta", beta=lambda beta: 0 * beta)


@main.claim("F_approx.r1")
@mutants(WITHOUT_BETA, scaled("99/100"))
def own_output_is_the_mean_coefficient(early: Decomposition, others: Array, beta: Number) -> Margin:
    r"""$F_{y_i}(x_i)=\frac1m\sum_r\rho_{y_i,r,i}
    \pm\sum_{k\ne i}(\frac1m\sum_r|\rho_{y_i,r,k}|)R_{\min}^{-2}p\pm\beta$.
    """
    return averaged(early, early.rho, others, beta, early.own)


@main.claim(
    "F_approx.r2",
    given=training(leaks=LEAKS[:3]),
    assumes=[*LEAKY_MAIN, off_boundaries],
    recorded="refuted",
    fault=Fault.WRONG,
    cost=6.0,
)
def opposite_output_is_the_mean_coefficient(early: Decomposition, others: Array, beta: Number) -> Margin:
    r"""$F_{-y_i}(x_i)=\frac1m\sum_r\rho_{-y_i,r,i}
    \pm\sum_{k\ne i}(\frac1m\sum_r|\rho_{-y_i,r,k}|)R_{\min}^{-2}p\pm\beta$, for leaky ReLU.

    Fails: these coefficients are negative, where $\sigma$ has slope $\gamma$. With $p=0$ and all signals negative
    $F_{-y_i}=\frac\gamma m\sum_r(\rho+\langle w^{(0)},x_i\rangle)$, and $(1-\gamma)|\rho|$ grows beyond $\beta$.
    """
    return averaged(early, early.rho, others, beta, early.opposite)


@main.claim("F_approx.amended", "with sigma around the coefficients")
@mutants(WITHOUT_BETA, changed("without sigma", gamma=lambda gamma: 0 * gamma + 1))
def both_outputs_are_mean_activations_of_the_coefficients(
    early: Decomposition, others: Array, beta: Number, gamma: Number
) -> Margin:
    r"""Amended: $\frac1m\sum_r\sigma(\rho_{j,r,i})$ in place of $\frac1m\sum_r\rho_{j,r,i}$, for both signs j; $\sigma$
    is 1-Lipschitz.
    """
    values = leaky_relu(early.rho, gamma)
    return all_of(*(averaged(early, values, others, beta, side) for side in (early.own, early.opposite)))
