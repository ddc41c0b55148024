r"""Interpolating ReLU networks whose inner weights have rank one, for as many independent points as dimensions and
positive labels.

All neurons lie on one line, so the network is A sigma(<w, x>) + B sigma(-<w, x>). If w is positive on the points P and
negative on N, A w = p - q/t with p = sum_P y_k chi_k, q = sum_N y_k chi_k, t = B/A: every partition and every t > 0
fits the labels, and the cost is |theta|^2/2 = (1 + t) |p - q/t|. Without N it is |v| with v = sum_k y_k chi_k, the
teacher.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from refute.models.chistikov2023.measure_m import dual_basis

Floats = NDArray[np.float64]


def two_sided_length(p: Floats, q: Floats) -> float:
    """min_t (1 + t) |p - q/t|: the stationary points are the positive roots of |p|^2 t^3 - <p, q>
    t^2 + <p, q> t - |q|^2.
    """
    across = float(p @ q)
    roots = np.roots([float(p @ p), -across, across, -float(q @ q)])
    ratios = roots.real[(np.abs(roots.imag) < 1e-9 * np.abs(roots)) & (roots.real > 0)]
    return min(float((1 + t) * np.linalg.norm(p - q / t)) for t in ratios)


def least_rank_one_cost(points: Floats, labels: Floats) -> float:
    """The least |theta|^2 of an interpolator of rank one."""
    parts = np.asarray(labels)[:, None] * dual_basis(np.asarray(points, dtype=float))
    best = float(np.linalg.norm(parts.sum(axis=0)))
    for rest in product((True, False), repeat=len(parts) - 1):
        inside = np.array([True, *rest])
        if not inside.all():
            best = min(best, two_sided_length(parts[inside].sum(axis=0), parts[~inside].sum(axis=0)))
    return 2 * best
