"""Try one case: are the assumptions met, and how near does the conclusion come to failing? Cheap arithmetic first."""

from dataclasses import dataclass

import numpy as np

from refute.decide.effort import Run
from refute.decide.evaluate import TOLERANCE, Judged, evaluate_assumption, evaluate_in_floats, judge_firmly
from refute.decide.pulse import JUDGING, tell
from refute.errors import RefuteError
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.relations import Decision, Margin
from refute.search.robustness import Floats, components

NEAR = 1e-9  # a component below this in float64 is looked at again in exact arithmetic


@dataclass(frozen=True, slots=True)
class Probe:
    """A case that meets every assumption, with the components of its margin, and the judgement if it violates the
    conclusion.
    """

    case: Case
    slacks: Floats
    violation: Judged | None = None

    def height(self, ignored: Floats | None = None) -> float:
        """What a climb lowers: the smallest component, of those that are not `ignored` (touching for good)."""
        slacks = (
            self.slacks if ignored is None or len(ignored) != len(self.slacks) else self.slacks[~ignored.astype(bool)]
        )
        return float(slacks.min(initial=1.0))


def probe(claim: Claim, case: Case, run: Run, strict: bool = False) -> Probe | None:
    """None when an assumption is not met, or when the case cannot be evaluated (an error if `strict`)."""
    tell(JUDGING, case)
    try:
        if any(evaluate_assumption(assumption, case).decision is not Decision.HOLDS for assumption in claim.assumes):
            return None
        quick = _quick(claim, case, run)
        if quick is not None:
            slacks = components(quick)
            if slacks.min(initial=1.0) > NEAR:
                return Probe(case, slacks)
        judgement = judge_firmly(claim, case, run)
    except RefuteError as error:
        if strict:
            error.case = case
            raise
        return None
    if not isinstance(judgement, Judged):
        return None
    return Probe(case, components(judgement.margin), judgement if judgement.against else None)


def _quick(claim: Claim, case: Case, run: Run) -> Margin | None:
    """The margin in float64 where the claim is decided in exact arithmetic: never believed, only
    used to find the way.
    """
    if not claim.kind.exact:
        return None
    try:
        with np.errstate(all="ignore"):
            return evaluate_in_floats(claim, case, run, TOLERANCE)
    except Exception:  # a conclusion written for rationals may meet an overflow or a type that floats do not have
        return None
