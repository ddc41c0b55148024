"""The seven kinds of claim. A kind says how a claim is decided."""

from enum import Enum

RECORDABLE = (
    "proved",
    "supported",
    "refuted",
    "against",
    "undecided",
    "vacuous",
)  # the verdicts that a repository may record


class Kind(Enum):
    SYMBOLIC = "symbolic identity"
    ALGEBRAIC = "algebraic"
    DYNAMICS = "dynamics"
    ASYMPTOTIC = "asymptotic"
    PROBABILISTIC = "probabilistic"
    EXISTENCE = "existence"
    EXPERIMENT = "experiment"

    @property
    def marker(self) -> str:
        """The kind as a pytest marker: `-m dynamics`."""
        return self.value.split()[0]

    @property
    def exact(self) -> bool:
        """Decided in rationals or balls; the others compute in float64 and state their error."""
        return self in (Kind.SYMBOLIC, Kind.ALGEBRAIC, Kind.EXISTENCE)
