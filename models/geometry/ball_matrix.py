"""Matrices of balls: object arrays on the outside, `flint.arb_mat` where they are multiplied, which is a hundred times
as fast.
"""

from collections.abc import Sequence

import numpy as np
from flint import arb, arb_mat, fmpq
from threadpoolctl import threadpool_limits

from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput, Inexact
from refute.functions import sqrt


def ball_matrix(values: Array) -> arb_mat:
    """A matrix of floats or balls; rationals raise `Inexact`, so that what was asked for in rationals is asked for in
    balls.
    """
    (rows, columns), entries = values.shape, values.reshape(-1).tolist()
    if entries and isinstance(entries[0], fmpq):
        raise Inexact("a matrix of balls")
    return arb_mat(rows, columns, entries)


def ball_array(matrix: arb_mat, shape: Sequence[int] | None = None) -> Array:
    """Its entries as an object array, row by row."""
    entries = np.empty(matrix.nrows() * matrix.ncols(), dtype=object)
    entries[:] = matrix.entries()
    return entries.reshape((matrix.nrows(), matrix.ncols()) if shape is None else shape)


def product(left: Array, right: Array) -> Array:
    """left @ right, of floats or of balls."""
    return ball_array(ball_matrix(left) * ball_matrix(right)) if left.dtype == object else left @ right


def largest_eigenvalue(matrix: arb_mat) -> arb:
    r"""A ball around the largest eigenvalue of a positive semidefinite matrix A that is not zero, about as thin as
    float64 allows.

    It is at least v'Av/v'v for any v, and with E = k - A - FF' for any F and k it is at most k + |E|, since A = k - FF'
    - E. Only v, k and F = V(k - L)^(1/2) come from an eigenvalue decomposition in float64, which nothing here trusts.
    """
    size = matrix.nrows()
    trace = sum((matrix[i, i] for i in range(size)), arb(0))
    if not trace > 0:
        raise BadInput("the largest eigenvalue needs a nonzero matrix")
    unit = matrix * (1 / trace)
    middle = np.array([float(value.mid()) for value in unit.entries()]).reshape(size, size)
    with threadpool_limits(1):  # threads that wait for a busy core cost more than they save
        values, vectors = np.linalg.eigh(middle)
    k, v, factor = float(values[-1]), ball_matrix(vectors[:, -1:]), ball_matrix(vectors * np.sqrt(values[-1] - values))
    excess = unit + factor * factor.transpose()
    for i in range(size):
        excess[i, i] -= k
    low = (v.transpose() * unit * v)[0, 0] / (v.transpose() * v)[0, 0]
    return trace * low.union(k + _frobenius(excess))


def _frobenius(matrix: arb_mat) -> Number:
    """The Frobenius norm, which is not below the spectral norm."""
    return sqrt(sum((value * value for value in matrix.entries()), arb(0)))
