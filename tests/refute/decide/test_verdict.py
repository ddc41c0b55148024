"""Verdicts are frozen values, not bools, and print for people and for JSON."""

import json
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest

from refute import Against, Broken, Case, Counterexample, Margin, Proved, Refuted, Supported, Undecided, Vacuous
from refute.decide.verdict import Evidence, as_number, describe, fallen, jsonable, margin_of
from refute.language.kind import RECORDABLE
from refute.language.relations import Decision

EVIDENCE = Evidence(10, 12, 9, 2, Margin(Fraction(1, 3), line="a <= b"))
FOUND = Counterexample(
    "notes.a",
    Case.of(x=Fraction(1, 2)),
    (("x is positive", Margin(Fraction(1, 2))),),
    Margin(Fraction(-1, 4), line="x^2 >= x"),
    "exact",
    "rationals",
)
OUTCOMES = [
    Proved("z3", EVIDENCE),
    Supported(EVIDENCE),
    Refuted(FOUND, EVIDENCE),
    Against(replace(FOUND, level="repeated"), EVIDENCE),
    Undecided("no witness", EVIDENCE),
    Vacuous("x is above ten", Margin(Fraction(-6), line="10 < x"), Evidence(0, 12)),
    Broken("f() raised ValueError", "mend it", Case.of(x=1)),
]
every_outcome = pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda o: o.word)


@every_outcome
def test_a_verdict_is_not_a_bool(outcome):
    """`if check(claim)` is an error that says what to write instead."""
    with pytest.raises(TypeError, match="use `match`"):
        bool(outcome)
    with pytest.raises(TypeError):
        assert not outcome


@every_outcome
def test_a_verdict_cannot_be_changed(outcome):
    """It is evidence."""
    with pytest.raises(FrozenInstanceError):
        outcome.evidence = Evidence()


def test_each_word_belongs_to_one_verdict():
    """The words are those that can be recorded, and broken."""
    assert [outcome.word for outcome in OUTCOMES] == [*RECORDABLE, "broken"]
    assert RECORDABLE == ("proved", "supported", "refuted", "against", "undecided", "vacuous")


@every_outcome
def test_a_verdict_goes_to_json(outcome):
    """The part of a row that belongs to it, which any JSON reader takes."""
    row = jsonable(outcome)
    assert {"verdict", "margin", "error", "cases", "tried", "detail"} <= set(row)
    assert row["verdict"] == outcome.word
    assert json.loads(json.dumps(row, allow_nan=False)) == row


def test_descriptions():
    """Each says what was found, in one paragraph."""
    proved, supported, refuted, against, undecided, vacuous, broken = map(describe, OUTCOMES)
    assert proved == "proved by z3"
    assert supported == "no counterexample in 10 cases (9 different, 12 drawn, 2 undecided); worst slack 1/3"
    assert refuted.splitlines() == [
        "counterexample  x = 1/2",
        "  assumed       x is positive   (slack 1/2)",
        "  violated      x^2 >= x   (slack -1/4, exact: rationals)",
    ]
    assert against == refuted.replace("exact", "repeated")
    assert undecided == "no witness"
    assert vacuous == '0 of 12 cases met "x is above ten" (closest: slack -6; 10 < x)'
    assert broken == "f() raised ValueError\n  on            x = 1\n\nhint: mend it"


@pytest.mark.parametrize("level", ["exact", "certified", "confirmed", "tested", "repeated"])
def test_what_a_refutation_may_rest_on(level):
    """Everything but one float method alone; and a trend is evidence at every level."""
    found = replace(FOUND, level=level)
    assert fallen(found).word == ("against" if level == "repeated" else "refuted")
    trend = replace(found, margin=replace(FOUND.margin, trend=Decision.AGAINST))
    assert fallen(trend).word == "against"
    assert "  against       x^2 >= x" in describe(fallen(trend))


def test_the_margin_of_a_row():
    """That of the counterexample, else the worst one seen, else none."""
    assert margin_of(OUTCOMES[2]) == FOUND.margin
    assert margin_of(OUTCOMES[1]) == EVIDENCE.worst
    assert margin_of(Proved("z3")) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(0), 0.0),
        (Fraction(-1, 4), -0.25),
        (Fraction(1, 10**400), "1/1" + "0" * 400),
        (Fraction(-(10**400)), "-1" + "0" * 400),
        (Fraction(1, 3), 1 / 3),
    ],
)
def test_numbers_that_no_float_is_near_are_written_out(value, expected):
    """A margin of 10^-400 does not become zero."""
    assert as_number(value) == expected


def test_a_number_of_many_digits_is_written_out():
    """Also above the 4300 digits at which Python stops."""
    assert len(str(as_number(Fraction(1, 10**6000)))) == 6003
