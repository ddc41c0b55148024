"""The commands store what they find, go on after a kill, and tell what changed."""

import json
import signal
import sys
import time
from pathlib import Path

import pytest

from refute.language import registry
from refute.run import results
from tests.refute.commands.test_main import script
from tests.refute.conftest import FALSE, TRUE, Refute, WriteClaims
from tests.refute.run.results.conftest import BOUND

pytestmark = pytest.mark.slow

STORED = Path(".refute/results")

# Counts its evaluations in a file, and waits without end unless there is a file called "go".
WAITING = """
def noted(name):
    with open(name, "a") as file:
        file.write(".")

@claim("notes.first", given=numbers)
def first(x):
    "x^2 >= 0, counted"
    noted("first")
    return x * x

@claim("notes.waiting", given=numbers)
def waiting(x):
    "x^2 >= 0, in time"
    noted("begun")
    while not os.path.exists("go"):
        time.sleep(0.05)
    return x * x
"""


@pytest.fixture
def changed_file(claim_file: WriteClaims, monkeypatch: pytest.MonkeyPatch) -> WriteClaims:
    """Write the file of claims anew; the next command reads it as if in a new process."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(body: str) -> Path:
        for name in [name for name in sys.modules if name.startswith("refute_file_")]:
            del sys.modules[name]
        monkeypatch.setattr(registry, "_claims", {})
        return claim_file(body)

    return write


def verdicts(folder: Path = STORED) -> dict[str, str]:
    return {claim: record["verdict"] for claim, record in results.latest(folder, "check").items()}


def killed(folder: Path, number: signal.Signals, jobs: int = 1) -> str:
    """What a check prints that was killed after it had decided the first claim and begun the second."""
    process = script("check", "mine.py", "--device", "cpu", "--jobs", jobs, folder=folder)
    while process.poll() is None and not (folder / "begun").exists():
        time.sleep(0.02)
    if jobs > 1:  # the claims begin together: wait for the first to be decided
        while not verdicts(folder / STORED):
            time.sleep(0.02)
    process.send_signal(number)
    return process.communicate(timeout=60)[0]


def test_a_check_is_stored(claim_file: WriteClaims, refute: Refute):
    """One file per run, with its end, and the row of each claim as it is printed."""
    path = claim_file(TRUE + FALSE)
    printed = json.loads(refute("check", path, "--json", "--seed", 3).stdout)
    [run] = results.runs(STORED)
    assert run.finished
    assert [{name: record[name] for name in row} for record, row in zip(run.records, printed, strict=True)] == printed
    assert {(record["profile"], record["seed"], record["device"]) for record in run.records} == {("quick", 3, "cpu")}
    assert refute("check", path).exit_code == 1
    assert len(results.runs(STORED)) == 2


def test_the_rows_that_scripts_rely_on_are_as_they_were(claim_file: WriteClaims, refute: Refute):
    """What is stored besides is not printed."""
    [row] = json.loads(refute("check", claim_file(TRUE), "--json").stdout)
    assert set(row) == {
        *(
            "id",
            "paper",
            "reference",
            "kind",
            "recorded",
            "verdict",
            "margin",
            "error",
            "cases",
            "tried",
            "detail",
            "earned",
        ),
        *("seconds", "certificate"),
    }


def test_nothing_is_stored_if_nothing_shall_be(claim_file: WriteClaims, refute: Refute):
    """By any of the commands."""
    path = claim_file(BOUND)
    for command in ("check", "ablate", "mutate"):
        assert refute(command, path, "--no-store").exit_code == 0
    assert not STORED.exists()


def test_the_folder_may_be_another(claim_file: WriteClaims, refute: Refute, monkeypatch: pytest.MonkeyPatch):
    """By option or by environment."""
    path = claim_file(TRUE)
    monkeypatch.setenv("REFUTE_RESULTS", "kept")
    refute("check", path)
    refute("check", path, "--results", "elsewhere/deep")
    assert [verdicts(Path(name)) for name in ("kept", "elsewhere/deep")] == [{"notes.true": "supported"}] * 2
    assert not STORED.exists()


def test_a_folder_that_cannot_be_written_costs_no_verdict(claim_file: WriteClaims, refute: Refute):
    """It is said once, on stderr."""
    Path("taken").write_text("")
    done = refute("check", claim_file(TRUE + FALSE), "--results", "taken/results")
    assert done.exit_code == 1
    assert "claims: 1 supported, 1 refuted" in done.stdout
    assert done.stderr.count("results are not stored: ") == 1


def test_what_changed_is_told(changed_file: WriteClaims, refute: Refute):
    """Nothing the first time and when all is as before; a refutation, a new claim, a record that is earned now."""
    path = changed_file(TRUE)
    assert "since the last time" not in refute("check", path).stdout
    assert "since the last time" not in refute("check", path).stdout

    changed_file(TRUE.replace("return x * x", "return x * x - 1") + FALSE)
    assert refute("check", path).stdout.endswith(
        "\n\nsince the last time:\n  newly refuted     notes.true   supported -> refuted\n  new claim         "
        "notes.false   refuted\n"
    )
    changed_file(TRUE + FALSE.replace("given", 'recorded="refuted", given'))
    done = refute("check", path)
    assert done.exit_code == 0
    assert done.stdout.endswith(
        "\n\nsince the last time:\n  newly earned      notes.true   refuted -> supported\n  newly earned      "
        "notes.false   refuted\n"
    )
    assert json.loads(refute("check", path, "--json").stdout)[0]["id"] == "notes.true"


def test_a_run_with_less_effort_says_so(changed_file: WriteClaims, refute: Refute):
    """A verdict of another seed may be another one."""
    path = changed_file(TRUE)
    refute("check", path, "--seed", 5)
    changed_file(TRUE.replace("return x * x", "return x * x - 1"))
    assert "supported -> refuted   (the last time with quick, seed 5)" in refute("check", path).stdout


@pytest.mark.parametrize(("number", "jobs"), [(signal.SIGKILL, 1), (signal.SIGINT, 1), (signal.SIGINT, 2)])
def test_what_was_decided_survives_a_kill_and_is_taken_over(
    claim_file: WriteClaims, refute: Refute, tmp_path: Path, number: signal.Signals, jobs: int
):
    """The next run shows the stored result without a second evaluation, stores it as its own, and comes to its end."""
    path = claim_file(WAITING)
    killed(tmp_path, number, jobs)
    [stored] = results.runs(STORED)
    assert [record["claim"] for record in stored.records] == ["notes.first"]
    assert not stored.finished

    evaluations = Path("first").stat().st_size
    Path("go").touch()
    done = refute("check", path, "--resume")
    assert done.exit_code == 0
    assert Path("first").stat().st_size == evaluations
    assert "claims: 2 supported" in done.stdout
    assert done.stderr == "resumed: 1 of 2 claims were decided before\n"
    *_, last = results.runs(STORED)
    assert last.finished
    assert list(last.records[:1]) == list(stored.records)
    assert verdicts() == {"notes.first": "supported", "notes.waiting": "supported"}

    again = refute("check", path, "--resume", "--json")
    assert again.stderr == "resumed: 0 of 2 claims were decided before\n"
    assert [row["id"] for row in json.loads(again.stdout)] == ["notes.first", "notes.waiting"]
    assert Path("first").stat().st_size > evaluations


def interrupted(claim: str, folder: Path = STORED) -> None:
    """Take away what the last run wrote after this claim, as if it had been killed then."""
    path = results.runs(folder)[-1].path
    lines = path.read_text().splitlines(keepends=True)
    last = max(k for k, line in enumerate(lines) if json.loads(line).get("claim") == claim)
    path.write_text("".join(lines[: last + 1]))


@pytest.mark.parametrize(
    ("arguments", "body", "resumed"),
    [
        ([], TRUE + FALSE, 1),
        (["--seed", "1"], TRUE + FALSE, 0),
        (["--profile", "thorough"], TRUE + FALSE, 0),
        ([], TRUE.replace("x^2", "x * x") + FALSE, 0),
        ([], TRUE + FALSE.replace("return at_least(", "return at_least(0 + "), 0),
    ],
    ids=["the same", "another seed", "another profile", "another wording", "another file"],
)
def test_only_the_same_effort_and_the_same_claims_are_taken_over(
    changed_file: WriteClaims, refute: Refute, arguments: list[str], body: str, resumed: int
):
    """Anything else is decided again."""
    path = changed_file(TRUE + FALSE)
    refute("check", path)
    interrupted("notes.true")
    changed_file(body)
    assert f"resumed: {resumed} of 2 claims" in refute("check", path, "--resume", *arguments).stderr


def test_a_small_run_in_between_does_not_end_the_interrupted_one(claim_file: WriteClaims, refute: Refute):
    """Only a run that decided all of it again does."""
    path = claim_file(TRUE + FALSE)
    refute("check", path)
    interrupted("notes.true")
    refute("check", f"{path}::square_is_larger")
    assert "resumed: 1 of 2" in refute("check", path, "--resume").stderr
    assert "resumed: 0 of 2" in refute("check", path, "--resume").stderr


def test_a_refutation_is_taken_over_with_all_it_says(claim_file: WriteClaims, refute: Refute):
    """The paragraph and the exit code are those of the first run; a claim that could not be run is tried again."""
    path = claim_file(FALSE + "@claim('notes.broken', given=numbers)\ndef broken(x):\n    return None\n" + TRUE)
    first = refute("check", path)
    interrupted("notes.broken")
    second = refute("check", path, "--resume")
    assert second.stderr == "resumed: 1 of 3 claims were decided before\n"
    told = first.stdout.partition("refuted (a conjecture)")[2].partition("broken (a conjecture)")[0]
    assert "replay" in told
    assert told in second.stdout
    assert second.exit_code == first.exit_code == 2


@pytest.mark.parametrize(
    "changed", [{"verdict": "splendid"}, {"reference": 3}, {"id": "notes.other"}, {"version": "9.9"}, {"code": ""}]
)
def test_a_forged_record_is_not_taken_over(claim_file: WriteClaims, refute: Refute, changed: dict[str, object]):
    """The claim is checked again."""
    path = claim_file(TRUE)
    refute("check", path)
    interrupted("notes.true")
    [run] = results.runs(STORED)
    run.path.write_text(json.dumps(run.records[0] | changed) + "\n")
    done = refute("check", path, "--resume")
    assert "resumed: 0 of 1" in done.stderr
    assert "notes.true supported" in done.stdout


def test_hostile_files_cost_no_verdict(claim_file: WriteClaims, refute: Refute):
    """A check passes over what it cannot read."""
    STORED.mkdir(parents=True)
    (STORED / "0.jsonl").write_bytes(
        b"[" * 100_000 + b"\n\xff\n" + b'{"format": 1, "sort": "check"}\n{"format": 1, "sort": "end"'
    )
    (STORED / "9.jsonl").mkdir()
    done = refute("check", claim_file(TRUE), "--resume")
    assert done.exit_code == 0
    assert verdicts() == {"notes.true": "supported"}


def test_ablations_mutants_and_tightness_are_stored(claim_file: WriteClaims, refute: Refute):
    """With the rows that are printed, and the counterexample of what fell."""
    path = claim_file(BOUND)
    printed = json.loads(refute("ablate", path, "--tightness", "--json").stdout) + json.loads(
        refute("mutate", path, "--json").stdout
    )
    stored = [results.latest_groups(STORED, sort)["notes.bound"] for sort in ("ablation", "tightness", "mutant")]
    records = [record for group in stored for record in group]
    assert [{name: record[name] for name in row} for record, row in zip(records, printed, strict=True)] == printed
    assert [len(group) for group in stored] == [1, 2, 1]
    [dropped], _, [mutant] = stored
    assert (dropped["finding"], mutant["killed"]) == ("necessary", True)
    assert set(dropped["case"]) == set(mutant["case"]) == {"x"}
    assert all(run.finished for run in results.runs(STORED))


def test_the_files_of_a_check_are_ignored_by_git():
    """Results, certificates and examples lie in one folder, which the repository ignores."""
    ignored = (Path(__file__).parents[4] / ".gitignore").read_text().splitlines()
    assert f"{results.FOLDER.parts[0]}/" in ignored
