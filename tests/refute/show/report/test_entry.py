"""A claim beside its record: verdict, nearness, certificate and the words for them."""

import json
from pathlib import Path
from typing import Any

import pytest

from refute import Kind
from refute.show.report.entry import Entry, by_verdict
from refute.show.report.words import MEANINGS, SYMBOLS, evidence, margin
from tests.planted import planted
from tests.refute.show.report.conftest import CLAIMS, lemma_1

CLAIM = planted(lemma_1, recorded="supported")


def test_a_claim_without_a_record_is_not_run():
    """And is no disagreement with what is recorded; an unknown verdict is a broken record."""
    assert Entry(CLAIM).verdict == "not run"
    assert Entry(CLAIM).expected
    assert Entry(CLAIM, {"verdict": "excellent"}).verdict == "broken"
    assert not Entry(CLAIM, {"verdict": "refuted"}).expected
    assert Entry(planted(lemma_1), {"verdict": "proved"}).expected
    assert not Entry(planted(lemma_1), {"verdict": "refuted"}).expected
    assert by_verdict([Entry(CLAIM)])["not run"] == 1


def test_nearness_is_the_smallest_relative_slack():
    """Of the sample of margins; of a law, whose scale means nothing, the slack of the exponent."""
    assert Entry(CLAIM, {"margins": [0.5, 0.25, "x"], "margin": 7}).nearness == 0.25
    assert Entry(CLAIM, {"margins": [], "margin": 1}).nearness == 0.5
    assert Entry(CLAIM, {"margin": float("nan")}).nearness is None
    assert Entry(planted(lemma_1, kind=Kind.ASYMPTOTIC), {"margins": [1e-6], "margin": 1}).nearness == 0.5


@pytest.mark.parametrize("verdict", list(MEANINGS))
def test_every_verdict_has_a_sign_and_words(verdict: str):
    """Also where the record holds nothing else."""
    assert SYMBOLS[verdict]
    assert evidence(Entry(CLAIM, {"verdict": verdict})).endswith((".", ". "))


def test_words_state_the_evidence():
    """Method, number of cases, level."""
    assert evidence(Entry(CLAIM, {"verdict": "proved", "detail": "proved by sympy", "cases": 3})).startswith(
        "Proved by sympy. Besides, 3 cases"
    )
    assert "among 120 cases" in evidence(Entry(CLAIM, {"verdict": "supported", "cases": 120, "tried": 130}))
    assert "exact rational" in evidence(Entry(CLAIM, {"verdict": "refuted", "level": "exact", "tried": 1}))
    assert "replayed" in evidence(Entry(CLAIM, {"verdict": "refuted", "level": "exact", "tried": 0}))
    assert margin(Entry(CLAIM, {"margin": 0.5, "error": 0.01})) == "0.5 ± 0.01"
    assert margin(Entry(CLAIM)) == "—"


@pytest.mark.parametrize("content", ["", "[]", "secret", '{"refute_certificate": 1, "claim": "another"}'])
def test_only_a_certificate_of_the_claim_is_copied(tmp_path: Path, content: str):
    """A record may name any file."""
    (tmp_path / "odd.json").write_text(content)
    assert Entry(CLAIM, {"verdict": "refuted", "certificate": "odd.json"}, folder=tmp_path).certificate is None


def test_the_case_of_a_record_stands_in_for_a_lost_certificate(records: dict[str, dict[str, Any]]):
    """The page still shows the counterexample."""
    record = records["planted.lemma_2"] | {"certificate": "/nowhere.json"}
    entry = Entry(CLAIMS[1], record)
    assert entry.certificate is None
    assert entry.counterexample is record
    known = json.loads(Path(records["planted.lemma_2"]["certificate"]).read_text())
    assert Entry(CLAIMS[1], records["planted.lemma_2"]).counterexample == known
