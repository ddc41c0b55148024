r"""Training of a (leaky) ReLU network, and of the linear network that Theorem 5 sets beside it.

The linear network starts at $\sqrt{(\alpha+1)/2}$ times the weights. Weights come with the error of the integrator, and
so does what is computed from them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import leaky_relu, sqrt
from refute.models.dataset import Dataset
from refute.models.flow import Trajectory, gradient_flow, scaled
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE, Loss
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
Training = Loss
LinearCourse = Callable[[float], "Course"]
TIMES = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0])  # in units of tau
LATE_TIMES = 1.8 ** np.array([0.5, 1.0, 2.0, 4.0, 8.0])  # their logarithms double
UNCORRELATED = 1e-9  # an s, or an eigenvalue, that is round-off


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """Both layers over time: (times, width, dimension) and (times, width)."""

    inner: Enclosed
    outer: Enclosed
    slope: float

    @classmethod
    def of(cls, run: Trajectory) -> "Course":
        return cls(Enclosed(run.inner, run.error), Enclosed(run.outer, run.error), run.slope)

    @property
    def linear_map(self) -> Enclosed:
        """W2 W1 at each time."""
        return (self.outer[:, :, None] * self.inner).sum(axis=1)

    @property
    def squared_norms(self) -> tuple[Enclosed, Enclosed]:
        """|W1|^2 and |W2|^2 at each time."""
        return (self.inner * self.inner).sum(axis=(1, 2)), (self.outer * self.outer).sum(axis=1)

    def outputs(self, x: Floats) -> Enclosed:
        """f(x; W(t)) for rows of points x: (times, points)."""
        hidden: Enclosed = leaky_relu(self.inner @ x.T, self.slope)
        return (self.outer[:, :, None] * hidden).sum(axis=1)


def flow(net: TwoLayer, data: Dataset, loss: Loss, times: Floats, tau: float, tolerance: float) -> Course:
    """Gradient flow with the time constant tau, at `times` in units of tau."""
    return Course.of(gradient_flow(net, data, loss, times * tau, tau=tau, tolerance=tolerance))


def linear_flow_beside(
    net: TwoLayer, data: Dataset, loss: Loss, times: Floats, tau: float, tolerance: float, factor: float | None = None
) -> LinearCourse:
    """The linear network, by the speed of its clock; it starts at the weights over the factor, sqrt(2/(alpha+1)) if
    none is given.
    """
    factor = (2 / (1 + net.slope)) ** 0.5 if factor is None else factor
    start = scaled(net, 1 / factor, 1.0)
    return cache(lambda speed: flow(start, data, loss, speed * times, tau, tolerance))


def rates(net: TwoLayer, data: Dataset) -> tuple[float, float]:
    """At which the weights leave the saddle at zero, s = |beta|, and the slowest one in the linearisation at least
    squares.
    """
    size = float(np.linalg.norm(data.correlation))
    if size < UNCORRELATED:
        raise BadInput("inputs and labels are not correlated, and the time scale is 1/s")
    least = np.linalg.lstsq(data.inputs, data.labels, rcond=None)[0]
    spread = np.linalg.eigvalsh(data.covariance)
    slowest = float(min(value for value in spread if value > UNCORRELATED * spread[-1]))
    return size, slowest * float(np.linalg.norm(least))


def late_times(net: TwoLayer, data: Dataset) -> Floats:
    """The times `LATE_TIMES`, in units in which training of the square loss settles: five e-folds of both rates."""
    half = (1 + net.slope) / 2
    return np.asarray(LATE_TIMES * sum(5 / (half * rate) for rate in rates(net, data)))


def fresh_points(data: Dataset) -> Floats:
    """The data, the axes in both directions, and points that are not symmetric."""
    axes = np.eye(data.inputs.shape[1])
    return np.vstack([data.inputs, axes, -axes, 0.5 - data.inputs])


def certain_times(net: TwoLayer, data: Dataset) -> Floats:
    """Times at which the flow of any field that grows like the cube of the weights still exists."""
    weights = float((net.inner**2).sum() + (net.outer**2).sum())
    reach = float((data.inputs**2).sum(axis=1).max())
    return np.asarray(TIMES / (2 * TIMES[-1] * (1 + weights) * (1 + reach)))


def linear_beside(net: TwoLayer) -> TwoLayer:
    """The linear network at the start, in the arithmetic of the weights."""
    factor = sqrt((1 + net.slope) / 2)
    return net.with_weights(net.inner * factor, net.outer * factor).with_slope(net.slope * 0 + 1)


def descend(net: TwoLayer, data: Dataset, rate: Number, steps: int) -> list[TwoLayer]:
    """The networks after 1, 2, ... steps of gradient descent on the square loss."""
    found = [net]
    for _ in range(steps):
        inner, outer = descent_direction(found[-1], data, SQUARE, (1 + net.slope) / 2)
        found.append(net.with_weights(found[-1].inner + rate * inner, found[-1].outer + rate * outer))
    return found[1:]


def stacked(nets: Sequence[TwoLayer]) -> tuple[Array, Array]:
    """Both layers of all networks."""
    return np.stack([net.inner for net in nets]), np.stack([net.outer for net in nets])
