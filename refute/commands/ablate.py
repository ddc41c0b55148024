"""`refute ablate`: drop each assumption in turn, move each constant."""

from collections.abc import Sequence

import click

from refute.ablate import ablate, tightness
from refute.commands.common import as_json_option, indented, print_json, profile_option, progress, seed_option, stdout_kept_clean
from refute.device import resolve
from refute.loading import select
from refute.profile import PROFILES, Run
from refute.verdict import describe


@click.command("ablate")
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
    with stdout_kept_clean():
        claims = select(patterns)
        pairs = [(claim, assumption) for claim in claims for assumption in claim.assumes]
        with progress(len(pairs) + (len(claims) if tight else 0)) as advance:
            found = [advance(ablate(claim, assumption, run)) for claim, assumption in pairs]
            moved = [one for claim in claims if tight for one in advance(tightness(claim, run))]
    if as_json:
        print_json([*(ablation.row() for ablation in found), *(one.row() for one in moved)])
        return
    for ablation in found:
        click.echo(f'{ablation.claim}: "{ablation.assumption.text}" {ablation.finding}\n{indented(describe(ablation.outcome))}\n')
    for one in moved:
        click.echo(f"{one.claim}: {one}")
