"""What the commands share: exit codes, options, output that stays clean, a progress bar."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from refute.commands.completion import claim_ids
from refute.decide.effort import PROFILES, SECONDS
from refute.show.fold import folded, width_of
from refute.show.visible import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

NOT_EARNED, WRONG_USE, EVIDENCE, INTERRUPTED = 1, 2, 4, 130


class Mistake(click.ClickException):
    """A mistake in the input: its message and its hint, without a traceback."""

    exit_code = WRONG_USE

    def show(self, file: IO[Any] | None = None) -> None:
        say(f"error: {self.message}", err=True)


def say(text: str, err: bool = False) -> None:
    """Print what may hold words of a claim, of a case or of a file: nothing in them can give orders to the terminal,
    and a narrow one breaks no word.
    """
    click.echo(folded(visible(text), width_of(sys.stderr if err else sys.stdout)), err=err)


as_json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON array and nothing else.")
patterns_argument = click.argument("patterns", metavar="[PATTERN]...", nargs=-1, shell_complete=claim_ids)
profile_option = click.option(
    "--profile", type=click.Choice(list(PROFILES)), default="quick", show_default=True, help="How hard to try."
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Number of processes."
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The same seed gives the same verdicts."
)


def print_json(rows: Sequence[Mapping[str, Any]]) -> None:
    click.echo(json.dumps(rows, indent=2, allow_nan=False))


def stdout_kept_clean() -> AbstractContextManager[Any]:
    """What claims print while they are imported or run goes to stderr."""
    return redirect_stdout(sys.stderr)


def err_console() -> "Console":
    """Where progress is shown: in colour unless --color or NO_COLOR says otherwise."""
    from rich.console import Console

    context = click.get_current_context(silent=True)
    wanted = context.color if context is not None else None
    return Console(stderr=True, no_color=None if wanted is None else not wanted)


class Progressing:
    """A bar on the terminal with the time that is left, nothing in a pipe."""

    def __init__(self, total: float, noun: str, lasts: float | None = None) -> None:
        """`lasts` is what is known of the seconds that all of it will take."""
        self.bar = self._bar() if sys.stderr.isatty() else None
        self.task = self.bar.add_task(noun, total=total, lasts=lasts) if self.bar else None
        self.out = sys.stdout

    @staticmethod
    def _bar() -> "Progress":
        from rich.progress import BarColumn, Progress, TextColumn
        from rich.table import Column

        from refute.show.left import Left

        column = Column(no_wrap=True, overflow="ellipsis", ratio=1)
        said = TextColumn("{task.description}", table_column=column)
        share = TextColumn("{task.percentage:>3.0f}%", table_column=Column(no_wrap=True))
        left = Left(table_column=Column(no_wrap=True, min_width=18))
        return Progress(said, share, BarColumn(16), left, console=err_console(), transient=True, expand=True)

    def advance(self, done: T, weight: float = 1.0) -> T:
        """Another one is done, with this share of the total; it is handed back."""
        if self.bar and self.task is not None:
            self.bar.advance(self.task, weight)
        return done

    def reached(self, completed: float, said: str) -> None:
        """So much of the total is done, and what there is to say about it."""
        if self.bar and self.task is not None:
            self.bar.update(self.task, completed=completed, description=said)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Within it, the output goes where it went before the bar was there, and the bar is out of the way."""
        if self.bar:
            self.bar.stop()
        with redirect_stdout(self.out):
            yield
        self.out.flush()
        if self.bar:
            self.bar.start()


@contextmanager
def progress(total: float, noun: str = "claims", lasts: float | None = None) -> Iterator[Progressing]:
    """What is printed inside goes to stderr, except `aside`: claims print what they like."""
    made = Progressing(total, noun, lasts)
    with stdout_kept_clean(), made.bar or nullcontext():
        yield made


def guard_options(command: F) -> F:
    """The limits that every case has."""
    seconds = click.option(
        "--timeout-per-case",
        type=click.FloatRange(min=0, min_open=True),
        default=SECONDS,
        show_default=True,
        help="Seconds of the processor that a case may take.",
    )
    memory = click.option(
        "--memory", metavar="SIZE", help="What a process may hold, such as 4G; else nine tenths of what there is."
    )
    return seconds(memory(command))


def indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
