"""Verdicts: frozen values that carry their evidence. None of them is a bool."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NoReturn, TypedDict

from refute.arithmetic.numbers import written
from refute.decide.confirmation import REPEATED
from refute.language.case import Case
from refute.language.relations import Margin
from refute.shown import Shown


class _NotABool(Shown):
    __slots__ = ()
    word: ClassVar[str]

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a verdict is not true or false; use `match` on Proved, Supported, Refuted, Against, Undecided, Vacuous"
        )

    def __str__(self) -> str:
        said = describe(self)  # type: ignore[arg-type]
        return said if said.startswith(self.word) else f"{self.word}: {said}"


@dataclass(frozen=True, slots=True)
class Counterexample(Shown):
    """A case that meets every assumption and violates the conclusion, in arithmetic with a stated error.

    `level` is "exact" (rationals), "certified" (balls, or every trajectory enclosed in balls), "confirmed" (float64, by
    two independent methods that agree), "tested" (a sequential test whose chance of a wrong rejection is 10^-6) or
    "repeated" (float64, by one method: again at a tighter tolerance, or exactly the computation that the statement
    names).
    """

    claim: str
    case: Case
    assumptions: tuple[tuple[str, Margin], ...]
    margin: Margin
    level: str
    arithmetic: str

    @property
    def refutes(self) -> bool:
        """Whether it is a finite certificate: a violation that one float method did not find alone, no trend, and
        every assumption met for certain.
        """
        met = all(margin.certain for _, margin in self.assumptions)
        return met and self.margin.violated and self.level != REPEATED

    def __str__(self) -> str:
        lines = [f"counterexample  {self.case}"]
        lines += [f"  assumed       {text}   (slack {margin})" for text, margin in self.assumptions]
        word = "violated" if self.margin.violated else "against "
        lines.append(f"  {word}      {self.margin.line}   (slack {self.margin}, {self.level}: {self.arithmetic})")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Evidence:
    """How hard the search tried: cases that met every assumption, out of how many drawn, how many different.

    `margins` is an evenly spaced sample of their slacks, each divided by the size of what was compared. `delay` tells
    of a case that speaks for a limit, but did not until late.
    """

    cases: int = 0
    tried: int = 0
    distinct: int = 0
    undecided: int = 0
    worst: Margin | None = None
    margins: tuple[float, ...] = field(default=(), compare=False, repr=False)
    delay: str = ""


@dataclass(frozen=True, slots=True)
class Proved(_NotABool):
    """Holds for every instance of the stated domain, by the named method; `evidence` is what was tried besides."""

    word: ClassVar[str] = "proved"
    method: str
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class Supported(_NotABool):
    """No counterexample among the cases that met every assumption. Evidence, not proof."""

    word: ClassVar[str] = "supported"
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Refuted(_NotABool):
    """A case meets every assumption and violates the conclusion by more than the numerical error."""

    word: ClassVar[str] = "refuted"
    counterexample: Counterexample
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class Against(_NotABool):
    """Evidence against, no certificate: on a case that meets every assumption a trend persists, or one float method
    alone finds the conclusion violated; or the conclusion is violated where an assumption only touches its bound.
    """

    word: ClassVar[str] = "against"
    counterexample: Counterexample
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class Undecided(_NotABool):
    """The error swallows the margin, or no witness and no proof was found; `reason` says which."""

    word: ClassVar[str] = "undecided"
    reason: str
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class Vacuous(_NotABool):
    """The assumptions were hardly ever met: nothing was tested."""

    word: ClassVar[str] = "vacuous"
    assumption: str
    closest: Margin | None
    evidence: Evidence

    @property
    def reason(self) -> str:
        near = f" (closest: slack {self.closest}; {self.closest.line})" if self.closest is not None else ""
        return f'{self.evidence.cases} of {self.evidence.tried} cases met "{self.assumption}"{near}'


@dataclass(frozen=True, slots=True)
class Broken(_NotABool):
    """Not a verdict: the claim could not be run. The message says what happened, with the value."""

    word: ClassVar[str] = "broken"
    message: str
    hint: str = ""
    case: Case | None = None
    evidence: Evidence = Evidence()


Verdict = Proved | Supported | Refuted | Against | Undecided | Vacuous
Outcome = Verdict | Broken
FALLEN = ("refuted", "against")  # the verdicts that keep a case


NOTHING_TRIED = Evidence()


def fallen(found: Counterexample, evidence: Evidence = NOTHING_TRIED) -> Refuted | Against:
    """What a case that speaks against its claim makes of it."""
    return Refuted(found, evidence) if found.refutes else Against(found, evidence)


def margin_of(outcome: Outcome) -> Margin | None:
    """The margin that a row shows: of the counterexample, else the worst one seen."""
    return outcome.counterexample.margin if isinstance(outcome, Refuted | Against) else outcome.evidence.worst


def as_number(value: Fraction) -> float | str:
    """A JSON number, or a fraction as text where no float is near it."""
    number = float(value) if abs(value) < Fraction(10) ** 300 else float("inf")
    return number if (number != 0 or value == 0) and abs(number) != float("inf") else written(value)


def describe(outcome: Outcome) -> str:
    """One paragraph for a person."""
    match outcome:
        case Proved(method=method):
            return f"proved by {method}"
        case Supported(evidence=e):
            open_cases = f", {e.undecided} undecided" if e.undecided else ""
            return (
                f"no counterexample in {e.cases} cases ({e.distinct} different, {e.tried} "
                f"drawn{open_cases}); worst slack {e.worst}"
            )
        case Refuted(counterexample=found) | Against(counterexample=found):
            return str(found)
        case Undecided(reason=reason) | Vacuous(reason=reason):
            return reason
        case Broken(message=message, hint=hint, case=case):
            tail = f"\n  on            {case}" if case is not None else ""
            return f"{message}{tail}" + (f"\n\nhint: {hint}" if hint else "")
    raise AssertionError(outcome)


class Told(TypedDict):
    """The fields of a row that belong to the outcome. Whoever lists the fields of a row takes them from its type."""

    verdict: str
    margin: float | str | None
    error: float | str | None
    cases: int
    tried: int
    detail: str


class Spread(TypedDict):
    """What is stored besides: how far the evidence spreads."""

    distinct: int
    undecided: int
    margins: list[float]


def jsonable(outcome: Outcome) -> Told:
    """The part of a result row that belongs to the outcome."""
    margin = margin_of(outcome)
    return {
        "verdict": outcome.word,
        "margin": as_number(margin.value) if margin is not None else None,
        "error": as_number(margin.error) if margin is not None else None,
        "cases": outcome.evidence.cases,
        "tried": outcome.evidence.tried,
        "detail": describe(outcome),
    }


def storable(outcome: Outcome) -> dict[str, Any]:
    """What is kept of an outcome besides its row: the spread of the evidence, and the counterexample as data."""
    evidence = outcome.evidence
    spread: Spread = {
        "distinct": evidence.distinct,
        "undecided": evidence.undecided,
        "margins": [float(f"{margin:.6g}") for margin in evidence.margins],
    }
    return {**spread, **counterexample_json(outcome)}


def counterexample_json(outcome: Outcome) -> dict[str, Any]:
    """The case that speaks against a claim and how firmly; nothing for another outcome."""
    if not isinstance(outcome, Refuted | Against):
        return {}
    return {"case": outcome.counterexample.case.to_json(), "level": outcome.counterexample.level}
