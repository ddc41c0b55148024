"""Run a command again whenever a file of claims changes."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from refute.run.source import DEFAULT_PACKAGE

EVERY = 0.3  # seconds between two looks

Seen = dict[Path, tuple[int, int]]


def again_and_again(words: Sequence[str], patterns: Sequence[str]) -> NoReturn:
    """`refute` with these words, in a process of its own each time."""
    folders = watched(patterns)
    for changed in changes(folders):
        if changed:
            sys.stdout.write(f"\n{', '.join(sorted(path.name for path in changed))} changed\n\n")
            sys.stdout.flush()
        subprocess.run([sys.executable, "-m", "refute", *words], check=False)
    raise AssertionError("files are watched until Ctrl-C")


def watched(patterns: Sequence[str]) -> list[Path]:
    """The folders whose files matter: a file of claims may import what lies beside it."""
    places = [Path(pattern.partition("::")[0]) for pattern in patterns]
    named = [path if path.is_dir() else path.parent for path in places if path.exists()]
    spec = find_spec(DEFAULT_PACKAGE)
    return named or [Path(place) for place in (spec.submodule_search_locations if spec else None) or ()]


def changes(folders: Sequence[Path], every: float = EVERY) -> Iterator[set[Path]]:
    """Nothing at first; then, as often as there are some, the files that are new, gone or written again."""
    before = _seen(folders)
    yield set()
    while True:
        now = _seen(folders)
        if now != before:
            yield {path for path in now.keys() | before.keys() if now.get(path) != before.get(path)}
            before = now
        time.sleep(every)


def _seen(folders: Sequence[Path]) -> Seen:
    found: Seen = {}
    for folder in folders:
        for path in folder.rglob("*.py"):
            try:
                state = path.stat()
            except OSError:  # gone meanwhile
                continue
            found[path] = (state.st_mtime_ns, state.st_size)
    return found
