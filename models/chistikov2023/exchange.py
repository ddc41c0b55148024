r"""Interpolating networks that cost less than a teacher neuron v, for as many points as dimensions (chistikov2023,
Theorem 8).

With chi_k the rows of X^{-1}, p in cone{chi_k, k in K} and q in cone{chi_k, k not in K}, the two neurons
    u_1 = v - s xi p (outer sign +) and u_2 = xi (p - q) (outer sign s)
fit the same labels as v as long as xi is small: on the points of K they share the output, on the others u_2 is silent.
They cost |u_1| + |u_2| instead of |v|, which is less for small xi iff s <v, p> > |v| |p - q|. All weights below are
rational.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq
from scipy.optimize import minimize_scalar

from refute.arithmetic.numbers import EXACT, Array, Number, rational
from refute.functions import squared_norm
from refute.models.chistikov2023.measure_m import dual_basis, stationary_points
from refute.models.network import TwoLayer

DENOMINATORS = [2**k for k in range(2, 44)]


@dataclass(frozen=True, slots=True, eq=False)
class Exchange:
    """p and q with the largest |<v, p>| / (|v| |p - q|) = V, the sign s of <v, p>, and V^2."""

    p: Array
    q: Array
    sense: int
    squared_gain: Number


def best_exchange(points: Array, teacher: Array) -> Exchange | None:
    """The exchange of largest V, in rationals; None when there is no stationary one (then V < 1)."""
    points, teacher = EXACT.array(points), EXACT.array(teacher)
    chi = dual_basis(points)
    found = max(stationary_points(chi @ chi.T, chi @ teacher, need_minus=True), key=lambda one: one[1], default=None)
    if found is None:
        return None
    coefficients, value = found
    zero = fmpq(0)
    p = np.array([max(c, zero) for c in coefficients], dtype=object) @ chi
    q = np.array([max(-c, zero) for c in coefficients], dtype=object) @ chi
    return Exchange(p, q, 1 if teacher @ p > 0 else -1, value / squared_norm(teacher))


def exchanged(teacher: Array, exchange: Exchange, share: Number) -> list[Array]:
    """u_1 and u_2 for xi = `share`; their outer signs are 1 and s."""
    return [teacher - exchange.sense * share * exchange.p, share * (exchange.p - exchange.q)]


def largest_share(points: Array, teacher: Array, exchange: Exchange) -> Number:
    """The largest xi for which u_1 is active on every point; for s < 0 it always is, and xi = |v|^2/|p|^2 is more than
    enough.
    """
    limits = [(x @ teacher) / (x @ exchange.p) for x in points if x @ exchange.p > 0] if exchange.sense > 0 else []
    return min(limits, default=squared_norm(teacher) / squared_norm(exchange.p))


def network(neurons: list[Array], signs: list[int], denominator: int) -> TwoLayer:
    """sum_j s_j sigma(<u_j, x>) as an almost balanced network: a_j is a fraction next to
    |u_j|^{1/2}, and w_j = u_j / a_j.
    """
    rows = [np.array([rational(entry) for entry in u], dtype=object) for u in neurons]
    roots = [float(sum(float(entry) ** 2 for entry in u)) ** 0.25 for u in rows]
    scales = [Fraction(root).limit_denominator(denominator) or Fraction(1, denominator) for root in roots]
    inner = np.array([list(u / a) for u, a in zip(rows, scales, strict=True)], dtype=object)
    return TwoLayer(inner, np.array([s * a for s, a in zip(signs, scales, strict=True)], dtype=object), Fraction(0))


def cost(net: TwoLayer) -> Number:
    """|theta|^2, both layers."""
    return squared_norm(net.inner) + squared_norm(net.outer)


def cheaper_interpolator(points: Array, teacher: Array, exchange: Exchange | None = None) -> TwoLayer | None:
    """An interpolator of the labels <v, x_i> with |theta|^2 < 2 |v|, for data with V > 1 (by the best exchange); None
    for others.

    Its fractions are the first, by growing denominators, that keep half of what the best xi gains.
    """
    points, teacher = EXACT.array(points), EXACT.array(teacher)
    exchange = exchange or best_exchange(points, teacher)
    if exchange is None or not exchange.squared_gain > 1:
        return None
    most = largest_share(points, teacher, exchange)
    share, length = _best_share(teacher, exchange, float(most))
    goal = length + float(np.sqrt(float(squared_norm(teacher))))
    for denominator in DENOMINATORS:
        simple = Fraction(share).limit_denominator(denominator)
        if 0 < simple <= rational(most):
            net = network(exchanged(teacher, exchange, EXACT.scalar(simple)), [1, exchange.sense], denominator)
            if cost(net) < goal:
                return net
    return None


def _best_share(teacher: Array, exchange: Exchange, most: float) -> tuple[float, float]:
    """The xi up to `most` with the least |u_1| + |u_2|, which is a convex function of it, and that length."""
    v, p, q = (np.array(part, dtype=float) for part in (teacher, exchange.p, exchange.q))
    found = minimize_scalar(
        lambda xi: np.linalg.norm(v - exchange.sense * xi * p) + xi * np.linalg.norm(p - q),
        bounds=(0.0, most),
        method="bounded",
        options={"xatol": 1e-12 * most},
    )
    return float(found.x), float(found.fun)
