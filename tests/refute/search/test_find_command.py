"""`refute find`: exit codes like grep, a certificate for what was found, and a state that is taken up."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.refute.conftest import FALSE, IN_FLOATS, TRUE, Refute, WriteClaims, written

pytestmark = pytest.mark.slow


def test_what_is_found_exits_0_with_a_certificate(claim_file: WriteClaims, refute: Refute):
    """The raw counterexample is told at once, the shrunk one in the end, and it verifies."""
    file = claim_file(FALSE)
    done = refute("find", file, "--budget", "200 cases")
    assert done.exit_code == 0
    assert "notes.false: refuted after" in done.stdout
    assert "notes.false: found  x = " in done.stderr
    certificate = done.stdout.rpartition("certificate   ")[2].strip()
    assert refute("verify", "--from", file, certificate).exit_code == 0


def test_evidence_exits_4_and_certifies_nothing(claim_file: WriteClaims, refute: Refute):
    """One float method alone refutes nothing: its case is shown and kept, and `verify` says what it is."""
    file = claim_file(IN_FLOATS)
    done = refute("find", file, "--budget", "50 cases")
    assert done.exit_code == 4
    assert "notes.floats: evidence against, no refutation, after" in done.stdout
    checked = refute("verify", "--from", file, done.stdout.rpartition("evidence      ")[2].strip())
    assert checked.exit_code == 1
    assert checked.stdout.startswith("evidence    ")
    assert "valid" not in checked.stdout
    row = json.loads(refute("find", file, "--budget", "50 cases", "--json").stdout)[0]
    assert (row["found"], row["verdict"], row["level"]) == (False, "against", "repeated")
    assert refute("find", file, claim_file(FALSE, "other.py"), "--budget", "300 cases").exit_code == 0


def test_nothing_found_exits_1_and_says_how_near(claim_file: WriteClaims, refute: Refute):
    """With the number of cases; a second run goes on, --fresh begins anew."""
    file = claim_file(TRUE)
    done = refute("find", file, "--budget", "300 cases")
    assert done.exit_code == 1
    assert "no counterexample in" in done.stdout
    assert "taken up after" in refute("find", file, "--budget", "1 cases").stderr
    assert "taken up after" not in refute("find", file, "--budget", "1 cases", "--fresh").stderr


def test_json_has_a_row_per_target(claim_file: WriteClaims, refute: Refute):
    """Found or not, with the effort."""
    rows = {
        row["id"]: row
        for row in json.loads(refute("find", claim_file(TRUE + FALSE), "--budget", "400 cases", "--json").stdout)
    }
    assert rows["notes.false"]["found"]
    assert rows["notes.false"]["level"] == "exact"
    assert not rows["notes.true"]["found"]
    assert rows["notes.true"]["cases"] > 0


def test_a_violation_that_a_second_method_denies_does_not_end_the_hunt(claim_file: WriteClaims, refute: Refute):
    """What float64 alone has seen is no violation, and the next case is tried; the exit code is 1."""
    file = claim_file(
        "from refute import Kind, at_least\nfrom refute.decide.confirmation import asked\n"
        "@claim('notes.noisy', kind=Kind.DYNAMICS, given=numbers)\n"
        "def noisy(x):\n    return at_least(-1.0, 0.0, error=2.0 if asked() else 0.0)\n"
    )
    done = refute("find", file, "--budget", "50 cases")
    assert done.exit_code == 1
    assert "notes.noisy: no counterexample in " in done.stdout
    assert "certificate" not in done.stdout
    row = json.loads(refute("find", file, "--budget", "50 cases", "--json").stdout)[0]
    assert (row["found"], row["certificate"]) == (False, None)
    assert row["cases"] >= 50


def test_a_hunt_for_a_witness(claim_file: WriteClaims, refute: Refute):
    """An existence statement is proved by what it finds, and refuted by nothing."""
    file = claim_file(
        "from refute import Kind, at_least, less\n"
        "@claim('notes.there_is', kind=Kind.EXISTENCE, given=numbers)\n"
        "def there_is(x):\n    return at_least(x, 3, 'x')\n"
        "@claim('notes.there_is_none', kind=Kind.EXISTENCE, given=numbers)\n"
        "def there_is_none(x):\n    return less(x * x, 0, 'x^2')\n"
    )
    done = refute("find", f"{file}::there_is", "--budget", "500 cases")
    assert done.exit_code == 1
    assert "notes.there_is: proved after " in done.stdout
    assert "by the witness x = 3" in done.stdout
    done = refute("find", f"{file}::there_is_none", "--budget", "500 cases")
    assert done.exit_code == 1
    assert "notes.there_is_none: no witness in " in done.stdout


def test_a_target_whose_turn_does_not_come_says_so(claim_file: WriteClaims, refute: Refute):
    """Nothing was drawn for it, so nothing is said about its assumptions."""
    file = claim_file(TRUE + TRUE.replace("notes.true", "notes.other").replace("square_is", "other_square_is"))
    done = refute("find", file, "--budget", "1 cases")
    assert "notes.true: no counterexample in 1" in done.stdout
    assert "notes.other: no counterexample in 0 cases (the budget ended before the first was judged)" in done.stdout


def test_what_cannot_be_judged_again_in_time_is_kept_and_refutes_nothing(
    claim_file: WriteClaims, refute: Refute, monkeypatch: pytest.MonkeyPatch
):
    """The case is shown; the next run takes it up."""
    monkeypatch.setattr("refute.run.hunt.PATIENCE", 0)
    file = claim_file(FALSE)
    done = refute("find", file, "--budget", "200 cases")
    assert done.exit_code == 1
    assert "no counterexample: to judge again what was found took too long" in done.stdout
    assert "  case          x = " in done.stdout
    monkeypatch.setattr("refute.run.hunt.PATIENCE", 600)
    assert refute("find", file, "--budget", "200 cases").exit_code == 0


def test_wrong_use_exits_2(claim_file: WriteClaims, refute: Refute):
    """A budget that is none, a target that is not there, a scheduler that does not answer."""
    file = claim_file(TRUE)
    assert refute("find", file, "--budget", "soon").exit_code == 2
    assert refute("find", "nothing.py").exit_code == 2
    assert refute("find", file, "--slurm", "--scheduler", "tcp://127.0.0.1:9").exit_code == 2


def test_a_predicate_that_raises_is_an_error(claim_file: WriteClaims, refute: Refute):
    """On a case that its own strategy drew."""
    done = refute(
        "find",
        claim_file("@claim('notes.it', given=numbers)\ndef it(x):\n    return 1 / (x - x)\n"),
        "--budget",
        "50 cases",
    )
    assert done.exit_code == 2
    assert "it() raised" in done.stderr


def test_ctrl_c_keeps_the_state(tmp_path: Path):
    """Exit code 130, and the next run goes on."""
    file = written(tmp_path, TRUE, "mine.py")
    process = subprocess.Popen(
        [sys.executable, "-m", "refute", "find", str(file), "--budget", "10m"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    state = tmp_path / ".refute" / "hunts" / "notes.true.0.json"
    for _ in range(600):
        if state.exists():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    try:
        out, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert "no counterexample in" in out
    assert "the same command goes on" in errors
    assert json.loads(state.read_text())["tried"] > 0
