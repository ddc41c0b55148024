r"""Gradient descent of a deep network from small weights, with plateaus crossed in long steps.

On a plateau one step of descent moves the weights by a tiny part of themselves, and descent is the gradient flow to
that order. There a Runge-Kutta method (Bogacki and Shampine, order 3(2)) takes steps as long as its error estimate
allows, stepping over kinks; where the loss moves, or the step would be shorter than `SHORTEST` steps of descent, the
plain steps W <- W - rate grad L are taken. The time at which a plateau ends is met to a few per cent; what is learnt
depends on it little. The lengths of the steps are powers of two, so that the last digits of the estimates, in which
processors differ, do not reach what is learnt. Square loss, full batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from refute.arithmetic.numbers import FLOAT
from refute.language.case import lift
from refute.models.checks import check_finite, checked_count, checked_rate, checked_slope, finite
from refute.models.dataset import Dataset
from refute.models.zhang2024.fixed_slope import DeepField, joined

Floats = NDArray[np.float64]
TOLERANCE = 1e-3  # of a long step, relative to the largest weight of each layer
SHORTEST = 8.0
FLAT = 0.01  # the largest relative change of the loss in a long step
SETTLED = 1e-6  # with a loss this small, relative to the first one, training is over


@dataclass(frozen=True, slots=True, eq=False)
class FromSmall:
    """Weights and loss at some steps of size `rate`: weights[k][l] is layer l at steps[k]."""

    steps: Floats
    weights: tuple[tuple[Floats, ...], ...]
    loss: Floats

    def first_below(self, part: float) -> int:
        """The first record whose loss is below `part` of the first one; the last record if there is none."""
        below = np.flatnonzero(self.loss < part * self.loss[0])
        return int(below[0]) if below.size else len(self.loss) - 1

    def when(self, part: float) -> tuple[Floats, ...]:
        """The weights there."""
        return self.weights[self.first_below(part)]


def descend_from_small(
    weights: Sequence[Floats],
    data: Dataset,
    *,
    rate: float,
    steps: int,
    every: int = 50,
    slope: float = 0.0,
    settled: float = SETTLED,
) -> FromSmall:
    """Train for `steps` steps or until the loss has settled; recorded after long steps and every `every` plain ones.
    sigma'(0) = slope.
    """
    layers = [finite(matrix, f"weights[{k}]") for k, matrix in enumerate(weights)]
    rate, slope, every = checked_rate(rate), checked_slope(slope), checked_count(every, "every", 1)
    field, state = DeepField([matrix.shape for matrix in layers], data, slope, slope), joined(layers)
    velocity, first = field.descent(state)
    now, stride, loss = 0.0, SHORTEST, first
    shots = [(now, state, loss)]
    with threadpool_limits(1):  # threads that wait for a busy core cost more than they save
        while now < steps and loss > settled * first:
            if stride >= SHORTEST:
                stride = min(stride, max(steps - now, SHORTEST))
                ahead, error = _long_step(field, state, velocity, rate * stride)
                growth = min(3.0, max(0.2, 0.9 * error ** (-1 / 3))) if error > 0 else 3.0
                if error > 1 or abs(field.descent(ahead)[1] - loss) > FLAT * loss:
                    stride = _power_of_two(stride * min(growth, 0.5))
                    continue
                now, state, stride = now + stride, ahead, _power_of_two(stride * growth)
            else:
                for _ in range(every):
                    state = state + rate * field.descent(state)[0]
                now, stride = now + every, SHORTEST
            check_finite(np.isfinite(state).all(), int(now), rate)
            velocity, loss = field.descent(state)
            shots.append((now, state, loss))
    found = tuple(tuple(field.layers(s)) for _, s, _ in shots)
    return FromSmall(np.array([step for step, _, _ in shots]), found, np.array([value for _, _, value in shots]))


def _power_of_two(stride: float) -> float:
    """The largest one that is not longer."""
    return float(2.0 ** np.floor(np.log2(stride)))


def _long_step(field: DeepField, state: Floats, velocity: Floats, h: float) -> tuple[Floats, float]:
    """A step of Bogacki and Shampine, and its error over the tolerance."""
    second = field.descent(state + h / 2 * velocity)[0]
    third = field.descent(state + 3 * h / 4 * second)[0]
    ahead = state + h / 9 * (2 * velocity + 3 * second + 4 * third)
    gap = h * (-5 / 72 * velocity + second / 12 + third / 9 - field.descent(ahead)[0] / 8)
    sizes = zip(field.layers(gap), field.layers(ahead), strict=True)
    return ahead, max(float(np.abs(part).max() / (TOLERANCE * np.abs(layer).max() + 1e-300)) for part, layer in sizes)


def moments_only(data: Dataset) -> Dataset:
    """As many samples as dimensions with the same Sigma and beta, all that a linear network sees; the loss differs by a
    constant.
    """
    data = lift(data, FLOAT)
    q, r = np.linalg.qr(data.inputs)
    share = np.sqrt(r.shape[0] / len(data.labels))
    return Dataset(share * r, share * (q.T @ data.labels))
