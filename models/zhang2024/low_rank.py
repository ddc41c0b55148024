r"""The rank-one and rank-two weights (39), (40) of deep networks, and their training.

A case holds $v=u/\sqrt2$, the unit vector r and the rays $\rho_l=\sqrt2r_l$, in which all weights and all formulas are
rational: $(u/\sqrt2)^L=v^L$ and $u^{L-1}(\sqrt2)^{-L}r_1=\tfrac12v^{L-1}\rho_1$.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import leaky_relu, sign
from refute.models.dataset import Dataset
from refute.models.gradient import deep_descent_direction
from refute.models.loss import SQUARE
from refute.models.network import DeepNetwork

Rays = tuple[Array, ...]
Weights = tuple[Array, ...]


def part(ray: Array, side: int) -> Array:
    """[r^+; 0] for side 1 and [0; r^-] for side -1."""
    return np.asarray(ray * (np.asarray(sign(ray)) == side).astype(int))


def same_sign(above: Array, below: Array) -> Array:
    """1 in the two diagonal blocks, 0 elsewhere."""
    return np.asarray((np.asarray(sign(above))[:, None] == np.asarray(sign(below))[None, :]).astype(int))


def trained_weights(v: Number, r: Array, rays: Rays) -> Weights:
    """The weights (40)."""
    middle = [v * np.outer(above, below) * same_sign(above, below) for below, above in pairwise(rays)]
    return (v * np.outer(rays[0], r), *middle, v * rays[-1][None, :])


def relu(z: Array) -> Array:
    return np.asarray(leaky_relu(z, 0))


def network(weights: Weights, slope: Number) -> DeepNetwork:
    """The deep network with these weights, in the arithmetic they are in."""
    made = DeepNetwork((np.eye(1),), 0).with_weights(weights)
    object.__setattr__(made, "slope", slope)
    return made


def output(weights: Weights, inputs: Array, activated: int) -> Array:
    """The output at each input, with ReLU after the first `activated` layers only."""
    signal = inputs @ weights[0].T
    for level, matrix in enumerate(weights[1:], start=1):
        signal = (relu(signal) if level <= activated else signal) @ matrix.T
    return np.asarray(signal[:, 0])


@dataclass(frozen=True, eq=False)
class LowRank:
    """A ReLU network at the weights (40) on data, with what its training is made of."""

    v: Number
    r: Array
    rays: Rays
    data: Dataset

    @property
    def depth(self) -> int:
        return len(self.rays) + 1

    @cached_property
    def weights(self) -> Weights:
        return trained_weights(self.v, self.r, self.rays)

    @property
    def inner_layers(self) -> range:
        """The indices of the layers between the first and the last."""
        return range(1, len(self.rays))

    @property
    def scale(self) -> Number:
        r"""$\tfrac12v^{L-1}=u^{L-1}(\sqrt2)^{-L}\rho_l/r_l$."""
        return self.v ** (self.depth - 1) / 2

    @property
    def projections(self) -> Array:
        """r.x at each datum."""
        return np.asarray(self.data.inputs @ self.r)

    @cached_property
    def error(self) -> Array:
        """y - f at each datum."""
        return np.asarray(self.data.labels - output(self.weights, self.data.inputs, self.depth - 1))

    @property
    def row(self) -> Array:
        r"""$\beta^\top-(u/\sqrt2)^Lr^\top\Sigma$."""
        return np.asarray(self.data.correlation - self.v**self.depth * (self.r @ self.data.covariance))

    def descent(self, at_zero: int = 0) -> Weights:
        """Minus the gradient of the square loss, layer by layer, with sigma'(0) = at_zero."""
        net = network(self.weights, self.v * 0)
        return deep_descent_direction(net, self.data, SQUARE, self.v * 0 + at_zero)

    def block(self, level: int) -> Array:
        r"""$\mathrm{diag}(\rho_l^+\rho_{l-1}^{+\top},\rho_l^-\rho_{l-1}^{-\top})$ for the layer with index `level`."""
        above, below = self.rays[level], self.rays[level - 1]
        return np.asarray(np.outer(above, below) * same_sign(above, below))

    def half_space_rows(self) -> tuple[Array, Array]:
        r"""$\langle(y-(u/\sqrt2)^Lr^\top x)x^\top\rangle$ over S+ = {r.x >= 0} and over S-; zero over no data."""
        z = self.projections
        rows = (self.data.labels - self.v**self.depth * z)[:, None] * self.data.inputs
        inside = np.asarray(sign(z)) >= 0
        return _average(rows, inside), _average(rows, ~inside)


def _average(rows: Array, inside: Array) -> Array:
    return np.asarray(rows[inside].sum(axis=0) / int(inside.sum()) if inside.any() else rows[0] * 0)
