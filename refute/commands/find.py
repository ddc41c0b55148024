"""`refute find`: climb the margin of a claim until it is violated or the budget is spent."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from refute.commands.common import (
    EVIDENCE,
    INTERRUPTED,
    NOT_EARNED,
    as_json_option,
    err_console,
    indented,
    print_json,
    say,
    seed_option,
    stdout_kept_clean,
)
from refute.commands.completion import claim_ids
from refute.commands.storing import Store, store_options
from refute.decide.effort import Run
from refute.decide.verdict import Against, Proved, fallen
from refute.language.case import Case
from refute.language.kind import Kind
from refute.language.place import shown
from refute.run.device import resolve
from refute.run.loading import select
from refute.run.results import stamped
from refute.show.visible import one_line


@click.command("find")
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, shell_complete=claim_ids)
@click.option(
    "--budget",
    default="60s",
    show_default=True,
    help="Time (60s, 5m, 2h) or effort (5000 cases), for all targets together.",
)
@as_json_option
@seed_option
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes on this machine.")
@click.option("--scheduler", metavar="ADDRESS", help="Give the work to a running dask.distributed cluster instead.")
@click.option("--slurm", is_flag=True, help="Give the work to Slurm instead (submitit).")
@click.option("--fresh", is_flag=True, help="Begin anew instead of taking up what was saved.")
@click.option(
    "--plot", metavar="FILE", type=click.Path(path_type=Path), help="Draw the hunt into an .svg, .png or .pdf file."
)
@store_options
@click.pass_context
def find(
    context: click.Context,
    targets: Sequence[str],
    budget: str,
    as_json: bool,
    seed: int,
    jobs: int,
    scheduler: str | None,
    slurm: bool,
    fresh: bool,
    plot: Path | None,
    folder: Path,
    store: bool,
) -> None:
    """Hunt counterexamples: climb the margin of each target until it is violated or the budget is spent.

    The state is saved after every step, so an interrupted hunt goes on where it stopped. With a budget in cases the
    result depends on nothing but the seed. The picture of --plot shows how near the cases of each method came, and
    where they lie; with several targets there is one picture each, named after the claim.

    \b
    Exit code: 0 refuted (at least one target), 1 not refuted (also: a witness of an existence claim found), 2 wrong use, 4 evidence against only, 130 interrupted

    \b
    Example: refute find claims/conjectures/mine.py::name --budget 5m --jobs 4 --plot hunt.svg
    """
    from refute.run.hunt import Budget, pursue, take_up
    from refute.run.workers import workers
    from refute.show.hunt_plot import checked_target

    amount, run = Budget.parse(budget), Run(seed=seed, device=resolve("auto"), pinned=False)
    if plot is not None:
        checked_target(plot)
    interrupted = False
    with stdout_kept_clean():
        hunts = [take_up(claim, seed, fresh=fresh) for claim in select(targets)]
        for hunt in hunts:
            if hunt.resumed:
                say(f"{hunt.claim.id}: taken up after {hunt.campaign.tried} cases (--fresh begins anew)", err=True)
            if hunt.refused:
                say(f"{hunt.claim.id}: the hunt begins anew: {hunt.refused}", err=True)
        try:
            with workers(jobs, scheduler, slurm) as staff, _hunting() as report:
                pursue(hunts, amount, run, staff, report)
        except KeyboardInterrupt:
            interrupted = True
        rows = [_hunted(hunt, run) | _pictured(hunt, plot, alone=len(hunts) == 1) for hunt in hunts]
    stored = Store(folder, store)
    for hunt, row in zip(hunts, rows, strict=True):
        stored.keep(stamped("hunt", hunt.claim, run, row))
    stored.finish()
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            say(_hunt_text(row))
    if interrupted:
        say("interrupted: the state is kept, the same command goes on", err=True)
        context.exit(INTERRUPTED)
    context.exit(_exit_code(rows))


def _exit_code(rows: Sequence[dict[str, Any]]) -> int:
    if any(row["found"] for row in rows):
        return 0
    return EVIDENCE if any(row.get("verdict") == Against.word for row in rows) else NOT_EARNED


@contextmanager
def _hunting() -> Iterator[Callable[[Any], None]]:
    """The best margin so far, on a terminal; a counterexample is shown the moment it is there, the
    shrunk one follows.
    """
    bar = Progress(
        TextColumn("{task.description}", markup=False), TimeElapsedColumn(), console=err_console(), transient=True
    )
    shown_at_once = sys.stderr.isatty()
    with bar if shown_at_once else nullcontext():
        task = bar.add_task("") if shown_at_once else None

        def report(hunt: Any) -> None:
            campaign = hunt.campaign
            best = "-" if campaign.best is None else f"{campaign.best:.3g}"
            if task is not None:
                bar.update(
                    task, description=f"{one_line(campaign.claim.id)}  {campaign.tried} cases  best margin {best}"
                )
            if campaign.violation is not None:
                say(f"{campaign.claim.id}: found  {Case.from_json(campaign.violation)}", err=True)

        yield report


def _hunted(hunt: Any, run: Run) -> dict[str, Any]:
    """The row of one hunt; what was found is shrunk and gets its certificate."""
    from refute.kernel.certificate import write
    from refute.run.hunt import raw_counterexample, shrunk_counterexample

    campaign = hunt.campaign
    row: dict[str, Any] = {
        "id": campaign.claim.id,
        "sought": "witness" if campaign.claim.kind is Kind.EXISTENCE else "counterexample",
        "found": False,
        "tried": campaign.tried,
        "cases": campaign.met,
        "best": campaign.best,
    }
    raw = raw_counterexample(hunt, run)
    if raw is None:
        return row | {"certificate": None, "lost": campaign.lost}
    small = raw if campaign.claim.kind is Kind.SYMBOLIC else shrunk_counterexample(raw, campaign.claim, run)
    if campaign.claim.kind is Kind.EXISTENCE:  # a witness, which refutes nothing
        witnessed = {"verdict": Proved.word, "detail": f"the witness {small.case}", "case": small.case.to_json()}
        return row | (witnessed if small.refutes else {}) | {"certificate": None, "lost": campaign.lost}
    word = fallen(small).word
    row |= {
        "found": small.refutes,
        "verdict": word,
        "detail": str(small),
        "level": small.level,
        "case": small.case.to_json(),
    }
    return row | {"certificate": shown(write(campaign.claim, small)), "lost": campaign.lost}


def _pictured(hunt: Any, plot: Path | None, alone: bool) -> dict[str, str]:
    """Draw the hunt if a picture is wanted; the place of the picture, for the row."""
    from refute.show.hunt_plot import save

    if plot is None:
        return {}
    target = plot if alone else plot.with_stem(f"{plot.stem}-{hunt.path.stem.rpartition('.')[0]}")
    save(hunt.campaign, target)
    return {"plot": shown(target)}


def _hunt_text(row: dict[str, Any]) -> str:
    picture = f"\n  picture       {row['plot']}" if "plot" in row else ""
    return _finding_text(row) + picture


def _finding_text(row: dict[str, Any]) -> str:
    if row.get("verdict") == Proved.word:
        return f"{row['id']}: proved after {row['tried']} cases by {row['detail']}"
    if "verdict" in row:
        said, kept = ("refuted", "certificate") if row["found"] else ("evidence against, no refutation,", "evidence   ")
        detail = indented(row["detail"])
        return f"{row['id']}: {said} after {row['tried']} cases\n{detail}\n  {kept}   {row['certificate']}"
    best = "nothing met the assumptions" if row["best"] is None else f"smallest margin {row['best']:.3g}"
    lost = f", {row['lost']} chunks lost" if row["lost"] else ""
    return f"{row['id']}: no {row['sought']} in {row['cases']} cases ({best}{lost})"
