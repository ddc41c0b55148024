"""A campaign against one claim: generations of chunks, a pool of the nearest misses, and what each method has gained.

Everything depends on the seed alone. A generation always has the same chunks, whoever does them, and their findings are
taken in order, so the counterexample is the same with one worker and with many. After each generation the state can be
saved and taken up.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from refute.decide.effort import PROFILES
from refute.errors import BadClaim, Unreadable
from refute.kernel.certificate import statement_digest
from refute.language.case import Case
from refute.language.claim import Claim
from refute.language.kind import Kind
from refute.search.chunk import CLIMBS, CORNERS, DRAW, WITNESS, Chunk, Findings
from refute.search.coordinates import shape
from refute.search.sighting import IN_A_HUNT, Sighting, evenly

WIDTH = 8  # chunks in a generation; not the number of workers, on which nothing may depend
POOL = 24
SAME_SHAPE = 6  # of the pool; others keep their place, so that sizes are searched too
STEPS = 512  # improvements remembered
VERSION = 2
READABLE = (1, VERSION)  # a state of version 1 has no sightings


@dataclass
class Campaign:
    """The state of a hunt: small, exact, and readable as JSON."""

    claim: Claim
    seed: int = 0
    generation: int = 0
    tried: int = 0
    met: int = 0
    lost: int = 0
    bad: int = 0  # cases on which the claim could not be judged
    worst: str = ""  # what was said of the first of them
    pool: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    gains: dict[str, tuple[int, float]] = field(default_factory=lambda: dict.fromkeys(CLIMBS, (0, 0.0)))
    violation: dict[str, Any] | None = None
    history: list[tuple[int, float]] = field(default_factory=list)
    seen: list[Sighting] = field(default_factory=list)

    @property
    def best(self) -> float | None:
        """The smallest component of a margin seen so far; negative when violated."""
        return self.pool[0][0] if self.pool else None

    @property
    def endless(self) -> bool:
        """Whether there is anything left to try after the first generation."""
        return self.claim.given is not None and self.claim.kind not in (Kind.SYMBOLIC, Kind.EXPERIMENT)

    def chunks(self, witnesses: Sequence[Case] = ()) -> list[Chunk]:
        """The next generation."""
        budget = max(1, round(PROFILES["quick"].cases(self.claim.kind) / self.claim.cost))
        first = self.generation * WIDTH
        if not self.endless:
            return [Chunk(first, DRAW, self.seed, budget)]
        if not self.pool:
            arms = [WITNESS] * bool(witnesses) + [DRAW, CORNERS] * WIDTH
            known = tuple(case.to_json() for case in witnesses)
            return [
                Chunk(first + k, arm, self.seed, budget, known if arm == WITNESS else ())
                for k, arm in enumerate(arms[: WIDTH // 2])
            ]
        rng = np.random.default_rng([self.seed, self.generation])
        explored = [Chunk(first, DRAW, self.seed, budget), Chunk(first + 1, CORNERS, self.seed, budget)]
        climbed = [
            Chunk(first + k, self._arm(rng), self.seed, budget, (self.pool[self._start(k - len(explored), rng)][1],))
            for k in range(len(explored), WIDTH)
        ]
        return explored + climbed

    def _arm(self, rng: np.random.Generator) -> str:
        """Methods that have gained more are chosen more often; none is ever given up."""
        names = list(CLIMBS)
        worth = np.array(
            [0.2 + (gained / played if played else 1.0) for played, gained in (self.gains[name] for name in names)]
        )
        return names[int(rng.choice(len(names), p=worth / worth.sum()))]

    def _start(self, place: int, rng: np.random.Generator) -> int:
        """The best case first, then others of the pool, the better the more likely."""
        return 0 if place == 0 else min(int(rng.exponential(len(self.pool) / 3)), len(self.pool) - 1)

    def absorb(self, findings: Sequence[Findings | None]) -> None:
        """Take the findings of a generation, in the order of its chunks; a lost chunk is None."""
        for found in findings:
            if found is None:
                self.lost += 1
                continue
            self.seen += [one.later(self.tried) for one in found.seen]
            self.tried += found.tried
            self.met += found.met
            self._count(found.bad)
            if found.arm in self.gains:
                played, gained = self.gains[found.arm]
                self.gains[found.arm] = played + 1, gained + found.gain
            self.pool += found.best
            if found.violation is not None and self.violation is None:
                self.violation = found.violation
        if self.bad and not self.met:
            raise BadClaim(self.worst, "no case could be judged: mend the predicate, or exclude such cases")
        self._trim()
        self.seen = evenly(self.seen, IN_A_HUNT)
        self.generation += 1
        self._remember_progress()

    def _count(self, bad: Sequence[tuple[str, dict[str, Any] | None]]) -> None:
        """A bad case is counted and shown; if there is nothing else, the claim cannot be run."""
        for message, case in bad:
            words = f"{message} on {Case.from_json(case)}" if case is not None else message
            self.worst = self.worst or words
        self.bad += len(bad)

    def _remember_progress(self) -> None:
        """After how many cases the best margin fell to what; of too many steps every second one is forgotten."""
        if self.best is None or (self.history and self.best >= self.history[-1][1]):
            return
        self.history.append((self.tried, self.best))
        if len(self.history) > STEPS:
            self.history = self.history[::-2][::-1]

    def _trim(self) -> None:
        kept: list[tuple[float, dict[str, Any]]] = []
        shapes: Counter[str] = Counter()
        seen: set[str] = set()
        for height, case in sorted(self.pool, key=lambda entry: (entry[0], json.dumps(entry[1], sort_keys=True))):
            digest = hashlib.sha256(json.dumps(case, sort_keys=True).encode()).hexdigest()
            sizes = shape(Case.from_json(case))
            if digest in seen or shapes[sizes] >= SAME_SHAPE or len(kept) >= POOL:
                continue
            seen.add(digest)
            shapes[sizes] += 1
            kept.append((height, case))
        self.pool = kept

    def to_json(self) -> dict[str, Any]:
        return {
            "refute_hunt": VERSION,
            "claim": self.claim.id,
            "statement": statement_digest(self.claim),
            "seed": self.seed,
            "generation": self.generation,
            "tried": self.tried,
            "met": self.met,
            "lost": self.lost,
            "bad": self.bad,
            "worst": self.worst,
            "pool": [[height, case] for height, case in self.pool],
            "gains": {name: list(gain) for name, gain in self.gains.items()},
            "violation": self.violation,
            "history": [list(point) for point in self.history],
            "seen": [one.to_json() for one in self.seen],
        }

    @classmethod
    def from_json(cls, claim: Claim, data: Any) -> "Campaign":
        """The campaign that was saved; `Unreadable` when the file is not one, or speaks about another statement."""
        if not isinstance(data, dict) or "refute_hunt" not in data:
            raise Unreadable("not the state of a hunt")
        if data["refute_hunt"] not in READABLE:
            raise Unreadable(f"a state of version {data['refute_hunt']!r}, and this program reads {READABLE}")
        if data.get("claim") != claim.id or data.get("statement") != statement_digest(claim):
            raise Unreadable("the state belongs to another statement")
        try:
            counts = {name: int(data[name]) for name in ("seed", "generation", "tried", "met", "lost")}
            made = cls(claim, **counts)  # type: ignore[arg-type]
            made.pool = [(float(height), dict(case)) for height, case in data["pool"]]
            made.gains |= {
                str(name): (int(played), float(gained))
                for name, (played, gained) in data["gains"].items()
                if name in CLIMBS
            }
            made.bad, made.worst = int(data.get("bad", 0)), str(data.get("worst", ""))
            made.violation = data["violation"]
            made.history = [(int(tried), float(height)) for tried, height in data["history"]]
            made.seen = [Sighting.from_json(one) for one in data.get("seen", [])]
            for case in [*(case for _, case in made.pool), *([made.violation] if made.violation else [])]:
                Case.from_json(case)
        except (KeyError, TypeError, ValueError) as error:
            raise Unreadable(f"a damaged state of a hunt: {error!r}") from error
        return made
