"""How far float64 descent may be from the exact one: the same steps with eleven more bits, and every sign that they
leave open.

Gates make descent discontinuous, so no bound holds where the sign of a pre-activation is a matter of round-off; there
it is infinite. Elsewhere the gap to extended precision is the error of float64, up to that of extended precision
itself, which is 2^-11 times as large.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.checks import checked_count, checked_layers, checked_rate, checked_slope
from refute.models.dataset import Dataset
from refute.models.gradient import pulled_back
from refute.models.loss import SQUARE, Loss
from refute.models.network import DeepNetwork, TwoLayer, as_deep

Floats = NDArray[np.float64]
MORE = 2.0**-8  # the error of extended precision over the gap between the two, eight times too much
UNIT = 2.0**-60  # the error of one operation in extended precision, eight times too much


def rounding_bound(
    net: TwoLayer | DeepNetwork,
    data: Dataset,
    loss: Loss = SQUARE,
    *,
    rate: float,
    steps: int,
    reached: Sequence[Floats],
    slope_at_zero: float,
    trained: Sequence[bool] | None = None,
) -> float:
    """A bound on the distance of the weights `reached` in float64 (one matrix per layer) from exact descent.

    It is infinite where a sign is open, or where the descent overflows.

    The exact descent starts from the same float64 numbers: `net`, `data` and `rate` are rounded once, before the first
    step.
    """
    if np.finfo(np.longdouble).nmant < 63:
        raise BadInput("this platform has no extended precision", "compare with ball_descent instead")
    lifted: DeepNetwork = lift(as_deep(net) if isinstance(net, TwoLayer) else net, FLOAT)
    if [matrix.shape for matrix in lifted.weights] != [np.shape(matrix) for matrix in reached]:
        raise BadInput(
            f"reached has shapes {[np.shape(m) for m in reached]}, the network {[m.shape for m in lifted.weights]}"
        )
    slope = checked_slope(lifted.slope)
    at_zero = checked_slope(slope_at_zero, "slope_at_zero")
    moves = checked_layers(trained, len(lifted.weights))
    rough, fine = (
        _Descent(lifted, lift(data, FLOAT), loss, checked_rate(rate), at_zero, moves, kind)
        for kind in (float, np.longdouble)
    )
    for now in range(checked_count(steps, "steps")):
        with np.errstate(over="ignore", invalid="ignore"):
            seen = list(zip(rough.step(), fine.step(), strict=True))
        if not all(np.isfinite(matrix).all() for matrix in (*rough.weights, *fine.weights)):
            return float("inf")
        if slope < 1 and any(_open(*pair, layer, fine if now == 0 else None) for layer, pair in enumerate(seen)):
            return float("inf")
    gap, apart = (_gap(fine.weights, other) for other in (reached, rough.weights))
    size = max(float(np.abs(matrix).max(initial=0)) for matrix in fine.weights)
    return float(gap + MORE * max(gap, apart) + (1 + steps) * UNIT * size)


def _gap(one: Sequence[Any], other: Sequence[Any]) -> float:
    return max(float(np.abs(a - b).max(initial=0)) for a, b in zip(one, other, strict=True))


def _open(rough: Any, fine: Any, layer: int, start: "_Descent | None") -> bool:
    """Whether a sign in this layer is unknown; sums of zeros are zero, and the first signals of all are computed
    exactly.
    """
    signals, terms = fine
    doubt = MORE * np.abs(signals - rough[0]).max(initial=0) + UNIT * terms
    unsure = (np.abs(signals) <= doubt) & (terms > 0)
    if start is None or layer > 0:
        return bool(unsure.any())
    return any(_exact_sign(start, int(i), int(h)) != np.sign(signals[i, h]) for i, h in np.argwhere(unsure))


def _exact_sign(start: "_Descent", sample: int, neuron: int) -> int:
    pairs = zip(start.inputs[sample], start.first[neuron], strict=True)
    total = sum((Fraction(float(a)) * Fraction(float(b)) for a, b in pairs), Fraction(0))
    return (total > 0) - (total < 0)


class _Descent:
    """Weights in one precision, moved step by step."""

    def __init__(
        self, net: DeepNetwork, data: Dataset, loss: Loss, rate: float, at_zero: float, moves: Any, kind: Any
    ) -> None:
        self.weights = [np.asarray(matrix, dtype=kind) for matrix in net.weights]
        self.first = self.weights[0]
        self.inputs, self.labels = np.asarray(data.inputs, dtype=kind), np.asarray(data.labels, dtype=kind)
        self.scale = kind(rate) / (len(data.labels) if loss.averaged else 1)
        self.table = np.array([net.slope, at_zero, 1.0], dtype=kind)
        self.loss, self.moves = loss, moves

    def step(self) -> list[tuple[Any, Any]]:
        """One step; the hidden signals before it, with the sums of the sizes of their terms."""
        active, gates, seen = [self.inputs], [], []
        for matrix in self.weights[:-1]:
            signals = active[-1] @ matrix.T
            seen.append((signals, np.abs(active[-1]) @ np.abs(matrix.T)))
            gates.append(self.table[np.nan_to_num(np.sign(signals)).astype(int) + 1])
            active.append(signals * gates[-1])
        residual = self.loss.residual(self.labels, (active[-1] @ self.weights[-1].T)[:, 0])
        pushes = pulled_back(self.weights, active, gates, self.scale * residual[:, None])
        moving = zip(self.weights, pushes, self.moves, strict=True)
        self.weights = [matrix + push if moves else matrix for matrix, push, moves in moving]
        return seen
