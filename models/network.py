"""Bias-free (leaky) ReLU networks as exact records; they compute in whatever arithmetic their weights are lifted to."""

from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import numpy as np

from refute import record
from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import leaky_relu


def check_slope(slope: Number) -> None:
    """The slope of a leaky ReLU is part of its definition: between 0 (ReLU) and 1 (linear)."""
    if not 0 <= slope <= 1:
        raise BadInput(f"slope = {slope} is not in [0, 1]", "0 is ReLU, 1 is linear")


@record
class TwoLayer:
    """f(x) = sum_h outer[h] * sigma(inner[h] . x) with sigma(z) = max(z, slope z); slope 1 is a linear network."""

    inner: Array
    outer: Array
    slope: Number

    AXES: ClassVar = {"inner": ("width", "dimension"), "outer": ("width",)}

    def validate(self) -> None:
        if self.inner.ndim != 2 or self.outer.shape != self.inner.shape[:1]:
            raise BadInput(
                f"inner has shape {self.inner.shape} and outer {self.outer.shape}",
                "use (width, dimension) and (width,)",
            )
        check_slope(self.slope)

    @property
    def width(self) -> int:
        return int(self.inner.shape[0])

    def with_weights(self, inner: Array, outer: Array) -> "TwoLayer":
        """The same slope with other weights, of any arithmetic: nothing is made exact."""
        return _as_given(inner, outer, self.slope)

    def with_slope(self, slope: Number) -> "TwoLayer":
        """The same weights with another slope, of any arithmetic."""
        return _as_given(self.inner, self.outer, slope)

    def hidden(self, x: Array) -> Array:
        """sigma(W1 x): shape (width,) for one point, (points, width) for rows of points."""
        hidden: Array = leaky_relu(x @ self.inner.T, self.slope)
        return hidden

    def __call__(self, x: Array) -> Number:
        """The output: a number for one point, one entry per row for an array of points."""
        return self.hidden(x) @ self.outer

    def linear_map(self) -> Array:
        """The row vector W2 W1."""
        product: Array = self.outer @ self.inner
        return product


@record
class DeepNetwork:
    """h_1 = W_1 x, h_l = W_l sigma(h_{l-1}), f = h_L: `weights` lists W_1, ..., W_L; the last one has a single row."""

    weights: tuple[Array, ...]
    slope: Number

    def validate(self) -> None:
        if not self.weights or self.weights[-1].shape[:1] != (1,):
            shapes = [weights.shape for weights in self.weights]
            raise BadInput(f"weights have shapes {shapes}", "give at least one matrix; the last one has a single row")
        for below, above in pairwise(self.weights):
            if below.ndim != 2 or above.ndim != 2 or above.shape[1] != below.shape[0]:
                raise BadInput(f"a layer of shape {above.shape} cannot follow one of shape {below.shape}")
        check_slope(self.slope)

    def extents(self) -> dict[str, int]:
        """The dimension and the hidden widths: dimension, width 1, ..., width L-1."""
        names = ["dimension", *(f"width {k}" for k in range(1, len(self.weights)))]
        return {name: int(matrix.shape[1]) for name, matrix in zip(names, self.weights, strict=True)}

    def without(self, axis: str, index: int) -> "DeepNetwork":
        """The network without an input coordinate, or without a hidden neuron."""
        level = [*self.extents()].index(axis)
        weights = list(self.weights)
        weights[level] = np.delete(weights[level], index, axis=1)
        if level:
            weights[level - 1] = np.delete(weights[level - 1], index, axis=0)
        return DeepNetwork(tuple(weights), self.slope)

    def signals(self, x: Array) -> list[Array]:
        """The pre-activations h_1, ..., h_L at the rows of x; the last one has a single column."""
        found = [x @ self.weights[0].T]
        for weights in self.weights[1:]:
            found.append(leaky_relu(found[-1], self.slope) @ weights.T)
        return found

    def __call__(self, x: Array) -> Number:
        return self.signals(x)[-1][..., 0]

    def with_weights(self, weights: tuple[Array, ...]) -> "DeepNetwork":
        """The same slope with other weights, of any arithmetic: nothing is made exact."""
        return _deep_as_given(weights, self.slope)

    def with_slope(self, slope: Number) -> "DeepNetwork":
        """The same weights with another slope, of any arithmetic."""
        return _deep_as_given(self.weights, slope)


def _as_given(inner: Array, outer: Array, slope: Number) -> TwoLayer:
    made = object.__new__(TwoLayer)
    for name, value in (("inner", inner), ("outer", outer), ("slope", slope)):
        object.__setattr__(made, name, value)
    return made


def _deep_as_given(weights: tuple[Array, ...], slope: Number) -> DeepNetwork:
    made = object.__new__(DeepNetwork)
    object.__setattr__(made, "weights", weights)
    object.__setattr__(made, "slope", slope)
    return made


def signed_halves(positive: Array, negative: Array, slope: Number) -> TwoLayer:
    """kou2023 (3.1): f = F_+ - F_-, each the mean of its m neurons, so the outer weights are +-1/m (and stay fixed)."""
    if len(positive) == 0 or np.shape(positive) != np.shape(negative):
        raise BadInput(
            f"positive has shape {np.shape(positive)} and negative {np.shape(negative)}",
            "give m >= 1 neurons of each sign",
        )
    share = Fraction(1, len(positive))
    outer = np.array([share] * len(positive) + [-share] * len(negative), dtype=object)
    return TwoLayer(np.concatenate([positive, negative]), outer, slope)


def as_deep(net: TwoLayer) -> DeepNetwork:
    """The same function as a network of depth two."""
    return DeepNetwork((net.inner, net.outer[None, :]), net.slope)
