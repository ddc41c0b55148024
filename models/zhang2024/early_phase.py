r"""The early phase of training from small weights, zhang2024 Eq. (21)-(23): both layers follow a linear system.

tau dW1/dt = (alpha+1)/2 W2^T beta^T, tau dW2/dt = (alpha+1)/2 beta^T W1^T. With s = |beta|, b = beta/s, and W stacked
as [W1^T; W2],
    W(t) = e^{kt}/2 [b; 1](b^T W1^T + W2) + e^{-kt}/2 [b; -1](b^T W1^T - W2) + [(I - b b^T) W1^T; 0],   k = (alpha+1) s
    / (2 tau).
"""

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import exp, norm


def early_phase_terms(
    inner: Array, outer: Array, correlation: Array, slope: Number, tau: Number, time: Number
) -> tuple[tuple[Array, Array], tuple[Array, Array], tuple[Array, Array]]:
    """The growing, the decaying and the constant term of Eq. (23), each as (first layer, second
    layer), in any arithmetic.
    """
    size = norm(correlation)
    if not size > 0:
        raise BadInput("inputs and labels are uncorrelated: s = |beta| = 0", "the linear system is then at rest")
    direction = correlation / size
    rate = (slope + 1) * size / (2 * tau)
    along = inner @ direction
    up, down = exp(rate * time) * (along + outer) / 2, exp(-rate * time) * (along - outer) / 2
    rest = inner - np.outer(along, direction)
    return (np.outer(up, direction), up), (np.outer(down, direction), -down), (rest, 0 * outer)


def early_phase(
    inner: Array, outer: Array, correlation: Array, slope: Number, tau: Number, time: Number
) -> tuple[Array, Array]:
    """Both layers at `time`, Eq. (23); constant when the correlation vanishes."""
    if not any(correlation):
        return inner, outer
    terms = early_phase_terms(inner, outer, correlation, slope, tau, time)
    return terms[0][0] + terms[1][0] + terms[2][0], terms[0][1] + terms[1][1] + terms[2][1]
