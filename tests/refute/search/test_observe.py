"""Every case tried is a line that viewers of Hypothesis's observations read."""

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis.internal import observability

from tests.refute.commands.test_main import script
from tests.refute.conftest import FALSE, NOTHING, TRUE, Refute, WriteClaims, written

# Types of the published schema of observations (PBT Observations, "Test case").
TYPES: dict[str, tuple[type, ...]] = {
    "type": (str,),
    "status": (str,),
    "status_reason": (str,),
    "representation": (str,),
    "arguments": (dict,),
    "how_generated": (str,),
    "features": (dict,),
    "coverage": (type(None),),
    "timing": (dict,),
    "metadata": (dict,),
    "property": (str,),
    "run_start": (float,),
}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def of(found: list[dict[str, Any]], claim: str) -> list[dict[str, Any]]:
    return [line for line in found if line["property"] == claim]


@pytest.fixture
def observed(claim_file: WriteClaims, refute: Refute) -> list[dict[str, Any]]:
    """The lines of a check of a claim that holds, one that does not, and one that cannot be run."""
    refute("check", claim_file(TRUE + FALSE + NOTHING), "--observe", "cases.jsonl")
    return lines(Path("cases.jsonl"))


def test_a_line_has_the_fields_of_the_format(observed: list[dict[str, Any]]):
    """Those of the installed Hypothesis, in a case and in its metadata, with the types of the published schema."""
    wanted = {field.name for field in fields(observability.TestCaseObservation)}
    empty: Any = observability.ObservationMetadata
    metadata = set(empty(**{field.name: None for field in fields(empty)}).to_json())
    for line in observed:
        assert set(line) == wanted == set(TYPES)
        assert all(isinstance(line[name], types) for name, types in TYPES.items())
        assert line["type"] == "test_case"
        assert line["status"] in get_args(observability.TestCaseStatus)
        assert all(seconds >= 0 for seconds in line["timing"].values())
        assert set(line["metadata"]) == metadata


def test_there_is_a_line_for_every_case(observed: list[dict[str, Any]]):
    """With its margin; all lines of a run have one beginning."""
    true = of(observed, "notes.true")
    assert len(true) == 120
    assert {(line["status"], line["how_generated"]) for line in true} == {("passed", "drawn")}
    assert all(line["features"]["margin"] >= 0 for line in true)
    assert len({line["run_start"] for line in observed}) == 1
    [zero] = {json.dumps(line["arguments"]) for line in true if line["representation"] == "x = 0"}
    assert json.loads(zero) == {"x": "0"}


def test_the_status_tells_what_became_of_the_case(observed: list[dict[str, Any]]):
    """A violation failed with its line, an unmet assumption gave up and is counted, an error failed."""
    false = of(observed, "notes.false")
    failed = [line for line in false if line["status"] == "failed"]
    assert {line["how_generated"] for line in failed} == {"drawn", "shrunk"}
    assert all(
        line["status_reason"].startswith("violated: x^2 >= x: left ") and line["features"]["margin"] < 0
        for line in failed
    )
    gave_up = [line for line in false if line["status"] == "gave_up"]
    assert {line["status_reason"] for line in gave_up} == {"not met: x is positive"}
    assert gave_up[0]["metadata"]["predicates"] == {"x is positive": {"satisfied": 0, "unsatisfied": 1}}
    assert failed[0]["metadata"]["predicates"] == {"x is positive": {"satisfied": 1, "unsatisfied": 0}}
    [nothing, *_] = of(observed, "notes.nothing")
    assert (nothing["status"], nothing["status_reason"]) == ("failed", "says_nothing() returned nothing")


def test_an_undecided_case_gave_up(claim_file: WriteClaims, refute: Refute):
    """The error swallows the margin: it neither passed nor failed."""
    body = '@claim("notes.fog", given=numbers)\ndef fog(x):\n    "x >= 0 or so"\n    return at_least(x, x, error=1)\n'
    refute("check", claim_file(body), "--observe", "cases.jsonl")
    assert {(line["status"], line["features"]["decision"]) for line in lines(Path("cases.jsonl"))} == {
        ("gave_up", "undecided")
    }


def test_a_case_without_the_premise_gave_up(claim_file: WriteClaims, refute: Refute):
    """The statement says nothing about it."""
    body = """
from refute import suppose
@claim("notes.if", given=numbers)
def conditional(x):
    "if x > 1 then x^2 > x"
    suppose(x > 1, "x is above one")
    return less(x, x * x)
"""
    refute("check", claim_file(body), "--observe", "cases.jsonl")
    found = lines(Path("cases.jsonl"))
    assert {(line["status"], line["status_reason"]) for line in found} == {
        ("gave_up", "premise: x is above one"),
        ("passed", ""),
    }


def test_a_full_disk_costs_no_verdict(claim_file: WriteClaims):
    """The rest of the cases is not written down, which is said once."""
    Path("cases.jsonl").symlink_to("/dev/full")
    words = [sys.executable, "-m", "refute", "check", claim_file(TRUE), "--observe", "cases.jsonl"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr.count("cases are no longer observed") == 1


def test_sizes_are_features(claim_file: WriteClaims, refute: Refute):
    """A viewer can tell whether large cases were tried."""
    body = """
from refute.strategies import dataset, sized
@claim("notes.sized", given=sized(data=dataset))
def sized_claim(data):
    "labels are labels"
    return 0 * data.labels
"""
    refute("check", claim_file(body), "--observe", "cases.jsonl")
    found = lines(Path("cases.jsonl"))
    assert all({"data: samples", "data: dimension"} <= set(line["features"]) for line in found)
    assert len({line["features"]["data: samples"] for line in found}) > 1


def test_a_folder_gets_a_file_of_the_name_that_hypothesis_uses(claim_file: WriteClaims, refute: Refute):
    """And a second run is appended, with another beginning."""
    path = claim_file(TRUE)
    for _ in range(2):
        assert refute("check", path, "--observe", "observed").exit_code == 0
    [file] = Path("observed").glob("*_testcases.jsonl")
    assert len({line["run_start"] for line in lines(file)}) == 2


def test_processes_share_the_file(tmp_path: Path):
    """The same lines with one process and with two, whole ones."""
    seen = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)  # each run has its own memory of examples
        written(folder, TRUE + FALSE + TRUE.replace("notes.true", "notes.too"), "mine.py")
        process = script(
            "check", "mine.py", "--device", "cpu", "--jobs", jobs, "--observe", "cases.jsonl", folder=folder
        )
        assert process.communicate()[1] == ""
        seen.append(
            sorted((line["property"], line["representation"], line["status"]) for line in lines(folder / "cases.jsonl"))
        )
    assert seen[0] == seen[1]
    assert {claim for claim, _, _ in seen[0]} == {"notes.true", "notes.false", "notes.too"}


def test_a_file_that_cannot_be_written_is_wrong_use(claim_file: WriteClaims, refute: Refute):
    """Before anything is run."""
    Path("taken").write_text("")
    done = refute("check", claim_file(TRUE), "--observe", "taken/cases.jsonl")
    assert done.exit_code == 2
    assert "cannot write taken/cases.jsonl" in done.stderr
    assert done.stdout == ""


def test_nothing_is_written_unless_asked(claim_file: WriteClaims, refute: Refute):
    """Observation ends with the check that asked for it."""
    path = claim_file(TRUE)
    refute("check", path, "--observe", "cases.jsonl")
    before = Path("cases.jsonl").stat().st_size
    refute("check", path)
    assert Path("cases.jsonl").stat().st_size == before
