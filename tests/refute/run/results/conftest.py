"""Records of made-up claims."""

from collections.abc import Callable
from typing import Any

import pytest

from refute.run.results.record import FORMAT

# A claim with an assumption, a mutant and a constant, tried on two points only.
BOUND = """
from fractions import Fraction
from refute import Case, moved, mutants
points = [Case.of(x=Fraction(x)) for x in (1, -1)]
@claim("notes.bound", instances=points, assumes=[positive])
@mutants(moved("factor 2", factor=2))
def bounded(x, *, factor=Fraction(1, 2)):
    "x/2 <= x for positive x"
    return at_least(x, factor * x)
"""

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def check_record() -> Make:
    """A record of `refute check` with every field that a reader may rely on."""

    def make(claim: str = "notes.a", **changed: Any) -> dict[str, Any]:
        stamp = {
            "format": FORMAT,
            "sort": "check",
            "claim": claim,
            "statement": "ab",
            "code": "cd",
            "profile": "quick",
            "seed": 0,
        }
        origin = {
            "device": "cpu",
            "at": "2026-01-01T00:00:00.000+00:00",
            "version": "0.1.0",
            "id": claim,
            "verdict": "supported",
        }
        row = {
            "recorded": None,
            "earned": True,
            "margin": 0.5,
            "error": 0,
            "cases": 3,
            "tried": 4,
            "distinct": 2,
            "undecided": 0,
        }
        rest = {"seconds": 0.1, "certificate": None, "detail": "no counterexample", "margins": [0.5, 1.0, 2]}
        return {**stamp, **origin, **row, **rest, **changed}

    return make


@pytest.fixture
def mutant_record() -> Make:
    """A record of `refute mutate`."""

    def make(claim: str, mutant: str) -> dict[str, Any]:
        stamp = {
            "format": FORMAT,
            "sort": "mutant",
            "claim": claim,
            "statement": "ab",
            "profile": "quick",
            "seed": 0,
            "device": "cpu",
        }
        row = {"id": claim, "mutant": mutant, "killed": True, "verdict": "refuted", "cases": 3, "detail": "fell"}
        return {**stamp, "at": "2026-01-01T00:00:00.000+00:00", "version": "0.1.0", **row}

    return make
