"""`refute pin` keeps counterexamples beside the claims that they refute."""

import json
from pathlib import Path

from tests.refute.conftest import FALSE, TRUE, Refute, WriteClaims

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


def test_what_is_not_refuted_leaves_the_file_alone(claim_file: WriteClaims, refute: Refute):
    """And it is said which claim it is."""
    done = refute("pin", claim_file(TRUE.replace('recorded="supported"', 'recorded="refuted"')))
    assert done.exit_code == 1
    assert "notes.true: supported" in done.stderr
    assert not Path("refuted").exists()
