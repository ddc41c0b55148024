"""The command line: `refute` and its commands, which live in `refute/commands/`."""

import difflib
import errno
import importlib
import importlib.metadata
import os
import sys
import threading
from pathlib import Path
from typing import Any, TextIO

import click

from refute.commands.common import INTERRUPTED, NOT_EARNED, WRONG_USE, Mistake
from refute.errors import RefuteError, missing
from refute.run.configuration import configuration
from refute.run.interrupts import kept_interrupts
from refute.show.fold import folded

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)

# Each command has a module of its own, imported when it is asked for; what it does, in one line.
OFFERED = {
    "list": "Show claims, assumptions and recorded verdicts.",
    "check": "Try to refute claims; compare with the record.",
    "find": "Hunt counterexamples: climb the margin.",
    "ablate": "Drop each assumption: what is necessary?",
    "sweep": "Say how large a shared constant must be.",
    "mutate": "Try wrong versions; a survivor shows no teeth.",
    "verify": "Check certificates again, believing nothing.",
    "pin": "Keep the cases that speak against claims.",
    "document": "Write a page on each paper.",
    "figure": "Redraw a figure of a paper.",
    "report": "Write a static site from stored results.",
    "init": "Begin a pack of claims for a paper of your own.",
    "config": "Print what [tool.refute] sets, and where.",
    "completion": "Print the script for a shell.",
}
COLOURED = {"auto": None, "always": True, "never": False}


class Help(click.HelpFormatter):
    """Paragraphs that are kept as they are written are folded too where they are too long, except commands."""

    def write_text(self, text: str) -> None:
        kept, self.buffer = self.buffer, []
        super().write_text(text)
        lines = "".join(self.buffer).splitlines()
        known = [each if "refute " in each else folded(each, self.width) for each in lines]
        self.buffer = [*kept, *(f"{each}\n" for each in known)]


class Context(click.Context):
    formatter_class = Help


class Commands(click.Group):
    """Commands whose errors are messages and whose Ctrl-C is exit code 130."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(OFFERED)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in OFFERED:
            return None
        module = importlib.import_module(f"refute.commands.{cmd_name}")
        found = next(
            made for made in vars(module).values() if isinstance(made, click.Command) and made.name == cmd_name
        )
        found.context_class = Context
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and args[0] not in OFFERED:
            near = difflib.get_close_matches(args[0], OFFERED, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(OFFERED)}"
            raise Mistake(f"there is no command {args[0]!r}\n\nhint: {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(OFFERED.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefuteError as error:
            raise Mistake(str(error)) from error
        except ModuleNotFoundError as error:
            if lacking := missing(error):
                raise Mistake(str(lacking)) from error
            raise
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
    name = context.invoked_subcommand
    command = cli.get_command(context, name) if name else None
    if name and command is not None:
        options = {word[2:]: each.name or "" for each in command.params for word in each.opts if word[:2] == "--"}
        context.default_map = {name: configuration(Path.cwd(), OFFERED).of(name, options)}
