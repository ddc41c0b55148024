"""What a folder sets for the commands: the table `[tool.refute]` of the nearest pyproject.toml that has one.

    [tool.refute]
    profile = "thorough"
    jobs = 2

    [tool.refute.find]
    budget = "5m"

What is typed on the command line counts more.
"""

import difflib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refute.errors import BadInput, Unreadable

# What may be set for all commands that know it; a table of its own sets any option of one command.
KEYS = {
    "profile": "how hard to try",
    "seed": "the same seed gives the same verdicts",
    "jobs": "number of processes",
    "device": "where tensors live",
    "timeout-per-case": "seconds of the processor that a case may take",
    "memory": "what a process may hold, such as 4G",
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """What `path` sets; empty where there is no such file."""

    path: Path | None = None
    common: Mapping[str, Any] = field(default_factory=dict)
    commands: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, command: str, options: Mapping[str, str]) -> dict[str, Any]:
        """The values for a command, by the names of its parameters; `options` tells these."""
        own = self.commands.get(command, {})
        for key in own:
            if key not in options:
                raise BadInput(
                    f"{self.path}: [tool.refute.{command}] sets {key!r}, which `refute {command}` does not know",
                    _nearest(key, options),
                )
        chosen = {key: value for key, value in self.common.items() if key in options} | dict(own)
        return {options[key]: value for key, value in chosen.items()}


def configuration(folder: Path, commands: Collection[str]) -> Configuration:
    """What holds in a folder; `commands` may have tables of their own."""
    for parent in (folder, *folder.parents):
        path = parent / "pyproject.toml"
        table = _table(path) if path.is_file() else None
        if table is not None:
            return _checked(path, table, commands)
    return Configuration()


def _table(path: Path) -> Any:
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(f"cannot read {path}: {error}", "mend the TOML") from error
    return read.get("tool", {}).get("refute")


def _checked(path: Path, table: Any, commands: Collection[str]) -> Configuration:
    if not isinstance(table, dict):
        raise Unreadable(f"{path}: tool.refute is {table!r}", "write a table, [tool.refute]")
    common = {key: value for key, value in table.items() if not isinstance(value, dict)}
    tables = {key: value for key, value in table.items() if isinstance(value, dict)}
    for key, known, what in [*((key, KEYS, "key") for key in common), *((key, commands, "command") for key in tables)]:
        if key not in known:
            raise BadInput(f"{path}: [tool.refute] knows no {what} {key!r}", _nearest(key, known))
    return Configuration(path, common, tables)


def _nearest(word: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {near[0]}?" if near else f"it may be {', '.join(known)}"
