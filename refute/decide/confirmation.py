"""A second opinion: what is found in float64 is computed again at a tighter tolerance, by a second method, and in balls
where that works.

The engine asks (`confirming`), the integrators answer: one that has a second method runs both and widens its error by
their difference; one that can enclose the trajectory takes the distance from the enclosure as its error. Each says what
it did (`answered`). Two methods that differ by more than their errors allow contradict each other: then the case
decides nothing, whatever the margin. The engine knows no integrator and the integrators know no claim.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

CONTRADICTED, REPEATED, TESTED = "contradicted", "repeated", "tested"
CONFIRMED, CERTIFIED = "confirmed", "certified"
_GRADES = (CONTRADICTED, REPEATED, TESTED, CONFIRMED, CERTIFIED)


@dataclass(slots=True)
class Opinions:
    """What the computations said that were asked."""

    grades: list[str] = field(default_factory=list)
    disputes: list[str] = field(default_factory=list)  # which two methods contradict each other, and by how much

    @property
    def level(self) -> str:
        """The weakest: contradicted by a second method, repeated by one, tested, confirmed by two,
        certified by an enclosure.
        """
        return min(self.grades, key=_GRADES.index, default=REPEATED)


_asked: ContextVar[Opinions | None] = ContextVar("asked", default=None)


@contextmanager
def confirming() -> Iterator[Opinions]:
    """Inside, integrators compute more than once."""
    token = _asked.set(opinions := Opinions())
    try:
        yield opinions
    finally:
        _asked.reset(token)


def asked() -> bool:
    return _asked.get() is not None


def answered(grade: str, methods: str = "", distance: float = 0.0, allowed: float = 0.0) -> None:
    """What an integrator says that was asked; of methods that contradict each other, their names and distance."""
    opinions = _asked.get()
    if opinions is not None:
        opinions.grades.append(grade)
        if grade == CONTRADICTED:
            opinions.disputes.append(f"{methods} differ by {distance:.2g}, and their errors allow {allowed:.2g}")
