r"""Conic hulls and angles in exact arithmetic: distances to a cone, and cosines compared without square roots.

The signed square t |t| of a cosine is rational on rational vectors and increases with the cosine, so it orders angles
exactly.
"""

from itertools import combinations

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, sign, smallest, squared_norm
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import rank, solve


def squared_distance(z: Array, generators: Array) -> Number:
    """The squared distance from z to {sum_k a_k g_k : a_k >= 0}, exact on rationals.

    The nearest point lies inside the cone of some linearly independent generators, where it is the orthogonal
    projection to their span.
    """
    candidates = [squared_norm(z)]
    for count in range(1, min(len(generators), len(z)) + 1):
        for chosen in combinations(range(len(generators)), count):
            basis = generators[list(chosen)]
            if rank(basis) < count:
                continue
            coefficients = solve(basis @ basis.T, basis @ z)
            if all(sign(c) >= 0 for c in coefficients):
                candidates.append(squared_norm(z - coefficients @ basis))
    return smallest(np.array(candidates, dtype=object))


def signed_square(a: Array, b: Array) -> Number:
    """cos |cos| of the angle between two nonzero vectors."""
    inner = a @ b
    return inner * absolute(inner) / (squared_norm(a) * squared_norm(b))


def signed_data(data: Dataset) -> Array:
    """The vectors y_i x_i, as rows: the generators of K."""
    rows: Array = data.labels[:, None] * data.inputs
    return rows


def signed_separation(data: Dataset) -> Number:
    """mu |mu| with mu = min_{i,j} cos(y_i x_i, y_j x_j), i = j allowed."""
    rows = signed_data(data)
    return smallest(
        np.array([signed_square(rows[i], rows[j]) for i in range(len(rows)) for j in range(i + 1)], dtype=object)
    )


def foot(z: Array, normal: Array) -> Array:
    """The orthogonal projection of z to the hyperplane with this normal: of all its directions the nearest to z."""
    projected: Array = z - (z @ normal) / squared_norm(normal) * normal
    return projected
