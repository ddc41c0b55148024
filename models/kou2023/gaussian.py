r"""Networks at a Gaussian start under the conditions of kou2023's theorems, with $\sigma_0$ and $\eta$ at their bounds,
and the data that they are trained on.
"""

import math

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import Number, arithmetic_of
from refute.functions import absolute, largest, log, sqrt
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.kou2023.decomposition import Decomposition, unroll_long
from refute.models.kou2023.orthogonality import squared_radii
from refute.models.network import TwoLayer, signed_halves

Floats = NDArray[np.float64]

DELTA = 0.5


def least_width(C: int, n: int) -> int:
    """The smallest m >= C log(n/delta)."""
    return math.ceil(C * math.log(n / DELTA))


def gaussian_start(
    rng: np.random.Generator, data: Dataset, m: int, C: int, slope: float = 0.0
) -> tuple[TwoLayer, Number]:
    """A Gaussian start and the rate, sigma_0 and eta at their bounds, in the arithmetic of the data."""
    (n, d), top = data.inputs.shape, squared_radii(data.inputs)[1]
    inner = rng.standard_normal((2 * m, d)) * largest_scale(data, m, C)
    net: TwoLayer = lift(signed_halves(np.zeros((m, d)), np.zeros((m, d)), slope), arithmetic_of(top))
    return net.with_weights(inner, net.outer), n * m / (C * top)


def largest_scale(data: Dataset, m: int, C: int) -> Number:
    """sigma_0 = (C R_max sqrt(log(mn/delta)))^-1."""
    top = squared_radii(data.inputs)[1]
    return 1 / (C * sqrt(top * log(top * 0 + 2 * m * len(data.labels))))


def gaussian_run(
    rng: np.random.Generator, labels: list[int], m: int, d: int, times: object, slope: float = 0.0
) -> Decomposition:
    """Inputs e_1, ..., e_n, C = 10 and a Gaussian start, at some times."""
    data = Dataset(np.eye(d)[: len(labels)], np.array(labels, dtype=float))
    net, rate = gaussian_start(rng, data, m, 10, slope)
    return unroll_long(net, data, rate=rate, times=times)


def on_the_events(net: TwoLayer, data: Dataset, C: int) -> bool:
    """Whether the start is tame (second line of Lemma A.1) and half active (Lemma A.2)."""
    m, n = net.width // 2, len(data.labels)
    signals = net.inner @ data.inputs.T
    bound = sqrt(2 * log(8 * m * n / DELTA) * squared_radii(data.inputs)[1]) * largest_scale(data, m, C)
    own = np.where(data.labels > 0, signals[:m] > 0, signals[m:] > 0).sum(axis=0)
    return bool(largest(absolute(signals)) <= bound and (np.abs(10 * own - 5 * m) <= m).all())


def nearly_orthogonal(labels: Floats, C: int, extra: int, stretch: int, family: str) -> Dataset:
    """Every second input is `stretch` times as long; overlaps p times a sign, with p just below R_min^2/(C R^2 n)."""
    n = len(labels)
    agree = np.outer(labels, labels)
    signs = {"orthogonal": 0 * agree, "positive": agree**2, "negative": -(agree**2), "class": agree, "anti": -agree}
    gram = 0.99 / (C * stretch**2 * n) * signs[family]
    np.fill_diagonal(gram, np.where(np.arange(n) % 2, stretch**2, 1))
    return Dataset(np.hstack([np.linalg.cholesky(gram), np.zeros((n, extra))]), labels)
