"""The runs of Figure 1 of kou2023: full-batch descent on a Gaussian mixture, with the printed hyper-parameters.

n = 10, d = 784, m = 100, rate 0.1, 50 epochs, 5 runs.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import EXACT, Array, Number, arithmetic_of
from refute.errors import Inexact
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.geometry.ball_matrix import product
from refute.models.geometry.stable_rank import stable_rank_from
from refute.models.kou2023.decomposition import batch_courses
from refute.models.loss import softplus

Floats = NDArray[np.floating]

SLOPES = (Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1))
RATE = Fraction(1, 10)
SEEDS = 5
EPOCHS = 50
SHOWN = (0, 1, 5, 20, 50)  # epochs of the figure at which the stable rank is computed
MATRICES = {"stacked": slice(0, 200), "positive": slice(0, 100), "negative": slice(100, 200)}
START = 1e-5


def mixture(rng: np.random.Generator, n: int = 10, d: int = 784) -> Dataset:
    """The Gaussian mixture of Figure 1."""
    mu = 1e-2 * rng.standard_normal(d)
    labels = rng.choice([-1.0, 1.0], size=n)
    return Dataset(labels[:, None] * mu + rng.standard_normal((n, d)), labels)


def _starts(scale: Number) -> Iterator[tuple[Dataset, Array]]:
    """Data and inner weights of every seed, in the arithmetic of the scale."""
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        yield lift(mixture(rng), arithmetic_of(scale)), scale * rng.standard_normal((200, 784))


def _course(data: Dataset, start: Array, slope: Fraction, epochs: tuple[int, ...]) -> Iterator[tuple[Array, Array]]:
    """Signals and coefficients of one run at the given epochs."""
    scalar = arithmetic_of(start[0, 0]).scalar
    courses = batch_courses(data, start[None], slope=scalar(slope), rate=scalar(RATE), steps=epochs[-1], record=epochs)
    return ((signals[0], rho[0]) for signals, rho in courses)


def stable_ranks(scale: Number, epochs: tuple[int, ...], matrix: str) -> Array:
    """Of one of the matrices at the given epochs: (seed, slope, epoch)."""
    if arithmetic_of(scale) is EXACT:
        raise Inexact("gradient descent on the logistic loss")
    return _known_ranks(scale, epochs, matrix) if isinstance(scale, float) else _ranks(scale, epochs, matrix)


def _ranks(scale: Number, epochs: tuple[int, ...], matrix: str) -> Array:
    """W = W(0) + MX has WW' = W(0)W(0)' + P + P' with P = (W(0)X' + MXX'/2)M', so inner products are enough."""
    ranks, rows = [], MATRICES[matrix]
    for data, start in _starts(scale):
        x, first = data.inputs, product(start[rows], start[rows].T)
        cross, gram = product(start[rows], x.T), product(x, x.T)
        for slope in SLOPES:
            for _, rho in _course(data, start, slope, epochs):
                M = (rho / np.diagonal(gram))[rows]
                P = product(cross + product(M, gram) / 2, M.T)
                ranks.append(stable_rank_from(first + P + P.T))
    return np.array(ranks).reshape(SEEDS, len(SLOPES), len(epochs))


_known_ranks = lru_cache(maxsize=32)(_ranks)


@lru_cache(maxsize=8)
def losses(scale: float, epochs: int) -> Floats:
    """The training loss at the epochs 0, ..., `epochs`: (seed, slope, epoch)."""
    found = []
    for data, start in _starts(scale):
        for slope in SLOPES:
            for signals, _ in _course(data, start, slope, tuple(range(epochs + 1))):
                hidden = np.where(signals >= 0, signals, float(slope) * signals)
                outputs = hidden[:100].mean(axis=0) - hidden[100:].mean(axis=0)
                found.append(softplus(-data.labels * outputs).mean())
    return np.array(found).reshape(SEEDS, len(SLOPES), epochs + 1)
