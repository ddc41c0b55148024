r"""Lemma 3: neurons cross the same points as their yardsticks, in the same order, at nearly the same times."""

from dataclasses import dataclass, replace

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_most,
    changed,
    derived,
    equal,
    less,
    mutants,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Array, Number
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2, small_scale
from refute.claims.chistikov2023.phase_1 import alignment
from refute.models import Dataset
from refute.models.chistikov2023.alignment import Alignment
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.yardstick_shift import log_crossing_gaps
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023.correlated import SETTING


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """Of one neuron: its sign, the points of its yardstick, its own, when it crosses them; at places inside the stages
    how many it has crossed, and the cosines to all inputs.
    """

    s: int
    wanted: tuple[int, ...]
    points: tuple[int, ...]
    times: Array
    passed: Array
    cosines: Enclosed

    @property
    def misplaced(self) -> Array:
        """How many points lie on the wrong side of the neuron, at each place."""
        ahead = [[i in self.wanted[k:] for i in range(self.cosines.shape[1])] for k in self.passed]
        return np.asarray(
            ((self.s * self.cosines.value > 0) == np.array(ahead).reshape(self.cosines.shape)).sum(axis=1)
        )


@derived
def crossings(data: Dataset, alignment: Alignment) -> list[Crossings]:
    """Of J_+ and J_-, up to T_0."""
    unit = data.inputs / np.linalg.norm(data.inputs, axis=1)[:, None]

    def of(j: int) -> Crossings:
        events, (passed, rows) = alignment.crossings(j), alignment.inside(j)
        points, times = tuple(one.point for one in events), np.array([one.time for one in events])
        return Crossings(int(alignment.signs[j]), alignment.ways[j].points, points, times, passed, rows @ unit.T)

    return [of(j) for j in alignment.ways]


lemma = section(
    "chistikov2023",
    "lemma_3",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[alignment, crossings],
    recorded="supported",
)


@lemma.claim("i", "Lemma 3 (i)")
@mutants(
    changed("in the opposite order", crossings=lambda found: [replace(c, wanted=c.wanted[::-1]) for c in found]),
    changed("stage l has one point more", crossings=lambda found: [replace(c, passed=c.passed + 1) for c in found]),
)
def neurons_cross_the_points_of_their_yardsticks(crossings: list[Crossings]) -> Margin:
    r"""For $j\in J_+\cup J_-$ there are $0=t_j^0<\dots<t_j^{n_j}$ such that
    $I_{s_j}(w_j^t)=I_{s_j}(z_j)\cup\{i_j^1,\dots,i_j^{\ell-1}\}$ for $t\in(t_j^{\ell-1},t_j^\ell)$: the order is that
    of the yardstick.

    Convention: the crossings of the flow up to T_0 and the sides at the times on the way.
    """
    return all_of(
        equal(sum(c.points != c.wanted for c in crossings), 0, "neurons with another order"),
        equal(np.concatenate([c.misplaced for c in crossings]), 0, "points on the wrong side"),
    )


@lemma.claim("ii", "Lemma 3 (ii)")
@mutants(without(small_scale), shifted(1, "points crossed"), shifted("-1/20", "|cosine|"))
def neurons_cross_one_point_at_a_time(crossings: list[Crossings]) -> Margin:
    r"""$I_0(w_j^t)=\emptyset$ inside the stages, and $I_0(w_j^{t_j^\ell})=\{i_j^\ell\}$ at their ends, of which there
    are $n_j$.

    Convention: the crossings of the flow up to T_0 and the sides at the times on the way.
    """
    counts = np.array([len(c.points) - len(c.wanted) for c in crossings])
    at_once = np.array([(c.times == t).sum() for c in crossings for t in c.times])
    return all_of(
        equal(counts, 0, "number of crossings minus n_j"),
        equal(at_once, 1, "points crossed at once"),
        *(less(0, abs(c.cosines), "|cosine| to the inputs inside a stage") for c in crossings),
    )


@derived
def gaps(data: Dataset, start: Balanced) -> list[Enclosed]:
    """ln |t_j^l - tau_j^l|."""
    ways = [one for _, one in yardsticks(start.shape, start.signs, data)]
    return log_crossing_gaps(ways, data, float(start.log_scale))


@lemma.claim("iii", "Lemma 3 (iii)", derived=[gaps])
@mutants(scaled("21/10"))
def neurons_cross_at_nearly_the_same_times(start: Balanced, epsilon: Number, gaps: list[Enclosed]) -> Margin:
    r"""$|\tau_j^\ell-t_j^\ell|\le\lambda^{1-(1+\frac{3\ell-1}{3n_j})\varepsilon}$ for all $\ell\in[n_j]$.

    Convention: |t - tau| = |C| lambda^2 (1 + O(lambda^2)) with C from the linearised flow; logarithms are compared.
    """
    shares = [1 - (1 + (3 * np.arange(1, len(one) + 1) - 1) / (3 * max(len(one), 1))) * epsilon for one in gaps]
    lines = zip(gaps, shares, strict=True)
    return all_of(*(at_most(gap, share * start.log_scale, "ln |t - tau|") for gap, share in lines))
