"""Loops of repairs end."""

import pytest

from refute.errors import BadInput
from refute.strategies.retry import patience


def test_a_loop_that_never_ends_is_an_error():
    """After the allowed number of turns, which it may use."""
    turns = patience(3)
    assert [next(turns) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(BadInput, match="did not end after 3 steps"):
        next(turns)
