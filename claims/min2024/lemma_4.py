r"""Lemma 4: while the outputs are small, neurons turn as if they were zero; the square loss of Remark 4 as well.

Pointwise statements are checked at any balanced state, not only at states that a trajectory visits.
"""

import numpy as np

from refute import Margin, at_most, changed, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import outputs_at_most_one
from refute.claims.min2024.states import PRINTED, SCALES, SLOPES, STATES, longest
from refute.claims.min2024.training import SQUARE_SUM
from refute.functions import norm
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import Loss
from refute.models.min2024.balanced_state import moment, off_direction
from refute.models.min2024.cones import attraction
from refute.strategies.min2024.separated import labelled_dataset, neurons, placed

LINE = "turning error against 2 n X_max max |f|"


@derived
def ratio() -> int:
    """|v_j| over |w_j|."""
    return 1


def _error(
    data: Dataset, start: Balanced, scale: Number, slope: Number, loss: Loss, ratio: int, longest: Number
) -> Margin:
    """|d/dt w_j/|w_j| - s_j P_j x_a(w_j)| for every neuron, against its bound."""
    state = moment(start, scale, data, loss, slope=slope, ratio=ratio)
    along = [s * off_direction(w, attraction(w, data, slope)) for w, s in zip(state.rows, start.signs, strict=True)]
    errors: Array = np.array([norm(state.turning(j) - one) for j, one in enumerate(along)])
    return at_most(errors, 2 * len(data.labels) * longest * state.largest_output, LINE)


lemma = section("min2024", assumes=[outputs_at_most_one], derived=[longest, ratio], recorded="supported")
UNBALANCED = changed("unbalanced, |v_j| = 2 |w_j|", ratio=lambda _: 2)


@lemma.claim("lemma_4.direction_error", "Lemma 4, Eqs. (11) and (17)", given=STATES)
@mutants(
    scaled("1/4"),
    UNBALANCED,
    changed("the logistic loss of the main text", loss=lambda _: "logistic"),
    without(outputs_at_most_one),
)
def small_outputs_turn_neurons_along_x_a(
    data: Dataset, start: Balanced, scale: Number, slope: Number, loss: str, ratio: int, longest: Number
) -> Margin:
    r"""For an $\alpha$-leaky ReLU network with $|v_j|=\|w_j\|$ and $\max_i|f(x_i)|\le1$:
    $\big\|\frac
    d{dt}\frac{w_j}{\|w_j\|}-\mathrm{sign}(v_j)(I-\frac{w_jw_j^\top}{\|w_j\|^2})x_a(w_j)\big\|\le
    2nX_{\max}\max_i|f(x_i)|$.

    Convention: any balanced state, sigma'(0) = alpha; the losses of the appendix.
    """
    return _error(data, start, scale, slope, PRINTED[loss], ratio, longest)


@lemma.claim(
    "remark_4.square_loss.direction_error",
    "Remark 4, second half: Lemma 4",
    given=placed(data=labelled_dataset, start=neurons, scale=SCALES, slope=SLOPES),
)
@mutants(scaled("9/40"), UNBALANCED)
def small_outputs_turn_neurons_along_x_a_under_the_square_loss(
    data: Dataset, start: Balanced, scale: Number, slope: Number, ratio: int, longest: Number
) -> Margin:
    r"""The inequality of Lemma 4 for $\ell=\frac12(y-\hat y)^2$.

    Convention: the bound on the outputs is as in Lemma 4 and not shown necessary: the square loss needs none.
    """
    return _error(data, start, scale, slope, SQUARE_SUM, ratio, longest)
