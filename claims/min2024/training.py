r"""Runs at the scale of (28): starts, losses, cones reached, and what Appendix D measures on the way to zero loss.

The scale is exponentially small, so runs are log-polar. Directions are compared with unit inputs, on which `error`
bounds them.
"""

from fractions import Fraction
from typing import cast

import numpy as np
from numpy.typing import NDArray

from refute import Enclosed, Margin, all_of, any_of, at_most, less
from refute.arithmetic.numbers import Array
from refute.models import Dataset, TwoLayer
from refute.models.logpolar import LogPolarTrajectory
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC_SUM, TWICE_LOGISTIC_SUM, Loss, Shape
from refute.strategies import choice

Floats = NDArray[np.float64]
Directions = Floats | Enclosed
SQUARE_SUM = Loss(Shape.SQUARE, Fraction(1, 2), averaged=False)  # Remark 4
LOSSES: dict[str, Loss] = {
    "exponential": EXPONENTIAL_SUM,
    "twice logistic": TWICE_LOGISTIC_SUM,
    "logistic": LOGISTIC_SUM,
    "square": SQUARE_SUM,
}
ALL_LOSSES = choice("exponential", "twice logistic", "logistic")
APPENDIX_LOSSES = choice("exponential", "twice logistic")  # slope y at 0
PARTS = choice(
    "99/100", "1/2", "1/10"
)  # of the largest admissible zeta_1, zeta_2 and of mu^2: the constants are any admissible ones
# float64 follows directions to 1e-6 from e^{-DEEPEST}; (28) asks for less only with a neuron next to the wrong centre
DEEPEST = 2e8


def units(data: Dataset) -> Floats:
    """Inputs divided by their norms."""
    rows = np.asarray(data.inputs, dtype=float)
    unit: Floats = rows / np.linalg.norm(rows, axis=1)[:, None]
    return unit


def in_cone(direction: Directions, data: Dataset, label: int, error: float = 0.0) -> Margin:
    """Membership in S_+ (label 1) or S_- (label -1), of a direction or of many."""
    pre, own = direction @ units(data).T, data.labels == label
    return all_of(
        less(0.0, pre[..., own], f"0 against <u, x_i>/|x_i| on the data of class {label:+d}", error=error),
        at_most(
            pre[..., ~own],
            0.0,
            f"<u, x_i>/|x_i| on the other data, neuron in the cone of class {label:+d}",
            error=error,
        ),
    )


def in_dead(direction: Directions, data: Dataset, error: float = 0.0) -> Margin:
    """Membership in S_dead, of a direction or of many."""
    line = "<u, x_i>/|x_i| against 0: no datum is active"
    return at_most(direction @ units(data).T, 0.0, line, error=error)


def settled(direction: Directions, data: Dataset, sign: int, error: float = 0.0) -> Margin:
    """In the cone of its sign or dead."""
    return any_of(in_dead(direction, data, error), in_cone(direction, data, sign, error))


def slope_gap(loss: str, labels: Floats, outputs: Floats, target: float) -> Floats:
    """-dl/df - target y for labels +-1, without cancellation at small outputs."""
    z = labels * outputs
    if loss == "square":
        return labels * (1 - target) - outputs
    if loss == "exponential":
        return labels * (np.expm1(-z) + (1 - target))
    half = float(LOSSES[loss].factor) / 2
    return labels * (half - target - half * np.tanh(z / 2))


def direction_errors(run: LogPolarTrajectory, data: Dataset, loss: str, slope: float, target: float) -> Floats:
    """|d/dt w_j/|w_j| - target sign(v_j) P x_a(w_j)| at all times of a run, for every neuron."""
    pre = run.direction @ data.inputs.T
    gates = np.where(pre > 0, 1.0, slope)
    push = (gates * slope_gap(loss, data.labels, run.output, target)[:, None, :]) @ data.inputs
    across = push - (push * run.direction).sum(axis=-1, keepdims=True) * run.direction
    sizes: Floats = np.linalg.norm(across, axis=-1)
    return sizes


def turning_errors(
    run: LogPolarTrajectory, data: Dataset, loss: str, slope: float = 0.0, target: float = 1.0
) -> Enclosed:
    """The same with their error: that of the outputs moves the slopes of the loss by at most twice as much, that of the
    directions turns what is left of the push.
    """
    gap = float(np.abs(slope_gap(loss, data.labels, run.output, target)).max())
    doubt = run.output_error + data.inputs.shape[1] * gap * run.error
    return Enclosed(direction_errors(run, data, loss, slope, target), 2 * float(np.abs(data.inputs).sum()) * doubt)


def network(start: Balanced, outer: Array) -> TwoLayer:
    """The inner weights of a start with any outer weights, in any arithmetic."""
    return TwoLayer.with_weights(
        cast(TwoLayer, start), start.shape, outer
    )  # only the slope of the first argument is read
