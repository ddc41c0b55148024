"""Cases to which a statement does not apply are no evidence for it."""

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from refute import (
    Case,
    Margin,
    Run,
    Supported,
    Vacuous,
    all_of,
    at_least,
    check,
    less,
    nothing,
    objections,
    stated,
    suppose,
)
from refute.decide.evaluate import Idle, judge
from refute.kernel.certificate import digest, document
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.search.probe import probe
from refute.strategies import sized
from refute.strategies.numbers import is_number

NUMBERS = sized(x=stated(st.integers(-20, 20).map(Fraction), is_number))


def _claim(conclusion, **more):
    return Claim("test.premise", conclusion, Kind.ALGEBRAIC, given=NUMBERS, **more)


def large_numbers_have_large_squares(x, *, bound=Fraction(100)):
    """If x >= 10 then x^2 >= 100."""
    suppose(x >= 10, "x >= 10")
    return at_least(x * x, bound, "x^2")


def test_only_cases_whose_premise_holds_are_counted():
    """Cases with x < 10 are tried and say nothing."""
    outcome = check(_claim(large_numbers_have_large_squares))
    assert isinstance(outcome, Supported)
    assert 0 < outcome.evidence.cases < outcome.evidence.tried


def test_a_premise_that_never_holds_is_named():
    """Nothing was tested: the verdict is Vacuous and says which premise was never met."""

    def never(x):
        suppose(x > 100, "x > 100")
        return at_least(x, 0)

    outcome = check(_claim(never))
    assert isinstance(outcome, Vacuous)
    assert outcome.reason.startswith("0 of ")
    assert '"x > 100"' in outcome.reason


def test_a_certificate_needs_the_premise():
    """A case outside the premise cannot refute the statement, whatever its conclusion says."""
    false = _claim(large_numbers_have_large_squares, constants={"bound": Fraction(101)})
    found = judge(false, Case.of(x=10), Run()).counterexample(false)
    stored = document(false, found)
    assert objections(stored, false) == []
    body = {**stored, "case": Case.of(x=3).to_json()}
    del body["digest"]
    elsewhere = {**body, "digest": digest(body)}
    assert objections(elsewhere, false) == ['the premise "x >= 10" does not hold in this case']


def test_the_hunt_passes_over_such_cases():
    """A probe of a case outside the premise gives no slack to climb."""
    assert probe(_claim(large_numbers_have_large_squares), Case.of(x=3), Run()) is None
    assert probe(_claim(large_numbers_have_large_squares), Case.of(x=11), Run()) is not None


@pytest.mark.parametrize(
    "empty", [nothing("no neuron"), less([], 0, "no neuron"), all_of()], ids=["said", "no entries", "no parts"]
)
def test_an_empty_comparison_is_no_evidence(empty: Margin):
    """Where nothing is compared the case says nothing; among other parts an empty one never speaks."""
    assert empty.empty
    assert isinstance(judge(_claim(lambda x: empty), Case.of(x=1), Run()), Idle)
    spoken = all_of(empty, at_least(5, 0, "five"))
    assert not spoken.empty
    assert spoken.value == 5


def test_a_constant_may_not_have_the_name_of_a_field():
    """Otherwise the mutants that move it would silently move nothing."""

    def clash(*, x=Fraction(1)):
        return at_least(x, 0)

    outcome = check(_claim(clash))
    assert outcome.word == "broken"
    assert "constant 'x'" in outcome.message
