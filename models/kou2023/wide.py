"""Stochastic gradient descent of one wide network with a fixed second layer and the logistic loss, as two matrix
products a step.

In float32, the usual arithmetic of such training: for thousands of neurons it takes an eighth of the time of the fused
kernel.
"""

from collections.abc import Iterator

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray
from scipy.special import expit

from refute.arithmetic.numbers import Array, Number
from refute.models.checks import check_finite, checked_case, checked_picks, checked_rate, recorded_steps
from refute.models.dataset import Dataset
from refute.models.kou2023.ball_batch import ball_minibatches
from refute.models.loss import LOGISTIC
from refute.models.network import TwoLayer


def descend_wide(
    net: TwoLayer, data: Dataset, *, rate: Number, picks: NDArray[np.int64], every: int, slope_at_zero: float = 1.0
) -> Iterator[Array]:
    """The inner weights at step 0, every `every` steps and after the last row of `picks`, which lists the samples of
    each step.

    A network and a dataset of balls are trained in balls.
    """
    if isinstance(net.inner.flat[0], (arb, fmpq)):
        yield from ball_minibatches(net, data, rate=rate, picks=picks, every=every, slope_at_zero=slope_at_zero)
        return
    inner, outer, slope, inputs, labels = checked_case(net, data)
    picks, step = checked_picks(picks, len(labels), len(picks), checked_rate(rate), LOGISTIC)
    w, v, x, y = (values.astype(np.float32) for values in (inner, outer, inputs, labels))
    low, at_zero, push = np.float32(slope), np.float32(slope_at_zero), (step * outer).astype(np.float32)
    ends = recorded_steps(len(picks), every)
    for begin, end in zip([0, *ends], ends, strict=False):
        for chosen in picks[begin:end]:
            seen = x[chosen]
            signals = seen @ w.T
            gates = np.where(signals > 0, np.float32(1), np.where(signals < 0, low, at_zero))
            outputs = (gates * signals) @ v
            gates *= (y[chosen] * expit(-y[chosen] * outputs))[:, None]
            w += push[:, None] * (gates.T @ seen)
        check_finite(bool(np.isfinite(w).all()), end, rate, "before")
        yield w.copy()
