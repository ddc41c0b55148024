"""`refute mutate`: try to refute the wrong versions of claims."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from refute.commands.common import (
    NOT_EARNED,
    as_json_option,
    indented,
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
from refute.run.loading import select
from refute.show import table
from refute.study.ablate import Kill, kill
from refute.study.mutate import generated


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
@store_options
@click.pass_context
def mutate(
    context: click.Context,
    patterns: Sequence[str],
    as_json: bool,
    profile: str,
    seed: int,
    also_generated: bool,
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
    with stdout_kept_clean():
        made = generated if also_generated else lambda claim: ()
        pairs = [(claim, mutant) for claim in select(patterns) for mutant in (*claim.mutants, *made(claim))]
        with progress(len(pairs)) as advance:
            kills = [stored.kept("mutant", claim, run, advance(kill(claim, mutant, run))) for claim, mutant in pairs]
    stored.finish()
    survivors = [one for one in kills if not one.killed]
    if as_json:
        print_json([one.row() for one in kills])
    else:
        table.print_kills(kills)
        for one in survivors:
            say(f"\nsurvived: {one.claim}, {one.mutant}\n{indented(describe(one.outcome))}")
        ways = Counter(_way(one) for one in kills if one.killed)
        said = [f"{ways[way]} {way}" for way in WAYS if ways[way] or way == WAYS[0]]
        say(f"\nmutants: {', '.join(said)}, {len(survivors)} survived")
    context.exit(NOT_EARNED if survivors else 0)
