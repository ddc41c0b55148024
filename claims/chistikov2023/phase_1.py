r"""Section 4, the first phase: its direction, its times, and the flow that Lemmas 3 to 5 speak of.

$\lambda$ is the one that Assumption 2 asks for. At such scales a neuron and its yardstick agree to round-off, so the
orders of crossings, norms and angles are read off the flow itself (`models.logpolar`), and distances between the two
are known to first order in $\lambda^2$ (`models.chistikov2023.yardstick_shift`) and compared by their logarithms; what
is neglected is smaller by another factor of about $\lambda^2$.
"""

import numpy as np

from refute import Kind, Margin, derived, less, mutants, scaled, section, shifted, without
from refute.arithmetic.numbers import Number
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTIONS_1_AND_2,
    TRAINING_DATA,
    acute_pairs_proof,
    quarter_angle,
    small_scale,
    squares,
)
from refute.functions import squared_norm
from refute.models import Dataset
from refute.models.chistikov2023.alignment import Alignment
from refute.models.chistikov2023.alignment import alignment as aligned
from refute.models.chistikov2023.yardstick import gamma
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.correlated import SETTING, correlated


@derived
def alignment(start: Balanced, data: Dataset, epsilon: Number, tolerance: float) -> Alignment:
    """The flow up to T_1."""
    return aligned(start, data, epsilon, tolerance)


phase = section(
    "chistikov2023",
    "phase_1",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[alignment],
    recorded="supported",
)


direction = section("chistikov2023", "phase_1", given=correlated(), assumes=TRAINING_DATA, recorded="proved", cost=2)


@direction.claim("alignment_direction_positive", "section 1, second contribution", proof=acute_pairs_proof)
@mutants(shifted("-1/4", "squared cosines"), without(quarter_angle))
def the_alignment_direction_is_positive_on_all_data(data: Dataset) -> Margin:
    r"""$\gamma_{[n]}^\top x_i>0$ for all $i$, since all labels and all products $x_i^\top x_{i'}$ are positive.

    Convention: a sum of positive labels times products of two inputs, whose sign is what z3 proves.
    """
    push = gamma(data, np.ones(len(data.labels), dtype=int))
    along = data.inputs @ push
    return less(0, along * abs(along) / (squares(data.inputs) * squared_norm(push)), "squared cosines to gamma")


@phase.claim("times_ordered", "sections 4 and 5")
@mutants(without(small_scale), scaled("1/1000000"))
def alignment_begins_before_it_ends(alignment: Alignment) -> Margin:
    r"""$T_0<T_1$, that is $\max_j\tau_j^{n_j}+1<\varepsilon\ln(1/\lambda)/\|\gamma_{[n]}\|$.

    Convention: printed only as "up to a later time $T_1$".
    """
    return less(alignment.begin, alignment.end, "T_0 against T_1")
