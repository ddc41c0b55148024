"""How a validated integration ends: at the last time asked, or before it because something could not be proved."""

from enum import Enum


class Outcome(Enum):
    """Why it ended; the text says what to do about it."""

    COMPLETE = "every time asked was reached, and every activation change on the way was proved to be a crossing"
    SLIDES = (
        "a neuron reaches the hyperplane of a sample and is pushed back on to it from both sides: the trajectory "
        "slides along it, "
        "which is proved, but not followed; end before `reached`, or use a flow with the Filippov concept"
    )
    BRANCHES = (
        "a neuron starts on the hyperplane of a sample and may leave it on either side, or stay dead, so the "
        "trajectory is not unique; "
        "move the initial weights off the hyperplane"
    )
    TANGENT = (
        "a neuron touches the hyperplane of a sample and it could not be proved which way it goes (it may graze it, "
        "or stop on it); "
        "raise `most_bits`, end before `reached`, or move the initial weights"
    )
    SIMULTANEOUS = (
        "several neurons or samples change activation at times that could not be told apart, and the order may matter; "
        "raise `most_bits`, end before `reached`, or break the symmetry of the case"
    )
    REVIVAL = (
        "a neuron died on the hyperplane of a sample, rests on it, and may be pulled off it again, so the trajectory "
        "may not be unique; "
        "end before `reached`, or use a flow with the regular concept, which leaves it dead"
    )
    TOO_WIDE = "the enclosure became wider than `radius`; raise `most_bits` or `radius`, or end before `reached`"
    TOO_SHORT = (
        "no step could be validated: the weights blow up or the field is too stiff; end before `reached`, or "
        "raise `most_bits`"
    )
    BUDGET = "the budget of steps is spent; raise `most_steps` or end before `reached`"

    @property
    def is_final(self) -> bool:
        """More bits would not change it."""
        return self in (Outcome.COMPLETE, Outcome.SLIDES, Outcome.BRANCHES, Outcome.REVIVAL, Outcome.BUDGET)


class Impasse(Exception):
    """The integration cannot go on."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.value)
        self.outcome = outcome
