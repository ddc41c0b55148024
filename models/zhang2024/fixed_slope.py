r"""Gradient flow of a deep network with sigma'(0) fixed, by a Runge-Kutta method that steps over kinks. Square loss.

For networks that are too wide to follow every unit (models.flow.deep does that), and for weights on which a whole layer
of units rests at zero and sigma'(0) decides what happens. The error is the gap to a coarser run; kinks on the way make
both steps and the gap small.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853

from refute.arithmetic.numbers import FLOAT
from refute.decide.confirmation import REPEATED, answered
from refute.errors import Diverged
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.training import Stop

Floats = NDArray[np.float64]
TOUCHES = 1e-13  # a pre-activation this small, relative to the largest one of its layer, is zero
COARSER = 30.0
TOO_LARGE = 1e8
BUDGET = 3_000  # evaluations of one run
HOPELESS = 1e9  # the error of a run that spent its budget: it decides nothing


@dataclass(frozen=True, slots=True, eq=False)
class FixedSlopeFlow:
    """weights[l] has shape (times, rows, columns); `error` bounds every weight."""

    time: Floats
    weights: tuple[Floats, ...]
    error: float


class DeepField:
    """Minus the gradient of <(y - f)^2>/2 as a function of all weights in one vector."""

    def __init__(
        self, shapes: Sequence[tuple[int, ...]], data: Dataset, slope: float = 0.0, at_zero: float = 0.0
    ) -> None:
        data = lift(data, FLOAT)
        self.shapes, self.x, self.y = list(shapes), data.inputs, data.labels
        self.slope, self.at_zero = slope, at_zero
        self.cuts = np.cumsum([rows * columns for rows, columns in self.shapes])[:-1]

    def layers(self, state: Floats) -> list[Floats]:
        return [part.reshape(shape) for part, shape in zip(np.split(state, self.cuts), self.shapes, strict=True)]

    def gates(self, pre: Floats) -> Floats:
        opened = np.where(pre > 0, 1.0, self.slope)
        if self.at_zero == self.slope:
            small = TOUCHES * float(np.abs(pre).max(initial=0.0))
            return np.where(pre > small, 1.0, self.slope)
        return np.where(np.abs(pre) <= TOUCHES * np.abs(pre).max(initial=0.0), self.at_zero, opened)

    def descent(self, state: Floats) -> tuple[Floats, float]:
        """Minus the gradient, and the loss."""
        weights, signals, gates = self.layers(state), [self.x], []
        for matrix in weights[:-1]:
            pre = signals[-1] @ matrix.T
            gates.append(self.gates(pre))
            signals.append(pre * gates[-1])
        residual = self.y - (signals[-1] @ weights[-1].T)[:, 0]
        delta, found = (residual / len(residual))[:, None], []
        for level in range(len(weights) - 1, 0, -1):
            found.append((delta.T @ signals[level]).reshape(-1))
            delta = (delta @ weights[level]) * gates[level - 1]
        found.append((delta.T @ self.x).reshape(-1))
        return np.concatenate(found[::-1]), float(residual @ residual) / (2 * len(residual))


def joined(weights: Sequence[Floats]) -> Floats:
    """All weights in one vector."""
    return np.concatenate([np.asarray(matrix, dtype=float).reshape(-1) for matrix in weights])


def fixed_slope_flow(
    weights: Sequence[Floats],
    data: Dataset,
    times: Floats,
    *,
    slope: float = 0.0,
    at_zero: float = 0.0,
    tolerance: float = 1e-9,
) -> FixedSlopeFlow:
    """Integrate dW_l/dt = -grad L for all layers from time 0 to the given increasing times."""
    answered(REPEATED)
    field = DeepField([np.shape(matrix) for matrix in weights], data, slope, at_zero)
    (fine, finished), (coarse, also) = (
        _follow(field, joined(weights), times, part) for part in (tolerance, COARSER * tolerance)
    )
    gap = 2 * float(np.abs(fine - coarse).max(initial=0.0)) + 10 * tolerance * float(np.abs(fine).max(initial=0.0))
    states = zip(*(field.layers(state) for state in fine), strict=True)
    return FixedSlopeFlow(
        times, tuple(np.array(matrices) for matrices in states), gap if finished and also else HOPELESS
    )


def _follow(field: DeepField, state: Floats, times: Floats, tolerance: float) -> tuple[Floats, bool]:
    """The states at the times, and whether all were reached; after the budget is spent the state is held."""
    found, now, spent = np.tile(state, (len(times), 1)), 0.0, 0
    for k, end in enumerate(times):
        if end > now:
            floor = max(1e-3 * tolerance * float(np.abs(state).max()), 1e-290)
            solver = DOP853(
                lambda _, s: field.descent(s)[0], now, state, float(end), rtol=max(tolerance, 1e-13), atol=floor
            )
            while solver.status == "running":
                with np.errstate(over="ignore", invalid="ignore"):
                    solver.step()
                if spent + solver.nfev > BUDGET:
                    return found, False
                if solver.status == "failed" or not np.abs(solver.y).max() <= TOO_LARGE:
                    raise Diverged(f"training diverged at time {solver.t:.4g}", Stop.DIVERGED.value)
            now, state, spent = float(end), np.array(solver.y), spent + solver.nfev
        found[k:] = state
    return found, True
