"""A finite dataset with scalar labels, and its moments."""

from typing import ClassVar

import numpy as np

from refute import record
from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import mean


@record
class Dataset:
    """`inputs` has one row per sample, `labels` one entry."""

    inputs: Array
    labels: Array

    AXES: ClassVar = {"inputs": ("samples", "dimension"), "labels": ("samples",)}

    def validate(self) -> None:
        if self.inputs.ndim != 2 or self.labels.shape != self.inputs.shape[:1]:
            raise BadInput(
                f"inputs have shape {self.inputs.shape} and labels {self.labels.shape}",
                "use (samples, dimension) and (samples,)",
            )
        if self.inputs.shape[0] == 0:
            raise BadInput("the dataset is empty", "give at least one sample")

    @property
    def covariance(self) -> Array:
        """Sigma = <x x^T>, not centred."""
        second_moment: Array = self.inputs.T @ self.inputs / self.inputs.shape[0]
        return second_moment

    @property
    def correlation(self) -> Array:
        """beta = <y x>."""
        moment: Array = self.labels @ self.inputs / self.inputs.shape[0]
        return moment

    def average(self, values: Array) -> Number:
        """The average over the dataset of per-sample values (samples first)."""
        return mean(values)


def with_bias(data: Dataset) -> Dataset:
    """Every input with a one appended, so that a bias-free network on the result is a network with a bias in its first
    layer.
    """
    ones = np.ones((data.inputs.shape[0], 1), dtype=data.inputs.dtype)
    return Dataset(np.hstack([data.inputs, ones]), data.labels)
