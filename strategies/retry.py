"""Repairs that go on step by step until a condition holds, and give up where it never will."""

from collections.abc import Iterator

from refute.errors import BadInput

MOST_TURNS = 2000  # halving takes 1074 turns from one to below the smallest float


def patience(turns: int = MOST_TURNS) -> Iterator[int]:
    """Count the turns of a loop by `next`; one too many is an error, which tells a search to try another case."""
    yield from range(turns)
    raise BadInput(f"a repair did not end after {turns} steps", "it cannot make such a case meet its assumption")
