"""Gradient flow to about fifty digits: Taylor series in fixed-point integers, with its own events and its own sliding
rule.

It shares no code with the integrator under test and no idea but the definition: samples are not grouped into lines, the
velocity on a boundary is found by trying all one-sided answers, and the step follows from the series itself.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

BITS = 210
ONE = 1 << BITS
ORDER = 30
SMALL = ONE >> 120  # what counts as zero on a boundary: about 1e-36
ACCURATE = 1e-52


def fixed(value: Any) -> Any:
    """A number or an array as fixed-point integers."""
    if isinstance(value, np.ndarray):
        flat = [fixed(entry) for entry in value.reshape(-1)]
        result = np.empty(len(flat), dtype=object)
        result[:] = flat
        return result.reshape(value.shape)
    exact = Fraction(value)
    return (exact.numerator << BITS) // exact.denominator


def floats(value: Any) -> Any:
    return np.vectorize(lambda v: float(Fraction(int(v), ONE)), otypes=[float])(value)


def _residual_series(loss: str, y: Any, f: Any, r: Any, e: Any, p: Any, k: int) -> None:
    """The k-th coefficient of the residual, given those of the outputs up to k (all arrays have the order first)."""
    if loss == "square":
        r[k] = (y if k == 0 else 0) - f[k]
        return
    u = -(y * f[: k + 1] >> BITS)  # the exponent -yf
    if loss == "exponential":
        e[k] = _exp(u[0]) if k == 0 else _derived(u, e, k)
        r[k] = y * e[k] >> BITS
        return
    # q = 1/(1 + e^{yf}) satisfies q' = u' q (1 - q) = u' p; e keeps q and r keeps y q
    if k == 0:
        grown = _exp(u[0])
        e[0] = np.array([(int(g) << BITS) // (ONE + int(g)) for g in grown], dtype=object)
    else:
        p[k - 1] = e[k - 1] - ((e[:k] * e[k - 1 :: -1]).sum(axis=0) >> BITS)
        e[k] = _derived(u, p, k)
    r[k] = y * e[k] >> BITS


def _derived(u: Any, p: Any, k: int) -> Any:
    """The k-th coefficient of e where e' = u' p."""
    order = np.arange(1, k + 1, dtype=object)[:, None]
    return (order * u[1 : k + 1] * p[k - 1 :: -1]).sum(axis=0) // k >> BITS


def _exp(values: Any) -> Any:
    from mpmath import mp, mpf

    with mp.workdps(80):
        return np.array([int(mp.exp(mpf(int(v)) / ONE) * ONE) for v in values], dtype=object)


class Reference:
    """One network on one dataset, in fixed point."""

    def __init__(
        self,
        inner: Any,
        outer: Any,
        slope: Any,
        x: Any,
        y: Any,
        loss: str,
        averaged: bool = True,
        train_outer: bool = True,
    ):
        self.w, self.v = fixed(np.asarray(inner, dtype=object)), fixed(np.asarray(outer, dtype=object))
        self.x, self.y = fixed(np.asarray(x, dtype=object)), fixed(np.asarray(y, dtype=object))
        self.slope, self.loss, self.train_outer = fixed(slope), loss, train_outer
        self.count = len(self.y) if averaged else 1
        self.time = 0
        self.events: list[tuple[float, int, int, int]] = []
        z = self._pre(self.w)
        self.side = np.array([[int(np.sign(int(v))) for v in row] for row in z])
        self._decide([h for h in range(len(self.v)) if any(abs(int(v)) <= SMALL for v in z[h])], z)

    def _pre(self, w: Any) -> Any:
        return w @ self.x.T >> BITS

    def _gates(self, side: Any) -> Any:
        return np.array([[ONE if s > 0 else self.slope if s < 0 else 0 for s in row] for row in side], dtype=object)

    def _residuals(self, w: Any, v: Any) -> Any:
        z = self._pre(w)
        a = np.maximum(z, z * self.slope >> BITS)
        r, e, p = (np.zeros((1, len(self.y)), dtype=object) for _ in range(3))
        _residual_series(self.loss, self.y, (v @ a >> BITS)[None], r, e, p, 0)
        return r[0]

    def _held(self, h: int, side: Any) -> Any:
        """An exact projection away from the span of the samples that neuron h slides along, as a matrix."""
        rows = [self.x[i] for i in range(len(self.y)) if side[h, i] == 0 and any(self.x[i])]
        dim = self.x.shape[1]
        matrix = np.array([[ONE if i == j else 0 for j in range(dim)] for i in range(dim)], dtype=object)
        for row in rows:
            u = matrix @ row >> BITS
            size = int(u @ u) >> BITS
            if size > SMALL:
                matrix = matrix - np.array([[(int(a) * int(b)) // size for b in u] for a in u], dtype=object)
        return matrix

    def _decide(self, neurons: list[int], z: Any) -> None:
        r = self._residuals(self.w, self.v)
        for h in neurons:
            near = [i for i in range(len(self.y)) if abs(int(z[h, i])) <= SMALL or self.side[h, i] == 0]
            near = [i for i in near if any(self.x[i])]
            best: Any = None
            for picks in product((0, 1, -1), repeat=len(near)):
                side = self.side.copy()
                side[h, near] = picks
                side[h, [i for i in range(len(self.y)) if not any(self.x[i])]] = 0
                gates = self._gates(side)[h]
                base = int(self.v[h]) * ((gates * r >> BITS) @ self.x >> BITS) // self.count >> BITS
                p = self._held(h, side) @ base >> BITS
                normals = [int(self.x[i] @ p) >> BITS for i in near]
                if any(s * n < -SMALL for s, n in zip(picks, normals, strict=True)):
                    continue
                if any(s == 0 for s in picks) and not self._feasible(h, near, picks, base, r):
                    continue
                tied = self._tied(h, near, picks)
                key = (int(p @ p) >> BITS, picks.count(0))
                if tied and (
                    best is None
                    or key[0] > best[0][0] + SMALL
                    or (abs(key[0] - best[0][0]) <= SMALL and key[1] > best[0][1])
                ):
                    best = (key, side)
            assert best is not None, "no consistent velocity"
            for i in range(len(self.y)):
                if best[1][h, i] != self.side[h, i]:
                    self.events.append((self.time / ONE, h, i, int(best[1][h, i])))
            self.side[h] = best[1][h]
            self.w[h] = self._held(h, self.side) @ self.w[h] >> BITS

    def _tied(self, h: int, near: list[int], picks: Any) -> bool:
        """Parallel samples are on the same side, opposite ones on opposite sides."""
        for (i, s), (j, t) in product(zip(near, picks, strict=True), repeat=2):
            inside = int(self.x[i] @ self.x[j]) >> BITS
            sizes = (int(self.x[i] @ self.x[i]) >> BITS) * (int(self.x[j] @ self.x[j]) >> BITS) >> BITS
            if abs((inside * inside >> BITS) - sizes) <= SMALL and s != (t if inside > 0 else -t):
                return False
        return True

    def _feasible(self, h: int, near: list[int], picks: Any, base: Any, r: Any) -> bool:
        """The held samples can push with gates in [slope, 1] so that the velocity is tangent: a small bounded
        least-squares problem.
        """
        from scipy.optimize import lsq_linear

        held = [i for i, s in zip(near, picks, strict=True) if s == 0]
        groups: list[list[tuple[int, int]]] = []
        for i in held:
            for group in groups:
                j = group[0][0]
                inside = int(self.x[i] @ self.x[j]) >> BITS
                sizes = (int(self.x[i] @ self.x[i]) >> BITS) * (int(self.x[j] @ self.x[j]) >> BITS) >> BITS
                if abs((inside * inside >> BITS) - sizes) <= SMALL:
                    group.append((i, 1 if inside > 0 else -1))
                    break
            else:
                groups.append([(i, 1)])
        slope, columns = float(Fraction(int(self.slope), ONE)), []
        rest = floats(base)
        for group in groups:
            column = np.zeros(self.x.shape[1])
            for i, sign in group:
                push = (
                    floats(self.x[i])
                    * float(Fraction(int(r[i]), ONE))
                    * float(Fraction(int(self.v[h]), ONE))
                    / self.count
                )
                column += sign * push
                rest = rest + (0 if sign > 0 else 1 + slope) * push
            columns.append(column)
        matrix, basis = np.array(columns).T, np.array([floats(self.x[g[0][0]]) for g in groups])
        if any(column @ row > 1e-13 for column, row in zip(columns, basis, strict=True)):
            return False  # it repels: not a stable way to go on
        if slope == 1 or not matrix.any():
            return bool(np.abs(basis @ (rest + matrix.sum(axis=1) * slope)).max() <= 1e-12)
        found = lsq_linear(basis @ matrix, -basis @ rest, bounds=(slope, 1), tol=1e-15)
        return bool(np.abs(basis @ (rest + matrix @ found.x)).max() <= 1e-9 * max(1e-300, np.abs(matrix).max()))

    def _series(self) -> tuple[Any, Any]:
        m, d = self.w.shape
        n = len(self.y)
        gates = self._gates(self.side)
        projections = {h: self._held(h, self.side) for h in range(m) if (self.side[h] == 0).any()}
        w, v = np.zeros((ORDER + 1, m, d), dtype=object), np.zeros((ORDER + 1, m), dtype=object)
        a, r, e, f, p = (np.zeros((ORDER + 1, *s), dtype=object) for s in ((m, n), (n,), (n,), (n,), (n,)))
        s = np.zeros((ORDER + 1, m, d), dtype=object)
        w[0], v[0] = self.w, self.v
        for k in range(ORDER):
            a[k] = (w[k] @ self.x.T >> BITS) * gates >> BITS
            f[k] = (v[: k + 1, :, None] * a[k::-1]).sum(axis=(0, 1)) >> BITS
            _residual_series(self.loss, self.y, f, r, e, p, k)
            s[k] = ((gates * r[k] >> BITS) @ self.x >> BITS) // self.count
            change = (v[: k + 1, :, None] * s[k::-1]).sum(axis=0) >> BITS
            for h, matrix in projections.items():
                change[h] = matrix @ change[h] >> BITS
            w[k + 1] = change // (k + 1)
            if self.train_outer:
                v[k + 1] = ((w[: k + 1] * s[k::-1]).sum(axis=(0, 2)) >> BITS) // (k + 1)
        return w, v

    @staticmethod
    def _at(series: Any, t: int) -> Any:
        value = series[-1]
        for coefficient in series[-2::-1]:
            value = (value * t >> BITS) + coefficient
        return value

    def _step(self, w: Any, v: Any, left: int) -> int:
        sizes = [max(abs(float(Fraction(int(c), ONE))) for c in (*w[k].reshape(-1), *v[k])) for k in (ORDER - 1, ORDER)]
        reach = min((ACCURATE / c) ** (1 / (ORDER - 1 + k)) if c > 0 else 1e3 for k, c in enumerate(sizes))
        return min(int(0.9 * reach * ONE), left)

    def run(self, horizon: Any) -> tuple[Any, Any]:
        """The weights at the horizon, as floats."""
        end = fixed(horizon)
        while self.time < end:
            w, v = self._series()
            step = self._step(w, v, end - self.time)
            z = w @ self.x.T >> BITS
            when, who = step, None
            for h, i in np.ndindex(*self.side.shape):
                side = int(self.side[h, i])
                if side == 0 or not any(self.x[i]):
                    continue
                found = self._first_zero(z[:, h, i] * side, step)
                if found is not None and found < when:
                    when, who = found, [h]
            leaves = self._exit(w, v, when)
            if leaves is not None:
                when, who = leaves
            self.w, self.v = self._at(w, when), self._at(v, when)
            self.time += when
            if who is not None:
                now = self._pre(self.w)
                touching = [
                    h
                    for h in range(len(self.v))
                    if any(abs(int(now[h, i])) <= SMALL and self.side[h, i] != 0 for i in range(len(self.y)))
                ]
                self._decide(sorted({*who, *touching}), now)
        return floats(self.w), floats(self.v)

    def _first_zero(self, series: Any, step: int) -> int | None:
        pieces, low = 12, 0
        for k in range(1, pieces + 1):
            high = step * k // pieces
            if self._at(series, high) < -SMALL:
                break
            low = high
        else:
            return None
        for _ in range(BITS):
            middle = (low + high) >> 1
            if self._at(series, middle) < 0:
                high = middle
            else:
                low = middle
            if high - low <= 1:
                break
        return high

    def _exit(self, w: Any, v: Any, until: int) -> tuple[int, list[int]] | None:
        """The first time at which some sliding neuron is no longer held, by bisection on the
        feasibility of its slide.
        """
        found = None
        for h in range(len(self.v)):
            near = [i for i in range(len(self.y)) if self.side[h, i] == 0 and any(self.x[i])]
            if not near or self._is_held(h, near, w, v, until):
                continue
            low = 0
            while until - low > ONE >> 60:
                middle = (low + until) >> 1
                low, until = (middle, until) if self._is_held(h, near, w, v, middle) else (low, middle)
            found = until, [h]
        return found

    def _is_held(self, h: int, near: list[int], w: Any, v: Any, t: int) -> bool:
        at, out = self._at(w, t), self._at(v, t)
        r = self._residuals(at, out)
        base = int(out[h]) * ((self._gates(self.side)[h] * r >> BITS) @ self.x >> BITS) // self.count >> BITS
        keep, self.v = self.v, out
        feasible = self._feasible(h, near, (0,) * len(near), base, r)
        self.v = keep
        return feasible
