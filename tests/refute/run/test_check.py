"""From a claim to its verdict: each one is earned in one way only."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from refute import (
    Against,
    Broken,
    Case,
    Counterexample,
    Kind,
    Margin,
    Proved,
    Refuted,
    Run,
    Supported,
    Undecided,
    Vacuous,
    at_least,
    bounded_by,
    check,
    check_mutant,
    equal,
    identity,
    instead,
    less,
    moved,
    without,
)
from refute.decide.confirmation import answered
from refute.errors import BadInput
from refute.kernel.certificate import document, pinned_path
from refute.language.limits import HORIZONS, Logs
from refute.study.ablate import kill
from tests.planted import IMPOSSIBLE, POSITIVE, planted

HALF = Case.of(x=Fraction(1, 2))


def square_is_nonnegative(x):
    """x^2 >= 0."""
    return x * x


def square_is_larger(x, *, shift=Fraction(0)):
    """x^2 + shift >= x."""
    return at_least(x * x + shift, x)


def unclear(x):
    """The error swallows the margin."""
    return Margin(Fraction(0), Fraction(1))


def test_supported():
    """No counterexample in the budget: evidence, with its amount."""
    outcome = check(planted(square_is_nonnegative))
    assert isinstance(outcome, Supported)
    assert outcome.evidence.cases == 120
    assert outcome.evidence.worst is not None
    assert outcome.evidence.worst.value == 0


def test_refuted():
    """A case that meets the assumptions and violates the conclusion, with both margins."""
    outcome = check(planted(square_is_larger, assumes=(POSITIVE,)))
    assert isinstance(outcome, Refuted)
    found = outcome.counterexample
    assert found.case == HALF
    assert found.margin.value == Fraction(-1, 4)
    assert [(text, margin.value) for text, margin in found.assumptions] == [("x is positive", Fraction(1, 2))]
    assert (found.level, found.arithmetic, found.claim) == ("exact", "rationals", "planted.square_is_larger")


def test_vacuous():
    """The assumptions were never met: nothing was tested, although the conclusion is true."""
    assert isinstance(check(planted(square_is_nonnegative, assumes=(IMPOSSIBLE,))), Vacuous)


def test_undecided_when_the_error_swallows_the_margin():
    """The reason has the count."""
    outcome = check(planted(unclear))
    assert isinstance(outcome, Undecided)
    assert "120 of 120 cases" in outcome.reason


def test_a_few_undecided_cases_are_counted():
    """They do not hide the support of the others."""

    def seldom_unclear(x):
        return Margin(Fraction(0), Fraction(1)) if x == 3 else Margin(Fraction(1))

    outcome = check(planted(seldom_unclear))
    assert isinstance(outcome, Supported)
    assert 0 < outcome.evidence.undecided < 12


def test_broken():
    """A claim that cannot be run is no verdict."""
    outcome = check(planted(lambda x: None))
    assert isinstance(outcome, Broken)
    assert "returned nothing" in outcome.message


def test_proved_by_a_proof():
    """The method is kept, and what was tried besides."""
    outcome = check(planted(square_is_nonnegative, proof=lambda: "a square is nonnegative"))
    assert isinstance(outcome, Proved)
    assert outcome.method == "a square is nonnegative"
    assert outcome.evidence.cases == 120


def test_a_proof_that_fails_leaves_it_undecided():
    """Support is not enough for what is said to be proved."""
    outcome = check(planted(square_is_nonnegative, proof=lambda: None))
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "the proof did not go through"


def test_a_counterexample_beats_a_proof():
    """Whatever the proof says."""
    assert isinstance(check(planted(square_is_larger, proof=lambda: "trust me")), Refuted)


def test_a_proof_of_something_vacuous_proves_nothing():
    """Assumptions that are never met are reported first."""
    assert isinstance(check(planted(square_is_nonnegative, assumes=(IMPOSSIBLE,), proof=lambda: "trust me")), Vacuous)


def exists(conclusion, *witnesses):
    return planted(conclusion, kind=Kind.EXISTENCE, instances=tuple(Case.of(x=w) for w in witnesses))


def test_a_witness_proves_existence():
    """It is checked exactly and named."""
    outcome = check(exists(lambda x: less(x * x, x), Fraction(1, 2)))
    assert isinstance(outcome, Proved)
    assert outcome.method == "the witness x = 1/2"


def test_a_case_that_is_no_witness_refutes_nothing():
    """Another one may exist."""
    outcome = check(exists(lambda x: less(x * x, x), Fraction(2)))
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "no witness in 1 cases, which refutes nothing"


@pytest.mark.parametrize("witnesses", [(Fraction(2), Fraction(1, 2)), (Fraction(1, 2), Fraction(2))])
def test_one_witness_is_enough(witnesses):
    """Wherever it stands in the list."""
    outcome = check(exists(lambda x: less(x * x, x), *witnesses))
    assert isinstance(outcome, Proved)
    assert outcome.method == "the witness x = 1/2 (1 of 2 listed)"


def test_a_witness_is_searched_for():
    """Among the cases that meet the assumptions, and it is shrunk."""
    outcome = check(planted(lambda x: equal(x * x, Fraction(9, 4), "x^2"), kind=Kind.EXISTENCE, assumes=(POSITIVE,)))
    assert isinstance(outcome, Proved)
    assert outcome.method == "the witness x = 3/2"
    assert outcome.evidence.worst is not None
    assert outcome.evidence.worst.value == 0


def test_no_witness_among_many_cases_refutes_nothing():
    """It is undecided, and says how many there were."""
    outcome = check(planted(lambda x: equal(x * x, 2, "x^2"), kind=Kind.EXISTENCE))
    assert isinstance(outcome, Undecided)
    assert outcome.reason.startswith("no witness in 120 cases")
    assert outcome.evidence.worst is not None
    assert outcome.evidence.worst.value < 0


def test_a_proof_of_existence_needs_no_witness():
    """It is named."""
    claim = planted(lambda x: equal(x * x, 2, "x^2"), kind=Kind.EXISTENCE, proof=lambda: "the mean value theorem")
    outcome = check(claim)
    assert isinstance(outcome, Proved)
    assert outcome.method == "the mean value theorem"


def test_a_witness_that_cannot_be_decided_proves_nothing():
    """The error swallows its margin."""

    def near(x):
        return Margin(Fraction(0), Fraction(1))

    outcome = check(exists(near, Fraction(0)))
    assert isinstance(outcome, Undecided)
    assert outcome.reason == "no witness in 1 cases, 1 undecided, which refutes nothing"


def test_a_case_that_misses_an_assumption_is_no_witness():
    """Nothing was tried then."""
    wrong = replace(exists(square_is_nonnegative, Fraction(-1)), assumes=(POSITIVE,))
    assert isinstance(check(wrong), Vacuous)
    right = replace(exists(square_is_nonnegative, Fraction(-1), Fraction(1, 2)), assumes=(POSITIVE,))
    assert isinstance(check(right), Proved)


def test_mutants_of_an_existence_statement():
    """Killed when every case that was tried is certainly no witness."""

    def doubled(x, *, factor=2):
        """There is x with 2x = 2."""
        return equal(factor * x, 2, "2x")

    claim = planted(doubled, kind=Kind.EXISTENCE, instances=(Case.of(x=Fraction(1)),))
    assert isinstance(check(claim), Proved)
    assert kill(claim, moved("3", factor=3), Run()).killed
    assert not kill(claim, moved("2", factor=2), Run()).killed
    blurred = instead("blurred", lambda x: Margin(Fraction(0), Fraction(1)))
    assert not kill(claim, blurred, Run()).killed


@pytest.mark.usefixtures("fresh_registry")
def test_identities_go_to_sympy():
    """A symbolic claim is decided without drawing a case."""
    import sympy

    x = sympy.Symbol("x")
    right = identity("notes.right")(lambda: (x + 1) ** 2 - x**2 - 2 * x - 1)
    wrong = identity("notes.wrong")(lambda: (x + 1) ** 2 - x**2 - 1)
    assert isinstance(check(right), Proved)
    assert isinstance(check(wrong), Refuted)


def test_mutants_are_refuted_without_shrinking():
    """A moved constant and a dropped assumption are told from the right statement."""
    right = planted(square_is_larger, assumes=(POSITIVE,), constants={"shift": Fraction(1)})
    assert isinstance(check(right), Supported)
    assert isinstance(check_mutant(right, moved("no shift", shift=Fraction(0))), Refuted)
    root = planted(lambda x: at_least(x, 0), assumes=(POSITIVE,))
    assert isinstance(check(root), Supported)
    assert isinstance(check_mutant(root, without(POSITIVE)), Refuted)


def test_a_mutant_that_says_the_same_survives():
    """Teeth are measured, not assumed."""
    assert isinstance(check_mutant(planted(square_is_nonnegative), moved("nothing")), Supported)


@pytest.fixture
def counted(tmp_path: Path):
    """A claim that is recorded as refuted, the cases on which it was evaluated, and a way to pin one."""
    import json

    seen = []

    def larger(x):
        seen.append(x)
        return at_least(x * x, x)

    claim = planted(larger, place=f"{tmp_path / 'mine.py'}:1", recorded="refuted")

    def pin(case: Case) -> None:
        found = Counterexample(claim.id, case, (), Margin(Fraction(-1)), "exact", "rationals")
        pinned_path(claim).parent.mkdir(exist_ok=True)
        pinned_path(claim).write_text(json.dumps(document(claim, found)))

    return claim, seen, pin


def test_a_pinned_counterexample_is_replayed_first(counted):
    """One evaluation decides; the case is the pinned one, not the one that a search would find."""
    claim, seen, pin = counted
    pinned = Case.of(x=Fraction(2, 3))
    pin(pinned)
    outcome = check(claim)
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.case == pinned
    assert len(seen) == 1


def test_a_pinned_case_that_no_longer_violates_is_not_believed(counted):
    """The search speaks."""
    claim, seen, pin = counted
    pin(Case.of(x=Fraction(2)))
    outcome = check(claim)
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.case == HALF
    assert len(seen) > 1


def test_pinned_counterexamples_can_be_ignored(counted):
    """For a search from scratch."""
    claim, _, pin = counted
    pin(Case.of(x=Fraction(2, 3)))
    outcome = check(claim, Run(pinned=False))
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.case == HALF


def test_a_pinned_file_that_cannot_be_read_is_broken(counted):
    """It is reported, not passed over."""
    claim, _, pin = counted
    pin(HALF)
    pinned_path(claim).write_text("{}")
    outcome = check(claim)
    assert isinstance(outcome, Broken)
    assert "not a certificate" in outcome.message


def test_errors_of_ours_are_outcomes():
    """A predicate that refuses its case is broken, with the hint."""

    def refuses(x):
        raise BadInput("no", "try another")

    outcome = check(planted(refuses))
    assert isinstance(outcome, Broken)
    assert (outcome.message, outcome.hint) == ("no", "try another")
    assert outcome.case is not None


def test_one_float_method_alone_is_evidence_by_more_than_its_error():
    """Dynamics are judged in float64; without a second method the computation is repeated, which refutes nothing."""
    claim = planted(lambda x, tolerance: equal(x, 0.0, error=0.5), kind=Kind.DYNAMICS)
    outcome = check(claim)
    assert isinstance(outcome, Against)
    assert outcome.counterexample.level == "repeated"
    assert abs(outcome.counterexample.case["x"]) > Fraction(1, 2)


def test_two_float_methods_that_agree_refute():
    """The integrator says that it confirmed its numbers."""

    def conclusion(x):
        answered("confirmed")
        return equal(x, 0.0)

    outcome = check(planted(conclusion, kind=Kind.DYNAMICS))
    assert isinstance(outcome, Refuted)
    assert outcome.counterexample.level == "confirmed"


def test_a_trend_against_a_claim_is_evidence_whatever_computed_it():
    """A finite run never refutes a statement about a limit."""

    def conclusion(x):
        answered("confirmed")
        return bounded_by(Logs(float(x) * np.log(HORIZONS)), line="t^x")

    outcome = check(planted(conclusion, kind=Kind.ASYMPTOTIC))
    assert isinstance(outcome, Against)
    assert outcome.counterexample.case["x"] > 0
    assert "ratios 2, 2" in outcome.counterexample.margin.line
