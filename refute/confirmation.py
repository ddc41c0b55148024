"""A second opinion: a violation seen in float64 is computed again at a tighter tolerance, by a second method where there is one.

The engine asks (`confirming`), the integrators answer: one that has a second method runs both, widens its error by their difference,
and reports it (`seconded`). The engine knows no integrator and the integrators know no claim.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

REPEATED, CONFIRMED = "repeated", "confirmed"


@dataclass(slots=True)
class Opinions:
    """How many computations had a second method, and how many had none."""

    seconded: int = 0
    alone: int = 0

    @property
    def level(self) -> str:
        """Confirmed: every trajectory was computed by two independent methods; repeated: by one, twice."""
        return CONFIRMED if self.seconded and not self.alone else REPEATED


_asked: ContextVar[Opinions | None] = ContextVar("asked", default=None)


@contextmanager
def confirming() -> Iterator[Opinions]:
    """Inside, integrators compute twice."""
    token = _asked.set(opinions := Opinions())
    try:
        yield opinions
    finally:
        _asked.reset(token)


def asked() -> bool:
    return _asked.get() is not None


def seconded(by_another_method: bool) -> None:
    """What an integrator says that was asked."""
    opinions = _asked.get()
    if opinions is not None:
        opinions.seconded += by_another_method
        opinions.alone += not by_another_method
