"""A line is a record or it is passed over: files are data, whoever wrote them."""

import json
from pathlib import Path
from typing import Any

import pytest

from refute import Run
from refute.kernel.certificate import statement_digest
from refute.run.loading import load_file
from refute.run.results import FORMAT, SORTS, folder, stamped
from refute.run.results.record import parsed
from refute.run.runner import run_claim
from refute.study.ablate import ablate, kill, tightness
from tests.refute.conftest import FALSE, NOTHING, TRUE, WriteClaims
from tests.refute.run.results.conftest import BOUND, Make


def encoded(record: Any) -> bytes:
    return json.dumps(record).encode()


def test_what_is_stored_can_be_read(claim_file: WriteClaims):
    """Every sort of result, whatever its outcome, comes back as it was."""
    claims = load_file(claim_file(TRUE + FALSE + NOTHING + BOUND))
    run = Run()
    kept = [stamped("check", claim, run, run_claim(claim, run).record()) for claim in claims]
    bound = claims[-1]
    kept += [stamped("mutant", bound, run, kill(bound, mutant, run).record()) for mutant in bound.mutants]
    kept += [stamped("ablation", bound, run, ablate(bound, assumption, run).record()) for assumption in bound.assumes]
    kept += [stamped("tightness", bound, run, one.record()) for one in tightness(bound, run)]
    assert [record["sort"] for record in kept] == ["check"] * 4 + ["mutant", "ablation", "tightness", "tightness"]
    assert [parsed(encoded(record)) for record in kept] == kept
    assert [record["verdict"] for record in kept[:4]] == ["supported", "refuted", "broken", "supported"]


def test_a_record_says_what_it_is_about(claim_file: WriteClaims):
    """The wording, the effort and the counterexample; margins are those of the cases, relative to what was compared."""
    [claim] = load_file(claim_file(FALSE))
    run = Run(seed=4)
    record = stamped("check", claim, run, run_claim(claim, run).record())
    assert (record["format"], record["claim"], record["statement"]) == (FORMAT, "notes.false", statement_digest(claim))
    assert (record["profile"], record["seed"], record["device"]) == ("quick", 4, "cpu")
    assert (record["case"], record["level"], record["margin"]) == ({"x": "1/2"}, "exact", -0.25)
    assert len(record["margins"]) == record["cases"]
    assert min(record["margins"]) < 0


def test_the_margins_depend_on_the_seed_alone(claim_file: WriteClaims):
    """The same sample twice, another one with another seed, and never in the row that is printed."""
    [claim] = load_file(claim_file(TRUE))
    first, again, other = (run_claim(claim, Run(seed=seed)) for seed in (0, 0, 1))
    assert first.record()["margins"] == again.record()["margins"] != other.record()["margins"]
    assert len(first.record()["margins"]) == 120
    assert "margins" not in first.row()


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"null",
        b"[1]",
        b"{}",
        b"\xff\xfe",
        b"\x00" * 100,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format": 1, "sort": ["check"]}',
        b"1" * 10_000,
        b"__import__('os')",
    ],
)
def test_a_foreign_line_is_passed_over(line: bytes):
    """Also one that is nested without end or holds a number without end."""
    assert parsed(line) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"format": 2},
        {"format": "1"},
        {"format": True},
        {"format": None},
        {"sort": "rumour"},
        {"sort": None},
        {"claim": 3},
        {"seed": "0"},
        {"seed": True},
        {"verdict": None},
        {"cases": 1.5},
        {"earned": 1},
        {"margins": "none"},
        {"margins": [1, None]},
        {"margins": [float("nan")]},
        {"margin": float("inf")},
        {"margin": "a lot"},
        {"error": "1/0"},
        {"case": "x = 1"},
        {"replay": 1},
    ],
)
def test_a_record_with_a_wrong_field_is_passed_over(check_record: Make, changed: dict[str, Any]):
    """A newer format, another sort, a field of another type, a number that is none."""
    assert parsed(encoded(check_record())) == check_record()
    assert parsed(encoded(check_record(**changed))) is None


def test_a_number_too_large_for_a_float_is_passed_over(check_record: Make):
    """It would be read as infinity."""
    assert parsed(encoded(check_record()).replace(b'"seconds": 0.1', b'"seconds": 1e999')) is None
    assert parsed(encoded(check_record()).replace(b"[0.5,", b"[-1e999,")) is None


def test_a_margin_that_no_float_is_near_is_a_fraction(check_record: Make):
    """Of any length."""
    record = check_record(margin=f"1/1{'0' * 10_000}")
    assert parsed(encoded(record)) == record


@pytest.mark.parametrize("name", ["claim", "statement", "at", *SORTS["check"]])
def test_every_field_is_needed(check_record: Make, name: str):
    """A reader need not ask whether it is there."""
    record = check_record()
    del record[name]
    assert parsed(encoded(record)) is None


def test_the_folder(monkeypatch: pytest.MonkeyPatch):
    """The one given, else that of the environment, else the usual one."""
    monkeypatch.delenv("REFUTE_RESULTS", raising=False)
    assert folder() == Path(".refute/results")
    monkeypatch.setenv("REFUTE_RESULTS", "elsewhere")
    assert folder() == Path("elsewhere")
    assert folder(Path("here")) == Path("here")
