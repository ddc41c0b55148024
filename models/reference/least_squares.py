"""Ordinary least squares, of minimum norm when the inputs do not span the space."""

from refute.arithmetic.numbers import Array
from refute.models.dataset import Dataset
from refute.models.geometry.elimination import solve


def least_squares(data: Dataset) -> Array:
    r"""The w of least norm that minimises sum_i (y_i - <w, x_i>)^2; exact on rational data.

    w = X^T c for any solution of the consistent system (X^T X X^T) c = X^T y, since the minimiser of least norm lies in
    the row space.
    """
    x, y = data.inputs, data.labels
    if x.dtype != object:
        import numpy as np

        floats: Array = np.linalg.lstsq(x, y, rcond=None)[0]
        return floats
    exact: Array = x.T @ solve(x.T @ x @ x.T, x.T @ y)
    return exact


def normal_equations(w: Array, data: Dataset) -> Array:
    """X^T (y - X w): zero exactly for a least-squares solution."""
    residual: Array = data.inputs.T @ (data.labels - data.inputs @ w)
    return residual
