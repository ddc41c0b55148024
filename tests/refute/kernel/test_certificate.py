"""Certificates: written once, whole, and kept beside the claim."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from refute import Case, Run
from refute.kernel import certificate
from refute.kernel.certificate import document, pinned_case, pinned_path, write
from refute.kernel.reading import read
from refute.kernel.verification import objections
from refute.run.runner import run_claim
from tests.refute.kernel.square import CLAIM, found


def test_a_certificate_is_written_and_read(tmp_path: Path):
    """Its name has the claim and the digest of the case, nothing else is left in the folder, and it is valid."""
    path = write(CLAIM, found(), tmp_path / "certificates")
    assert path.name == f"planted.square_is_larger.{Case.of(x=Fraction(1, 2)).digest()}.json"
    assert list(path.parent.iterdir()) == [path]
    assert objections(read(path), CLAIM) == []


def test_writing_twice_gives_one_file(tmp_path: Path):
    """The same counterexample has the same name and the same content."""
    first = write(CLAIM, found(), tmp_path).read_text()
    assert write(CLAIM, found(), tmp_path).read_text() == first
    assert len(list(tmp_path.iterdir())) == 1


def test_a_name_that_is_no_file_name_is_made_one(tmp_path: Path):
    """Ids of mutants have spaces, quotes and slashes."""
    odd = replace(CLAIM, id='a/b[without "x > 0"]')
    assert write(odd, found(), tmp_path).parent == tmp_path


def test_a_certificate_says_what_a_reader_needs(honest):
    """The exact case, how each assumption held, the violated line, the arithmetic and the versions."""
    assert honest["claim"] == "planted.square_is_larger"
    assert honest["case"] == {"x": "1/2"}
    assert honest["assumptions"] == [{"text": "x is positive", "slack": "1/2", "error": "0"}]
    assert honest["slack"] == "-1/4"
    assert (honest["level"], honest["arithmetic"]) == ("exact", "rationals")
    assert set(honest["versions"]) == {"refute", "numpy", "python-flint"}


def test_a_pinned_case_belongs_to_a_claim_that_is_recorded_as_refuted(tmp_path: Path):
    """It lies in the folder `refuted` beside the file of the claim; other claims have none."""
    claim = replace(CLAIM, place=f"{tmp_path / 'mine.py'}:3", recorded="refuted")
    assert pinned_path(claim) == tmp_path / "refuted" / "planted.square_is_larger.json"
    assert pinned_case(claim) is None
    pinned_path(claim).parent.mkdir()
    pinned_path(claim).write_text(json.dumps(document(CLAIM, found())))
    assert pinned_case(claim) == Case.of(x=Fraction(1, 2))
    assert pinned_case(replace(claim, recorded=None)) is None


def test_a_check_reads_a_pinned_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Also where it asks whether the file still fits; after a change it is read again."""
    claim = replace(CLAIM, place=f"{tmp_path / 'mine.py'}:3", recorded="refuted")
    write(claim, found(), target=pinned_path(claim))
    seen: list[Path] = []
    monkeypatch.setattr(certificate, "read", lambda path: seen.append(path) or read(path))
    assert run_claim(claim, Run()).certificate == str(pinned_path(claim))
    assert seen == [pinned_path(claim)]
    data = json.loads(pinned_path(claim).read_text())
    pinned_path(claim).write_text(json.dumps(data | {"case": {"x": "1/3"}}))
    assert pinned_case(claim) == Case.of(x=Fraction(1, 3))


def test_a_claim_may_have_any_characters(tmp_path: Path):
    """A line break, an order to the terminal, and in its wording half a character."""
    odd = replace(CLAIM, id="notes.\n\x1b[2J", remark="\ud800")
    assert objections(read(write(odd, found(odd), tmp_path)), odd) == []
