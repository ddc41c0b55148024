"""The options that say where results are stored, and the storing itself: a full disk costs the file, not the run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from refute.commands.common import say
from refute.decide.effort import Run
from refute.language.claim import Claim
from refute.run import results

F = TypeVar("F", bound=Callable[..., Any])


class Storable(Protocol):
    def record(self) -> dict[str, Any]: ...


S = TypeVar("S", bound=Storable)


def store_options(command: F) -> F:
    folder = click.option(
        "--results",
        "folder",
        type=click.Path(path_type=Path, file_okay=False),
        callback=lambda context, parameter, given: results.folder(given),
        help="The folder of stored results: else $REFUTE_RESULTS, else .refute/results.",
    )
    store = click.option("--store/--no-store", default=True, help="Whether to store the results of this run (yes).")
    return folder(store(command))


class Store:
    """Keeps the records of one run, or none of them."""

    def __init__(self, folder: Path, wanted: bool) -> None:
        self._journal = results.Journal(folder) if wanted else None

    def keep(self, record: results.Record) -> None:
        self._write(lambda journal: journal.add(record))

    def kept(self, sort: str, claim: Claim, run: Run, one: S) -> S:
        """Store a result and hand it back."""
        self.keep(results.stamped(sort, claim, run, one.record()))
        return one

    def finish(self) -> None:
        self._write(lambda journal: journal.finish())

    def _write(self, what: Callable[[results.Journal], None]) -> None:
        if self._journal is None:
            return
        try:
            what(self._journal)
        except OSError as error:
            say(f"results are not stored: {error}", err=True)
            self._journal = None
