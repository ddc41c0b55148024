"""A record: one line of a file of results, written by a known version and read as data, never as code."""

import hashlib
import importlib.metadata
import json
import math
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from refute.arithmetic.numbers import rational
from refute.decide.effort import Run
from refute.decide.verdict import Spread
from refute.errors import RefuteError
from refute.kernel.certificate import statement_digest
from refute.language.claim import Claim
from refute.language.place import file_of
from refute.run.result import Row

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


def _in_json(row: type) -> dict[str, tuple[type, ...]]:
    """The fields of a row with their types in JSON, where a float may come back as a whole number."""
    hints = {
        name: get_args(hint) if isinstance(hint, UnionType) else (hint,) for name, hint in get_type_hints(row).items()
    }
    plain = {name: [get_origin(each) or each for each in types] for name, types in hints.items()}
    return {name: tuple({int, *types} if float in types else types) for name, types in plain.items()}


_STAMP: Mapping[str, tuple[type, ...]] = {
    "claim": _WORD,
    "statement": _WORD,
    "profile": _WORD,
    "seed": _COUNT,
    "device": _WORD,
    "at": _WORD,
    "version": _WORD,
}

_ABOUT = {"paper", "reference", "kind"}  # of the claim: a reader finds them there

# The fields that a reader may rely on, with their types in JSON.
SORTS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    "check": {name: types for name, types in (_in_json(Row) | _in_json(Spread)).items() if name not in _ABOUT},
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

# What a record may hold besides: the last four where there is a counterexample.
_OPTIONAL: Mapping[str, tuple[type, ...]] = {
    "code": _WORD,
    "paper": _WORD,
    "reference": _WORD,
    "kind": _WORD,
    "replay": _MAYBE_WORD,
    "verdict": _WORD,
    "level": _WORD,
    "case": (dict,),
    "silent": (list,),
    "compared": (dict,),
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
