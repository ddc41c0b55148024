"""The file of one run: a line is written the moment its result is known, and never changed."""

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from refute.run.results.record import END, FORMAT, Record, now

SUFFIX = ".jsonl"


class Journal:
    """Writes the records of one run into a file of its own, so that runs at the same time do not mix; the first record
    makes it.

    Its name begins with the time in UTC: names sort as the runs began. A line goes out in one piece, so a kill loses at
    most that line.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.began = datetime.now(UTC)
        self.path: Path | None = None

    def add(self, record: Record) -> None:
        if self.path is None:
            self.path = _new_file(self.folder, self.began)
        line = json.dumps(record, allow_nan=False).encode() + b"\n"
        with open(self.path, "ab", buffering=0) as file:
            while line:
                line = line[file.write(line) :]

    def finish(self) -> None:
        """Say that the run came to its end; a file without this line is of a run that was interrupted or killed."""
        if self.path is not None:
            self.add({"format": FORMAT, "sort": END, "at": now()})


def _new_file(folder: Path, began: datetime) -> Path:
    """A name that nobody has taken: two runs of one process may begin in the same microsecond."""
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        path = folder / f"{began:%Y%m%dT%H%M%S.%fZ}-{os.getpid()}{SUFFIX}"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            began += timedelta(microseconds=1)
        else:
            return path


def append(folder: Path, records: Iterable[Record]) -> Path | None:
    """Store the records of a whole run; the file, or None if there was nothing to store."""
    journal = Journal(folder)
    for record in records:
        journal.add(record)
    journal.finish()
    return journal.path
