"""Assumptions keep their promises: what satisfies them, what violates them, and how far the draws reach."""

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from refute import Assumption, Case, Claim, Mutant
from refute.decide.evaluate import evaluate_assumption
from refute.language.relations import Decision
from refute.models import Dataset, TwoLayer
from tests.registered import assumptions, drawing, dropped, label, mutants, registered_claims

pytestmark = pytest.mark.slow

# Assumptions that cannot be violated by a repair, with the reason.
NEVER_VIOLATED: dict[str, str] = {}
# Assumptions without a repair that satisfies them, with the reason: their base satisfies them already.
NEVER_REPAIRED = {
    "slopes.positive": "every strategy of the slopes a and b draws positive numbers",
    "number.positive_factor": "positive() draws positive numbers",
}

few = settings(max_examples=60)
many = settings(max_examples=500, database=None, phases=[Phase.generate])
every_assumption = pytest.mark.parametrize("assumption", assumptions(), ids=label)


def decision(assumption: Assumption, fields: Mapping[str, Any]) -> Decision:
    return evaluate_assumption(assumption, Case.of(**fields)).decision


@every_assumption
@given(data=st.data())
@few
def test_a_satisfying_draw_satisfies(assumption: Assumption, data: st.DataObject):
    """Every one, decided exactly."""
    assert decision(assumption, data.draw(assumption.satisfied_by())) is Decision.HOLDS


@pytest.mark.parametrize("assumption", [a for a in assumptions() if a.id not in NEVER_VIOLATED], ids=label)
@given(data=st.data())
@few
def test_a_violating_draw_violates(assumption: Assumption, data: st.DataObject):
    """Every one, decided exactly."""
    assert decision(assumption, data.draw(assumption.violated_by())) is Decision.VIOLATED


def sizes(fields: Mapping[str, Any]) -> list[int]:
    """Samples, dimensions, widths and lengths: everything of which there can be more than one."""
    found: list[int] = []
    for value in fields.values():
        if isinstance(value, Dataset):
            found += value.inputs.shape
        elif isinstance(value, TwoLayer):
            found += value.inner.shape
        elif isinstance(value, np.ndarray):
            found += value.shape
    return found


def is_nontrivial(fields: Mapping[str, Any]) -> bool:
    """At least two samples, dimensions, neurons and steps where there are any, and some number that is not a unit."""
    numbers = [value for value in fields.values() if not isinstance(value, str | np.ndarray | Dataset | TwoLayer)]
    return all(size >= 2 for size in sizes(fields)) and (
        bool(sizes(fields)) or any(abs(n) not in (0, 1) for n in numbers) or len(numbers) == 1
    )


@every_assumption
def test_satisfying_draws_reach_beyond_the_smallest(assumption: Assumption):
    """Some draw has at least two of everything."""
    assert is_nontrivial(find(assumption.satisfied_by(), is_nontrivial, settings=many, random=Random(0)))


@pytest.mark.parametrize("claim", drawing(), ids=label)
def test_cases_of_a_claim_meet_its_assumptions(claim: Claim):
    """Assumptions applied one after the other do not undo each other: some draw of more than the smallest size meets
    all.
    """
    strategy = claim.strategy()
    assert strategy is not None

    def admissible(fields: dict[str, Any]) -> bool:
        large = max(sizes(fields), default=2) >= 2
        return large and all(decision(assumption, fields) is Decision.HOLDS for assumption in claim.assumes)

    assert admissible(find(strategy, admissible, settings=many, random=Random(0)))


@pytest.mark.parametrize(("claim", "mutant"), dropped(), ids=label)
def test_an_assumption_is_dropped_alone(claim: Claim, mutant: Mutant):
    """Some draw of the mutant violates the dropped assumption and meets all the others."""
    broken = claim.mutated(mutant)
    strategy = broken.strategy()
    assert strategy is not None
    assert mutant.without is not None

    def clean(fields: dict[str, Any]) -> bool:
        assert mutant.without is not None
        violated = decision(mutant.without, fields) is Decision.VIOLATED
        return violated and all(decision(kept, fields) is Decision.HOLDS for kept in broken.assumes)

    try:
        find(strategy, clean, settings=many, random=Random(0))
    except NoSuchExample:
        pytest.fail(f"{broken.id}: no draw violates it alone")


def test_exceptions_are_not_more_than_needed():
    """A listed exception is one: the assumption exists and lacks the repair; no other lacks one."""
    assert {a.id for a in assumptions() if a.violate is None} == set(NEVER_VIOLATED)
    assert {a.id for a in assumptions() if a.satisfy is None} == set(NEVER_REPAIRED)


def test_an_assumption_has_one_id():
    """Two assumptions never share an id, and none is written twice."""
    by_id: dict[str, Assumption] = {}
    for claim in registered_claims():
        for assumption in claim.assumes:
            assert by_id.setdefault(assumption.id, assumption) is assumption


def test_a_dropped_assumption_is_assumed():
    """A mutant drops what the claim assumes: dropping anything else would change nothing."""
    for claim, mutant in mutants():
        assert mutant.without is None or mutant.without in claim.assumes, claim.id
