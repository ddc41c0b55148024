"""`refute find`: climb the margin of a claim until it is violated or the budget is spent."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from refute.commands.common import (
    EVIDENCE,
    INTERRUPTED,
    NOT_EARNED,
    as_json_option,
    guard_options,
    indented,
    jobs_option,
    print_json,
    progress,
    say,
    seed_option,
    stdout_kept_clean,
)
from refute.commands.completion import claim_ids
from refute.commands.storing import Store, store_options
from refute.decide.effort import Run
from refute.decide.verdict import Against, Counterexample, Proved, fallen
from refute.errors import RefuteError
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.place import shown
from refute.run.device import resolve
from refute.run.guard import Limits
from refute.run.loading import select
from refute.run.results import stamped
from refute.show.visible import one_line

if TYPE_CHECKING:
    from refute.run.hunt import Budget, Hunt


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
@jobs_option
@click.option("--scheduler", metavar="ADDRESS", help="Give the work to a running dask.distributed cluster instead.")
@click.option("--slurm", is_flag=True, help="Give the work to Slurm instead (submitit).")
@click.option("--fresh", is_flag=True, help="Begin anew instead of taking up what was saved.")
@click.option(
    "--plot", metavar="FILE", type=click.Path(path_type=Path), help="Draw the hunt into an .svg, .png or .pdf file."
)
@guard_options
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
    timeout_per_case: float,
    memory: str | None,
    folder: Path,
    store: bool,
) -> None:
    """Hunt counterexamples: climb the margin of each target until it is violated or the budget is spent.

    The state is saved after every step, so an interrupted hunt goes on where it stopped. With a budget in cases the
    result depends on nothing but the seed. The picture of --plot shows how near the cases of each method came, and
    where they lie; with several targets there is one picture each, named after the claim.

    \b
    Exit code: 0 refuted (at least one target)
               1 nothing refuted; a witness proves an existence claim, and refutes nothing
               2 wrong use
               4 evidence against only
             130 interrupted

    \b
    Example: refute find claims/conjectures/mine.py::name --budget 5m --jobs 4 --plot hunt.svg
    """
    from refute.run.hunt import Budget
    from refute.run.workers import workers
    from refute.show.hunt_plot import checked_target

    amount, run = Budget.parse(budget), Run(seed=seed, device=resolve("auto"), pinned=False)
    limits = Limits.parse(timeout_per_case, memory, jobs)
    if plot is not None:
        checked_target(plot)
    hunts = _taken_up(targets, seed, fresh)
    told = _Told(run, plot, Store(folder, store), as_json, alone=len(hunts) == 1)
    with _hunting(amount, hunts) as (show, told.aside):
        finished = _pursued(hunts, amount, show, told, lambda: workers(jobs, scheduler, slurm, limits=limits))
    told.stored.finish()
    rows = [told.rows[hunt.claim.id] for hunt in hunts if hunt.claim.id in told.rows]
    if as_json:
        print_json(rows)
    if unsaved := next((hunt.unsaved for hunt in hunts if hunt.unsaved), ""):
        say(f"the state of the hunt could not be kept, it cannot be resumed: {unsaved}", err=True)
    if not finished:
        say("interrupted: the state is kept, the same command goes on", err=True)
    context.exit(_exit_code(rows) if finished else INTERRUPTED)


def _taken_up(targets: Sequence[str], seed: int, fresh: bool) -> list[Any]:
    from refute.run.hunt import take_up

    with stdout_kept_clean():
        hunts = [take_up(claim, seed, fresh=fresh) for claim in select(targets)]
    for hunt in hunts:
        if hunt.resumed:
            say(f"{hunt.claim.id}: taken up after {hunt.campaign.tried} cases (--fresh begins anew)", err=True)
        if hunt.refused:
            say(f"{hunt.claim.id}: the hunt begins anew: {hunt.refused}", err=True)
    return hunts


@dataclass
class _Told:
    """The rows of the hunts that are over, each told and stored the moment it is known."""

    run: Run
    plot: Path | None
    stored: Store
    as_json: bool
    alone: bool
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    aside: Callable[[], AbstractContextManager[None]] = nullcontext

    def settle(self, hunt: Any, staff: Any) -> None:
        if hunt.claim.id in self.rows:
            return
        row = _hunted(hunt, self.run, staff) | _pictured(hunt, self.plot, self.alone)
        self.rows[hunt.claim.id] = row
        self.stored.keep(stamped("hunt", hunt.claim, self.run, row))
        if not self.as_json:
            with self.aside():
                say(_hunt_text(row))


def _pursued(
    hunts: Sequence[Any], budget: Any, show: Callable[[Any], None], told: _Told, staffed: Callable[[], Any]
) -> bool:
    """Whether the hunts came to their ends, not interrupted."""
    from refute.run.hunt import pursue

    finished = False
    try:
        with staffed() as staff:

            def report(hunt: Any) -> None:
                show(hunt)
                if hunt.campaign.violation is not None:
                    told.settle(hunt, staff)

            pursue(hunts, budget, told.run, staff, report)
            for hunt in hunts:
                told.settle(hunt, staff)
        finished = True
    except KeyboardInterrupt:
        pass
    for hunt in hunts:
        if hunt.campaign.violation is None:  # nobody is needed where it found nothing
            told.settle(hunt, None)
    return finished


def _exit_code(rows: Sequence[dict[str, Any]]) -> int:
    if any(row["found"] for row in rows):
        return 0
    return EVIDENCE if any(row.get("verdict") == Against.word for row in rows) else NOT_EARNED


@contextmanager
def _hunting(
    amount: "Budget", hunts: Sequence["Hunt"]
) -> Iterator[tuple[Callable[[Any], None], Callable[[], AbstractContextManager[None]]]]:
    """Shows on a terminal how much of the budget is used and the best margin so far; of a single hunt the
    counterexample is shown the moment it is there, the shrunk one follows.
    """
    timed, begun = math.isfinite(amount.seconds), time.monotonic()
    before = sum(hunt.campaign.tried for hunt in hunts)
    with progress(min(amount.seconds, amount.cases), "the hunt begins", amount.seconds if timed else None) as bar:

        def show(hunt: Any) -> None:
            campaign = hunt.campaign
            best = "-" if campaign.best is None else f"{campaign.best:.3g}"
            done = time.monotonic() - begun if timed else sum(each.campaign.tried for each in hunts) - before
            bar.reached(done, escape(f"{one_line(campaign.claim.id)}  {campaign.tried} cases  best margin {best}"))
            if campaign.violation is not None and len(hunts) == 1:
                with bar.aside():
                    say(f"{campaign.claim.id}: found  {Case.from_json(campaign.violation)}", err=True)

        yield show, bar.aside


def _hunted(hunt: Any, run: Run, staff: Any) -> dict[str, Any]:
    """The row of one hunt; what was found is shrunk and gets its certificate."""
    from refute.run.hunt import settled

    campaign = hunt.campaign
    row: dict[str, Any] = {
        "id": campaign.claim.id,
        "sought": "witness" if campaign.claim.kind is Kind.EXISTENCE else "counterexample",
        "found": False,
        "tried": campaign.tried,
        "cases": campaign.met,
        "best": campaign.best,
        "lost": campaign.lost,
        "bad": campaign.bad,
        "first_bad": campaign.worst,
        "certificate": None,
    }
    try:
        small = settled(hunt, run, staff)
    except RefuteError as error:
        return row | {"unconfirmed": campaign.violation, "doubt": error.message}
    except TimeoutError:
        return row | {"unconfirmed": campaign.violation, "doubt": "to judge again what was found took too long"}
    if small is None:
        return row if campaign.violation is None else row | {"unconfirmed": campaign.violation}
    if campaign.claim.kind is Kind.EXISTENCE:  # a witness, which refutes nothing
        witnessed = {"verdict": Proved.word, "detail": f"the witness {small.case}", "case": small.case.to_json()}
        return row | (witnessed if small.refutes else {})
    word = fallen(small).word
    row |= {"found": small.refutes, "verdict": word, "detail": str(small), "level": small.level}
    return row | {"case": small.case.to_json(), **_kept(campaign.claim, small)}


def _kept(claim: Claim, found: Counterexample) -> dict[str, str]:
    """Where the certificate is, or why there is none: a full disk does not hide a counterexample."""
    from refute.kernel.certificate import write

    try:
        return {"certificate": shown(write(claim, found))}
    except OSError as error:
        return {"unwritten": str(error)}


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
        place = row["certificate"] or f"could not be written: {row['unwritten']}"
        return f"{row['id']}: {said} after {row['tried']} cases\n{indented(row['detail'])}\n  {kept}   {place}"
    nothing = "nothing met the assumptions" if row["tried"] else "the budget ended before the first was judged"
    best = nothing if row["best"] is None else f"smallest margin {row['best']:.3g}"
    lost = f", {row['lost']} chunks lost" if row["lost"] else ""
    bad = f"\n  {row['bad']} cases could not be judged, the first: {row['first_bad']}" if row["bad"] else ""
    if "unconfirmed" in row:
        doubt = row.get("doubt", "a violation in float64 was not confirmed by a second method")
        case = "" if row["unconfirmed"] is None else f"\n  case          {Case.from_json(row['unconfirmed'])}"
        return f"{row['id']}: no {row['sought']}: {doubt}{case}{bad}"
    return f"{row['id']}: no {row['sought']} in {row['cases']} cases ({best}{lost}){bad}"
