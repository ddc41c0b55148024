"""Make a counterexample smaller: fewer samples, neurons and dimensions, then simpler numbers, while every assumption
holds and the conclusion is violated by more than the error.

A record names the axes of its arrays in `AXES`, or says by `extents()` and `without(axis, index)` how it is made
smaller. Sizes stop at the least ones that the strategy declares (`least`); numbers are simplified only in fields whose
domain is stated, and stay in it. Hypothesis shrinks what it drew; what a climb found is shrunk here alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from refute.decide.effort import Run
from refute.decide.evaluate import Judged, judge, speaks_against
from refute.errors import RefuteError
from refute.language.case import Case, is_record
from refute.language.cases import inside, movable
from refute.language.claim import Claim
from refute.search.coordinates import groups, numbers, with_numbers
from refute.search.repair import mended

MOST_SMALLER, MOST_SIMPLER = (
    300,
    400,
)  # candidates of smaller size, and with simpler numbers, where one costs milliseconds
MOST_SMALLER_TRAINED = MOST_SIMPLER_TRAINED = 60  # and where each one trains a network


def shrink(claim: Claim, found: Judged, run: Run) -> Judged:
    """The smallest violation that single steps lead to."""
    smallest = _Shrinking(claim, run, found)
    least = claim.given.least if claim.given is not None else {}
    most_smaller, most_simpler = (
        (MOST_SMALLER, MOST_SIMPLER) if claim.kind.exact else (MOST_SMALLER_TRAINED, MOST_SIMPLER_TRAINED)
    )
    while smallest.any(smaller(smallest.best.case, least), most_smaller):
        pass
    smallest.candidates = 0
    while smallest.any(simpler(claim, smallest.best.case), most_simpler):
        pass
    return smallest.best


class _Shrinking:
    """The best case so far; `any` is the only door through which another one enters."""

    def __init__(self, claim: Claim, run: Run, found: Judged) -> None:
        self.claim, self.run, self.best, self.candidates = claim, run, found, 0
        self.rejected: set[str] = set()

    def any(self, cases: Iterator[Case], budget: int) -> bool:
        """Whether one of the cases took the place of the best."""
        for case in cases:
            if self.candidates >= budget:
                return False
            if case.digest() in self.rejected:
                continue
            self.candidates += 1
            if self._accepted(case):
                return True
            self.rejected.add(case.digest())
        return False

    def _accepted(self, case: Case) -> bool:
        """Same claim, in its domain, every assumption met, violated by more than the error (or as
        much evidence against).
        """
        try:
            judgement = judge(self.claim, case, self.run)
        except RefuteError:
            return False
        if not speaks_against(judgement) or not inside(self.claim, case):
            return False
        if self.best.margin.violated and not judgement.margin.violated:
            return False
        self.best = judgement
        return True


def complexity(values: list[Fraction]) -> int:
    """How much there is to write: bits above and (twice) below the line, and the signs."""
    return sum(v.numerator.bit_length() + 2 * (v.denominator.bit_length() - 1) + (v < 0) for v in values)


def simpler(claim: Claim, case: Case) -> Iterator[Case]:
    """Cases with simpler numbers in the fields that may be changed: all at once, group by group, one by one."""
    names = movable(claim, case)
    values = numbers(case, names)
    together = groups(case, names)
    pairs = [one + other for one, other in combinations(together, 2) if not {*one} & {*other}]
    tried = [(places, _CHANGES) for places in ([*range(len(values))], *together, *([k] for k in range(len(values))))]
    for places, changes in [*tried, *((places, [abs]) for places in pairs)]:
        for change in changes:
            changed = list(values)
            for place in places:
                changed[place] = change(values[place])
            if complexity(changed) >= complexity(values):
                continue
            try:
                made = mended(claim, with_numbers(case, names, changed))
            except RefuteError:
                continue
            if made is not None and complexity(numbers(made, movable(claim, made))) < complexity(values):
                yield made


def _rounding(largest_denominator: int) -> Any:
    return lambda value: value.limit_denominator(largest_denominator)


_CHANGES = [
    lambda value: value * 0,
    lambda value: Fraction((value > 0) - (value < 0)),
    lambda value: abs(value),
    *(_rounding(limit) for limit in (1, 2, 3, 5, 10, 32, 100, 1000)),
    lambda value: Fraction(int(value / 2)),
    lambda value: value - ((value > 1) - (value < -1)),
]


def smaller(case: Case, least: Mapping[str, int]) -> Iterator[Case]:
    """Cases with one index removed along one axis, in every array that has the axis, down to the least sizes."""
    for axis, extent in _extents(case).items():
        for index in reversed(range(extent)):
            if extent > least.get(axis.split()[0], extent):  # "width 2" of a deep network is a width
                values = {name: _without(value, axis, extent, index) for name, value in case.items()}
                try:
                    yield Case.of(**values)
                except RefuteError:
                    continue


def _axes(value: Any) -> dict[str, tuple[str, ...]]:
    """The axes of each array of a record, as its class names them in `AXES`."""
    named: dict[str, tuple[str, ...]] = getattr(type(value), "AXES", {})
    return named


def _extents(case: Case) -> dict[str, int]:
    """Every named axis of the records of a case, with its length (axes of different records with
    one name go together).
    """
    found: dict[str, int] = {}
    for value in case.values():
        if is_record(value):
            found.update(value.extents() if hasattr(value, "extents") else {})
            for name, axes in _axes(value).items():
                found.update(zip(axes, getattr(value, name).shape, strict=True))
    return found


def _without(value: Any, axis: str, extent: int, index: int) -> Any:
    if is_record(value):
        if hasattr(value, "extents"):
            return value.without(axis, index) if axis in value.extents() else value
        axes = _axes(value)
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        for name, names in axes.items():
            if axis in names:
                parts[name] = np.delete(parts[name], index, axis=names.index(axis))
        return type(value)(**parts)
    if axis == "dimension" and isinstance(value, np.ndarray) and value.ndim and value.shape[-1] == extent:
        return np.delete(value, index, axis=-1)  # a point, or rows of points: the last axis is the input space
    return value
