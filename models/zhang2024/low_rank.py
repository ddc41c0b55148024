r"""The rank-one and rank-two weights (39), (40) of deep networks, and their training.

A case holds $v=u/\sqrt2$, the unit vector r and the rays $\rho_l=\sqrt2r_l$, in which all weights and all formulas are
rational: $(u/\sqrt2)^L=v^L$ and $u^{L-1}(\sqrt2)^{-L}r_1=\tfrac12v^{L-1}\rho_1$. The activation is ReLU and
$\sigma'(0)=0$, as appendix F.2 fixes it.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import leaky_relu, sign
from refute.models.dataset import Dataset
from refute.models.zhang2024.fields import chain, deep_factors, linear_flow

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


def descent(weights: Weights, data: Dataset, error: Array, at_zero: Number) -> list[Array]:
    """Minus the gradient of the square loss, layer by layer, at a ReLU network with errors y - f."""
    factors = deep_factors(weights, at_zero * 0, data, at_zero)
    return [(above * error[:, None]).T @ below / len(error) for above, below in factors]


@dataclass(frozen=True, eq=False)
class LowRank:
    """A ReLU network at the weights (40) on data, with what its training is made of."""

    v: Number
    r: Array
    rays: Rays
    data: Dataset
    at_zero: int = 0

    def with_slope_at_zero(self, value: int) -> "LowRank":
        """The same with another sigma'(0)."""
        return replace(self, at_zero=value)

    @property
    def depth(self) -> int:
        return len(self.rays) + 1

    @property
    def between(self) -> range:
        """The indices of the layers between the first and the last."""
        return range(1, self.depth - 1)

    @cached_property
    def weights(self) -> Weights:
        return trained_weights(self.v, self.r, self.rays)

    @cached_property
    def projections(self) -> Array:
        """r.x at each datum."""
        return np.asarray(self.data.inputs @ self.r)

    def output(self, activated: int | None = None) -> Array:
        """f at each datum, with ReLU after all hidden layers, or after the first `activated` ones only."""
        signal = self.data.inputs @ self.weights[0].T
        for level, matrix in enumerate(self.weights[1:], start=1):
            signal = (relu(signal) if activated is None or level <= activated else signal) @ matrix.T
        return np.asarray(signal[:, 0])

    @cached_property
    def error(self) -> Array:
        """y - f at each datum."""
        return np.asarray(self.data.labels - self.output())

    @cached_property
    def flow(self) -> list[Array]:
        """Minus the gradient of the square loss, layer by layer."""
        return descent(self.weights, self.data, self.error, self.v * 0 + self.at_zero)

    @cached_property
    def row(self) -> Array:
        r"""$\beta^\top-(u/\sqrt2)^Lr^\top\Sigma$."""
        return np.asarray(self.data.correlation - self.v**self.depth * (self.r @ self.data.covariance))

    @cached_property
    def scale(self) -> Number:
        r"""$v^{L-1}/2$, so that $u^{L-1}(\sqrt2)^{-L}r_l$ is this times $\rho_l$."""
        return self.v ** (self.depth - 1) / 2

    def block(self, level: int) -> Array:
        r"""$\mathrm{diag}(\rho_l^+\rho_{l-1}^{+\top},\rho_l^-\rho_{l-1}^{-\top})$ for the layer with index `level`."""
        above, below = self.rays[level], self.rays[level - 1]
        return np.asarray(np.outer(above, below) * same_sign(above, below))

    @cached_property
    def half_space_rows(self) -> tuple[Array, Array]:
        r"""$\langle(y-(u/\sqrt2)^Lr^\top x)x^\top\rangle$ over S+ = {r.x >= 0} and over S-; zero over no data."""
        rows = (self.data.labels - self.v**self.depth * self.projections)[:, None] * self.data.inputs
        inside = np.asarray(sign(self.projections)) >= 0
        return _average(rows, inside), _average(rows, ~inside)

    @cached_property
    def middle(self) -> Array:
        r"""$\tfrac12\beta^\top-\tfrac14W_L\cdots W_1\Sigma$, 1 x D."""
        whole = chain(self.weights)
        return np.asarray(self.data.correlation[None, :] / 2 - whole @ self.data.covariance / 4)

    def linear_flow(self, level: int) -> Array:
        """The right-hand side of Eq. (42) for the layer with index `level`, limits of the products as in (12)."""
        return linear_flow(self.weights, level, self.middle)

    def diagonal_blocks(self, level: int) -> Array:
        """The same in the diagonal blocks of the layers between, zero in the others."""
        formula = self.linear_flow(level)
        return formula * same_sign(self.rays[level], self.rays[level - 1]) if level in self.between else formula


def _average(rows: Array, inside: Array) -> Array:
    return np.asarray(rows[inside].sum(axis=0) / int(inside.sum()) if inside.any() else rows[0] * 0)
