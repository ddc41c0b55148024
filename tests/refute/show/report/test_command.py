"""`refute report`: from stored results to a folder, running nothing."""

from pathlib import Path

from tests.refute.conftest import FALSE, TRUE, Refute, WriteClaims


def test_a_report_is_written_from_what_is_stored(claim_file: WriteClaims, refute: Refute, tmp_path: Path):
    """Verdicts of the last check; a claim added since is not run."""
    claim_file(TRUE + FALSE)
    refute("check", "mine.py")
    claim_file(
        "@claim('notes.later', given=numbers)\\ndef later(x):\\n    raise SystemExit('it was run')\\n".replace(
            "\\n", "\n"
        ),
        "later.py",
    )
    result = refute("report", "mine.py", "later.py", "--out", "site")
    assert result.exit_code == 0, result.output
    assert "site/index.html: 3 claims" in result.output
    front = (tmp_path / "site" / "index.html").read_text()
    assert "1 claim was not run yet." in front
    assert "refuted" in (tmp_path / "site" / "claim" / "notes.false.html").read_text()
    assert list((tmp_path / "site" / "certificates").iterdir())


def test_without_results_nothing_is_run(claim_file: WriteClaims, refute: Refute, tmp_path: Path):
    """The report says so of every claim."""
    claim_file(TRUE + FALSE)
    assert refute("report", "mine.py", "--out", "site").exit_code == 0
    assert "2 claims were not run yet." in (tmp_path / "site" / "index.html").read_text()


def test_changes_are_kept_beside_the_results(claim_file: WriteClaims, refute: Refute, tmp_path: Path):
    """The next report names the verdicts that changed."""
    claim_file(FALSE)
    refute("report", "mine.py", "--out", "site")
    assert (tmp_path / ".refute" / "results" / "last-report.json").is_file()
    refute("check", "mine.py")
    refute("report", "mine.py", "--out", "site")
    front = (tmp_path / "site" / "index.html").read_text()
    assert "notes.false" in front[front.index('id="changes"') :]


def test_a_folder_of_something_else_is_refused(claim_file: WriteClaims, refute: Refute, tmp_path: Path):
    """With a hint, and exit code 2."""
    claim_file(TRUE)
    result = refute("report", "mine.py", "--out", ".")
    assert result.exit_code == 2
    assert "--out" in result.output
    assert not (tmp_path / "index.html").exists()


def test_two_runs_are_compared(claim_file: WriteClaims, refute: Refute, tmp_path: Path):
    """With the results of another folder, or with what was stored before a time."""
    claim_file(FALSE)
    assert refute("check", "mine.py", "--results", "other").exit_code == 1
    [stored] = (tmp_path / "other").glob("*.jsonl")
    (tmp_path / "other" / stored.name).write_text(
        stored.read_text().replace('"verdict": "refuted"', '"verdict": "supported"')
    )
    refute("check", "mine.py")
    assert refute("report", "mine.py", "--out", "site", "--against", "other").exit_code == 0
    front = (tmp_path / "site" / "index.html").read_text()
    assert "Compared with the results in other" in front
    assert "supported" in front[front.index('id="changes"') :]
    assert "nothing was stored before" in refute("report", "mine.py", "--out", "site", "--since", "2001-01-01").output
    assert refute("report", "mine.py", "--out", "site", "--since", "2999-01-01").exit_code == 0
    assert "No verdict has changed" in (tmp_path / "site" / "index.html").read_text()
