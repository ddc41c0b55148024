"""The domain of a claim: which values its fields may take. A strategy draws from it, but from a small part of it.

A strategy states its domain by an attribute `admits(value)`; one of cases by `domain(fields)`, which says of each field whether it is
admitted, or None where nothing is stated. What a search may change, what a shrinker may simplify and what a certificate may contain
is decided here: a number outside the domain would refute nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from refute.case import Case
from refute.claim import Claim

S = TypeVar("S")


def stated(strategy: S, admits: Callable[[Any], bool]) -> S:
    """The strategy, with its domain."""
    strategy.admits = admits  # type: ignore[attr-defined]
    return strategy


def admitted(claim: Claim, case: Mapping[str, Any]) -> dict[str, bool | None]:
    """For each field of the case: inside the domain, outside, or None where the strategy states none."""
    domain = getattr(claim.given, "domain", None)
    found: dict[str, bool | None] = dict.fromkeys(case)
    return found | (domain(case) if domain is not None else {})


def movable(claim: Claim, case: Case) -> frozenset[str]:
    """The fields whose numbers may be changed: their domain is stated and they lie in it."""
    return frozenset(name for name, inside in admitted(claim, case).items() if inside)


def inside(claim: Claim, case: Case) -> bool:
    """Whether no field leaves its stated domain."""
    return all(verdict is not False for verdict in admitted(claim, case).values())
