"""Hunt one claim or several within a budget: give out generations, keep the state on disk, stop at
the first violation.
"""

import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from refute.decide.effort import Run
from refute.decide.evaluate import judge, speaks_against
from refute.decide.symbolic import decide_identity
from refute.decide.verdict import Counterexample, Refuted
from refute.errors import BadInput, RefuteError, Unreadable
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.denial import sought
from refute.language.kind import Kind
from refute.language.place import file_of
from refute.run.guard import Stopped
from refute.run.loading import reload
from refute.run.workers import PATIENCE, Here, Workers, do
from refute.search.campaign import Campaign
from refute.search.shrink import shrink
from refute.search.witness import library

SHRINKING = 45.0  # seconds in which a counterexample is made small: a hunt ends within a minute of its budget
STATES = Path(".refute") / "hunts"
FAIR = 4  # every so many generations the claim that waited longest has its turn, whatever its progress

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(s|sec|seconds|m|min|minutes|h|hours|cases)?")
_SECONDS = {"s": 1, "sec": 1, "seconds": 1, "m": 60, "min": 60, "minutes": 60, "h": 3600, "hours": 3600}


@dataclass(frozen=True, slots=True)
class Budget:
    """An amount of time, or a number of cases; the result of a hunt in cases does not depend on the speed of the
    machine.
    """

    seconds: float = float("inf")
    cases: float = float("inf")

    @classmethod
    def parse(cls, text: str) -> "Budget":
        match = _BUDGET.fullmatch(text.strip().lower())
        if match is None or float(match[1]) <= 0:
            raise BadInput(f"the budget {text!r} is not an amount", "write 60s, 5m, 2h or 5000 cases")
        amount, unit = float(match[1]), match[2] or "s"
        return cls(cases=amount) if unit == "cases" else cls(seconds=amount * _SECONDS[unit])


@dataclass
class Hunt:
    """A campaign with its place on disk."""

    campaign: Campaign
    path: Path
    resumed: bool = False
    refused: str = ""  # why the saved state could not be taken up, and where it is now
    turns: int = 0
    progress: float = 1.0  # how much the last generation lowered the best margin
    done: bool = field(default=False)
    unsaved: str = ""  # why the state could not be kept

    @property
    def claim(self) -> Claim:
        return self.campaign.claim


Report = Callable[[Hunt], object]


def take_up(claim: Claim, seed: int, folder: Path = STATES, fresh: bool = False) -> Hunt:
    """The saved hunt of this claim and seed, or a new one. A state that cannot be used is kept under another name."""
    name = "".join(c if c.isalnum() or c in "._-" else "_" for c in claim.id)
    path = folder / f"{name}.{seed}.json"
    if fresh or not _is_there(path):
        return Hunt(Campaign(claim, seed), path)
    try:
        campaign = Campaign.from_json(claim, json.loads(path.read_text(encoding="utf-8")))
        if campaign.violation is not None and not _violates(claim, Case.from_json(campaign.violation), Run(seed=seed)):
            raise Unreadable("what it had found does not violate the claim as it is now")
        return Hunt(campaign, path, resumed=True)
    except (Unreadable, ValueError, OSError) as error:
        aside = path.with_suffix(".old")
        try:
            os.replace(path, aside)
        except OSError as unmoved:
            return Hunt(Campaign(claim, seed), path, refused=f"{error}; {unmoved}")
        return Hunt(Campaign(claim, seed), path, refused=f"{error}; it is kept as {aside}")


def _is_there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _violates(claim: Claim, case: Case, run: Run) -> bool:
    try:
        return speaks_against(judge(sought(claim), case, run, certify=True))
    except RefuteError:
        return False


def save(hunt: Hunt) -> None:
    """At once or not at all, so that a kill at any moment leaves a readable state. A disk that takes nothing costs the
    state, not the hunt.
    """
    temporary = ""
    try:
        hunt.path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=hunt.path.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(hunt.campaign.to_json(), file)
        os.replace(temporary, hunt.path)
        hunt.unsaved = ""
    except OSError as error:
        hunt.unsaved = str(error)
        if temporary:
            with suppress(OSError):
                os.unlink(temporary)


def pursue(hunts: Sequence[Hunt], budget: Budget, run: Run, staff: Workers, report: Report = lambda hunt: None) -> None:
    """Generations in turn until every hunt has its violation or the budget is spent; the more
    progress, the more turns.
    """
    end = time.monotonic() + budget.seconds
    cases = 0
    for turn in count():
        open_hunts = [hunt for hunt in hunts if not hunt.done and hunt.campaign.violation is None]
        if not open_hunts or time.monotonic() >= end or cases >= budget.cases:
            return
        waited = min(open_hunts, key=lambda hunt: hunt.turns)
        chosen = waited if waited.turns == 0 or turn % FAIR == 0 else max(open_hunts, key=lambda hunt: hunt.progress)
        before = chosen.campaign.tried
        _generation(chosen, run, staff, end)
        cases += chosen.campaign.tried - before
        report(chosen)


def _generation(hunt: Hunt, run: Run, staff: Workers, end: float) -> None:
    campaign = hunt.campaign
    before = campaign.best
    witnesses = library(campaign.claim) if campaign.generation == 0 else []
    campaign.absorb(do(staff, campaign.claim, campaign.chunks(witnesses), run, until=end))
    after = campaign.best
    hunt.turns += 1
    hunt.progress = 1.0 if before is None or after is None else max(0.0, before - after) / max(abs(before), 1e-300)
    hunt.done = not campaign.endless
    save(hunt)


def raw_counterexample(claim: Claim, violation: Mapping[str, Any] | None, run: Run) -> Counterexample | None:
    """What a hunt found, judged again from its case; None if a second method does not confirm it. Of an existence
    statement it is a witness: a counterexample to its denial.
    """
    claim = sought(claim)
    if claim.kind is Kind.SYMBOLIC:
        outcome = decide_identity(claim)
        return outcome.counterexample if isinstance(outcome, Refuted) else None
    if violation is None:
        return None
    judgement = judge(claim, Case.from_json(violation), run, certify=True)
    return judgement.counterexample(claim) if speaks_against(judgement) else None


def shrunk_counterexample(found: Counterexample, claim: Claim, run: Run) -> Counterexample:
    """The smaller one, unless it is less certain."""
    if claim.kind is Kind.SYMBOLIC:
        return found
    claim = sought(claim)
    judgement = judge(claim, found.case, run)
    if not speaks_against(judgement):
        return found
    certified = judge(claim, shrink(claim, judgement, run).case, run, certify=True)
    if not speaks_against(certified):
        return found
    shrunk = certified.counterexample(claim)
    return found if found.refutes and not shrunk.refutes else shrunk


def settled(hunt: Hunt, run: Run, staff: Workers) -> Counterexample | None:
    """What the hunt found, confirmed and made small, by a watched process; not made small where that takes too long."""
    claim, violation = hunt.claim, hunt.campaign.violation
    if violation is None and claim.kind is not Kind.SYMBOLIC:
        return None
    if isinstance(staff, Here):
        found = raw_counterexample(claim, violation, run)
        return None if found is None else shrunk_counterexample(found, claim, run)
    place = (claim.id, str(file_of(claim.place)))
    raw: Counterexample | None = staff.submit(_confirm, *place, violation, run).result(PATIENCE)
    if raw is None:
        return None
    try:
        small: Counterexample = staff.submit(_shrink, *place, raw, run).result(SHRINKING)
        return small
    except (TimeoutError, Stopped):
        staff.renew()
        return raw


def _confirm(id: str, file: str, violation: Mapping[str, Any] | None, run: Run) -> Counterexample | None:
    return raw_counterexample(reload(id, file), violation, run)


def _shrink(id: str, file: str, found: Counterexample, run: Run) -> Counterexample:
    return shrunk_counterexample(found, reload(id, file), run)
