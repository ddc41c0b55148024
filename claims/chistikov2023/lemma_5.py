r"""Lemma 5: at $T_1$ neurons of positive sign are still small, aligned, and as long as their yardsticks."""

import numpy as np

from refute import Enclosed, Kind, Margin, at_most, changed, less, mutants, scaled, section, shifted
from refute.arithmetic.numbers import Number
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2
from refute.claims.chistikov2023.phase_1 import alignment
from refute.models import Dataset
from refute.models.chistikov2023.alignment import Alignment
from refute.models.chistikov2023.yardstick_shift import log_gap_of_norms
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.correlated import SETTING

lemma = section(
    "chistikov2023",
    "lemma_5",
    "Lemma 5",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[alignment],
    recorded="supported",
)


@lemma.claim("norm")
@mutants(
    shifted("-3/4").called("94/100 in place of 2"),
    changed("lambda^{1 - 99/100 epsilon}", epsilon=lambda epsilon: 0.99 * epsilon),
)
def norms_stay_small_up_to_the_end_of_alignment(start: Balanced, epsilon: Number, alignment: Alignment) -> Margin:
    r"""$\|w_j^{T_1}\|<2\|z_j\|\lambda^{1-\varepsilon}$ for all $j\in J_+$.

    Convention: logarithms are compared.
    """
    positive = alignment.of_sign(1)
    bound = np.log(2) + alignment.first[positive] - epsilon * start.log_scale
    return less(alignment.log_norms(positive, alignment.end), bound, "ln |w_j(T_1)|")


@lemma.claim("cosine")
@mutants(scaled(2).called("1 - lambda^{2 epsilon}"))
def neurons_align(start: Balanced, epsilon: Number, alignment: Alignment) -> Margin:
    r"""$\bar w_j^{T_1\top}\bar\gamma_{[n]}\ge1-\lambda^\varepsilon$ for all $j\in J_+$.

    Convention: of the yardsticks, with which the neurons agree to round-off at $T_1$; logarithms are compared.
    """
    gaps = [alignment.ways[j].log_one_minus_cosine_at(alignment.end) for j in alignment.of_sign(1)]
    return at_most(np.maximum(gaps, -1e300), epsilon * start.log_scale, "ln(1 - cos)")


@lemma.claim("log_norm_tracking")
@mutants(scaled("205/100"))
def norms_track_those_of_the_yardsticks(
    data: Dataset, start: Balanced, epsilon: Number, alignment: Alignment
) -> Margin:
    r"""$|\ln\|\alpha_j^{T_1}\|-\ln\|w_j^{T_1}/\lambda\||\le\lambda^{1-3\varepsilon}$ for all $j\in J_+$.

    Convention: the difference is C lambda^2 e^{2|gamma|T_1} to leading order, with C from the linearised flow;
    logarithms are compared.
    """
    ways = list(alignment.ways.values())
    gap: Enclosed = log_gap_of_norms(ways, data, alignment.end, float(start.log_scale))
    return at_most(gap, (1 - 3 * epsilon) * start.log_scale, "ln of the difference of logarithms")
