"""Random initial weights, from an explicit generator."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from refute.models.checks import checked_count

Floats = NDArray[np.float64]


def small_gaussian(rng: np.random.Generator, width: int, dimension: int, scale: float) -> tuple[Floats, Floats]:
    """Each layer i.i.d. N(0, scale^2 / number of its weights), so that its expected squared norm is scale^2."""
    width, dimension = checked_count(width, "width", 1), checked_count(dimension, "dimension", 1)
    inner = rng.standard_normal((width, dimension)) * scale / np.sqrt(width * dimension)
    outer = rng.standard_normal(width) * scale / np.sqrt(width)
    return inner, outer


def small_deep_gaussian(rng: np.random.Generator, widths: Sequence[int], scale: float) -> list[Floats]:
    """The same for any depth: `widths` lists the input dimension, the hidden widths and 1."""
    sizes = [checked_count(width, "width", 1) for width in widths]
    return [rng.standard_normal((above, below)) * scale / np.sqrt(above * below) for below, above in pairwise(sizes)]
