r"""Angles: of a neuron in a fixed activation pattern (min2024), and between the neurons of a
network (chistikov2023).
"""

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import Number
from refute.errors import BadInput
from refute.functions import exp

Floats = NDArray[np.float64]


def half_angle_tangent(start: Number, sign: int, strength: Number, time: Number) -> Number:
    r"""tan(phi/2) = tan(phi_0/2) e^{-s |x_a| t}: the angle to x_a in a fixed pattern as the initial scale vanishes.

    It solves dphi/dt = -s |x_a| sin(phi). Works in floats and in balls; infinite tangents (phi = pi) are the caller's
    case.
    """
    return start * exp(-sign * strength * time)


def angle(a: Floats, b: Floats) -> float:
    """The angle between two nonzero vectors, accurate near 0 and near pi: 2 atan2(|a/|a| - b/|b||, |a/|a| + b/|b||)."""
    sizes = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    if 0.0 in sizes:
        raise BadInput("the angle to a zero vector is not defined", "leave zero neurons out")
    u, w = a / sizes[0], b / sizes[1]
    return 2 * float(np.arctan2(np.linalg.norm(u - w), np.linalg.norm(u + w)))


def angle_at(start: float, sign: int, strength: float, time: float) -> float:
    """phi(t) from phi(0) = `start` in a fixed pattern, to full relative accuracy near 0 and near pi."""
    if not 0 <= start <= np.pi:
        raise BadInput(f"start must lie between 0 and pi, got {start}")
    decay = sign * strength * time
    if decay >= 0:
        return 2 * float(np.arctan2(np.sin(start / 2) * np.exp(-decay), np.cos(start / 2)))
    return 2 * float(np.arctan2(np.sin(start / 2), np.cos(start / 2) * np.exp(decay)))


def largest_angle(directions: Floats) -> float:
    """The largest angle between two of the given nonzero rows; 0 for fewer than two rows."""
    rows = np.asarray(directions, dtype=float)
    sizes = np.linalg.norm(rows, axis=1)
    if (sizes == 0).any():
        raise BadInput("the angle to a zero vector is not defined", "leave zero neurons out")
    if len(rows) < 2:
        return 0.0
    unit = rows / sizes[:, None]
    largest = 0.0
    for j in range(len(unit) - 1):
        apart, together = (
            np.linalg.norm(unit[j + 1 :] - unit[j], axis=1),
            np.linalg.norm(unit[j + 1 :] + unit[j], axis=1),
        )
        largest = max(largest, float((2 * np.arctan2(apart, together)).max()))
    return largest


def active_rows(inner: Floats, points: Floats) -> NDArray[np.bool_]:
    """The neurons that are active on some point."""
    pre = np.asarray(inner @ points.T)
    return np.asarray((pre > 0).any(axis=1))


def log_angle(log_gap: Floats) -> Floats:
    """ln of the angle from ln(1 - cos), also when the angle underflows: sin^2(phi/2) = (1 - cos)/2."""
    half = np.asarray((np.asarray(log_gap, dtype=float) - np.log(2)) / 2)
    result: Floats = np.where(
        half < -18, half + np.log(2), np.log(2) + np.log(np.arcsin(np.exp(np.minimum(np.maximum(half, -18), 0))))
    )
    return result
