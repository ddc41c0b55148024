"""Which samples each step of stochastic gradient descent sees, as an array: randomness is data."""

import numpy as np
from numpy.typing import NDArray

from refute.errors import BadInput
from refute.models.checks import checked_count


def minibatches(
    rng: np.random.Generator, samples: int, size: int, steps: int, *, replace: bool = False
) -> NDArray[np.int64]:
    """(steps, size) indices. Without replacement every epoch is a fresh permutation cut into batches; a short rest is
    dropped.
    """
    samples, size, steps = (
        checked_count(samples, "samples", 1),
        checked_count(size, "size", 1),
        checked_count(steps, "steps"),
    )
    if replace:
        return rng.integers(samples, size=(steps, size))
    if size > samples:
        raise BadInput(f"size must not exceed the {samples} samples, got {size}", "draw with replace=True")
    per_epoch = samples // size
    epochs = [rng.permutation(samples)[: per_epoch * size].reshape(-1, size) for _ in range(-(-steps // per_epoch))]
    return np.concatenate([np.empty((0, size), dtype=np.int64), *epochs])[:steps]
