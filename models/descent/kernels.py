"""Compiled loops: gradient descent on one case without temporaries.

Importing this module imports numba: do it inside the function that needs it. The width is the last axis of every array,
so that the inner loops run over neurons. Sums may be reordered by the compiler, but always in the same way: a result
does not depend on what else is computed, nor on the number of threads (there is one).
"""

from typing import Any

import numpy as np

from refute.models.compiled import compiled, inlined


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


@inlined
def beyond_five(x: Any, i: int, w: Any, b: int, out: Any) -> None:
    """out[b] = the part of x[i] . w in the dimensions after the fifth, four at a time."""
    for k in range(5, w.shape[0], 4):
        a, c, e, f = x[i, k], x[i, k + 1], x[i, k + 2], x[i, k + 3]
        if k == 5:
            for h in range(w.shape[1]):
                out[b, h] = a * w[k, h] + c * w[k + 1, h] + e * w[k + 2, h] + f * w[k + 3, h]
        else:
            for h in range(w.shape[1]):
                out[b, h] += a * w[k, h] + c * w[k + 1, h] + e * w[k + 2, h] + f * w[k + 3, h]


@inlined
def first_five(
    x: Any, rows: Any, w: Any, v: Any, beyond: Any, slope: float, at_zero: float, z: Any, g: Any, f: Any
) -> None:  # fmt: skip
    """The first five dimensions of four samples, added to what is `beyond`: z = sigma(.), g = v sigma'(.) and the
    outputs f.

    z and g are only written: the compiler cannot tell their rows apart, and would not vectorise a loop that reads them
    too.
    """
    i, j, k, m = rows[0], rows[1], rows[2], rows[3]
    a0, a1, a2, a3, a4 = x[i, 0], x[i, 1], x[i, 2], x[i, 3], x[i, 4]
    b0, b1, b2, b3, b4 = x[j, 0], x[j, 1], x[j, 2], x[j, 3], x[j, 4]
    c0, c1, c2, c3, c4 = x[k, 0], x[k, 1], x[k, 2], x[k, 3], x[k, 4]
    e0, e1, e2, e3, e4 = x[m, 0], x[m, 1], x[m, 2], x[m, 3], x[m, 4]
    fa = fb = fc = fe = 0.0
    for h in range(v.shape[0]):
        p, q, r, s, t, u = w[0, h], w[1, h], w[2, h], w[3, h], w[4, h], v[h]
        a = beyond[0, h] + (a0 * p + a1 * q + a2 * r + a3 * s + a4 * t)
        b = beyond[1, h] + (b0 * p + b1 * q + b2 * r + b3 * s + b4 * t)
        c = beyond[2, h] + (c0 * p + c1 * q + c2 * r + c3 * s + c4 * t)
        e = beyond[3, h] + (e0 * p + e1 * q + e2 * r + e3 * s + e4 * t)
        g[0, h] = u * (1.0 if a > 0 else (slope if a < 0 else at_zero))
        g[1, h] = u * (1.0 if b > 0 else (slope if b < 0 else at_zero))
        g[2, h] = u * (1.0 if c > 0 else (slope if c < 0 else at_zero))
        g[3, h] = u * (1.0 if e > 0 else (slope if e < 0 else at_zero))
        a, b, c, e = (
            a if a > 0 else slope * a,
            b if b > 0 else slope * b,
            c if c > 0 else slope * c,
            e if e > 0 else slope * e,
        )
        z[0, h], z[1, h], z[2, h], z[3, h] = a, b, c, e
        fa, fb, fc, fe = fa + a * u, fb + b * u, fc + c * u, fe + e * u
    f[0], f[1], f[2], f[3] = fa, fb, fc, fe


@inlined
def add_four(total: Any, parts: Any, weights: Any) -> None:
    """total += sum of weights[b] parts[b] over four b."""
    a, b, c, e = weights[0], weights[1], weights[2], weights[3]
    for h in range(total.shape[0]):
        total[h] += a * parts[0, h] + b * parts[1, h] + c * parts[2, h] + e * parts[3, h]


@inlined
def add_four_to_one(total: Any, k: int, parts: Any, r: Any, x: Any, rows: Any) -> None:
    """total[k] += sum of r[b] x[rows[b], k] parts[b] over four b."""
    a, b, c, e = r[0] * x[rows[0], k], r[1] * x[rows[1], k], r[2] * x[rows[2], k], r[3] * x[rows[3], k]
    for h in range(total.shape[1]):
        total[k, h] += a * parts[0, h] + b * parts[1, h] + c * parts[2, h] + e * parts[3, h]


@inlined
def add_four_to_two(total: Any, k: int, parts: Any, r: Any, x: Any, rows: Any) -> None:
    """total[k] += sum of r[b] x[rows[b], k] parts[b] over four b, and the same with k + 1."""
    a, b, c, e = r[0] * x[rows[0], k], r[1] * x[rows[1], k], r[2] * x[rows[2], k], r[3] * x[rows[3], k]
    p, q, s, t = r[0] * x[rows[0], k + 1], r[1] * x[rows[1], k + 1], r[2] * x[rows[2], k + 1], r[3] * x[rows[3], k + 1]
    for h in range(total.shape[1]):
        u, v, w, y = parts[0, h], parts[1, h], parts[2, h], parts[3, h]
        total[k, h] += a * u + b * v + c * w + e * y
        total[k + 1, h] += p * u + q * v + s * w + t * y


@compiled
def descend(
    x: Any, y: Any, w: Any, v: Any, step: float, steps: int, slope: float, at_zero: float,
    shape: int, factor: float, sign: float, train_outer: bool, picks: Any,
) -> int:  # fmt: skip
    """`steps` steps on w (dimension, width) and v (width,), in place; the number of steps done before an output is not
    finite.

    Row t of `picks` lists the samples of step t; with no columns every step uses all samples. Four samples are seen at
    a time and dimensions in groups, the first one of five, so that short loops over neurons are few; zeros fill the
    last groups, of neurons too.
    """
    (n, d), width, size = x.shape, v.shape[0], picks.shape[1]
    m = -(-width // 8) * 8  # neurons of zeros stay zeros
    padded = 5 + (max(d, 5) - 2) // 4 * 4  # 5, 9, 13, ...
    points, weights, outer = np.zeros((n, padded)), np.zeros((padded, m)), np.zeros(m)
    points[:, :d] = x
    weights[:d, :width] = w
    outer[:width] = v
    count = size if size else n
    beyond, z, g, r, f = np.zeros((4, m)), np.zeros((4, m)), np.zeros((4, m)), np.zeros(4), np.zeros(4)
    rows = np.zeros(4, np.int64)
    dw, dv = np.empty((padded, m)), np.empty(m)
    flat, change = weights.reshape(-1), dw.reshape(-1)
    done = steps
    for t in range(steps):
        dw[:] = 0.0
        dv[:] = 0.0
        finite = True
        for block in range(0, count, 4):
            for b in range(4):
                at = min(block + b, count - 1)
                rows[b] = picks[t, at] if size else at
                beyond_five(points, rows[b], weights, b, beyond)
            first_five(points, rows, weights, outer, beyond, slope, at_zero, z, g, f)
            for b in range(4):
                finite = finite and np.isfinite(f[b])
                r[b] = residual(shape, factor, sign, y[rows[b]], f[b]) if block + b < count else 0.0
            if train_outer:
                add_four(dv, z, r)
            for k in range(0, d - 1, 2):
                add_four_to_two(dw, k, g, r, points, rows)
            if d % 2:
                add_four_to_one(dw, d - 1, g, r, points, rows)
        if not finite:
            done = t
            break
        for e in range(change.shape[0]):
            flat[e] += step * change[e]
        if train_outer:
            for h in range(m):
                outer[h] += step * dv[h]
    w[:] = weights[:d, :width]
    v[:] = outer[:width]
    return done


@compiled
def descend_deep(
    x: Any, y: Any, weights: Any, sizes: Any, step: float, steps: int, slope: float, at_zero: float,
    shape: int, factor: float, sign: float, trained: Any, picks: Any,
) -> int:  # fmt: skip
    """The same for any depth: `weights` holds W_1^T, W_2^T, ... row by row, `sizes` the widths d, ..., 1, `trained`
    which layers move.
    """
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
    """Fixed outer weights, no weights at all: u[i, h] = w_h . x_i and w_h = w_h(0) + sum_i c[i, h]
    x_i, both in place.
    """
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
