"""What the repairs of an assumption promise, tried on drawn cases.

`satisfy` makes cases in which the condition holds, of more than one sample or neuron; `violate` makes cases in which it
does not, and in some of them all else that a claim assumes still holds. A repair that breaks its promise makes a
theorem look tested, or an assumption superfluous.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from refute.decide.evaluate import evaluate_assumption
from refute.errors import RefuteError
from refute.language.assumption import Assumption, repaired
from refute.language.case import Case, is_record
from refute.language.cases import Fields, extents
from refute.language.claim import Claim
from refute.language.relations import Decision

DRAWN = 40


@dataclass(frozen=True, slots=True)
class Breach:
    """A promise that an assumption does not keep, with a case that shows it where there is one."""

    assumption: str
    promise: str
    case: Case | None = None

    def __str__(self) -> str:
        said = f'"{self.assumption}": {self.promise}'
        return said if self.case is None else f"{said}\n  on            {self.case}"


def broken_promises(assumption: Assumption, claims: Iterable[Claim] = ()) -> list[Breach]:
    """What `assumption` does not keep, by itself and in the claims that assume it; empty when all is well."""
    try:
        found = [*_satisfies(assumption), *_violates(assumption)]
        return found or [*_alone(assumption, [claim for claim in claims if assumption in claim.assumes])]
    except RefuteError as error:
        return [Breach(assumption.text, f"a repair cannot be tried: {error.message}")]


def all_breaches(claims: Sequence[Claim]) -> list[Breach]:
    """The same for every assumption of the claims."""
    assumptions = {assumption.id: assumption for claim in claims for assumption in claim.assumes}
    return [breach for assumption in assumptions.values() for breach in broken_promises(assumption, claims)]


def _decided(assumption: Assumption, fields: Fields) -> Decision:
    return evaluate_assumption(assumption, Case.of(**fields)).decision


def _satisfies(assumption: Assumption) -> Iterator[Breach]:
    if assumption.satisfy is None:
        return
    cases = _drawn(assumption.satisfied_by())
    for fields in cases:
        if _decided(assumption, fields) is not Decision.HOLDS:
            yield Breach(assumption.text, "`satisfy` makes a case in which it does not hold", Case.of(**fields))
            return
    reached, possible = _reach(cases), _reach(_drawn(repaired(assumption.base)))
    for axis, most in possible.items():
        if most >= 2 and reached.get(axis, 0) < 2:
            yield Breach(assumption.text, f"`satisfy` never leaves more than one of {axis}, of up to {most}")


def _violates(assumption: Assumption) -> Iterator[Breach]:
    if assumption.violate is None:
        return
    cases = _drawn(assumption.violated_by())
    for fields in cases:
        if _decided(assumption, fields) is not Decision.VIOLATED:
            yield Breach(assumption.text, "`violate` makes a case in which it still holds", Case.of(**fields))
            return
    before = _zeros(_drawn(repaired(assumption.base)))
    for name in sorted(_zeros(cases) - before):
        shown = Case.of(**cases[0])
        yield Breach(assumption.text, f"`violate` makes {name} zero in every case, which shows little", shown)


def _alone(assumption: Assumption, claims: Sequence[Claim]) -> Iterator[Breach]:
    """A claim for which no drawn case violates this assumption and meets the others."""
    if assumption.violate is None:
        return
    for claim in claims:
        others = [one for one in claim.assumes if one is not assumption]
        if claim.given is None or not others:
            continue
        cases = _drawn(repaired(claim.given, satisfied=others, violated=[assumption]))
        if not any(all(_decided(one, fields) is Decision.HOLDS for one in others) for fields in cases):
            yield Breach(assumption.text, f"`violate` breaks another assumption of {claim.id} in every case")


def _drawn(strategy: SearchStrategy[Fields]) -> list[Fields]:
    """A few cases, the same each time."""
    found: list[Fields] = []

    def keep(fields: Fields) -> None:
        found.append(fields)

    options = settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    with suppress(Unsatisfiable):
        options(seed(0)(given(strategy)(keep)))()
    return found


def _reach(cases: Sequence[Fields]) -> Mapping[str, int]:
    """The largest size along each axis that a record names."""
    reached: dict[str, int] = {}
    for fields in cases:
        for name, value in fields.items():
            for axis, extent in extents(value).items() if is_record(value) else ():
                key = f"{axis} of {name}"
                reached[key] = max(reached.get(key, 0), extent)
    return reached


def _zeros(cases: Sequence[Fields]) -> set[str]:
    """The arrays that are zero in every case."""
    if not cases:
        return set()
    return set.intersection(*({name for name, array in _arrays(fields) if not array.any()} for fields in cases))


def _arrays(fields: Fields) -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        parts = (
            {f"{name}.{each.name}": getattr(value, each.name) for each in fields_of(value)} if is_record(value) else {}
        )
        yield from ((key, part) for key, part in {name: value, **parts}.items() if isinstance(part, np.ndarray))
