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
    for first, *others in known:
        details = [
            Text.assemble(f"{name} " if name else "", cell) for name, cell in zip(names[1:], others, strict=True)
        ]
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


def print_results(rows: Iterable[Mapping[str, Any]]) -> None:
    names = ["claim", "verdict", "recorded", "cases", "margin", "seconds", ""]
    cells = [
        [
            _cell(row["id"]),
            _cell(row["verdict"], COLOURS[row["verdict"]]),
            _cell(row["recorded"] or "-"),
            _cell(str(row["cases"])),
            _cell(_short(row["margin"])),
            _cell(f"{row['seconds']:.2f}"),
            _cell("ok", "green") if row["earned"] else _cell("no", "red"),
        ]
        for row in rows
    ]
    _print_table(names, cells)


def print_kills(kills: Iterable[Kill]) -> None:
    cells = [
        [
            _cell(one.claim),
            _cell(one.mutant),
            _cell(one.outcome.word, "green" if one.killed else "red"),
            _cell(str(one.outcome.evidence.cases)),
        ]
        for one in kills
    ]
    _print_table(["claim", "wrong version", "verdict", "cases"], cells)


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
