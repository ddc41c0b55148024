"""From a claim to its outcome."""

import time
from dataclasses import replace

from refute.decide.effort import Run
from refute.decide.evaluate import judge
from refute.decide.pulse import PROVING, tell
from refute.decide.symbolic import decide_identity
from refute.decide.verdict import Broken, Outcome, Proved, Supported, Undecided, Vacuous, fallen
from refute.errors import RefuteError
from refute.kernel.certificate import pinned_case
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.language.mutants import Mutant
from refute.language.relations import Decision
from refute.search.draw import Tally, counterexample, hunt
from refute.search.observe import observe

HARDLY_EVER = 0.02  # a smaller part of the drawn cases met the assumptions: nothing was really tested
MOSTLY = 0.1  # a larger part of the cases is undecided: so is the claim


def check(claim: Claim, run: Run | None = None) -> Outcome:
    """The outcome that `claim` earns with the effort of `run`."""
    run = run or Run()
    try:
        if claim.kind is Kind.SYMBOLIC:
            tell(PROVING)
            return decide_identity(claim)
        pinned = pinned_case(claim) if run.pinned else None
        if pinned is not None:
            began = time.perf_counter()
            replayed = judge(claim, pinned, run, certify=run.certify)
            observe(claim, pinned, replayed, "pinned", began)
            if replayed.margin is not None and replayed.margin.against:
                return fallen(counterexample(claim, replayed, run))
        tally = hunt(claim, run)
        return _verdict(claim, tally, run)
    except RefuteError as error:
        return Broken(error.message, error.hint, error.case if isinstance(error.case, Case) else None)


def _verdict(claim: Claim, tally: Tally, run: Run) -> Outcome:
    evidence = tally.evidence()
    if tally.found is not None:
        found = (
            judge(claim, tally.found.case, run, certify=True) if run.certify and not claim.kind.exact else tally.found
        )
        if found.margin is None or not found.margin.against:
            return Undecided(f"a violation in float64 was not confirmed: {found.margin} on {found.case}", evidence)
        return fallen(counterexample(claim, found, run), evidence)
    if tally.met == 0 or tally.met < HARDLY_EVER * tally.tried:
        return Vacuous(*tally.rarest(), evidence)
    if claim.kind is Kind.EXISTENCE and claim.instances:
        return _witnessed(claim, tally)
    if claim.proof is not None:
        tell(PROVING)
        method = claim.proof()
        return Proved(method, evidence) if method else Undecided("the proof did not go through", evidence)
    if tally.undecided > MOSTLY * tally.met:
        return Undecided(
            f"the error swallows the margin in {tally.undecided} of {tally.met} cases (worst {tally.worst})", evidence
        )
    return Supported(evidence)


def _witnessed(claim: Claim, tally: Tally) -> Outcome:
    """An existence claim: every listed witness meets the assumptions and was checked."""
    evidence = tally.evidence()
    if tally.met < tally.tried:
        return Undecided(
            f'{tally.tried - tally.met} of {tally.tried} witnesses do not meet "{tally.rarest()[0]}"', evidence
        )
    if tally.worst is not None and tally.worst.decision is Decision.HOLDS and not tally.undecided:
        return Proved(f"the witness {claim.instances[0]}", evidence)
    return Undecided("the witness could not be decided", evidence)


def check_mutant(claim: Claim, mutant: Mutant, run: Run | None = None) -> Outcome:
    """The outcome of a wrong statement, without shrinking or a second opinion; it should be
    Refuted, or Against in floats.
    """
    return check(
        claim.mutated(mutant), replace(run or Run(), shrink=False, remember=False, pinned=False, certify=False)
    )
