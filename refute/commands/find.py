"""`refute find`: climb the margin of a claim until it is violated or the budget is spent."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from refute.case import Case
from refute.commands.common import INTERRUPTED, NOT_EARNED, as_json_option, indented, print_json, seed_option, stdout_kept_clean
from refute.device import resolve
from refute.kind import Kind
from refute.loading import select
from refute.place import shown
from refute.profile import Run


@click.command("find")
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True)
@click.option("--budget", default="60s", show_default=True, help="Time (60s, 5m, 2h) or effort (5000 cases), for all targets together.")
@as_json_option
@seed_option
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes on this machine.")
@click.option("--scheduler", metavar="ADDRESS", help="Give the work to a running dask.distributed cluster instead.")
@click.option("--slurm", is_flag=True, help="Give the work to Slurm instead (submitit).")
@click.option("--fresh", is_flag=True, help="Begin anew instead of taking up what was saved.")
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
) -> None:
    """Hunt counterexamples: climb the margin of each target until it is violated or the budget is spent.

    The state is saved after every step, so an interrupted hunt goes on where it stopped. With a budget in cases the result depends
    on nothing but the seed.

    \b
    Exit code: 0 found (for at least one target), 1 none found, 2 wrong use, 130 interrupted

    \b
    Example: refute find claims/conjectures/mine.py::name --budget 5m --jobs 4
    """
    from refute.find.hunt import Budget, pursue, take_up
    from refute.find.workers import workers

    amount, run = Budget.parse(budget), Run(seed=seed, device=resolve("auto"), pinned=False)
    interrupted = False
    with stdout_kept_clean():
        hunts = [take_up(claim, seed, fresh=fresh) for claim in select(targets)]
        for hunt in hunts:
            if hunt.resumed:
                click.echo(f"{hunt.claim.id}: taken up after {hunt.campaign.tried} cases (--fresh begins anew)", err=True)
        try:
            with workers(jobs, scheduler, slurm) as staff, _hunting() as report:
                pursue(hunts, amount, run, staff, report)
        except KeyboardInterrupt:
            interrupted = True
        rows = [_hunted(hunt, run) for hunt in hunts]
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            click.echo(_hunt_text(row))
    if interrupted:
        click.echo("interrupted: the state is kept, the same command goes on", err=True)
        context.exit(INTERRUPTED)
    context.exit(0 if any(row["found"] for row in rows) else NOT_EARNED)


@contextmanager
def _hunting() -> Iterator[Callable[[Any], None]]:
    """The best margin so far, on a terminal; a counterexample is shown the moment it is there, the shrunk one follows."""
    bar = Progress(TextColumn("{task.description}"), TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    shown_at_once = sys.stderr.isatty()
    with bar if shown_at_once else nullcontext():
        task = bar.add_task("") if shown_at_once else None

        def report(hunt: Any) -> None:
            campaign = hunt.campaign
            best = "-" if campaign.best is None else f"{campaign.best:.3g}"
            if task is not None:
                bar.update(task, description=f"{campaign.claim.id}  {campaign.tried} cases  best margin {best}")
            if campaign.violation is not None:
                click.echo(f"{campaign.claim.id}: found  {Case.from_json(campaign.violation)}", err=True)

        yield report


def _hunted(hunt: Any, run: Run) -> dict[str, Any]:
    """The row of one hunt; what was found is shrunk and gets its certificate."""
    from refute.certificate import write
    from refute.find.hunt import raw_counterexample, shrunk_counterexample

    campaign = hunt.campaign
    row: dict[str, Any] = {"id": campaign.claim.id, "found": False, "tried": campaign.tried, "cases": campaign.met, "best": campaign.best}
    raw = raw_counterexample(hunt, run)
    if raw is None:
        return row | {"certificate": None, "lost": campaign.lost}
    small = raw if campaign.claim.kind is Kind.SYMBOLIC else shrunk_counterexample(raw, campaign.claim, run)
    row |= {"found": True, "detail": str(small), "level": small.level, "case": small.case.to_json()}
    return row | {"certificate": shown(write(campaign.claim, small)), "lost": campaign.lost}


def _hunt_text(row: dict[str, Any]) -> str:
    if row["found"]:
        return f"{row['id']}: refuted after {row['tried']} cases\n{indented(row['detail'])}\n  certificate   {row['certificate']}"
    best = "nothing met the assumptions" if row["best"] is None else f"smallest margin {row['best']:.3g}"
    lost = f", {row['lost']} chunks lost" if row["lost"] else ""
    return f"{row['id']}: no counterexample in {row['cases']} cases ({best}{lost})"
