"""What the commands do, as functions for a notebook or a script: hunt a counterexample, certify it, verify a
certificate.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, fields
from functools import singledispatch
from pathlib import Path
from typing import Any, cast

from refute.decide.effort import PROFILES, Run
from refute.decide.verdict import (
    Against,
    Broken,
    Counterexample,
    Outcome,
    Proved,
    Refuted,
    Supported,
    Undecided,
    Vacuous,
    describe,
    fallen,
)
from refute.errors import BadInput
from refute.kernel.certificate import FOLDER, write
from refute.kernel.reading import read
from refute.kernel.verification import objections
from refute.language.case import Case, show
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.place import shown
from refute.language.registry import find_claim
from refute.run.loading import load_all
from refute.run.result import Result
from refute.show.cards import Row, card
from refute.shown import Shown

VALID = "valid: the refutation was established again"


@singledispatch
def html(value: object) -> str:
    """The card of a value; a record shows its fields."""
    return card(type(value).__name__, [(each.name, getattr(value, each.name)) for each in fields(cast(Any, value))])


@html.register
def _(case: Case) -> str:
    return card("case", case.fields.items())


@html.register
def _(found: Counterexample) -> str:
    return card("counterexample", counterexample_rows(found))


@html.register(Proved | Supported | Refuted | Against | Undecided | Vacuous | Broken)
def _(outcome: Outcome) -> str:
    return card(outcome.word, outcome_rows(outcome))


@html.register
def _(result: Result) -> str:
    about: list[Row] = [
        ("claim", result.id),
        ("reference", result.reference),
        ("recorded", result.recorded or "a conjecture"),
    ]
    evidence = [row for row in outcome_rows(result.outcome) if row[0] != "claim"]
    replay = [("replay", result.replay)] if result.replay else []
    return card(result.outcome.word, [*(row for row in about if row[1]), *evidence, *replay])


def counterexample_rows(found: Counterexample) -> list[Row]:
    """The case field by field, how each assumption held, and the line that is violated."""
    assumed = [("assumed", f"{text}   (slack {margin})") for text, margin in found.assumptions]
    level = f"{found.level}: {found.arithmetic}"
    word = "violated" if found.margin.violated else "against"
    seen = [(word, found.margin.line), ("slack", str(found.margin)), ("level", level)]
    return [("claim", found.claim), *found.case.items(), *assumed, *seen]


def outcome_rows(outcome: Outcome) -> list[Row]:
    if isinstance(outcome, Refuted | Against):
        return counterexample_rows(outcome.counterexample)
    said: list[Row] = [("evidence" if isinstance(outcome, Proved | Supported) else "reason", describe(outcome))]
    worst = outcome.evidence.worst
    return said if worst is None or not worst.line else [*said, ("nearest to failure", worst.line)]


@dataclass(frozen=True, slots=True)
class Witness:
    """A case that proves an existence statement."""

    case: Case


@dataclass(frozen=True, slots=True)
class Missed:
    """Nothing was found; `best` is the smallest part of a margin that was seen, None where nothing met the
    assumptions.
    """

    best: float | None


@dataclass(frozen=True, slots=True)
class Hunted(Shown):
    """What a hunt came to: the shrunk counterexample, a witness of an existence statement, or how near it came."""

    claim: str
    tried: int
    cases: int
    found: Counterexample | Witness | Missed

    @property
    def counterexample(self) -> Counterexample | None:
        return self.found if isinstance(self.found, Counterexample) else None

    def __str__(self) -> str:
        match self.found:
            case Counterexample() as found:
                return f"{fallen(found).word} after {self.tried} cases\n{found}"
            case Witness(case=case):
                return f"{Proved.word} after {self.tried} cases by the witness {case}"
            case Missed(best=None):
                return f"no counterexample in {self.cases} cases (nothing met the assumptions)"
            case Missed(best=best):
                return f"no counterexample in {self.cases} cases (smallest margin {best:.3g})"

    def _repr_html_(self) -> str:
        if not isinstance(self.found, Counterexample):
            return card("hunt", [("claim", self.claim), ("result", str(self))])
        rows = [*counterexample_rows(self.found), ("after", f"{self.tried} cases")]
        return card(fallen(self.found).word, rows)


def hunt(claim: Claim, budget: str = "10s", *, seed: int = 0, jobs: int = 1) -> Hunted:
    """Climb the margin of the claim until it is violated or the budget ("10s", "5m", "2000 cases") is spent:
    `refute find`.

    It always begins anew, since a claim in a notebook changes from one run to the next. Several processes (`jobs`) load
    the claim from its file, so they need one that lies in a file.
    """
    from refute.run.hunt import Budget, pursue, raw_counterexample, shrunk_counterexample, take_up
    from refute.run.workers import Here, workers

    run = Run(seed=seed, pinned=False)
    hunted = take_up(claim, seed, fresh=True)
    with workers(jobs) if jobs > 1 else nullcontext(Here()) as staff:
        pursue([hunted], Budget.parse(budget), run, staff)
    found = raw_counterexample(claim, hunted.campaign.violation, run)
    if found is not None:
        found = shrunk_counterexample(found, claim, run)
    campaign = hunted.campaign
    if found is None or (claim.kind is Kind.EXISTENCE and not found.refutes):
        return Hunted(claim.id, campaign.tried, campaign.met, Missed(campaign.best))
    what = Witness(found.case) if claim.kind is Kind.EXISTENCE else found
    return Hunted(claim.id, campaign.tried, campaign.met, what)


@dataclass(frozen=True, slots=True)
class Certificate(Shown):
    """A certificate file and what it says. Saying is not proving: `verify` computes everything again."""

    path: Path
    data: Mapping[str, Any]

    @classmethod
    def read(cls, path: str | Path) -> "Certificate":
        return cls(Path(path), read(Path(path)))

    def rows(self) -> list[Row]:
        stated = [
            (name, str(self.data.get(name, "-")))
            for name in ("claim", "violated", "slack", "error", "level", "arithmetic")
        ]
        return [("file", shown(self.path)), *stated[:1], *Case.from_json(self.data.get("case")).items(), *stated[1:]]

    def __str__(self) -> str:
        return "\n".join(f"{name:<12}  {show(entry)}" for name, entry in self.rows())

    def _repr_html_(self) -> str:
        return card("certificate", self.rows())


@dataclass(frozen=True, slots=True)
class Verification(Shown):
    """Why a certificate does not establish its refutation; it does when there is no objection."""

    certificate: Certificate
    objections: tuple[str, ...]

    @property
    def valid(self) -> bool:
        return not self.objections

    def __str__(self) -> str:
        return VALID if self.valid else f"invalid: {'; '.join(self.objections)}"

    def _repr_html_(self) -> str:
        return card("verification", [("finding", str(self)), *self.certificate.rows()])


def certify(claim: Claim, found: Outcome | Hunted | Counterexample, folder: str | Path = FOLDER) -> Certificate:
    """Write the certificate of a counterexample: the same file as the commands write."""
    match found:
        case Counterexample() | Hunted(found=Counterexample()) | Refuted() | Against():
            example = found if isinstance(found, Counterexample) else found.counterexample
            assert example is not None
            return Certificate.read(write(claim, example, Path(folder)))
    raise BadInput(f"there is no counterexample to certify: {found}", "certify what `check` refuted or `hunt` found")


def verify(certificate: Certificate | str | Path) -> Verification:
    """Establish the refutation again from the case alone: `refute verify`. The claim must be defined here or be an
    installed one.
    """
    opened = certificate if isinstance(certificate, Certificate) else Certificate.read(certificate)
    id = str(opened.data.get("claim"))
    if find_claim(id) is None:
        load_all()
    return Verification(opened, tuple(objections(dict(opened.data), find_claim(id), Run(PROFILES["exhaustive"]))))
