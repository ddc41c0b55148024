r"""Section 1, the conjecture that gradient flow from a vanishing start picks the interpolator of least Euclidean norm,
beyond orthogonal data; the paper refutes it.

Theorem 7 gives the limit of the flow, Theorem 8 the data on which it is not minimal. The paper's statement, that there
are such data, has a witness here; the conjecture itself, plainly stated and searched, is a probe of ours (r1) and falls
as the paper says. Exact, in rationals: the data and every part of Assumption 1, the cheaper network, its loss 0 and
its norm. That the flow from a scale as small as Assumption 2 asks fits the data, with all neurons that still matter
active on all points, is proved in balls (`models.validated.from_zero`); a search follows it in floats with an error
bound. Then $\sum_ja_jw_j=v$ with $X^\top v=y$, so $\|\theta\|^2\ge2\|v\|=2\|v^*\|$ however the weight is shared.
"""

from fractions import Fraction

import numpy as np

from refute import Fault, Kind, Margin, all_of, at_most, bent, derived, equal, flipped, less, mutants, nothing, section
from refute.arithmetic.numbers import EXACT, Array, exact_array
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1_SQUARE, ASSUMPTION_1_START, small_scale
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.exchange import cheaper_interpolator, cost
from refute.models.chistikov2023.limit import cost_of_the_limit
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.from_zero import Limit, limit_from_zero
from refute.strategies.chistikov2023.correlated import lattice_setting


@derived
def other(teacher: Array, data: Dataset) -> TwoLayer | None:
    """An interpolator of two neurons that costs less than 2, where there is one."""
    found = cheaper_interpolator(data.inputs, teacher)
    return None if found is None else lift(found, EXACT)


conjecture = section(
    "chistikov2023",
    "conjecture.norm_minimisation_refuted",
    "section 1, sixth contribution",
    assumes=[*ASSUMPTION_1_SQUARE, *ASSUMPTION_1_START, small_scale],
    derived=[other],
)


@derived
def limit(start: Balanced, data: Dataset) -> Limit:
    """The end of the flow, enclosed in balls."""
    return limit_from_zero(start, data)


_AXIS, _POINTS = exact_array([1, 0, 0]), exact_array([[3, -2, 2], [4, 0, 3], [4, 2, 3]])
_START = Balanced(exact_array([[1, 0, 0], [1, 0, 1]]), np.array([1, 1]), Fraction(-(10**9)), Fraction(0))
_WITNESS = {"teacher": _AXIS, "data": Dataset(_POINTS, _POINTS[:, 0]), "start": _START, "epsilon": Fraction(1, 4)}


@conjecture.claim(kind=Kind.EXISTENCE, instances=[_WITNESS], derived=[other, limit], recorded="proved")
@mutants(bent("cheaper by a quarter", "|theta|^2", left=lambda size: size * 5 / 4), flipped("|theta|^2"))
def the_flow_from_zero_need_not_minimise_the_norm(data: Dataset, other: TwoLayer, limit: Limit) -> Margin:
    r"""There are correlated data on which gradient flow from a start as small as Assumption 2 asks does not end at
    least norm.

    $v^*=(1,0,0)$ and the points $(3,-2,2),(4,0,3),(4,2,3)$: a network of two neurons has loss exactly 0 and a smaller
    $\|\theta\|^2$.

    Convention: a witness, with m = 2, found by a search over integer points, its start chosen by hand; the flow is
    enclosed in balls.
    """
    return all_of(
        equal(other(data.inputs), data.labels, "outputs of the other network against labels"),
        equal(sum(limit.active), len(data.labels), "points that the limit fits"),
        less(cost(other), limit.cost, "|theta|^2 of the other against that of the limit"),
    )


searched = conjecture.but(kind=Kind.DYNAMICS, given=lattice_setting(4), cost=0.1)


@searched.claim("r1", "the conjecture that it refutes", recorded="refuted", fault=Fault.WRONG)
def the_flow_from_zero_minimises_the_norm(
    data: Dataset, start: Balanced, other: TwoLayer | None, tolerance: float
) -> Margin:
    r"""Gradient flow from a small enough balanced start converges to a network of least $\|\theta\|^2$ among those of
    loss 0.

    Nobody claims it: it is the conjecture that the paper refutes. It fails wherever $\mathcal M>0$: the flow ends at
    $\|\theta\|^2=2\|v^*\|$, and two neurons that share the work cost less. For $v^*=(1,0,0)$ and the points
    $(4,1,-3),(3,1,2),(3,1,-1)$ two neurons fit with $\|\theta\|^2=1.967$, and the flow ends at 2.

    Convention: for correlated data; where no interpolator is cheaper than the teacher the flow is not followed.
    """
    if other is None:
        return nothing("no interpolator costs less than 2, so the flow is not followed")
    size = cost_of_the_limit(start, data, tolerance)
    return at_most(size, float(cost(other)), "|theta|^2 of the limit against that of another interpolator")
