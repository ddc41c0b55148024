r"""Records of activation counts (k_+, k_-) of a neuron on its way to S_+, in min2024, Appendix C.2.

A path of n_+ positive and n_- negative data ends at (n_+, 0) and avoids (0, 0). Its travel time is the sum over all
points but the last of 1/(k_+ + k_-), in units of 4 / (min{zeta, xi} sqrt(mu) X_min).
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Number
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change

Point = tuple[int, int]
TOGETHER = 1e-9  # events closer than this, relative to the length of the run, are one


def points(positive: int, negative: int) -> list[Point]:
    """All counts but (0, 0)."""
    return [(p, q) for p in range(positive + 1) for q in range(negative + 1) if p or q]


def is_point(counts: Iterable[Number], positive: int, negative: int) -> bool:
    """Whether the counts are among `points`, however many those are."""
    p, q = counts
    return p % 1 == q % 1 == 0 and 0 <= p <= positive and 0 <= q <= negative and bool(p or q)


def travel_time(path: list[Point]) -> Fraction:
    """The sum of 1/(k_+ + k_-) over all points but the last."""
    return sum((Fraction(1, sum(point)) for point in path[:-1]), Fraction(0))


def maximal_path(positive: int, negative: int) -> list[Point]:
    """The printed P_max: all negative data are lost but one, one positive datum is gained, then the last negative one
    is lost.
    """
    return [*((0, q) for q in range(negative, 0, -1)), (1, 1), *((p, 0) for p in range(1, positive + 1))]


def follows(later: Point, earlier: Point) -> bool:
    """The printed condition (2) on two points of a path: fewer negative or more positive ones."""
    return earlier[1] > later[1] or earlier[0] < later[0]


def succeeds(later: Point, earlier: Point) -> bool:
    """No positive datum is lost and no negative one gained, and the points differ."""
    return later != earlier and earlier[0] <= later[0] and earlier[1] >= later[1]


def is_path(path: list[Point], positive: int, negative: int, order: Callable[[Point, Point], bool]) -> bool:
    """Conditions (1) to (4), with `order(later, earlier)` for (2)."""
    counted = all(is_point(point, positive, negative) for point in path)
    ordered = all(order(later, earlier) for earlier, later in combinations(path, 2))
    return counted and ordered and path[-1] == (positive, 0)


def best_path(positive: int, negative: int, gain: Callable[[Point], Fraction]) -> tuple[Fraction, int]:
    """The largest sum of `gain` over all points but the last of a path of `succeeds`, and how many paths attain it."""
    goal = (positive, 0)
    best: dict[Point, tuple[Fraction, int]] = {goal: (Fraction(0), 1)}
    for point in sorted(points(positive, negative), key=lambda k: k[1] - k[0]):  # every successor comes before
        options = [best[later] for later in best if succeeds(later, point)]
        if point != goal:
            value = max(option for option, _ in options)
            best[point] = gain(point) + value, sum(count for option, count in options if option == value)
    value = max(option for option, _ in best.values())
    return value, sum(count for option, count in best.values() if option == value)


def record(
    start: list[bool], changes: list[tuple[float, int, bool]], labels: list[int], own: int, together: float
) -> list[Point]:
    """The counts that a neuron of sign `own` goes through: `changes` are (time, datum, active); those closer than
    `together` are one.
    """
    active = list(start)
    found = [_counts(active, labels, own)]
    for k, (time, datum, now) in enumerate(changes):
        active[datum] = now
        if k + 1 == len(changes) or changes[k + 1][0] > time + together:
            found.append(_counts(active, labels, own))
    return [point for k, point in enumerate(found) if k == 0 or point != found[k - 1]]


def _counts(active: list[bool], labels: list[int], own: int) -> Point:
    seen = [label for label, on in zip(labels, active, strict=True) if on]
    return seen.count(own), seen.count(-own)


class Arrivals(NamedTuple):
    """Of the neurons that come to the cone of their sign from elsewhere: when they do, the counts on the way (own class
    first), and how many data the own class and the other one have.
    """

    times: Enclosed
    paths: list[list[Point]]
    sizes: list[Point]


def arrivals(data: Dataset, start: Balanced, run: LogPolarTrajectory) -> Arrivals:
    """What a run says of them."""
    labels, together = [int(y) for y in data.labels], TOGETHER * float(run.time[-1])
    times, paths, sizes = [], [], []
    for j, own in enumerate(int(s) for s in run.signs):
        changes = [(one.time, one.point, one.change is Change.ENTERS) for one in run.switches if one.neuron == j]
        size = labels.count(own), labels.count(-own)
        path = record([bool(z > 0) for z in data.inputs @ start.shape[j]], changes, labels, own, together)
        if size[0] and len(path) > 1 and path[-1] == (size[0], 0):
            times.append(changes[-1][0])
            paths.append(path)
            sizes.append(size)
    return Arrivals(Enclosed(times, run.error + together), paths, sizes)
