r"""The measure M of chistikov2023 for n = d: its sign exactly, its value in floats.

With chi_k the rows of X^{-1} (chi_k^T x_i = [k = i]) and v the teacher,
    M = max { cos(p, q) - sin(p, v) : K a proper nonempty subset, p in cone{chi_k, k in K}, q in cone{chi_k, k not in K}
    }.
M > 0 iff V > 1 and M < 0 iff V < 1, where V = max |<v, p>| / (|v| |p - q|). For each sign vector eps in {1, 0, -1}^d
with a +1 and a -1 (support T, + means "in K"), Q = diag(eps_T) G_TT diag(eps_T), c_k = +-<chi_k, v>[eps_k = 1] and beta
= Q^{-1} c, a candidate V^2 = c^T beta/|v|^2 counts when beta > 0. All numbers are rational for rational data, whatever
the length of v.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, nnls

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Array, Number
from refute.errors import BadInput
from refute.functions import absolute, sign, squared_norm
from refute.models.geometry.elimination import inverse, solve

Floats = NDArray[np.float64]
MOST_POINTS = 9  # 3^9 candidates
SEARCHED = 1e-6  # how far below the maximum the local search may end


def dual_basis(points: Array) -> Array:
    """chi_1, ..., chi_d as rows, for d independent points given as rows."""
    if points.ndim != 2 or points.shape[0] != points.shape[1]:
        raise BadInput(
            f"M is defined for as many points as dimensions, got {points.shape[0]} points in dimension "
            f"{points.shape[1]}"
        )
    if len(points) > MOST_POINTS:
        raise BadInput(f"M is computed for at most {MOST_POINTS} points, got {len(points)}")
    return inverse(points).T


def dual_products(points: Array) -> Array:
    """chi_k^T chi_l for k < l."""
    chi = dual_basis(points)
    return np.asarray((chi @ chi.T)[np.triu_indices(len(chi), 1)])


def stationary_points(gram: Array, weights: Array, need_minus: bool) -> Iterator[tuple[Array, Number]]:
    r"""Where |<weights, sum_{eps_k = 1} beta_k chi_k>| / |sum_k eps_k beta_k chi_k| is stationary, with beta > 0 on the
    support of eps.

    Yields the signed coefficients eps_k beta_k, zero off the support, and the square of the quotient.
    """
    for signs in product((1, 0, -1), repeat=len(weights)):
        if 1 not in signs or (need_minus and -1 not in signs):
            continue
        support = [k for k, e in enumerate(signs) if e]
        eps = np.array([signs[k] for k in support])
        matrix = gram[np.ix_(support, support)] * np.outer(eps, eps)
        target = weights[support] * (eps > 0).astype(int)
        beta = solve(matrix, target)
        senses = sign(beta)
        if (senses > 0).all() or (senses < 0).all():  # the second: the same for the opposite sign of the weights
            signed = 0 * weights
            signed[support] = absolute(beta) * eps
            yield signed, target @ beta


def cone_maxima(gram: Array, weights: Array, need_minus: bool) -> Iterator[Number]:
    r"""Squares of the stationary values of <weights, sum_{eps_k = 1} beta_k chi_k> over |sum_k eps_k beta_k chi_k| = 1,
    beta > 0.
    """
    for _, value in stationary_points(gram, weights, need_minus):
        yield value


def squared_v(points: Array, teacher: Array) -> Number | None:
    """V^2, in the arithmetic of the data; None when no candidate exists (then V < 1)."""
    chi = dual_basis(points)
    best: Number | None = None
    for value in cone_maxima(chi @ chi.T, chi @ teacher, need_minus=True):
        best = value if best is None or value > best else best
    return None if best is None else best / squared_norm(teacher)


def sign_of_m(points: Array, teacher: Array) -> int:
    """The sign of M: exact when points and teacher are rational."""
    value = squared_v(points, teacher)
    return -1 if value is None else int(sign(value - 1))


def measure_m(points: Array, teacher: Array, starts: int = 8) -> float:
    """M in float64: for each K the best p by local search from several starts (deterministic), the best q by
    projection.
    """
    chi = np.asarray(dual_basis(np.asarray(points, dtype=float)), dtype=float)
    chi = chi / np.linalg.norm(chi, axis=1, keepdims=True)
    v = np.asarray(teacher, dtype=float)
    v = v / np.linalg.norm(v)
    count = len(chi)
    best = -np.inf
    for mask in range(1, 2**count - 1):
        inside = [k for k in range(count) if mask >> k & 1]
        others = chi[[k for k in range(count) if not mask >> k & 1]]
        best = max(best, _best_p(chi[inside], others, v, starts))
    return best


def measured_m(points: Array, teacher: Array) -> Enclosed:
    """M by a short search, with the accuracy that the search is trusted to reach."""
    return Enclosed(measure_m(points, teacher, starts=2), SEARCHED)


def value_at(p: Floats, others: Floats, v: Floats) -> float:
    """max_q cos(p, q) - sin(p, v) for unit v and unit generators `others`: q is the projection of p, or a generator
    when that vanishes.
    """
    p = p / np.linalg.norm(p)
    coefficients, _ = nnls(others.T, p)
    length = float(np.linalg.norm(coefficients @ others))
    cosine = length if length > 1e-12 else float((others @ p).max())
    along = float(p @ v)
    return cosine - float(np.linalg.norm(p - along * v))


def _best_p(inside: Floats, others: Floats, v: Floats, starts: int) -> float:
    best = max(value_at(row, others, v) for row in inside)
    if len(inside) == 1:
        return best
    rng = np.random.default_rng(len(inside))
    tries = [inside.shape[0] * np.eye(len(inside))[k] + 0.1 for k in range(len(inside))] + list(
        rng.random((starts, len(inside)))
    )
    for begin in tries:
        found = minimize(
            lambda b: -value_at(np.abs(b) @ inside, others, v),
            begin,
            method="Nelder-Mead",
            options={"xatol": 1e-11, "fatol": 1e-13},
        )
        best = max(best, -float(found.fun))
    return best
