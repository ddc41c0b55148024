"""What a claim stands on and what it can tell apart: each assumption dropped in turn, each wrong version tried."""

from dataclasses import dataclass, replace
from typing import Any

from refute.assumption import Assumption
from refute.check import check, check_mutant
from refute.claim import Claim, Mutant, without
from refute.profile import Run
from refute.verdict import Outcome, Refuted, describe


@dataclass(frozen=True, slots=True)
class Ablation:
    """What happens without one assumption: a counterexample shows it necessary, no counterexample shows nothing."""

    claim: str
    assumption: Assumption
    outcome: Outcome

    @property
    def finding(self) -> str:
        if isinstance(self.outcome, Refuted):
            return "necessary"
        return "no violating strategy" if self.assumption.violate is None else "not shown necessary"

    def row(self) -> dict[str, Any]:
        return {
            "id": self.claim,
            "assumption": self.assumption.text,
            "finding": self.finding,
            "cases": self.outcome.evidence.cases,
            "detail": describe(self.outcome),
        }


@dataclass(frozen=True, slots=True)
class Kill:
    """What happened to one wrong version of a claim."""

    claim: str
    mutant: str
    outcome: Outcome

    @property
    def killed(self) -> bool:
        return isinstance(self.outcome, Refuted)

    def row(self) -> dict[str, Any]:
        return {
            "id": self.claim,
            "mutant": self.mutant,
            "killed": self.killed,
            "verdict": self.outcome.word,
            "cases": self.outcome.evidence.cases,
            "detail": describe(self.outcome),
        }


def ablate(claim: Claim, assumption: Assumption, run: Run) -> Ablation:
    """Violate one assumption, keep the others, and look for a counterexample (shrunk, since it is meant to be read)."""
    weakened = claim.mutated(without(assumption))
    return Ablation(claim.id, assumption, check(weakened, replace(run, pinned=False, remember=False)))


def kill(claim: Claim, mutant: Mutant, run: Run) -> Kill:
    """Try to refute one wrong version with the same budget."""
    return Kill(claim.id, mutant.name, check_mutant(claim, mutant, run))
