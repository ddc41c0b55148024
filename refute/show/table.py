"""Tables for people: they fit a terminal, are as wide as need be in a pipe, never cut an id and cannot give orders to
the terminal.
"""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from refute.arithmetic.numbers import rational
from refute.language.claim import Claim
from refute.language.relations import Margin, approximate
from refute.show.visible import one_line
from refute.study.ablate import Kill

WIDE = 1_000_000  # a pipe has no width
COLOURS = {
    **dict.fromkeys(("proved", "supported"), "green"),
    **dict.fromkeys(("undecided", "vacuous"), "yellow"),
    "refuted": "red",
    "against": "bright_red",
    "broken": "magenta",
}
INDENT = 4
NUMBERS = ("cases", "margin", "seconds")


def on_terminal() -> bool:
    return sys.stdout.isatty()


def console() -> Console:
    """The terminal or the pipe, in colour as `--color` says; without it, on a terminal unless NO_COLOR is set."""
    terminal = on_terminal()
    context = click.get_current_context(silent=True)
    wanted = context.color if context is not None else None
    return Console(
        markup=False,
        highlight=False,
        emoji=False,
        force_terminal=terminal or bool(wanted),
        no_color=None if wanted is None else not wanted,
        color_system="standard" if wanted else "auto",
        width=None if terminal else WIDE,
    )


def _print_table(names: Sequence[str], rows: Iterable[Sequence[Text]]) -> None:
    """A table where there is room for whole lines; else each row as the first cell over the others."""
    screen = console()
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="")
    for name in names:
        table.add_column(name, justify="right" if name in NUMBERS else "left", no_wrap=True)
    known = list(rows)
    for row in known:
        table.add_row(*row)
    wanted = screen.measure(table, options=screen.options.update(max_width=WIDE)).maximum
    if wanted <= screen.width:
        with screen.capture() as captured:
            screen.print(table)
        click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
        return
    for row in known:
        _print_under(screen, names, row)


def _print_under(screen: Console, names: Sequence[str], row: Sequence[Text]) -> None:
    """The row as its first cell over the others."""
    first, *others = row
    details = [Text.assemble(f"{name} " if name else "", cell) for name, cell in zip(names[1:], others, strict=True)]
    screen.print(_under(first, _filled(details, screen.width - INDENT)))


def _filled(details: Iterable[Text], width: int) -> list[Text]:
    """The details in lines of at most so many characters; none is torn unless it is longer than a line."""
    lines: list[Text] = []
    for detail in details:
        if lines and lines[-1].cell_len + 2 + detail.cell_len <= width:
            lines[-1] = Text("  ").join([lines[-1], detail])
        else:
            lines.append(detail)
    return lines


def _under(first: Text, lines: Iterable[Text]) -> Group:
    """A line, and others below it, indented; what is too long for one line goes on in the next."""
    first.overflow = "fold"
    return Group(first, *(Padding(line, (0, 0, 0, INDENT), expand=False) for line in lines))


def _cell(text: str, style: str = "") -> Text:
    return Text(one_line(text), style=style)


def _short(margin: float | str | None) -> str:
    """Three digits of the margin of a row; a size where no float is near it."""
    if margin is None:
        return "-"
    value = rational(margin)
    number = approximate(value)
    return f"{number:.3g}" if math.isfinite(number) and (number or not value) else str(Margin(value))


class Rows:
    """A table that is printed row by row, as they are decided: its first column is as wide as what is to come."""

    names: tuple[str, ...]
    widths: tuple[int, ...]  # of the columns after the first

    def __init__(self, firsts: Iterable[str]) -> None:
        longest = max((Text(one_line(first)).cell_len for first in firsts), default=0)
        self.all_widths = (max(longest, len(self.names[0])), *self.widths)
        self.begun = False

    def _add(self, cells: Sequence[Text]) -> None:
        screen = console()
        if sum(self.all_widths) + len(self.widths) > screen.width:
            _print_under(screen, self.names, cells)
            return
        if not self.begun:
            self._print(screen, [Text(name) for name in self.names])
        self.begun = True
        self._print(screen, cells)

    def _print(self, screen: Console, cells: Sequence[Text]) -> None:
        for cell, name, width in zip(cells, self.names, self.all_widths, strict=True):
            cell.align("right" if name in NUMBERS else "left", max(width, cell.cell_len))
        line = Text(" ").join(cells)
        line.rstrip()
        screen.print(line, soft_wrap=True)


class Results(Rows):
    """The results of claims, by their ids."""

    names = ("claim", "verdict", "recorded", "cases", "margin", "seconds", "")
    widths = (9, 9, 5, 9, 7, 2)

    def add(self, row: Mapping[str, Any]) -> None:
        self._add(
            [
                _cell(row["id"]),
                _cell(row["verdict"], COLOURS[row["verdict"]]),
                _cell(row["recorded"] or "-"),
                _cell(str(row["cases"])),
                _cell(_short(row["margin"])),
                _cell(f"{row['seconds']:.2f}"),
                _cell("ok", "green") if row["earned"] else _cell("no", "red"),
            ]
        )


class Kills(Rows):
    """What happened to wrong versions."""

    names = ("claim", "verdict", "cases", "wrong version")
    widths = (9, 5, 30)

    def add(self, one: Kill) -> None:
        verdict = _cell(one.outcome.word, "green" if one.killed else "red")
        self._add([_cell(one.claim), verdict, _cell(str(one.outcome.evidence.cases)), _cell(one.mutant)])


def print_results(rows: Iterable[Mapping[str, Any]]) -> None:
    known = list(rows)
    shown = Results(row["id"] for row in known)
    for row in known:
        shown.add(row)


def print_kills(kills: Iterable[Kill]) -> None:
    known = list(kills)
    shown = Kills(one.claim for one in known)
    for one in known:
        shown.add(one)


def print_claims(claims: Iterable[Claim]) -> None:
    """One line per claim in a pipe, a paragraph on a terminal: assumptions are sentences."""
    if on_terminal():
        screen = console()
        for claim in claims:
            screen.print(_paragraph(claim))
        return
    cells = [
        [
            _cell(claim.id),
            _cell(claim.kind.value),
            _cell(claim.recorded or "-"),
            _cell(claim.reference),
            _cell(_assumptions(claim)),
        ]
        for claim in claims
    ]
    _print_table(["claim", "kind", "recorded", "reference", "assumptions"], cells)


def _paragraph(claim: Claim) -> Group:
    recorded = claim.recorded or "a conjecture"
    details = [
        f"{claim.kind.value}, {recorded}",
        claim.reference,
        f"assumes {_assumptions(claim)}" if claim.assumes else "",
    ]
    return _under(_cell(claim.id, "cyan"), [_cell(detail) for detail in details if detail])


def _assumptions(claim: Claim) -> str:
    return "; ".join(assumption.text for assumption in claim.assumes)
