"""Compiled code of models.descent.longtime: the reduced system of frozen gates, by implicit Radau collocation in log t.

Samples with the same input form a site; L L^T is the matrix by which the amounts B of the sites act on the outputs, f =
f0 + L z with z = L^T B. All that is stiff happens in z, which stays bounded where opposing labels pull for ever;
amounts that grow without end are integrals beside it. Importing this module imports numba: do it inside the function
that needs it.
"""

from typing import Any

import numpy as np

from refute.models.compiled import compiled, inlined

MOST_STEPS = 20_000  # of one pattern; a few hundred are common


@inlined
def times(factor: Any, z: Any, out: Any) -> None:
    """out = L z."""
    for k in range(factor.shape[0]):
        total = 0.0
        for c in range(factor.shape[1]):
            total += factor[k, c] * z[c]
        out[k] = total


@inlined
def back_times(factor: Any, values: Any, out: Any) -> None:
    """out = L^T values."""
    out[:] = 0.0
    for k in range(factor.shape[0]):
        for c in range(factor.shape[1]):
            out[c] += factor[k, c] * values[k]


@inlined
def drift(
    z: Any, f0: Any, factor: Any, site: Any, labels: Any, logistic: bool, rate_z: Any, rate_a: Any, fall: Any,
    force: Any, work: Any,
) -> float:  # fmt: skip
    """The field whose flow over unit time is the step B -> B + g(f(B)), to third order (modified equation of Euler's
    method):

    g - J g / 2 + g''(Mg, Mg) / 12 + J J g / 3 with J = diag(g') M, M = L L^T, g_k the sum of y s(y f_k) over the
    samples of site k. Fills the rates of z = L^T B and of the samples' A = sum of s, and `fall` = g', `force` = sum of
    |y| s. Returns max |M g|.
    """
    sites, rank = factor.shape
    n = labels.shape[0]
    f, g, bend, p, again, rate_b = (
        work[0, :sites],
        work[1, :sites],
        work[2, :sites],
        work[3, :sites],
        work[4, :sites],
        work[5, :sites],
    )
    s, ds, second, inner = work[6, :n], work[7, :n], work[8, :n], work[9, :rank]
    g[:] = 0.0
    bend[:] = 0.0
    times(factor, z, f)
    fall[:] = 0.0
    force[:] = 0.0
    for i in range(n):
        y, k = labels[i], site[i]
        q = y * (f0[k] + f[k])
        e = np.exp(-abs(q))
        value = (e / (1.0 + e) if q >= 0 else 1.0 / (1.0 + e)) if logistic else np.exp(-q)
        s[i] = value
        ds[i] = -value * (1.0 - value) if logistic else -value
        second[i] = -ds[i] * (1.0 - 2.0 * value) if logistic else value
        g[k] += y * value
        fall[k] += y * y * ds[i]
        bend[k] += y * second[i]
        force[k] += abs(y) * value
    back_times(factor, g, inner)
    times(factor, inner, p)
    for k in range(sites):
        rate_b[k] = fall[k] * p[k]
    back_times(factor, rate_b, inner)
    times(factor, inner, again)
    for k in range(sites):
        rate_b[k] = g[k] - fall[k] * (p[k] / 2.0 - again[k] / 3.0) + bend[k] * p[k] * p[k] / 12.0
    back_times(factor, rate_b, rate_z)
    for i in range(n):
        y, k = labels[i], site[i]
        rate_a[i] = abs(y) * (s[i] - y * ds[i] * (p[k] / 2.0 - again[k] / 3.0) + second[i] * p[k] * p[k] / 12.0)
    largest = 0.0
    for k in range(sites):
        largest = max(largest, abs(p[k]))
    return largest


@inlined
def weighted(weights: Any, rates: Any, h: float, amount: Any, out: Any) -> None:
    """The stages: out[j] = amount + h sum_l weights[j, l] rates[l]."""
    stages, n = rates.shape
    for j in range(stages):
        for i in range(n):
            out[j, i] = amount[i]
        for level in range(stages):
            c = h * weights[j, level]
            for i in range(n):
                out[j, i] += c * rates[level, i]


@inlined
def off_pattern(z: Any, u0: Any, lever: Any, pattern: Any) -> bool:
    """Whether some u[k, h] = u0[k, h] + sum_c lever[k, h, c] z[c] has another sign than `pattern`."""
    sites, width, rank = lever.shape
    for k in range(sites):
        for h in range(width):
            value = u0[k, h]
            for c in range(rank):
                value += lever[k, h, c] * z[c]
            if pattern[k, h] != (1 if value > 0 else (-1 if value < 0 else 0)):
                return True
    return False


@compiled
def newton_change(
    z: Any, stage: Any, rates: Any, tau: float, h: float, f0: Any, factor: Any, site: Any, labels: Any,
    logistic: bool, nodes: Any,
    weights: Any,
) -> Any:  # fmt: skip
    """What Newton's method adds to the rates of z at the stages, infinite where they overflow.

    Of the derivative of the field, terms with a factor M g are left out.
    """
    (sites, rank), stages = factor.shape, nodes.shape[0]
    rate_z, fall, force, rate_a = np.empty(rank), np.empty(sites), np.empty(sites), np.empty(labels.shape[0])
    system, rest, block = np.zeros((rank * stages, rank * stages)), np.empty(rank * stages), np.empty((rank, rank))
    square, full, work = np.empty((rank, rank)), np.empty((rank, rank)), np.empty((10, max(sites, labels.shape[0])))
    for j in range(stages):
        now = np.exp(tau + nodes[j] * h)
        drift(stage[j], f0, factor, site, labels, logistic, rate_z, rate_a, fall, force, work)
        block[:] = 0.0
        for k in range(sites):
            for a in range(rank):
                part = fall[k] * factor[k, a]
                for b in range(rank):
                    block[a, b] += part * factor[k, b]
        for a in range(rank):  # H - H^2 / 2 + H^3 / 3
            for b in range(rank):
                square[a, b] = 0.0
                for c in range(rank):
                    square[a, b] += block[a, c] * block[c, b]
        for a in range(rank):
            for b in range(rank):
                cube = 0.0
                for c in range(rank):
                    cube += square[a, c] * block[c, b]
                full[a, b] = h * now * (block[a, b] - square[a, b] / 2.0 + cube / 3.0)
        for a in range(rank):
            row = j * rank + a
            rest[row] = now * rate_z[a] - rates[j, a]
            for level in range(stages):
                for b in range(rank):
                    system[row, level * rank + b] = -weights[j, level] * full[a, b]
            system[row, row] += 1.0
    if not (np.isfinite(system).all() and np.isfinite(rest).all()):
        return np.full_like(rest, np.inf)
    return np.linalg.solve(system, rest)


@compiled
def advance(
    z: Any, a: Any, tau: float, end: float, h: float, f0: Any, factor: Any, site: Any, labels: Any, logistic: bool,
    u0: Any,
    lever: Any, pattern: Any, nodes: Any, weights: Any, top: Any, tolerance: float, dropped: Any,
) -> tuple[float, float, int]:  # fmt: skip
    """Integrate dz/dtau = e^tau L^T drift(f0 + L z), and A beside it, until `end`, or just past the first sign change.

    Returns tau, the next step and a status: 0 arrived, 1 a sign changed (the state is that just after it), 2 the step
    became too small. The step control bounds the last coefficient of the collocation polynomial, which overestimates
    the error of the step. `dropped` gains a bound on what the terms of fourth order, force P^2 |Mg| / 2 with P = max
    |M| force, would add to B.
    """
    (sites, rank), stages, n = factor.shape, nodes.shape[0], labels.shape[0]
    fall, force, last_force = np.empty(sites), np.empty(sites), np.empty(sites)
    rates, stage = np.empty((stages, rank)), np.empty((stages, rank))
    first_z, first_a, rates_a, off = np.empty(rank), np.empty(n), np.empty((stages, n)), np.empty(sites)
    matrix, reach_of_z, work = np.abs(factor @ factor.T), np.empty(rank), np.empty((10, max(sites, n)))
    for c in range(rank):
        reach_of_z[c] = np.abs(factor[:, c]).max()
    limit = np.inf  # a sign is known to have changed before this step number
    aim = (
        np.inf
    )  # log of the first whole step of descent at which the sign is the new one; on the way there signs do not matter
    for _ in range(MOST_STEPS):
        if tau >= end:
            return tau, h, 0
        t = np.exp(tau)
        if aim == np.inf and limit < np.inf:
            if t < 1e10:
                whole = max(np.floor((t + limit) / 2), np.floor(t * (1 + 1e-14)) + 1)
                h = np.log(whole) - tau
                aim = tau + h if whole >= limit * (1 - 1e-12) else np.inf
            else:
                h = (np.log(limit) - tau) / 2
                aim = tau + h if h < 1e-10 else np.inf
        h = min(h, end - tau, aim - tau)
        slope = drift(z, f0, factor, site, labels, logistic, first_z, first_a, fall, force, work)
        strength = (matrix @ force).max()
        for j in range(stages):
            rates[j] = t * first_z  # in the long run dz/dtau hardly changes
        noise = 1e-12 + 1e-15 * h * np.exp(tau + h) * strength  # what round-off leaves in f
        converged, last = False, np.inf
        for _ in range(12):
            weighted(weights, rates, h, z, stage)
            change = newton_change(z, stage, rates, tau, h, f0, factor, site, labels, logistic, nodes, weights)
            moved = 0.0
            for j in range(stages):
                for c in range(rank):
                    rates[j, c] += change[j * rank + c]
                    moved = max(moved, abs(change[j * rank + c]) * h * reach_of_z[c])
            if not np.isfinite(moved):
                break
            # Newton's method squares a small change; the terms left out of the matrix gain a factor of order M g.
            if moved * min(1.0, moved + slope) < 1e-3 * tolerance or (moved < noise and moved >= last):
                converged = True
                break
            last = moved
        weighted(weights, rates, h, z, stage)
        for j in range(stages):
            now = np.exp(tau + nodes[j] * h)
            drift(stage[j], f0, factor, site, labels, logistic, first_z, rates_a[j], fall, last_force, work)
            rates_a[j] *= now
        error = 0.0
        for k in range(sites):
            missed = 0.0
            for j in range(stages):
                for c in range(rank):
                    missed += h * top[j] * factor[k, c] * rates[j, c]
            error = max(error, abs(missed))
        for i in range(n):
            alone, scale = 0.0, matrix[site[i], site[i]]
            for j in range(stages):
                alone += h * top[j] * rates_a[j, i]
            error = max(error, abs(alone) * scale / (1.0 + a[i] * scale))
        if not converged or not error <= tolerance:
            if h <= 1e-13 * max(1.0, abs(tau)):
                return tau, h, 2
            limit = np.inf
            h *= 0.25 if not converged else max(0.2, 0.85 * (tolerance / error) ** (1.0 / stages))
            continue
        crossed = False
        for j in range(stages):
            crossed = crossed or off_pattern(stage[j], u0, lever, pattern)
        if crossed and aim == np.inf:
            limit = np.exp(tau + h)
            continue
        way = 0.0  # how far f moves, the integral of |M g|
        for j in range(stages):
            times(factor, stage[j] - (stage[j - 1] if j else z), off)
            way += np.abs(off).max()
        z[:] = stage[stages - 1]
        for j in range(stages):
            a += h * weights[stages - 1, j] * rates_a[j]
        bound = max(strength, (matrix @ last_force).max()) ** 2 * way / 2
        for k in range(sites):  # of what is at the beginning and at the end of the step, the larger
            dropped[k] += bound * max(force[k], last_force[k])
        tau = min(end, aim) if h >= min(end, aim) - tau else tau + h
        if tau >= aim:
            return tau, 0.05, 1
        h *= min(4.0, 0.85 * (tolerance / max(error, 1e-300)) ** (1.0 / stages))
    return tau, h, 2
