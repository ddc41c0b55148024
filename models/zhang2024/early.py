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
from refute.language.limits import SMALL, Logs
from refute.models.dataset import Dataset
from refute.models.flow.lines import lines_through
from refute.models.flow.solve import gradient_flow
from refute.models.loss import SQUARE
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
TINY = SMALL[:5]  # the scales w at which limits are judged: below 10^-80 squares underflow
SCALES = -np.log(TINY)
TOLERANCE = 1e-8  # of a step, relative to the change alone; a kink within a step may cost a hundred times as much
ACCURACY = 1e-4  # of the change at the end, on the safe side
BUDGET = 30_000  # steps; a smooth run takes a few hundred
HOPELESS = 1e9  # the relative error of a run that spent its budget: it decides nothing


@dataclass(frozen=True, slots=True, eq=False)
class EarlyFlow:
    """Weights over w at each part of the interval and for each w: shape (parts, scales, width, dimension + 1), the last
    column W2.

    `growing` is the first term of the linear solution, `rest` its other two, `change` what the flow adds: their sum is
    W/w. `missed` bounds the error of the change, in norm, at each part and scale; where the change is
    not known it is hopeless.
    """

    growing: Floats
    rest: Floats
    change: Floats
    missed: Floats

    @property
    def weights(self) -> Floats:
        return self.growing + self.rest + self.change

    @property
    def error(self) -> Floats:
        """W/w minus the growing term, without cancellation."""
        return self.rest + self.change

    def largest(self, over_w: Floats, per: Floats | None = None) -> Logs:
        """The logarithm of the largest norm over time of a part of the weights, given over w, or of that relative to
        `per`, at the scales `TINY`.
        """
        scale = 1 / np.array(TINY) if per is None else per
        found, missed = (values / scale for values in (norms(over_w), self.missed))
        size = found.max(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return Logs(np.log(size), np.where(size > 0, missed.max(axis=0) / size, 0.0))


def norms(layers: Floats) -> Floats:
    """The norms of all weights together at each part and scale; their squares may be too small for a float."""
    top = np.abs(layers).max(axis=(2, 3), keepdims=True)
    scaled = layers / np.where(top > 0, top, 1.0)
    found: Floats = top[..., 0, 0] * np.sqrt((scaled**2).sum(axis=(2, 3)))
    return found


def unit_layers(net: TwoLayer, ratio: float = 1.0) -> TwoLayer:
    """Directions of a start: both layers of norm one, or the second one of norm `ratio`."""
    return net.with_weights(net.inner / np.linalg.norm(net.inner), ratio * net.outer / np.linalg.norm(net.outer))


def whole_phase(net: TwoLayer, data: Dataset, *, stretch: float = 1.0, slope: float | None = None) -> EarlyFlow:
    """Weights over w from these directions on the whole early phase of `data` and `net`, for all scales; of the network
    of another slope, or with time stretched, if asked.
    """
    moving = net if slope is None else net.with_slope(slope)
    growths = stretch * growth_share(data, net.slope) * SCALES
    return early_flow(moving, data, SCALES, growths, np.linspace(0.0, 1.0, 5))


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
        lost = np.asarray(np.isnan(moved).any(axis=(2, 3)))  # a neuron that does not grow may slide along a boundary
        change = -np.exp(3 * grown - 2 * scales[:, None, None]) * np.where(lost[..., None, None], 0.0, moved)
        missed = np.where(lost, HOPELESS * norms(growing + rest), ACCURACY * norms(change))
        return EarlyFlow(growing, rest, change, missed)
    weights, error = _weights(net, data, rate, scales, growths, parts)
    return EarlyFlow(growing, rest, weights - growing - rest, np.sqrt(weights[0, 0].size) * error)


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
    """d at all parts and scales, NaN where it takes too many steps."""
    from refute.models.zhang2024.early_steps import follow

    b, x = data.correlation / np.linalg.norm(data.correlation), np.array(data.inputs)
    floor = 1e-6 * TOLERANCE * float(np.trace(data.covariance)) * float(np.abs(linear).max()) ** 3 / rate
    runs = [
        follow(parts * growth, linear, b, x, float(net.slope), rate, float(scale), TOLERANCE, floor, BUDGET)
        for scale, growth in zip(scales, growths, strict=True)
    ]
    return np.stack(runs, axis=1)


def _weights(
    net: TwoLayer, data: Dataset, rate: float, scales: Floats, growths: Floats, parts: Floats
) -> tuple[Floats, Floats]:
    """W/w from the flow itself, with the error of each weight at all parts and scales.

    The bound of a run is that of its end, so each part has a run of its own.
    """
    found = np.empty((len(parts), len(scales), net.width, len(data.inputs[0]) + 1))
    errors = np.empty((len(parts), len(scales)))
    for k, scale in enumerate(scales):
        w = np.exp(-scale)
        start = net.with_weights(w * net.inner, w * net.outer)
        for j, part in enumerate(parts):
            run = gradient_flow(start, data, SQUARE, np.array([part * growths[k] / rate]))
            found[j, k] = np.concatenate([run.inner[0], run.outer[0][:, None]], axis=-1) / w
            errors[j, k] = run.error / w
    return found, errors
