r"""Yardstick trajectories $\alpha_j$ and Proposition 2: the points that a yardstick crosses, their order and the stages
in between.

While the set $I$ of active points is constant a yardstick moves on the line $\alpha+s\,c\,\gamma_I$ with
$c=\int\|\alpha\|\,\mathrm dt$, which increases with time. So everything but the crossing times themselves is rational
and decided exactly; order in $c$ is order in $t$.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from refute import Kind, Margin, all_of, at_most, claim, equal, less, moved, nothing, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    misaligned_negative,
    off_boundaries,
    one_at_a_time,
    quarter_angle,
)
from refute.functions import sign
from refute.models import Dataset
from refute.models.chistikov2023.crossings import Stage, is_active, stages
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.yardstick import gamma
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.correlated import correlated, start

CASES = correlated(start=start)
INSIDE = (Fraction(1, 1000), Fraction(1, 2), Fraction(999, 1000))  # of a stage
STEP = 1e-5  # of a difference quotient, in units of 1/|gamma|


def _active(start: Balanced, data: Dataset) -> list[tuple[Array, int]]:
    """(z_j, s_j) for j in J_+ and J_-."""
    return [(z, int(s)) for z, s in zip(start.shape, sign(start.signs), strict=True) if is_active(z, data)]


def _ended(z: Array, s: int, data: Dataset) -> list[Stage]:
    return [one for one in stages(z, s, data) if one.length is not None]


def _along(one: Stage, s: int, part: Number) -> Array:
    """The place of the yardstick after a part of the stage."""
    place: Array = one.start + one.gamma * (one.length * part * s)
    return place


@claim(
    "chistikov2023.definition.yardstick",
    "section 3, display before Assumption 1",
    given=CASES,
    assumes=ASSUMPTION_1,
    recorded="refuted",
    convention="a derivative at t is two-sided; both one-sided derivatives are divided by |alpha| > 0, which leaves "
    "rationals",
    cost=5.0,
)
def yardsticks_obey_their_equation_at_all_times(data: Dataset, start: Balanced) -> Margin:
    r"""There is a continuous $\alpha_j$ with $\alpha_j^0=z_j$ and
    $\frac{\mathrm d}{\mathrm dt}\alpha_j^t=s_j\|\alpha_j^t\|\,\gamma_{I_+(\alpha_j^t)}$ for all $t\in(0,\infty)$.

    Fails at the crossing times only, and there only as "for all t" in place of "for almost all t", the usual sense of
    an equation whose right-hand side jumps. The one-sided derivatives differ by $\frac1n\|\alpha\|y_ix_i\ne0$, where
    $x_i$ is the point that is crossed: for $v^*=(-1,0)$ and the points $(-1,0)$, $(-3,2)$ the yardstick from $z=(1,2)$,
    $s=1$, crosses the first, with $y_1x_1=(-1,0)$.
    """
    sides = []
    for z, s in _active(start, data):
        way = stages(z, s, data)
        for before, after in pairwise(way):
            asked = gamma(data, sign(data.inputs @ after.start) > 0)
            sides += [equal(before.gamma, asked, "from the left"), equal(after.gamma, asked, "from the right")]
    return all_of(*sides) if sides else nothing("no crossing")


@claim(
    "chistikov2023.definition.yardstick.amended",
    "section 3, display before Assumption 1",
    kind=Kind.DYNAMICS,
    given=CASES,
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[
        moved("both derivatives at a crossing, as printed", both=1),
        moved("the derivative from the other side at a crossing", side=-1),
        moved("with the unweighted length |alpha|^2", power=2),
    ],
    convention="one-sided difference quotients of second order of the closed form; the third derivative is at most "
    "|gamma|^3 |alpha|",
)
def yardsticks_obey_their_equation_between_crossings(
    data: Dataset, start: Balanced, *, both: int = 0, side: int = 1, power: int = 1
) -> Margin:
    r"""There is a continuous $\alpha_j$ with $\alpha_j^0=z_j$ that obeys the equation at every $t>0$ but the crossing
    times; at these, from the left if $s_j=1$ and from the right if $s_j=-1$.

    Amended: finitely many times are exempt, since the right-hand side jumps there.
    """
    slopes = []
    for j, one in yardsticks(start.shape, start.signs, data):
        s = int(start.signs[j])
        ends = [0.0, *one.times]
        between = [(a + b) / 2 for a, b in zip(ends, [*one.times, ends[-1] + 1.0], strict=True)]
        most = float(np.linalg.norm(gamma(data, np.ones(len(data.labels), dtype=int))))
        h = min([STEP / most, *(np.diff(ends) / 4)])
        for k, t in enumerate([*between, *one.times]):
            active = _sides_at(one.path.sides, one.times, float(t), s)
            size = np.linalg.norm(one.at(t))
            wanted = s * size**power * gamma(data, active)
            ways = (-1, 1) if k < len(between) or both else (-s * side,)
            error = float(2 * most**3 * size * h**2 + 1e-14 * (1 + t) * size / h)
            quotients = [w * (4 * one.at(t + w * h) - 3 * one.at(t) - one.at(t + 2 * w * h)) / (2 * h) for w in ways]
            slopes += [equal(quotient, wanted, "d alpha/dt", error=error) for quotient in quotients]
    return all_of(*slopes)


def _sides_at(sides: tuple[Array, ...], times: Array, t: float, s: int) -> Array:
    """I_+ at t as a mask; at a crossing the crossed point is on the boundary, so it is not in I_+."""
    k = int(np.searchsorted(times, t, side="left" if s > 0 else "right"))
    return np.asarray(sides[k] > 0)


_ORDER = [without(quarter_angle), without(one_at_a_time), without(misaligned_negative)]


@claim(
    "chistikov2023.prop_2.enumeration",
    "Proposition 2",
    given=CASES,
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[*_ORDER, moved("all points are crossed", all_points=1)],
    convention="the stages determine the enumeration and the times, since a point is on the boundary at no other time",
    cost=5.0,
)
def every_point_to_cross_is_crossed_once(data: Dataset, start: Balanced, *, all_points: int = 0) -> Margin:
    r"""The points crossed by $\alpha_j$, one after the other at times $0<\tau_j^1<\dots<\tau_j^{n_j}$, are an
    enumeration of $I_{-s_j}(z_j)$: those outside the half-space for $s_j=1$, those inside for $s_j=-1$.
    """
    parts = []
    for z, s in _active(start, data):
        way = _ended(z, s, data)
        asked = [i for i, side in enumerate(sign(data.inputs @ z)) if side == -s or all_points]
        crossed = [i for one in way for i in one.points]
        parts.append(equal(len(way), len(asked), "number of crossing times against n_j"))
        parts.append(
            equal(
                sum(crossed.count(i) != 1 for i in asked) + len(set(crossed) - set(asked)),
                0,
                "points missed or repeated",
            )
        )
        parts += [less(0, one.length, "length of a stage") for one in way]
    return all_of(*parts)


@claim(
    "chistikov2023.prop_2.i",
    "Proposition 2 (i)",
    given=CASES,
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[without(quarter_angle), moved("stage l has one point more", shift=1)],
    convention="I_{s} at three interior places of every stage; it is constant on lines that cross nothing in between",
    cost=2.0,
)
def points_join_one_by_one(data: Dataset, start: Balanced, *, shift: int = 0) -> Margin:
    r"""$I_{s_j}(\alpha_j^t)=I_{s_j}(z_j)\cup\{i_j^1,\dots,i_j^{\ell-1}\}$ for $t\in(\tau_j^{\ell-1},\tau_j^\ell)$."""
    parts = [nothing("no stage")]
    for z, s in _active(start, data):
        way = _ended(z, s, data)
        first = sign(data.inputs @ z) == s
        for k, one in enumerate(way):
            wanted = first.copy()
            wanted[[i for before in way[: k + shift] for i in before.points]] = True
            for part in INSIDE:
                there = sign(data.inputs @ _along(one, s, _like(one.length, part))) == s
                parts.append(equal(int((there != wanted).sum()), 0, "points on the wrong side"))
    return all_of(*parts)


def _like(number: Number, part: Fraction) -> Number:
    """A fraction in the arithmetic of a number."""
    return (number * 0 + part.numerator) / part.denominator


@claim(
    "chistikov2023.prop_2.ii",
    "Proposition 2 (ii)",
    given=CASES,
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[without(one_at_a_time), without(off_boundaries), moved("no point at the crossing either", at_end=0)],
    convention="(i) and (ii) are decided at the ends and at three interior places of every stage",
    cost=5.0,
)
def exactly_one_point_is_on_the_boundary_at_a_crossing(data: Dataset, start: Balanced, *, at_end: int = 1) -> Margin:
    r"""$I_0(\alpha_j^t)=\emptyset$ inside the stages and $I_0(\alpha_j^{\tau_j^\ell})=\{i_j^\ell\}$ at their ends."""
    parts = [nothing("no stage")]
    for z, s in _active(start, data):
        parts.append(equal(int((sign(data.inputs @ z) == 0).sum()), 0, "points on the boundary at t = 0"))
        for one in _ended(z, s, data):
            for part in INSIDE:
                inside = sign(data.inputs @ _along(one, s, _like(one.length, part)))
                parts.append(equal(int((inside == 0).sum()), 0, "points on the boundary inside a stage"))
            end = sign(data.inputs @ _along(one, s, 1))
            parts.append(equal(int((end == 0).sum()), at_end, "points on the boundary at its end"))
            parts.append(at_most(np.abs(end[list(one.points)]).sum(), 0, "the crossed point itself"))
    return all_of(*parts)
