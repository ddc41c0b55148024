r"""The stable rank |W|_F^2 / |W|_2^2 and its excess over 1, without cancellation."""

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import sqrt, squared_norm
from refute.models.geometry.ball_matrix import ball_array, ball_matrix, largest_eigenvalue

Floats = NDArray[np.float64]
SINGULAR_VALUE = 1e-14  # the relative error of the largest singular value in float64


def stable_rank(matrix: Array) -> Number:
    """|W|_F^2 / |W|_2^2 of a nonzero matrix, at any scale."""
    return 1 + stable_rank_excess(matrix)


def stable_rank_excess(matrix: Array) -> Number:
    """stable rank - 1 = sum_{k >= 2} (sigma_k / sigma_1)^2, added up from the small end; a ball that holds it if the
    entries are balls.
    """
    if matrix.dtype == object:
        return (
            _excess_of_rank_two(matrix)
            if min(matrix.shape) <= 2
            else stable_rank_from(ball_array(_smaller_gram(matrix))) - 1
        )
    largest = float(np.abs(matrix).max(initial=0.0))
    if not 0 < largest < np.inf:
        raise BadInput("the stable rank needs a nonzero finite matrix")
    values = np.linalg.svd(np.asarray(matrix, dtype=float) / largest, compute_uv=False)
    return float(((values[:0:-1] / values[0]) ** 2).sum())


def _excess_of_rank_two(matrix: Array) -> Number:
    """e = (sigma_2/sigma_1)^2 without a difference: e/(1 + e)^2 is the sum of the squared 2 x 2 minors over |W|_F^4."""
    (a, b), (i, k) = (np.triu_indices(size, 1) for size in matrix.shape)
    minors = matrix[np.ix_(a, i)] * matrix[np.ix_(b, k)] - matrix[np.ix_(a, k)] * matrix[np.ix_(b, i)]
    q = squared_norm(minors) / squared_norm(matrix) ** 2
    return 2 * q / (1 - 2 * q + sqrt(1 - 4 * q))


def stable_rank_from(gram: Array) -> Number:
    """The stable rank of W from W W' (or W' W): trace over largest eigenvalue."""
    if gram.dtype == object:
        return sum(np.diagonal(gram), arb(0)) / largest_eigenvalue(ball_matrix(gram))
    values = np.linalg.eigvalsh(gram / np.abs(gram).max())
    return float(values.sum() / values[-1])


def spectral_norms(matrices: Array) -> Array:
    """|W|_2 of each of many matrices of one shape, from the smaller Gram matrix."""
    if matrices.dtype == object:
        return np.array([sqrt(largest_eigenvalue(_smaller_gram(matrix))) for matrix in matrices], dtype=object)
    return np.asarray(np.sqrt(np.linalg.eigvalsh(_smaller_grams(matrices))[:, -1]))


def known_stable_ranks(matrices: Array, doubt: Number) -> Enclosed:
    """Of many matrices, (..., rows, columns), from the smaller Gram matrices: for large ones a small part of the work
    of singular values. `doubt` is a bound on |E|_F/|W|_2, with E the error of W.
    """
    grams = _smaller_grams(matrices)
    size = np.abs(grams).max(axis=(-2, -1))
    values = np.linalg.eigvalsh(grams / size[..., None, None])
    found = values.sum(axis=-1) / values[..., -1]
    moved = doubt * (2 * np.sqrt(np.maximum(found - 1, 0)) + doubt)
    return Enclosed(found, moved + values.shape[-1] * SINGULAR_VALUE * found)


def _smaller_grams(matrices: Floats) -> Floats:
    """W W' or W' W of each, whichever is smaller."""
    turned = matrices if matrices.shape[-2] <= matrices.shape[-1] else matrices.swapaxes(-2, -1)
    return turned @ turned.swapaxes(-2, -1)


def _smaller_gram(matrix: Array) -> arb_mat:
    """W W' or W' W, in balls."""
    turned = ball_matrix(matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T)
    return turned * turned.transpose()


def log_stable_rank_excess(log_norm: Floats, log_gap: Floats) -> tuple[float, float]:
    r"""Bounds on ln(stable rank - 1) of rows given by log-norms and ln(1 - cos) of their angles, also far below machine
    precision.

    The second symmetric function of the sigma_k^2 is e_2 = sum_{j<k} |w_j|^2 |w_k|^2 sin^2(angle): no difference is
    taken. With q = e_2 / |W|_F^4 the excess e obeys e <= q (1+e)^2 <= e + e^2/2; the bounds are closest where they
    matter, at small e.
    """
    size = np.asarray(log_norm, dtype=float)
    gap = np.array(log_gap, dtype=float)
    sine = gap + np.log(np.maximum(2 - np.exp(np.minimum(gap, np.log(2))), 0.0) + 1e-320)
    above = np.triu_indices(len(size), 1)
    pairs = (2 * size[:, None] + 2 * size[None] + sine)[above]
    pairs = pairs[~np.isnan(pairs)]
    if not pairs.size or np.isneginf(pairs).all():
        return -np.inf, -np.inf
    q = float(logsumexp(pairs) - 2 * logsumexp(2 * size))
    return _log_root(q, 0.5), _log_root(q, 1.0)


def _log_root(log_q: float, curvature: float) -> float:
    """ln of the e with e + (1 - curvature) e^2 = q (1 + e)^2: curvature 1/2 gives the lower bound, 1 the upper one (inf
    when none).
    """
    if log_q < -80:
        return log_q
    q = float(np.exp(log_q))
    a, b = 1 - curvature - q, 1 - 2 * q  # a e^2 + b e - q = 0
    discriminant = b * b + 4 * a * q
    if discriminant < 0 or (a <= 0 and b <= 0):
        return np.inf
    root = 2 * q / (b + np.sqrt(discriminant))
    return float(np.log(root)) if root > 0 else np.inf


def enclosed_spectral_norms(matrices: Enclosed) -> Enclosed:
    """|W|_2 of each of many matrices: by Weyl's inequality an error E of W moves it by at most |E|_F."""
    found = np.linalg.norm(matrices.value, 2, axis=(-2, -1))
    doubt = np.sqrt((matrices.error**2).sum(axis=(-2, -1)))
    return Enclosed(found, doubt + SINGULAR_VALUE * found)


def enclosed_excess(matrices: Enclosed) -> Enclosed:
    """sum_{k >= 2} sigma_k^2 of each of many matrices: the squared distance to those of rank one, which an error E of W
    moves by at most |E|_F.
    """
    values = np.linalg.svd(matrices.value, compute_uv=False)
    doubt = np.sqrt((matrices.error**2).sum(axis=(-2, -1))) + SINGULAR_VALUE * values[..., 0]
    return Enclosed(np.sqrt((values[..., 1:] ** 2).sum(axis=-1)), doubt) ** 2
