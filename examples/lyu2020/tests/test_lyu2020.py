"""The promises of the pack: its assumptions do what they say, its wrong statements are refuted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lyu2020 import lemma_1
from lyu2020.assumptions import nonnegative_labels

from refute import Refuted, check_mutant
from refute.language.registry import claims

STANDING = [claim for claim in claims() if claim.paper == "lyu2020" and claim.recorded in ("proved", "supported")]


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_assumptions_keep_their_promises(data):
    """What `satisfy` makes holds, what `violate` makes does not."""
    for strategy, violated in ((nonnegative_labels.satisfied_by(), False), (nonnegative_labels.violated_by(), True)):
        case = data.draw(strategy)
        margin = nonnegative_labels.margin(**{name: case[name] for name in nonnegative_labels.needs})
        assert margin.violated is violated


@pytest.mark.parametrize("claim", STANDING, ids=lambda claim: claim.id)
def test_wrong_statements_are_refuted(claim):
    """A predicate that cannot fail says nothing."""
    assert claim.mutants
    for mutant in claim.mutants:
        assert isinstance(check_mutant(claim, mutant), Refuted), mutant.name


def test_the_lemma_is_there():
    """Statements are values, too."""
    assert lemma_1.every_neuron_keeps_its_balance.id == "lyu2020.lemma_1.balance"
