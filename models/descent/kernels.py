"""Compiled loops: gradient descent on one case without temporaries.

Importing this module imports numba: do it inside the function that needs it. The width is the last axis of every array, so
that the inner loops run over neurons. Sums may be reordered by the compiler, but always in the same way: a result
does not depend on what else is computed, nor on the number of threads (there is one).
"""

from typing import Any

import numpy as np

from models.compiled import compiled


@compiled
def residual(shape: int, factor: float, sign: float, y: float, f: float) -> float:
    """-dl/df of the loss with number `shape` (models.loss.Shape)."""
    if shape == 0:
        return 2.0 * factor * (y - f)
    z, scale = sign * y * f, -factor * sign * y
    if shape == 2:
        return scale * float(np.exp(z))
    small = float(np.exp(-abs(z)))
    return scale * (1.0 if z >= 0 else small) / (1.0 + small)


@compiled
def signals(point: Any, w: Any, out: Any) -> None:
    """out = point . w, four terms of the sum at a time."""
    d, m = w.shape
    whole = d // 4 * 4
    out[:] = 0.0
    for k in range(0, whole, 4):
        a, b, c, e = point[k], point[k + 1], point[k + 2], point[k + 3]
        for h in range(m):
            out[h] += a * w[k, h] + b * w[k + 1, h] + c * w[k + 2, h] + e * w[k + 3, h]
    for k in range(whole, d):
        a = point[k]
        for h in range(m):
            out[h] += a * w[k, h]


@compiled
def add_four(total: Any, parts: Any, a: float, b: float, c: float, e: float) -> None:
    """total += a parts[0] + b parts[1] + c parts[2] + e parts[3]."""
    for h in range(total.shape[0]):
        total[h] += a * parts[0, h] + b * parts[1, h] + c * parts[2, h] + e * parts[3, h]


@compiled
def descend(
    x: Any, y: Any, w: Any, v: Any, step: float, steps: int, slope: float, at_zero: float,
    shape: int, factor: float, sign: float, train_outer: bool, picks: Any,
) -> int:  # fmt: skip
    """`steps` steps on w (dimension, width) and v (width,), in place; the number of steps done before an output is not finite.

    Row t of `picks` lists the samples of step t; with no columns every step uses all samples.
    """
    n, d = x.shape
    m = v.shape[0]
    size = picks.shape[1]
    count = size if size else n
    z, g, r = np.zeros((4, m)), np.zeros((4, m)), np.zeros(4)
    rows = np.zeros(4, np.int64)
    dw, dv = np.empty((d, m)), np.empty(m)
    for t in range(steps):
        dw[:] = 0.0
        dv[:] = 0.0
        for block in range(0, count, 4):  # four samples at a time, so that dw is loaded and stored a quarter as often
            for b in range(4):
                if block + b >= count:
                    g[b, :] = 0.0
                    r[b] = 0.0
                    continue
                i = picks[t, block + b] if size else block + b
                rows[b] = i
                signals(x[i], w, z[b])
                f = 0.0
                for h in range(m):
                    a = z[b, h]
                    g[b, h] = v[h] * (1.0 if a > 0 else (slope if a < 0 else at_zero))
                    a = a if a > 0 else slope * a
                    z[b, h] = a
                    f += a * v[h]
                if not np.isfinite(f):
                    return t
                r[b] = residual(shape, factor, sign, y[i], f)
            if train_outer:
                add_four(dv, z, r[0], r[1], r[2], r[3])
            for k in range(d):
                add_four(dw[k], g, r[0] * x[rows[0], k], r[1] * x[rows[1], k], r[2] * x[rows[2], k], r[3] * x[rows[3], k])
        for k in range(d):
            for h in range(m):
                w[k, h] += step * dw[k, h]
        if train_outer:
            for h in range(m):
                v[h] += step * dv[h]
    return steps


@compiled
def descend_deep(
    x: Any, y: Any, weights: Any, sizes: Any, step: float, steps: int, slope: float, at_zero: float,
    shape: int, factor: float, sign: float, trained: Any, picks: Any,
) -> int:  # fmt: skip
    """The same for any depth: `weights` holds W_1^T, W_2^T, ... row by row, `sizes` the widths d, ..., 1, `trained` which layers move."""
    n = x.shape[0]
    depth = sizes.shape[0] - 1
    size = picks.shape[1]
    starts, at = np.zeros(depth + 1, np.int64), np.zeros(depth + 2, np.int64)
    for level in range(depth):
        starts[level + 1] = starts[level] + sizes[level] * sizes[level + 1]
    for level in range(depth + 1):
        at[level + 1] = at[level] + sizes[level]
    signal, gates, delta = np.empty(at[depth + 1]), np.ones(at[depth + 1]), np.empty(at[depth + 1])
    change = np.empty(weights.shape[0])
    for t in range(steps):
        change[:] = 0.0
        for index in range(size if size else n):
            i = picks[t, index] if size else index
            signal[: sizes[0]] = x[i]
            for level in range(depth):
                width = sizes[level + 1]
                below, above = signal[at[level] : at[level + 1]], signal[at[level + 1] : at[level + 2]]
                w = weights[starts[level] : starts[level + 1]].reshape(sizes[level], width)
                above[:] = 0.0
                if width == 1:  # here the loop worth running is the other one
                    total = 0.0
                    for k in range(sizes[level]):
                        total += below[k] * w[k, 0]
                    above[0] = total
                else:
                    for k in range(sizes[level]):
                        for h in range(width):
                            above[h] += below[k] * w[k, h]
                if level < depth - 1:
                    gate = gates[at[level + 1] : at[level + 2]]
                    for h in range(width):
                        a = above[h]
                        gate[h] = 1.0 if a > 0 else (slope if a < 0 else at_zero)
                        above[h] = a if a > 0 else slope * a
            f = signal[at[depth]]
            if not np.isfinite(f):
                return t
            delta[at[depth]] = residual(shape, factor, sign, y[i], f)
            for level in range(depth - 1, -1, -1):
                width = sizes[level + 1]
                below, above = signal[at[level] : at[level + 1]], delta[at[level + 1] : at[level + 2]]
                w = weights[starts[level] : starts[level + 1]].reshape(sizes[level], width)
                dw = change[starts[level] : starts[level + 1]].reshape(sizes[level], width)
                back, gate = delta[at[level] : at[level + 1]], gates[at[level] : at[level + 1]]
                if width == 1:
                    r = above[0]
                    for k in range(sizes[level]):
                        dw[k, 0] += below[k] * r
                        back[k] = w[k, 0] * r * gate[k]
                    continue
                for k in range(sizes[level]):
                    for h in range(width):
                        dw[k, h] += below[k] * above[h]
                if level > 0:
                    for k in range(sizes[level]):
                        total = 0.0
                        for h in range(width):
                            total += w[k, h] * above[h]
                        back[k] = total * gate[k]
        for level in range(depth):
            if trained[level]:
                for k in range(starts[level], starts[level + 1]):
                    weights[k] += step * change[k]
    return steps


@compiled
def descend_in_the_span(
    gram: Any, y: Any, outer: Any, u: Any, c: Any, step: float, steps: int, slope: float, at_zero: float,
    shape: int, factor: float, sign: float,
) -> int:  # fmt: skip
    """Fixed outer weights, no weights at all: u[i, h] = w_h . x_i and w_h = w_h(0) + sum_i c[i, h] x_i, both in place."""
    n, m = u.shape
    r, delta = np.empty(n), np.empty((n, m))
    for t in range(steps):
        for i in range(n):
            f = 0.0
            for h in range(m):
                a = u[i, h]
                f += outer[h] * (a if a > 0 else slope * a)
                delta[i, h] = outer[h] * (1.0 if a > 0 else (slope if a < 0 else at_zero))
            if not np.isfinite(f):
                return t
            r[i] = step * residual(shape, factor, sign, y[i], f)
        for i in range(n):
            for h in range(m):
                delta[i, h] *= r[i]
                c[i, h] += delta[i, h]
            for k in range(n):
                g = gram[i, k]
                for h in range(m):
                    u[k, h] += g * delta[i, h]
    return steps
