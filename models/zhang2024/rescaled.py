r"""Training of a (leaky) ReLU network, and of the linear network that Theorem 5 sets beside it.

The linear network starts at $\sqrt{(\alpha+1)/2}$ times the weights. Weights come with the error of the integrator, and
so does what is computed from them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.functions import leaky_relu
from refute.models.dataset import Dataset
from refute.models.flow import Trajectory, gradient_flow, scaled
from refute.models.gradient import Residual
from refute.models.loss import Loss
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
Training = Residual | Loss
TIMES = np.linspace(0.0, 2.0, 9)  # in units of tau


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
        return (self.outer[:, :, None] * leaky_relu(self.inner @ x.T, self.slope)).sum(axis=1)


def flow(net: TwoLayer, data: Dataset, loss: Training, times: Floats, tau: float, tolerance: float) -> Course:
    """Gradient flow with the time constant tau, at `times` in units of tau."""
    return Course.of(gradient_flow(net, data, loss, times * tau, tau=tau, tolerance=tolerance))


def linear_flow_beside(
    net: TwoLayer, data: Dataset, loss: Training, times: Floats, tau: float, tolerance: float
) -> Callable[[float], Course]:
    """The linear network, by the speed of its clock."""
    start = scaled(net, ((1 + net.slope) / 2) ** 0.5, 1.0)
    return cache(lambda speed: flow(start, data, loss, speed * times, tau, tolerance))


def fresh_points(data: Dataset) -> Floats:
    """The data, the axes in both directions, and points that are not symmetric."""
    axes = np.eye(data.inputs.shape[1])
    return np.vstack([data.inputs, axes, -axes, 0.5 - data.inputs])


def certain_times(net: TwoLayer, data: Dataset) -> Floats:
    """Times at which the flow of any field that grows like the cube of the weights still exists."""
    weights = float((net.inner**2).sum() + (net.outer**2).sum())
    reach = float((data.inputs**2).sum(axis=1).max())
    return np.asarray(TIMES / (4 * (1 + weights) * (1 + reach)))
