"""The command line: `refute` and its commands, which live in `refute/commands/`."""

import importlib.metadata
import sys
from typing import Any

import click

from refute.commands.ablate import ablate_
from refute.commands.check import check
from refute.commands.common import INTERRUPTED, Mistake
from refute.commands.document import document
from refute.commands.figure import figure
from refute.commands.find import find
from refute.commands.list import list_
from refute.commands.mutate import mutate
from refute.commands.verify import verify
from refute.errors import RefuteError


class Commands(click.Group):
    """Commands whose errors are messages and whose Ctrl-C is exit code 130."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefuteError as error:
            raise Mistake(str(error)) from error
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


def main() -> None:
    """The entry point of the `refute` script."""
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    cli(prog_name="refute")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("refute"), prog_name="refute")
def cli() -> None:
    """Search for counterexamples to theorems about training neural networks.

    PATTERN is an id, a shell glob over ids, a file or folder of claims, or file.py::name. Without one, every claim is meant.
    """


for command in (list_, check, find, ablate_, mutate, verify, document, figure):
    cli.add_command(command)
