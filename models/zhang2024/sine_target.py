r"""The training of Figure 1: wide two-layer networks from tiny weights on $y=w^\top x+\sin(4w^\top x)$.

Width 500, $\gamma=10^{-8}$, step 0.004, 1000 Gaussian inputs in 20 dimensions with their negatives, $w_i$ uniform in
[-0.5, 0.5]; initial weights as in Theorem 5, $W(0)=\sqrt{2/(\alpha+1)}\,W^{lin}(0)$; training to rescaled time 30.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.models.initialisation import small_gaussian
from refute.models.zhang2024.aligned import aligned_descent
from refute.models.zhang2024.timecourse import time_course

Floats = NDArray[np.float64]

SCALE, RATE, DIMENSION = 1e-8, 0.004, 20
SLOPES = (0.0, 0.5)
STEPS, EVERY = 7500, 60  # of the linear network; a network of slope alpha takes 2/(alpha + 1) times as many


@dataclass(frozen=True, slots=True)
class Size:
    """Neurons and pairs of data."""

    width: int
    pairs: int


AS_PRINTED, SMALL = Size(500, 1000), Size(100, 500)


@dataclass(frozen=True, slots=True, eq=False)
class Data:
    """One point of each pair, the labels, the moments."""

    half: Floats
    labels: Floats

    @property
    def beta(self) -> Floats:
        found: Floats = self.labels @ self.half / len(self.labels)
        return found

    @property
    def sigma(self) -> Floats:
        found: Floats = self.half.T @ self.half / len(self.labels)
        return found

    def linear_loss(self, maps: Floats) -> Floats:
        """Square loss of linear maps (times, dim)."""
        found: Floats = ((self.labels[None, :] - maps @ self.half.T) ** 2).mean(axis=1) / 2
        return found

    @property
    def lowest(self) -> float:
        """The loss of least squares."""
        best = np.asarray(np.linalg.solve(self.sigma, self.beta), dtype=np.float64)
        return float(self.linear_loss(best[None, :])[0])


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Both layers over rescaled time."""

    inner: Floats
    outer: Floats
    slope: float
    loss: Floats

    @property
    def drop(self) -> float:
        """By how much the loss falls."""
        return float(self.loss[0] - self.loss[-1])

    @property
    def sign_imbalance(self) -> float:
        """||W_2^+|^2 - |W_2^-|^2| / |W_2|^2 at the end."""
        outer = self.outer[-1]
        return abs(float((outer * np.abs(outer)).sum() / (outer**2).sum()))


@lru_cache(maxsize=16)
def make_data(seed: int, size: Size = AS_PRINTED) -> Data:
    """Inputs and labels."""
    rng = np.random.default_rng([seed, 7])
    half, target = rng.standard_normal((size.pairs, DIMENSION)), rng.uniform(-0.5, 0.5, DIMENSION)
    signal = half @ target
    return Data(half, signal + np.sin(4 * signal))


def train(
    seed: int,
    slope: float,
    *,
    scale: float = SCALE,
    shared: bool = False,
    mirrored: bool = False,
    size: Size = AS_PRINTED,
) -> Run:
    """One network; `shared`: the step is 0.004 for every slope, otherwise in rescaled time; `mirrored`: neurons in
    opposite pairs.
    """
    return _trained(seed, slope, scale, shared, mirrored, size)


@lru_cache(maxsize=64)
def _trained(seed: int, slope: float, scale: float, shared: bool, mirrored: bool, size: Size) -> Run:
    data, half = make_data(seed, size), (1 + slope) / 2
    start = small_gaussian(np.random.default_rng(seed), size.width, DIMENSION, scale)
    inner, outer = (layer / np.sqrt(half) for layer in start)
    if mirrored:
        chosen = [layer[: size.width // 2] for layer in (inner, outer)]
        inner, outer = (np.concatenate([layer, -layer]) for layer in chosen)
    rate, share = (RATE, round(EVERY / half)) if shared else (RATE / half, EVERY)
    steps = STEPS // EVERY * share
    inners, outers = aligned_descent(
        inner, outer, data.half, data.labels, rate=rate, steps=steps, every=share, slope=slope
    )
    odd = half * np.einsum("th,thd->td", outers, inners)
    even = [(1 - slope) / 2 * np.abs(data.half @ w.T) @ a for w, a in zip(inners, outers, strict=True)]
    return Run(inners, outers, slope, data.linear_loss(odd) + (np.array(even) ** 2).mean(axis=1) / 2)


def rescaled_times() -> Floats:
    """(alpha + 1)/2 t at the recorded times, the same for all slopes."""
    return np.asarray(np.arange(0, STEPS + 1, EVERY) * RATE, dtype=np.float64)


def theory(seed: int, slope: float, size: Size = AS_PRINTED) -> Floats:
    """Loss of (38) with r = beta/|beta| and u_0 = |r_1| of Theorem 13, for the linear network, whose weights Corollary
    14 means.
    """
    data = make_data(seed, size)
    direction = data.beta / np.linalg.norm(data.beta)
    inner, outer = small_gaussian(np.random.default_rng(seed), size.width, DIMENSION, SCALE)
    squared = float(((inner @ direction + outer) ** 2).sum()) / 4
    times = 2 / (1 + slope) * rescaled_times()
    return data.linear_loss(np.array([time_course(direction, squared, data.beta, slope, 1.0, float(t)) for t in times]))


def gap(loss: Floats, other: Floats) -> float:
    """The largest distance of two loss curves, relative to the drop of the first."""
    return float(np.abs(loss - other).max() / (loss[0] - loss[-1]))


def weight_error(run: Run, linear: Run) -> Floats:
    """|sqrt((alpha+1)/2) W(2t/(alpha+1)) - W_lin(t)| / |W_lin(t)|, both layers together."""
    factor = np.sqrt((1 + run.slope) / 2)
    gaps = ((factor * run.inner - linear.inner) ** 2).sum(axis=(1, 2))
    gaps += ((factor * run.outer - linear.outer) ** 2).sum(axis=1)
    sizes = (linear.inner**2).sum(axis=(1, 2)) + (linear.outer**2).sum(axis=1)
    return np.asarray(np.sqrt(gaps / sizes))


def largest_error(seed: int, *, scale: float = SCALE, mirrored: bool = False) -> float:
    """Of the weights of the ReLU network over training."""
    run, linear = (train(seed, slope, scale=scale, mirrored=mirrored) for slope in (0.0, 1.0))
    return float(weight_error(run, linear).max())
