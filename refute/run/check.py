"""From a claim to its outcome."""

import time
from dataclasses import replace

from refute.decide.effort import Run
from refute.decide.evaluate import Judged, judge, speaks_against
from refute.decide.pulse import PROVING, tell
from refute.decide.symbolic import decide_identity
from refute.decide.verdict import (
    Broken,
    Counterexample,
    Evidence,
    Outcome,
    Proved,
    Supported,
    Undecided,
    Vacuous,
    fallen,
)
from refute.errors import RefuteError
from refute.kernel.certificate import pinned_case
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.denial import sought, turned
from refute.language.kind import Kind
from refute.language.mutants import Mutant
from refute.search.draw import Tally, hunt
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
        if claim.kind is Kind.EXISTENCE:
            return _existence(claim, run)
        pinned = pinned_case(claim) if run.pinned else None
        if pinned is not None:
            began = time.perf_counter()
            replayed = judge(claim, pinned, run, certify=run.certify)
            observe(claim, pinned, replayed, "pinned", began)
            if speaks_against(replayed):
                return fallen(replayed.counterexample(claim))
        tally = hunt(claim, run)
        return _verdict(claim, tally, run)
    except RefuteError as error:
        return Broken(error.message, error.hint, error.case if isinstance(error.case, Case) else None)


def _verdict(claim: Claim, tally: Tally, run: Run) -> Outcome:
    evidence = tally.evidence()
    if tally.found is not None:
        found = _firmest(claim, tally, run)
        changing = _two_faced(claim, found, run) if run.certify else None
        return fallen(found, evidence) if changing is None else changing
    if tally.met == 0 or tally.met < HARDLY_EVER * tally.tried:
        return Vacuous(*tally.rarest(), evidence)
    if claim.proof is not None:
        tell(PROVING)
        method = claim.proof()
        return Proved(method, evidence) if method else Undecided("the proof did not go through", evidence)
    if tally.undecided > MOSTLY * tally.met:
        return Undecided(
            f"the error swallows the margin in {tally.undecided} of {tally.met} cases (worst {tally.worst})", evidence
        )
    return Supported(evidence)


def _firmest(claim: Claim, tally: Tally, run: Run) -> Counterexample:
    """What was found, shrunk; as it was before where shrinking cost its certainty."""
    assert tally.found is not None
    assert tally.first is not None
    first = tally.first.counterexample(claim)
    if not run.certify or claim.kind.exact:
        return tally.found.counterexample(claim)
    small = judge(claim, tally.found.case, run, certify=True)
    if not speaks_against(small):
        return first
    shrunk = small.counterexample(claim)
    return first if first.refutes and not shrunk.refutes else shrunk


def _two_faced(claim: Claim, found: Counterexample, run: Run) -> Broken | None:
    """A predicate that says something else of the same case when it is asked again."""
    again = judge(claim, found.case, run, certify=True)
    said = again.margin if isinstance(again, Judged) else None
    if said is not None and (said.value, said.decision) == (found.margin.value, found.margin.decision):
        return None
    words = f"asked twice about one case, {claim.name}() says {found.margin} and {said}"
    return Broken(words, "a conclusion depends on its case alone; random numbers come from `rng`", found.case)


def _existence(claim: Claim, run: Run) -> Outcome:
    """A witness proves it, listed or drawn; a case that is none refutes nothing."""
    denial = sought(claim)
    tally = hunt(denial, run)
    evidence = _of_witnesses(tally)
    if tally.met == 0:
        return Vacuous(*tally.rarest(), evidence)
    method = claim.proof() if claim.proof is not None else None
    if method:
        return Proved(method, evidence)
    if tally.found is not None and tally.found.counterexample(denial).refutes:
        listed = f" (1 of {len(claim.instances)} listed)" if len(claim.instances) > 1 else ""
        return Proved(f"the witness {tally.found.case}{listed}", evidence)
    undecided = f", {tally.undecided} undecided" if tally.undecided else ""
    return Undecided(f"no witness in {tally.met} cases{undecided}, which refutes nothing", evidence)


def _of_witnesses(tally: Tally) -> Evidence:
    """The margins of the statement itself, not of its denial."""
    found = tally.evidence()
    worst = None if found.worst is None else turned(found.worst)
    return replace(found, worst=worst, margins=tuple(-margin for margin in found.margins))


def check_mutant(claim: Claim, mutant: Mutant, run: Run | None = None) -> Outcome:
    """The outcome of a wrong statement, without shrinking or a second opinion; it should be
    Refuted, or Against in floats.
    """
    return check(
        claim.mutated(mutant), replace(run or Run(), shrink=False, remember=False, pinned=False, certify=False)
    )
