"""The hunt against plain Hypothesis: false statements of rising difficulty, and true ones that must
never be refuted.
"""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import Phase, Verbosity, find, settings
from hypothesis.errors import Flaky, NoSuchExample, Unsatisfiable

from refute import Claim, Run
from refute.decide.evaluate import Judged, judge
from refute.kernel.certificate import document
from refute.kernel.verification import objections
from refute.language.case import Case
from refute.language.registry import claims
from refute.run.hunt import Budget, pursue, raw_counterexample, shrunk_counterexample, take_up
from refute.run.loading import load_file
from refute.run.workers import Workers, workers

STATEMENTS = Path(__file__).parent / "statements"
RUN = Run(pinned=False)
OFTEN = 1_000_000  # more examples than any budget of time allows


@dataclass(frozen=True, slots=True)
class Row:
    statement: str
    refuted: bool
    seconds: float
    cases: int
    level: str
    verified: bool
    plain_hypothesis_refuted: bool | None
    counterexample: str

    def jsonable(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        plain = {True: "found", False: "-", None: "not run"}[self.plain_hypothesis_refuted]
        found = (
            f"{self.seconds:6.1f} s {self.cases:>7} cases  {self.level:<9}" if self.refuted else f"{'NOT REFUTED':<31}"
        )
        return f"{self.statement:<48} {found}  plain: {plain:<7}  {self.counterexample}"


def hunted(claim: Claim, budget: float, staff: Workers, plain: bool) -> Row:
    """Time and cases to the shrunk counterexample, whose certificate is checked on the spot."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        hunt = take_up(claim, RUN.seed, Path(folder))
        pursue([hunt], Budget(seconds=budget), RUN, staff)
        raw = raw_counterexample(claim, hunt.campaign.violation, RUN)
        small = shrunk_counterexample(raw, claim, RUN) if raw is not None else None
        seconds = time.monotonic() - start
    valid = small is not None and objections(json.loads(json.dumps(document(claim, small))), claim) == []
    by_plain = plain_hypothesis(claim, budget) if plain else None
    text = str(small.case) if small is not None else ""
    return Row(
        claim.id,
        small is not None,
        round(seconds, 2),
        hunt.campaign.tried,
        small.level if small else "",
        valid,
        by_plain,
        text,
    )


def plain_hypothesis(claim: Claim, budget: float) -> bool:
    """What `@given` with the same strategy and the same time finds: the assumptions hold by construction for it too."""
    strategy = claim.strategy()
    assert strategy is not None
    end = time.monotonic() + budget

    def stop(fields: dict[str, Any]) -> bool:
        judgement = judge(claim, Case.of(**fields), RUN)
        found.append(isinstance(judgement, Judged) and judgement.margin.violated)
        return found[-1] or time.monotonic() >= end

    found: list[bool] = []
    options = settings(
        max_examples=OFTEN, database=None, deadline=None, verbosity=Verbosity.quiet, phases=[Phase.generate]
    )
    try:
        find(strategy, stop, settings=options, random=Random(0))
    except (NoSuchExample, Unsatisfiable):
        return False  # every case that the strategy can draw was tried
    except Flaky:
        pass  # the time was up at a case that was tried before
    return any(found)


def main(arguments: list[str]) -> int:
    """Exit code 0 when every false statement fell, no true one did, and every certificate is valid."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks hunt", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each false statement (default 60)")
    parser.add_argument("--long", type=float, default=30.0, help="seconds for each true statement (default 30)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-plain", action="store_true", help="leave out plain Hypothesis")
    options = parser.parse_args(arguments)
    for name in ("false", "true"):
        load_file(str(STATEMENTS / f"{name}.py"))
    rows, true_cases, wrong = [], 0, []
    with workers(options.jobs) as staff:
        for claim in claims():
            if claim.id.startswith("false."):
                rows.append(hunted(claim, options.budget, staff, not options.no_plain))
                sys.stdout.write(f"{rows[-1]}\n")
                sys.stdout.flush()
        for claim in claims():
            if claim.id.startswith("true."):
                row = hunted(claim, options.long, staff, plain=False)
                true_cases += row.cases
                wrong += [row] if row.refuted else []
    fell = sum(row.refuted for row in rows)
    plainly = sum(bool(row.plain_hypothesis_refuted) for row in rows)
    sys.stdout.write(f"false statements: {fell} of {len(rows)} refuted; plain Hypothesis finds {plainly}\n")
    sys.stdout.write(
        f"true statements: {len(wrong)} refuted in {true_cases} cases {' '.join(str(row) for row in wrong)}\n"
    )
    if options.json:
        options.json.write_text(json.dumps([row.jsonable() for row in rows], indent=1) + "\n")
    return int(fell < len(rows) or bool(wrong) or not all(row.verified for row in rows if row.refuted))
