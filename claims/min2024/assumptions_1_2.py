r"""Assumptions 1 and 2, as the section prints them, against what they say of labels and of directions."""

import numpy as np
from numpy.typing import NDArray

from refute import Margin, changed, derived, equal, less, mutants, section
from refute.arithmetic.numbers import EXACT, Array, Number
from refute.claims.min2024.assumptions import SEPARATED_START, alignment_squares, separated
from refute.claims.min2024.quantities import mu_squared
from refute.claims.min2024.runs import relabelled
from refute.functions import sign, squared_norm
from refute.language.case import lift
from refute.language.relations import Decision
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.cones import centre
from refute.models.min2024.conic import signed_data
from refute.strategies import sized
from refute.strategies.min2024.separated import borderline_dataset

Flags = NDArray[np.bool_]


@derived
def agreement(data: Dataset) -> Array:
    """The signs of y_i y_j <x_i, x_j>."""
    return np.asarray(sign(signed_data(data) @ signed_data(data).T))


assumptions = section("min2024", recorded="supported")


@assumptions.claim(
    "assumption_1.separation", "Assumption 1", given=sized(data=borderline_dataset), derived=[mu_squared, agreement]
)
@mutants(
    changed("orthogonal data allowed", agreement=lambda signs: signs + (signs == 0)),
    changed("of either sign", agreement=abs),
)
def positive_mu_says_that_labels_follow_correlations(mu_squared: Number, agreement: Array) -> Margin:
    r"""$\mu=\min_{i,j}\frac{\langle y_ix_i,y_jx_j\rangle}{\|x_i\|\|x_j\|}>0$ exactly when $\langle x_i,x_j\rangle$ is
    positive for equal and negative for different labels.

    Convention: mu is the minimum over all pairs, a datum with itself included.
    """
    follow = bool((agreement > 0).all())
    return equal(int(sign(mu_squared) > 0), int(follow), "mu > 0 against the signs of all correlations")


@derived
def parallel(data: Dataset, start: Balanced) -> Flags:
    """Which w_j lie on the line of the centre of the other class, if that class is there."""
    pairs = [(w, centre(data, -int(s))) for w, s in zip(start.shape, start.signs, strict=True)]
    return np.array([bool(any(c) and not any(squared_norm(c) * w - (w @ c) * c)) for w, c in pairs])


@derived
def toward(data: Dataset, start: Balanced) -> Array:
    """The signs of <w_j, c>, c the centre of the other class."""
    inner = [w @ centre(data, -int(s)) for w, s in zip(start.shape, start.signs, strict=True)]
    return np.asarray(sign(np.array(inner, dtype=object)))


@assumptions.claim(
    "assumption_2.not_aligned", "Assumption 2", given=SEPARATED_START, assumes=[separated], derived=[parallel, toward]
)
@mutants(
    changed("the own centre", data=lambda data: lift(relabelled(data), EXACT)),
    changed("neither along nor against the centre", toward=abs),
)
def assumption_2_forbids_only_exact_alignment(data: Dataset, start: Balanced, parallel: Flags, toward: Array) -> Margin:
    r"""$\langle\frac{w_j}{\|w_j\|},\frac{x_\mp}{\|x_\mp\|}\rangle<1$ for all $j\in\mathcal V_\pm$ exactly when no such
    $w_j$ is a positive multiple of $x_\mp$.

    Convention: a neuron of either sign is compared with the sum of the inputs of the opposite label; a class without
    data forbids nothing.
    """
    holds = less(*alignment_squares(data, start), "<w_j, c>_+^2 against |w_j|^2 |c|^2").decision is Decision.HOLDS
    along = parallel & (toward > 0)
    return equal(int(holds), int(not along.any()), "Assumption 2 against: no neuron on the ray of the other centre")
