"""What a claim stands on, how tight it is and what it can tell apart: each assumption dropped, each constant moved,
each mutant tried.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refute.decide.effort import Run
from refute.decide.verdict import Against, Broken, Outcome, Refuted, Undecided, Vacuous, counterexample_json, describe
from refute.language.assumption import Assumption
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.mutants import Mutant, moved, without
from refute.run.check import check, check_mutant
from refute.study.mutate import constants, scaled


@dataclass(frozen=True, slots=True)
class Ablation:
    """What happens without one assumption.

    necessary             a finite certificate shows it
    evidence              a trend, or one float method, speaks against the rest
    delays                without it the statement fails for longer, but holds later
    not shown necessary   nothing speaks against the rest
    not tested            hardly any case meets the rest
    no conclusion without it, no violating strategy: it could not be tried
    """

    claim: str
    assumption: Assumption
    outcome: Outcome

    @property
    def finding(self) -> str:
        if isinstance(self.outcome, Refuted):
            return "necessary"
        if isinstance(self.outcome, Against):
            return "evidence"
        if isinstance(self.outcome, Broken):
            return "no conclusion without it"
        if self.assumption.violate is None:
            return "no violating strategy"
        if isinstance(self.outcome, Vacuous):
            return "not tested"
        return "delays" if self.outcome.evidence.delay else "not shown necessary"

    def row(self) -> dict[str, Any]:
        detail = describe(self.outcome)
        return {
            "id": self.claim,
            "assumption": self.assumption.text,
            "finding": self.finding,
            "cases": self.outcome.evidence.cases,
            "detail": f"{self.outcome.evidence.delay}; {detail}" if self.finding == "delays" else detail,
        }

    def record(self) -> dict[str, Any]:
        """What is stored: the row and the counterexample."""
        return self.row() | counterexample_json(self.outcome)


@dataclass(frozen=True, slots=True)
class Kill:
    """What happened to one wrong version of a claim."""

    claim: str
    mutant: str
    outcome: Outcome
    exists: bool = False  # whether the statement is that something exists

    @property
    def killed(self) -> bool:
        """Refuted, or something speaks against it: floats are not asked twice here, and a limit falls by its trend.
        No case speaks against existence: there, every case that was tried is certainly no witness.
        """
        if not self.exists:
            return isinstance(self.outcome, Refuted | Against)
        tried = self.outcome.evidence
        return isinstance(self.outcome, Undecided) and tried.cases > 0 and tried.undecided == 0

    def row(self) -> dict[str, Any]:
        return {
            "id": self.claim,
            "mutant": self.mutant,
            "killed": self.killed,
            "verdict": self.outcome.word,
            "cases": self.outcome.evidence.cases,
            "detail": describe(self.outcome),
        }

    def record(self) -> dict[str, Any]:
        """What is stored: the row and the counterexample."""
        return self.row() | counterexample_json(self.outcome)


@dataclass(frozen=True, slots=True)
class Tightness:
    """How far one constant can be moved one way before a counterexample appears."""

    claim: str
    constant: str
    value: Any
    refuted_at: Any | None
    stands_at: Any
    cases: int

    def row(self) -> dict[str, Any]:
        numbers = {"value": self.value, "refuted_at": self.refuted_at, "stands_at": self.stands_at}
        words = {name: None if number is None else str(number) for name, number in numbers.items()}
        return {"id": self.claim, "constant": self.constant, **words, "cases": self.cases}

    record = row  # what is stored

    def __str__(self) -> str:
        refuted = f"refuted at {self.refuted_at}" if self.refuted_at is not None else "no counterexample up to there"
        return f"{self.constant} = {self.value}: stands at {self.stands_at}, {refuted}"


STEPS = [Fraction(1, 2**k) for k in range(10, -1, -1)]  # relative displacements, the smallest first


def tightness(claim: Claim, run: Run) -> list[Tightness]:
    """For every constant, up and down: the smallest displacement that is refuted with this effort, and the last one
    that was not.
    """
    quick = replace(run, pinned=False, remember=False, shrink=False)
    found = []
    for name, value in constants(claim).items():
        for direction in (-1, 1):
            stands, refuted, cases = value, None, 0
            for step in STEPS:
                changed = scaled(value, 1 + direction * step)
                if changed is None or changed == stands:
                    continue
                killed = kill(claim, moved("moved", **{name: changed}), quick)
                cases += killed.outcome.evidence.tried
                if killed.killed:
                    refuted = changed
                    break
                stands = changed
            found.append(Tightness(claim.id, name, value, refuted, stands, cases))
    return found


def ablate(claim: Claim, assumption: Assumption, run: Run) -> Ablation:
    """Violate one assumption, keep the others, and look for a counterexample (shrunk, since it is meant to be read)."""
    weakened = claim.mutated(without(assumption))
    return Ablation(claim.id, assumption, check(weakened, replace(run, pinned=False, remember=False)))


def kill(claim: Claim, mutant: Mutant, run: Run) -> Kill:
    """Try to refute one wrong version with the same budget."""
    return Kill(claim.id, mutant.name, check_mutant(claim, mutant, run), claim.kind is Kind.EXISTENCE)
