"""Repairs that move a deep network off its kinks or onto one."""

from fractions import Fraction

import numpy as np
from hypothesis.strategies import DrawFn

from refute.arithmetic.numbers import Array
from refute.models.dataset import Dataset
from refute.models.network import DeepNetwork
from refute.strategies.retry import patience


def _rectified(z: Array, slope: Fraction) -> Array:
    rectified: Array = np.maximum(z, slope * z)
    return rectified


def avoid_deep_kinks(draw: DrawFn, net: DeepNetwork, data: Dataset) -> dict[str, DeepNetwork]:
    """Tilt each hidden row until its pre-activation is zero only where the whole layer below is silent."""
    below, weights = data.inputs, [matrix.copy() for matrix in net.weights]
    for level, matrix in enumerate(weights[:-1]):
        alive = below[[any(row) for row in below]]
        for h, row in enumerate(net.weights[level]):
            step = 0
            turns = patience()
            while any(value == 0 for value in alive @ matrix[h]):
                next(turns)
                step += 1  # a row on a moment curve meets each hyperplane at finitely many steps
                matrix[h] = row + np.array([Fraction(step) ** (k + 1) / 10 for k in range(len(row))], dtype=object)
        below = _rectified(below @ matrix.T, net.slope)
    return {"net": DeepNetwork(tuple(weights), net.slope)}


def hit_deep_kink(draw: DrawFn, net: DeepNetwork, data: Dataset) -> dict[str, object]:
    """A first neuron that is zero and feeds a path of ones to the output, a ReLU slope, and a single datum with a large
    label.
    """
    weights = [matrix.copy() for matrix in net.weights]
    weights[0][0] = weights[0][0] * 0
    for matrix in weights[1:]:
        matrix[0, 0] = Fraction(1)
    inputs = data.inputs.copy()
    inputs[0, 0] = Fraction(1)
    return {"net": DeepNetwork(tuple(weights), Fraction(0)), "data": Dataset(inputs, data.labels + 100)}
