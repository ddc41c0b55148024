"""The cases of a claim, one after the other. Deterministic for a given seed.

All claims, readings and mutants of a section that assume the same are judged on the same cases: these are drawn and
repaired once, and the latest streams are kept.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
from hypothesis.database import ExampleDatabase
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy

from refute.decide.effort import Run
from refute.decide.evaluate import admissible
from refute.decide.pulse import DRAWING, JUDGING, tell
from refute.language.case import Case
from refute.language.cases import Fields
from refute.language.claim import Claim
from refute.language.derived import Kept
from refute.search.generation import nothing_read_in_modules

FEW = 8
MOST_KEPT = 2000  # cases of a longer stream are drawn for each claim anew


class Enough(Exception):
    """As many cases are drawn as were asked for."""


def cases_for(claim: Claim, run: Run) -> int:
    return max(1, round(run.profile.cases(claim.kind) / claim.cost))


def generated(
    claim: Claim,
    strategy: SearchStrategy[Fields],
    run: Run,
    test: Callable[[Fields], None],
    shrinks: bool = False,
    database: ExampleDatabase | None = None,
) -> None:
    """Hypothesis hands one case after the other to `test`, and raises what it raises."""
    phases = [Phase.reuse, Phase.generate] + ([Phase.shrink] if shrinks else [])
    options = settings(
        max_examples=cases_for(claim, run),
        database=database,
        deadline=None,
        derandomize=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    seeded = seed(Random(f"{run.seed}:{claim.stream or claim.id}").getrandbits(64))(given(strategy)(test))
    try:
        with nothing_read_in_modules():
            options(seeded)()  # the options last, since a seed switches the database off
    except Unsatisfiable:
        pass


@dataclass(eq=False)
class Stream:
    """The cases of a claim as far as they are known without judging them; `ended` says that no others can be drawn so,
    `complete` that there are none.
    """

    claim: Claim
    strategy: SearchStrategy[Fields]
    run: Run
    cases: list[Case] = field(default_factory=list)
    distinct: dict[Case, Case] = field(default_factory=dict)  # one object for all that are equal
    ended: bool = False
    complete: bool = False

    @classmethod
    def of(cls, claim: Claim, strategy: SearchStrategy[Fields], run: Run) -> "Stream":
        """That of all claims which assume the same in a section; the latest ones are kept."""
        most = cases_for(claim, run)
        if most > MOST_KEPT or claim.given is None:
            return cls(claim, strategy, run, ended=True)
        key = (claim.stream or claim.id, run.seed, most, claim.given.strategy, claim.assumes, claim.broken)
        found: Stream = _latest.get(key, lambda: cls(claim, strategy, run))
        return found

    def read(self) -> Iterator[Case]:
        """One after the other. What falls mostly falls at one of the first few; the others are drawn only when they
        are needed.
        """
        index, most = 0, cases_for(self.claim, self.run)
        while index < len(self.cases) or not self.ended:
            if index == len(self.cases):
                self._draw(FEW if index == 0 and most > 2 * FEW else math.inf)
            yield from self.cases[index:]
            index = len(self.cases)

    def _draw(self, most: float) -> None:
        """Until there are `most` cases, from the beginning; Hypothesis needs to know which of them are rejected."""
        count = 0

        def test(fields: Fields) -> None:
            nonlocal count
            tell(DRAWING)
            if count >= most:
                raise Enough
            if count == len(self.cases):
                case = Case.of(**fields)
                self.cases.append(self.distinct.setdefault(case, case))
            case, count = self.cases[count], count + 1
            tell(JUDGING, case)
            if not admissible(self.claim, case):
                reject()

        try:
            generated(self.claim, self.strategy, self.run, test)
            self.ended = self.complete = True
        except Enough:
            pass
        except Exception:  # the author's; whoever draws and judges in turn will meet it again
            self.ended = True


_latest = Kept(8)


def forget() -> None:
    """Let the kept streams go: what is measured shall not profit from what came before."""
    _latest.values.clear()
