"""The command line: `refute` and its commands, which live in `refute/commands/`."""

import errno
import importlib.metadata
import os
import sys
import threading
from typing import Any, TextIO

import click

from refute.commands.ablate import ablate_
from refute.commands.check import check
from refute.commands.common import INTERRUPTED, NOT_EARNED, WRONG_USE, Mistake
from refute.commands.completion import completion
from refute.commands.document import document
from refute.commands.figure import figure
from refute.commands.find import find
from refute.commands.list import list_
from refute.commands.mutate import mutate
from refute.commands.pin import pin
from refute.commands.report import report
from refute.commands.sweep import sweep_
from refute.commands.verify import verify
from refute.errors import RefuteError
from refute.run.interrupts import kept_interrupts

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
COLOURED = {"auto": None, "always": True, "never": False}


class Commands(click.Group):
    """Commands whose errors are messages and whose Ctrl-C is exit code 130."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefuteError as error:
            raise Mistake(str(error)) from error
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            raise Mistake(f"cannot write: {error}") from error
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            ctx.exit(INTERRUPTED)


def _nowhere() -> TextIO:
    """In place of a stream that was closed by whoever started the program."""
    return open(os.devnull, "w", encoding="utf-8")


def main() -> None:
    """The entry point of the `refute` script."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    code: Any = 0
    with kept_interrupts():
        try:
            cli(prog_name="refute")
        except SystemExit as end:
            code = end.code
    code = _written_out() or code
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        os._exit(code if isinstance(code, int) else NOT_EARNED)  # a claim has left a thread that Python would wait for
    sys.exit(code)


def _written_out() -> int:
    """Whether all that was said has arrived, as an exit code."""
    code = 0
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except (OSError, ValueError) as error:
            setattr(sys, name, _nowhere())  # so that Python does not try again
            if isinstance(error, OSError) and error.errno in NO_ROOM:
                sys.stderr.write(f"error: cannot write: {error}\n")
                code = WRONG_USE
    return code


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(importlib.metadata.version("refute"), prog_name="refute")
@click.option(
    "--color",
    type=click.Choice(list(COLOURED)),
    default="auto",
    show_default=True,
    help="Auto: on a terminal without NO_COLOR.",
)
@click.pass_context
def cli(context: click.Context, color: str) -> None:
    """Search for counterexamples to theorems about training neural networks.

    PATTERN is an id, a shell glob over ids, a file or folder of claims, or file.py::name. Without one, every claim is
    meant.

    \b
    Example: refute check 'zhang2024.theorem_5.*'
    """
    context.color = COLOURED[color]


for command in (list_, check, find, ablate_, sweep_, mutate, verify, pin, document, figure, report, completion):
    cli.add_command(command)
