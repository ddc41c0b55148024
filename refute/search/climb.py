"""Climbs: from one case to cases whose margin is smaller, until one is violated or the budget is spent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from refute.decide.effort import Run
from refute.errors import RefuteError
from refute.language.case import Case
from refute.language.cases import movable
from refute.language.claim import Claim
from refute.search.coordinates import numbers, with_numbers
from refute.search.moves import Generator, leapt, rounded, stepped
from refute.search.probe import Probe, probe
from refute.search.repair import mended
from refute.search.robustness import Floats

LARGEST_STEP, SMALLEST_STEP = 1.0, 1e-7
MOST_NUMBERS = 40  # beyond these, covariance matrices and finite differences cost more than they give


@dataclass
class Climber:
    """Evaluates cases against a budget and remembers the best one."""

    claim: Claim
    run: Run
    budget: int
    best: Probe
    tried: int = 0
    met: int = 0
    ignored: Floats | None = None
    seen: list[tuple[int, Probe]] = field(default_factory=list)
    fields: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.fields = movable(self.claim, self.best.case)

    def numbers(self) -> Floats:
        """The numbers of the best case that may be changed."""
        return np.array([float(number) for number in numbers(self.best.case, self.fields)])

    def at(self, case: Case, point: Floats, step: float) -> Case | None:
        """The case with the numbers of a point, no finer than the step needs."""
        try:
            values = [rounded(float(value), step) if np.isfinite(value) else Fraction(0) for value in point]
            return with_numbers(case, self.fields, values)
        except RefuteError:
            return None

    def spent(self) -> bool:
        return self.tried >= self.budget or self.best.violation is not None

    def height(self, at: Probe | None) -> float:
        return 2.0 if at is None else at.height(self.ignored)

    def look(self, case: Case | None) -> Probe | None:
        """Mend and evaluate one case; what violates the claim becomes the best at once."""
        self.tried += 1
        case = mended(self.claim, case) if case is not None else None
        found = probe(self.claim, case, self.run) if case is not None else None
        if found is None:
            return None
        self.met += 1
        self.seen.append((self.tried, found))
        if found.violation is not None or self.height(found) < self.height(self.best):
            self.best = found
        return found

    def ignore_what_always_touches(self, rng: Generator, looks: int = 6) -> None:
        """Components that are zero here and stay zero under small steps say nothing about the way to go."""
        touching = self.best.slacks == 0
        start = self.best
        for _ in range(looks if touching.any() else 0):
            found = self.look(stepped(start.case, self.fields, rng, 0.1))
            if self.best.violation is not None:
                return
            if found is not None and len(found.slacks) == len(touching):
                touching &= found.slacks == 0
        self.ignored = touching.astype(float)


Climb = Callable[[Climber, Generator], None]


def evolve(climber: Climber, rng: Generator) -> None:
    """(1+1) evolution strategy: the step grows with success and shrinks with failure; now and then a leap."""
    step = 0.3
    while not climber.spent():
        found = climber.look(_next(climber, rng, step))
        if found is not None and found is climber.best:
            step = min(LARGEST_STEP, 1.6 * step)
        else:
            step *= 0.88
        if step < SMALLEST_STEP:
            step = LARGEST_STEP


def _next(climber: Climber, rng: Generator, step: float) -> Case | None:
    case, fields = climber.best.case, climber.fields
    return leapt(case, fields, rng) if rng.random() < 0.1 else stepped(case, fields, rng, step)


def adapt(climber: Climber, rng: Generator) -> None:
    """CMA-ES over all numbers of the case, from steps as large as the numbers; what breaks an assumption ranks last."""
    start = climber.best
    centre = climber.numbers()
    if not 2 <= len(centre) <= MOST_NUMBERS or not np.isfinite(centre).all():
        return evolve(climber, rng)
    import cma

    spread = np.maximum(np.abs(centre), 0.1)
    options = {"seed": int(rng.integers(1, 2**31)), "verbose": -9, "CMA_stds": spread, "tolfun": 0, "tolx": 1e-12}
    strategy = cma.CMAEvolutionStrategy(centre, 0.3, options)
    while not climber.spent() and not strategy.stop():
        points = strategy.ask()
        heights = []
        for point in points:
            heights.append(climber.height(climber.look(climber.at(start.case, point, 0.01 * float(strategy.sigma)))))
            if climber.spent():
                return
        strategy.tell(points, heights)
    evolve(climber, rng)


def descend(climber: Climber, rng: Generator) -> None:
    """Finite differences and a line search, while they help; then evolution."""
    while not climber.spent():
        start, height = climber.best, climber.height(climber.best)
        centre = climber.numbers()
        if not 1 <= len(centre) <= MOST_NUMBERS:
            break
        slope = np.zeros_like(centre)
        for k in range(len(centre)):
            moved = centre.copy()
            width = 1e-4 * max(abs(centre[k]), 0.1)
            moved[k] += width
            found = climber.look(climber.at(start.case, moved, width))
            slope[k] = (climber.height(found) - height) / width if found is not None else 0.0
            if climber.spent():
                return
        length = float(np.linalg.norm(slope))
        reach = 0.5 * max(float(np.abs(centre).max()), 0.1)
        while length > 0 and reach > SMALLEST_STEP and climber.height(climber.best) >= height and not climber.spent():
            climber.look(climber.at(start.case, centre - reach * slope / length, 0.01 * reach))
            reach /= 4
        if climber.height(climber.best) >= height:
            break
    evolve(climber, rng)
