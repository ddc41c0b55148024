"""Assumptions: they repair cases, in order, and say what they miss."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from refute import Assumption, less
from refute.decide.evaluate import evaluate_assumption
from refute.errors import BadClaim
from refute.language.assumption import repaired
from refute.language.case import Case
from refute.language.relations import Decision
from tests.planted import IMPOSSIBLE, POSITIVE, RATIONALS

PAIRS = st.fixed_dictionaries({"x": st.fractions(-4, 4), "y": st.fractions(-4, 4)})
above = Assumption(
    "above",
    "x is above y",
    lambda x, y: less(y, x, "y < x"),
    PAIRS,
    satisfy=lambda draw, x, y: {"x": max(x, y) + draw(st.sampled_from([1, 2]))},
    violate=lambda draw, x, y: {"x": min(x, y)},
)
small = Assumption(
    "small", "y is at most 1", lambda y: 1 - y, PAIRS, satisfy=lambda draw, y: {"y": min(y, Fraction(1))}
)


def decision(assumption: Assumption, fields: dict) -> Decision:
    return evaluate_assumption(assumption, Case.of(**fields)).decision


def test_an_assumption_is_its_text():
    """It prints as the words that a reader sees, and knows the fields it speaks about."""
    assert str(above) == "x is above y"
    assert above.needs == ("x", "y")
    assert small.needs == ("y",)


@given(above.satisfied_by())
def test_a_satisfied_draw_satisfies(fields):
    """The repair is applied to every draw."""
    assert decision(above, fields) is Decision.HOLDS


@given(above.violated_by())
def test_a_violated_draw_violates(fields):
    """The same for the repair that breaks it."""
    assert decision(above, fields) is Decision.VIOLATED


@given(repaired(PAIRS, satisfied=[small, above]))
def test_repairs_are_applied_in_order(fields):
    """The second one sees what the first one left, and both hold."""
    assert decision(small, fields) is decision(above, fields) is Decision.HOLDS


@given(repaired(PAIRS, satisfied=[small], violated=[above]))
def test_one_assumption_can_be_broken_alone(fields):
    """The others stay satisfied."""
    assert decision(small, fields) is Decision.HOLDS
    assert decision(above, fields) is Decision.VIOLATED


@given(repaired(st.just({"x": Fraction(0), "y": Fraction(0), "z": 7}), satisfied=[above]))
def test_other_fields_are_kept(fields):
    """A repair changes what it names."""
    assert fields["z"] == 7
    assert fields["y"] == 0


def test_another_base_can_be_given():
    """Cases of a claim are repaired like those that the assumption brings along."""
    base = st.just({"x": Fraction(0), "y": Fraction(5)})
    assert (
        find(above.satisfied_by(base), lambda fields: True, settings=settings(database=None), random=Random(0))["x"]
        >= 6
    )
    assert (
        find(above.violated_by(base), lambda fields: True, settings=settings(database=None), random=Random(0))["x"] == 0
    )


def test_without_a_repair_cases_stay_as_drawn():
    """An assumption that only filters draws from its base."""
    drawn = find(
        POSITIVE.satisfied_by(), lambda fields: fields["x"] < 0, settings=settings(database=None), random=Random(0)
    )
    assert decision(POSITIVE, drawn) is Decision.VIOLATED
    assert IMPOSSIBLE.satisfy is None


def test_a_repair_that_needs_a_missing_field_says_so():
    """The error names the assumption, the missing field and those that there are."""
    with pytest.raises(
        BadClaim, match=r'"x is above y" speaks about \[\'y\'\], which the case does not have: it has \[\'x\'\]'
    ):
        find(above.satisfied_by(RATIONALS), lambda fields: True, settings=settings(database=None), random=Random(0))


def test_an_assumption_about_a_missing_field_says_so():
    """The same when it is evaluated."""
    with pytest.raises(BadClaim, match="needs 'y', but the case has"):
        evaluate_assumption(above, Case.of(x=1))


def test_assumptions_are_compared_by_identity():
    """Two assumptions with the same words are two: a mutant drops exactly the one that it names."""
    twin = Assumption("above", "x is above y", above.margin, PAIRS)
    assert twin != above
    assert above == above
    assert len({above, twin}) == 2
