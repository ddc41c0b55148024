"""Bring a changed case back to where every assumption holds, without drawing anything: the same change gives the same case."""

from typing import Any, NoReturn

from refute.case import Case
from refute.claim import Claim
from refute.domain import brought_back, inside
from refute.errors import RefuteError
from refute.evaluate import evaluate_assumption
from refute.margin import Decision


class _NeedsDraw(Exception):
    """A repair wanted to draw."""


def _refuse(strategy: object) -> NoReturn:
    raise _NeedsDraw


def mended(claim: Claim, case: Case) -> Case | None:
    """The case itself if it is in the domain and meets every assumption, else the case that the repairs make of it, else None.

    Repairs that draw would throw the climb to a random place; a case that needs one is given up.
    """
    try:
        case = brought_back(claim, case)
    except RefuteError:
        return None
    if not inside(claim, case):
        return None
    for assumption in claim.assumes:
        if evaluate_assumption(assumption, case).decision is Decision.HOLDS:
            continue
        if assumption.satisfy is None:
            return None
        fields: dict[str, Any] = dict(case)
        try:
            case = Case.of(**assumption.apply(assumption.satisfy, _refuse, fields))  # type: ignore[arg-type]
        except (_NeedsDraw, RefuteError, ArithmeticError, ValueError):
            return None
    return case if inside(claim, case) else None
