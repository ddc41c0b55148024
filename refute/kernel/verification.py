"""Decide a certificate again. Nothing in the file is believed: what it should say is written anew from its case and
compared, field by field.

Four things may differ from machine to machine: numbers that have an error, within the errors; the digits of such
numbers in the violated line; the versions of the libraries, of which only the form is looked at; and the digest that
follows from the rest.
"""

import json
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

from refute.arithmetic.numbers import rational, written
from refute.decide.effort import Run
from refute.decide.evaluate import Idle, Judged, Unmet, judge
from refute.decide.symbolic import decide_identity
from refute.decide.verdict import Counterexample, Refuted
from refute.errors import RefuteError
from refute.kernel.certificate import digest, document, statement_digest
from refute.language.case import Case
from refute.language.cases import admitted
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.relations import Margin

EVIDENCE_ONLY = (
    "evidence against the claim, which certifies nothing: a trend, or a violation that one float method alone found"
)
MEASURED = ("float64", "balls")  # arithmetics whose results have an error
ALIKE = 16  # by which factor two bounds of one error may differ: each machine measures its own
DIGITS = Fraction(1, 10**5)  # so far a number agrees of which six digits are written, or no error is known
NUMERAL = re.compile(r"-?\d{1,400}(?:/[1-9]\d{0,400}|(?:\.\d{1,40})?(?:e[+-]?\d{1,4})?)")
RELEASE = re.compile(r"\d+(\.\d+){0,3}([a-z.+-]{0,5}[\da-z.]{1,40})?")


def objections(data: dict[str, Any], claim: Claim | None, run: Run | None = None) -> list[str]:
    """Why the certificate does not establish its refutation; empty when it does.

    `EVIDENCE_ONLY` alone when it is what it says, evidence.
    """
    if data.get("digest") != digest({key: value for key, value in data.items() if key != "digest"}):
        return ["the content was changed: its digest does not fit"]
    if claim is None:
        return [f"no claim is called {str(data.get('claim'))[:80]!r}"]
    if data.get("statement") != statement_digest(claim):
        return ["the statement or the assumptions of the claim differ from the certified ones"]
    found = _decided(claim, Case.from_json(data.get("case")), run or Run())
    if isinstance(found, str):
        return [found]
    wrong = _misstated(data, json.loads(json.dumps(document(claim, found))), found)
    if wrong:
        return [f"what the file states is not what the case gives: {', '.join(wrong)}"]
    return [] if found.refutes else [EVIDENCE_ONLY]


def _decided(claim: Claim, case: Case, run: Run) -> Counterexample | str:
    """What the case says against the claim, or why it says nothing."""
    if claim.kind is Kind.EXISTENCE:
        return 'the claim says "there is": a case that is no witness refutes nothing'
    if claim.kind is Kind.SYMBOLIC:
        outcome = decide_identity(claim)
        return (
            outcome.counterexample if isinstance(outcome, Refuted) else f"the identity is {outcome.word}, not refuted"
        )
    domain = admitted(claim, case)
    if silent := [name for name, verdict in domain.items() if verdict is None]:
        return f"{', '.join(silent)}: the claim states no domain, so nothing says that it speaks of this case"
    if outside := [name for name, verdict in domain.items() if not verdict]:
        return f"{', '.join(outside)}: not in the domain of the claim"
    match judge(claim, case, run, certify=True):
        case Unmet(assumption=assumption, slack=slack):
            return f'the case does not meet "{assumption.text}" (slack {slack})'
        case Idle(premise=premise):
            return f'the premise "{premise}" does not hold in this case'
        case Judged(against=False, margin=margin):
            return f"the conclusion is not violated (slack {margin})"
        case Judged() as judged:
            return judged.counterexample(claim)


def _misstated(data: dict[str, Any], true: dict[str, Any], found: Counterexample) -> list[str]:
    """The fields that say something else than the truth, that are missing, or that no certificate has."""
    wrong = sorted(set(data) ^ set(true))
    same = {key: _written(data[key]) == _written(true[key]) for key in set(data) & set(true)}
    same["digest"] = True  # compared with the rest of the file before
    same["versions"] = _are_versions(data.get("versions"), true["versions"])
    if found.arithmetic.startswith(MEASURED):
        same["slack"] = same["error"] = _agrees(data, found.margin)
        same["violated"] = _same_line(data.get("violated"), found.margin)
    assumptions = data.get("assumptions")
    if not same.get("assumptions") and isinstance(assumptions, list) and len(assumptions) == len(found.assumptions):
        del same["assumptions"]
        pairs = zip(assumptions, found.assumptions, strict=True)
        wrong += [f'the margin of "{text}"' for entry, (text, margin) in pairs if not _met(entry, text, margin)]
    return [key for key, fine in sorted(same.items()) if not fine and key not in wrong] + wrong


def _written(value: Any) -> str:
    """As it stands in a file: 1, 1.0 and true are three values."""
    return json.dumps(value, sort_keys=True)


def _met(entry: Any, text: str, margin: Margin) -> bool:
    """Whether an entry says how the assumption holds."""
    fits = isinstance(entry, dict) and set(entry) == {"text", "slack", "error"} and entry["text"] == text
    return fits and _agrees(entry, margin, DIGITS * 0)


def _agrees(stated: dict[str, Any], margin: Margin, leeway: Fraction = DIGITS) -> bool:
    """Whether the file gives the numbers of a computation with an error: the enclosures overlap, decide the same and
    are alike in width, so that the file claims no accuracy that there is not. A number whose error is not known has
    its first digits.
    """
    try:
        slack, error = (rational(stated.get(key), key) for key in ("slack", "error"))
    except RefuteError:
        return False
    if [stated["slack"], stated["error"]] != [written(slack), written(error)] or error < 0:
        return False
    if margin.error == 0:
        counted = margin.value.denominator == 1
        return error == 0 and abs(slack - margin.value) <= (0 if counted else leeway * abs(margin.value))
    return (
        abs(slack - margin.value) <= error + margin.error
        and max(error, margin.error) <= ALIKE * min(error, margin.error)
        and replace(margin, value=slack, error=error).decision is margin.decision
    )


def _same_line(stated: Any, margin: Margin) -> bool:
    """The same words, and numbers that differ by no more than the errors and the rounding to six digits."""
    if not isinstance(stated, str) or NUMERAL.split(stated) != NUMERAL.split(margin.line):
        return False
    pairs = zip(NUMERAL.findall(stated), NUMERAL.findall(margin.line), strict=True)
    return all(one == other or _near(one, other, margin.error) for one, other in pairs)


def _near(one: str, other: str, error: Fraction) -> bool:
    """Whole numbers count something; of others six digits are written."""
    a, b = Fraction(one), Fraction(other)
    measured = a.denominator > 1 or b.denominator > 1 or "e" in one + other
    return abs(a - b) <= 2 * error + (DIGITS * max(abs(a), abs(b)) if measured else 0)


def _are_versions(stated: Any, true: dict[str, Any]) -> bool:
    """What wrote the file cannot be known; that these are versions of the libraries in question can."""
    if not isinstance(stated, dict) or set(stated) != set(true):
        return False
    return all(isinstance(version, str) and RELEASE.fullmatch(version) is not None for version in stated.values())
