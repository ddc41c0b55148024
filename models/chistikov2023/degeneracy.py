"""What Assumption 1 (iii) excludes: two inputs of one direction, and a teacher that does not see the whole spectrum."""

import numpy as np

from refute.arithmetic.numbers import Array


def parallel(x: Array, y: Array) -> bool:
    """Whether two vectors have one direction."""
    return bool(x @ y > 0 and (x @ y) ** 2 == (x @ x) * (y @ y))


def repeated_directions(inputs: Array) -> int:
    """How many inputs have the direction of an earlier one."""
    rows = list(inputs)
    return sum(any(parallel(x, y) for y in rows[:i]) for i, x in enumerate(rows))


def krylov(inputs: Array, v: Array) -> Array:
    """v, Hv, ..., H^{d-1} v as rows, with n H = X X^T: independent iff H has distinct eigenvalues and v a part along
    every eigenvector.
    """
    rows = [v]
    for _ in range(len(v) - 1):
        rows.append(inputs.T @ (inputs @ rows[-1]))
    return np.array([list(row) for row in rows], dtype=v.dtype)
