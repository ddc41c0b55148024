"""Judge the cases of a claim, and let Hypothesis shrink the first violation."""

import hashlib
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import reject
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from refute.decide.effort import Run
from refute.decide.evaluate import Idle, Judged, Judgement, Unmet, judge, judge_firmly, speaks_against
from refute.decide.pulse import DRAWING, tell
from refute.decide.verdict import Evidence
from refute.errors import BadClaim, RefuteError
from refute.language.assumption import Assumption
from refute.language.case import Case
from refute.language.cases import Fields
from refute.language.claim import Claim
from refute.language.relations import Decision, Margin, approximate
from refute.search.observe import observe
from refute.search.sample import Sample
from refute.search.shrink import shrink
from refute.search.stream import Stream, generated

DRAWN = "drawn"
SHRUNK = "shrunk"  # cases on the way to a smaller counterexample, which is certified in the end
EXAMPLES = Path(".refute") / "examples"
MOST_SHRUNK_TRAINED = 120  # cases on the way to a smaller counterexample, where each one trains a network


class Found(Exception):
    """A case violates the claim: what Hypothesis looks for."""


@dataclass(slots=True)
class Tally:
    """What has been seen so far."""

    tried: int = 0
    met: int = 0
    undecided: int = 0
    distinct: set[str] = field(default_factory=set)
    worst: Margin | None = None
    margins: Sample = field(default_factory=Sample)
    misses: dict[Assumption, list[Margin]] = field(default_factory=dict)
    passes: Counter[Assumption] = field(default_factory=Counter)
    premises: Counter[str] = field(default_factory=Counter)
    found: Judged | None = None
    first: Judged | None = None  # the violation before it was shrunk
    delay: str = ""

    def add(self, judgement: Judgement) -> None:
        self.tried += 1
        self.passes.update(assumption for assumption, _ in judgement.assumptions)
        match judgement:
            case Unmet(assumption=assumption, slack=slack):
                self.misses.setdefault(assumption, []).append(slack)
            case Idle(premise=premise):
                self.premises[premise] += 1
            case Judged(case=case, margin=margin):
                self.distinct.add(case.digest())
                self._weigh(margin)

    def _weigh(self, margin: Margin) -> None:
        self.met += 1
        self.undecided += margin.decision is Decision.UNDECIDED
        self.delay = self.delay or margin.delay
        relative = margin.value / margin.scale
        self.margins.add(approximate(relative))
        if self.worst is None or relative < self.worst.value / self.worst.scale:
            self.worst = margin

    def evidence(self) -> Evidence:
        kept = tuple(self.margins.kept)
        return Evidence(self.met, self.tried, len(self.distinct), self.undecided, self.worst, kept, self.delay)

    def rarest(self) -> tuple[str, Margin | None]:
        """The assumption that the smallest part of the cases that came to it met, with its nearest miss; else the
        rarest premise.
        """
        if self.misses:
            assumption = min(self.misses, key=lambda a: self.passes[a] / (self.passes[a] + len(self.misses[a])))
            return assumption.text, max(self.misses[assumption], key=lambda m: m.value)
        return (self.premises.most_common(1)[0][0] if self.premises else "the strategy"), None


def hunt(claim: Claim, run: Run) -> Tally:
    """Try the explicit instances, or draw cases until the budget is spent or a violation is found and shrunk."""
    tally = Tally()
    strategy = claim.strategy()
    if strategy is None:
        for case in claim.instances or (Case.of(),):
            _try(claim, case, run, tally, "given by the claim")
            if tally.found:
                break
        return tally
    known: dict[str, Judgement] = {}
    remembers = run.remember and _examples(claim, run).is_dir()
    if remembers or not _walk(claim, Stream.of(claim, strategy, run), run, tally, known):
        _find(claim, strategy, run, tally, known)
    return tally


def _try(claim: Claim, case: Case, run: Run, tally: Tally, how: str) -> Judgement:
    began = time.perf_counter()
    try:
        judgement = judge(claim, case, run) if how == SHRUNK else judge_firmly(claim, case, run)
    except RefuteError as error:
        error.case = case
        observe(claim, case, error, how, began)
        raise
    tell(DRAWING)
    observe(claim, case, judgement, how, began)
    tally.add(judgement)
    if speaks_against(judgement):
        tally.found, tally.first = judgement, tally.first or judgement
    return judgement


def _walk(claim: Claim, stream: Stream, run: Run, tally: Tally, known: dict[str, Judgement]) -> bool:
    """Judge the cases that the claims of the section share; whether nothing is left to be done."""
    for case in stream.read():
        began, digest = time.perf_counter(), case.digest()
        if digest in known:
            observe(claim, case, known[digest], DRAWN, began)
            tally.add(known[digest])
        else:
            known[digest] = _try(claim, case, run, tally, DRAWN)
        if tally.found is not None:
            return not run.shrink
    return stream.complete


def _find(
    claim: Claim, strategy: SearchStrategy[Fields], run: Run, tally: Tally, known: Mapping[str, Judgement]
) -> None:
    """Hypothesis generates, shrinks and keeps what it found in its database of examples; what is known of the cases
    need not be judged again until then.
    """
    counting = Tally()
    violations: dict[str, Judged] = {}  # on the way to the smallest one, which Hypothesis runs again at the end

    def judged(case: Case) -> Judgement | None:
        if violations:
            with suppress(RefuteError):  # a smaller case on which the predicate breaks down is no counterexample
                return _try(claim, case, run, counting, SHRUNK)
            return None
        return known.get(case.digest()) or _try(claim, case, run, tally, DRAWN)

    def test(fields: Fields) -> None:
        case = Case.of(**fields)
        if claim.kind.exact or counting.tried < MOST_SHRUNK_TRAINED:
            judgement = judged(case)
            if isinstance(judgement, Unmet):
                reject()
            if judgement is None or not speaks_against(judgement):
                return
            violations[case.digest()] = judgement
        elif case.digest() not in violations:
            return
        tally.found = violations[case.digest()]
        raise Found  # on this line only: Hypothesis takes another one for another failure

    try:
        generated(claim, strategy, run, test, run.shrink, examples(claim, run) if run.remember else None)
    except Found:
        if run.shrink and tally.found is not None:
            tally.found = shrink(claim, tally.found, run)
    except Flaky as error:
        raise BadClaim(
            f"{claim.name}() gave different margins for the same case",
            "take randomness from the injected `rng` only; do not keep state between calls",
        ) from error


def _examples(claim: Claim, run: Run) -> Path:
    key = hashlib.sha256(f"{claim.id}:{run.seed}:{run.profile.name}".encode()).hexdigest()[:16]
    return EXAMPLES / key


def examples(claim: Claim, run: Run) -> ExampleDatabase:
    """What was found for this claim with this seed and profile: it is tried again before anything is drawn."""
    return DirectoryBasedExampleDatabase(_examples(claim, run))
