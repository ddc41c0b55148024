"""What changed since the last report: a small file of verdicts beside the results.

The file holds two sets of verdicts. A report of the same verdicts is compared with the same predecessor again, so that
writing a report twice gives the same pages.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = "last-report.json"
VERSION = 1
MOST_BYTES = 16_000_000
_NEVER = {None, "not run"}


@dataclass(frozen=True, slots=True)
class Change:
    """None: the claim is new, or gone."""

    id: str
    before: str | None
    now: str | None


def compare(folder: Path, verdicts: Mapping[str, str]) -> list[Change] | None:
    """The changes against the report before; None when there was none. Remembers the verdicts for the next time."""
    known = _read(folder / FILE)
    before = known.get("before") if known.get("now") == dict(verdicts) else known.get("now")
    before = before if isinstance(before, dict) else None
    _write(folder / FILE, {"refute_report": VERSION, "before": before, "now": dict(sorted(verdicts.items()))})
    if before is None:
        return None
    return difference(before, verdicts)


def difference(before: Mapping[str, Any], now: Mapping[str, str]) -> list[Change]:
    """The claims whose verdicts differ. A claim that was run neither then nor now is not listed."""
    changes = [Change(id, _word(before.get(id)), now.get(id)) for id in sorted({*before, *now})]
    return [change for change in changes if change.before != change.now and {change.before, change.now} != _NEVER]


def _word(value: Any) -> str | None:
    return None if value is None else str(value)


def _read(path: Path) -> dict[str, Any]:
    """What an earlier report left; a file that cannot be read counts as none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8")) if path.stat().st_size <= MOST_BYTES else None
    except (OSError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) and data.get("refute_report") == VERSION else {}


def _write(path: Path, data: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(data, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
    os.replace(part, path)
