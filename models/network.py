"""Bias-free (leaky) ReLU networks as exact records; they compute in whatever arithmetic their weights are lifted to."""

from itertools import pairwise

from refute import record
from refute.errors import BadInput
from refute.functions import leaky_relu
from refute.numbers import Array, Number


@record
class TwoLayer:
    """f(x) = sum_h outer[h] * sigma(inner[h] . x) with sigma(z) = max(z, slope z); slope 1 is a linear network."""

    inner: Array
    outer: Array
    slope: Number

    def validate(self) -> None:
        if self.inner.ndim != 2 or self.outer.shape != self.inner.shape[:1]:
            raise BadInput(f"inner has shape {self.inner.shape} and outer {self.outer.shape}", "use (width, dimension) and (width,)")

    @property
    def width(self) -> int:
        return int(self.inner.shape[0])

    def with_weights(self, inner: Array, outer: Array) -> "TwoLayer":
        """The same slope with other weights, of any arithmetic: nothing is made exact."""
        moved = object.__new__(TwoLayer)
        for name, value in (("inner", inner), ("outer", outer), ("slope", self.slope)):
            object.__setattr__(moved, name, value)
        return moved

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
        for below, above in pairwise(self.weights):
            if below.ndim != 2 or above.ndim != 2 or above.shape[1] != below.shape[0]:
                raise BadInput(f"a layer of shape {above.shape} cannot follow one of shape {below.shape}")

    def __call__(self, x: Array) -> Number:
        signal = x @ self.weights[0].T
        for weights in self.weights[1:]:
            signal = leaky_relu(signal, self.slope) @ weights.T
        return signal[..., 0]
