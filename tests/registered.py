"""Every claim of the repository, for tests that speak about all of them."""

from functools import cache

from refute import Assumption, Claim, Mutant
from refute.run.loading import built_in, load_all


@cache
def registered_claims() -> tuple[Claim, ...]:
    """The claims of the package, without those that a test has registered."""
    return tuple(claim for claim in load_all() if built_in(claim))


def drawing() -> list[Claim]:
    """The claims with a strategy, one for all those that draw from it under the same assumptions."""
    drawn = [claim for claim in registered_claims() if claim.given is not None]
    return list({(id(claim.given), claim.assumes): claim for claim in reversed(drawn)}.values())[::-1]


def mutants() -> list[tuple[Claim, Mutant]]:
    return [(claim, mutant) for claim in registered_claims() for mutant in claim.mutants]


def dropped() -> list[tuple[Claim, Mutant]]:
    """The mutants that drop an assumption, one for all those that are drawn alike."""
    found = [(claim, mutant) for claim, mutant in mutants() if mutant.without is not None]
    return list({(id(claim.given), claim.assumes, mutant.without): (claim, mutant) for claim, mutant in found}.values())


def assumptions() -> list[Assumption]:
    """Every assumption that a claim makes, once."""
    return list({a.id: a for claim in registered_claims() for a in claim.assumes}.values())


def label(value: object) -> str:
    """A name in the list of tests."""
    return getattr(value, "id", None) or getattr(value, "name", str(value))
