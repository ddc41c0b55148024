"""`refute figure`: redraw a figure of a paper."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import getdoc, signature
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from refute.commands.common import stdout_kept_clean
from refute.commands.completion import figure_numbers, paper_names
from refute.errors import BadClaim, BadInput, UnknownPattern, missing
from refute.language.place import shown, where_raised
from refute.language.registry import figures
from refute.run.loading import load_all

Draw = Callable[..., Any]
ENDINGS = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}  # with what is left out, so that a figure is reproducible
OPTIONS = ("seeds", "quick", "full")


@click.command()
@click.argument("paper", required=False, shell_complete=paper_names)
@click.argument("number", metavar="[FIGURE]", required=False, shell_complete=figure_numbers)
@click.option(
    "--list",
    "listing",
    is_flag=True,
    help="List the known figures and the options of each; so does leaving out FIGURE.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where to write it; the ending gives the format: png, svg or pdf."
)
@click.option("--seeds", type=click.IntRange(min=1), help="How many random starts.")
@click.option("--quick", is_flag=True, help="A smaller version, in seconds, where there is one.")
@click.option(
    "--full", is_flag=True, help="Everything that the paper ran, where less is the default; this may take days."
)
def figure(
    paper: str | None, number: str | None, listing: bool, out: Path | None, seeds: int | None, quick: bool, full: bool
) -> None:
    """Reproduce a figure of a paper.

    The caption, under the picture and on the standard output, compares what was measured with what the paper says.

    \b
    Example: refute figure PAPER 3 --out figure.svg --seeds 5
    """
    os.environ.setdefault("MPLBACKEND", "Agg")  # figures are saved, not shown
    with stdout_kept_clean():
        load_all()
    if listing or number is None:
        click.echo("\n".join(_listed(paper)))
        return
    draw = _known(paper or "", number)
    arguments = _accepted(draw, {"seeds": seeds, "quick": quick, "full": full})
    target = out or Path("figures") / f"{paper}-{number}.png"
    if target.suffix.lower() not in ENDINGS:
        raise BadInput(
            f"cannot write {target}: the ending is none of {', '.join(ENDINGS)}",
            "choose another --out, such as figure.png",
        )
    with stdout_kept_clean(), _progress(draw) as watching:
        drawn = _drawn(draw, arguments | watching)
    _save(drawn, target)
    click.echo("\n".join(line for line in (shown(target), str(drawn.get_label())) if line))


def _number(name: tuple[str, str]) -> tuple[str, int, str]:
    """Figure 10 comes after figure 9."""
    return name[0], int("0" + "".join(re.findall(r"^\d+", name[1]))), name[1]


def _listed(paper: str | None) -> list[str]:
    known = sorted((name for name in figures() if paper in (None, name[0])), key=_number)
    if not known:
        papers = ", ".join(sorted({p for p, _ in figures()})) or "none"
        raise UnknownPattern(f"no figure{f' of {paper!r}' if paper else ''} is known", f"papers with figures: {papers}")
    rows = [
        (f"{p} {n}", " ".join(f"--{name}" for name in _supported(figures()[p, n])), _first_line(figures()[p, n]))
        for p, n in known
    ]
    widths = [max(len(row[k]) for row in rows) for k in (0, 1)]
    return [f"{name:<{widths[0]}}  {options:<{widths[1]}}  {words}".rstrip() for name, options, words in rows]


def _first_line(draw: Draw) -> str:
    return (getdoc(draw) or "").partition("\n")[0]


def _supported(draw: Draw) -> list[str]:
    return [name for name in OPTIONS if name in signature(draw).parameters]


def _known(paper: str, number: str) -> Draw:
    known = figures()
    if (paper, number) not in known:
        names = sorted(known, key=_number)
        near = ", ".join(f"{p} {n}" for p, n in names if p == paper) or ", ".join(f"{p} {n}" for p, n in names)
        raise UnknownPattern(f"no figure {number} of {paper!r} is known", f"known figures: {near or 'none'}")
    return known[paper, number]


def _accepted(draw: Draw, given: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, all of which the figure must support."""
    if "quick" not in _supported(draw):
        given = given | {"quick": None}  # a figure that has no smaller version is drawn in seconds as it is
    chosen = {name: value for name, value in given.items() if value}
    if {"quick", "full"} <= chosen.keys():
        raise BadInput("--quick and --full are given together", "choose one of them")
    foreign = [f"--{name}" for name in chosen if name not in _supported(draw)]
    if foreign:
        allowed = ", ".join(f"--{name}" for name in _supported(draw))
        raise BadInput(
            f"this figure does not take {', '.join(foreign)}",
            f"it takes {allowed}" if allowed else "it takes no options",
        )
    return chosen


@contextmanager
def _progress(draw: Draw) -> Iterator[dict[str, Any]]:
    """The argument that moves a bar on the terminal, for a figure that reports its progress; nothing in a pipe."""
    if "progress" not in signature(draw).parameters:
        yield {}
        return
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("figure", total=None)
        yield {"progress": lambda done, total: bar.update(task, completed=done, total=total)}


def _drawn(draw: Draw, arguments: dict[str, Any]) -> Any:
    try:
        drawn = draw(**arguments)
    except ModuleNotFoundError as error:
        raise missing(error) or error from error
    except Exception as error:
        raise BadClaim(
            f"{draw.__name__}() raised {type(error).__name__}: {error}{where_raised(error, None)}"
        ) from error
    if not hasattr(drawn, "savefig"):
        raise BadClaim(f"{draw.__name__}() returned {type(drawn).__name__}", "return a matplotlib Figure")
    return drawn


def _save(drawn: Any, target: Path) -> None:
    from matplotlib import rc_context

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with rc_context({"svg.hashsalt": "refute"}):
            drawn.savefig(target, metadata=ENDINGS[target.suffix.lower()])
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write {target}: {error}", "choose another --out, such as figure.png") from error
