"""Tables fit the terminal, are one line per row in a pipe, and obey nobody but the person who looks."""

from typing import Any

import pytest
from rich.console import Console

from refute import Run
from refute.language.mutants import Mutant
from refute.run.loading import load_file
from refute.run.runner import run_claims
from refute.show import table
from refute.study.ablate import kill
from tests.refute.conftest import FALSE, TRUE, WriteClaims

LONG = "notes.theorem_5.the_inner_weights_stay_in_the_span_of_the_data"

HOSTILE = """
@claim("notes.\\x1b[2J<b>[red]\\u202e\\nnext", "Lemma \\x1b[31m\\x07", given=numbers, assumes=[positive])
def hostile(x):
    return at_least(x * x, x, "x^2 \\x1b[1m>= x")
"""


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    """A terminal of so many columns (80) without colour."""
    width = getattr(request, "param", 80)
    monkeypatch.setattr(
        table,
        "console",
        lambda: Console(force_terminal=True, no_color=True, width=width, markup=False, highlight=False),
    )
    monkeypatch.setattr(table, "on_terminal", lambda: True)
    return width


def row(id: str, **changed: Any) -> dict[str, Any]:
    known = {
        "id": id,
        "verdict": "supported",
        "recorded": "supported",
        "cases": 200,
        "margin": 0.5,
        "seconds": 1.25,
        "earned": True,
    }
    return known | changed


@pytest.mark.parametrize("terminal", [60, 80, 200], indirect=True)
def test_results_fit_a_terminal_and_ids_stay_whole(
    terminal: int, claim_file: WriteClaims, capsys: pytest.CaptureFixture[str]
):
    """No line is longer than the terminal, nothing is coloured, and no word is torn."""
    claims = load_file(claim_file(TRUE.replace("notes.true", LONG) + FALSE))
    table.print_results([result.row() for result in run_claims(claims, Run())])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= terminal
    words = "".join(lines).replace(" ", "") if terminal < len(LONG) else " ".join(lines)
    assert LONG in words
    assert "refuted" in words
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("terminal", [60], indirect=True)
def test_a_row_that_does_not_fit_is_told_below_its_id(terminal: int, capsys: pytest.CaptureFixture[str]):
    """A name and its value stay in one line."""
    table.print_results([row(LONG[:40]), row("notes.other", verdict="refuted", earned=False, margin=None)])
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        LONG[:40],
        "    verdict supported  recorded supported  cases 200",
        "    margin 0.5  seconds 1.25  ok",
        "notes.other",
        "    verdict refuted  recorded supported  cases 200  margin -",
        "    seconds 1.25  no",
    ]


@pytest.mark.usefixtures("terminal")
def test_claims_are_paragraphs_on_a_terminal(claim_file: WriteClaims, capsys: pytest.CaptureFixture[str]):
    """Kind, record, reference and assumptions below the id."""
    table.print_claims(load_file(claim_file(FALSE)))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["notes.false", "    algebraic, a conjecture", "    Conjecture 2", "    assumes x is positive"]


def test_a_pipe_gets_one_line_per_row(capsys: pytest.CaptureFixture[str]):
    """However long an id is, without spaces at the end."""
    table.print_results([row("notes." + "x" * 3000), row("notes.short")])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines == [line.rstrip() for line in lines]


@pytest.mark.parametrize(
    ("margin", "shown"),
    [(None, "-"), (0.0, "0"), (-0.123456, "-0.123"), ("1" + "0" * 6000, "1e6000"), ("-1/1" + "0" * 400, "-1e-400")],
)
def test_margins_are_short(margin: Any, shown: str, capsys: pytest.CaptureFixture[str]):
    """Numbers that no float holds too."""
    table.print_results([row("notes.it", margin=margin)])
    assert capsys.readouterr().out.splitlines()[1].split()[4] == shown


@pytest.mark.parametrize("on_a_terminal", [True, False])
def test_a_hostile_claim_is_shown_and_not_obeyed(
    on_a_terminal: bool, claim_file: WriteClaims, capsys, request: pytest.FixtureRequest
):
    """Escape sequences, bells, marks and line breaks in its id and reference are written out; markup is text."""
    if on_a_terminal:
        request.getfixturevalue("terminal")
    (claim,) = load_file(claim_file(HOSTILE))
    table.print_claims([claim])
    table.print_results([result.row() for result in run_claims([claim], Run())])
    table.print_kills([kill(claim, Mutant("wrong \x1b[5m version", conclusion=lambda x: -x * x), Run())])
    shown = capsys.readouterr().out
    assert not set(shown) & set("\x1b\x07\u202e\r")
    assert shown.count("notes.\\x1b[2J<b>[red]\\u202e\\nnext") == 3
    assert "wrong \\x1b[5m version" in shown
