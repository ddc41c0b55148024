r"""The activation changes of a yardstick (chistikov2023), exactly.

d alpha/dt = s |alpha| gamma_I moves alpha along a straight line as long as its set I of active points is constant: it
becomes alpha + s c gamma_I with c the integral of |alpha|, and the next crossing is the smallest c > 0 with <alpha + s
c gamma_I, x_i> = 0, which is rational for rational data. Only the crossing times are not
(`models.reference.yardstick`).
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import sign
from refute.models.chistikov2023.yardstick import gamma
from refute.models.dataset import Dataset

MOST_STAGES = 64  # on correlated data a point crosses once


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """From `start` along s c gamma for 0 <= c <= `length` (None: for ever); `points` are crossed
    together at its end.
    """

    start: Array
    gamma: Array
    length: Number | None
    points: tuple[int, ...]


def stages(z: Array, s: int, data: Dataset) -> list[Stage]:
    """The stages of the yardstick from `z` with the sign `s`. The last one has no end, or a neuron without active
    points.
    """
    alpha, sides = z, sign(data.inputs @ z)
    found: list[Stage] = []
    while len(found) < MOST_STAGES:
        push = gamma(data, sides > 0)
        slopes = s * (data.inputs @ push)
        pre = data.inputs @ alpha
        ahead = [i for i in range(len(pre)) if _meets(sides[i], sign(slopes[i]), s)]
        if not ahead:
            break
        waits = {i: -pre[i] / slopes[i] for i in ahead}
        length = min(waits.values())
        after = alpha + s * length * push
        if not any(after):  # straight to zero, which takes for ever
            break
        points = tuple(i for i in ahead if waits[i] == length)
        found.append(Stage(alpha, push, length, points))
        alpha = after
        sides = np.array([s if i in points else side for i, side in enumerate(sides)])
    return [*found, Stage(alpha, push, None, ())]


def _meets(side: int, slope: int, s: int) -> bool:
    """A point on the other side that comes nearer; on the hyperplane itself it counts as inactive and can only become
    active.
    """
    return bool(side * slope < 0) or (side == 0 and slope > 0 and s > 0)


def ties(z: Array, s: int, data: Dataset) -> list[Array]:
    """For every stage and pair of points ahead: the vector f with <f, z> = 0 iff both are met together, given the
    earlier crossings.

    A stage maps z to z - gamma <x, z>/<gamma, x> with the point x that it ends at, so functionals are pulled back one
    by one.
    """
    found: list[Array] = []
    earlier: list[Stage] = []
    for now in stages(z, s, data):
        gone = {i for one in earlier for i in one.points}
        ahead = [i for i in range(len(data.labels)) if i not in gone and sign(data.inputs[i] @ z) != s]
        for i, k in combinations(ahead, 2):
            f = data.inputs[i] / (now.gamma @ data.inputs[i]) - data.inputs[k] / (now.gamma @ data.inputs[k])
            for one in reversed(earlier):
                crossed = data.inputs[one.points[0]]
                f = f - crossed * (one.gamma @ f) / (one.gamma @ crossed)
            found.append(f)
        earlier.append(now)
    return found


def is_active(z: Array, data: Dataset) -> bool:
    """I_+(z) is not empty."""
    return bool((sign(data.inputs @ z) > 0).any())


def most_points_touched(z: Array, s: int, data: Dataset) -> int:
    """max_t |I_0(alpha^t)| along the yardstick from z."""
    here = int((sign(data.inputs @ z) == 0).sum())
    return max([here, *(len(one.points) for one in stages(z, s, data))])
