r"""Lemma 4: while the outputs are small, neurons turn as if they were zero; the square loss of Remark 4 as well.

Pointwise statements are checked at any balanced state, not only at states that a trajectory visits.
"""

from collections.abc import Callable

import numpy as np

from refute import Margin, at_most, changed, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import outputs_at_most_one
from refute.claims.min2024.lemma_2 import near_the_label, square_near_the_label
from refute.claims.min2024.states import PRINTED, SCALES, SLOPES, STATES, longest
from refute.claims.min2024.training import SQUARE_SUM
from refute.decide.proof import by_smt, in_words, steps
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


def turning_proof(near_the_label: Callable[[], str | None]) -> str | None:
    """Term by term: a gate in [0, 1], |-dl_i - y_i| <= 2 |f_i| and |x_i| <= X_max."""
    import z3

    gate, gap, size, most, longest = z3.Reals("gate gap size most longest")
    term = z3.And(gap >= 0, gap <= 2 * most, size >= 0, size <= longest)
    return steps(
        near_the_label(),
        in_words("the difference is P_w sum_i gate_i (-dl_i - y_i) x_i, since |v| = |w|; P_w makes nothing longer"),
        by_smt(lambda: z3.Implies(term, gap * size <= 2 * most * longest), "|-dl_i - y_i| |x_i| <= 2 X_max max |f|"),
        by_smt(lambda: z3.Implies(z3.And(gate <= 1, gap >= 0), gate * gap <= gap), "a gate makes it no larger"),
        in_words("so the n terms together are at most 2 n X_max max |f| long, by the triangle inequality"),
    )


lemma = section("min2024", assumes=[outputs_at_most_one], derived=[longest, ratio], recorded="proved")
UNBALANCED = changed("unbalanced, |v_j| = 2 |w_j|", ratio=lambda _: 2)


@lemma.claim(
    "lemma_4.direction_error", "Lemma 4, Eqs. (11) and (17)", given=STATES, proof=lambda: turning_proof(near_the_label)
)
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
    proof=lambda: turning_proof(square_near_the_label),
)
@mutants(scaled("9/40"), UNBALANCED)
def small_outputs_turn_neurons_along_x_a_under_the_square_loss(
    data: Dataset, start: Balanced, scale: Number, slope: Number, ratio: int, longest: Number
) -> Margin:
    r"""The inequality of Lemma 4 for $\ell=\frac12(y-\hat y)^2$.

    Convention: the bound on the outputs is as in Lemma 4 and not shown necessary: the square loss needs none.
    """
    return _error(data, start, scale, slope, SQUARE_SUM, ratio, longest)
