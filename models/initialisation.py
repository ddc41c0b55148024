"""Random initial weights, from an explicit generator."""

import numpy as np
from numpy.typing import NDArray

from models.descent.trainable import checked_count

Floats = NDArray[np.float64]


def small_gaussian(rng: np.random.Generator, width: int, dimension: int, scale: float) -> tuple[Floats, Floats]:
    """Each layer i.i.d. N(0, scale^2 / number of its weights), so that its expected squared norm is scale^2."""
    width, dimension = checked_count(width, "width", 1), checked_count(dimension, "dimension", 1)
    inner = rng.standard_normal((width, dimension)) * scale / np.sqrt(width * dimension)
    outer = rng.standard_normal(width) * scale / np.sqrt(width)
    return inner, outer
