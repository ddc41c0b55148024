"""What the commands share: exit codes, options, output that stays clean, a progress bar."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from typing import IO, Any, TypeVar

import click
from rich.console import Console
from rich.progress import Progress

from refute.profile import PROFILES

T = TypeVar("T")

NOT_EARNED, WRONG_USE, INTERRUPTED = 1, 2, 130


class Mistake(click.ClickException):
    """A mistake in the input: its message and its hint, without a traceback."""

    exit_code = WRONG_USE

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"error: {self.message}", file=file, err=True)


as_json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON array and nothing else.")
patterns_argument = click.argument("patterns", metavar="[PATTERN]...", nargs=-1)
profile_option = click.option("--profile", type=click.Choice(list(PROFILES)), default="quick", show_default=True, help="How hard to try.")
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed gives the same verdicts."
)


def print_json(rows: list[dict[str, Any]]) -> None:
    click.echo(json.dumps(rows, indent=2, allow_nan=False))


def stdout_kept_clean() -> AbstractContextManager[Any]:
    """What claims print while they are imported or run goes to stderr."""
    return redirect_stdout(sys.stderr)


@contextmanager
def progress(total: int) -> Iterator[Callable[[T], T]]:
    """A bar on the terminal, nothing in a pipe; calling it with something advances the bar and hands it back."""
    bar = Progress(console=Console(stderr=True), transient=True) if sys.stderr.isatty() else None
    with bar or nullcontext():
        task = bar.add_task("claims", total=total) if bar else None

        def advance(done: T) -> T:
            if bar and task is not None:
                bar.advance(task)
            return done

        yield advance


def indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
