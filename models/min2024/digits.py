r"""Two digits, centred, as in Section 4, A.4 and A.5 of min2024: fifty neurons, gradient descent from
$\alpha=10^{-6}$ with step $2\cdot10^{-3}$.

The paper has 28 x 28 MNIST images; here are scikit-learn's 8 x 8 digits, the first 25 of each class, pixels scaled to
[0, 1] and then by 28/8, so that an image has the norm it would have with every pixel repeated. Loss and reduction are
not printed: the averaged exponential loss, as in the toy experiments.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute.models.dataset import Dataset
from refute.models.descent.single import descend
from refute.models.gradient import descent_direction
from refute.models.initialisation import small_gaussian
from refute.models.loss import Loss, Shape
from refute.models.network import TwoLayer

Floats = NDArray[np.float64]
PER_CLASS, WIDTH, SCALE, RATE, STEPS, EVERY = 25, 50, 1e-6, 2e-3, 15_000, 50
LOSS = Loss(Shape.EXPONENTIAL)
ALIGNED, CLOSE = 0.9, 1.2  # "well aligned" and "almost 1"


@lru_cache(maxsize=8)
def digits(first: int, second: int, centred: bool = True) -> Dataset:
    """The first images of two digits; the label of the first one is 1."""
    from sklearn.datasets import load_digits

    bunch = load_digits()
    chosen = np.concatenate([np.flatnonzero(bunch.target == digit)[:PER_CLASS] for digit in (first, second)])
    images = bunch.data[chosen] / 16 * (28 / 8)
    labels = np.where(bunch.target[chosen] == first, 1.0, -1.0)
    return Dataset(images - images.mean(axis=0) if centred else images, labels)


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """What the figures show, by recorded step: loss, |W|_2^2, stable rank, cosines of mean, worst and best neurons, and
    the measures of A.5.
    """

    data: Dataset
    steps: Floats
    loss: Floats
    spectral: Floats
    rank: Floats
    mean: Floats  # (times, 2): cos(mean of V_+, x_+), cos(mean of V_-, x_-)
    worst: Floats
    best: Floats
    norms: Floats
    directions: Floats
    means: tuple[Floats, Floats]  # of the neurons at the last step

    def at(self, step: int) -> int:
        return int(np.searchsorted(self.steps, step))

    @property
    def plateau(self) -> int:
        """The last recorded time with a loss above 99 % of the first."""
        return int(np.flatnonzero(self.loss > 0.99 * self.loss[0])[-1])

    def falls(self, part: float) -> int:
        """The first recorded time with a loss below `part` of the first."""
        return int(np.argmax(self.loss < part * self.loss[0]))


@lru_cache(maxsize=32)
def train(
    first: int, second: int, train_outer: bool = True, seed: int = 0, steps: int = STEPS, every: int = EVERY
) -> Curves:
    """One run; with `train_outer` False the outer weights are +1 or -1 and fixed."""
    data = digits(first, second)
    rng = np.random.default_rng(seed)
    inner, outer = small_gaussian(rng, WIDTH, data.inputs.shape[1], SCALE)
    if not train_outer:
        outer = np.where(rng.random(WIDTH) < 0.5, 1.0, -1.0)
    run = descend(
        TwoLayer(inner, outer, 0.0),
        data,
        LOSS,
        rate=RATE,
        steps=steps,
        every=every,
        train_outer=train_outer,
        slope_at_zero=0.0,
    )
    x, y = np.asarray(data.inputs, dtype=float), np.asarray(data.labels, dtype=float)
    rows: dict[str, list[Any]] = {
        name: [] for name in ("spectral", "rank", "mean", "worst", "best", "norms", "directions")
    }
    for w, v in zip(run.inner, run.outer, strict=True):
        sizes = np.linalg.norm(w, axis=1)
        top = float(np.linalg.norm(w, 2) ** 2)
        cosines = [[_cosine(r, y_centre) for r in w[np.sign(v) == s]] for s, y_centre in _centres(x, y)]
        downhill = descent_direction(TwoLayer(w, v, 0.0), Dataset(x, y), LOSS, 0.0)[0]
        across = downhill - (downhill * w).sum(axis=1, keepdims=True) * w / sizes[:, None] ** 2
        rows["spectral"].append(top)
        rows["rank"].append(float((sizes**2).sum()) / top)
        rows["mean"].append([_cosine(w[np.sign(v) == s].mean(axis=0), c) for s, c in _centres(x, y)])
        rows["worst"].append([min(one) for one in cosines])
        rows["best"].append([max(one) for one in cosines])
        rows["norms"].append(float(2 * (downhill * w).sum()))
        rows["directions"].append(float((np.linalg.norm(across, axis=1) / sizes).sum()))
    last = run.inner[-1], np.sign(run.outer[-1])
    curves = {name: np.array(values) for name, values in rows.items()}
    return Curves(
        data,
        run.steps.astype(float),
        run.loss,
        **curves,
        means=(last[0][last[1] > 0].mean(axis=0), last[0][last[1] < 0].mean(axis=0)),
    )


def _centres(x: Floats, y: Floats) -> list[tuple[int, Floats]]:
    return [(s, x[y == s].sum(axis=0)) for s in (1, -1)]


def _cosine(a: Floats, b: Floats) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))
