"""`refute ablate`: drop each assumption in turn, move each constant."""

from collections.abc import Sequence
from pathlib import Path

import click

from refute.commands.common import (
    as_json_option,
    indented,
    print_json,
    profile_option,
    progress,
    say,
    seed_option,
    stdout_kept_clean,
)
from refute.commands.completion import claim_ids
from refute.commands.storing import Store, store_options
from refute.decide.effort import PROFILES, Run
from refute.run.device import resolve
from refute.run.loading import select
from refute.study.ablate import ablate, tightness


@click.command("ablate")
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True, shell_complete=claim_ids)
@as_json_option
@profile_option
@seed_option
@click.option("--tightness", "tight", is_flag=True, help="Also move each constant until a counterexample appears.")
@store_options
def ablate_(
    patterns: Sequence[str], as_json: bool, profile: str, seed: int, tight: bool, folder: Path, store: bool
) -> None:
    """Drop each assumption in turn: necessary, with a certified counterexample, or something less.

    \b
    necessary             a finite certificate shows it
    evidence              a trend, or one float method, speaks against the rest
    delays                without it the statement fails for longer, but holds later
    not shown necessary   nothing speaks against the rest
    not tested            hardly any case meets the rest

    \b
    Example: refute ablate '*.lemma_11.*' --tightness
    """
    run, stored = Run(PROFILES[profile], seed=seed, device=resolve("auto")), Store(folder, store)
    with stdout_kept_clean():
        claims = select(patterns)
        pairs = [(claim, assumption) for claim in claims for assumption in claim.assumes]
        with progress(len(pairs) + (len(claims) if tight else 0)) as advance:
            found = [
                stored.kept("ablation", claim, run, advance(ablate(claim, assumption, run)))
                for claim, assumption in pairs
            ]
            moved = [
                stored.kept("tightness", claim, run, one)
                for claim in claims
                if tight
                for one in advance(tightness(claim, run))
            ]
    stored.finish()
    if as_json:
        print_json([*(ablation.row() for ablation in found), *(one.row() for one in moved)])
        return
    for ablation in found:
        say(
            f'{ablation.claim}: "{ablation.assumption.text}" {ablation.finding}\n{indented(ablation.row()["detail"])}\n'
        )
    for one in moved:
        say(f"{one.claim}: {one}")
