"""Certificates: a counterexample as a JSON file without code, which anybody can re-check with `refute verify`.

What is only evidence against a claim is kept in the same form, marked as such: it certifies nothing, and `verify` says
so. `schema.json` beside this file describes the form.
"""

import hashlib
import importlib.metadata
import json
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from refute.arithmetic.numbers import written
from refute.decide.verdict import FALLEN, Against, Counterexample
from refute.errors import Unreadable
from refute.kernel.reading import VERSION, read
from refute.language.case import Case
from refute.language.claim import Claim

FOLDER = Path(".refute") / "certificates"
WRITERS = ("refute", "numpy", "python-flint")


def statement_digest(claim: Claim) -> str:
    """A digest of the statement and its assumptions: a certificate speaks about one wording."""
    words = [claim.id, claim.statement, *(a.id + a.text for a in claim.assumes)]
    plain = "\n".join(" ".join(each.split()) for each in words)  # how lines are broken is no part of the wording
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:16]


def document(claim: Claim, found: Counterexample) -> dict[str, Any]:
    """What the file of this counterexample says."""
    body = {
        "refute_certificate": VERSION,
        "claim": claim.id,
        "statement": statement_digest(claim),
        "case": found.case.to_json(),
        "assumptions": [
            {"text": text, "slack": written(margin.value), "error": written(margin.error)}
            for text, margin in found.assumptions
        ],
        "violated": found.margin.line,
        "slack": written(found.margin.value),
        "error": written(found.margin.error),
        "level": found.level,
        "arithmetic": found.arithmetic,
        **({} if found.refutes else {"verdict": Against.word}),
        "replay": f"refute verify {file_name(claim, found)}",
        "versions": {name: importlib.metadata.version(name) for name in WRITERS},
    }
    return body | {"digest": digest(body)}


def digest(body: dict[str, Any]) -> str:
    """Of everything else in the file: it guards against accidents, not against forgers."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def file_name(claim: Claim, found: Counterexample) -> str:
    name = "".join(c if c.isalnum() or c in "._-" else "_" for c in claim.id)
    return f"{name}.{found.case.digest()}.json"


def write(claim: Claim, found: Counterexample, folder: Path = FOLDER, target: Path | None = None) -> Path:
    """Write the certificate at once or not at all; without a `target` its name is the claim and the
    digest of the case.
    """
    target = target or folder / file_name(claim, found)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(document(claim, found), file, indent=1)
        file.write("\n")
    os.replace(temporary, target)
    return target


def pinned_path(claim: Claim) -> Path:
    """Where the repository keeps the case of a claim that is recorded as refuted or against."""
    return Path(claim.place.rsplit(":", 1)[0]).parent / "refuted" / f"{claim.id}.json"


def pinned(claim: Claim) -> dict[str, Any] | None:
    """What the repository keeps of a claim that fell; the file is read once."""
    path = pinned_path(claim)
    if claim.recorded not in FALLEN or not path.is_file():
        return None
    try:
        return _kept(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error}") from error


@lru_cache(maxsize=1)
def _kept(path: Path, changed: int) -> dict[str, Any]:
    return read(path)


def forget() -> None:
    """Let the file that is kept go."""
    _kept.cache_clear()


def pinned_fits(claim: Claim) -> bool:
    """Whether the kept certificate speaks about the statement as it is worded now."""
    data = pinned(claim)
    return data is not None and data.get("statement") == statement_digest(claim)


def pinned_case(claim: Claim) -> Case | None:
    data = pinned(claim)
    return None if data is None else Case.from_json(data.get("case"))
