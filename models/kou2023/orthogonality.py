r"""How far a set of inputs is from orthogonal: the numbers R_min^2, R_max^2 and p of kou2023, in any arithmetic."""

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, largest, smallest


def squared_norms(inputs: Array) -> Array:
    """|x_i|^2 of every row."""
    return np.asarray((inputs * inputs).sum(axis=1))


def squared_radii(inputs: Array) -> tuple[Number, Number]:
    """R_min^2 and R_max^2."""
    squares = squared_norms(inputs)
    return smallest(squares), largest(squares)


def largest_overlap(inputs: Array) -> Number:
    """p = max over i != k of |<x_i, x_k>|; 0 for a single input."""
    gram = inputs @ inputs.T
    above = gram[np.triu_indices(len(gram), 1)]
    return largest(absolute(above)) if above.size else gram[0, 0] * 0


def relative_overlap(inputs: Array) -> Number:
    """R_min^-2 n p."""
    return largest_overlap(inputs) * len(inputs) / squared_radii(inputs)[0]
