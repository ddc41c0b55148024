"""The runs of Figures 2 to 5 of kou2023: stochastic gradient descent on images, with the printed hyper-parameters.

Printed: MNIST; m = 1000 and sigma_0 from 1e-5 to 1e-3 (Figures 2 and 3), m from 10 to 1000 and sigma_0 = 1e-5 (Figures
4 and 5); slope 0.1; batches of 64, rate 0.1, 10 epochs, 5 runs. Here: scikit-learn's 8 x 8 digits, so that an epoch has
22 steps in place of 937; the folder of IDX files that the environment variable REFUTE_IDX names is looked at as well.
Not printed: which two classes a network with one output tells apart (even and odd digits), which matrix is meant (the
first layer of both signs, stacked, as for Figure 1), and whether the "variance" sigma_0 is one (it is taken as the
standard deviation, as in Section 3). Training is in float32, whose rounding is carried along with the stable ranks.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT, Arithmetic, Array, Number
from refute.functions import leaky_relu, sign
from refute.language.case import lift
from refute.models.dataset import Dataset
from refute.models.descent.minibatch import minibatches
from refute.models.drawing import Progress, silent, watched
from refute.models.geometry.ball_matrix import product
from refute.models.geometry.stable_rank import stable_rank_from
from refute.models.kou2023.images import Images, load_images
from refute.models.kou2023.wide import descend_wide
from refute.models.network import signed_halves

Floats = NDArray[np.float64]

SCALES = (1e-5, 5e-5, 1e-4, 5e-4, 1e-3)
WIDTHS = (10, 50, 100, 500, 1000)
RUNS, EPOCHS, BATCH, RATE, LEAK = 5, 10, 64, Fraction(1, 10), Fraction(1, 10)
CHECKED = 3  # runs that the claims on Figures 2 and 3 look at, which have the widest networks; the figures show all
ROUNDED = 2.0**-23  # relative error of a step in float32
SOURCES = ["digits", *filter(None, [os.environ.get("REFUTE_IDX")])]

images = lru_cache(maxsize=2)(load_images)


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Stable rank and test accuracy after 0, ..., EPOCHS epochs: (run, setting, epoch)."""

    rank: Enclosed
    accuracy: Floats

    @property
    def ranks(self) -> Enclosed:
        """The stable rank, averaged over the runs: (setting, epoch)."""
        return self.rank.mean(axis=0)

    @property
    def accuracies(self) -> Floats:
        """The test accuracy, averaged over the runs."""
        return np.asarray(self.accuracy.mean(axis=0))

    def untrained(self) -> "Curves":
        """The same before training, at every epoch."""
        return Curves(self.rank[..., :1].broadcast_to(self.rank.shape), self.accuracy[..., :1] + 0 * self.accuracy)


def parity(targets: NDArray[np.int64]) -> Floats:
    """1 for even digits and -1 for odd ones."""
    return np.where(targets % 2 == 0, 1.0, -1.0)


@lru_cache(maxsize=4)
def _labelled(name: str, arithmetic: Arithmetic) -> Dataset:
    """The training images with their parity."""
    source = images(name)
    data: Dataset = lift(Dataset(source.inputs, parity(source.targets)), arithmetic)
    return data


def _shots(
    name: str, seed: int, width: int, scale: float, slope: Fraction, every: int, arithmetic: Arithmetic
) -> Iterator[Array]:
    """The inner weights of one run at the start, after every `every` epochs and at the end; a seed has one start and
    one order.
    """
    data, rng = _labelled(name, arithmetic), np.random.default_rng(seed)
    positive, negative = scale * rng.standard_normal((2, width, data.inputs.shape[1]))
    per_epoch = len(data.inputs) // BATCH
    picks = minibatches(rng, len(data.inputs), BATCH, EPOCHS * per_epoch)
    net = lift(signed_halves(positive, negative, slope), arithmetic)
    return descend_wide(net, data, rate=arithmetic.scalar(RATE), picks=picks, every=every * per_epoch)


@lru_cache(maxsize=128)
def train(name: str, seed: int, width: int, scale: float, slope: Fraction) -> tuple[list[float], list[float]]:
    """One run: stable ranks and test accuracies after 0, ..., EPOCHS epochs."""
    shots = list(_shots(name, seed, width, scale, slope, 1, FLOAT))
    return [stable_rank_from(w.T @ w) for w in shots], [accuracy(images(name), w, width, float(slope)) for w in shots]


def accuracy(source: Images, inner: Array, width: int, slope: Number) -> float:
    """The part of the test images whose sign of f is right."""
    signals = product(source.test_inputs.astype(inner.dtype), inner.T)
    hidden = leaky_relu(signals, slope)
    outputs = hidden[:, :width].sum(axis=1) - hidden[:, width:].sum(axis=1)
    return float((sign(outputs) * parity(source.test_targets) > 0).mean())


def over_scales(source: str, slope: Fraction, runs: int = CHECKED, progress: Progress = silent) -> Curves:
    """Figures 2 and 3."""
    return _curves(source, slope, [(1000, scale) for scale in SCALES], runs, progress)


def over_widths(source: str, slope: Fraction, runs: int = RUNS, progress: Progress = silent) -> Curves:
    """Figures 4 and 5."""
    return _curves(source, slope, [(width, SCALES[0]) for width in WIDTHS], runs, progress)


def _curves(source: str, slope: Fraction, settings: list[tuple[int, float]], runs: int, progress: Progress) -> Curves:
    """Several runs of each setting, a width m and a scale of the start."""
    found = np.array(
        [[train(source, seed, m, scale, slope) for m, scale in settings] for seed in watched(range(runs), progress)]
    )
    steps = np.arange(EPOCHS + 1) * (len(images(source).inputs) // BATCH)
    ranks = found[:, :, 0]
    return Curves(Enclosed(ranks, ROUNDED * (1 + steps) * ranks), found[:, :, 1])
