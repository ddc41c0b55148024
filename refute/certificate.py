"""Certificates: a counterexample as a JSON file without code, which anybody can re-check with `refute verify`."""

import hashlib
import importlib.metadata
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from refute.case import Case
from refute.claim import Claim
from refute.domain import admitted
from refute.errors import Unreadable
from refute.evaluate import judge
from refute.kind import Kind
from refute.numbers import written
from refute.profile import Run
from refute.verdict import Counterexample, Refuted

VERSION = 1
FOLDER = Path(".refute") / "certificates"
MOST_BYTES = 16_000_000


def statement_digest(claim: Claim) -> str:
    """A digest of the statement and its assumptions: a certificate speaks about one wording."""
    words = [claim.id, claim.statement, *(a.id + a.text for a in claim.assumes)]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]


def document(claim: Claim, found: Counterexample) -> dict[str, Any]:
    body = {
        "refute_certificate": VERSION,
        "claim": claim.id,
        "statement": statement_digest(claim),
        "case": found.case.to_json(),
        "assumptions": [
            {"text": text, "slack": written(margin.value), "error": written(margin.error)} for text, margin in found.assumptions
        ],
        "violated": found.margin.line,
        "slack": written(found.margin.value),
        "error": written(found.margin.error),
        "level": found.level,
        "arithmetic": found.arithmetic,
        "versions": {name: importlib.metadata.version(name) for name in ("refute", "numpy", "python-flint")},
    }
    return body | {"digest": _digest(body)}


def _digest(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def write(claim: Claim, found: Counterexample, folder: Path = FOLDER) -> Path:
    """Write the certificate at once or not at all; the name is the claim and the digest of the case."""
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(c if c.isalnum() or c in "._-" else "_" for c in claim.id)
    target = folder / f"{name}.{found.case.digest()}.json"
    handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(document(claim, found), file, indent=1)
        file.write("\n")
    os.replace(temporary, target)
    return target


def read(path: Path) -> dict[str, Any]:
    """Parse a certificate as data; anything unexpected is `Unreadable`."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Unreadable(f"{path} has more than {MOST_BYTES} bytes: not a certificate")
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"cannot read {path}: {error}") from error
    if not isinstance(data, dict) or data.get("refute_certificate") != VERSION:
        raise Unreadable(f"{path} is not a certificate of version {VERSION}")
    return data


def objections(data: dict[str, Any], claim: Claim | None, run: Run | None = None) -> list[str]:
    """Why the certificate does not establish its refutation; empty when it does. Nothing in the file is believed."""
    body = {key: value for key, value in data.items() if key != "digest"}
    if data.get("digest") != _digest(body):
        return ["the content was changed: its digest does not fit"]
    if claim is None:
        return [f"no claim is called {str(data.get('claim'))[:80]!r}"]
    if data.get("statement") != statement_digest(claim):
        return ["the statement or the assumptions of the claim differ from the certified ones"]
    case = Case.from_json(data.get("case"))
    if claim.kind is Kind.SYMBOLIC:
        return _identity_objections(claim)
    outside = [name for name, verdict in admitted(claim, case).items() if verdict is False]
    if outside:
        return [f"{', '.join(outside)}: not in the domain of the claim"]
    judgement = judge(claim, case, run or Run())
    if judgement.unmet is not None:
        return [f'the case does not meet "{judgement.unmet[0].text}" (slack {judgement.unmet[1]})']
    if judgement.margin is None or not judgement.margin.violated:
        return [f"the conclusion is not violated (slack {judgement.margin})"]
    return []


def _identity_objections(claim: Claim) -> list[str]:
    from refute.symbolic import decide_identity

    outcome = decide_identity(claim)
    return [] if isinstance(outcome, Refuted) else [f"the identity is {outcome.word}, not refuted"]


def pinned_path(claim: Claim) -> Path:
    """Where the repository keeps the counterexample of a claim that is recorded as refuted."""
    return Path(claim.place.rsplit(":", 1)[0]).parent / "refuted" / f"{claim.id}.json"


def pinned_case(claim: Claim) -> Case | None:
    path = pinned_path(claim)
    if claim.recorded != "refuted" or not path.is_file():
        return None
    return Case.from_json(read(path).get("case"))
