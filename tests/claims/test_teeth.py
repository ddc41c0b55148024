"""Claims have teeth: each wrong version of a statement is refuted with the same budget."""

import pytest

from refute import Claim, Mutant, Run
from refute.study.ablate import kill
from tests.registered import label, mutants, registered_claims

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("claim", "mutant"), mutants(), ids=label)
def test_a_wrong_statement_is_refuted(claim: Claim, mutant: Mutant):
    """The predicate that supports the right statement kills this one on the quick profile."""
    assert kill(claim, mutant, Run()).killed


@pytest.mark.parametrize("claim", [c for c in registered_claims() if c.recorded in ("proved", "supported")], ids=label)
def test_a_claim_that_stands_has_mutants(claim: Claim):
    """What is recorded as proved or supported shows that it could have failed."""
    assert claim.mutants


def test_mutants_of_a_claim_have_different_names():
    """Each is found by its name."""
    for claim in registered_claims():
        names = [mutant.name for mutant in claim.mutants]
        assert len(names) == len(set(names)), claim.id
