import pytest
from rich.console import Console

from refute import Run, table
from refute.loading import load_file
from refute.runner import run_claims
from tests.refute.conftest import FALSE, TRUE, WriteClaims

LONG = "notes.theorem_5.the_inner_weights_stay_in_the_span_of_the_data"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns without colour."""
    monkeypatch.setattr(table, "console", lambda: Console(force_terminal=True, no_color=True, width=80, markup=False, highlight=False))


@pytest.mark.usefixtures("terminal")
def test_results_fit_a_terminal_and_ids_stay_whole(claim_file: WriteClaims, capsys: pytest.CaptureFixture[str]):
    """A long id goes on in the next line; no line is longer than the terminal and nothing is coloured."""
    claims = load_file(claim_file(TRUE.replace("notes.true", LONG) + FALSE))
    table.print_results(run_claims(claims, Run()))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "".join(line.split(" ")[0] for line in lines[1:3]) == LONG
    assert "refuted" in lines[3]
    assert not any("\x1b" in line for line in lines)


@pytest.mark.usefixtures("terminal")
def test_claims_are_paragraphs_on_a_terminal(claim_file: WriteClaims, capsys: pytest.CaptureFixture[str]):
    """Kind, record, reference and assumptions below the id."""
    table.print_claims(load_file(claim_file(FALSE)))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["notes.false", "    algebraic, a conjecture", "    Conjecture 2", "    assumes x is positive"]
