r"""Runs from the largest scale that (28) allows: the constants of Appendix C and the alignment phase.

$\zeta_1,\zeta_2,\xi$ are any admissible numbers: `part` of their largest values, for $\xi$ of $\mu^2$. This is
admissible: a unit vector outside $S_\pm$ is at least $\pi/2$ from some $\pm y_ix_i$, and all of $K$ is within
$\arccos\mu$ of it. $\zeta$ is the smaller of $\zeta_1,\zeta_2$, which is what the proofs use; as printed it is the
larger one.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from refute import Margin, all_of, derived
from refute.claims.min2024.training import ALL_LOSSES, DEEPEST, LOSSES, PARTS, settled
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import Scales, at_scale, scales
from refute.strategies import drawn
from refute.strategies.min2024.separated import neurons, placed, separated_dataset
from refute.strategies.min2024.theory_scale import followable, head_for_dead_cone, mixed, spacious

UNSEPARATED_SCALE = -1000.0  # where mutants drop Assumption 1 there is no (28)
EARLIER = (1 / 1024, 1 / 256, 1 / 64)  # parts of t_1 at which a run is looked at too

_PARTS: dict[str, Any] = {"data": separated_dataset, "start": neurons, "loss": ALL_LOSSES, "part": PARTS}
_WIDE = placed(**_PARTS, samples=drawn(4, 20), dimension=drawn(2, 10), width=drawn(4, 30))
_WIDEST = placed(**_PARTS, samples=drawn(4, 40), dimension=drawn(2, 20), width=drawn(4, 50))
CASES = followable(placed(**_PARTS), DEEPEST)
PRINTED_CASES = followable(placed(**_PARTS), DEEPEST, printed=True)
BUSY = mixed(CASES, followable(_WIDE, DEEPEST, repair=spacious))
DYING = followable(placed(**_PARTS, dimension=(2, 3), samples=drawn(1, 3)), DEEPEST, repair=head_for_dead_cone)
SEVERAL = mixed(
    followable(placed(**_PARTS, samples=drawn(2, 4)), DEEPEST), followable(_WIDEST, DEEPEST, repair=spacious)
)
PRINTED_SEEN = mixed(
    followable(placed(**_PARTS, samples=drawn(1, 4), dimension=drawn(2, 3)), DEEPEST, printed=True),
    followable(_WIDEST, DEEPEST, printed=True, repair=spacious),
)
PRINTED_FEW = followable(placed(**_PARTS, samples=drawn(1, 2), width=drawn(1, 2)), DEEPEST, printed=True)


@derived
def constants(data: Dataset, start: Balanced, part: float) -> Scales:
    """mu, zeta, xi and what is made of them."""
    return scales(data, start, part, printed=False)


@derived
def printed_constants(data: Dataset, start: Balanced, part: float) -> Scales:
    """The same with the larger of zeta_1, zeta_2."""
    return scales(data, start, part, printed=True)


def depth(constants: Scales) -> float:
    """ln eps."""
    return float(constants.log_epsilon) if constants.mu > 0 else UNSEPARATED_SCALE


def _phase(data: Dataset, start: Balanced, loss: str, constants: Scales, tolerance: float) -> LogPolarTrajectory:
    scale = depth(constants)
    end = float(constants.phase(scale))
    times = np.linspace(0, end, 9).tolist()
    return log_polar_flow(at_scale(start, scale), data, LOSSES[loss], times=times, tolerance=tolerance)


@derived
def phase(data: Dataset, start: Balanced, loss: str, constants: Scales, tolerance: float) -> LogPolarTrajectory:
    """The flow through the whole alignment phase [0, T]."""
    return _phase(data, start, loss, constants, tolerance)


@derived
def printed_phase(
    data: Dataset, start: Balanced, loss: str, printed_constants: Scales, tolerance: float
) -> LogPolarTrajectory:
    """The same from the scale that the larger zeta allows."""
    return _phase(data, start, loss, printed_constants, tolerance)


def _arrival(data: Dataset, start: Balanced, loss: str, constants: Scales, tolerance: float) -> LogPolarTrajectory:
    end = float(constants.alignment_time)
    begin = at_scale(start, float(constants.log_epsilon))
    times = [0.0, *(part * end for part in EARLIER), end]
    return log_polar_flow(begin, data, LOSSES[loss], times=times, tolerance=tolerance)


@derived
def arrival(data: Dataset, start: Balanced, loss: str, constants: Scales, tolerance: float) -> LogPolarTrajectory:
    """The flow up to t_1."""
    return _arrival(data, start, loss, constants, tolerance)


@derived
def printed_arrival(
    data: Dataset, start: Balanced, loss: str, printed_constants: Scales, tolerance: float
) -> LogPolarTrajectory:
    """The flow up to the t_1 of the larger zeta, from the scale that it allows."""
    return _arrival(data, start, loss, printed_constants, tolerance)


def earlier(part: float) -> Callable[[LogPolarTrajectory], LogPolarTrajectory]:
    """What is recorded of a run up to this part of its last time."""

    def cut(run: LogPolarTrajectory) -> LogPolarTrajectory:
        kept = run.time <= part * run.time[-1] * (1 + 1e-9)
        rows = {name: getattr(run, name)[kept] for name in ("offset", "local", "log_norm", "direction", "output")}
        return replace(run, **rows)

    return cut


def relabelled(data: Dataset) -> Dataset:
    """The classes exchanged."""
    return Dataset(data.inputs, -data.labels)


def all_settled(run: LogPolarTrajectory, data: Dataset) -> Margin:
    """At the last time every neuron is in the cone of its sign or dead."""
    last = run.directions[-1]
    return all_of(*(settled(last[j], data, int(s)) for j, s in enumerate(run.signs)))
