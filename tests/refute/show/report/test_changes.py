"""What changed since the last report."""

from pathlib import Path

import pytest

from refute.show.report.changes import FILE, Change, compare


def test_the_first_report_has_nothing_to_compare_with(tmp_path: Path):
    """And says so when it is written again."""
    assert compare(tmp_path, {"a": "proved"}) is None
    assert compare(tmp_path, {"a": "proved"}) is None


def test_changes_stay_until_verdicts_change_again(tmp_path: Path):
    """Writing a report twice gives the same pages."""
    compare(tmp_path, {"a": "supported", "b": "proved", "gone": "proved"})
    now = {"a": "refuted", "b": "proved", "new": "supported"}
    expected = [Change("a", "supported", "refuted"), Change("gone", "proved", None), Change("new", None, "supported")]
    assert compare(tmp_path, now) == expected
    assert compare(tmp_path, now) == expected
    assert compare(tmp_path, {**now, "b": "undecided"}) == [Change("b", "proved", "undecided")]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '{"refute_report": 2, "now": {}}', '{"refute_report": 1, "now": [], "before": 3}', "\udcff"],
)
def test_a_file_that_is_something_else_counts_as_none(tmp_path: Path, content: str):
    """It is replaced."""
    (tmp_path / FILE).write_text(content, encoding="utf-8", errors="surrogateescape")
    assert compare(tmp_path, {"a": "proved"}) is None
    assert compare(tmp_path, {"a": "refuted"}) == [Change("a", "proved", "refuted")]
