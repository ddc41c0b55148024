"""Certificates: a counterexample as a JSON file without code, which anybody can re-check with `refute verify`.

What is only evidence against a claim is kept in the same form, marked as such: it certifies nothing, and `verify` says
so.
"""

import hashlib
import importlib.metadata
import json
import os
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from refute.arithmetic.numbers import rational, written
from refute.decide.confirmation import REPEATED
from refute.decide.effort import Run
from refute.decide.evaluate import IN_FLOATS, Idle, Judged, Unmet, judge
from refute.decide.verdict import FALLEN, Against, Counterexample, Refuted
from refute.errors import RefuteError, Unreadable
from refute.language.case import Case
from refute.language.cases import admitted
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.relations import Margin

VERSION = 1
FOLDER = Path(".refute") / "certificates"
MOST_BYTES = 16_000_000
EVIDENCE_ONLY = (
    "evidence against the claim, which certifies nothing: a trend, or a violation that one float method alone found"
)
ROUND_OFF = Fraction(1, 1000)  # by which float64 results of long computations may differ between machines


def statement_digest(claim: Claim) -> str:
    """A digest of the statement and its assumptions: a certificate speaks about one wording."""
    words = [claim.id, claim.statement, *(a.id + a.text for a in claim.assumes)]
    plain = "\n".join(" ".join(each.split()) for each in words)  # how lines are broken is no part of the wording
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def document(claim: Claim, found: Counterexample) -> dict[str, Any]:
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
        "versions": {name: importlib.metadata.version(name) for name in ("refute", "numpy", "python-flint")},
    }
    return body | {"digest": _digest(body)}


def _digest(body: dict[str, Any]) -> str:
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
    """Why the certificate does not establish its refutation; empty when it does. Nothing in the file is believed.

    `EVIDENCE_ONLY` alone when it is what it says, evidence.
    """
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
    match judge(claim, case, run or Run(), certify=True):
        case Unmet(assumption=assumption, slack=slack):
            return [f'the case does not meet "{assumption.text}" (slack {slack})']
        case Idle(premise=premise):
            return [f'the premise "{premise}" does not hold in this case']
        case Judged(against=False, margin=margin):
            return [f"the conclusion is not violated (slack {margin})"]
        case Judged(margin=margin, level=level) as judgement:
            firm = margin.violated and level != REPEATED
            return _misstatements(data, judgement, firm) or ([] if firm else [EVIDENCE_ONLY])


def _misstatements(data: dict[str, Any], judgement: Judged, firm: bool) -> list[str]:
    """Where the file says something else than the case does. Numbers in float64 may differ in their last digits from
    machine to machine.
    """
    truths = {"level": judgement.level, "arithmetic": judgement.arithmetic, "verdict": None if firm else Against.word}
    wrong = [name for name, truth in truths.items() if data.get(name) != truth]
    if not _agrees(data, judgement.margin, in_floats=judgement.arithmetic.startswith(IN_FLOATS)):
        wrong.append("slack")
    stated = data.get("assumptions")
    if not isinstance(stated, list) or len(stated) != len(judgement.assumptions):
        return [*wrong, "assumptions"]
    for entry, (assumption, margin) in zip(stated, judgement.assumptions, strict=True):
        if not isinstance(entry, dict) or entry.get("text") != assumption.text or not _agrees(entry, margin):
            wrong.append(f'the margin of "{assumption.text}"')
    return [f"what the file states is not what the case gives: {', '.join(wrong)}"] if wrong else []


def _agrees(stated: dict[str, Any], margin: Margin, in_floats: bool = False) -> bool:
    """Whether the file gives the same numbers; where they have an error, whether the enclosures overlap and have the
    same sign.
    """
    try:
        slack, error = rational(stated.get("slack"), "slack"), rational(stated.get("error"), "error")
    except RefuteError:
        return False
    if margin.error == 0 and not in_floats:
        return slack == margin.value and error == 0
    leeway = ROUND_OFF * (abs(slack) + margin.scale) if in_floats else 0
    return (
        error >= 0
        and abs(slack - margin.value) <= error + margin.error + leeway
        and replace(margin, value=slack, error=error).decision is margin.decision
    )


def _identity_objections(claim: Claim) -> list[str]:
    from refute.decide.symbolic import decide_identity

    outcome = decide_identity(claim)
    return [] if isinstance(outcome, Refuted) else [f"the identity is {outcome.word}, not refuted"]


def pinned_path(claim: Claim) -> Path:
    """Where the repository keeps the case of a claim that is recorded as refuted or against."""
    return Path(claim.place.rsplit(":", 1)[0]).parent / "refuted" / f"{claim.id}.json"


def pinned_fits(claim: Claim) -> bool:
    """Whether the kept certificate speaks about the statement as it is worded now."""
    path = pinned_path(claim)
    return path.is_file() and read(path).get("statement") == statement_digest(claim)


def pinned_case(claim: Claim) -> Case | None:
    path = pinned_path(claim)
    if claim.recorded not in FALLEN or not path.is_file():
        return None
    return Case.from_json(read(path).get("case"))
