"""A chunk: the unit of work of a hunt. It depends on nothing but its own description, so it can be done anywhere,
twice, or again.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from hypothesis import Phase, Verbosity, find, settings
from hypothesis.errors import NoSuchExample, Unsatisfiable

from refute.decide.effort import Run
from refute.decide.pulse import DRAWING, tell
from refute.errors import RefuteError
from refute.language.case import Case
from refute.language.cases import movable
from refute.language.claim import Claim
from refute.language.denial import sought
from refute.search.climb import Climb, Climber, adapt, descend, evolve
from refute.search.generation import nothing_read_in_modules
from refute.search.moves import leapt
from refute.search.probe import Probe, probe
from refute.search.repair import mended
from refute.search.sighting import FROM_A_CHUNK, Sighting, evenly

KEPT = 4  # cases that a chunk hands on
LEAPS = 2  # corners tried from each drawn case

CLIMBS: dict[str, Climb] = {"evolve": evolve, "adapt": adapt, "descend": descend}
DRAW, CORNERS, WITNESS = "draw", "corners", "witness"


@dataclass(frozen=True, slots=True)
class Chunk:
    """`budget` cases to try with one method (`arm`), from the given cases where the method starts from cases."""

    number: int
    arm: str
    seed: int
    budget: int
    starts: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """What a chunk brings home: its best cases with their heights, a case that violates the claim, if any, and some
    that it saw.
    """

    number: int
    arm: str
    tried: int
    met: int
    best: tuple[tuple[float, dict[str, Any]], ...] = ()
    violation: dict[str, Any] | None = None
    gain: float = 0.0
    seen: tuple[Sighting, ...] = ()
    bad: tuple[tuple[str, dict[str, Any] | None], ...] = ()  # cases on which the claim cannot be judged, and why

    @classmethod
    def stopped(cls, chunk: Chunk, error: RefuteError) -> "Findings":
        """A chunk that one of its cases brought down."""
        case = error.case.to_json() if isinstance(error.case, Case) else None
        return cls(chunk.number, chunk.arm, 1, 0, bad=((error.message, case),))


def work(claim: Claim, chunk: Chunk, run: Run) -> Findings:
    """Do the chunk. The same chunk gives the same findings."""
    claim = sought(claim)
    if chunk.arm in CLIMBS:
        return _climb(claim, chunk, run)
    if chunk.arm == WITNESS:
        return _look(claim, chunk, run, [Case.from_json(start) for start in chunk.starts])
    return _draw(claim, chunk, run)


def _generator(claim: Claim, chunk: Chunk) -> np.random.Generator:
    return np.random.default_rng([chunk.seed, chunk.number, crc32(claim.id.encode())])


def _climb(claim: Claim, chunk: Chunk, run: Run) -> Findings:
    start = probe(claim, Case.from_json(chunk.starts[0]), run)
    if start is None:
        return Findings(chunk.number, chunk.arm, 1, 0)
    rng = _generator(claim, chunk)
    climber = Climber(claim, run, chunk.budget, start)
    climber.ignore_what_always_touches(rng)
    before = climber.height(start)
    CLIMBS[chunk.arm](climber, rng)
    after = climber.best
    gain = max(0.0, before - climber.height(after))
    return _findings(claim, chunk, climber.tried, climber.seen, [after], climber.height, gain)


def _draw(claim: Claim, chunk: Chunk, run: Run) -> Findings:
    """Cases drawn by Hypothesis, or corners reached from them."""
    strategy = claim.strategy()
    if strategy is None:
        return _look(claim, chunk, run, list(claim.instances or (Case.of(),)))
    leaps = LEAPS if chunk.arm == CORNERS else 0
    rng = _generator(claim, chunk)
    cases: list[Case] = []

    def collect(fields: dict[str, Any]) -> bool:
        tell(DRAWING)
        case = Case.of(**fields)
        cases.append(case)
        for _ in range(leaps):
            corner = leapt(case, movable(claim, case), rng)
            corner = mended(claim, corner) if corner is not None else None
            if corner is not None:
                cases.append(corner)
                case = corner
        return len(cases) >= chunk.budget

    options = settings(
        max_examples=max(1, chunk.budget // (1 + leaps)),
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        phases=[Phase.generate],
    )
    with suppress(NoSuchExample, Unsatisfiable), nothing_read_in_modules():
        find(strategy, collect, settings=options, random=Random(f"{chunk.seed}:{chunk.number}:{claim.id}"))
    return _look(claim, chunk, run, cases)


def _look(claim: Claim, chunk: Chunk, run: Run, cases: Sequence[Case]) -> Findings:
    """Evaluate the cases in order; the first violation ends it."""
    seen: list[tuple[int, Probe]] = []
    digests: set[str] = set()
    bad: list[tuple[str, dict[str, Any] | None]] = []
    tried = 0
    for case in cases:
        if case.digest() in digests:
            continue
        digests.add(case.digest())
        tried += 1
        try:
            found = probe(claim, case, run, strict=chunk.arm == DRAW)  # what the strategy draws, the claim must bear
        except RefuteError as error:
            bad.append((error.message, case.to_json()))
            continue
        if found is not None:
            seen.append((tried, found))
            if found.violation is not None:
                break
    made = _findings(claim, chunk, tried, seen, [found for _, found in seen], _height)
    return replace(made, bad=tuple(bad))


def _findings(
    claim: Claim,
    chunk: Chunk,
    tried: int,
    seen: Sequence[tuple[int, Probe]],
    candidates: Sequence[Probe],
    height: Callable[[Probe], float],
    gain: float = 0.0,
) -> Findings:
    """`seen` are the cases that met the assumptions, each with the number of the case; `candidates` may go into the
    pool.
    """
    violated = next((found for found in candidates if found.violation is not None), None)
    best = tuple((height(found), found.case.to_json()) for found in sorted(candidates, key=height)[:KEPT])
    cases = {after: found.case for after, found in seen}
    sightings = [Sighting(chunk.arm, after, height(found), found.violation is not None) for after, found in seen]
    shown = tuple(one.located(claim, cases[one.after]) for one in evenly(sightings, FROM_A_CHUNK))
    return Findings(
        chunk.number, chunk.arm, tried, len(seen), best, violated.case.to_json() if violated else None, gain, shown
    )


def _height(found: Probe) -> float:
    """Of a single case nothing is known yet about which components always touch: zeros are left out."""
    return found.height((found.slacks == 0).astype(float))
