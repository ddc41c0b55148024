"""A result: the outcome of one claim beside what the repository records, as a row and as a paragraph."""

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, get_type_hints

from refute.decide.compared import compared
from refute.decide.verdict import Against, Outcome, Proved, Refuted, Supported, Told, Vacuous, jsonable, storable
from refute.errors import RefuteError
from refute.language.cases import admitted
from refute.language.claim import Claim
from refute.language.kind import RECORDABLE, Kind
from refute.language.place import file_of, shown, shown_place
from refute.run.loading import installed
from refute.shown import Shown


class About(TypedDict):
    """The fields of a row that say which claim it is about."""

    id: str
    paper: str
    reference: str
    kind: str
    recorded: str | None


class Earned(TypedDict):
    """The fields of a row that set the outcome beside what is recorded."""

    earned: bool
    seconds: float
    certificate: str | None


class Row(About, Told, Earned):
    """A row of results, as scripts read it."""


class Listed(About):
    """A row of the list of claims. `fault`, `root` and `printed` say what a record of "refuted" speaks of."""

    assumptions: list[str]
    assumption_ids: list[str]
    printed: bool
    fault: str | None
    root: str | None
    statement: str
    place: str
    mutants: list[str]


ROW = tuple(get_type_hints(Row))  # the fields, in their order


@dataclass(frozen=True, slots=True)
class Result(Shown):
    """One row. `certificate` is the path of the counterexample, `source` the file of a claim outside the default
    package, `silent` names the fields of the counterexample of which the claim states no domain,
    `compared` holds both sides of the comparison that fell.
    """

    id: str
    paper: str
    reference: str
    kind: str
    recorded: str | None
    outcome: Outcome
    seconds: float
    certificate: str | None = None
    source: str | None = None
    silent: tuple[str, ...] = ()
    compared: dict[str, Any] | None = None

    @classmethod
    def of(cls, claim: Claim, outcome: Outcome, seconds: float, certificate: str | None = None) -> "Result":
        inside = installed(claim)
        source = None if inside else shown(file_of(claim.place))
        return cls(
            claim.id,
            claim.paper,
            claim.reference,
            claim.kind.value,
            claim.recorded,
            outcome,
            seconds,
            certificate,
            source,
            _silent(claim, outcome),
            _compared(outcome),
        )

    @property
    def earned(self) -> bool:
        """The outcome is the recorded one; a conjecture, which has none, must survive."""
        if self.recorded is None:
            return isinstance(self.outcome, Proved | Supported)
        return self.outcome.word == self.recorded

    @property
    def replay(self) -> str | None:
        """The command that re-checks the counterexample; there is none for a claim that was typed in and lies in no
        file.
        """
        if self.certificate is None or (self.source is not None and not Path(self.source).is_file()):
            return None
        origin = ["--from", self.source] if self.source else []
        return shlex.join(["refute", "verify", *origin, self.certificate])

    def row(self) -> Row:
        """For JSON."""
        return {
            "id": self.id,
            "paper": self.paper,
            "reference": self.reference,
            "kind": self.kind,
            "recorded": self.recorded,
            **jsonable(self.outcome),
            "earned": self.earned,
            "seconds": round(self.seconds, 6),
            "certificate": self.certificate,
        }

    def record(self) -> dict[str, Any]:
        """What is stored: the row, the command that re-checks it, the spread of the margins and the counterexample."""
        silent = {"silent": list(self.silent)} if self.silent else {}
        sides = {"compared": self.compared} if self.compared else {}
        return {**self.row(), "replay": self.replay, **storable(self.outcome), **silent, **sides}

    def __str__(self) -> str:
        return told(self.record())


def told(record: Mapping[str, Any]) -> str:
    """The paragraph of a result, from what is stored of it."""
    recorded = f"recorded {record['recorded']}" if record["recorded"] else "a conjecture"
    lines = [f"{record['verdict']} ({recorded}): {record['id']}   {record['reference']}".rstrip(), record["detail"]]
    if record["verdict"] == Vacuous.word:
        lines.append("\nhint: give the assumption a `satisfy` repair, or draw cases in `given` that meet it")
    if silent := record.get("silent"):
        lines += [f"certificate     {record['certificate']}", *_unverifiable(silent)]
    elif record["replay"]:
        lines.append(f"replay          {record['replay']}")
    return "\n".join(lines)


def _unverifiable(silent: Sequence[str]) -> list[str]:
    """Why `refute verify` will not take the certificate, and what to do."""
    fields, first = ", ".join(silent), silent[0]
    return [
        f"no replay       no domain is stated for {fields}: `refute verify` cannot know whether the claim speaks of it",
        f"\nhint: draw {fields} by strategies of refute.strategies, such as number(): given=sized({first}=number());\n"
        "or say what it may be, with `from refute import stated`: "
        f"given=sized({first}=stated(yours, lambda value: ...))",
    ]


def _silent(claim: Claim, outcome: Outcome) -> tuple[str, ...]:
    """The fields of a counterexample of which nothing says that the claim speaks of their values."""
    if not isinstance(outcome, Refuted | Against) or claim.kind is Kind.SYMBOLIC:
        return ()
    return tuple(name for name, verdict in admitted(claim, outcome.counterexample.case).items() if verdict is None)


def _compared(outcome: Outcome) -> dict[str, Any] | None:
    """For pictures only: what cannot be drawn costs the picture."""
    try:
        return compared(outcome.counterexample) if isinstance(outcome, Refuted | Against) else None
    except (RefuteError, ArithmeticError, ValueError, TypeError):
        return None


def list_row(claim: Claim) -> Listed:
    """What is known about a claim before it is checked, for JSON."""
    return {
        "id": claim.id,
        "paper": claim.paper,
        "reference": claim.reference,
        "kind": claim.kind.value,
        "recorded": claim.recorded,
        "assumptions": [assumption.text for assumption in claim.assumes],
        "assumption_ids": [assumption.id for assumption in claim.assumes],
        "printed": claim.printed,
        "fault": claim.fault.value if claim.fault is not None else None,
        "root": claim.root or None,
        "statement": claim.statement,
        "place": shown_place(claim.place),
        "mutants": [mutant.name for mutant in claim.mutants],
    }


def count(words: Iterable[str]) -> str:
    """How often each verdict was earned: "12 proved, 20 supported"."""
    times = Counter(words)
    return ", ".join(f"{times[word]} {word}" for word in (*RECORDABLE, "broken") if times[word]) or "none"
