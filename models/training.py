"""What every integrator hands back: when, how far off, and why it ended."""

from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Stop(Enum):
    """Why a training ended; the value is the remedy."""

    HORIZON = "every asked time was reached: ask for a later one to follow the training further"
    FITTED = "every residual fell to the asked level: lower `level` to go on"
    AT_REST = "nothing is left that moves: dead, zero or critical neurons only; lower `level` or start elsewhere"
    DIVERGED = (
        "a weight left every bounded region: shorten the horizon, or make the initial weights or the data smaller"
    )
    BUDGET = "the budget is spent: raise `budget` or `steps`, relax `tolerance`, or shorten the horizon"
    ACCUMULATION = (
        "events accumulate in finite time: take the weights up to `reached` only, or perturb the initial weights"
    )
    CHATTERS = (
        "signs keep changing where round-off decides them: ask for earlier times, raise `direct` to step that far, or "
        "move the start or a point a little"
    )
    NO_SOLUTION = "no solution with this value of sigma'(0) exists past `reached`: use the Filippov concept"
    STUCK = "the integrator's step became too small: raise `tolerance`, or start it later with a larger `freeze`"


class Training(Protocol):
    """A training over time, computed in floats."""

    @property
    def time(self) -> NDArray[np.float64]:
        """The recorded times."""

    @property
    def error(self) -> float:
        """A bound on how far the recorded state is off; what it is relative to is said by each integrator."""

    @property
    def stop(self) -> Stop:
        """Why it ended."""


def finished(run: Training) -> bool:
    """Whether it came to where it was asked to go."""
    return run.stop in (Stop.HORIZON, Stop.FITTED)
