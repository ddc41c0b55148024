"""All claims and figures that have been imported, by id."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from refute.errors import BadClaim

if TYPE_CHECKING:
    from refute.language.claim import Claim

_claims: dict[str, "Claim"] = {}
_figures: dict[tuple[str, str], Callable[..., Any]] = {}


def register(made: "Claim") -> "Claim":
    """Add a claim; a second one with the same id is an error that names both places, unless both were typed in at a
    prompt.
    """
    known = _claims.get(made.id)
    if known is not None and known.place != made.place and not (typed_in(known) and typed_in(made)):
        raise BadClaim(
            f"two claims are called {made.id!r}: at {known.place} and at {made.place}",
            "ids are unique: rename one of them",
        )
    _claims[made.id] = made
    return made


def typed_in(made: "Claim") -> bool:
    """Whether the claim comes from a cell of a notebook or a prompt, where one defines it again to change it."""
    return made.conclusion.__module__ == "__main__" and not hasattr(sys.modules["__main__"], "__file__")


def claims() -> list["Claim"]:
    """Every registered claim, in the order of registration."""
    return list(_claims.values())


def find_claim(id: str) -> "Claim | None":
    return _claims.get(id)


def figure(paper: str, number: int | str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function that draws a figure of a paper: it gets a progress callback and returns a
    matplotlib Figure.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        _figures[paper, str(number)] = function
        return function

    return decorate


def figures() -> dict[tuple[str, str], Callable[..., Any]]:
    return dict(_figures)
