r"""Section 3.3, activation patterns during the alignment phase: what a neuron gains and loses, how often, and how long
a pattern lasts. Runs start at the largest scale that (28) allows.
"""

from collections import Counter
from fractions import Fraction

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_most,
    changed,
    derived,
    equal,
    mutants,
    nothing,
    scaled,
    section,
    shifted,
    without,
)
from refute.claims.min2024.assumptions import SETTING, separated
from refute.claims.min2024.equations_26_28 import ZETA
from refute.claims.min2024.runs import BUSY, constants, depth, phase, relabelled
from refute.claims.min2024.training import APPENDIX_LOSSES, LOSSES
from refute.models import Dataset
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.alignment import Scales, at_scale, scales
from refute.models.min2024.patterns import is_right, lifetimes
from refute.strategies import choice, sized

patterns = section(
    "min2024",
    "sec_3_3",
    "Section 3.3",
    kind=Kind.DYNAMICS,
    given=BUSY,
    assumes=SETTING,
    derived=[constants, phase],
    recorded="supported",
    cost=0.3,
)


@patterns.claim("activation_monotone", "Activation pattern evolution")
@mutants(changed("positive neurons lose positive data", data=relabelled), without(separated))
def neurons_only_gain_their_class_and_lose_the_other(data: Dataset, phase: LogPolarTrajectory) -> Margin:
    r"""A neuron with $v_j>0$ never loses a positive datum and never regains a negative one, and the mirror image for
    $v_j<0$.

    Assumption 2 is not shown necessary: a neuron aligned with the wrong centre never changes its pattern.

    Convention: during [0, T]; a point at which a neuron dies counts as lost; a run without a change says nothing.
    """
    if not phase.switches:
        return nothing("wrong changes")
    return equal(sum(not is_right(one, phase, data) for one in phase.switches), 0, "wrong changes")


@derived
def extreme(data: Dataset) -> int:
    """So many changes lead from one cone to the other."""
    return len(data.labels)


@patterns.claim(
    "at_most_n_changes", "Bound on activation transitions and duration", derived=[constants, phase, extreme]
)
@mutants(
    shifted(-1, "changes of each neuron"),
    scaled("1/2", "changes of each neuron"),
    changed("n - 1 changes lead from one cone to the other", extreme=lambda n: n - 1),
)
def patterns_change_at_most_n_times(data: Dataset, start: Balanced, phase: LogPolarTrajectory, extreme: int) -> Margin:
    r"""Each neuron changes its activation on at most n data; n changes lead from $S_-$ to $S_+$ (from $S_+$ to $S_-$
    for $v_j<0$).

    Convention: changes are counted datum by datum, during [0, T]; simultaneous ones count each; a run without a change
    says nothing; neither assumption is shown necessary.
    """
    counts = Counter(one.neuron for one in phase.switches)
    parts = [nothing("changes of each neuron against n")]
    if counts:
        parts = [at_most(list(counts.values()), len(data.labels), "changes of each neuron against n")]
    for j in (neuron for neuron, count in counts.items() if count >= extreme):
        own = data.labels == phase.signs[j]
        wrong = int(((data.inputs @ start.shape[j] > 0) == own).sum()) + int(((phase.sides[j] > 0) != own).sum())
        parts.append(equal(wrong, 0, "data that are not in the other cone first or not in the own one last"))
    return all_of(*parts)


@derived
def opposite() -> Dataset:
    """(1, 0) with label 1 and (-1, 0) with label -1."""
    return Dataset(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0]))


@derived
def tilted(tilt: float) -> Balanced:
    """One positive neuron (-1, tilt)."""
    return Balanced(np.array([[-1.0, tilt]]), np.array([1.0]), Fraction(0), Fraction(0))


@derived
def generous(opposite: Dataset, tilted: Balanced) -> Scales:
    """The constants with the larger of zeta_1, zeta_2."""
    return scales(opposite, tilted, 0.99, printed=True)


@derived
def generous_phase(
    opposite: Dataset, tilted: Balanced, generous: Scales, loss: str, tolerance: float
) -> LogPolarTrajectory:
    """The flow of this neuron through [0, T]."""
    begin, end = at_scale(tilted, depth(generous)), float(generous.phase(depth(generous)))
    return log_polar_flow(begin, opposite, LOSSES[loss], times=[end], tolerance=tolerance)


@patterns.claim(
    "pattern_duration",
    "C.2, Bound on activation transitions and duration",
    given=sized(tilt=choice("1/8", "1/1024", "1/134217728", "1/1099511627776"), loss=APPENDIX_LOSSES),
    assumes=[],
    derived=[opposite, tilted, generous, generous_phase],
    recorded="refuted",
    fault=Fault.WRONG,
    root=ZETA,
)
def a_pattern_lasts_at_most_the_printed_time(
    opposite: Dataset,
    tilted: Balanced,
    generous: Scales,
    generous_phase: LogPolarTrajectory,
    loss: str,
    tolerance: float,
) -> Margin:
    r"""A pattern with $n_a$ active data of a neuron that is not settled ends within
    $\frac4{\min\{\zeta,\xi\}\sqrt\mu X_{\min}n_a}$, with $\zeta=\max\{\zeta_1,\zeta_2\}$.

    Fails in $S_-$: the time there grows like $\log(2/\mathrm{tilt})$, the printed one stays at $4/0.99$ since
    $\zeta\ge\zeta_1$. At tilt 1/1024 the neuron needs $\log2048\approx7.6$ where $4.04$ are allowed.

    Convention: data (1, 0) and (-1, 0) with labels 1 and -1, one positive neuron (-1, tilt); the losses of the
    appendix. As in (26), zeta_1 and zeta_2 are only said to exist, each by itself, and are 99/100 of their largest
    values here: who takes both small enough has no use for a maximum.
    """
    begin = at_scale(tilted, depth(generous))
    durations = lifetimes(generous_phase, begin, opposite, LOSSES[loss], tolerance)
    return at_most(durations, 4 / float(generous.rate), "duration of a pattern times n_a")


@derived
def durations(
    data: Dataset, start: Balanced, loss: str, constants: Scales, phase: LogPolarTrajectory, tolerance: float
) -> Enclosed:
    """How long each pattern of each unsettled neuron lasts, times its number of active data."""
    return lifetimes(phase, at_scale(start, depth(constants)), data, LOSSES[loss], tolerance)


@patterns.claim(
    "pattern_duration.amended",
    "C.2, Bound on activation transitions and duration",
    derived=[constants, phase, durations],
    cost=0.2,
)
@mutants(scaled("1/100"), scaled("1/400"))
def a_pattern_lasts_at_most_its_time(durations: Enclosed, constants: Scales) -> Margin:
    r"""Amended: $\zeta=\min\{\zeta_1,\zeta_2\}$. Patterns of neurons outside $S_{\mathrm{sign}}\cup S_{dead}$, during
    $[0,T]$.

    Convention: a case without such a neuron says nothing; without Assumption 1 or 2 the right-hand side is not defined.
    """
    return at_most(durations, 4 / float(constants.rate), "duration of a pattern times n_a")
