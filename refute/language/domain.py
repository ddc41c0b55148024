"""The domain of a claim: which values its fields may take. A strategy draws from it, but from a small part of it.

A strategy states its domain by an attribute `admits(value)`; one of cases by `domain(fields)`, which says of each field
whether it is admitted, or None where nothing is stated. `nearest` takes a value that a step moved out of the domain
back to it (labels to +1 and -1, say), so that a search can walk along a thin domain. What a search may change, what a
shrinker may simplify and what a certificate may contain is decided here: a number outside the domain would refute
nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from refute.language.case import Case
from refute.language.claim import Claim

S = TypeVar("S")


def stated(strategy: S, admits: Callable[[Any], bool], nearest: Callable[[Any], Any] | None = None) -> S:
    """The strategy, with its domain and the way back to it."""
    strategy.admits = admits  # type: ignore[attr-defined]
    strategy.nearest = nearest  # type: ignore[attr-defined]
    return strategy


def over(base: Any, strategy: S) -> S:
    """The strategy, with the sizes and the domain of the one it draws from."""
    for name in ("least", "domain", "nearest"):
        if hasattr(base, name):
            setattr(strategy, name, getattr(base, name))
    return strategy


def admitted(claim: Claim, case: Mapping[str, Any]) -> dict[str, bool | None]:
    """For each field of the case: inside the domain, outside, or None where the strategy states none."""
    domain = getattr(claim.given, "domain", None)
    found: dict[str, bool | None] = dict.fromkeys(case)
    return found | (domain(case) if domain is not None else {})


def brought_back(claim: Claim, case: Case) -> Case:
    """The case with every field that left its domain taken back to it, where the domain knows how."""
    nearest = getattr(claim.given, "nearest", None)
    return case if nearest is None or inside(claim, case) else Case.of(**nearest(dict(case)))


def movable(claim: Claim, case: Case) -> frozenset[str]:
    """The fields whose numbers may be changed: their domain is stated and they lie in it."""
    return frozenset(name for name, inside in admitted(claim, case).items() if inside)


def inside(claim: Claim, case: Case) -> bool:
    """Whether no field leaves its stated domain."""
    return all(verdict is not False for verdict in admitted(claim, case).values())
