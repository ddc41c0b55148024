"""Statements of the form "if A then B" whose A is known only once the conclusion is computed."""

from refute.errors import RefuteError


class PremiseUnmet(RefuteError):
    """The case says nothing about the statement: its premise does not hold."""


def suppose(holds: bool, premise: str) -> None:
    """Inside a conclusion: go on only if the premise holds. A case where it does not counts as tried, never as
    evidence.

    A condition on the case alone is better an `Assumption`, which draws cases that meet it.
    """
    if not holds:
        raise PremiseUnmet(premise)
