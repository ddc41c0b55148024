"""Bring a changed case back to where every assumption holds, with nothing left to chance: the same change gives the
same case.
"""

from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, find, settings
from hypothesis.errors import NoSuchExample, Unsatisfiable, UnsatisfiedAssumption
from hypothesis.strategies import SearchStrategy

from refute.decide.evaluate import evaluate_assumption
from refute.errors import RefuteError
from refute.language.case import Case
from refute.language.cases import brought_back, inside
from refute.language.claim import Claim
from refute.language.relations import Decision

_ONE = settings(
    max_examples=1,
    database=None,
    deadline=None,
    verbosity=Verbosity.quiet,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def simplest(strategy: SearchStrategy[Any]) -> Any:
    """What Hypothesis tries first, and shrinks to: the first of several values, the smallest number."""
    return find(strategy, lambda value: True, settings=_ONE, random=Random(0))


def mended(claim: Claim, case: Case) -> Case | None:
    """The case itself if it is in the domain and meets every assumption, else the case that the repairs make of it,
    else None.

    A repair that may choose takes the simplest choice: a random one would throw the climb to another place.
    """
    try:
        return _mended(claim, brought_back(claim, case))
    except (RefuteError, ArithmeticError, ValueError, NoSuchExample, Unsatisfiable, UnsatisfiedAssumption):
        return None


def _mended(claim: Claim, case: Case) -> Case | None:
    if not inside(claim, case):
        return None
    for assumption in claim.assumes:
        if evaluate_assumption(assumption, case).decision is Decision.HOLDS:
            continue
        if assumption.satisfy is None:
            return None
        fields: dict[str, Any] = dict(case)
        case = Case.of(**assumption.apply(assumption.satisfy, simplest, fields))  # type: ignore[arg-type]
    return case if inside(claim, case) else None
