"""`refute check`: try to refute claims and compare each verdict with the recorded one."""

import statistics
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from refute.commands.common import (
    INTERRUPTED,
    NOT_EARNED,
    WRONG_USE,
    as_json_option,
    guard_options,
    jobs_option,
    patterns_argument,
    print_json,
    profile_option,
    progress,
    say,
    seed_option,
    stdout_kept_clean,
)
from refute.commands.storing import Store, store_options
from refute.decide.effort import PROFILES, Run
from refute.decide.verdict import Broken, Vacuous
from refute.run import results
from refute.run.device import NAMES, resolve
from refute.run.guard import Limits
from refute.run.loading import built_in, select
from refute.run.result import ROW, Result, count, told
from refute.run.results.changes import changes
from refute.run.results.resume import decided
from refute.run.runner import run_claims
from refute.run.watching import again_and_again
from refute.search.observe import Observer, observing
from refute.show import table
from refute.study.promises import Breach, all_breaches


@click.command()
@patterns_argument
@as_json_option
@profile_option
@click.option("--device", type=click.Choice(NAMES), default="auto", show_default=True, help="Where tensors live.")
@seed_option
@jobs_option
@click.option(
    "--resume",
    is_flag=True,
    help="Take over what the last interrupted run of this effort decided, where the file is the same.",
)
@click.option(
    "--observe",
    type=click.Path(path_type=Path),
    metavar="FILE.jsonl",
    help="Append every case, in the format of Hypothesis's observations.",
)
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@guard_options
@store_options
@click.pass_context
def check(
    context: click.Context,
    patterns: Sequence[str],
    as_json: bool,
    profile: str,
    device: str,
    seed: int,
    jobs: int,
    resume: bool,
    observe: Path | None,
    watch: bool,
    timeout_per_case: float,
    memory: str | None,
    folder: Path,
    store: bool,
) -> None:
    """Try to refute claims and compare each verdict with the recorded one.

    Claims are judged in processes of their own, so that one that hangs or dies costs only itself. Rows appear as they
    are decided; the results are stored, and the end of the output tells what changed since the last time. The repairs
    of assumptions of your own are tried, too: what they promise and do not keep is told.

    \b
    Exit code: 0 every claim earned its recorded verdict
               1 some did not, or an assumption of yours does not keep what it promises
               2 wrong use, or a claim that cannot be run or whose assumptions are never met
             130 interrupted; what was decided by then is printed, and --resume goes on from there

    \b
    Example: refute check claims/conjectures/mine.py --profile thorough --jobs 4
    """
    if watch:
        again_and_again([word for word in sys.argv[1:] if word != "--watch"], patterns)
    with stdout_kept_clean():
        run = Run(PROFILES[profile], seed=seed, device=resolve(device), remember=True)
        limits = Limits.parse(timeout_per_case, memory, jobs)
        claims = {claim.id: claim for claim in select(patterns)}
        before = results.latest(folder, "check", claims)
        records = decided(folder, claims.values(), run) if resume else {}
    resumed, kept, rows = len(records), Store(folder, store), table.Results(claims)
    shares = _shares(claims, before)

    def show(record: results.Record) -> None:
        kept.keep(progressing.advance(record, shares[record["id"]]))
        if not as_json:
            with progressing.aside():
                rows.add(record)

    def keep(result: Result) -> None:
        if result.id not in records:
            records[result.id] = results.stamped("check", claims[result.id], run, result.record())
            show(records[result.id])

    waiting = sum(share for id, share in shares.items() if id not in records)
    lasts = waiting / jobs if before else None
    with (
        progress(sum(shares.values()), "claims", lasts) as progressing,
        observing(Observer.into(observe) if observe else None),
    ):
        for record in list(records.values()):
            show(record)
        for result in run_claims([c for c in claims.values() if c.id not in records], run, jobs, keep, limits):
            keep(result)  # unless it is: Ctrl-C may have come before
    found = [records[id] for id in claims if id in records]
    breaches = all_breaches([claim for claim in claims.values() if not built_in(claim)])
    if len(found) == len(claims):
        kept.finish()
    code = _told(found, len(claims), changes(before, found), resumed if resume else None, as_json)
    warned = _warned(breaches, err=as_json)
    context.exit(code or warned)


def _told(
    records: Sequence[results.Record], wanted: int, changed: Sequence[str], resumed: int | None, as_json: bool
) -> int:
    """The exit code, once everything is said."""
    if as_json:
        print_json([{name: record[name] for name in ROW} for record in records])
    else:
        _print(records, changed)
    if resumed is not None:
        click.echo(f"resumed: {resumed} of {wanted} claims were decided before", err=True)
    if len(records) < wanted:
        click.echo(f"interrupted: {len(records)} of {wanted} claims decided", err=as_json)
    return _exit_code(records, wanted)


def _shares(claims: Iterable[str], before: Mapping[str, results.Record]) -> dict[str, float]:
    """How much of the work each claim is: the seconds that it took the last time, or those of the others."""
    seconds = {id: max(float(before[id]["seconds"]), 1e-3) for id in claims if id in before}
    usual = statistics.median(seconds.values()) if seconds else 1.0
    return {id: seconds.get(id, usual) for id in claims}


def _warned(breaches: Sequence[Breach], err: bool) -> int:
    """The exit code of assumptions that do not keep their promises, which are named."""
    for breach in breaches:
        say(f"\nassumption {breach}", err=err)
    return NOT_EARNED if breaches else 0


def _print(records: Sequence[results.Record], changed: Sequence[str]) -> None:
    for record in records:
        if not record["earned"]:
            say(f"\n{told(record)}")
    failed = sum(not record["earned"] for record in records)
    click.echo(
        f"\nclaims: {count(record['verdict'] for record in records)}"
        + (f"; {failed} not as recorded" if failed else "")
    )
    if changed:
        say("\nsince the last time:\n" + "\n".join(f"  {line}" for line in changed))


def _exit_code(records: Sequence[results.Record], wanted: int) -> int:
    if len(records) < wanted:
        return INTERRUPTED
    if any(record["verdict"] in (Broken.word, Vacuous.word) and not record["earned"] for record in records):
        return WRONG_USE  # nothing was tested
    return 0 if all(record["earned"] for record in records) else NOT_EARNED
