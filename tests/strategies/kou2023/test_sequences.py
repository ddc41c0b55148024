"""Sequences: the repairs keep their promises, and the draws reach what the lemmas speak about."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from refute import Assumption, Claim
from refute.claims.kou2023 import lemma_5_3, lemma_h1, lemma_h2, lemma_h4, sequences
from refute.decide.evaluate import evaluate_assumption
from refute.language.case import Case
from refute.language.mutants import Mutant
from refute.language.relations import Decision
from refute.strategies.kou2023.sequences import MOST_STEPS, banded_sequence, sequence

FILES = (lemma_5_3, lemma_h1, lemma_h2, lemma_h4)
ASSUMPTIONS = [v for file in (sequences, lemma_h4) for v in vars(file).values() if isinstance(v, Assumption)]
CLAIMS = [value for file in FILES for value in vars(file).values() if isinstance(value, Claim)]
DROPPED = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants if mutant.without is not None]
few = settings(
    max_examples=40, derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
many = settings(max_examples=2000, database=None, deadline=None)


def decision(assumption: Assumption, case: Case) -> Decision:
    return evaluate_assumption(assumption, case).decision


@pytest.mark.parametrize("assumption", ASSUMPTIONS, ids=lambda a: a.id)
@given(data=st.data())
@few
def test_a_satisfying_repair_satisfies(assumption: Assumption, data: st.DataObject) -> None:
    """Every repaired draw meets the assumption, decided exactly."""
    assert decision(assumption, Case.of(**data.draw(assumption.satisfied_by()))) is Decision.HOLDS


@pytest.mark.parametrize(("claim", "mutant"), DROPPED, ids=lambda v: v.id if isinstance(v, Claim) else v.name)
@given(data=st.data())
@few
def test_a_violating_repair_breaks_one_assumption_only(claim: Claim, mutant: Mutant, data: st.DataObject) -> None:
    """The dropped assumption is violated and every other one still holds."""
    broken = claim.mutated(mutant)
    strategy = broken.strategy()
    assert strategy is not None
    assert mutant.without is not None
    case = Case.of(**data.draw(strategy))
    assert decision(mutant.without, case) is Decision.VIOLATED
    assert [decision(kept, case) for kept in broken.assumes] == [Decision.HOLDS] * len(broken.assumes)


def test_decreasing_nonnegative_sequences_are_drawn() -> None:
    """Lemma H.1 also speaks about sequences that go down: such a draw survives the repairs."""
    strategy = lemma_h1.slow_sequences_grow_at_most_logarithmically.strategy()
    assert strategy is not None
    assert find(strategy, lambda case: any(rate < 0 for rate in case["rates"]), settings=many, random=Random(0))


def test_negative_starts_and_full_lengths_are_drawn() -> None:
    """Lemma H.2 has no sign condition; sequences reach the largest number of steps."""
    assert find(
        sequence().strategy,
        lambda case: case["x0"] < 0 and len(case["rates"]) == MOST_STEPS,
        settings=many,
        random=Random(0),
    )


def test_draws_shrink_to_no_step() -> None:
    """The simplest sequence is one term, with constants 1."""
    assert Case.of(**find(sequence().strategy, lambda case: True)) == Case.of(x0=Fraction(0), C=Fraction(1), rates=[])
    assert find(banded_sequence().strategy, lambda case: True)["C2"] == 1
