r"""Runs of Lemma 3 of min2024: from the largest scale that it allows, or a smaller one, up to its time T."""

from dataclasses import dataclass, replace

import numpy as np

from refute.arithmetic.enclosed import Enclosed
from refute.functions import exp, maximum
from refute.models.dataset import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import Loss


@dataclass(frozen=True, slots=True, eq=False)
class SmallRun:
    """The run at eighths of T, with ln eps, X_max and W_max; `further` goes on to 4 T."""

    data: Dataset
    slope: float
    log_epsilon: float
    longest: float
    widest: float
    run: LogPolarTrajectory
    phase: float

    @property
    def width(self) -> int:
        return len(self.run.signs)

    def until(self, part: float) -> "SmallRun":
        """What is recorded up to this part of T."""
        kept = self.run.time <= part * self.phase * (1 + 1e-9)
        rows = {name: getattr(self.run, name)[kept] for name in ("offset", "local", "log_norm", "direction", "output")}
        return replace(self, run=replace(self.run, **rows))

    @property
    def log_squares(self) -> Enclosed:
        """ln |w_j|^2 at every time."""
        return 2 * self.run.log_norms

    @property
    def outputs(self) -> Enclosed:
        """f(x_i) / eps at every time, where f itself may underflow."""
        pre = self.run.directions @ np.asarray(self.data.inputs, dtype=float).T
        active = maximum(pre, self.slope * pre)
        sizes: Enclosed = exp(
            Enclosed(np.minimum(self.log_squares.value - self.log_epsilon, 300.0), 2 * self.run.error)
        )
        found: Enclosed = ((sizes * self.run.signs)[:, :, None] * active).sum(axis=1)
        return found


def small_run(
    data: Dataset, start: Balanced, below: float, reach: float, slope: float, loss: Loss, tolerance: float
) -> SmallRun:
    """From e^-below times the largest eps that Lemma 3 allows; W_0 is scaled to X_max W_max^2 = reach, as drawn for 0.
    Recorded up to 4 T.
    """
    h, n = len(start.signs), len(data.labels)
    longest = float(np.linalg.norm(data.inputs, axis=1).max())
    drawn = float(np.linalg.norm(start.shape, axis=1).max())
    widest = float(np.sqrt(reach / longest)) if reach else drawn
    log_epsilon = min(-np.log(4 * longest * widest**2), 0.0) - np.log(h) / 2 - below
    phase = (-np.log(h) / 2 - log_epsilon) / (4 * n * longest)
    begin = Balanced(widest / drawn * start.shape, start.signs, log_epsilon, slope)
    times = [part * phase for part in (*(k / 8 for k in range(1, 9)), 2, 4)]
    run = log_polar_flow(begin, data, loss, times=times, horizon=4 * phase, tolerance=tolerance)
    return SmallRun(data, slope, log_epsilon, longest, widest, run, phase)
