r"""The hard-margin classifier through the origin: min |w|^2 subject to y_i <w, x_i> >= 1, with its dual certificate.

By least-distance programming (Lawson and Hanson) it is one non-negative least-squares problem. The support found in
floats can be made exact: w = sum_{i in S} a_i y_i x_i with equality on S, a >= 0 and y_i <w, x_i> >= 1 everywhere
proves optimality.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from refute.arithmetic.numbers import EXACT, FLOAT, Array, Number
from refute.errors import BadInput
from refute.functions import norm
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import solve


@dataclass(frozen=True, slots=True, eq=False)
class MaxMargin:
    """`weights` is the classifier with smallest functional margin 1; weights = sum_i multipliers_i y_i x_i, multipliers
    >= 0.
    """

    weights: Array
    multipliers: Array

    @property
    def margin(self) -> Number:
        """The geometric margin 1 / |w|."""
        return 1 / norm(self.weights)


def max_margin(data: Dataset) -> MaxMargin:
    """The classifier in float64; an error when the data are not separable through the origin."""
    data = lift(data, FLOAT)
    signed = data.labels[:, None] * data.inputs
    system = np.concatenate([signed.T, np.ones((1, len(signed)))])
    target = np.zeros(len(system))
    target[-1] = 1.0
    combination, gap = nnls(system, target)
    residual = system @ combination - target
    if gap < 1e-9 or residual[-1] == 0:
        raise BadInput(
            "the data are not linearly separable through the origin",
            "add a constant coordinate or remove the conflicting samples",
        )
    return MaxMargin(-residual[:-1] / residual[-1], combination / -residual[-1])


def exact_max_margin(data: Dataset) -> MaxMargin:
    """The classifier in exact rationals, certified: the support of the float solution is solved and checked exactly."""
    rough = max_margin(data)
    exact = lift(data, EXACT)
    signed = exact.labels[:, None] * exact.inputs
    support = np.flatnonzero(rough.multipliers > 1e-9 * rough.multipliers.max())
    gram = signed[support] @ signed[support].T
    share = solve(gram, 0 * gram[0] + 1)
    multipliers = 0 * exact.labels
    multipliers[support] = share
    weights = share @ signed[support]
    if any(a < 0 for a in share) or any(value < 1 for value in signed @ weights):
        raise BadInput(
            "the support found in floating point is not optimal in exact arithmetic", "the data are nearly degenerate"
        )
    return MaxMargin(weights, multipliers)
