"""`refute pin` keeps counterexamples beside the claims that they refute."""

import hashlib
import json
from pathlib import Path

import pytest

from tests.refute.conftest import FALSE, IN_FLOATS, TRUE, Refute, WriteClaims

RECORDED = FALSE.replace("assumes=[positive]", 'assumes=[positive], recorded="refuted"')


def pinned(name: str = "notes.false") -> Path:
    return Path("refuted") / f"{name}.json"


def test_the_counterexample_is_kept_and_verified(claim_file: WriteClaims, refute: Refute):
    """Only of claims that are recorded as refuted."""
    file = claim_file(TRUE + RECORDED)
    assert refute("pin", file).exit_code == 0
    assert [path.name for path in Path("refuted").iterdir()] == ["notes.false.json"]
    assert refute("verify", "--from", file, pinned()).exit_code == 0


def test_a_new_wording_keeps_the_case(claim_file: WriteClaims, refute: Refute):
    """The certificate is made again for the statement as it is worded now."""
    refute("pin", claim_file(RECORDED))
    before = json.loads(pinned().read_text())
    changed = json.dumps(before | {"statement": "0" * 16})
    pinned().write_text(changed)
    assert refute("pin", "mine.py").exit_code == 0
    assert json.loads(pinned().read_text()) == before


def test_only_what_no_longer_verifies_is_made_again(claim_file: WriteClaims, refute: Refute):
    """A file that is missing, of another wording, or that says something false."""
    file = claim_file(RECORDED)
    assert "pinned      refuted/notes.false.json" in refute("pin", file, "--stale").stdout
    before = pinned().read_text()
    assert refute("pin", file, "--stale").stdout == ""
    for change in ({"statement": "0" * 16}, {"note": 1}):
        pinned().write_text(json.dumps(json.loads(before) | change))
        assert "pinned      " in refute("pin", file, "--stale").stdout
        assert pinned().read_text() == before


def test_what_is_not_refuted_leaves_the_file_alone(claim_file: WriteClaims, refute: Refute):
    """And it is said which claim it is."""
    done = refute("pin", claim_file(TRUE.replace('recorded="supported"', 'recorded="refuted"')))
    assert done.exit_code == 1
    assert "notes.true: supported" in done.stderr
    assert not Path("refuted").exists()


@pytest.mark.parametrize(("recorded", "code"), [("against", 0), ("refuted", 1)])
def test_evidence_is_kept_where_it_is_recorded_as_such(
    claim_file: WriteClaims, refute: Refute, recorded: str, code: int
):
    """The case is replayed; it is no certificate, also not one that a forger makes of it."""
    file = claim_file(IN_FLOATS.replace("kind=", f'recorded="{recorded}", kind='))
    assert refute("pin", file).exit_code == code
    assert pinned("notes.floats").is_file() is (recorded == "against")
    if recorded == "against":
        assert refute("check", file).exit_code == 0
        assert "evidence    " in refute("verify", "--from", file, pinned("notes.floats")).stdout
        stated = {
            key: value
            for key, value in json.loads(pinned("notes.floats").read_text()).items()
            if key not in ("verdict", "digest")
        }
        digest = hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()
        pinned("notes.floats").write_text(json.dumps(stated | {"digest": digest}))
        assert "invalid     " in refute("verify", "--from", file, pinned("notes.floats")).stdout
