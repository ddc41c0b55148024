"""`refute pin`: keep the cases that speak against claims beside them."""

from collections.abc import Sequence

import click

from refute.commands.common import NOT_EARNED, patterns_argument, profile_option, say, seed_option, stdout_kept_clean
from refute.decide.effort import PROFILES, Run
from refute.decide.verdict import FALLEN, Against, Refuted
from refute.kernel.certificate import pinned, pinned_path, write
from refute.kernel.verification import EVIDENCE_ONLY, objections
from refute.language.claim import Claim
from refute.language.place import shown
from refute.run.check import check
from refute.run.loading import select


@click.command()
@patterns_argument
@profile_option
@seed_option
@click.option("--stale", is_flag=True, help="Only the claims whose file is missing or no longer verifies.")
@click.option("--anew", is_flag=True, help="Look for another counterexample than the one that is kept.")
@click.pass_context
def pin(context: click.Context, patterns: Sequence[str], profile: str, seed: int, stale: bool, anew: bool) -> None:
    """Write the certificate of each claim that is recorded as refuted to the folder `refuted` beside its file.

    For a claim that is recorded as against, the file keeps the case, and certifies nothing.

    The case that is kept there already stays if it still violates the claim; its certificate is made again, so that it
    fits the statement as it is worded now.

    \b
    Exit code: 0 all are as recorded, 1 some are not: their files stay as they were.

    \b
    Example: refute pin --stale 'mine2025.lemma_1*'
    """
    run = Run(PROFILES[profile], seed=seed, pinned=not anew)
    missing = 0
    with stdout_kept_clean():
        claims = [claim for claim in select(patterns) if claim.recorded in FALLEN]
        claims = [claim for claim in claims if not (stale and _fresh(claim))]
    for claim in claims:
        with stdout_kept_clean():
            outcome = check(claim, run)
        if isinstance(outcome, Refuted | Against) and outcome.word == claim.recorded:
            say(f"pinned      {shown(write(claim, outcome.counterexample, target=pinned_path(claim)))}")
        else:
            missing += 1
            say(f"not {claim.recorded:<7} {claim.id}: {outcome.word}", err=True)
    context.exit(NOT_EARNED if missing else 0)


def _fresh(claim: Claim) -> bool:
    """Whether the file still says what the case gives."""
    try:
        data = pinned(claim)
        return data is not None and objections(data, claim) in ([], [EVIDENCE_ONLY])
    except Exception:  # a file of another day may lead anywhere
        return False
