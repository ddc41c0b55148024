"""Lines of a conclusion bent from outside: another factor, a strict sign, a relation denied.

Each relation asks here before it compares; only while a mutant is judged there is an answer.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

Side = Callable[[Any], Any]

# What stands in place of a relation when it is made strict, or denied.
STRICT = {"<=": "<", ">=": ">"}
DENIED = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "=": "!=", "!=": "="}


@dataclass(frozen=True, slots=True)
class Bend:
    """What is done to the relations whose line begins with `line`: to a side, or to the relation itself."""

    line: str = ""
    left: Side | None = None
    right: Side | None = None
    relation: Mapping[str, str] = field(default_factory=dict)

    def of_side(self, side: Side, value: Any) -> Any:
        """A law may be a function of the time."""
        return (lambda *at: side(value(*at))) if callable(value) else side(value)

    def apply(self, left: Any, relation: str, right: Any) -> tuple[Any, str, Any]:
        left = left if self.left is None else self.of_side(self.left, left)
        right = right if self.right is None else self.of_side(self.right, right)
        return left, self.relation.get(relation, relation), right


@dataclass(slots=True)
class Bending:
    """The bends in force, and the lines that were met and bent."""

    bends: tuple[Bend, ...]
    met: set[str] = field(default_factory=set)
    bent: set[str] = field(default_factory=set)


_in_force: ContextVar[Bending | None] = ContextVar("in_force", default=None)


@contextmanager
def bending(bends: tuple[Bend, ...]) -> Iterator[Bending]:
    """Inside, relations are bent."""
    token = _in_force.set(now := Bending(bends))
    try:
        yield now
    finally:
        _in_force.reset(token)


def as_bent(left: Any, relation: str, right: Any, line: str) -> tuple[Any, str, Any]:
    """The two sides and the relation, as the mutant at work has them."""
    now = _in_force.get()
    if now is None:
        return left, relation, right
    now.met.add(line)
    for bend in now.bends:
        if line.startswith(bend.line):
            now.bent.add(line)
            left, relation, right = bend.apply(left, relation, right)
    return left, relation, right
