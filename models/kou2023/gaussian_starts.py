r"""What many Gaussian starts of one network have in common after a given time: signs of signals and gains of
coefficients.

Signals and gains have the axes (start, neuron, sample), the m neurons with $j=+1$ first; the lean of a pair is $jy_i$.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, sign, smallest
from refute.models.dataset import Dataset
from refute.models.kou2023.decomposition import batch_courses
from refute.models.network import TwoLayer

Bools = NDArray[np.bool_]
Trial = Callable[[np.random.Generator, int], Bools]

EQUAL = 1e-9  # of the largest gain: gains that differ by less count as equal, in floats and in balls


@dataclass(frozen=True)
class Seen:
    """The signals at a time, and what the coefficients gain after it; `slope` is that of the network on the left."""

    signals: Array
    gained: Array
    lean: NDArray[np.int64]
    slope: Number

    def signs_are_those_of_the_labels(self) -> Bools:
        """sign <w, x_i> = j y_i for all neurons and samples, where the sign of 0 is -1."""
        return np.asarray(((sign(self.signals) > 0) == (self.lean > 0)).all(axis=(1, 2)))

    def own_gains_are_equal(self) -> Bools:
        """The neurons of a class gain alike on each sample of the class."""
        m = len(self.lean) // 2
        halves = [(self.gained[:, :m], self.lean[:m]), (self.gained[:, m:], self.lean[m:])]
        gaps = np.concatenate([_range(half[:, :, lean[0] > 0]) for half, lean in halves], axis=1)
        return _negligible(gaps, largest(largest(absolute(self.gained), axis=1), axis=1)[:, None])

    def opposite_gains_are_own_ones(self) -> Bools:
        """An opposite coefficient gains gamma times what an own one gains, without regard to signs."""
        return self._crossed(np.where(self.lean > 0, self.gained, -self.gained / self.slope))

    def opposite_gains_are_own_ones_with_their_sign(self) -> Bools:
        """The same with the signs that the gains have."""
        return self._crossed(np.where(self.lean > 0, self.gained, self.gained / self.slope))

    def _crossed(self, scaled: Array) -> Bools:
        return _negligible(_range(scaled), largest(absolute(self.gained), axis=1))


def _range(values: Array) -> Array:
    """The largest minus the smallest over the neurons: (start, sample)."""
    return np.asarray(largest(values, axis=1) - smallest(values, axis=1))


def _negligible(gap: Array, size: Array) -> Bools:
    return np.asarray((sign(EQUAL * size - gap) >= 0).all(axis=1))


@dataclass(frozen=True)
class GaussianStarts:
    """Starts with entries N(0, scale^2), trained to the step `until` and `further` steps more."""

    data: Dataset
    net: TwoLayer
    rate: Number
    scale: Number
    until: int
    further: int

    def with_property(self, event: Callable[[Seen], Bools]) -> Trial:
        """Which of a number of random starts have a property."""
        m, labels = self.net.width // 2, np.asarray(sign(self.data.labels))
        lean = np.repeat([1, -1], m)[:, None] * labels

        def trial(rng: np.random.Generator, count: int) -> Bools:
            inner = self.scale * rng.standard_normal((count, self.net.width, self.data.inputs.shape[1]))
            steps = (self.until, self.until + self.further)
            courses = batch_courses(
                self.data, inner, slope=self.net.slope, rate=self.rate, steps=steps[1], record=steps
            )
            (signals, early), (_, late) = courses
            return event(Seen(signals, late - early, lean, self.net.slope))

        return trial
