r"""Gradient descent of a wide two-layer network on symmetric data, when most neurons point along one line.

Data: pairs (x, y), (-x, -y). Then f = m.x + e(x) with m = (1+alpha)/2 W2 W1 and e(x) = (1-alpha)/2 sum_h a_h |w_h.x|,
and the step is
    g_h = (1+alpha)/2 (beta - Sigma m) - (1-alpha)/2 <sign(w_h.x) e(x) x>,   w_h += rate a_h g_h,   a_h += rate w_h.g_h,
over half of the data. After a small initialisation w_h = c_h r + small, so sign(w_h.x) = sign(c_h) sign(r.x) except for
data near the plane r.x = 0, or neurons with a small c_h: only these are looked at one by one. A step costs O(width +
samples) instead of their product.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from refute.models.checks import check_finite, checked_rate, checked_slope

Floats = NDArray[np.float64]
TILT = 0.005  # neurons tilted by more, and data nearer to the plane, are looked at one by one
SILENT = 1e-5  # below this norm the output is dropped; it is smaller than the labels by the square of this


def aligned_descent(
    inner: Floats, outer: Floats, half: Floats, labels: Floats, *, rate: float, steps: int, every: int, slope: float
) -> tuple[Floats, Floats]:
    """Both layers at steps 0, every, 2 every, ..., steps: (times, width, dim) and (times, width). `half` has one point
    of each pair.
    """
    rate, slope = checked_rate(rate), checked_slope(slope)
    w, a = np.array(inner, dtype=float), np.array(outer, dtype=float)
    beta, sigma = labels @ half / len(labels), half.T @ half / len(labels)
    inners, outers = [w.copy()], [a.copy()]
    with threadpool_limits(1):  # threads that wait for a busy core cost more than they save
        for done in range(0, steps, every):
            if max(np.linalg.norm(w), np.linalg.norm(a)) < SILENT:
                w, a = silent_steps(w, a, beta, rate * (1 + slope) / 2, every)
            else:
                _steps(w, a, half, beta, sigma, rate, every, slope)
            check_finite(np.isfinite(w).all() and np.isfinite(a).all(), done + every, rate)
            inners.append(w.copy())
            outers.append(a.copy())
    return np.array(inners), np.array(outers)


def silent_steps(w: Floats, a: Floats, beta: Floats, rate: float, steps: int) -> tuple[Floats, Floats]:
    """w <- w + rate a beta^T, a <- a + rate w beta: the sum and the difference of a and w.beta/|beta| are multiplied at
    each step.
    """
    size = float(np.linalg.norm(beta))
    if size == 0:
        return w, a
    direction = beta / size
    along = w @ direction
    up, down = (along + a) / 2 * (1 + rate * size) ** steps, (along - a) / 2 * (1 - rate * size) ** steps
    return w + np.outer(up + down - along, direction), up - down


@njit(cache=True)
def _tilts(w: Any, r: Any) -> Any:
    """Of each neuron c_h r + small: the sign of c_h, and |small|/|c_h|."""
    width, dim = w.shape
    side, tilt = np.empty(width), np.empty(width)
    for h in range(width):
        c = 0.0
        for d in range(dim):
            c += w[h, d] * r[d]
        off = 0.0
        for d in range(dim):
            off += (w[h, d] - c * r[d]) ** 2
        side[h] = 1.0 if c > 0 else -1.0
        tilt[h] = np.sqrt(off) / max(abs(c), 1e-300)
    return side, tilt


@njit(cache=True)
def _exceptions(w: Any, x: Any, sizes: Any, near: Any, side: Any, tilt: Any) -> Any:
    """Pairs (h, n) with sign(w_h.x_n) other than sign(c_h) sign(r.x_n), and |w_h.x_n| of each."""
    close = np.flatnonzero(np.abs(near) <= TILT * sizes)
    pairs, sums = np.empty((64, 2), dtype=np.int64), np.empty(64)
    count = 0
    for h in range(len(w)):
        free = tilt[h] > TILT
        for k in range(len(x) if free else len(close)):
            n = k if free else close[k]
            if not free and abs(near[n]) > tilt[h] * sizes[n]:
                continue
            z = 0.0
            for d in range(w.shape[1]):
                z += w[h, d] * x[n, d]
            if z * side[h] * (1.0 if near[n] > 0 else -1.0) < 0:
                if count == len(pairs):
                    pairs, sums = np.concatenate((pairs, pairs)), np.concatenate((sums, sums))
                pairs[count, 0], pairs[count, 1], sums[count] = h, n, abs(z)
                count += 1
    return pairs[:count], sums[:count]


@njit(cache=True)
def _steps(w: Any, a: Any, x: Any, beta: Any, sigma: Any, rate: float, steps: int, slope: float) -> None:
    (width, dim), samples = w.shape, len(x)
    sizes = np.sqrt((x * x).sum(axis=1))
    flat, bent = (1 + slope) / 2, (1 - slope) / 2
    for _ in range(steps):
        m = np.zeros(dim)
        for h in range(width):
            for d in range(dim):
                m[d] += a[h] * w[h, d]
        r = m / np.sqrt((m * m).sum())
        side, tilt = _tilts(w, r)
        q = np.zeros(dim)
        for h in range(width):
            for d in range(dim):
                q[d] += a[h] * side[h] * w[h, d]
        near = x @ r
        odd = np.where(near > 0, 1.0, -1.0)
        even = odd * (x @ q)
        pairs, sums = _exceptions(w, x, sizes, near, side, tilt)
        for k in range(len(pairs)):
            even[pairs[k, 1]] += 2 * a[pairs[k, 0]] * sums[k]
        total = np.zeros(dim)
        for n in range(samples):
            even[n] *= bent
            for d in range(dim):
                total[d] += odd[n] * even[n] * x[n, d]
        common = flat * (beta - flat * (sigma @ m))
        g = np.empty((width, dim))
        for h in range(width):
            for d in range(dim):
                g[h, d] = common[d] - bent * side[h] * total[d] / samples
        for k in range(len(pairs)):
            h, n = pairs[k, 0], pairs[k, 1]
            for d in range(dim):
                g[h, d] += 2 * bent * side[h] * odd[n] * even[n] * x[n, d] / samples
        for h in range(width):
            step = 0.0
            for d in range(dim):
                step += w[h, d] * g[h, d]
            for d in range(dim):
                w[h, d] += rate * a[h] * g[h, d]
            a[h] += rate * step
