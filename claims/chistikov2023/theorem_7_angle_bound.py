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

from refute import (
    Kind,
    Margin,
    all_of,
    at_most,
    changed,
    derived,
    equal,
    flipped,
    less,
    mutants,
    scaled,
    section,
    shifted,
)
from refute.arithmetic.numbers import Array, Number, exact_array
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1, acute_angles, acute_pairs, quarter_angle, small_scale
from refute.claims.chistikov2023.theorem_7 import limits_tend_to_copies_of_the_teacher
from refute.decide.proof import by_smt
from refute.functions import absolute, maximum, sign
from refute.models import Dataset
from refute.models.chistikov2023.degeneracy import krylov
from refute.models.geometry.elimination import rank
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.from_zero import Limit, limit_from_zero
from refute.strategies import choice, positive, sized
from refute.strategies.chistikov2023.correlated import correlated, start
from refute.strategies.sizes import drawn

WIDE = [acute_pairs if one is quarter_angle else one for one in ASSUMPTION_1]
WIDE.insert(WIDE.index(acute_pairs) + 1, acute_angles)

limits_tend_to_copies_of_the_teacher.reading(
    "acute_pairs",
    r"In the plane, whenever $\angle(x_i,x_k)<\pi/2$ and $\angle(v^*,x_i)<\pi/2$.",
    given=correlated(start=start, dimension=(2, 2), samples=drawn(2, 3), width=drawn(2, 3)),
    assumes=WIDE,
    recorded="supported",
    mutants=[
        changed("all of J_+ have the same norm", ends=lambda one: one.with_equal_shares()),
        shifted(1, "sum of |w_j|^2").called("squared norms add up to 2"),
    ],
)


def _narrow_points(s: Any) -> list[list[Any]]:
    """Two points that c = (1/2, 1/2, 0) fits, and one on which it is negative; all angles to e_1 tend to 45 degrees as
    s -> 0.
    """
    return [[1, 1, s], [2, 2, s], [1, -1 - s * s / 3, s]]


def _lost(short: int, log_scale: int, rows: list[list[Any]]) -> dict[str, Any]:
    """Two long points, and a last one divided by `short`; the teacher is e_1; the scale is below the bound of
    Assumption 2.
    """
    inputs = exact_array([[Fraction(e) / (short if i == 2 else 1) for e in row] for i, row in enumerate(rows)])
    begin = Balanced(exact_array([[1, 0, 0], [1, "1/2", 0]]), np.array([1, 1]), Fraction(log_scale), Fraction(0))
    data = Dataset(inputs, inputs[:, 0])
    return {"teacher": exact_array([1, 0, 0]), "data": data, "start": begin, "epsilon": Fraction(1, 4)}


LOST = [
    _lost(10**4, -(10**17), _narrow_points(Fraction(3, 10))),
    _lost(1000, -(10**11), [[2, 2, 1], [3, 3, 1], [5, -6, 4]]),
    _lost(100, -(10**9), [[1, 1, 1], [3, 3, 2], [2, -3, 4]]),
]


@derived
def final(start: Balanced, data: Dataset) -> Limit:
    """The end of the flow, enclosed in balls."""
    return limit_from_zero(start, data)


@derived
def halfway(teacher: Array) -> Array:
    """c = (1/2, 1/2, 0), which fits the long points."""
    return np.array([teacher[0] / 2, teacher[0] / 2, teacher[1]], dtype=object)


bound = section(
    "chistikov2023",
    "theorem_7.limit_in_Theta_vstar",
    "Theorem 7, its angle bound (ours)",
    recorded="proved",
    printed=False,
)


@bound.claim(
    "beyond_quarter_angle", kind=Kind.EXISTENCE, instances=LOST, assumes=[*WIDE, small_scale], derived=[final, halfway]
)
@mutants(
    shifted("1/10000", "output on the short point").called("the short point has a positive output"),
    changed("the limit is the teacher", halfway=lambda c: c * [2, 0, 0]),
)
def a_short_point_may_be_lost_in_space(data: Dataset, final: Limit, halfway: Array) -> Margin:
    r"""For $d=3$ acute pairs and all other assumptions do not suffice: the flow may end with a positive loss, outside
    $\Theta_{v^*}$.

    $v^*=(1,0,0)$ and $(1,1,1)$, $(3,3,2)$, $\frac1{100}(2,-3,4)$: the bundle ends close to $c=(\frac12,\frac12,0)$ on
    the line $v_1+v_2=1$, $v_3=0$ of those that fit the first two labels, since $c^\top(1,1,1)=1$ and $c^\top(3,3,2)=3$;
    but $c^\top(2,-3,4)=-\frac12$. There every neuron is inactive, the output is 0 instead of $\frac1{50}$, and nothing
    brings it back.

    Convention: three witnesses, angles up to 69, 56 and 47 degrees; the flow is enclosed in balls, from its start to
    the limit.
    """
    last = final.predictor @ data.inputs[-1]
    return all_of(
        at_most(absolute(final.predictor - halfway), Fraction(1, 100), "distance of v from c"),
        less(last, 0, "<v, x_i> for the short point"),
        equal(maximum(last, 0 * last), 0, "output on the short point"),
        equal(sum(final.active[:2]), 2, "long points that the limit fits"),
        equal(data.inputs[:2] @ halfway, data.labels[:2], "<c, x_i> against the labels of the long points"),
    )


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


@bound.claim("sharp_quarter_angle", given=sized(s=choice("1", "1/2", "1/10", "1/1000")), proof=_sharp_proof)
@mutants(
    scaled("99/100", "squared tangents").called("angles below 45 degrees"),
    flipped("2 <c, x_3>").called("the last point is not lost by c"),
)
def the_angle_bound_is_sharp_in_space(s: Number) -> Margin:
    r"""For every bound above $\pi/4$ there are $x_1,x_2,x_3$ with acute pairs and $c\in\mathrm{span}\{x_1,x_2\}$ with
    $c^\top x_i=y_i$ for $i\le2$ but $c^\top x_3<0$: $v^*=(1,0,0)$, $x=(1,1,s),(2,2,s),(1,-1-\frac{s^2}3,s)$ and
    $c=(\frac12,\frac12,0)$, $0<s\le1$.

    The tangents of the angles are at most $\sqrt{1+2s^2}$; $x_1^\top x_3=\frac23s^2$, $x_2^\top x_3=\frac13s^2$,
    $c^\top x_3=-\frac{s^2}6$. A bundle that sees only $x_1$ and $x_2$ tends to $c$, the projection of $v^*$ to their
    span.

    Convention: geometry only; that the flow comes to rest at c when the last point is short enough is enclosed for
    three s, in beyond_quarter_angle.
    """
    rows = np.array(_narrow_points(s), dtype=object)
    across = np.array([x[1] * x[1] + x[2] * x[2] for x in rows], dtype=object)
    along, doubled = rows[:, 0], rows[:, 0] + rows[:, 1]
    return all_of(
        less(0, (rows @ rows.T)[np.triu_indices(3, 1)], "0 against <x_i, x_k>"),
        at_most(across, (1 + 2 * s * s) * along * along, "squared tangents against 1 + 2 s^2"),
        equal(doubled[:2], 2 * along[:2], "2 <c, x_i> against 2 y_i"),
        less(doubled[2], 0, "2 <c, x_3>"),
    )


@derived
def inner(tilt: Number, first: Number, second: Number) -> Array:
    """w_j = r_j x_j."""
    return np.array([[first, first * tilt], [2 * second, -2 * second * tilt]], dtype=object)


@bound.claim(
    "obtuse_pair",
    given=sized(tilt=choice("11/10", "101/100", "2", "10"), first=positive(), second=positive()),
    derived=[inner],
    recorded="supported",
)
@mutants(
    changed("a tilt of nine tenths of it", tilt=lambda tilt: tilt * 9 / 11),
    shifted(-1, "rank of the inner").called("the limit has rank 1"),
)
def an_obtuse_pair_leads_to_rank_two(tilt: Number, first: Number, second: Number, inner: Array) -> Margin:
    r"""For $v^*=(1,0)$ and $x_1=(1,t)$, $x_2=(2,-2t)$, at angles just above $\pi/4$ if $t>1$ is close to 1, the flow
    from $z_j=x_j$, $s_j=1$ has a limit of rank 2 whatever $\lambda$ is.

    At $w_j=r_jx_j$, $r_j>0$, neuron $j$ is inactive on the other point, so $g_j=\frac12(y_j-r_j^2\|x_j\|^3)x_j$: $w_j$
    stays on its ray, and $r_j^2\|x_j\|^3\to y_j$.

    Convention: in the plane; m = n = 2 and z_j = x_j, so that the flow stays on two rays; Assumption 2 cannot be met,
    since delta < 0; lambda is free, and any positive outer weights do, whose size only scales the residuals.
    """
    one = tilt * 0 + 1
    inputs = np.array([[one, tilt], [2 * one, -2 * tilt]], dtype=object)
    outputs = maximum(inner @ inputs.T, 0 * inner).T @ np.array([first, second], dtype=object)
    residuals = inputs[:, 0] - outputs
    pushes = [(residuals * (sign(inputs @ w) > 0).astype(int)) @ inputs / 2 for w in inner]
    turning = np.array([g[0] * w[1] - g[1] * w[0] for g, w in zip(pushes, inner, strict=True)], dtype=object)
    return all_of(
        equal(turning, 0, "part of g_j across w_j"),
        less(inner[0] @ inputs[1], 0, "pre-activation of the other point"),
        equal(rank(inner), 2, "rank of the inner weights, all along and in the limit"),
        equal(rank(krylov(inputs, np.array([one, 0 * one], dtype=object))), 2, "rank of v*, Hv*"),
    )
