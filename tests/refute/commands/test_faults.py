"""A full disk, a file in the way, a predicate that hangs or leaves something behind: a sentence and an exit code."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from refute import Run
from refute.language.registry import find_claim
from refute.run.guard import Crew, Limits
from refute.run.hunt import Budget, pursue, take_up
from refute.run.loading import load_file
from tests.refute.conftest import TRUE, Refute, WriteClaims, written

HANGS = "@claim('notes.hangs', given=numbers)\ndef hangs(x):\n    'It hangs.'\n    time.sleep(600)\n"
ODD = """
from refute import Margin
@claim('notes.nan', given=numbers)
def nan(x):
    return Margin(float("nan"))
@claim('notes.negative', given=numbers)
def negative(x):
    return Margin(-1, -5)
@claim('notes.leaves', given=numbers)
def leaves(x):
    raise GeneratorExit
"""


def run(folder: Path, *words: str, **options) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "refute", *words]
    return subprocess.Popen(command, cwd=folder, text=True, stdout=options.get("out", subprocess.PIPE), stderr=-1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize(
    "words", [("list", "mine.py"), ("check", "mine.py"), ("find", "mine.py", "--budget", "9 cases")]
)
def test_a_full_disk_is_told(tmp_path: Path, words: tuple[str, ...]):
    """No traceback, and not the exit code of a verdict."""
    written(tmp_path, TRUE, "mine.py")
    with open("/dev/full", "w") as full:
        process = run(tmp_path, *words, out=full)
        _, errors = process.communicate(timeout=300)
    assert process.returncode == 2
    assert "error: cannot write: [Errno 28]" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("place", [".refute", ".refute/hunts", ".refute/hunts/notes.true.0.json"])
def test_what_is_in_the_way_of_a_state_costs_the_state(place: str, claim_file: WriteClaims, refute: Refute):
    """A file where a folder should be, a folder where a file should be: the hunt itself goes on."""
    file = claim_file(TRUE)
    if place.endswith(".json"):
        Path(place).mkdir(parents=True)
    else:
        Path(place).parent.mkdir(exist_ok=True)
        Path(place).touch()
    done = refute("find", file, "--budget", "50 cases")
    assert done.exit_code == 1
    assert "no counterexample in" in done.stdout
    assert "cannot be resumed" in done.stderr
    assert not list(Path().rglob("*.part"))


def test_rows_appear_in_a_pipe_as_they_are_decided(tmp_path: Path):
    """Before the claim that hangs is given up; a thread that a file leaves is not waited for."""
    left = "import threading\nthreading.Thread(target=time.sleep, args=(600,)).start()\n"
    written(tmp_path, TRUE + left + HANGS, "mine.py")
    process = run(tmp_path, "check", "mine.py", "--timeout-per-case", "4")
    assert process.stdout is not None
    rows = [process.stdout.readline() for _ in range(2)]
    seen = time.monotonic()
    assert "notes.true" in rows[1]
    out, _ = process.communicate(timeout=300)
    assert time.monotonic() - seen > 2
    assert process.returncode == 2
    assert "judging took more than 4 s" in out


def test_margins_that_are_none_break_their_claims(claim_file: WriteClaims, refute: Refute):
    """Each with its case; the others are decided."""
    done = refute("check", claim_file(TRUE + ODD))
    assert done.exit_code == 2
    assert "claims: 1 supported, 3 broken" in done.stdout
    assert "must be a finite number, got nan" in done.stdout
    assert "a margin with the error -5" in done.stdout


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_budget_holds_though_a_predicate_hangs(jobs: int, claim_file: WriteClaims):
    """To about a second, whatever the limit of a case."""
    load_file(claim_file(HANGS))
    claim = find_claim("notes.hangs")
    assert claim is not None
    with Crew(jobs, Limits(seconds=600.0)) as staff:
        staff.submit(abs, 1).result()  # the processes are there
        began = time.monotonic()
        pursue([take_up(claim, 0)], Budget(seconds=3), Run(pinned=False), staff)
        assert 2.9 < time.monotonic() - began < 6
    assert time.monotonic() - began < 12
