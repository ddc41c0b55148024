r"""Logistic training of separable data as a curve: followed by its margin, not by time, to margins far beyond any time
that can be reached.

Where y_i f(x_i) = 10^4 the loss is e^{-10000} and the time about as large as its inverse. The curve is the same for any
positive factor in front of the velocity, so the residuals are divided by their sum (a smooth factor, unlike the largest
of them); then all rates are of order one or stiff.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.gradient import descent_direction
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
TOLERANCE = 1e-8
LONGEST = 1e5  # length of the curve's parameter
BUDGET = 20_000  # evaluations of the field; a smooth curve takes one or two thousand


class _Spent(Exception):
    """The budget of evaluations is spent."""


@dataclass(frozen=True, slots=True, eq=False)
class FarAlong:
    """The weights where the least margin y_i f(x_i) reaches the asked one, or where the curve came to rest without it.

    `spent` says that the budget of evaluations came first (a neuron that slides along a boundary): the weights decide
    nothing.
    """

    net: TwoLayer
    reached: bool
    spent: bool

    @property
    def linear_part(self) -> Floats:
        """(alpha + 1)/2 W2 W1: the network itself when it is odd."""
        part: Floats = (1 + self.net.slope) / 2 * self.net.linear_map()
        return part


def follow_to_margin(net: TwoLayer, data: Dataset, margin: float, *, sign: int = -1) -> FarAlong:
    """Follow minus the gradient of <log(1 + e^{sign y f})> until the least -sign y_i f(x_i) over the labels +-1 is
    `margin`.

    sigma'(0) = (1 + alpha)/2. For smooth fields: linear networks, and networks that stay odd on even inputs. Sliding is
    not resolved.
    """
    net, data = lift(net, FLOAT), lift(data, FLOAT)
    if sign not in (-1, 1):
        raise BadInput(f"sign = {sign}", "use -1 or 1")
    told = data.labels != 0  # a label 0 has no residual
    x, y = data.inputs[told], data.labels[told]
    if not len(y):
        raise BadInput("every label is zero", "give labels +1 and -1")
    calls = 0
    shape, known = net.inner.shape, lift(Dataset(x, y), FLOAT)

    def at(state: Floats) -> TwoLayer:
        return net.with_weights(state[: net.inner.size].reshape(shape), state[net.inner.size :])

    def relative_residual(labels: Floats, outputs: Floats) -> Floats:
        logs = -np.logaddexp(0.0, -sign * labels * outputs)  # log expit(sign y f)
        result: Floats = -sign * labels * np.exp(logs - np.logaddexp.reduce(logs))
        return result

    def velocity(_: float, state: Floats) -> Floats:
        nonlocal calls
        calls += 1
        if calls > BUDGET:
            raise _Spent
        inner, outer = descent_direction(at(state), known, relative_residual, (1 + net.slope) / 2)
        return np.concatenate([inner.reshape(-1), outer])

    def short_of_it(_: float, state: Floats) -> float:
        return float((-sign * y * np.asarray(at(state)(x))).min()) - margin

    short_of_it.terminal = True  # type: ignore[attr-defined]
    start = np.concatenate([net.inner.reshape(-1), net.outer])
    try:
        run = solve_ivp(
            velocity, (0.0, LONGEST), start, "LSODA", events=short_of_it, rtol=TOLERANCE, atol=TOLERANCE * 1e-3
        )
    except _Spent:
        return FarAlong(net, False, True)
    return FarAlong(at(run.y[:, -1]), run.status == 1, run.status < 0)
