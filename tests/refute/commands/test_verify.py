"""`refute verify`: files and folders, in watched processes, and nothing that a file says reaches the terminal raw."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from refute.run import loading
from tests.refute.conftest import FALSE, Refute, WriteClaims

SLOW = "@claim('notes.slow', given=numbers)\ndef slow(x):\n    'x <= 1.'\n    time.sleep(600)\n"


def refitted(data: dict[str, Any], **changes: Any) -> str:
    body = {key: value for key, value in (data | changes).items() if key != "digest"}
    return json.dumps(body | {"digest": hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()})


@pytest.fixture
def honest(claim_file: WriteClaims, refute: Refute) -> tuple[Path, dict[str, Any]]:
    """The file of a claim, and the certificate of it in the folder `kept`."""
    path = claim_file(FALSE + SLOW)
    [row] = json.loads(refute("check", f"{path}::notes.false", "--json").stdout)
    data = json.loads(Path(row["certificate"]).read_text())
    Path("kept/deeper").mkdir(parents=True)
    Path("kept/one.json").write_text(json.dumps(data))
    return path, data


def test_a_folder_is_verified_whole(honest, refute: Refute):
    """What lies below it, in order; the worst finding is the exit code."""
    file, data = honest
    Path("kept/deeper/two.json").write_text(json.dumps(data))
    done = refute("verify", "--from", file, "kept", "--jobs", "2")
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "valid       kept/deeper/two.json",
        "valid       kept/one.json",
    ]
    Path("kept/three.json").write_text(refitted(data, slack="-1"))
    assert refute("verify", "--from", file, "kept").exit_code == 1
    Path("kept/four.json").write_text("{}")
    assert refute("verify", "--from", file, "kept").exit_code == 2
    Path("bare").mkdir()
    done = refute("verify", "bare", "nowhere.json")
    assert done.exit_code == 2
    assert "unreadable  bare: " in done.stderr
    assert "unreadable  nowhere.json: " in done.stderr


def test_a_name_or_a_word_prints_one_line(honest, refute: Refute):
    """Whatever a file is called and says, it cannot pretend to be another, nor give orders to a terminal."""
    file, data = honest
    name = "kept/x\nvalid       other.json: all is well.json"
    Path(name).write_text(refitted(data, claim="notes.\nvalid       other.json: \x1b[2J"))
    Path("kept/word.json").write_text(refitted(data, case={"x": {"word": "\nvalid       other.json: so"}}))
    done = refute("verify", "--from", file, "kept")
    lines = (done.stdout + done.stderr).splitlines()
    assert len(lines) == 3
    assert sum(line.startswith("valid") for line in lines) == 1
    assert "\x1b" not in done.stdout


def test_pipes_and_devices_are_not_waited_for(honest, refute: Refute):
    """In a folder or by name."""
    os.mkfifo("kept/pipe.json")
    Path("kept/zero.json").symlink_to("/dev/zero")
    done = refute("verify", "--from", honest[0], "kept", "/dev/zero")
    assert done.exit_code == 2
    assert done.stderr.count("is not a regular file") == 3
    assert "valid       kept/one.json" in done.stdout


def test_a_case_that_hangs_is_given_up(honest, refute: Refute):
    """A forged case may lead anywhere; the others are verified."""
    file, data = honest
    from refute.kernel.certificate import statement_digest
    from refute.language.registry import find_claim

    slow = find_claim("notes.slow")
    Path("kept/slow.json").write_text(
        refitted(data, claim="notes.slow", statement=statement_digest(slow), case={"x": "4"}, assumptions=[])
    )
    Path("kept/zzz.json").write_text(json.dumps(data))
    done = refute("verify", "--from", file, "kept", "--timeout-per-case", "1")
    assert done.exit_code == 1
    assert "invalid     kept/slow.json: the claim cannot be evaluated on its case: judging took more than 1 s" in (
        done.stdout
    )
    assert done.stdout.count("valid       kept") == 2


def test_unknown_claims_load_one_paper_once(package: WriteClaims, refute: Refute, monkeypatch: pytest.MonkeyPatch):
    """A folder of foreign files does not import everything for each of them."""
    package("raise RuntimeError('this paper was imported')", "other/lemma.py")
    package(FALSE, "alone/lemma.py")
    seen: list[str] = []
    load = loading._load_package
    monkeypatch.setattr(loading, "_load_package", lambda folders, prefix: seen.append(prefix) or load(folders, prefix))
    Path("many").mkdir()
    for k in range(50):
        body = {"refute_certificate": 1, "claim": f"alone.unknown_{k}" if k % 2 else f"nobody.{k}", "case": {}}
        Path(f"many/{k}.json").write_text(refitted(body))
    done = refute("verify", "many")
    assert done.exit_code == 1
    assert done.stdout.count("no claim is called") == 50
    assert sorted(seen) == ["installed_claims.alone.", "installed_claims.nobody."]
