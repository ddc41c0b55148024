"""Forged and tampered certificates against the kernel: how many does `refute verify` accept?

    python -m benchmarks attacks --forged 20000 --tampered 2000 --seed 0 [--only 'min2024.*'] [--seconds 20]

Forged: refutations of claims that are not recorded as refuted. A case is drawn, listed or taken from another claim,
then changed at random (numbers, sizes, fields); the file states what the kernel would find. One that is accepted is a
false refutation, or a true one: then the record is wrong. Tampered: pinned files with one place changed and the digest
made to fit. One may be accepted where nothing that is stated changes: other versions, digits within the error.
"""

import argparse
import json
import re
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from benchmarks.attacks.changes import Path as Place
from benchmarks.attacks.changes import at, changed_case, tampered
from benchmarks.attacks.integrators import Slow, limited
from refute.decide.verdict import FALLEN, Counterexample
from refute.errors import RefuteError
from refute.kernel import verification
from refute.kernel.certificate import digest, document, statement_digest
from refute.kernel.reading import read
from refute.kernel.verification import EVIDENCE_ONLY, objections
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.run.loading import load_all
from refute.search.repair import mended

PINNED = Path(__file__).parents[2] / "claims"
DRAWN = 3  # cases of each claim that a forger begins with
TRIES = 4  # until a changed case can be read
MENDED = 0.7  # of the changed cases are taken back to the domain where that is known how
PATIENCE = 10.0  # seconds for one file
ACCEPTED, REFUSED, SLOW, UNREADABLE = "ACCEPTED", "refused", "too slow", "unreadable"
RAISED = "the claim raised"  # which `refute verify` calls invalid, and says why
FINER = 20  # two machines may measure errors that differ by less than this factor
DIGITS = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
UNSTATED = "accepted, nothing stated changed"
REASONS = {  # of a refusal, by the words of the objection
    "domain": "outside the domain",
    "does not meet": "an assumption is not met",
    "premise": "the premise does not hold",
    "not violated": "the conclusion holds",
    "there is": "an existence claim",
}


def bases(claim: Claim, seed: int) -> list[dict[str, Any]]:
    """Cases of the claim, as a forger finds them."""
    strategy = claim.strategy()
    if strategy is None:
        return [case.to_json() for case in claim.instances or (Case.of(),)]
    found: list[dict[str, Any]] = []

    @seeded(seed)
    @settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(fields: dict[str, Any]) -> None:
        found.append(Case.of(**fields).to_json())

    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        collect()
    return found


def forgery(claim: Claim, case: dict[str, Any], truth: Counterexample | None) -> dict[str, Any]:
    """A file about the case, with a digest that fits: what is true of it, else what a forger makes up."""
    if truth is not None:
        return dict(json.loads(json.dumps(document(claim, truth))))
    body = {
        "refute_certificate": 1,
        "claim": claim.id,
        "statement": statement_digest(claim),
        "case": case,
        "assumptions": [{"text": each.text, "slack": "1", "error": "0"} for each in claim.assumes],
        "violated": "left 0, right 1",
        "slack": "-1",
        "error": "0",
        "level": "exact",
        "arithmetic": "rationals",
        "replay": "refute verify x.json",
        "versions": {"refute": "0.1.0", "numpy": "2.4.6", "python-flint": "0.9.0"},
    }
    return body | {"digest": digest(body)}


def judged(data: dict[str, Any], claim: Claim) -> tuple[str, list[str], Counterexample | None]:
    """What becomes of a file, why, and what the kernel found out about its case."""
    truths: list[Counterexample] = []
    decided = verification._decided

    def overheard(*arguments: Any) -> Counterexample | str:
        found = decided(*arguments)
        if isinstance(found, Counterexample):
            truths.append(found)
        return found

    try:
        with limited(PATIENCE), patch.object(verification, "_decided", overheard), np.errstate(all="ignore"):
            against = objections(data, claim)
    except Slow:
        return SLOW, [], None
    except RefuteError as error:
        return UNREADABLE, [error.message], None
    except (Exception, RecursionError) as error:
        return RAISED, [f"{type(error).__name__}: {error}"], None
    reason = next((reason for words, reason in REASONS.items() if against and words in against[0]), REFUSED)
    kind = ACCEPTED if against in ([], [EVIDENCE_ONLY]) else reason
    return kind, against, truths[-1] if truths else None


def forge(claim: Claim, count: int, seed: int, others: Sequence[dict[str, Any]], seconds: float) -> Iterator[str]:
    """What becomes of so many forged refutations of one claim, within so many seconds."""
    rng, end = Random(f"{seed}:{claim.id}"), time.monotonic() + seconds
    known = bases(claim, seed)
    related = [other for other in others if set(other) & {name for case in known for name in case}]
    for _ in range(count):
        if time.monotonic() > end:
            return
        start = rng.choice(known + related[:40] or [{}])
        case = _readable(claim, start, related, rng)
        kind, _, truth = judged(forgery(claim, case, None), claim)
        if truth is not None:  # the case alone speaks against the claim: say nothing but the truth
            kind, against, _ = judged(forgery(claim, case, truth), claim)
            if kind == ACCEPTED:
                kind = ACCEPTED if against == [] else "evidence only"
                sys.stdout.write(f"  {kind} {claim.id} ({claim.recorded}): {truth.margin} {truth.case}\n"[:600] + "\n")
                sys.stdout.flush()
        yield kind


def _readable(claim: Claim, start: dict[str, Any], related: Sequence[dict[str, Any]], rng: Random) -> dict[str, Any]:
    """A changed case, nearly always one that can be read; most are mended, so that they meet what they can."""
    for _ in range(TRIES):
        case = changed_case(start, related, rng)
        with suppress(Exception):
            made = Case.from_json(case)
            better = mended(claim, made) if rng.random() < MENDED else None
            return case if better is None else better.to_json()
    return case


def forged(claims: Sequence[Claim], total: int, seed: int, seconds: float) -> Counter[str]:
    """Refutations of claims that stand, the same number of each."""
    standing = [claim for claim in claims if claim.recorded not in FALLEN]
    others = [dict(read(path)["case"]) for path in sorted(PINNED.glob("*/refuted/*.json"))]
    table: dict[str, Counter[str]] = defaultdict(Counter)
    each = -(-total // max(1, len(standing)))
    left = {claim.id: each for claim in standing}
    for claim in sorted(standing, key=lambda claim: claim.kind is not Kind.ALGEBRAIC):
        for kind in forge(claim, each, seed, others, seconds):
            table[claim.kind.value][kind] += 1
            left[claim.id] -= 1
    missing = sum(left.values())
    fast = [claim for claim in standing if left[claim.id] == 0 and claim.kind is not Kind.SYMBOLIC]
    for k, claim in enumerate(fast):  # what the slow claims had no time for
        for kind in forge(claim, -(-missing // max(1, len(fast))), seed + 1 + k, others, seconds):
            table[claim.kind.value][kind] += 1
    for name, counts in table.items():
        _tell(f"forged, {name}", counts)
    return sum(table.values(), Counter())


def tamper(total: int, seed: int, chosen: Sequence[Claim]) -> Counter[str]:
    """Pinned files with one place changed. A case is decided once: most changes do not touch it."""
    by_id = {claim.id: claim for claim in chosen}
    honest = []
    decided, known = verification._decided, dict[tuple[str, str], Counterexample | str]()

    def remembered(claim: Claim, case: Case, run: Any) -> Counterexample | str:
        key = claim.id, case.digest()
        if key not in known:
            known[key] = decided(claim, case, run)
        return known[key]

    counts, rng = Counter[str](), Random(seed)
    with patch.object(verification, "_decided", remembered):
        for path in sorted(PINNED.glob("*/refuted/*.json")):
            data = read(path)
            if data["claim"] in by_id and judged(data, by_id[data["claim"]])[0] == ACCEPTED:
                honest.append(data)
        for k in range(total if honest else 0):
            data = honest[k % len(honest)]
            place, made = tampered(data, rng)
            if json.dumps(made, sort_keys=True) == json.dumps(data, sort_keys=True):
                continue
            body = {key: value for key, value in made.items() if key != "digest"}
            claim = by_id[data["claim"]] if made.get("claim") == data["claim"] else None
            kind, _, _ = judged(body | {"digest": digest(body)}, claim)  # type: ignore[arg-type]
            if made.get("refute_certificate") is not data["refute_certificate"]:
                kind = REFUSED  # by `read`
            if kind == ACCEPTED and harmless(data, made, place):
                kind = UNSTATED
            counts[kind] += 1
            if kind == ACCEPTED:
                sys.stdout.write(f"  {kind} {data['claim']}: {place}\n")
    _tell(f"tampered, {len(honest)} honest files", counts)
    return counts


def harmless(data: dict[str, Any], made: dict[str, Any], place: Place) -> bool:
    """Other versions of what wrote the file, or another number within the error that the file itself states."""
    if place[0] == "versions":
        return True
    entry, other = (at(each, place[:-1]) for each in (data, made))
    if place[-1] not in ("slack", "error", "violated") or not set(entry) <= set(other):
        return False
    error = Fraction(entry["error"])
    if place[-1] == "error":
        return 0 < error <= FINER * Fraction(other["error"]) <= FINER**2 * error
    if place[-1] == "slack":
        slack = Fraction(entry["slack"])
        return abs(Fraction(other["slack"]) - slack) <= 3 * error + _leeway(data, slack)
    pairs = zip_longest(DIGITS.findall(entry["violated"]), DIGITS.findall(other["violated"]), fillvalue="inf")
    same = DIGITS.sub("", entry["violated"]) == DIGITS.sub("", other["violated"])
    return same and all(abs(float(a) - float(b)) <= 3 * error + 2e-5 * abs(float(a)) for a, b in pairs)


def _leeway(data: dict[str, Any], slack: Fraction) -> Fraction:
    """What the kernel grants to a float whose error is not known."""
    return abs(slack) / 10**4 if str(data["arithmetic"]).startswith("float64") else Fraction(0)


def _tell(what: str, counts: Counter[str]) -> None:
    words = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    sys.stdout.write(f"{what}: {sum(counts.values())} tried, {counts[ACCEPTED]} accepted ({words})\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks attacks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--forged", type=int, default=20_000, help="refutations of claims that stand")
    parser.add_argument("--tampered", type=int, default=2_000, help="pinned files with one change")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="*", help="a glob over the ids of the claims")
    parser.add_argument("--seconds", type=float, default=20.0, help="for the forgeries of one claim")
    options = parser.parse_args(arguments)
    claims = [claim for claim in load_all() if fnmatchcase(claim.id, options.only)]
    counts = forged(claims, options.forged, options.seed, options.seconds) if options.forged else Counter[str]()
    counts += tamper(options.tampered, options.seed, claims) if options.tampered else Counter[str]()
    _tell("certificates", counts)
    return 1 if counts[ACCEPTED] else 0
