"""Make a counterexample smaller: fewer samples, neurons and dimensions, while every assumption holds and the conclusion is violated
by more than the error.

Hypothesis has made the numbers small; what it cannot do is remove an index from several arrays at once. Numbers are left alone here:
the strategy may be what keeps them in the domain of the claim. Sizes stop at the least ones that the strategy declares (`least`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from refute.case import Case, is_record
from refute.claim import Claim
from refute.errors import RefuteError
from refute.evaluate import Judgement, judge
from refute.profile import Run

MOST_CANDIDATES = 300


def shrink(claim: Claim, found: Judgement, run: Run) -> Judgement:
    """The smallest violation that single steps lead to."""
    best = found
    candidates = 0
    least: Mapping[str, int] = getattr(claim.given, "least", {})

    def consider(case: Case) -> bool:
        """The only door through which a smaller case enters: same claim, assumptions met, violated by more than the error."""
        nonlocal best, candidates
        candidates += 1
        try:
            judgement = judge(claim, case, run)
        except RefuteError:
            return False
        if judgement.margin is None or not judgement.margin.violated:
            return False
        best = judgement
        return True

    improved = True
    while improved and candidates < MOST_CANDIDATES:
        improved = any(consider(case) for case in smaller(best.case, least))
    return best


def smaller(case: Case, least: Mapping[str, int]) -> Iterator[Case]:
    """Cases with one index removed along one axis, in every array that has the axis, down to the least sizes."""
    for axis, extent in _extents(case).items():
        for index in reversed(range(extent)):
            if extent > least.get(axis, extent):
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
    """Every named axis of the records of a case, with its length (axes of different records with one name go together)."""
    found: dict[str, int] = {}
    for value in case.values():
        if is_record(value):
            for name, axes in _axes(value).items():
                found.update(zip(axes, getattr(value, name).shape, strict=True))
    return found


def _without(value: Any, axis: str, extent: int, index: int) -> Any:
    if is_record(value):
        axes = _axes(value)
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        for name, names in axes.items():
            if axis in names:
                parts[name] = np.delete(parts[name], index, axis=names.index(axis))
        return type(value)(**parts)
    if axis == "dimension" and isinstance(value, np.ndarray) and value.ndim and value.shape[-1] == extent:
        return np.delete(value, index, axis=-1)  # a point, or rows of points: the last axis is the input space
    return value
