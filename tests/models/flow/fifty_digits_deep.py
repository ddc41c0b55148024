"""Gradient flow of a deep (leaky) ReLU network to about fifty digits: Taylor series in fixed-point integers, square
loss.

It shares no code with the integrator under test. A unit is a hidden neuron on a sample. Where units meet their
boundaries, all assignments of sides (active, inactive, sliding) to them are tried, and each must be borne out by the
velocity that it gives; a sliding unit has a gate that is a series of its own, determined order by order. Where not
exactly one velocity is borne out, the solution is not unique (or is degenerate to first order), and `Ambiguous` is
raised.
"""

from itertools import product
from typing import Any

import numpy as np

from tests.models.flow.fifty_digits import BITS, ONE, SMALL, fixed, floats

ORDER = 60
ACCURATE = 1e-52
PIECES = 8
Unit = tuple[int, int, int]  # layer, sample, neuron


class Ambiguous(Exception):
    """Not exactly one continuation is borne out by its own velocity."""


def convolved(a: Any, b: Any) -> Any:
    """sum_j a_j b_{k-j} as matrix products, the order being the first axis of both; the last coefficient only."""
    left = a.transpose(1, 0, 2).reshape(a.shape[1], -1)
    right = b[::-1].reshape(-1, b.shape[2])
    return left @ right >> BITS


class DeepReference:
    """One network on one dataset, in fixed point; `crossings` and `slides` count the events."""

    def __init__(self, weights: Any, slope: Any, x: Any, y: Any):
        self.weights = [fixed(np.asarray(w, dtype=object)) for w in weights]
        self.x, self.y, self.slope = (
            fixed(np.asarray(x, dtype=object)),
            fixed(np.asarray(y, dtype=object)),
            fixed(slope),
        )
        self.time, self.crossings, self.slides = 0, 0, 0
        signals = self._signals()
        self.sides = [np.array([[1 if v > SMALL else -1 for v in row] for row in layer]) for layer in signals]
        self._decide([unit for unit in self._units() if abs(signals[unit[0]][unit[1:]]) <= SMALL])

    def _units(self) -> list[Unit]:
        return [(layer, *place) for layer, sides in enumerate(self.sides) for place in np.ndindex(*sides.shape)]

    def _signals(self) -> list[Any]:
        """The pre-activations of the hidden layers."""
        found, signal = [], self.x
        for matrix in self.weights[:-1]:
            found.append(signal @ matrix.T >> BITS)
            signal = np.maximum(found[-1], found[-1] * self.slope >> BITS)
        return found

    def _silent(self, sides: list[Any]) -> set[Unit]:
        """Units that are zero whatever the weights do within this pattern: all that feeds them is zero. Their gates act
        on nothing.
        """
        found: set[Unit] = set()
        for i in range(len(self.y)):
            dark = not any(self.x[i])
            for layer, side in enumerate(sides):
                if dark:
                    found |= {(layer, i, h) for h in range(side.shape[1])}
                dark = dark or (self.slope == 0 and bool((side[i] < 0).all()))
        return found

    def _series(self, sides: list[Any], order: int) -> tuple[list[Any], list[Any], dict[Unit, Any]]:
        """Coefficients up to `order` of the weights and the hidden pre-activations, and of the
        gates of the sliding units.
        """
        self.w = [np.zeros((order + 1, *w.shape), dtype=object) for w in self.weights]
        self.g = [np.zeros((order + 1, *side.shape), dtype=object) for side in sides]
        self.h = [np.zeros((order + 1, *side.shape), dtype=object) for side in sides]
        self.a, self.delta = ([np.zeros((order + 1, *side.shape), dtype=object) for side in sides] for _ in range(2))
        self.r = np.zeros((order + 1, len(self.y), 1), dtype=object)
        sliding = [(layer, *place) for layer, side in enumerate(sides) for place in np.argwhere(side == 0).tolist()]
        self.varying = [bool((side == 0).any()) for side in sides]
        for layer, side in enumerate(sides):
            self.w[layer][0] = self.weights[layer]
            self.g[layer][0] = np.array([self.slope, (ONE + self.slope) // 2, ONE], dtype=object)[side + 1]
        self.w[-1][0] = self.weights[-1]
        self._forward(0)
        for k in range(order):
            self._push(k, sliding)
            self._forward(k + 1)
        return self.w, self.h, {unit: self.g[unit[0]][:, unit[1], unit[2]] for unit in sliding}

    def _forward(self, k: int) -> None:
        for layer in range(len(self.h)):
            w = self.w[layer][: k + 1].transpose(0, 2, 1)
            self.h[layer][k] = convolved(self.a[layer - 1][: k + 1], w) if layer else self.x @ w[k] >> BITS
            self.a[layer][k] = self._gated(layer, self.h[layer], k)
        self.r[k] = (self.y[:, None] if k == 0 else 0) - convolved(
            self.a[-1][: k + 1], self.w[-1][: k + 1].transpose(0, 2, 1)
        )

    def _gated(self, layer: int, values: Any, k: int) -> Any:
        """The k-th coefficient of gate times value."""
        if not self.varying[layer]:
            return self.g[layer][0] * values[k] >> BITS
        return (self.g[layer][: k + 1] * values[k::-1]).sum(axis=0) >> BITS

    def _backward(self, k: int) -> None:
        """The coefficients k + 1 of the weights."""
        count, above = len(self.y), self.r
        for layer in range(len(self.h), 0, -1):
            self.w[layer][k + 1] = convolved(above[: k + 1].transpose(0, 2, 1), self.a[layer - 1][: k + 1]) // (
                count * (k + 1)
            )
            back = self.back[layer - 1]
            back[k] = convolved(above[: k + 1], self.w[layer][: k + 1])
            self.delta[layer - 1][k] = self._gated(layer - 1, back, k)
            above = self.delta[layer - 1]
        self.w[0][k + 1] = (above[k].T @ self.x >> BITS) // (count * (k + 1))

    def _push(self, k: int, sliding: list[Unit]) -> None:
        """Velocities of order k; the gates of sliding units are such that their pre-activations stay what they are."""
        if k == 0:
            self.back = [np.zeros_like(values) for values in self.delta]
        if not sliding:
            self._backward(k)
            return

        def speeds(gates: list[int]) -> Any:
            for (layer, i, h), gate in zip(sliding, gates, strict=True):
                self.g[layer][k, i, h] = gate
            for layer in range(len(self.h)):
                self.a[layer][k] = self._gated(layer, self.h[layer], k)
            self._backward(k)
            self._forward(k + 1)
            return np.array([int(self.h[layer][k + 1, i, h]) for layer, i, h in sliding], dtype=object)

        gates = [int(self.g[layer][k, i, h]) for layer, i, h in sliding]
        for _ in range(1 if len(sliding) == 1 else 60):
            base = speeds(gates)
            if all(abs(int(v)) <= 16 for v in base):
                break
            columns = [
                speeds([g + (ONE if j == c else 0) for j, g in enumerate(gates)]) - base for c in range(len(gates))
            ]
            gates = [g + s for g, s in zip(gates, solved(np.array(columns).T, -base), strict=True)]
        speeds(gates)

    def _decide(self, near: list[Unit]) -> None:
        """Give sides to the units at their boundaries; those that slide already are decided anew."""
        near = sorted(
            {
                *near,
                *(
                    (layer, *place)
                    for layer, side in enumerate(self.sides)
                    for place in np.argwhere(side == 0).tolist()
                ),
            }
        )
        if len(near) > 6:
            raise Ambiguous("too many units at once")
        found = [
            each for picks in product((1, -1, 0), repeat=len(near)) if (each := self._tried(near, picks)) is not None
        ]
        if not found or any(max(map(abs, one - found[0][0])) > SMALL for one, _, _ in found):
            raise Ambiguous("not exactly one velocity is borne out")
        certain = [sides for _, sides, strict in found if strict] or [
            sides for _, sides, _ in found if self._rests(near, sides)
        ]
        if not certain or (len(certain) > 1 and found[0][2]):
            raise Ambiguous("the velocity does not tell the sides")
        before, self.sides = self.sides, certain[0]
        for layer, *place in near:
            now, then = self.sides[layer][tuple(place)], before[layer][tuple(place)]
            self.slides += int(now == 0 != then)
            self.crossings += int(now == -then != 0 and self.time > 0)

    def _tried(self, near: list[Unit], picks: tuple[int, ...]) -> tuple[Any, list[Any], bool] | None:
        """If the sides are borne out: the velocity, all sides, and whether they are so strictly."""
        sides = [side.copy() for side in self.sides]
        for unit, pick in zip(near, picks, strict=True):
            sides[unit[0]][unit[1:]] = pick
        silent = self._silent(sides)
        if any(pick != -1 for unit, pick in zip(near, picks, strict=True) if unit in silent):
            return None
        try:
            w, h, gates = self._series(sides, 1)
        except ZeroDivisionError:  # a sliding unit whose gate does not matter: another assignment says the same
            return None
        slacks = [
            min(int(gates[unit][0]) - self.slope, ONE - int(gates[unit][0]))
            if pick == 0
            else pick * int(h[unit[0]][1][unit[1:]])
            for unit, pick in zip(near, picks, strict=True)
            if unit not in silent
        ]
        if any(slack < -SMALL for slack in slacks):
            return None
        return np.concatenate([matrix[1].reshape(-1) for matrix in w]), sides, all(slack > SMALL for slack in slacks)

    def _rests(self, near: list[Unit], sides: list[Any]) -> bool:
        """Whether the units stay exactly at zero, inactive: zero neurons that nothing moves."""
        if any(sides[unit[0]][unit[1:]] != -1 for unit in near):
            return False
        _, h, _ = self._series(sides, ORDER)
        return all(abs(int(value)) <= SMALL for layer, i, j in near for value in h[layer][:, i, j])

    @staticmethod
    def _at(series: Any, t: int) -> Any:
        value = series[-1]
        for coefficient in series[-2::-1]:
            value = (value * t >> BITS) + coefficient
        return value

    def _reach(self, w: list[Any], gates: dict[Unit, Any]) -> int:
        """A step after which the last terms of all series are negligible."""
        steps = [ONE]
        for k in (ORDER - 2, ORDER - 1):
            size = max(
                [max(abs(int(c)) for c in matrix[k].reshape(-1)) for matrix in w]
                + [abs(int(g[k])) for g in gates.values()]
            )
            if size:
                steps.append(int(ONE * 0.9 * (ACCURATE / (size / ONE)) ** (1 / k)))
        return min(steps)

    def run(self, horizon: Any) -> list[Any]:
        """The weights at the horizon, as floats."""
        end = fixed(horizon)
        while self.time < end:
            w, h, gates = self._series(self.sides, ORDER)
            gates = {unit: series[:-1] for unit, series in gates.items()}  # the last gate would need one order more
            step = min(self._reach(w, gates), end - self.time)
            silent, met = self._silent(self.sides), []
            for unit in self._units():
                layer, i, j = unit
                if unit in silent:
                    continue
                if unit in gates:
                    watched = [
                        gates[unit] - self._low(gates[unit], self.slope),
                        self._low(gates[unit], ONE) - gates[unit],
                    ]
                else:
                    watched = [h[layer][:, i, j] * int(self.sides[layer][i, j])]
                for series in watched:
                    when = self._first_zero(series, step)
                    if when is not None and when <= step:
                        met = [unit] if when < step else [*met, unit]
                        step = when
            self.weights = [self._at(matrix, step) for matrix in w]
            self.time += step
            if met:
                signals = self._signals()
                self._decide([u for u in self._units() if abs(int(signals[u[0]][u[1:]])) <= SMALL])
        return [floats(matrix) for matrix in self.weights]

    @staticmethod
    def _low(series: Any, value: int) -> Any:
        constant = np.zeros_like(series)
        constant[0] = value
        return constant

    def _first_zero(self, series: Any, step: int) -> int | None:
        """When a series that is positive at first is negative; None when it is not on a grid of the step."""
        low = high = 0
        for k in range(1, PIECES + 1):
            high = step * k // PIECES
            if self._at(series, high) < -SMALL:
                break
            low = high
        else:
            return None
        while high - low > 1:
            middle = (low + high) >> 1
            low, high = (low, middle) if self._at(series, middle) < 0 else (middle, high)
        return high


def solved(matrix: Any, right: Any) -> list[int]:
    """Gaussian elimination in fixed point; a singular matrix raises ZeroDivisionError."""
    rows = [[*(int(v) for v in row), int(b)] for row, b in zip(matrix, right, strict=True)]
    n = len(rows)
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(rows[r][k]))
        rows[k], rows[best] = rows[best], rows[k]
        if abs(rows[k][k]) <= SMALL:
            raise ZeroDivisionError
        rows[k] = [(v << BITS) // rows[k][k] for v in rows[k]]
        for r in range(n):
            if r != k:
                rows[r] = [a - (rows[r][k] * b >> BITS) for a, b in zip(rows[r], rows[k], strict=True)]
    return [row[-1] for row in rows]
