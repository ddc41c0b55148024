"""The command line: `refute list`, `check`, `find`, `ablate`, `mutate`, `verify`, `document`, `figure`."""

import importlib.metadata
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from refute import table
from refute.ablate import ablate, kill, tightness
from refute.case import Case
from refute.certificate import objections, read
from refute.claim import Claim
from refute.device import NAMES, resolve
from refute.errors import BadClaim, BadInput, RefuteError, UnknownPattern, Unreadable
from refute.kind import Kind
from refute.loading import load_all, load_file, select
from refute.mutants import generated
from refute.place import shown, where_raised
from refute.profile import PROFILES, Run
from refute.registry import figures, find_claim
from refute.result import Result, count, list_row
from refute.runner import run_claims
from refute.verdict import Broken, Vacuous, describe

T = TypeVar("T")

NOT_EARNED, WRONG_USE, INTERRUPTED = 1, 2, 130


class Mistake(click.ClickException):
    """A mistake in the input: its message and its hint, without a traceback."""

    exit_code = WRONG_USE

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"error: {self.message}", file=file, err=True)


class Commands(click.Group):
    """Commands whose errors are messages and whose Ctrl-C is exit code 130."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefuteError as error:
            raise Mistake(str(error)) from error
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


def main() -> None:
    """The entry point of the `refute` script."""
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    cli(prog_name="refute")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("refute"), prog_name="refute")
def cli() -> None:
    """Search for counterexamples to theorems about training neural networks.

    PATTERN is an id, a shell glob over ids, a file or folder of claims, or file.py::name. Without one, every claim is meant.
    """


as_json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON array and nothing else.")
patterns_argument = click.argument("patterns", metavar="[PATTERN]...", nargs=-1)
profile_option = click.option("--profile", type=click.Choice(list(PROFILES)), default="quick", show_default=True, help="How hard to try.")
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed gives the same verdicts."
)


def _print_json(rows: list[dict[str, Any]]) -> None:
    click.echo(json.dumps(rows, indent=2, allow_nan=False))


def _stdout_kept_clean() -> AbstractContextManager[Any]:
    """What claims print while they are imported or run goes to stderr."""
    return redirect_stdout(sys.stderr)


@cli.command("list")
@patterns_argument
@as_json_option
def list_(patterns: Sequence[str], as_json: bool) -> None:
    """Show claims: id, kind, recorded verdict, reference, assumptions.

    \b
    Example: refute list '*.theorem_5.*'
    """
    with _stdout_kept_clean():
        claims = select(patterns)
    if as_json:
        _print_json([list_row(claim) for claim in claims])
    else:
        table.print_claims(claims)


@cli.command()
@patterns_argument
@as_json_option
@profile_option
@click.option("--device", type=click.Choice(NAMES), default="auto", show_default=True, help="Where tensors live.")
@seed_option
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes.")
@click.pass_context
def check(context: click.Context, patterns: Sequence[str], as_json: bool, profile: str, device: str, seed: int, jobs: int) -> None:
    """Try to refute claims and compare each verdict with the recorded one.

    \b
    Exit code: 0 every claim earned its recorded verdict
               1 some did not
               2 wrong use, or a claim that cannot be run or whose assumptions are never met
             130 interrupted; what was decided by then is printed

    \b
    Example: refute check claims/conjectures/mine.py --profile thorough --jobs 4
    """
    with _stdout_kept_clean():
        run = Run(PROFILES[profile], seed=seed, device=resolve(device), remember=True)
        claims = select(patterns)
        with _progress(len(claims)) as advance:
            results = run_claims(claims, run, jobs, advance)
    if as_json:
        _print_json([result.row() for result in results])
    else:
        _print_results(results)
    if len(results) < len(claims):
        click.echo(f"interrupted: {len(results)} of {len(claims)} claims decided", err=as_json)
    context.exit(_exit_code(results, len(claims)))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[T], T]]:
    """A bar on the terminal, nothing in a pipe; calling it with something advances the bar and hands it back."""
    bar = Progress(console=Console(stderr=True), transient=True) if sys.stderr.isatty() else None
    with bar or nullcontext():
        task = bar.add_task("claims", total=total) if bar else None

        def advance(done: T) -> T:
            if bar and task is not None:
                bar.advance(task)
            return done

        yield advance


def _print_results(results: Sequence[Result]) -> None:
    table.print_results(results)
    for result in results:
        if not result.earned:
            click.echo(f"\n{result}")
    failed = sum(not result.earned for result in results)
    click.echo(f"\nclaims: {count(result.outcome.word for result in results)}" + (f"; {failed} not as recorded" if failed else ""))


def _exit_code(results: Sequence[Result], wanted: int) -> int:
    if len(results) < wanted:
        return INTERRUPTED
    if any(isinstance(result.outcome, Broken | Vacuous) and not result.earned for result in results):
        return WRONG_USE  # nothing was tested
    return 0 if all(result.earned for result in results) else NOT_EARNED


@cli.command("find")
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
    with _stdout_kept_clean():
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
        _print_json(rows)
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
        return f"{row['id']}: refuted after {row['tried']} cases\n{_indented(row['detail'])}\n  certificate   {row['certificate']}"
    best = "nothing met the assumptions" if row["best"] is None else f"smallest margin {row['best']:.3g}"
    lost = f", {row['lost']} chunks lost" if row["lost"] else ""
    return f"{row['id']}: no counterexample in {row['cases']} cases ({best}{lost})"


@cli.command("ablate")
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True)
@as_json_option
@profile_option
@seed_option
@click.option("--tightness", "tight", is_flag=True, help="Also move each constant until a counterexample appears.")
def ablate_(patterns: Sequence[str], as_json: bool, profile: str, seed: int, tight: bool) -> None:
    """Drop each assumption in turn: necessary, with a counterexample, or not shown necessary.

    \b
    Example: refute ablate '*.lemma_11.*' --tightness
    """
    run = Run(PROFILES[profile], seed=seed, device=resolve("auto"))
    with _stdout_kept_clean():
        claims = select(patterns)
        pairs = [(claim, assumption) for claim in claims for assumption in claim.assumes]
        with _progress(len(pairs) + (len(claims) if tight else 0)) as advance:
            found = [advance(ablate(claim, assumption, run)) for claim, assumption in pairs]
            moved = [one for claim in claims if tight for one in advance(tightness(claim, run))]
    if as_json:
        _print_json([*(ablation.row() for ablation in found), *(one.row() for one in moved)])
        return
    for ablation in found:
        click.echo(f'{ablation.claim}: "{ablation.assumption.text}" {ablation.finding}\n{_indented(describe(ablation.outcome))}\n')
    for one in moved:
        click.echo(f"{one.claim}: {one}")


@cli.command()
@patterns_argument
@as_json_option
@profile_option
@seed_option
@click.option("--generated", "also_generated", is_flag=True, help="Also wrong versions made from the claim: some of them may be true.")
@click.pass_context
def mutate(context: click.Context, patterns: Sequence[str], as_json: bool, profile: str, seed: int, also_generated: bool) -> None:
    """Try to refute the wrong versions of claims; a survivor shows a claim without teeth.

    \b
    Exit code: 0 all were refuted, 1 some survived.

    \b
    Example: refute mutate 'kou2023.*'
    """
    run = Run(PROFILES[profile], seed=seed, device=resolve("auto"))
    with _stdout_kept_clean():
        made = generated if also_generated else lambda claim: ()
        pairs = [(claim, mutant) for claim in select(patterns) for mutant in (*claim.mutants, *made(claim))]
        with _progress(len(pairs)) as advance:
            kills = [advance(kill(claim, mutant, run)) for claim, mutant in pairs]
    survivors = [one for one in kills if not one.killed]
    if as_json:
        _print_json([one.row() for one in kills])
    else:
        table.print_kills(kills)
        for one in survivors:
            click.echo(f"\nsurvived: {one.claim}, {one.mutant}\n{_indented(describe(one.outcome))}")
        click.echo(f"\nmutants: {len(kills) - len(survivors)} refuted, {len(survivors)} survived")
    context.exit(NOT_EARNED if survivors else 0)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


@cli.command()
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--from", "sources", multiple=True, metavar="FILE", help="A file of claims outside the installed ones.")
@click.pass_context
def verify(context: click.Context, certificates: Sequence[Path], sources: Sequence[str]) -> None:
    """Re-check counterexamples; nothing in a certificate is believed.

    \b
    Exit code: 0 all are valid, 1 some are not, 2 some cannot be read.

    \b
    Example: refute verify .refute/certificates/*.json
    """
    with _stdout_kept_clean():
        for source in sources:
            load_file(source)
    context.exit(max([_verify(path) for path in certificates]))


def _verify(path: Path) -> int:
    """Print the finding and return the exit code for one certificate."""
    try:
        data = read(path)
        claim = _certified_claim(str(data.get("claim")))
        with _stdout_kept_clean():
            against = _objections(data, claim)
    except Unreadable as error:
        click.echo(f"unreadable  {path}: {error}", err=True)
        return WRONG_USE
    if against:
        click.echo(f"invalid     {path}: {'; '.join(against)}")
        return NOT_EARNED
    click.echo(f"valid       {path}: {data['claim']} is refuted by {Case.from_json(data['case'])}")
    return 0


def _objections(data: dict[str, Any], claim: Claim | None) -> list[str]:
    try:
        found = objections(data, claim, Run(PROFILES["exhaustive"]))
    except Unreadable:
        raise
    except Exception as error:  # a forged case may lead anywhere
        return [f"the claim cannot be evaluated on its case: {type(error).__name__}: {error}"]
    return found if claim is not None else [*found, "if its file is not among the installed claims, name it with --from FILE"]


def _certified_claim(id: str) -> Claim | None:
    if find_claim(id) is None:
        try:
            with _stdout_kept_clean():
                load_all()
        except RefuteError as error:
            raise Mistake(str(error)) from error  # not the fault of the certificate
    return find_claim(id)


@cli.command()
@click.argument("papers", metavar="PAPER...", nargs=-1, required=True)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("docs"), show_default=True, help="The folder of the pages."
)
@profile_option
@seed_option
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes.")
@click.option("--ablate/--no-ablate", "ablations", default=True, help="Whether to drop each assumption, which may take long.")
def document(papers: Sequence[str], out: Path, profile: str, seed: int, jobs: int, ablations: bool) -> None:
    """Write a page on the claims of each paper: verdicts, evidence, necessary assumptions, and what does not hold as printed.

    \b
    Example: refute document PAPER --jobs 2
    """
    from refute.document import entries, page

    run = Run(PROFILES[profile], seed=seed, device=resolve("auto"))
    for paper in papers:
        with _stdout_kept_clean():
            claims = select([f"{paper}.*"])
            with _progress(len(claims)) as advance:
                found = [advance(one) for one in entries(claims, run, jobs, ablations)]
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{paper}.md").write_text(page(paper, found), encoding="utf-8")
        click.echo(shown(out / f"{paper}.md"))


@cli.command()
@click.argument("paper")
@click.argument("number", metavar="FIGURE")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write it; the ending gives the format.")
def figure(paper: str, number: str, out: Path | None) -> None:
    """Reproduce a figure of a paper.

    \b
    Example: refute figure PAPER 3 --out figure.png
    """
    os.environ.setdefault("MPLBACKEND", "Agg")  # figures are saved, not shown
    with _stdout_kept_clean():
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
