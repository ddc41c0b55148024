"""What training does from many random starts of a leaky ReLU network, and how often the pattern settles as the lemmas
of section 5.2 of kou2023 say.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, sign, smallest
from refute.models.dataset import Dataset
from refute.models.kou2023.decomposition import batch_courses
from refute.models.network import TwoLayer

EQUAL = 1e-9  # of the largest gain: gains that differ by less count as equal, in floats and in balls


@dataclass(frozen=True, slots=True, eq=False)
class Gains:
    """Signals at a time, and what coefficients gain in the steps after it: (start, neuron, sample); `lean` is j y_i."""

    signals: Array
    gained: Array
    lean: NDArray[np.int64]
    slope: Number

    def right_signs(self) -> NDArray[np.bool_]:
        """sign <w, x_i> = j y_i for all neurons and samples; the sign of 0 is -1."""
        return np.asarray(((sign(self.signals) > 0) == (self.lean > 0)).all(axis=(1, 2)))

    def own_alike(self) -> NDArray[np.bool_]:
        """The gains of all neurons of a class agree on each sample of the class."""
        m = len(self.lean) // 2
        halves = ((self.gained[:, :m], self.lean[:m]), (self.gained[:, m:], self.lean[m:]))
        gaps = [_range(half[:, :, own[0] > 0]) for half, own in halves]
        size = largest(largest(absolute(self.gained), axis=1), axis=1)
        return _negligible(np.concatenate(gaps, axis=1), size[:, None])

    def crossed(self, turned: int) -> NDArray[np.bool_]:
        """Opposite coefficients gain gamma times as much as own ones, on each sample; `turned` is the sign with which
        the opposite gain is taken.
        """
        scaled = np.where(self.lean > 0, self.gained, turned * self.gained / self.slope)
        return _negligible(_range(scaled), largest(absolute(self.gained), axis=1))


def gains(net: TwoLayer, data: Dataset, inner: Array, *, rate: Number, first: int, further: int) -> Gains:
    """From many inner weights, (start, neuron, coordinate): at step `first`, and over `further` steps after it."""
    ends = (first, first + further)
    courses = batch_courses(data, inner, slope=net.slope, rate=rate, steps=ends[1], record=ends)
    (signals, early), (_, late) = courses
    lean = np.repeat([1, -1], net.width // 2)[:, None] * sign(data.labels)
    return Gains(signals, late - early, lean, net.slope)


def _range(values: Array) -> Array:
    """The largest minus the smallest over the neurons: (start, sample)."""
    return np.asarray(largest(values, axis=1) - smallest(values, axis=1))


def _negligible(gap: Array, size: Array) -> NDArray[np.bool_]:
    """Where every gap, (start, ...), counts as equal beside the size."""
    return np.asarray((sign(EQUAL * size - gap) >= 0).all(axis=1))
