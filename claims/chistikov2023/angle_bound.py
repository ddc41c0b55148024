r"""How far the angle bound $\angle(v^*,x_i)<\pi/4$ can be relaxed in Theorem 7 (ours; the paper leaves it open in
section 9).

Assumption 2 presupposes $\delta>0$, hence acute pairs, and in the plane no failure was found with these alone. In space
they are not enough: however little the angles exceed $\pi/4$, there may be a $c$ that fits the long inputs and is
negative on a short one; a bundle that tends to $c$ loses the short one for good. With an obtuse pair the limit has rank
two already in the plane. What the angle bound does to $\mathcal M$ is in `theorem_8`.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from refute.models.logpolar.from_zero import limit_from_zero

from refute import Assumption, Kind, Margin, all_of, at_most, claim, equal, less, moved
from refute.arithmetic.numbers import Array, Number, exact_array
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2, acute_angles, quarter_angle
from refute.claims.chistikov2023.implicit_bias import ends_in_theta
from refute.decide.proof import by_smt
from refute.functions import absolute, maximum, sign
from refute.models import Dataset
from refute.models.geometry.elimination import rank
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, positive, sized
from refute.strategies.chistikov2023 import correlated as repair
from refute.strategies.chistikov2023.correlated import correlated, krylov, start

acute_pairs = Assumption(
    "data.acute_pairs",
    "every two inputs make an acute angle",
    lambda data: less(0, data.inputs @ data.inputs.T, "0 against <x_i, x_k>"),
    base=correlated(dimension=(2, 2), samples=(2, 3)),
    satisfy=repair.make_pairs_acute,
    violate=repair.make_a_pair_obtuse,
)

WIDE = [acute_pairs if one is quarter_angle else one for one in ASSUMPTIONS_1_AND_2]
WIDE.insert(WIDE.index(acute_pairs) + 1, acute_angles)


@claim(
    "chistikov2023.theorem_7.limit_in_Theta_vstar.acute_pairs",
    "Theorem 7 in the plane with a wider angle bound (ours)",
    kind=Kind.ASYMPTOTIC,
    given=correlated(start=start, epsilon=choice("1/4"), dimension=(2, 2), width=(2, 2), samples=(2, 3)),
    assumes=WIDE,
    recorded="supported",
    mutants=[moved("all of J_+ have the same norm", equal_shares=1), moved("squared norms add up to 2", total=2.0)],
    convention="as limit_in_Theta_vstar; n from 2 to 3; without acute pairs delta <= 0 and no lambda meets Assumption "
    "2 (obtuse_pair)",
    cost=1.0,
)
def acute_pairs_are_enough_in_the_plane(
    data: Dataset, teacher: Array, start: Balanced, *, equal_shares: int = 0, total: float = 1.0
) -> Margin:
    r"""For $d=2$ Theorem 7 holds whenever $\angle(x_i,x_k)<\pi/2$ and $\angle(v^*,x_i)<\pi/2$."""
    return ends_in_theta(data, teacher, start, 0.0, equal_shares, total)


def _lost(short: int, rows: list[list[int]]) -> dict[str, Any]:
    """Two long points, and a last one divided by `short`; the teacher is e_1; the scale is below the bound of
    Assumption 2.
    """
    inputs = exact_array(
        np.array([[Fraction(e, short if i == 2 else 1) for e in row] for i, row in enumerate(rows)], dtype=object)
    )
    shape = exact_array(np.array([[1, 0, 0], [1, Fraction(1, 2), 0]], dtype=object))
    log_scale = Fraction(-(10**11) if short > 100 else -(10**9))
    whole = Balanced(shape, np.array([1, 1]), log_scale, Fraction(0))
    return {
        "teacher": exact_array(np.array([1, 0, 0])),
        "data": Dataset(inputs, inputs[:, 0]),
        "start": whole,
        "epsilon": Fraction(1, 4),
    }


@claim(
    "chistikov2023.theorem_7.limit_in_Theta_vstar.beyond_quarter_angle",
    "Theorem 7 in space without its angle bound (ours)",
    kind=Kind.EXISTENCE,
    instances=[_lost(100, [[1, 1, 1], [3, 3, 2], [2, -3, 4]]), _lost(1000, [[2, 2, 1], [3, 3, 1], [5, -6, 4]])],
    assumes=WIDE,
    recorded="proved",
    mutants=[
        moved("the short point is fitted in the end", short=1),
        moved("the limit is the teacher", aside=Fraction(0)),
    ],
    convention="two witnesses, angles up to 69 and 56 degrees; the flow is enclosed in balls, from its start to the "
    "limit",
)
def a_short_point_may_be_lost_in_space(
    data: Dataset, start: Balanced, *, short: int = 0, aside: Number = Fraction(1, 2), near: Number = Fraction(1, 100)
) -> Margin:
    r"""For $d=3$ acute pairs and all other assumptions do not suffice: the flow may end with a positive loss, outside
    $\Theta_{v^*}$.

    $v^*=(1,0,0)$ and $(1,1,1)$, $(3,3,2)$, $\frac1{100}(2,-3,4)$: the bundle ends close to $c=(\frac12,\frac12,0)$ on
    the line $v_1+v_2=1$, $v_3=0$ of those that fit the first two labels, since $c^\top(1,1,1)=1$ and $c^\top(3,3,2)=3$;
    but $c^\top(2,-3,4)=-\frac12$. There every neuron is inactive, the output is 0 instead of $\frac1{50}$, and nothing
    brings it back.
    """
    limit = limit_from_zero(start, data)
    close = np.array([1 - aside, aside, 0 * aside], dtype=object)
    last = limit.predictor @ data.inputs[-1]
    return all_of(
        at_most(absolute(limit.predictor - close), near, "distance of v from c"),
        less(last, 0, "<v, x_i> for the short point"),
        equal(maximum(last, 0), short * data.labels[-1], "output on the short point"),
        equal(sum(limit.active[:2]), 2, "long points that the limit fits"),
        equal(data.inputs[:2] @ close, data.labels[:2], "<c, x_i> against the labels of the long points"),
    )


def _narrow_points(s: Any) -> list[list[Any]]:
    """Two points that c = (1/2, 1/2, 0) fits, and one on which it is negative; all angles to e_1 tend to 45 degrees as
    s -> 0.
    """
    return [[1, 1, s], [2, 2, s], [1, -1 - s * s / 3, s]]


def _sharp_proof() -> str | None:
    import z3

    def statement() -> Any:
        s = z3.Real("s")
        rows = _narrow_points(s)
        pairs = [sum(a * b for a, b in zip(rows[i], rows[k], strict=True)) > 0 for i, k in ((0, 1), (0, 2), (1, 2))]
        fits = [
            rows[0][0] + rows[0][1] == 2 * rows[0][0],
            rows[1][0] + rows[1][1] == 2 * rows[1][0],
            rows[2][0] + rows[2][1] < 0,
        ]
        narrow = [x[1] * x[1] + x[2] * x[2] <= (1 + 2 * s * s) * x[0] * x[0] for x in rows]
        return z3.Implies(z3.And(s > 0, s <= 1), z3.And(*pairs, *fits, *narrow))

    return by_smt(statement)


@claim(
    "chistikov2023.theorem_7.limit_in_Theta_vstar.sharp_quarter_angle",
    "Theorem 7, the angle bound in space (ours)",
    given=sized(s=choice("1", "1/2", "1/10", "1/1000")),
    proof=_sharp_proof,
    recorded="proved",
    mutants=[moved("angles of 45 degrees at most", wider=0), moved("the last point is fitted by c, too", last=1)],
    convention="geometry only: that the flow comes to rest at c when the last point is short enough is "
    "beyond_quarter_angle",
)
def the_angle_bound_is_sharp_in_space(s: Number, *, wider: int = 2, last: int = 0) -> Margin:
    r"""For every bound above $\pi/4$ there are $x_1,x_2,x_3$ with acute pairs and $c\in\mathrm{span}\{x_1,x_2\}$ with
    $c^\top x_i=y_i$ for $i\le2$ but $c^\top x_3<0$: $v^*=(1,0,0)$, $x=(1,1,s),(2,2,s),(1,-1-\frac{s^2}3,s)$ and
    $c=(\frac12,\frac12,0)$, $0<s\le1$.

    The tangents of the angles are at most $\sqrt{1+2s^2}$; $x_1^\top x_3=\frac23s^2$, $x_2^\top x_3=\frac13s^2$,
    $c^\top x_3=-\frac{s^2}6$. A bundle that sees only $x_1$ and $x_2$ tends to $c$, the projection of $v^*$ to their
    span.
    """
    rows = np.array(_narrow_points(s), dtype=object)
    across = np.array([x[1] * x[1] + x[2] * x[2] for x in rows], dtype=object)
    along, doubled = rows[:, 0], rows[:, 0] + rows[:, 1]
    products = (rows @ rows.T)[np.triu_indices(3, 1)]
    return all_of(
        less(0, products, "0 against <x_i, x_k>"),
        at_most(across, (1 + wider * s * s) * along * along, "squared tangents against 1 + 2 s^2"),
        equal(doubled[:2], 2 * along[:2], "2 <c, x_i> against 2 y_i"),
        equal(doubled[2], 2 * along[2], "2 <c, x_3> against 2 y_3") if last else less(doubled[2], 0, "2 <c, x_3>"),
    )


@claim(
    "chistikov2023.theorem_7.limit_in_Theta_vstar.obtuse_pair",
    "Theorem 7 in the plane without its angle bound (ours)",
    given=sized(tilt=choice("11/10", "101/100", "2", "10"), first=positive(), second=positive()),
    recorded="supported",
    mutants=[moved("a tilt of nine tenths of it", part=Fraction(9, 11)), moved("the limit has rank 1", ranks=1)],
    convention="m = n = 2 and z_j = x_j, so that the flow stays on two rays; Assumption 2 cannot be met, since delta "
    "< 0; lambda is free",
)
def an_obtuse_pair_leads_to_rank_two(
    tilt: Number, first: Number, second: Number, *, part: Number = Fraction(1), ranks: int = 2
) -> Margin:
    r"""For $v^*=(1,0)$ and $x_1=(1,t)$, $x_2=(2,-2t)$, at angles just above $\pi/4$ if $t>1$ is close to 1, the flow
    from $z_j=x_j$, $s_j=1$ has a limit of rank 2 whatever $\lambda$ is.

    At $w_j=r_jx_j$, $r_j>0$, neuron $j$ is inactive on the other point, so $g_j=\frac12(y_j-r_j^2\|x_j\|^3)x_j$: $w_j$
    stays on its ray, and $r_j^2\|x_j\|^3\to y_j$.
    """
    t = tilt * part
    inputs = np.array([[t * 0 + 1, t], [t * 0 + 2, -2 * t]], dtype=object)
    inner = np.array([first * inputs[0], second * inputs[1]], dtype=object)
    outer = np.array([first, second], dtype=object)  # any positive numbers: their size only scales the residuals
    outputs = maximum(inner @ inputs.T, 0 * inner).T @ outer
    residuals = inputs[:, 0] - outputs
    pushes = [(residuals * (sign(inputs @ w) > 0).astype(int)) @ inputs / 2 for w in inner]
    turning = np.array([g[0] * w[1] - g[1] * w[0] for g, w in zip(pushes, inner, strict=True)], dtype=object)
    return all_of(
        equal(turning, 0, "part of g_j across w_j"),
        less(inner[0] @ inputs[1], 0, "pre-activation of the other point"),
        equal(rank(inner), ranks, "rank of the inner weights, all along and in the limit"),
        equal(rank(krylov(inputs, np.array([t * 0 + 1, t * 0], dtype=object))), 2, "rank of v*, Hv*"),
    )
