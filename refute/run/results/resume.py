"""What a run that was interrupted had decided, for the next one to go on from there."""

import importlib.metadata
from collections.abc import Iterable
from pathlib import Path

from refute.decide.effort import Run
from refute.decide.verdict import RECORDABLE
from refute.kernel.certificate import statement_digest
from refute.language.claim import Claim
from refute.run.result import ROW
from refute.run.results.history import runs
from refute.run.results.record import Record, code_digest


def decided(folder: Path, claims: Iterable[Claim], run: Run) -> dict[str, Record]:
    """The verdicts of the last interrupted run of the same effort, for claims whose statement and file are still the
    same.

    The effort is the profile, the seed, the device and the version. What the file of a claim imports is not compared.
    """
    stored = _interrupted(folder, run)
    return {claim.id: stored[claim.id] for claim in claims if claim.id in stored and _fits(stored[claim.id], claim)}


def _interrupted(folder: Path, run: Run) -> dict[str, Record]:
    """Of the last check without an end, unless a later one that came to its end decided all of it again."""
    effort = (run.profile.name, run.seed, run.device, importlib.metadata.version("refute"))
    complete: list[set[str]] = []
    for stored in reversed(runs(folder)):
        checks = [record for record in stored.records if record["sort"] == "check"]
        found = {r["claim"]: r for r in checks if (r["profile"], r["seed"], r["device"], r["version"]) == effort}
        if stored.finished:
            complete.append(set(found))
        elif found and not any(found.keys() <= again for again in complete):
            return found
    return {}


def _fits(record: Record, claim: Claim) -> bool:
    """A claim that could not be run is not decided."""
    whole = (
        record["id"] == claim.id
        and record["verdict"] in RECORDABLE
        and all(name in record for name in (*ROW, "replay", "code"))
    )
    return whole and record["statement"] == statement_digest(claim) and record["code"] == code_digest(claim)
