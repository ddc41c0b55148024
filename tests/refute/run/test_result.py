import json
from fractions import Fraction

import pytest

from refute import Broken, Case, Counterexample, Fault, Kind, Margin, Proved, Refuted, Supported, Undecided, Vacuous
from refute.decide.verdict import Evidence, Outcome
from refute.language.claim import Claim
from refute.run.loading import load_file
from refute.run.result import ROW, Result, count, list_row
from refute.run.results.record import SORTS
from refute.strategies import number, sized
from tests.planted import planted
from tests.refute.conftest import FALSE, WriteClaims

FOUND = Counterexample(
    "a.b", Case.of(x=Fraction(1, 2)), (), Margin(Fraction(-1, 4), line="x^2 >= x"), "exact", "rationals"
)
OUTCOMES: dict[str, Outcome] = {
    "proved": Proved("z3"),
    "supported": Supported(Evidence(10, 10, 9)),
    "refuted": Refuted(FOUND),
    "undecided": Undecided("no witness"),
    "vacuous": Vacuous("x is positive", None, Evidence(0, 10)),
    "broken": Broken("f() raised ValueError", "mend it"),
}


def conclusion(x):
    return x


def result(word: str, recorded: str | None, certificate: str | None = None) -> Result:
    given = sized(x=number())
    claim = Claim("a.b", conclusion, Kind.ALGEBRAIC, "Theorem 1", given=given, recorded=recorded, place=f"{__file__}:1")
    return Result.of(claim, OUTCOMES[word], 0.5, certificate)


@pytest.mark.parametrize("word", OUTCOMES)
@pytest.mark.parametrize("recorded", ["proved", "supported", "refuted", "undecided", "vacuous"])
def test_a_recorded_verdict_is_earned_by_itself_only(word: str, recorded: str):
    """Neither better nor worse will do."""
    assert result(word, recorded).earned is (word == recorded)


@pytest.mark.parametrize("word", OUTCOMES)
def test_a_conjecture_must_survive(word: str):
    """Without a record, only Proved and Supported are green."""
    assert result(word, None).earned is (word in ("proved", "supported"))


@pytest.mark.parametrize("word", OUTCOMES)
def test_every_outcome_has_a_row(word: str):
    """Rows are JSON and carry the fields that scripts rely on."""
    row = json.loads(json.dumps(result(word, None).row(), allow_nan=False))
    assert {"id", "verdict", "recorded", "margin", "error", "cases", "seconds", "certificate"} <= set(row)
    assert row["verdict"] == word


def test_the_paragraph_tells_the_whole_story():
    """Verdict, record, id, reference, counterexample, violated line, replay command."""
    text = str(result("refuted", "supported", "some place/c.json"))
    for part in (
        "refuted (recorded supported): a.b   Theorem 1",
        "x = 1/2",
        "x^2 >= x",
        "slack -1/4",
        "exact: rationals",
    ):
        assert part in text
    assert text.endswith("test_result.py 'some place/c.json'")
    assert "broken (a conjecture): a.b" in str(result("broken", None))
    assert "hint: mend it" in str(result("broken", None))


def test_verdicts_are_counted_in_a_fixed_order():
    """Whatever comes first."""
    assert count(["broken", "refuted", "proved", "refuted"]) == "1 proved, 2 refuted, 1 broken"
    assert count([]) == "none"


def test_a_claim_is_listed_with_what_is_known_about_it(claim_file: WriteClaims):
    """Statement, place and mutants included."""
    [claim] = load_file(
        claim_file(
            FALSE.replace("assumes", "mutants=[Mutant('half')], assumes").replace(
                "@claim", "from refute import Mutant\n@claim"
            )
        )
    )
    row = list_row(claim)
    assert row["place"].startswith("mine.py:")
    assert row | {"place": ""} == {
        "id": "notes.false",
        "paper": "notes",
        "reference": "Conjecture 2",
        "kind": "algebraic",
        "recorded": None,
        "assumptions": ["x is positive"],
        "assumption_ids": ["positive"],
        "printed": True,
        "fault": None,
        "root": None,
        "statement": "x^2 >= x for positive x",
        "place": "",
        "mutants": ["half"],
    }


def test_a_refuted_claim_is_listed_with_its_fault_and_root():
    """Scripts count printed sentences and roots."""
    claim = planted(lambda x: x, recorded="refuted", fault=Fault.CONSTANT, root="notes.first", printed=False)
    row = list_row(claim)
    assert (row["fault"], row["root"], row["printed"]) == ("a constant", "notes.first", False)
    assert row["assumption_ids"] == []


def test_what_is_stored_is_read_by_the_same_fields():
    """A record of a check is well formed by the very types of its row."""
    assert set(ROW) - set(SORTS["check"]) == {"paper", "reference", "kind"}
    assert SORTS["check"]["margins"] == (list,)
    assert set(SORTS["check"]["margin"]) == {int, float, str, type(None)}
    assert SORTS["check"]["earned"] == (bool,)
