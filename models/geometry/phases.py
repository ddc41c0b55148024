r"""The two measures of min2024, appendix A.5, that tell the alignment phase from the growth phase."""

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import Array, Number
from refute.functions import norm

Floats = NDArray[np.float64]


def norm_change(inner: Array, velocity: Array) -> Number:
    """sum_j d|w_j|^2/dt = 2 sum_j <dw_j/dt, w_j>, with dw_j/dt = -grad_{w_j} L given as `velocity`."""
    return 2 * (inner * velocity).sum()


def direction_change(inner: Array, velocity: Array) -> Number:
    """sum_j |d(w_j/|w_j|)/dt| = sum_j |P_{w_j} dw_j/dt| / |w_j|; zero neurons have no direction and are left out."""
    total: Number = 0
    for w, dw in zip(inner, velocity, strict=True):
        square = w @ w
        if square > 0:
            total = total + norm(dw - w * ((dw @ w) / square)) / norm(w)
    return total


def log_polar_changes(log_norm: Floats, direction: Floats, push: Floats, signs: Floats) -> tuple[Floats, Floats]:
    """Per neuron d rho_j/dt = s_j <g_j, u_j> and |du_j/dt| = |g_j - u_j <u_j, g_j>|: the same measures at any scale.

    They relate to the printed ones by d|w_j|^2/dt = 2 e^{2 rho_j} d rho_j/dt; `log_norm` only says which neurons are
    zero (-inf).
    """
    along = np.einsum("jd,jd->j", direction, push)
    moving = np.isfinite(log_norm)
    growth: Floats = np.where(moving, signs * along, 0.0)
    turning: Floats = np.where(moving, np.linalg.norm(push - direction * along[:, None], axis=1), 0.0)
    return growth, turning


def peak(times: Floats, values: Floats) -> float:
    """The first time at which a measured curve is largest."""
    return float(np.asarray(times)[int(np.argmax(values))])


def first_drop(times: Floats, loss: Floats, share: float = 0.01) -> float:
    """The first time when the loss has fallen by `share` of its initial value; infinite when it never has."""
    below = np.flatnonzero(np.asarray(loss) <= (1 - share) * loss[0])
    return float(np.asarray(times)[below[0]]) if below.size else np.inf
