r"""Section 3: yardstick trajectories $\alpha_j$, and Proposition 2 on the points that they cross, their order and the
stages in between.

While the set $I$ of active points is constant a yardstick moves on the line $\alpha+s\,c\,\gamma_I$ with
$c=\int\|\alpha\|\,\mathrm dt$, which increases with time. So everything but the crossing times themselves is rational
and decided exactly; order in $c$ is order in $t$.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from refute import (
    Fault,
    Kind,
    Margin,
    all_of,
    changed,
    derived,
    equal,
    less,
    mutants,
    nothing,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    active_neurons,
    misaligned_negative,
    off_boundaries,
    one_at_a_time,
    quarter_angle,
)
from refute.functions import sign
from refute.models import Dataset
from refute.models.chistikov2023.crossings import Stage, stages
from refute.models.chistikov2023.smallness import one_sided_slopes
from refute.models.chistikov2023.yardstick import Slopes, gamma
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.correlated import correlated, start

INSIDE = (Fraction(1, 1000), Fraction(1, 2), Fraction(999, 1000))  # of a stage


yardstick = section(
    "chistikov2023",
    "definition",
    "section 3, display before Assumption 1",
    given=correlated(start=start),
    assumes=ASSUMPTION_1,
    cost=5,
)


@yardstick.claim("yardstick", recorded="refuted", fault=Fault.BOUNDARY)
def yardsticks_obey_their_equation_at_all_times(data: Dataset, start: Balanced) -> Margin:
    r"""There is a continuous $\alpha_j$ with $\alpha_j^0=z_j$ and
    $\frac{\mathrm d}{\mathrm dt}\alpha_j^t=s_j\|\alpha_j^t\|\,\gamma_{I_+(\alpha_j^t)}$ for all $t\in(0,\infty)$.

    Fails at the crossing times only, and there only as "for all t" in place of "for almost all t", the usual sense of
    an equation whose right-hand side jumps. The one-sided derivatives differ by $\frac1n\|\alpha\|y_ix_i\ne0$, where
    $x_i$ is the point that is crossed: for $v^*=(-1,0)$ and the points $(-1,0)$, $(-3,2)$ the yardstick from $z=(1,2)$,
    $s=1$, crosses the first, with $y_1x_1=(-1,0)$.

    Convention: a derivative at t is two-sided; both one-sided derivatives are divided by |alpha| > 0, which leaves
    rationals.
    """
    parts = [nothing("no crossing")]
    for z, s in active_neurons(data, start):
        for before, after in pairwise(stages(z, s, data)):
            asked = gamma(data, sign(data.inputs @ after.start) > 0)
            parts += [equal(before.gamma, asked, "from the left"), equal(after.gamma, asked, "from the right")]
    return all_of(*parts)


@derived
def slopes(data: Dataset, start: Balanced) -> Slopes:
    """At the crossings of all yardsticks and in the middle of their stages."""
    return one_sided_slopes(start.shape, start.signs, data)


@yardstick.claim("yardstick.amended", kind=Kind.DYNAMICS, derived=[slopes], recorded="supported", cost=1)
@mutants(
    changed("the derivative from the other side at a crossing", slopes=lambda one: replace(one, s=-one.s)),
    scaled("1001/1000"),
)
def yardsticks_obey_their_equation_between_crossings(slopes: Slopes) -> Margin:
    r"""There is a continuous $\alpha_j$ with $\alpha_j^0=z_j$ that obeys the equation at every $t>0$ but the crossing
    times; at these, from the left if $s_j=1$ and from the right if $s_j=-1$.

    Amended: finitely many times are exempt, since the right-hand side jumps there.

    Convention: one-sided difference quotients of second order of the closed form; the third derivative is at most
    |gamma|^3 |alpha|.
    """
    left, right = ~slopes.crossing | (slopes.s > 0), ~slopes.crossing | (slopes.s < 0)
    return all_of(
        equal(slopes.before[left], slopes.wanted[left], "d alpha/dt from the left"),
        equal(slopes.after[right], slopes.wanted[right], "d alpha/dt from the right"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The stages of one yardstick that come to an end, and I_{-s_j}(z_j), the points that it has to cross."""

    s: int
    asked: list[int]
    stages: list[Stage]

    @property
    def crossed(self) -> list[int]:
        """The points in the order in which they are crossed."""
        return [i for one in self.stages for i in one.points]


@derived
def walks(data: Dataset, start: Balanced) -> list[Walk]:
    """One for each neuron of J_+ and J_-."""
    found = []
    for z, s in active_neurons(data, start):
        asked = np.flatnonzero(sign(data.inputs @ z) == -s).tolist()
        found.append(Walk(s, asked, [one for one in stages(z, s, data) if one.length is not None]))
    return found


@derived
def sides(data: Dataset, walks: list[Walk]) -> list[tuple[Walk, int, Array, Array]]:
    """For each stage: the walk, the number of the stage, sign <alpha, x_i> at places inside (places, samples), and at
    its end.
    """

    def at(walk: Walk, one: Stage, part: Fraction) -> Array:
        length: Number = one.length  # not None: the stage ends
        way = one.gamma * (length * part.numerator / part.denominator * walk.s)
        return np.asarray(sign(data.inputs @ (one.start + way)))

    return [
        (walk, k, np.array([at(walk, one, part) for part in INSIDE]), at(walk, one, Fraction(1)))
        for walk in walks
        for k, one in enumerate(walk.stages)
    ]


proposition = section(
    "chistikov2023",
    "prop_2",
    "Proposition 2",
    given=correlated(start=start),
    assumes=ASSUMPTION_1,
    derived=[walks, sides],
    recorded="supported",
    cost=5,
)


@proposition.claim("enumeration")
@mutants(
    without(quarter_angle),
    without(one_at_a_time),
    without(misaligned_negative),
    shifted(1, "crossing times").called("one point more is crossed"),
)
def every_point_to_cross_is_crossed_once(walks: list[Walk]) -> Margin:
    r"""The points crossed by $\alpha_j$, one after the other at times $0<\tau_j^1<\dots<\tau_j^{n_j}$, are an
    enumeration of $I_{-s_j}(z_j)$: those outside the half-space for $s_j=1$, those inside for $s_j=-1$.

    Convention: the stages determine the enumeration and the times, since a point is on the boundary at no other time.
    """
    asked = np.array([len(walk.asked) for walk in walks])
    lengths = np.array([one.length for walk in walks for one in walk.stages], dtype=object)
    return all_of(
        equal(np.array([len(walk.stages) for walk in walks]), asked, "crossing times, against n_j"),
        equal(sum(sorted(walk.crossed) != walk.asked for walk in walks), 0, "walks that miss or repeat a point"),
        less(0, lengths, "length of a stage"),
    )


@proposition.claim("i", cost=2)
@mutants(
    without(quarter_angle),
    changed("stage l has one point more", sides=lambda found: [(w, k + 1, *rest) for w, k, *rest in found]),
)
def points_join_one_by_one(sides: list[tuple[Walk, int, Array, Array]]) -> Margin:
    r"""$I_{s_j}(\alpha_j^t)=I_{s_j}(z_j)\cup\{i_j^1,\dots,i_j^{\ell-1}\}$ for $t\in(\tau_j^{\ell-1},\tau_j^\ell)$.

    Convention: $I_s$ at three interior places of every stage; it is constant on lines that cross nothing in between.
    """
    wrong = [
        (inside == walk.s) != [i not in walk.asked or i in walk.crossed[:k] for i in range(inside.shape[1])]
        for walk, k, inside, _ in sides
    ]
    return equal(np.array([int(one.sum()) for one in wrong]), 0, "points on the wrong side")


@proposition.claim("ii")
@mutants(without(one_at_a_time), without(off_boundaries), shifted(-1, "points on the boundary at its end"))
def exactly_one_point_is_on_the_boundary_at_a_crossing(
    data: Dataset, start: Balanced, sides: list[tuple[Walk, int, Array, Array]]
) -> Margin:
    r"""$I_0(\alpha_j^t)=\emptyset$ inside the stages and $I_0(\alpha_j^{\tau_j^\ell})=\{i_j^\ell\}$ at their ends.

    Convention: (i) and (ii) are decided at the ends and at three interior places of every stage.
    """
    first = [sign(data.inputs @ z) for z, _ in active_neurons(data, start)]
    ends = np.array([int((end == 0).sum()) for _, _, _, end in sides])
    return all_of(
        equal(int((np.array(first) == 0).sum()), 0, "points on the boundary at t = 0"),
        equal(sum(int((inside == 0).sum()) for _, _, inside, _ in sides), 0, "points on the boundary inside a stage"),
        equal(sum(abs(int(end[walk.crossed[k]])) for walk, k, _, end in sides), 0, "the crossed point itself"),
        equal(ends, 1, "points on the boundary at its end"),
    )
