r"""Where training ends: linear maps and directions at late times, or far along the curve of the weights."""

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.models.dataset import Dataset
from refute.models.flow.direction import follow_to_margin
from refute.models.loss import LOGISTIC, Loss
from refute.models.network import TwoLayer
from refute.models.zhang2024.rescaled import Course, flow, late_times, linear_flow_beside

Floats = NDArray[np.float64]
MARGINS = (10**0.625, 10**1.25, 10**2.5, 1e5)  # at the last one the loss is about e^(-100000)
RESOLVED = 1e-7  # of directions, by the tolerance of the integrator


def late_course(net: TwoLayer, data: Dataset, loss: Loss, tolerance: float) -> Course:
    """The flow at `late_times`, with tau = 1."""
    return flow(net, data, loss, late_times(net, data), 1.0, tolerance)


def late_linear_course(net: TwoLayer, data: Dataset, loss: Loss, tolerance: float) -> Course:
    """The linear network of Theorem 5 at the same times."""
    return linear_flow_beside(net, data, loss, late_times(net, data), 1.0, tolerance)(1.0)


def linear_part(course: Course) -> Enclosed:
    """(alpha + 1)/2 W2 W1 at each time: the network itself when it is odd."""
    return (1 + course.slope) / 2 * course.linear_map


def directions(net: TwoLayer, data: Dataset, loss: Loss = LOGISTIC) -> Enclosed:
    """The direction of the linear part where the smallest margin y_i f(x_i) reaches `MARGINS`; unknown where the
    integrator did not get that far.
    """
    ends = [follow_to_margin(net, data, margin, sign=loss.sign) for margin in MARGINS]
    sizes = [max(float(np.linalg.norm(end.linear_part)), 1e-300) for end in ends]
    errors = [[np.inf if end.spent else RESOLVED] for end in ends]
    return Enclosed([end.linear_part / size for end, size in zip(ends, sizes, strict=True)], errors)
