r"""The training of Figure 3: a three-layer linear and a three-layer ReLU network from the same small weights.

Printed: width 100, $\gamma=10^{-2}$, step 0.1, 20000 epochs, inputs in 20 dimensions as in Figure 1 (1000 Gaussian
draws and their negatives), target $w^\top x$ with $w_i$ uniform in [-0.5, 0.5]. Plateaus are crossed in long steps
(`models.zhang2024.from_small`); training ends at a millionth of the loss.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from refute.models.dataset import Dataset
from refute.models.initialisation import small_deep_gaussian
from refute.models.zhang2024.from_small import FromSmall, descend_from_small, moments_only

Floats = NDArray[np.float64]
Layers = tuple[Floats, ...]

WIDTH, DIMENSION, SCALE, RATE, EPOCHS = 100, 20, 1e-2, 0.1, 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The two networks, from the same start."""

    linear: FromSmall
    relu: FromSmall

    def at(self, part: float) -> tuple[Layers, Layers]:
        """Weights of both when the loss is below `part` of the first one."""
        return self.linear.weights[self.linear.first_below(part)], self.relu.weights[self.relu.first_below(part)]

    @property
    def losses(self) -> tuple[float, float]:
        """Of both after the printed number of epochs."""
        linear, relu = (float(run.loss[run.steps <= EPOCHS][-1]) for run in (self.linear, self.relu))
        return linear, relu

    @property
    def arrivals(self) -> tuple[float, float]:
        """The epochs at which the losses of both fall below 10^-4 of the first one."""
        linear, relu = (float(run.steps[run.first_below(1e-4)]) for run in (self.linear, self.relu))
        return linear, relu


@lru_cache(maxsize=8)
def train(pairs: int, seed: int, width: int = WIDTH) -> Pair:
    """Both networks with the printed hyper-parameters."""
    rng = np.random.default_rng(seed)
    half, target = rng.standard_normal((pairs, DIMENSION)), rng.uniform(-0.5, 0.5, DIMENSION)
    inputs = np.vstack([half, -half])
    data, start = Dataset(inputs, inputs @ target), small_deep_gaussian(rng, [DIMENSION, width, width, 1], SCALE)
    linear = descend_from_small(start, moments_only(data), rate=RATE, steps=EPOCHS, slope=1.0)
    return Pair(linear, descend_from_small(start, data, rate=RATE, steps=EPOCHS))


def vanishing_ratio(linear: Layers, relu: Layers) -> float:
    """Root mean square in the ReLU network of the entries of W_2 that are negative in the linear one, over that of the
    others.
    """
    negative = linear[1] < 0
    return float(np.sqrt((relu[1][negative] ** 2).mean() / (relu[1][~negative] ** 2).mean()))


def cosine(a: Floats, b: Floats) -> float:
    """Of two arrays as vectors."""
    return float((a * b).sum() / (np.linalg.norm(a) * np.linalg.norm(b)))


def likeness(linear: Layers, relu: Layers) -> list[float]:
    """Cosines of W_1, W_3 and of W_2 where it is positive in the linear network."""
    positive = linear[1] > 0
    return [cosine(linear[0], relu[0]), cosine(linear[2], relu[2]), cosine(linear[1][positive], relu[1][positive])]
