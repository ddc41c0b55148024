"""Sightings: a few of the cases that a hunt has tried, so that it can be drawn where it has been and how near it came.

The number kept is bounded and the choice depends on nothing but the hunt: the nearest misses, and of the others an even
sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any
from zlib import crc32

import numpy as np

from refute.language.case import Case
from refute.language.cases import movable
from refute.language.claim import Claim
from refute.search.coordinates import Layout, layout, numbers

MOST_NUMBERS = 40  # of a case; those of a larger one are thinned evenly
FROM_A_CHUNK = 16
IN_A_HUNT = 512


@dataclass(frozen=True, slots=True)
class Sighting:
    """A case that met the assumptions: the method that tried it, how many cases were tried before it, how near it came,
    and where it is.
    """

    arm: str
    after: int
    height: float
    violated: bool
    layout: Layout = ()
    point: tuple[float, ...] = ()

    @property
    def _order(self) -> tuple[int, int]:
        """A fixed order without a direction in time."""
        return crc32(f"{self.arm} {self.after}".encode()), self.after

    def later(self, cases: int) -> "Sighting":
        return replace(self, after=self.after + cases)

    def located(self, claim: Claim, case: Case) -> "Sighting":
        """With the coordinates of its case: the numbers that a hunt may move, or all if it may move none."""
        moved = movable(claim, case) or frozenset(case)
        values = numbers(case, moved)
        return replace(self, layout=layout(case, moved), point=tuple(_short(values[k]) for k in _thinned(len(values))))

    def to_json(self) -> list[Any]:
        return [
            self.arm,
            self.after,
            self.height,
            self.violated,
            [[name, list(shape)] for name, shape in self.layout],
            list(self.point),
        ]

    @classmethod
    def from_json(cls, data: Any) -> "Sighting":
        """`ValueError` or `TypeError` when the data are not those of a sighting."""
        arm, after, height, violated, layout, point = data
        named = tuple((str(name), tuple(int(size) for size in shape)) for name, shape in layout)
        made = cls(str(arm), int(after), float(height), bool(violated), named, tuple(float(number) for number in point))
        if len(made.point) != min(_size(named), MOST_NUMBERS) or any(size < 0 for _, shape in named for size in shape):
            raise ValueError("a sighting has the wrong number of coordinates")
        return made


def coordinate_names(layout: Layout) -> list[str]:
    """The name of each coordinate: inner[0,1], slope."""
    ends = np.cumsum([prod(shape) for _, shape in layout])
    names = []
    for k in _thinned(_size(layout)):
        leaf = int(np.searchsorted(ends, k, side="right"))
        name, shape = layout[leaf]
        index = np.unravel_index(k - (ends[leaf] - prod(shape)), shape) if shape else ()
        names.append(f"{name}[{','.join(map(str, index))}]" if shape else name)
    return names


def _size(layout: Layout) -> int:
    return sum(prod(shape) for _, shape in layout)


def evenly(seen: Sequence[Sighting], most: int) -> list[Sighting]:
    """At most so many, in order of time: a quarter are the nearest misses, the others a sample in which no time is
    preferred.
    """
    if len(seen) <= most:
        return sorted(seen, key=lambda one: one.after)
    by_height = sorted(seen, key=lambda one: (not one.violated, one.height, one._order))
    nearest, others = by_height[: most // 4], by_height[most // 4 :]
    return sorted(
        nearest + sorted(others, key=lambda one: one._order)[: most - len(nearest)], key=lambda one: one.after
    )


def _thinned(size: int) -> list[int]:
    return [int(k) for k in np.linspace(0, size - 1, min(size, MOST_NUMBERS))]


def _short(number: Fraction) -> float:
    """Six digits are enough for a picture; what no float holds is drawn at the edge."""
    try:
        return float(f"{float(number):.6g}")
    except OverflowError:
        return 1e300 if number > 0 else -1e300
