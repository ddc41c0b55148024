"""`refute mutate`: try to refute the wrong versions of claims."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from refute.commands.common import (
    NOT_EARNED,
    as_json_option,
    guard_options,
    indented,
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
from refute.decide.verdict import Against, describe
from refute.run.device import resolve
from refute.run.guard import Crew, Limits
from refute.run.loading import select
from refute.show import table
from refute.study.ablate import Kill
from refute.study.watched import kills, wrong_versions

WAYS = ("refuted", "with evidence against", "without a witness")


def _way(fallen: Kill) -> str:
    return WAYS[2] if fallen.exists else WAYS[isinstance(fallen.outcome, Against)]


@click.command()
@patterns_argument
@as_json_option
@profile_option
@seed_option
@click.option(
    "--generated",
    "also_generated",
    is_flag=True,
    help="Also wrong versions made from the claim: some of them may be true.",
)
@jobs_option
@guard_options
@store_options
@click.pass_context
def mutate(
    context: click.Context,
    patterns: Sequence[str],
    as_json: bool,
    profile: str,
    seed: int,
    also_generated: bool,
    jobs: int,
    timeout_per_case: float,
    memory: str | None,
    folder: Path,
    store: bool,
) -> None:
    """Try to refute the wrong versions of claims; a survivor shows a claim without teeth.

    \b
    Exit code: 0 something speaks against each (refuted, evidence against, no witness), 1 some survived.

    \b
    Example: refute mutate 'kou2023.*'
    """
    run, stored = Run(PROFILES[profile], seed=seed, device=resolve("auto")), Store(folder, store)
    limits = Limits.parse(timeout_per_case, memory, jobs)
    with stdout_kept_clean():
        claims = {claim.id: claim for claim in select(patterns)}
    total = sum(len(wrong_versions(claim, also_generated)) for claim in claims.values())
    found, rows = [], table.Kills(claims)
    with progress(total, "wrong versions") as progressing, Crew(jobs, limits) as staff:
        for one in kills(list(claims.values()), run, staff, also_generated):
            found.append(stored.kept("mutant", claims[one.claim], run, progressing.advance(one)))
            if not as_json:
                with progressing.aside():
                    rows.add(one)
    stored.finish()
    survivors = [one for one in found if not one.killed]
    if as_json:
        print_json([one.row() for one in found])
    else:
        for one in survivors:
            say(f"\nsurvived: {one.claim}, {one.mutant}\n{indented(describe(one.outcome))}")
        ways = Counter(_way(one) for one in found if one.killed)
        said = [f"{ways[way]} {way}" for way in WAYS if ways[way] or way == WAYS[0]]
        say(f"\nmutants: {', '.join(said)}, {len(survivors)} survived")
    context.exit(NOT_EARNED if survivors else 0)
