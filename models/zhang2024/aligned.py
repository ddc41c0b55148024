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
def _steps(w: Any, a: Any, x: Any, beta: Any, sigma: Any, rate: float, steps: int, slope: float) -> None:
    width, dim = w.shape
    samples = x.shape[0]
    sizes = np.sqrt((x * x).sum(axis=1))
    flat, bent = (1 + slope) / 2, (1 - slope) / 2
    side = np.empty(width)
    tilt = np.empty(width)
    nearest = np.empty(samples, dtype=np.int64)
    listed = np.empty((64, 2), dtype=np.int64)
    for _ in range(steps):
        m = np.zeros(dim)
        for h in range(width):
            for d in range(dim):
                m[d] += a[h] * w[h, d]
        r = m / np.sqrt((m * m).sum())
        q = np.zeros(dim)
        for h in range(width):
            c = 0.0
            for d in range(dim):
                c += w[h, d] * r[d]
            off = 0.0
            for d in range(dim):
                off += (w[h, d] - c * r[d]) ** 2
            side[h] = 1.0 if c > 0 else -1.0
            tilt[h] = np.sqrt(off) / max(abs(c), 1e-300)
            for d in range(dim):
                q[d] += a[h] * side[h] * w[h, d]
        near = x @ r
        even = x @ q
        odd = np.empty(samples)
        close = 0
        for n in range(samples):
            odd[n] = 1.0 if near[n] > 0 else -1.0
            even[n] = odd[n] * even[n]
            if abs(near[n]) <= TILT * sizes[n]:
                nearest[close] = n
                close += 1
        count = 0
        for h in range(width):
            free = tilt[h] > TILT
            for k in range(samples if free else close):
                n = k if free else nearest[k]
                if not free and abs(near[n]) > tilt[h] * sizes[n]:
                    continue
                z = 0.0
                for d in range(dim):
                    z += w[h, d] * x[n, d]
                if z * side[h] * odd[n] < 0:
                    if count == len(listed):
                        listed = np.concatenate((listed, np.empty_like(listed)))
                    listed[count, 0], listed[count, 1] = h, n
                    count += 1
                    even[n] += 2 * a[h] * abs(z)
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
        for k in range(count):
            h, n = listed[k, 0], listed[k, 1]
            for d in range(dim):
                g[h, d] += 2 * bent * side[h] * odd[n] * even[n] * x[n, d] / samples
        for h in range(width):
            step = 0.0
            for d in range(dim):
                step += w[h, d] * g[h, d]
            for d in range(dim):
                w[h, d] += rate * a[h] * g[h, d]
            a[h] += rate * step
