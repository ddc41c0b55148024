"""`refute check`: try to refute claims and compare each verdict with the recorded one."""

from collections.abc import Sequence

import click

from refute import table
from refute.commands.common import (
    INTERRUPTED,
    NOT_EARNED,
    WRONG_USE,
    as_json_option,
    patterns_argument,
    print_json,
    profile_option,
    progress,
    seed_option,
    stdout_kept_clean,
)
from refute.device import NAMES, resolve
from refute.loading import select
from refute.profile import PROFILES, Run
from refute.result import Result, count
from refute.runner import run_claims
from refute.verdict import Broken, Vacuous


@click.command()
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
    with stdout_kept_clean():
        run = Run(PROFILES[profile], seed=seed, device=resolve(device), remember=True)
        claims = select(patterns)
        with progress(len(claims)) as advance:
            results = run_claims(claims, run, jobs, advance)
    if as_json:
        print_json([result.row() for result in results])
    else:
        _print_results(results)
    if len(results) < len(claims):
        click.echo(f"interrupted: {len(results)} of {len(claims)} claims decided", err=as_json)
    context.exit(_exit_code(results, len(claims)))


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
