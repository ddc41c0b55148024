"""Read the stored runs. Whatever is not a record is passed over and counted; nothing in a file is executed."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from refute.run.results.journal import SUFFIX
from refute.run.results.record import END, Record, parsed

LONGEST_LINE = 16_000_000  # bytes; certificates have the same bound


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One file: its records in order, whether the run came to its end, and how many lines were no records."""

    path: Path
    records: tuple[Record, ...]
    finished: bool
    skipped: int

    @property
    def name(self) -> str:
        """Names sort as the runs began."""
        return self.path.stem

    def by_claim(self, sort: str) -> dict[str, list[Record]]:
        groups: dict[str, list[Record]] = {}
        for record in self.records:
            if record["sort"] == sort:
                groups.setdefault(record["claim"], []).append(record)
        return groups


def runs(folder: Path) -> list[StoredRun]:
    """All stored runs, the oldest first."""
    return [_stored(path) for path in _files(folder)]


def read(folder: Path) -> list[Record]:
    """Every record, in the order of the runs and within a run as they came."""
    return [record for run in runs(folder) for record in run.records]


def latest(folder: Path, sort: str, claims: Collection[str] | None = None) -> dict[str, Record]:
    """The last record of each claim (of these claims only, if told which)."""
    return {claim: group[-1] for claim, group in latest_groups(folder, sort, claims).items()}


def latest_groups(folder: Path, sort: str, claims: Collection[str] | None = None) -> dict[str, list[Record]]:
    """For each claim (of these only, if told which), the records of the last run that has some."""
    return _newest(_backwards(_files(folder)), sort, claims)


def previous(
    folder: Path, before: str, sort: str = "check", claims: Collection[str] | None = None
) -> dict[str, Record]:
    """The last record of each claim as it stood when the run of the name `before` began."""
    earlier = _backwards([path for path in _files(folder) if path.stem < before])
    return {claim: group[-1] for claim, group in _newest(earlier, sort, claims).items()}


def _newest(backwards: Iterable[StoredRun], sort: str, claims: Collection[str] | None) -> dict[str, list[Record]]:
    """Old files are not opened once every wanted claim is there."""
    found: dict[str, list[Record]] = {}
    wanted = None if claims is None else set(claims)
    for run in backwards:
        groups = run.by_claim(sort)
        found = {claim: group for claim, group in groups.items() if wanted is None or claim in wanted} | found
        if wanted is not None and wanted <= found.keys():
            break
    return found


def _backwards(files: list[Path]) -> Iterator[StoredRun]:
    return (_stored(path) for path in reversed(files))


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file())
    except OSError:
        return []


def _stored(path: Path) -> StoredRun:
    records: list[Record] = []
    finished, skipped = False, 0
    for line in _lines(path):
        record = parsed(line) if line is not None else None
        if record is None:
            skipped += 1
        elif record["sort"] == END:
            finished = True
        else:
            records.append(record)
    return StoredRun(path, tuple(records), finished, skipped)


def _lines(path: Path) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is too long or cannot be read."""
    try:
        with open(path, "rb") as file:
            while line := file.readline(LONGEST_LINE):
                too_long = len(line) == LONGEST_LINE and not line.endswith(b"\n")
                while too_long and line and not line.endswith(b"\n"):
                    line = file.readline(LONGEST_LINE)
                yield None if too_long else line
    except OSError:
        yield None
