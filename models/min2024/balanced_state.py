r"""One moment of a balanced two-layer network, w_j and v_j = s_j |w_j|: what the flow does to norms and directions
there.

With residuals g_i = -dl/df_i and p_j = sum_i sigma'(<x_i, w_j>) g_i x_i the flow is dw_j/dt = v_j p_j, so
    d/dt w_j/|w_j| = s_j (I - w_j w_j^T / |w_j|^2) p_j,    d/dt |w_j|^2 = 2 v_j <w_j, p_j>.
"""

from dataclasses import dataclass

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, leaky_relu, leaky_relu_slope, norm, squared_norm
from refute.models.dataset import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import Loss


def off_direction(w: Array, vector: Array) -> Array:
    """The part of a vector orthogonal to w != 0."""
    rest: Array = vector - (w @ vector) / squared_norm(w) * w
    return rest


@dataclass(frozen=True, slots=True, eq=False)
class BalancedState:
    """Rows w_j, outer weights v_j, outputs f_i, residuals g_i and pulls p_j (rows)."""

    rows: Array
    outer: Array
    norms: Array
    outputs: Array
    residuals: Array
    pulls: Array

    @property
    def largest_output(self) -> Number:
        """max_i |f_i|."""
        return largest(absolute(self.outputs))

    def turning(self, j: int) -> Array:
        """d/dt w_j/|w_j|."""
        rate: Array = self.outer[j] / self.norms[j] * off_direction(self.rows[j], self.pulls[j])
        return rate

    def growth(self, j: int) -> Number:
        """d/dt |w_j|^2."""
        return 2 * self.outer[j] * (self.rows[j] @ self.pulls[j])


def balanced_state(
    rows: Array,
    signs: Array,
    slope: Number,
    data: Dataset,
    loss: Loss,
    *,
    ratio: Number = 1,
    at_zero: Number | None = None,
) -> BalancedState:
    """The state with v_j = ratio s_j |w_j| (balanced for ratio 1); sigma'(0) is the slope unless
    `at_zero` says otherwise.
    """
    norms = np.array([norm(row) for row in rows])
    outer = ratio * signs * norms
    pre = data.inputs @ rows.T
    outputs = leaky_relu(pre, slope) @ outer
    residuals = loss.residual(data.labels, outputs)
    gates = leaky_relu_slope(pre, slope, slope if at_zero is None else at_zero)
    return BalancedState(rows, outer, norms, outputs, residuals, (gates * residuals[:, None]).T @ data.inputs)


def moment(
    start: Balanced, scale: Number, data: Dataset, loss: Loss, *, slope: Number | None = None, ratio: Number = 1
) -> BalancedState:
    """The state w_j = scale * shape_j of a start (whose own scale must be 1)."""
    return balanced_state(
        scale * start.shape, start.signs, start.slope if slope is None else slope, data, loss, ratio=ratio
    )
