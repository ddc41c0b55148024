"""Places in source files, as a person reads them: relative to the current directory where that is shorter."""

import traceback
from functools import cache
from pathlib import Path


def shown(path: str | Path) -> str:
    """`path` relative to the current directory when it lies below it."""
    full = Path(path).absolute()
    return str(full.relative_to(Path.cwd())) if full.is_relative_to(Path.cwd()) else str(path)


@cache
def file_of(place: str) -> Path:
    """The file of a place such as "mine.py:12"."""
    return Path(place.rpartition(":")[0]).resolve()


def shown_place(place: str) -> str:
    file, _, line = place.rpartition(":")
    return f"{shown(file)}:{line}"


def where_raised(error: BaseException, file: Path | None) -> str:
    """The innermost line of `file` that led to the error, else the innermost line of all, as " (at mine.py:12)"."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    inside = [frame for frame in frames if file is not None and Path(frame.filename).resolve() == file]
    chosen = (inside or frames)[-1:]
    return "".join(f" (at {shown(frame.filename)}:{frame.lineno})" for frame in chosen)
