"""Claims have teeth: each wrong version of a statement is refuted with the same budget."""

import pytest

from refute import Claim, Mutant, Run
from refute.study.ablate import kill
from tests.registered import label, mutants, registered_claims

pytestmark = pytest.mark.slow


# Wrong versions of one section share their cases and what is computed on them: one worker takes them all.
WRONG = [pytest.param(*each, marks=pytest.mark.xdist_group(each[0].stream)) for each in mutants()]


@pytest.mark.parametrize(("claim", "mutant"), WRONG, ids=label)
def test_a_wrong_statement_is_refuted(claim: Claim, mutant: Mutant):
    """The predicate that supports the right statement kills this one on the quick profile."""
    assert kill(claim, mutant, Run()).killed


def test_a_claim_that_stands_has_mutants():
    """What is recorded as proved or supported shows that it could have failed."""
    standing = [claim for claim in registered_claims() if claim.recorded in ("proved", "supported")]
    assert [claim.id for claim in standing if not claim.mutants] == []


def test_mutants_of_a_claim_have_different_names():
    """Each is found by its name."""
    for claim in registered_claims():
        names = [mutant.name for mutant in claim.mutants]
        assert len(names) == len(set(names)), claim.id
