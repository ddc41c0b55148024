"""A hunt finds what drawing does not, depends on the seed alone, and survives interruption."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from refute import Refuted, Run, check
from refute.errors import BadInput
from refute.language.case import Case
from refute.run.hunt import Budget, pursue, raw_counterexample, save, shrunk_counterexample, take_up
from refute.run.workers import Here, workers

RUN = Run(pinned=False)


def hunted(claim, folder: Path, staff=None, cases: int = 6000, seed: int = 0):
    hunt = take_up(claim, seed, folder)
    pursue([hunt], Budget(cases=cases), RUN, staff or Here())
    return hunt


@pytest.mark.parametrize("name", ["hidden_point", "masked", "under_an_assumption"])
def test_needles_are_found_where_drawing_finds_nothing(needle, tmp_path, name):
    """The same number of cases drawn at random shows no counterexample."""
    claim = needle(name)
    assert not isinstance(check(claim, RUN), Refuted)
    hunt = hunted(claim, tmp_path)
    found = raw_counterexample(claim, hunt.campaign.violation, RUN)
    assert found is not None
    assert found.margin.violated
    small = shrunk_counterexample(found, claim, RUN)
    assert small.margin.violated
    assert len(str(small.case)) <= len(str(found.case))


def test_a_true_statement_is_never_refuted(needle, tmp_path):
    """The domain of y is positive: a climb that left it would refute the statement."""
    hunt = hunted(needle("true"), tmp_path, cases=3000)
    assert hunt.campaign.violation is None
    assert hunt.campaign.met > 2000
    assert hunt.campaign.best > 0


@pytest.mark.parametrize("name", ["hidden_point", "masked"])
def test_one_and_two_workers_find_the_same(needle, tmp_path, name):
    """The counterexample and the effort depend on the seed alone."""
    alone = hunted(needle(name), tmp_path / "one")
    with workers(2) as staff:
        together = hunted(needle(name), tmp_path / "two", staff)
    assert alone.campaign.violation == together.campaign.violation
    assert alone.campaign.tried == together.campaign.tried


def test_an_interrupted_hunt_goes_on_where_it_stopped(needle, tmp_path):
    """Generation by generation, with the state read back each time, the way is the same."""
    whole = hunted(needle("hidden_point"), tmp_path / "whole")
    assert whole.campaign.violation is not None
    while True:
        piece = take_up(needle("hidden_point"), 0, tmp_path / "pieces")
        pursue([piece], Budget(cases=1), RUN, Here())
        if piece.campaign.violation is not None:
            break
    assert piece.campaign.to_json() == whole.campaign.to_json()


def test_a_damaged_state_is_put_aside(needle, tmp_path):
    """Nothing is lost: it keeps its content under another name, and the hunt begins anew."""
    claim = needle("true")
    hunt = take_up(claim, 0, tmp_path)
    save(hunt)
    for text in (
        "",
        "{",
        "[]",
        json.dumps(hunt.campaign.to_json() | {"pool": [[0, {"x": "1"}], 3]}),
        '{"refute_hunt": 1}',
    ):
        hunt.path.write_text(text)
        again = take_up(claim, 0, tmp_path)
        assert not again.resumed
        assert again.campaign.tried == 0
        assert hunt.path.with_suffix(".old").read_text() == text


def test_a_state_of_another_wording_is_not_taken_up(needle, tmp_path):
    """A changed statement is another statement."""
    hunt = take_up(needle("true"), 0, tmp_path)
    save(hunt)
    data = json.loads(hunt.path.read_text())
    hunt.path.write_text(json.dumps(data | {"statement": "other"}))
    assert not take_up(needle("true"), 0, tmp_path).resumed


def test_a_violation_that_is_none_any_more_is_not_taken_up(needle, tmp_path):
    """The predicate has another constant by now: the hunt begins anew."""
    claim = needle("masked")
    assert hunted(claim, tmp_path).campaign.violation is not None
    assert take_up(claim, 0, tmp_path).resumed
    again = take_up(replace(claim, constants={"least": Fraction(0)}), 0, tmp_path)
    assert not again.resumed
    assert "does not violate the claim as it is now" in again.refused


def test_several_hunts_share_a_budget(needle, tmp_path):
    """Each has its turn; what is found is not hunted any more."""
    hunts = [take_up(needle(name), 0, tmp_path) for name in ("true", "masked")]
    pursue(hunts, Budget(cases=6000), RUN, Here())
    assert all(hunt.turns > 0 for hunt in hunts)
    assert hunts[1].campaign.violation is not None


def test_a_witness_of_another_claim_is_tried_first(needle, tmp_path, monkeypatch):
    """A counterexample that was certified before refutes the next claim that takes such a case."""
    from refute.decide.evaluate import judge
    from refute.kernel.certificate import write
    from refute.search import witness

    masked = needle("masked")
    write(masked, judge(masked, Case.of(x=7, y=7), RUN).counterexample(masked), tmp_path / "certificates")
    other = needle("true")
    cases = witness.library(other, tmp_path / "certificates")
    assert Case.of(x=7, y=7) in cases
    assert witness.library(masked, tmp_path / "certificates") == []


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("60s", Budget(60)),
        ("2m", Budget(120)),
        ("1.5 h", Budget(5400)),
        ("500 cases", Budget(cases=500)),
        ("7", Budget(7)),
    ],
)
def test_budgets_are_read(text, budget):
    """Seconds, minutes, hours or cases."""
    assert Budget.parse(text) == budget


@pytest.mark.parametrize("text", ["", "soon", "-5s", "0s", "5 parsecs"])
def test_a_wrong_budget_is_named(text):
    """With what to write instead."""
    with pytest.raises(BadInput, match="budget"):
        Budget.parse(text)
