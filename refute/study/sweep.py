"""How large a constant must be that assumptions share: the claim at each of several values of one field of the case.

"For a sufficiently large constant C" is read off the smallest value from which on nothing is found against the
statement. All assumptions that speak of the field are tightened together, or one of them alone while the others stay as
loose as they are at the smallest value.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refute.decide.effort import Run
from refute.decide.verdict import Against, Outcome, Refuted, Supported, describe
from refute.language.assumption import Assumption, parameters
from refute.language.claim import Claim
from refute.run.check import check


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a statement earns at each value of a field, the values in increasing order; `alone` is the only assumption
    tightened.
    """

    claim: str
    field: str
    values: tuple[Any, ...]
    outcomes: tuple[Outcome, ...]
    alone: Assumption | None = None

    @property
    def enough(self) -> Any | None:
        """The smallest value from which on the statement is supported; None when it is not at the largest."""
        found = None
        for value, outcome in zip(reversed(self.values), reversed(self.outcomes), strict=True):
            if not isinstance(outcome, Supported):
                break
            found = value
        return found

    @property
    def refuted_at(self) -> Any | None:
        """The largest value with a violation."""
        pairs = zip(reversed(self.values), reversed(self.outcomes), strict=True)
        return next((value for value, outcome in pairs if isinstance(outcome, Refuted | Against)), None)

    def rows(self) -> list[dict[str, Any]]:
        common = {"id": self.claim, "field": self.field, "alone": self.alone and self.alone.text}
        return [
            {
                **common,
                "value": str(value),
                "verdict": outcome.word,
                "cases": outcome.evidence.cases,
                "detail": describe(outcome),
            }
            for value, outcome in zip(self.values, self.outcomes, strict=True)
        ]

    def __str__(self) -> str:
        what = f'"{self.alone.text}" alone: ' if self.alone else ""
        enough = (
            f"no violation from {self.field} = {self.enough} on"
            if self.enough is not None
            else "not supported at the largest value"
        )
        refuted = "" if self.refuted_at is None else f", violated at {self.field} = {self.refuted_at}"
        return f"{what}{enough}{refuted} (tried {', '.join(map(str, self.values))})"


def speaking(claim: Claim, field: str) -> list[Assumption]:
    """The assumptions of a claim that speak of the field; none where no cases are drawn."""
    return [one for one in claim.assumes if field in one.needs] if claim.given is not None else []


def sweep(claim: Claim, field: str, values: Sequence[Any], run: Run, alone: Assumption | None = None) -> Sweep:
    """Check the statement with the field set to each value before the assumptions are made to hold."""
    quick, ordered = replace(run, pinned=False, remember=False, shrink=False, certify=False), tuple(sorted(values))
    assumes = tuple(one if alone in (None, one) else _bound(one, field, ordered[0]) for one in claim.assumes)
    outcomes = tuple(check(_fixed(replace(claim, assumes=assumes), field, value), quick) for value in ordered)
    return Sweep(claim.id, field, ordered, outcomes, alone)


def _fixed(claim: Claim, field: str, value: Any) -> Claim:
    assert claim.given is not None
    return replace(claim, given=claim.given.map(lambda fields: {**fields, field: value}), proof=None)


def _bound(assumption: Assumption, field: str, value: Any) -> Assumption:
    """The assumption as it is at one value of the field, whatever the case says."""
    margin, satisfy = (_without(function, field, value) for function in (assumption.margin, assumption.satisfy))
    assert margin is not None
    return replace(assumption, margin=margin, satisfy=satisfy)


def _without(function: Callable[..., Any] | None, field: str, value: Any) -> Callable[..., Any] | None:
    if function is None or all(parameter.name != field for parameter in parameters(function)):
        return function

    return _Without(function, field, value)


@dataclass(frozen=True)
class _Without:
    """The function with one of its parameters given, so that nobody asks for it."""

    function: Callable[..., Any]
    field: str
    value: Any

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.Signature([each for each in parameters(self.function) if each.name != self.field])

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.function(*given, **named, **{self.field: self.value})
