"""What changed since the last time is told once per claim, the most important first."""

import pytest

from refute.run.results.changes import MOST_NAMED, changes, heading
from tests.refute.run.results.conftest import Make


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (("supported", True), ("supported", True), None),
        (("supported", True), ("refuted", False), "newly refuted"),
        (("undecided", False), ("refuted", True), "newly refuted"),
        (("supported", True), ("against", False), "newly against"),
        (("refuted", True), ("against", False), "newly against"),
        (("refuted", False), ("refuted", True), "newly earned"),
        (("undecided", False), ("supported", True), "newly earned"),
        (("supported", True), ("broken", False), "no longer earned"),
        (("supported", True), ("proved", True), "verdict changed"),
        (("vacuous", False), ("undecided", False), "verdict changed"),
        (None, ("supported", True), "new claim"),
    ],
)
def test_one_heading_per_claim(
    check_record: Make, old: tuple[str, bool] | None, new: tuple[str, bool], said: str | None
):
    """A refutation above all, then the record, then any other change of verdict."""
    before = check_record(verdict=old[0], earned=old[1]) if old else None
    assert heading(before, check_record(verdict=new[0], earned=new[1])) == said


def test_the_first_time_nothing_has_changed(check_record: Make):
    """There is nothing to compare with; the next time there is."""
    assert changes({}, [check_record("a")]) == []
    assert changes({"a": check_record("a")}, [check_record("a"), check_record("b")]) == [
        "new claim         b   supported"
    ]


def test_the_most_important_change_stands_first(check_record: Make):
    """With both verdicts, and what was different about the last time."""
    before = {"a": check_record("a"), "b": check_record("b", profile="thorough", seed=3, statement="old")}
    after = [check_record("a", verdict="proved"), check_record("b", verdict="refuted", earned=False)]
    assert changes(before, after) == [
        "newly refuted     b   supported -> refuted   (the last time with thorough, seed 3 and with another wording)",
        "verdict changed   a   supported -> proved",
    ]


def test_many_changes_are_counted(check_record: Make):
    """The block stays short."""
    after = [check_record(f"c{k}") for k in range(MOST_NAMED + 5)]
    lines = changes({"a": check_record("a")}, after)
    assert len(lines) == MOST_NAMED + 1
    assert lines[-1] == "new claim         and 5 more"
