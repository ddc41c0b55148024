r"""The early phase from initial scales far below any floating-point weight: what the flow adds to its linear
approximation.

From W(0) = w V(0) with w -> 0 the weights follow the linear system of models.reference.early_phase, which grows like E
= e^{kt}, and the cubic terms change them by little: W = W~ - w^3 E^3 d. A difference of two flows would drown in
round-off, so d is integrated itself,
    d/d(kt) d = (M - 3) d + N(V) / (k tau),    V = W/(w E) = W~/(w E) - w^2 E^2 d,    N cubic,    M = [[0, b], [b^T,
    0]].
All quantities are of order one and only log(1/w) enters: w = 10^-100 costs as much as 10^-10. Where the inputs are not
even or the labels not odd the linear system is another one; the change is then as large as the weights, and
`gradient_flow` finds it.
"""

from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.flow.lines import lines_through
from refute.models.flow.solve import gradient_flow
from refute.models.loss import SQUARE
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
TOLERANCE = 1e-8  # of a step, relative to the change alone; a kink within a step may cost a hundred times as much
ACCURACY = 1e-4  # of the change at the end, on the safe side
BUDGET = 100_000  # steps; a smooth run takes a few hundred


@dataclass(frozen=True, slots=True, eq=False)
class EarlyFlow:
    """Weights over w at each part of the interval and for each w: shape (parts, scales, width, dimension + 1), the last
    column W2.

    `growing` is the first term of the linear solution, `rest` its other two, `change` what the flow adds: their sum is
    W/w.
    """

    growing: Floats
    rest: Floats
    change: Floats

    @property
    def weights(self) -> Floats:
        return self.growing + self.rest + self.change

    @property
    def error(self) -> Floats:
        """W/w minus the growing term, without cancellation."""
        return self.rest + self.change


def growth_share(data: Dataset, slope: float) -> float:
    r"""p with e^{kT} = w^{-p} at the end T = tau/(s + Tr Sigma) ln(1/w) of the early phase: (alpha + 1) s / (2 (s + Tr
    Sigma)) < 1.
    """
    size = float(np.linalg.norm(np.asarray(data.correlation, dtype=float)))
    return (1 + slope) * size / (2 * (size + float(np.trace(np.asarray(data.covariance, dtype=float)))))


def early_flow(net: TwoLayer, data: Dataset, scales: Floats, growths: Floats, parts: Floats) -> EarlyFlow:
    """Square loss, from w V(0) for each w = e^-scale, V(0) the weights of `net`: W/w when kt is each part (from 0 on)
    of its `growth`.
    """
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    size = float(np.linalg.norm(data.correlation))
    if size == 0:
        raise BadInput(
            "inputs and labels are uncorrelated: s = |beta| = 0", "the early phase has no direction of growth"
        )
    b = data.correlation / size
    along = net.inner @ b
    up, down = np.outer(along + net.outer, [*b, 1.0]) / 2, np.outer(along - net.outer, [*b, -1.0]) / 2
    still = np.column_stack([net.inner - np.outer(along, b), 0 * net.outer])
    grown = np.multiply.outer(parts, growths)[..., None, None]
    growing, rest = up * np.exp(grown), down * np.exp(-grown) + still
    rate = (1 + net.slope) * size / 2  # k tau
    if net.slope == 1 or _symmetric(data):
        moved = _cubic_change(net, data, np.stack([up, down, still]), rate, scales, growths, parts)
        change = -np.exp(3 * grown - 2 * scales[:, None, None]) * moved
    else:
        change = _weights(net, data, rate, scales, growths, parts) - growing - rest
    return EarlyFlow(growing, rest, change)


def _symmetric(data: Dataset) -> bool:
    """Whether <y sign(z) x> = 0 for all neurons, line by line, as with odd labels and even inputs. fsum rounds once:
    zero stays zero.
    """
    lines = lines_through(data.inputs)
    pulls = np.abs(lines.factors) * data.labels
    return not any(fsum(pulls[lines.index == line]) for line in range(len(lines.directions)))


def _cubic_change(
    net: TwoLayer, data: Dataset, linear: Floats, rate: float, scales: Floats, growths: Floats, parts: Floats
) -> Floats:
    """d at all parts and scales."""
    from refute.models.zhang2024.early_steps import follow

    b, x = data.correlation / np.linalg.norm(data.correlation), np.array(data.inputs)
    floor = 1e-6 * TOLERANCE * float(np.trace(data.covariance)) * float(np.abs(linear).max()) ** 3 / rate
    runs = [
        follow(parts * growth, linear, b, x, float(net.slope), rate, float(scale), TOLERANCE, floor, BUDGET)
        for scale, growth in zip(scales, growths, strict=True)
    ]
    if np.isnan(runs).any():
        raise BadInput("the early phase takes too many steps: a neuron slides along a boundary", "use gradient_flow")
    return np.stack(runs, axis=1)


def _weights(net: TwoLayer, data: Dataset, rate: float, scales: Floats, growths: Floats, parts: Floats) -> Floats:
    """W/w from the flow itself."""
    found = []
    for scale, growth in zip(scales, growths, strict=True):
        w = np.exp(-scale)
        run = gradient_flow(net.with_weights(w * net.inner, w * net.outer), data, SQUARE, parts * growth / rate)
        found.append(np.concatenate([run.inner, run.outer[..., None]], axis=-1) / w)
    return np.stack(found, axis=1)
