r"""Lemma 12 and the trapping regions of Section 3.3: $S_+$, $S_-$ and $S_{dead}$ keep the neurons that are in them."""

from fractions import Fraction
from operator import neg

import numpy as np
from numpy.typing import NDArray

from refute import Enclosed, Fault, Kind, Margin, changed, derived, mutants, section, suppose, without
from refute.claims.min2024.assumptions import dead, in_s_minus, in_s_plus, separated
from refute.claims.min2024.training import ALL_LOSSES, LOSSES, in_cone, in_dead
from refute.functions import sqrt
from refute.models import Dataset, TwoLayer
from refute.models.flow import FILIPPOV, REGULAR, gradient_flow
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice
from refute.strategies.min2024.separated import neurons, placed, separated_dataset, vector

Floats = NDArray[np.float64]


def _followed(
    data: Dataset, w: Floats, sign: int, start: Balanced, loss: str, tolerance: float, concept: str
) -> Enclosed:
    """Unit vectors of a balanced neuron along w, trained beside the others; all neurons have norm 1/sqrt(X_max)."""
    suppose(bool(np.any(w)), "w_j is not zero, where it stays")
    shape = np.vstack([w, start.shape])
    longest = float(np.linalg.norm(data.inputs, axis=1).max())
    shape = shape / np.linalg.norm(shape, axis=1)[:, None] / np.sqrt(longest)
    net = TwoLayer(shape, np.concatenate([[float(sign)], start.signs]) / np.sqrt(longest), Fraction(0))
    run = gradient_flow(net, data, LOSSES[loss], np.linspace(0, 2 / longest, 6), tolerance=tolerance, concept=concept)
    rows = run.inners[:, 0]
    sizes: Enclosed = sqrt((rows * rows).sum(axis=1))
    return rows / sizes[:, None]


@derived
def positive() -> int:
    """The sign of v_j."""
    return 1


@derived
def negative() -> int:
    """The sign of v_j."""
    return -1


@derived
def concept() -> str:
    """What counts as a solution."""
    return REGULAR


lemma = section(
    "min2024",
    "lemma_12",
    "Lemma 12",
    kind=Kind.DYNAMICS,
    given=placed(
        data=separated_dataset, w=vector, start=neurons, loss=ALL_LOSSES, dimension=(1, 2), samples=(1, 3), width=(1, 2)
    ),
    recorded="supported",
    convention="no small scale: outputs of order one; separation is not in the lemma but in its section; solutions "
    "that leave the edge of S_dead included",
    cost=0.4,
)


@lemma.claim("plus", assumes=[separated, in_s_plus], derived=[positive], cost=0.15)
@mutants(changed("for v_j < 0", positive=neg), without(in_s_plus), without(separated))
def positive_neurons_stay_in_s_plus(
    data: Dataset, w: Floats, start: Balanced, loss: str, positive: int, tolerance: float
) -> Margin:
    r"""$w_j(t_1)\in S_+$ and $v_j>0$ imply $w_j(t)\in S_+$ for all $t\ge t_1$, for any solution of (2)."""
    return in_cone(_followed(data, w, positive, start, loss, tolerance, FILIPPOV), data, 1)


@lemma.claim("minus", assumes=[separated, in_s_minus], derived=[negative])
@mutants(changed("for v_j > 0", negative=neg), without(in_s_minus))
def negative_neurons_stay_in_s_minus(
    data: Dataset, w: Floats, start: Balanced, loss: str, negative: int, tolerance: float
) -> Margin:
    r"""$w_j(t_1)\in S_-$ and $v_j<0$ imply $w_j(t)\in S_-$ for all $t\ge t_1$, for any solution of (2).

    The need of separation is shown at `lemma_12.plus`.
    """
    return in_cone(_followed(data, w, negative, start, loss, tolerance, FILIPPOV), data, -1)


dying = lemma.but(
    given=placed(
        data=separated_dataset,
        w=vector,
        start=neurons,
        loss=ALL_LOSSES,
        s=choice(1, -1),
        dimension=(2, 2),
        samples=(1, 2),
        width=(1, 2),
    ),
    convention="",
    cost=0.3,
)


@dying.claim("dead", assumes=[separated, dead], recorded="refuted", fault=Fault.MISSING_HYPOTHESIS)
def dead_neurons_stay_dead_along_any_solution(
    data: Dataset, w: Floats, s: int, start: Balanced, loss: str, tolerance: float
) -> Margin:
    r"""$w_j(t_1)\in S_{dead}$ implies $w_j(t)\in S_{dead}$ for all $t\ge t_1$, for any solution of (2).

    Fails on the edge, as Appendix E.4 itself shows: $x=(1,0)$, $y=1$, $w=(0,1)$, $v=1$. For $t>0$ the path that moves
    along x sees the datum, so it satisfies the equation at all times but one. "$\dot w_j=0$ in $S_{dead}$" does not
    exclude it.

    Convention: 'any solution': among the Caratheodory solutions with sigma'(0) = 0 the one that leaves the edge of
    S_dead where it can.
    """
    return in_dead(_followed(data, w, s, start, loss, tolerance, FILIPPOV), data)


@dying.claim("dead.amended", assumes=[separated, dead], derived=[concept])
@mutants(changed("solutions that leave the edge", concept=lambda _: FILIPPOV), without(dead))
def dead_neurons_stay_dead_along_regular_solutions_too(
    data: Dataset, w: Floats, s: int, start: Balanced, loss: str, concept: str, tolerance: float
) -> Margin:
    r"""Amended: for regular solutions (Definition 1). Separation is not shown necessary."""
    return in_dead(_followed(data, w, s, start, loss, tolerance, concept), data)


@derived
def region(data: Dataset, w: Floats, s: int) -> str:
    """The trapping region in which the neuron starts."""
    pre, own = data.inputs @ w, data.labels == s
    if (pre <= 0).all():
        return "dead"
    return "cone" if (pre[own] > 0).all() and (pre[~own] <= 0).all() else "none"


@section("min2024", "", "Section 3.3", **dying.common).claim(
    "sec_3_3.trapping_regions", assumes=[separated], derived=[concept, region]
)
@mutants(
    changed("solutions that leave the edge of S_dead", concept=lambda _: FILIPPOV),
    changed("wherever the neuron starts", region=lambda region: region.replace("none", "cone")),
)
def the_cone_of_its_sign_and_the_dead_cone_trap_a_neuron(
    data: Dataset, w: Floats, s: int, start: Balanced, loss: str, concept: str, region: str, tolerance: float
) -> Margin:
    r"""$S_+$ and $S_{dead}$ are trapping for neurons with $v_j>0$, $S_-$ and $S_{dead}$ for those with $v_j<0$.

    Convention: regular solutions, as in Theorem 1; outputs of order one; a neuron that starts in neither region says
    nothing. For other solutions S_dead is not trapping, see lemma_12.dead; S_+ and S_- are, see lemma_12.plus and
    .minus.
    """
    suppose(region != "none", "w starts in one of the regions")
    rows = _followed(data, w, s, start, loss, tolerance, concept)
    return in_dead(rows, data) if region == "dead" else in_cone(rows, data, s)
