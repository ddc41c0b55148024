"""A record: one line of a file of results, written by a known version and read as data, never as code."""

import hashlib
import importlib.metadata
import json
import math
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType
from typing import Any

from refute.arithmetic.numbers import rational
from refute.decide.effort import Run
from refute.errors import RefuteError
from refute.kernel.certificate import statement_digest
from refute.language.claim import Claim
from refute.language.place import file_of

Record = dict[str, Any]

FORMAT = 1
FOLDER = Path(".refute") / "results"
VARIABLE = "REFUTE_RESULTS"  # the environment variable that names another folder
END = "end"  # the sort of the last line of a run that came to its end

_WORD, _COUNT, _FLAG = (str,), (int,), (bool,)
_NUMBER, _MAYBE_WORD, _MAYBE_NUMBER = (
    (int, float),
    (str, NoneType),
    (int, float, str, NoneType),
)  # a fraction is written as text

_STAMP: Mapping[str, tuple[type, ...]] = {
    "claim": _WORD,
    "statement": _WORD,
    "profile": _WORD,
    "seed": _COUNT,
    "device": _WORD,
    "at": _WORD,
    "version": _WORD,
}

# The fields that a reader may rely on, with their types in JSON.
SORTS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "check": {
        "id": _WORD,
        "verdict": _WORD,
        "recorded": _MAYBE_WORD,
        "earned": _FLAG,
        "margin": _MAYBE_NUMBER,
        "error": _MAYBE_NUMBER,
        "cases": _COUNT,
        "tried": _COUNT,
        "distinct": _COUNT,
        "undecided": _COUNT,
        "seconds": _NUMBER,
        "certificate": _MAYBE_WORD,
        "detail": _WORD,
        "margins": (list,),
    },
    "ablation": {"id": _WORD, "assumption": _WORD, "finding": _WORD, "cases": _COUNT, "detail": _WORD},
    "mutant": {"id": _WORD, "mutant": _WORD, "killed": _FLAG, "verdict": _WORD, "cases": _COUNT, "detail": _WORD},
    "tightness": {
        "id": _WORD,
        "constant": _WORD,
        "value": _MAYBE_WORD,
        "refuted_at": _MAYBE_WORD,
        "stands_at": _MAYBE_WORD,
        "cases": _COUNT,
    },
    "hunt": {
        "id": _WORD,
        "found": _FLAG,
        "cases": _COUNT,
        "tried": _COUNT,
        "best": _MAYBE_NUMBER,
        "certificate": _MAYBE_WORD,
    },
}

# What a record may hold besides: the last two where there is a counterexample.
_OPTIONAL: Mapping[str, tuple[type, ...]] = {
    "code": _WORD,
    "paper": _WORD,
    "reference": _WORD,
    "kind": _WORD,
    "replay": _MAYBE_WORD,
    "verdict": _WORD,
    "level": _WORD,
    "case": (dict,),
}


def folder(given: Path | None = None) -> Path:
    """Where results are kept: the folder given, else that of the environment, else `.refute/results`."""
    return given or Path(os.environ.get(VARIABLE) or FOLDER)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def code_digest(claim: Claim) -> str:
    """A digest of the file that holds the claim; of what it imports it knows nothing."""
    try:
        return hashlib.sha256(file_of(claim.place).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def stamped(sort: str, claim: Claim, run: Run, row: Mapping[str, Any]) -> Record:
    """The row of a result, with what it speaks about, the effort, and when and by which version it was obtained."""
    return {
        "format": FORMAT,
        "sort": sort,
        "claim": claim.id,
        "statement": statement_digest(claim),
        "code": code_digest(claim),
        "profile": run.profile.name,
        "seed": run.seed,
        "device": run.device,
        "at": now(),
        "version": importlib.metadata.version("refute"),
        **row,
    }


def parsed(line: bytes) -> Record | None:
    """The record that a line holds; None for anything else: torn, foreign, of another format, or with a field of the
    wrong type.
    """
    try:
        record = json.loads(line, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or type(record.get("format")) is not int or record["format"] != FORMAT:
        return None
    sort = record.get("sort")
    if sort == END:
        return record
    fields = SORTS.get(sort) if isinstance(sort, str) else None
    return record if fields is not None and _well_formed(record, fields) else None


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


def _well_formed(record: Record, fields: Mapping[str, tuple[type, ...]]) -> bool:
    needed = all(name in record and type(record[name]) in types for name, types in (*_STAMP.items(), *fields.items()))
    allowed = all(type(record[name]) in types for name, types in _OPTIONAL.items() if name in record)
    finite = all(math.isfinite(value) for value in record.values() if type(value) is float)
    return needed and allowed and finite and _numerals(record) and _numbers(record.get("margins", []))


def _numerals(record: Record) -> bool:
    """Whether the text that stands where a float would not do is a fraction."""
    try:
        for name in {"margin", "error", "best"} & record.keys():
            if isinstance(record[name], str):
                rational(record[name], name)
    except RefuteError:
        return False
    return True


def _numbers(values: list[Any]) -> bool:
    """Whether all are finite; a number beyond the floats is read as infinite."""
    return set(map(type, values)) <= set(_NUMBER) and (not values or -math.inf < min(values) <= max(values) < math.inf)
