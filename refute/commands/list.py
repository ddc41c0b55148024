"""`refute list`: what is claimed, under which assumptions, with which recorded verdict."""

from collections.abc import Sequence

import click

from refute.commands.common import as_json_option, patterns_argument, print_json, stdout_kept_clean
from refute.run.loading import select
from refute.run.result import list_row
from refute.show import table


@click.command("list")
@patterns_argument
@as_json_option
def list_(patterns: Sequence[str], as_json: bool) -> None:
    """Show claims: id, kind, recorded verdict, reference, assumptions.

    \b
    Example: refute list '*.theorem_5.*'
    """
    with stdout_kept_clean():
        claims = select(patterns)
    if as_json:
        print_json([list_row(claim) for claim in claims])
    else:
        table.print_claims(claims)
