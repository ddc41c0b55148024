"""Gradient descent of one case in float64, in a fused kernel: one network after the other, without temporaries.

    W <- W - rate * grad L(W),  full batch, or on the samples that row t of `picks` lists at step t.

The gradient is written out, so no graph is built: a small network is all overhead in automatic differentiation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import FLOAT
from refute.language.case import lift
from refute.models.checks import (
    check_dimension,
    check_finite,
    checked_case,
    checked_layers,
    checked_picks,
    checked_rate,
    checked_samples,
    checked_slope,
    finite,
    recorded_steps,
)
from refute.models.dataset import Dataset
from refute.models.descent.batch import Snapshot, square_loss_descent
from refute.models.loss import SQUARE, Loss
from refute.models.network import DeepNetwork, TwoLayer

__all__ = ["DeepDescent", "Descent", "Snapshot", "descend", "descend_deep", "square_loss_descent"]

Floats = NDArray[np.float64]
Picks = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """One network over time: steps (times,), inner (times, width, dim), outer (times, width), loss (times,)."""

    steps: Picks
    inner: Floats
    outer: Floats
    loss: Floats


@dataclass(frozen=True, slots=True, eq=False)
class DeepDescent:
    """One deep network over time: weights[l] is (times, rows, columns), loss (times,)."""

    steps: Picks
    weights: tuple[Floats, ...]
    loss: Floats


def descend(
    net: TwoLayer,
    data: Dataset,
    loss: Loss = SQUARE,
    *,
    rate: float,
    steps: int,
    every: int = 0,
    slope_at_zero: float,
    train_outer: bool = True,
    picks: Picks | None = None,
) -> Descent:
    """Train one network; recorded at step 0, every `every` steps (0: never) and at the end. sigma'(0) is the slope
    unless given.
    """
    from refute.models.descent import kernels

    inner, outer, slope, x, y = checked_case(net, data)
    at_zero = checked_slope(slope_at_zero, "slope_at_zero")
    w, v = inner.T.copy(), outer.copy()
    picks, step = checked_picks(picks, x.shape[0], steps, checked_rate(rate), loss)
    ends = recorded_steps(steps, every)
    shots = [(inner, outer)]
    for begin, end in pairwise(ends):
        done = kernels.descend(
            x, y, w, v, step, end - begin, slope, at_zero, loss.kernel, float(loss.factor), float(loss.sign),
            train_outer,
            picks[begin:end],
        )  # fmt: skip
        check_finite(done == end - begin and np.isfinite(w).all() and np.isfinite(v).all(), begin + done, rate)
        shots.append((w.T.copy(), v.copy()))
    inners, outers = np.array([w for w, _ in shots]), np.array([v for _, v in shots])
    pre = np.einsum("thd,nd->tnh", inners, x)
    outputs = np.einsum("tnh,th->tn", np.where(pre > 0, pre, slope * pre), outers)
    return Descent(np.array(ends), inners, outers, np.asarray(loss.value(y, outputs)))


def descend_deep(
    net: DeepNetwork,
    data: Dataset,
    loss: Loss = SQUARE,
    *,
    rate: float,
    steps: int,
    every: int = 0,
    slope_at_zero: float,
    trained: Sequence[bool] | None = None,
    picks: Picks | None = None,
) -> DeepDescent:
    """The same for any depth; `trained` says which layers move (all of them unless given)."""
    from refute.models.descent import kernels

    data = lift(data, FLOAT)
    x, y = checked_samples(data.inputs, data.labels)
    layers = [finite(w, f"weights[{k}]") for k, w in enumerate(lift(net, FLOAT).weights)]
    check_dimension(layers[0].shape[1], x.shape[1])
    slope = checked_slope(lift(net, FLOAT).slope)
    at_zero = checked_slope(slope_at_zero, "slope_at_zero")
    moving = checked_layers(trained, len(layers))
    sizes = np.array([x.shape[1], *(w.shape[0] for w in layers)])
    flat = np.concatenate([w.T.reshape(-1) for w in layers])
    picks, step = checked_picks(picks, x.shape[0], steps, checked_rate(rate), loss)
    ends = recorded_steps(steps, every)
    shots = [layers]
    for begin, end in pairwise(ends):
        done = kernels.descend_deep(
            x, y, flat, sizes, step, end - begin, slope, at_zero, loss.kernel, float(loss.factor),
            float(loss.sign), moving,
            picks[begin:end],
        )  # fmt: skip
        check_finite(done == end - begin and np.isfinite(flat).all(), begin + done, rate)
        parts = np.split(flat, np.cumsum(sizes[:-1] * sizes[1:])[:-1])
        shots.append([part.reshape(w.T.shape).T.copy() for part, w in zip(parts, layers, strict=True)])
    outputs = np.array([lift(net, FLOAT).with_weights(tuple(shot))(x) for shot in shots])
    weights = tuple(np.array([shot[k] for shot in shots]) for k in range(len(layers)))
    return DeepDescent(np.array(ends), weights, np.asarray(loss.value(y, outputs)))
