"""`refute ablate`: drop each assumption in turn, move each constant."""

from collections.abc import Sequence
from pathlib import Path

import click

from refute.commands.common import (
    as_json_option,
    guard_options,
    indented,
    jobs_option,
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
from refute.language.claim import Claim
from refute.run.device import resolve
from refute.run.guard import Crew, Limits
from refute.run.loading import select
from refute.study.ablate import Ablation, Tightness
from refute.study.watched import ablations, tightnesses


@click.command("ablate")
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True, shell_complete=claim_ids)
@as_json_option
@profile_option
@seed_option
@click.option("--tightness", "tight", is_flag=True, help="Also move each constant until a counterexample appears.")
@jobs_option
@guard_options
@store_options
def ablate_(
    patterns: Sequence[str],
    as_json: bool,
    profile: str,
    seed: int,
    tight: bool,
    jobs: int,
    timeout_per_case: float,
    memory: str | None,
    folder: Path,
    store: bool,
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
    limits = Limits.parse(timeout_per_case, memory, jobs)
    with stdout_kept_clean():
        claims = {claim.id: claim for claim in select(patterns)}
    pairs = [(claim, assumption) for claim in claims.values() for assumption in claim.assumes]
    tightened = list(claims.values()) if tight else []
    found = []
    with progress(len(pairs) + len(tightened), "assumptions") as progressing, Crew(jobs, limits) as staff:

        def keep(claim: Claim, sort: str, one: Ablation | Tightness, said: str) -> None:
            found.append(stored.kept(sort, claim, run, one).row())
            if not as_json:
                with progressing.aside():
                    say(said)

        for one in ablations(pairs, run, staff):
            text = f'{one.claim}: "{one.assumption.text}" {one.finding}\n{indented(one.row()["detail"])}\n'
            keep(claims[one.claim], "ablation", progressing.advance(one), text)
        for claim, moved in tightnesses(tightened, run, staff):
            for each in progressing.advance(moved):
                keep(claim, "tightness", each, f"{claim.id}: {each}")
    stored.finish()
    if as_json:
        print_json(found)
