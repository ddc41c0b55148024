"""Draw cases, judge them, and let Hypothesis shrink the first violation. Deterministic for a given seed."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from hypothesis import Phase, Verbosity, find, reject, settings
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.errors import Flaky, NoSuchExample, Unsatisfiable
from hypothesis.strategies import SearchStrategy

from refute.assumption import Assumption, Fields
from refute.case import Case
from refute.claim import Claim
from refute.errors import BadClaim, RefuteError
from refute.evaluate import Judgement, judge
from refute.margin import Decision, Margin
from refute.profile import Run
from refute.shrink import shrink
from refute.verdict import Counterexample, Evidence

EXAMPLES = Path(".refute") / "examples"


@dataclass(slots=True)
class Tally:
    """What has been seen so far."""

    tried: int = 0
    met: int = 0
    undecided: int = 0
    distinct: set[str] = field(default_factory=set)
    worst: Margin | None = None
    misses: dict[Assumption, list[Margin]] = field(default_factory=dict)
    passes: Counter[Assumption] = field(default_factory=Counter)
    found: Judgement | None = None

    def add(self, judgement: Judgement) -> None:
        self.tried += 1
        self.passes.update(assumption for assumption, _ in judgement.assumptions)
        if judgement.unmet is not None:
            assumption, margin = judgement.unmet
            self.misses.setdefault(assumption, []).append(margin)
            return
        assert judgement.margin is not None
        self.met += 1
        self.distinct.add(judgement.case.digest())
        self.undecided += judgement.margin.decision is Decision.UNDECIDED
        if self.worst is None or judgement.margin.value / judgement.margin.scale < self.worst.value / self.worst.scale:
            self.worst = judgement.margin

    def evidence(self) -> Evidence:
        return Evidence(self.met, self.tried, len(self.distinct), self.undecided, self.worst)

    def rarest(self) -> tuple[Assumption, Margin] | None:
        """The assumption that the smallest part of the cases that came to it met, with its nearest miss."""
        if not self.misses:
            return None
        assumption = min(self.misses, key=lambda a: self.passes[a] / (self.passes[a] + len(self.misses[a])))
        return assumption, max(self.misses[assumption], key=lambda m: m.value)


def cases_for(claim: Claim, run: Run) -> int:
    return max(1, round(run.profile.cases(claim.kind) / claim.cost))


def hunt(claim: Claim, run: Run) -> Tally:
    """Try the explicit instances, or draw cases until the budget is spent or a violation is found and shrunk."""
    tally = Tally()
    strategy = claim.strategy()
    if strategy is None:
        for case in claim.instances or (Case.of(),):
            _try(claim, case, run, tally)
            if tally.found:
                break
        return tally
    _find(claim, strategy, run, tally)
    return tally


def _try(claim: Claim, case: Case, run: Run, tally: Tally) -> Judgement:
    try:
        judgement = judge(claim, case, run)
    except RefuteError as error:
        error.case = case
        raise
    tally.add(judgement)
    if judgement.margin is not None and judgement.margin.violated:
        tally.found = judgement
    return judgement


def _find(claim: Claim, strategy: SearchStrategy[Fields], run: Run, tally: Tally) -> None:
    """Hypothesis `find`: generation, shrinking and the database of examples."""
    counting = Tally()

    def violated(fields: Fields) -> bool:
        judgement = _try(claim, Case.of(**fields), run, tally if tally.found is None else counting)
        if judgement.unmet is not None:
            reject()
        if judgement.margin is not None and judgement.margin.violated:
            tally.found = judgement
            return True
        return False

    phases = [Phase.reuse, Phase.generate] + ([Phase.shrink] if run.shrink else [])
    options = settings(
        max_examples=cases_for(claim, run),
        database=database() if run.remember else None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=phases,
    )
    key = f"{claim.id}:{run.seed}:{run.profile.name}".encode()
    try:
        find(strategy, violated, settings=options, random=Random(f"{run.seed}:{claim.id}"), database_key=key)
        if run.shrink and tally.found is not None:
            tally.found = shrink(claim, tally.found, run)
    except (NoSuchExample, Unsatisfiable):
        pass
    except Flaky as error:
        raise BadClaim(
            f"{claim.name}() gave different margins for the same case",
            "take randomness from the injected `rng` only; do not keep state between calls",
        ) from error


def database() -> ExampleDatabase:
    return DirectoryBasedExampleDatabase(EXAMPLES)


def counterexample(claim: Claim, found: Judgement, run: Run) -> Counterexample:
    assert found.margin is not None
    assumptions = tuple((assumption.text, margin) for assumption, margin in found.assumptions)
    return Counterexample(claim.id, found.case, assumptions, found.margin, found.level, found.arithmetic, run.seed)
