r"""Where training ends: linear maps at late times, directions at times up to 10^160."""

import numpy as np

from refute.arithmetic.enclosed import Enclosed
from refute.functions import sqrt
from refute.language.limits import HORIZONS
from refute.models.dataset import Dataset
from refute.models.loss import SQUARE, Loss
from refute.models.network import TwoLayer
from refute.models.zhang2024.rescaled import Course, flow, late_times, linear_flow_beside


def late_course(net: TwoLayer, data: Dataset, tolerance: float) -> Course:
    """Training with the square loss at `late_times`, with tau = 1."""
    return flow(net, data, SQUARE, late_times(net, data), 1.0, tolerance)


def late_linear_course(net: TwoLayer, data: Dataset, tolerance: float) -> Course:
    """The linear network of Theorem 5 at the same times."""
    return linear_flow_beside(net, data, SQUARE, late_times(net, data), 1.0, tolerance)(1.0)


def endless_course(net: TwoLayer, data: Dataset, loss: Loss, tolerance: float) -> Course:
    """Training with a loss that has no minimiser, at the horizons of limits."""
    return flow(net, data, loss, np.array(HORIZONS), 1.0, tolerance)


def linear_part(course: Course) -> Enclosed:
    """(alpha + 1)/2 W2 W1 at each time: the network itself when it is odd."""
    return (1 + course.slope) / 2 * course.linear_map


def direction(course: Course) -> Enclosed:
    """The direction of the linear part at each time."""
    part = linear_part(course)
    length: Enclosed = sqrt((part * part).sum(axis=1))
    return part / length[:, None]
