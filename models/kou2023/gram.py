"""Numbers of a Gram matrix in float64, with bounds on their errors."""

import numpy as np

from refute.arithmetic.enclosed import ULP, Enclosed
from refute.arithmetic.numbers import Array


def eigenvalues(gram: Array) -> Enclosed:
    """In ascending order: LAPACK's are those of a matrix that differs by a few roundings of its norm."""
    matrix = np.asarray(gram, dtype=float)
    return Enclosed(np.linalg.eigvalsh(matrix), 16 * len(matrix) * ULP * np.linalg.norm(matrix))


def inverse_sum(gram: Array) -> Enclosed:
    """1' G^-1 1 for a positive matrix; a solution z that misses by r is off by |r|/lambda_min in every direction."""
    matrix, ones = np.asarray(gram, dtype=float), np.ones(len(gram))
    found = np.linalg.solve(matrix, ones)
    missed = Enclosed(matrix) @ Enclosed(found[:, None]) - ones[:, None]
    far = float(np.linalg.norm(np.abs(missed.value) + missed.error)) / float(eigenvalues(gram).low[0])
    return Enclosed(found, far).sum()
