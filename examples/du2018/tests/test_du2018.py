"""The promises of the pack: its assumptions do what they say, its wrong statements are found out."""

import pytest

import refute.run.loading
from refute import Against, Refuted, broken_promises, check_mutant
from refute.language.registry import claims

refute.run.loading.load_paper("du2018")
CLAIMS = [claim for claim in claims() if claim.paper == "du2018"]
ASSUMPTIONS = {assumption.id: assumption for claim in CLAIMS for assumption in claim.assumes}
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]


@pytest.mark.parametrize("assumption", ASSUMPTIONS.values(), ids=lambda assumption: assumption.id)
def test_assumptions_keep_their_promises(assumption):
    """What `satisfy` makes holds, what `violate` makes does not, and nothing else is lost."""
    assert broken_promises(assumption, CLAIMS) == []


@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda value: getattr(value, "id", None) or value.name)
def test_wrong_statements_are_found_out(claim, mutant):
    """A predicate that cannot fail says nothing."""
    assert isinstance(check_mutant(claim, mutant), Refuted | Against)
