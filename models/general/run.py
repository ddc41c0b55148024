"""What training of any network returns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.models.training import Stop

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Weights by name at the recorded times (or steps), which run along the first axis; `error` bounds every one."""

    time: Floats
    weights: dict[str, Floats]
    error: float
    stop: Stop

    def __getitem__(self, name: str) -> Enclosed:
        """A weight with its error."""
        return Enclosed(self.weights[name], self.error)
