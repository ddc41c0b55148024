"""Coefficients of the decomposition (5.1) of kou2023, solved from the weights of descent (3.2) with the Gram matrix."""

from dataclasses import dataclass

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import leaky_relu_slope, maximum, minimum
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import inverse
from refute.models.kou2023.decomposition import unroll_weights
from refute.models.kou2023.orthogonality import squared_norms
from refute.models.loss import expit
from refute.models.network import TwoLayer


@dataclass(frozen=True, eq=False)
class Recovered:
    """Coefficients at the steps 0, 1, ..., and what the update rule needs: (time, neuron, sample).

    `raw` are those of the weights themselves; `own` is one where y_i = j, `other` where y_i = -j.
    """

    rho: Array
    raw: Array
    gates: Array
    logits: Array
    own: Array
    other: Array
    squares: Array
    rate: Number
    m: int

    @property
    def bar(self) -> Array:
        return np.asarray(maximum(self.rho, self.rho * 0))

    @property
    def under(self) -> Array:
        return np.asarray(minimum(self.rho, self.rho * 0))

    @property
    def push(self) -> Array:
        """eta/(nm) |l_i'| sigma' |x_i|^2, at every step but the last."""
        unit = self.rate * self.squares / (len(self.squares) * self.m)
        return np.asarray((self.gates * self.logits[:, None, :] * unit)[:-1])


def recovered(net: TwoLayer, data: Dataset, *, rate: Number, steps: int) -> Recovered:
    """From linearly independent inputs; sigma'(0) = 1."""
    nets = list(unroll_weights(net, data, rate=rate, steps=steps))
    x, y, m = data.inputs, data.labels, net.width // 2
    solver, squares = x.T @ inverse(x @ x.T), squared_norms(x)
    own = np.array([[int((k < m) == (label > 0)) for label in y] for k in range(net.width)], dtype=object)
    return Recovered(
        rho=np.array([(now.inner - net.inner) @ solver for now in nets]) * squares,
        raw=np.array([now.inner @ solver for now in nets]) * squares,
        gates=np.array([leaky_relu_slope(now.inner @ x.T, net.slope, net.slope * 0 + 1) for now in nets]),
        logits=np.array([expit(-y * now(x)) for now in nets]),
        own=own,
        other=1 - own,
        squares=squares,
        rate=rate,
        m=m,
    )
