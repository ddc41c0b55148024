"""Tables for people: they fit a terminal, are as wide as need be in a pipe, and never cut an id."""

import sys
from collections.abc import Iterable

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from refute.ablate import Kill
from refute.claim import Claim
from refute.margin import approximate
from refute.result import Result
from refute.verdict import margin_of

WIDE = 1000
COLOURS = {"proved": "green", "supported": "green", "refuted": "red", "undecided": "yellow", "vacuous": "yellow", "broken": "magenta"}


def console() -> Console:
    terminal = sys.stdout.isatty()
    return Console(markup=False, highlight=False, emoji=False, force_terminal=terminal, width=None if terminal else WIDE)


def _table(names: Iterable[str], numbers: Iterable[str] = ()) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="")
    for name in names:
        justify = "right" if name in set(numbers) else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=False)  # type: ignore[arg-type]
    return table


def print_results(results: Iterable[Result]) -> None:
    table = _table(["claim", "verdict", "recorded", "cases", "margin", "seconds", ""], numbers=["cases", "margin", "seconds"])
    for result in results:
        margin = margin_of(result.outcome)
        table.add_row(
            Text(result.id),
            Text(result.outcome.word, style=COLOURS[result.outcome.word]),
            result.recorded or "-",
            str(result.outcome.evidence.cases),
            f"{approximate(margin.value):.3g}" if margin is not None else "-",
            f"{result.seconds:.2f}",
            Text("ok", style="green") if result.earned else Text("no", style="red"),
        )
    console().print(table)


def print_kills(kills: Iterable[Kill]) -> None:
    table = _table(["claim", "wrong version", "verdict", "cases"], numbers=["cases"])
    for one in kills:
        colour = "green" if one.killed else "red"
        table.add_row(Text(one.claim), Text(one.mutant), Text(one.outcome.word, style=colour), str(one.outcome.evidence.cases))
    console().print(table)


def print_claims(claims: Iterable[Claim]) -> None:
    """One line per claim in a pipe, a paragraph on a terminal: assumptions are sentences."""
    screen = console()
    if screen.is_terminal:
        for claim in claims:
            screen.print(_paragraph(claim))
        return
    table = _table(["claim", "kind", "recorded", "reference", "assumptions"])
    for claim in claims:
        table.add_row(Text(claim.id), claim.kind.value, claim.recorded or "-", Text(claim.reference), Text(_assumptions(claim)))
    screen.print(table)


def _paragraph(claim: Claim) -> Group:
    recorded = claim.recorded or "a conjecture"
    details = [f"{claim.kind.value}, {recorded}", claim.reference, f"assumes {_assumptions(claim)}" if claim.assumes else ""]
    lines = [Padding(Text(detail), (0, 0, 0, 4)) for detail in details if detail]
    return Group(Text(claim.id, style="cyan", overflow="fold"), *lines)


def _assumptions(claim: Claim) -> str:
    return "; ".join(assumption.text for assumption in claim.assumes)
