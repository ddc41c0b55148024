"""Gaussian elimination in any field: exact on rationals, with partial pivoting on floats."""

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import absolute


def _tiny(matrix: Array) -> Number:
    """Below this a pivot counts as zero: nothing in exact arithmetic, round-off in floats."""
    if matrix.dtype == object or not matrix.size:
        return 0
    return 1e-13 * float(np.abs(matrix).max())


def reduced(matrix: Array, columns: int) -> tuple[Array, list[int]]:
    """The reduced row echelon form with pivots among the first `columns` columns, and the pivot columns."""
    rows = matrix.copy()
    tiny = _tiny(rows[:, :columns])
    pivots: list[int] = []
    for column in range(columns):
        top = len(pivots)
        if top == len(rows):
            break
        best = max(range(top, len(rows)), key=lambda r: absolute(rows[r, column]))
        if not absolute(rows[best, column]) > tiny:
            continue
        rows[[top, best]] = rows[[best, top]]
        rows[top] = rows[top] / rows[top, column]
        for r in range(len(rows)):
            if r != top:
                rows[r] = rows[r] - rows[r, column] * rows[top]
        pivots.append(column)
    return rows, pivots


def rank(matrix: Array) -> int:
    """The rank: exact for rationals."""
    return len(reduced(matrix, matrix.shape[1])[1])


def solve(matrix: Array, target: Array) -> Array:
    """A solution of matrix @ x = target with zeros in the free places; an error when there is none."""
    columns = matrix.shape[1]
    rows, pivots = reduced(np.concatenate([matrix, target[:, None]], axis=1), columns)
    tiny = 0 if matrix.dtype == object else 1e-9 * max(float(np.abs(target).max(initial=0.0)), 1e-300)
    if any(absolute(row[-1]) > tiny for row in rows[len(pivots) :]):
        raise BadInput("the linear system has no solution", "check that the equations are consistent")
    solution = 0 * matrix[0] if len(matrix) else np.zeros(columns)
    for row, column in zip(rows, pivots, strict=False):
        solution[column] = row[-1]
    return solution


def minors(matrix: Array) -> Array:
    """The leading principal minors of a square matrix, by expansion: without a division, so in any arithmetic."""

    def determinant(square: Array) -> Number:
        if len(square) == 1:
            return square[0, 0]
        rest = [np.delete(square[1:], k, axis=1) for k in range(len(square))]
        return sum((-1) ** k * square[0, k] * determinant(rest[k]) for k in range(len(square)))

    return np.array([determinant(matrix[:k, :k]) for k in range(1, len(matrix) + 1)], dtype=matrix.dtype)


def inverse(matrix: Array) -> Array:
    """The inverse of a regular square matrix; an error names the rank of a singular one."""
    size = len(matrix)
    identity = np.array(
        [[0 * matrix[0, 0] + int(i == j) for j in range(size)] for i in range(size)], dtype=matrix.dtype
    )
    rows, pivots = reduced(np.concatenate([matrix, identity], axis=1), size)
    if matrix.shape != (size, size) or len(pivots) < size:
        raise BadInput(f"a matrix of shape {matrix.shape} and rank {len(pivots)} has no inverse")
    return rows[:, size:]
