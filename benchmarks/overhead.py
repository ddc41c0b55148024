"""What the harness itself costs per case: drawing, repairing, lifting, checking assumptions, bookkeeping; not the
predicate.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

from refute import Cases, Claim, Run
from refute.language.registry import find_claim
from refute.run.loading import load_all
from refute.search.draw import Tally, hunt
from refute.strategies import dataset, point, positive, sized, two_layer
from refute.strategies.datasets import unscaled_dataset

AT_MOST = 5.0  # milliseconds per case
REPEATS = 8  # the fastest counts: everything else is what the machine did besides

# Registered claims of every exact kind and of the dynamics, from single numbers to networks with four assumptions.
CLAIMS = (
    "min2024.lemma_2.exp",
    "kou2023.lemma_h1.log_upper_bound",
    "zhang2024.sec_3.positive_homogeneity_two_layer",
    "zhang2024.theorem_1.decomposition",
    "zhang2024.corollary_2.odd_implies_linear",
    "zhang2024.lemma_8.second_moment_bound",
    "zhang2024.lemma_10.correlation.amended",
    "zhang2024.lemma_11.first_layer.amended",
    "zhang2024.theorem_5.weights_square",
    "kou2023.lemma_a2.active_fraction",
)
# The same statements over larger cases.
LARGER: dict[str, Cases] = {
    "zhang2024.sec_3.positive_homogeneity_two_layer": sized(
        net=two_layer, x=point, a=positive(), dimension=(5, 5), width=(10, 10), samples=(10, 10)
    ),
    "zhang2024.lemma_8.second_moment_bound": sized(
        net=two_layer, data=dataset, dimension=(5, 5), width=(10, 10), samples=(10, 10)
    ),
    "zhang2024.lemma_10.correlation.amended": sized(data=dataset, r=point, dimension=(5, 5), samples=(10, 10)),
    "zhang2024.theorem_5.weights_square": sized(
        net=two_layer, data=unscaled_dataset, tau=positive(), dimension=(5, 5), width=(6, 6), samples=(6, 6)
    ),
}


@dataclass(slots=True)
class Clock:
    """The processor time spent inside the functions that it times; other processes do not count."""

    seconds: float = 0.0

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += time.process_time() - start

        return inner


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds per case."""

    work: str
    cases: int
    total_ms: float
    predicate_ms: float

    @property
    def overhead_ms(self) -> float:
        return self.total_ms - self.predicate_ms

    def jsonable(self) -> dict[str, Any]:
        return {
            "work": self.work,
            "cases": self.cases,
            "total_ms": round(self.total_ms, 4),
            "predicate_ms": round(self.predicate_ms, 4),
            "overhead_ms": round(self.overhead_ms, 4),
            "at_most": AT_MOST,
        }


def measured(claim: Claim, work: str) -> Row:
    """The fastest of several hunts over the quick budget; the first one, which compiles and fills caches, does not
    count.
    """
    rows = []
    for _ in range(1 + REPEATS):
        clock = Clock()
        timed = replace(claim, conclusion=clock.timed(claim.conclusion))
        start = time.process_time()
        tally: Tally = hunt(timed, Run(pinned=False))
        passed = time.process_time() - start
        tried = max(tally.tried, 1)
        rows.append(Row(work, tally.tried, 1e3 * passed / tried, 1e3 * clock.seconds / tried))
    return min(rows[1:], key=lambda row: row.overhead_ms)


def rows() -> list[Row]:
    load_all()
    found = []
    for id in CLAIMS:
        claim = find_claim(id)
        if claim is None:
            raise SystemExit(f"there is no claim {id!r}: mend the list in {__file__}")
        found.append(measured(claim, id))
        if id in LARGER:
            found.append(measured(replace(claim, given=LARGER[id]), f"{id}, larger"))
    return found


def one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def table(found: Sequence[Row]) -> str:
    width = max(len(row.work) for row in found)
    lines = [f"{'claim':<{width}}  {'cases':>5}  {'total':>8}  {'predicate':>9}  {'overhead':>8}   ms per case"]
    lines += [
        f"{row.work:<{width}}  {row.cases:>5}  {row.total_ms:>8.2f}  {row.predicate_ms:>9.2f}  {row.overhead_ms:>8.2f}"
        for row in found
    ]
    over = [row.work for row in found if row.overhead_ms > AT_MOST]
    return "\n".join([*lines, f"over {AT_MOST} ms: {', '.join(over) or 'none'}"])


def main(arguments: list[str]) -> int:
    """Exit code 0 when every overhead is within the bound, 1 when not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks overhead", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows as JSON")
    options = parser.parse_args(arguments)
    one_thread()
    found = rows()
    sys.stdout.write(table(found) + "\n")
    if options.json:
        options.json.write_text(json.dumps([row.jsonable() for row in found], indent=1) + "\n")
    return int(any(row.overhead_ms > AT_MOST for row in found))
