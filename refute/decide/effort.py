"""How hard to try. A profile fixes the number of cases per kind, never a tolerance."""

from dataclasses import dataclass

from refute.errors import BadInput
from refute.language.kind import Kind

SECONDS = 300.0  # of the processor that a case may take


@dataclass(frozen=True, slots=True)
class Profile:
    """`factor` multiplies the number of cases of every kind; `trials` bounds a sequential test."""

    name: str
    factor: int
    trials: int

    def cases(self, kind: Kind) -> int:
        return _QUICK_CASES[kind] * self.factor


_QUICK_CASES = {
    Kind.SYMBOLIC: 1,
    Kind.ALGEBRAIC: 120,
    Kind.DYNAMICS: 12,
    Kind.ASYMPTOTIC: 6,
    Kind.PROBABILISTIC: 8,
    Kind.EXISTENCE: 120,
    Kind.EXPERIMENT: 1,
}

PROFILES = {
    p.name: p
    for p in (Profile("quick", 1, 20_000), Profile("thorough", 10, 200_000), Profile("exhaustive", 100, 2_000_000))
}


def profile(name: str) -> Profile:
    if name not in PROFILES:
        raise BadInput(f"unknown profile {name!r}", f"choose one of {', '.join(PROFILES)}")
    return PROFILES[name]


@dataclass(frozen=True, slots=True)
class Run:
    """What a check needs besides the claim: effort, seed, device, and whether to shrink, remember, replay, certify."""

    profile: Profile = PROFILES["quick"]
    seed: int = 0
    device: str = "cpu"
    shrink: bool = True
    remember: bool = False
    pinned: bool = True
    certify: bool = True
