"""`refute figure`: redraw a figure of a paper."""

import os
from pathlib import Path
from typing import Any

import click

from refute.commands.common import stdout_kept_clean
from refute.errors import BadClaim, BadInput, UnknownPattern
from refute.loading import load_all
from refute.place import shown, where_raised
from refute.registry import figures


@click.command()
@click.argument("paper")
@click.argument("number", metavar="FIGURE")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write it; the ending gives the format.")
def figure(paper: str, number: str, out: Path | None) -> None:
    """Reproduce a figure of a paper.

    \b
    Example: refute figure PAPER 3 --out figure.png
    """
    os.environ.setdefault("MPLBACKEND", "Agg")  # figures are saved, not shown
    with stdout_kept_clean():
        load_all()
        drawn = _drawn(paper, number)
    target = out or Path("figures") / f"{paper}-{number}.png"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        drawn.savefig(target)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write {target}: {error}", "choose another --out, such as figure.png") from error
    click.echo(shown(target))


def _drawn(paper: str, number: str) -> Any:
    known = figures()
    draw = known.get((paper, number))
    if draw is None:
        listed = ", ".join(f"{p} {n}" for p, n in sorted(known) if p == paper) or ", ".join(f"{p} {n}" for p, n in sorted(known))
        raise UnknownPattern(f"no figure {number} of {paper!r} is known", f"known figures: {listed or 'none'}")
    try:
        drawn = draw()
    except Exception as error:
        raise BadClaim(f"{draw.__name__}() raised {type(error).__name__}: {error}{where_raised(error, None)}") from error
    if not hasattr(drawn, "savefig"):
        raise BadClaim(f"{draw.__name__}() returned {type(drawn).__name__}", "return a matplotlib Figure")
    return drawn
