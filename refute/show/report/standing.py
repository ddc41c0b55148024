"""What stands on what: statements with the verdicts of their readings, and what a refuted statement does to those that
use it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from refute.run.citations import statement
from refute.show.report.entry import Entry

HOLDS = ("proved", "supported")
WORST_FIRST = ("refuted", "against", "broken", "undecided", "vacuous", "not run", "supported", "proved")


@dataclass(frozen=True, eq=False)
class Node:
    """One statement of a paper: its readings as printed, and its amended forms."""

    id: str
    printed: tuple[Entry, ...]
    amended: tuple[Entry, ...]

    @property
    def label(self) -> str:
        return self.id.partition(".")[2] or self.id

    @cached_property
    def verdict(self) -> str:
        """The worst verdict of a reading as printed; of an amended form where only that is encoded."""
        words = [entry.verdict for entry in self.printed or self.amended]
        return min(words, key=WORST_FIRST.index, default="not run")

    @property
    def target(self) -> Entry | None:
        """The page that the node leads to: that of the reading which gives it its verdict."""
        return next((entry for entry in (*self.printed, *self.amended) if entry.verdict == self.verdict), None)

    @property
    def rescue(self) -> str:
        """What remains of a refuted statement."""
        if any(entry.verdict in HOLDS for entry in self.amended):
            return "its amended form holds"
        if any(entry.verdict in HOLDS for entry in self.printed):
            return "another reading of it holds"
        if any(entry.verdict == "not run" for entry in (*self.amended, *self.printed)):
            return "its other forms have not been run"
        return "its amended form does not hold" if self.amended else "no amended form is encoded"

    @property
    def stands(self) -> bool:
        """Whether some form of it holds."""
        return any(entry.verdict in HOLDS for entry in (*self.printed, *self.amended))


@dataclass(frozen=True, eq=False)
class Proofs:
    """The statements of one paper and what each proof uses."""

    nodes: Mapping[str, Node]
    uses: Mapping[str, Sequence[str]]

    @cached_property
    def used_by(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {id: [] for id in self.nodes}
        for user in sorted(self.uses):
            for used in self.uses[user]:
                found.setdefault(used, []).append(user)
        return found

    def below(self, id: str) -> list[str]:
        """Everything that the proof of a statement stands on, directly or through others."""
        return _reached(id, self.uses)

    def above(self, id: str) -> list[str]:
        """Everything that stands on a statement."""
        return _reached(id, self.used_by)

    def refuted_below(self, id: str) -> list[Node]:
        """The refuted statements that this one stands on."""
        return [self.nodes[one] for one in self.below(id) if one in self.nodes and self.nodes[one].verdict == "refuted"]


def _reached(id: str, next_ones: Mapping[str, Sequence[str]]) -> list[str]:
    seen: dict[str, None] = {}
    waiting = list(next_ones.get(id, ()))
    while waiting:
        one = waiting.pop(0)
        if one not in seen and one != id:
            seen[one] = None
            waiting += next_ones.get(one, ())
    return sorted(seen)


def proofs(entries: Sequence[Entry], uses: Mapping[str, Sequence[str]]) -> Proofs:
    """The claims of a paper, gathered into statements."""
    gathered: dict[str, list[Entry]] = {}
    for entry in entries:
        gathered.setdefault(statement(entry.id), []).append(entry)
    named = {*uses, *(used for listed in uses.values() for used in listed)}
    nodes = {id: _node(id, gathered.get(id, [])) for id in sorted({*gathered, *named})}
    return Proofs(nodes, {id: tuple(sorted(listed)) for id, listed in uses.items()})


def _node(id: str, forms: Sequence[Entry]) -> Node:
    printed = tuple(entry for entry in forms if not entry.amended)
    return Node(id, printed, tuple(entry for entry in forms if entry.amended))
