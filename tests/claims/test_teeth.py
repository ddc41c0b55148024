"""Claims have teeth: each wrong version of a statement is refuted with the same budget."""

import pytest

from refute import Against, Claim, Mutant, Refuted, Run, check_mutant
from tests.registered import label, mutants, registered_claims


@pytest.mark.parametrize(("claim", "mutant"), mutants(), ids=label)
def test_a_wrong_statement_is_refuted(claim: Claim, mutant: Mutant):
    """The predicate that supports the right statement speaks against this one on the quick profile: it is refuted, or,
    where no second method is asked or a limit falls by its trend, there is evidence against it.
    """
    assert isinstance(check_mutant(claim, mutant, Run()), Refuted | Against)


@pytest.mark.parametrize("claim", [c for c in registered_claims() if c.recorded in ("proved", "supported")], ids=label)
def test_a_claim_that_stands_has_mutants(claim: Claim):
    """What is recorded as proved or supported shows that it could have failed."""
    assert claim.mutants


def test_mutants_of_a_claim_have_different_names():
    """Each is found by its name."""
    for claim in registered_claims():
        names = [mutant.name for mutant in claim.mutants]
        assert len(names) == len(set(names)), claim.id
