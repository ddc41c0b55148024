r"""The stable rank |W|_F^2 / |W|_2^2 and its excess over 1, without cancellation."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from refute.errors import BadInput

Floats = NDArray[np.float64]


def stable_rank(matrix: Floats) -> float:
    """|W|_F^2 / |W|_2^2 of a nonzero matrix, at any scale."""
    return 1.0 + stable_rank_excess(matrix)


def stable_rank_excess(matrix: Floats) -> float:
    """stable rank - 1 = sum_{k >= 2} (sigma_k / sigma_1)^2, added up from the small end."""
    largest = float(np.abs(matrix).max(initial=0.0))
    if not 0 < largest < np.inf:
        raise BadInput("the stable rank needs a nonzero finite matrix")
    values = np.linalg.svd(np.asarray(matrix, dtype=float) / largest, compute_uv=False)
    return float(((values[:0:-1] / values[0]) ** 2).sum())


def log_stable_rank_excess(log_norm: Floats, log_gap: Floats) -> tuple[float, float]:
    r"""Bounds on ln(stable rank - 1) of rows given by log-norms and ln(1 - cos) of their angles, also far below machine precision.

    The second symmetric function of the sigma_k^2 is e_2 = sum_{j<k} |w_j|^2 |w_k|^2 sin^2(angle): no difference is taken. With
    q = e_2 / |W|_F^4 the excess e obeys e <= q (1+e)^2 <= e + e^2/2; the bounds are closest where they matter, at small e.
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
    """ln of the e with e + (1 - curvature) e^2 = q (1 + e)^2: curvature 1/2 gives the lower bound, 1 the upper one (inf when none)."""
    if log_q < -80:
        return log_q
    q = float(np.exp(log_q))
    a, b = 1 - curvature - q, 1 - 2 * q  # a e^2 + b e - q = 0
    discriminant = b * b + 4 * a * q
    if discriminant < 0 or (a <= 0 and b <= 0):
        return np.inf
    root = 2 * q / (b + np.sqrt(discriminant))
    return float(np.log(root)) if root > 0 else np.inf
