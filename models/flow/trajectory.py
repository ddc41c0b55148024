"""What training returns: weights at the asked times, what happened on the way, how far to trust it,
and why it ended.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.models.training import Stop
from refute.show.cards import card, curves
from refute.shown import Shown

Floats = NDArray[np.float64]


class Change(Enum):
    """What a neuron does at the hyperplane of a sample."""

    ACTIVATES = "becomes active on the sample"
    DEACTIVATES = "becomes inactive on the sample"
    SLIDES = "stays on the hyperplane of the sample"


class Event(NamedTuple):
    """One neuron meets the hyperplane of one sample."""

    time: float
    neuron: int
    sample: int
    kind: Change


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory(Shown):
    """Weights at the asked times; `error` bounds the distance of every weight from the solution.

    It is the gap to a coarser run, which is many times its own error, plus round-off. After `reached` the weights are
    held, and the error is so large that it decides nothing.
    """

    time: Floats
    inner: Floats
    outer: Floats
    slope: float
    error: float
    tolerance: float
    events: tuple[Event, ...] = ()
    stop: Stop = Stop.HORIZON
    reached: float = np.inf
    evaluations: int = 0  # of the field, for these weights
    checks: int = 0  # more of them, for the bound on the error

    @property
    def inners(self) -> Enclosed:
        """The inner weights with their error."""
        return Enclosed(self.inner, self.error)

    @property
    def outers(self) -> Enclosed:
        """The outer weights with their error."""
        return Enclosed(self.outer, self.error)

    def enclosed_outputs(self, x: Floats) -> Enclosed:
        """f(x; W(t)) for rows of points x, with its error."""
        return Enclosed(self.outputs(x), self.output_error(x))

    def outputs(self, x: Floats) -> Floats:
        """f(x; W(t)) for rows of points x: shape (times, points)."""
        pre = np.einsum("thd,nd->tnh", self.inner, x)
        result: Floats = np.einsum("tnh,th->tn", np.maximum(pre, self.slope * pre), self.outer)
        return result

    def output_error(self, x: Floats) -> float:
        """What the error in the weights can do to the outputs at x."""
        reach = float(np.abs(x).sum(axis=1).max())
        size = float(np.abs(self.outer).sum(axis=1).max() + np.abs(self.inner).max(axis=2).sum(axis=1).max())
        return float(reach * self.error * (size + self.outer.shape[1] * self.error))

    def __str__(self) -> str:
        width, dimension = self.inner.shape[1:]
        end = min(self.reached, float(self.time[-1]))
        words = (
            f"{len(self.time)} times up to t = {end:g}, {width} neurons in dimension {dimension}, "
            f"{len(self.events)} events"
        )
        return f"{words}, weights known to {self.error:.2g}; {self.stop.value}"

    def _repr_html_(self) -> str:
        norms = np.linalg.norm(self.inner, axis=2)
        return card("trajectory", [("flow", str(self))], curves(self.time, norms, "norms of the inner weights"))
