"""A certificate as data: a regular file of bounded size, opened once, in which no key stands twice."""

import json
import os
import stat
from pathlib import Path
from typing import Any, NoReturn

from refute.errors import Unreadable

VERSION = 1
MOST_BYTES = 16_000_000


def read(path: Path) -> dict[str, Any]:
    """Parse a certificate; anything unexpected is `Unreadable`."""
    try:
        data = json.loads(_text(path), object_pairs_hook=_keys_once, parse_constant=_no_number)
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"cannot read {path}: {error}") from error
    version = data.get("refute_certificate") if isinstance(data, dict) else None
    if type(version) is not int or version != VERSION:  # True and 1.0 equal 1
        raise Unreadable(f"{path} is not a certificate of version {VERSION}")
    return dict(data)


def _text(path: Path) -> str:
    """What the file holds; a pipe or a device is not waited for."""
    opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise Unreadable(f"{path} is not a regular file, or a folder without certificates")
        with os.fdopen(opened, "rb", closefd=False) as file:
            found = file.read(MOST_BYTES + 1)
    finally:
        os.close(opened)
    if len(found) > MOST_BYTES:
        raise Unreadable(f"{path} has more than {MOST_BYTES} bytes: not a certificate")
    return found.decode()


def _keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, _ in pairs if [other for other, _ in pairs].count(key) > 1)
        raise ValueError(f"the key {twice[:40]!r} stands twice")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
