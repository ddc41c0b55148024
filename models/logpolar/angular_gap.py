r"""ln(1 - cos) of the angle between balanced neurons, far below machine precision.

Balanced neurons of one sign under one push g obey d(w, a)/dt = (a g, <w, g>): the same infinitesimal Lorentz rotation.
So |w_j| |w_k| - <w_j, w_k> is constant while two neurons share sign and pattern, and with the norms it gives their
angle.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refute.models.logpolar.field import State
from refute.models.logpolar.plateau import Path

Floats = NDArray[np.float64]
HUGE = 1e300
RESOLVED = 1e-4  # |u_j - u_k| above which the directions themselves give the angle to full accuracy


def direct_log_gap(direction: Floats) -> Floats:
    """ln(1 - <u_j, u_k>) = ln(|u_j - u_k|^2 / 2) from unit rows."""
    apart = np.linalg.norm(direction[:, None] - direction[None], axis=-1)
    with np.errstate(divide="ignore"):
        result: Floats = 2 * np.log(apart) - np.log(2)
    return result


def invariants(state: State) -> Floats:
    """ln(|w_j| |w_k| - <w_j, w_k>) from the directions."""
    result: Floats = direct_log_gap(state.direction) + state.log_norm[:, None] + state.log_norm[None]
    return result


def plateau_invariants(paths: Sequence[Path], signs: NDArray[np.int_], time: float, state: State) -> Floats:
    """The invariants at `time`, through stereographic coordinates tan(phi/2) e around the common push where there is
    one; zero for a neuron along it.
    """
    result = invariants(state)
    stages = [one.stages[one.index_at(time)] for one in paths]
    groups: dict[bytes, list[int]] = {}
    for j, now in enumerate(stages):
        if now.strength > 0 and now.rapidity > -np.inf:
            groups.setdefault(signs[j].tobytes() + state.sides[j].tobytes(), []).append(j)
    for members in groups.values():
        rapidity = np.array([stages[j].rapidity_at(time) for j in members])
        across = np.array([stages[j].across for j in members])
        lowest = min(rapidity.min(), HUGE)
        scaled = np.exp(lowest - rapidity)[:, None] * across
        apart = np.linalg.norm(scaled[:, None] - scaled[None], axis=-1)
        half = np.logaddexp(0.0, -2 * rapidity)
        with np.errstate(divide="ignore"):
            log_gap = np.log(2) + 2 * (np.log(apart) - lowest) - half[:, None] - half[None]
        norms = state.log_norm[members]
        result[np.ix_(members, members)] = log_gap + norms[:, None] + norms[None]
    return result


def carried(before: Floats, changed: Sequence[int], state: State) -> Floats:
    """The invariants after the neurons `changed` met an activation boundary: recomputed, unless too close for the
    directions to tell.
    """
    fresh = invariants(state)
    moved = np.zeros(len(fresh), dtype=bool)
    moved[list(changed)] = True
    apart = np.linalg.norm(state.direction[:, None] - state.direction[None], axis=-1)
    result: Floats = np.where((moved[:, None] | moved[None]) & (apart > RESOLVED), fresh, before)
    return result


def log_gap(kept: Floats, state: State, signs: NDArray[np.int_]) -> Floats:
    """ln(1 - cos angle(w_j, w_k)): from the invariants for close neurons of one sign and pattern, else from the
    directions.
    """
    direct = direct_log_gap(state.direction)
    same = (signs[:, None] == signs[None]) & (state.sides[:, None] == state.sides[None]).all(axis=-1)
    close = direct < 2 * np.log(RESOLVED)
    with np.errstate(invalid="ignore"):
        result: Floats = np.where(same & close, kept - state.log_norm[:, None] - state.log_norm[None], direct)
    np.fill_diagonal(result, -np.inf)
    return result
