"""Runs are written side by side, survive a kill, and are read back in order."""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from refute.run import results
from refute.run.results import Journal, append, history, latest, latest_groups, previous, read, runs
from tests.refute.run.results.conftest import Make


def test_runs_are_read_in_the_order_in_which_they_began(tmp_path: Path, check_record: Make):
    """And records as they came; a run that began earlier is earlier, whenever its first result came."""
    slow = Journal(tmp_path)
    append(tmp_path, [check_record("b"), check_record("c")])
    slow.add(check_record("a"))
    assert [record["claim"] for record in read(tmp_path)] == ["a", "b", "c"]
    assert [(run.finished, run.skipped) for run in runs(tmp_path)] == [(False, 0), (True, 0)]
    slow.finish()
    assert all(run.finished for run in runs(tmp_path))


def test_without_a_folder_there_are_no_results(tmp_path: Path):
    """Nor is one made by looking, or by a run without results."""
    absent = tmp_path / "absent"
    assert (read(absent), latest(absent, "check"), runs(absent)) == ([], {}, [])
    assert append(absent, []) is None
    assert not absent.exists()


def test_runs_that_begin_at_the_same_moment_have_files_of_their_own(tmp_path: Path, check_record: Make):
    """Even in one process."""
    first, second = Journal(tmp_path), Journal(tmp_path)
    second.began = first.began
    for journal, claim in ((first, "a"), (second, "b"), (first, "c")):
        journal.add(check_record(claim))
    assert [[record["claim"] for record in run.records] for run in runs(tmp_path)] == [["a", "c"], ["b"]]


def _write(folder: Path, record: results.Record, count: int) -> None:
    journal = Journal(folder)
    for number in range(count):
        journal.add(record | {"cases": number})
    journal.finish()


def test_processes_do_not_interleave(tmp_path: Path, check_record: Make):
    """Each run has its own file with its own records in order, however many write at the same time."""
    names = [f"writer {k}" for k in range(8)]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for done in [pool.submit(_write, tmp_path, check_record(name), 40) for name in names]:
            done.result()
    stored = runs(tmp_path)
    assert sorted(claim for run in stored for claim in {record["claim"] for record in run.records}) == names
    assert all([record["cases"] for record in run.records] == list(range(40)) and run.finished for run in stored)


def test_a_kill_loses_at_most_the_line_being_written(tmp_path: Path, check_record: Make):
    """Wherever the file ends, every line before is read and at most one is passed over."""
    path = append(tmp_path, [check_record("a"), check_record("b", detail="μ")])
    assert path is not None
    whole = path.read_bytes()
    ends = [k for k, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        [run] = runs(tmp_path)
        complete = sum(end <= length for end in ends)  # a line that lacks only its end of line is whole
        assert (len(run.records), run.finished) == (min(complete, 2), complete == 3)
        assert run.skipped == (length not in {0, *ends, *(end + 1 for end in ends)})


def test_foreign_lines_are_counted_and_passed_over(tmp_path: Path, check_record: Make):
    """They hide nothing."""
    path = append(tmp_path, [check_record("a")])
    assert path is not None
    good = path.read_bytes()
    newer = json.dumps(check_record("z", format=99)).encode() + b"\n"
    path.write_bytes(
        b"{\n" + newer + good + b"\xff\xff\n" + b"[" * 100_000 + b"\n" + json.dumps(check_record("b")).encode()
    )
    [run] = runs(tmp_path)
    assert [record["claim"] for record in run.records] == ["a", "b"]
    assert run.skipped == 4


def test_a_line_without_end_does_not_fill_the_memory(
    tmp_path: Path, check_record: Make, monkeypatch: pytest.MonkeyPatch
):
    """It is one line that is passed over, and the next one is read."""
    monkeypatch.setattr(history, "LONGEST_LINE", 1000)
    line = json.dumps(check_record("a")).encode() + b"\n"
    assert len(line) < 1000
    (tmp_path / "1.jsonl").write_bytes(b"x" * 5500 + b"\n" + line + b'"' + b"y" * 3000)
    [run] = runs(tmp_path)
    assert ([record["claim"] for record in run.records], run.skipped) == (["a"], 2)


def test_other_files_are_no_runs(tmp_path: Path, check_record: Make):
    """A folder, a pipe, a file of another name."""
    append(tmp_path, [check_record("a")])
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "notes.txt").write_text(json.dumps(check_record("b")))
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    assert [record["claim"] for record in read(tmp_path)] == ["a"]


def test_the_latest_record_of_each_claim(tmp_path: Path, check_record: Make, mutant_record: Make):
    """Of each sort; other claims and other sorts do not hide it."""
    append(
        tmp_path,
        [
            check_record("a", cases=1),
            check_record("b", cases=1),
            mutant_record("a", "old"),
            mutant_record("a", "older"),
        ],
    )
    append(tmp_path, [check_record("a", cases=2), mutant_record("a", "new"), mutant_record("b", "other")])
    append(tmp_path, [check_record("c", cases=3)])
    assert {claim: record["cases"] for claim, record in latest(tmp_path, "check").items()} == {"a": 2, "b": 1, "c": 3}
    assert set(latest(tmp_path, "check", ["a", "nobody"])) == {"a"}
    groups = latest_groups(tmp_path, "mutant")
    assert {claim: [record["mutant"] for record in group] for claim, group in groups.items()} == {
        "a": ["new"],
        "b": ["other"],
    }


def test_what_stood_before_a_run(tmp_path: Path, check_record: Make):
    """The latest record of each claim among the runs that began before."""
    for cases in (1, 2, 3):
        append(tmp_path, [check_record("a", cases=cases)])
    names = [run.name for run in runs(tmp_path)]
    assert previous(tmp_path, names[0]) == {}
    assert [previous(tmp_path, name)["a"]["cases"] for name in names[1:]] == [1, 2]


def test_old_files_are_not_opened_once_every_claim_is_found(
    tmp_path: Path, check_record: Make, monkeypatch: pytest.MonkeyPatch
):
    """A check of one claim does not read the history of years."""
    for _ in range(5):
        append(tmp_path, [check_record("a")])
    opened: list[Path] = []
    monkeypatch.setattr(history, "_stored", lambda path, read=history._stored: opened.append(path) or read(path))
    assert set(latest(tmp_path, "check", {"a"})) == {"a"}
    assert len(opened) == 1
