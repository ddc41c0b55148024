r"""The conjecture that gradient flow from a vanishing start picks the interpolator of least Euclidean norm, beyond
orthogonal data.

Theorem 7 gives the limit of the flow, Theorem 8 the data on which it is not minimal. Here the conjecture is stated
plainly and searched. Exact, in rationals: the data and every part of Assumption 1, the cheaper network, its loss 0 and
its norm. That the flow from a scale as small as Assumption 2 asks fits the data, with all neurons that still matter
active on all points, is proved in balls for the recorded cases (`models.validated.from_zero`); a search follows it in
floats with an error bound. Then $\sum_ja_jw_j=v$ with $X^\top v=y$, so $\|\theta\|^2\ge2\|v\|=2\|v^*\|$ however the
weight is shared.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_most, claim, equal, less, moved, nothing
from refute.arithmetic.numbers import EXACT, Array, Number
from refute.claims.chistikov2023.assumptions import (
    as_many_points_as_dimensions,
    misaligned_negative,
    mixed_spectrum,
    neuron_labels,
    off_boundaries,
    one_at_a_time,
    quarter_angle,
    small_scale,
    some_positive,
    spanning,
    unit_teacher,
)
from refute.language.case import lift
from refute.models import Dataset
from refute.models.chistikov2023.exchange import cheaper_interpolator, cost
from refute.models.chistikov2023.limit import cost_of_the_limit
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.from_zero import limit_from_zero
from refute.strategies.chistikov2023.correlated import lattice_setting

_DATA = [unit_teacher, quarter_angle, spanning, as_many_points_as_dimensions, mixed_spectrum, neuron_labels]
_START = [off_boundaries, some_positive, misaligned_negative, one_at_a_time, small_scale]


@claim(
    "chistikov2023.conjecture.norm_minimisation_refuted.r1",
    "section 1, sixth contribution: the conjecture that it refutes",
    kind=Kind.DYNAMICS,
    given=lattice_setting(4),
    assumes=[*_DATA, *_START],
    recorded="refuted",
    cost=0.1,
    convention="the conjecture itself, for correlated data; where no interpolator is cheaper than the teacher the "
    "flow is not followed",
)
def the_flow_from_zero_minimises_the_norm(teacher: Array, data: Dataset, start: Balanced, tolerance: float) -> Margin:
    r"""Gradient flow from a small enough balanced start converges to a network of least $\|\theta\|^2$ among those of
    loss 0.

    It fails wherever $\mathcal M>0$: the flow ends at $\|\theta\|^2=2\|v^*\|$, and two neurons that share the work cost
    less. For $v^*=(1,0,0)$ and the points $(4,1,-3),(3,1,2),(3,1,-1)$ two neurons fit with $\|\theta\|^2=1.967$, and
    the flow ends at 2.
    """
    other = cheaper_interpolator(data.inputs, teacher)
    if other is None:
        return nothing("no interpolator costs less than 2, so the flow is not followed")
    size, error = cost_of_the_limit(start, data, tolerance)
    return at_most(size, float(cost(other)), "|theta|^2 of the limit against that of another interpolator", error=error)


def _witness() -> dict[str, Any]:
    inputs = np.array([[Fraction(e) for e in row] for row in ([3, -2, 2], [4, 0, 3], [4, 2, 3])], dtype=object)
    rows = np.array([[Fraction(1), Fraction(0), Fraction(0)], [Fraction(1), Fraction(0), Fraction(1)]], dtype=object)
    start = Balanced(rows, np.array([1, 1]), Fraction(-(10**9)), Fraction(0))
    return {"teacher": rows[0], "data": Dataset(inputs, inputs[:, 0]), "start": start, "epsilon": Fraction(1, 4)}


@claim(
    "chistikov2023.conjecture.norm_minimisation_refuted",
    "section 1, sixth contribution",
    kind=Kind.EXISTENCE,
    instances=[_witness()],
    assumes=[*_DATA, *_START],
    recorded="proved",
    mutants=[moved("cheaper by a quarter", factor=Fraction(5, 4)), moved("dearer", sense=-1)],
    convention="a witness, with m = 2, found by a search over integer points, its start chosen by hand; the flow is "
    "enclosed in balls",
)
def the_flow_from_zero_need_not_minimise_the_norm(
    teacher: Array, data: Dataset, start: Balanced, *, factor: Number = Fraction(1), sense: int = 1
) -> Margin:
    r"""There are correlated data on which gradient flow from a start as small as Assumption 2 asks does not end at
    least norm.

    $v^*=(1,0,0)$ and the points $(3,-2,2),(4,0,3),(4,2,3)$: a network of two neurons has loss exactly 0 and a smaller
    $\|\theta\|^2$.
    """
    found = cheaper_interpolator(data.inputs, teacher)
    assert found is not None, "M > 0 on the witness"
    other, limit = lift(found, EXACT), limit_from_zero(start, data)
    return all_of(
        equal(other(data.inputs), data.labels, "outputs of the other network against labels"),
        equal(sum(limit.active), len(data.labels), "points that the limit fits"),
        less(0, sense * (limit.cost - factor * cost(other)), "|theta|^2 of the limit minus that of the other"),
    )
