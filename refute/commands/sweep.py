"""`refute sweep`: how large a constant must be that the assumptions share."""

from collections.abc import Sequence
from typing import Any

import click

from refute.arithmetic.numbers import rational
from refute.commands.common import (
    NOT_EARNED,
    as_json_option,
    print_json,
    profile_option,
    progress,
    say,
    seed_option,
    stdout_kept_clean,
)
from refute.commands.completion import claim_ids
from refute.decide.effort import PROFILES, Run
from refute.errors import BadInput
from refute.run.device import resolve
from refute.run.guard import Crew
from refute.run.loading import select
from refute.study.sweep import speaking
from refute.study.watched import sweeps


def _values(context: click.Context, parameter: click.Parameter, given: str) -> tuple[str, list[Any]]:
    """A field of the case and numbers for it, from NAME=V1,V2,...; whole numbers stay whole."""
    name, sign, listed = given.partition("=")
    if not name or not sign:
        raise click.BadParameter(f"{given!r} is not of the form NAME=V1,V2,...")
    try:
        numbers = [rational(each.strip(), "value") for each in listed.split(",")]
    except BadInput as error:
        raise click.BadParameter(f"{given!r}: {error.message}") from None
    return name, [int(number) if number.denominator == 1 else number for number in numbers]


@click.command("sweep")
@click.argument("patterns", metavar="PATTERN...", nargs=-1, required=True, shell_complete=claim_ids)
@click.option(
    "--field",
    "varied",
    callback=_values,
    required=True,
    metavar="NAME=V1,V2,...",
    help="A field of the cases, and its values.",
)
@click.option("--each", is_flag=True, help="Also tighten each assumption that speaks of the field alone.")
@as_json_option
@profile_option
@seed_option
@click.pass_context
def sweep_(
    context: click.Context,
    patterns: Sequence[str],
    varied: tuple[str, list[Any]],
    each: bool,
    as_json: bool,
    profile: str,
    seed: int,
) -> None:
    """Check claims at several values of a constant that their assumptions share, and say from which one on they hold.

    The field is set before the assumptions are made to hold, so that all of them are tightened together; claims without
    an assumption that speaks of it are left out.

    \b
    Exit code: 0 some claim was tried, 1 none speaks of the field.

    \b
    Example: refute sweep 'kou2023.thm_4_1.*' --field C=3,10,30,100
    """
    (field, values), run = varied, Run(PROFILES[profile], seed=seed, device=resolve("auto"))
    with stdout_kept_clean():
        chosen = [(claim, about) for claim in select(patterns) if (about := speaking(claim, field))]
        tasks = [(claim, alone) for claim, about in chosen for alone in (None, *(about if each else ()))]
    with progress(len(tasks)) as progressing, Crew(1) as staff:
        found = [progressing.advance(one) for one in sweeps(tasks, field, values, run, staff)]
    if as_json:
        print_json([row for one in found for row in one.rows()])
    for one in found if not as_json else ():
        say(f"{one.claim}: {one}")
    if not found:
        say(f"no claim has an assumption that speaks of {field}", err=True)
    context.exit(0 if found else NOT_EARNED)
