r"""Lemmas 5.5, 5.8, E.1, E.2, F.2 and Eq. (5.12): coefficients and activation of a ReLU network.

On orthogonal data every pattern freezes and trajectories are followed to $t=10^{20}$. With overlaps a neuron may slide
along an activation boundary for ever, so those runs are stepped directly to $t=10^5$. Constants that the paper only
says to exist are chosen here and stated; cases have norms within a factor 2. Statements are read on the events of
Lemmas A.1 and A.2.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import RELU_APPENDIX, near_orthogonal, off_boundaries, orthogonal
from refute.decide.rate import Law, fit
from refute.functions import absolute, largest, sign, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, stage_length, unroll_long
from refute.models.kou2023.orthogonality import largest_overlap, relative_overlap
from refute.strategies.kou2023.nearly_orthogonal import relu_training

Floats = NDArray[np.float64]

STAGE = 2.0  # C in T = C nm/(eta R_max^2)
DIRECT = 100_000
GIVEN = relu_training(constants=(100,))
VARIED = relu_training(samples=(1, 5), widths=(2, 4, 5, 10), extra=3, constants=(10, 100, 1000))
MIXED = relu_training(samples=(2, 3), constants=(100,))

# Orthogonal inputs are nearly orthogonal for every C.
ORTHOGONAL = [orthogonal if assumption is near_orthogonal else assumption for assumption in RELU_APPENDIX]
GENERIC = [*ORTHOGONAL[:-2], off_boundaries, *ORTHOGONAL[-2:]]

_APPENDIX: dict[str, Any] = {"kind": Kind.DYNAMICS, "given": GIVEN, "assumes": RELU_APPENDIX, "recorded": "supported"}
_ORTHOGONAL: dict[str, Any] = {"kind": Kind.DYNAMICS, "given": GIVEN, "assumes": GENERIC, "recorded": "supported"}
_BOUNDARIES: dict[str, Any] = {**_ORTHOGONAL, "assumes": ORTHOGONAL}  # <w(0), x_i> = 0 included


def settled(
    data: Dataset, net: TwoLayer, rate: Number, first: float = 1.0, count: int = 30, last: int = DIRECT
) -> Decomposition:
    """From `first` to 10^20 on orthogonal data, to 10^5 (or `last`) step by step on others.

    For rates so small that nm/(eta R_max^2) exceeds 1000, the times on others are multiplied by a thousandth of it (but
    for a first of 1).
    """
    if sign(largest_overlap(data.inputs)) == 0:
        return unroll_long(net, data, rate=rate, times=np.geomspace(first, 1e20, count))
    unit = max(1.0, stage_length(net, data, rate) / 1000)
    begin, end = min(first, 1e3) * (unit if first > 1 else 1.0), unit * last
    return unroll_long(net, data, rate=rate, times=np.geomspace(begin, end, count), freeze=int(end))


def late_loss_law(course: Decomposition) -> Law:
    """The exponent of the loss in 1/t over the last decade of a run, or from 10^8 on."""
    late = (course.steps >= 1e8) | (course.steps >= course.steps[-1] / 10.01)
    return fit((1 / course.steps[late]).tolist(), course.loss[late].tolist())


def own_active(course: Decomposition) -> Floats:
    """rho-bar_{y_i,r,i} for r in S_i^(0), and nan elsewhere: (time, r, i)."""
    return np.where(course.starts_active, course.own(course.rho), np.nan)


def active_mean(course: Decomposition) -> Array:
    """The sum over S_i^(0) of rho-bar, divided by m: (time, i)."""
    return np.asarray(np.where(course.starts_active, course.own(course.rho), 0).sum(axis=1) / course.width)


def balance(course: Decomposition) -> Array:
    """The smallest own coefficient of a neuron active at the start over the largest coefficient of all: (time,)."""
    every = absolute(course.rho).reshape(len(course.rho), -1)
    return np.asarray(smallest(course.own(course.rho)[:, course.starts_active], axis=1) / largest(every, axis=1))


def proof_constants(course: Decomposition) -> tuple[float, float, float]:
    """c_1 as measured over the run, c' = max m/|S_i|, and R_min^-2 p n."""
    return (
        float(balance(course).min()),
        float((course.width / course.starts_active.sum(axis=0)).max()),
        relative_overlap(course.data.inputs),
    )


def slopes(course: Decomposition, values: Floats) -> Floats:
    """The slope in log t between the last two times."""
    return np.asarray((values[-1] - values[-2]) / np.log(course.steps[-1] / course.steps[-2]))
