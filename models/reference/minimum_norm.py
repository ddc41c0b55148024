r"""Interpolating ReLU networks of least Euclidean norm, as a convex programme with a dual certificate (chistikov2023).

min |theta|^2 over interpolators is 2 min sum_j |u_j| with u_j = |a_j| w_j. One vector per activation pattern P and sign
s, inside the cone of the pattern, makes it a second-order cone programme:
    min sum |u_{P,s}|   subject to   sum_{P contains i, s} s <x_i, u_{P,s}> = y_i.
Its dual is max <r, y> subject to |sum_i r_i sigma(<u, x_i>)| <= |u| for all u: any r scaled to be feasible proves a
lower bound.
"""

from dataclasses import dataclass
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, nnls

from refute.arithmetic.enclosed import Enclosed, hull
from refute.arithmetic.numbers import FLOAT
from refute.errors import BadInput
from refute.language.case import lift
from refute.models.dataset import Dataset

Floats = NDArray[np.float64]
MOST_SAMPLES = 12
SOLVED = 5e-7  # the relative accuracy of the cone programme


@dataclass(frozen=True, slots=True, eq=False)
class Interpolator:
    """Rows u_j = |a_j| w_j with signs; value = sum_j |u_j| up to the solver's error, `lower` a bound that the dual
    vector proves.
    """

    neurons: Floats
    signs: NDArray[np.int_]
    dual: Floats
    value: float
    lower: float

    @property
    def squared_norm(self) -> float:
        """|theta|^2 of the balanced network: 2 sum_j |u_j|."""
        return 2 * self.value

    def __call__(self, points: Floats) -> Floats:
        result: Floats = np.maximum(points @ self.neurons.T, 0.0) @ self.signs
        return result


def activation_patterns(points: Floats) -> list[NDArray[np.bool_]]:
    """The nonempty patterns P for which some u has <x_i, u> >= 1 on P and <= -1 elsewhere (one
    linear programme each).
    """
    count, dimension = points.shape
    if count > MOST_SAMPLES:
        raise BadInput(f"patterns are enumerated for at most {MOST_SAMPLES} samples, got {count}")
    everything = [np.array(mask) for mask in product((False, True), repeat=count) if any(mask)]
    if np.linalg.matrix_rank(points) == count:
        return everything
    return [
        mask
        for mask in everything
        if linprog(
            np.zeros(dimension),
            A_ub=-np.where(mask, 1, -1)[:, None] * points,
            b_ub=-np.ones(count),
            bounds=(None, None),
        ).status
        == 0
    ]


def dual_norm(dual: Floats, points: Floats) -> float:
    r"""sup_u |sum_i r_i sigma(<u, x_i>)| / |u|, pattern by pattern.

    On the cone of a pattern the function is linear, <v, u> with v = sum_{i in P} r_i x_i, and its maximum on the unit
    ball of the cone is the distance from v to the polar cone, one non-negative least-squares problem.
    """
    best = 0.0
    for mask in activation_patterns(points):
        vector = (dual * mask) @ points
        polar = np.where(mask, -1.0, 1.0)[:, None] * points
        best = max(best, nnls(polar.T, vector)[1], nnls(polar.T, -vector)[1])
    return float(best)


def minimum_norm_interpolator(data: Dataset) -> Interpolator:
    """Solve the cone programme with clarabel; parallel neurons of one sign are merged. The true minimum lies in [lower,
    value].
    """
    cvxpy: Any = import_module("cvxpy")  # heavy, and needed here only
    data = lift(data, FLOAT)
    points, labels = data.inputs, data.labels
    if not (np.isfinite(points).all() and np.isfinite(labels).all()):
        raise BadInput("the data have an entry that is not finite")
    masks = activation_patterns(points)
    variables: list[tuple[int, Any]] = [(s, cvxpy.Variable(points.shape[1])) for _ in masks for s in (1, -1)]
    constraints = []
    total: Any = 0
    for (s, u), mask in zip(variables, [mask for mask in masks for _ in (1, -1)], strict=True):
        constraints.append(np.where(mask, 1.0, -1.0)[:, None] * points @ u >= 0)
        total = total + s * (mask[:, None] * points) @ u
    fit = total == labels
    programme = cvxpy.Problem(cvxpy.Minimize(sum(cvxpy.norm(u) for _, u in variables)), [fit, *constraints])
    programme.solve(solver=cvxpy.CLARABEL)
    if programme.status not in ("optimal", "optimal_inaccurate"):
        raise BadInput(
            f"no network interpolates the data: the programme is {programme.status}",
            "look for repeated or opposite inputs",
        )
    neurons, signs = _merged([(s, np.asarray(u.value)) for s, u in variables])
    dual = np.asarray(fit.dual_value, dtype=float)
    dual = dual if dual @ labels >= 0 else -dual
    size = dual_norm(dual, points)
    lower = float(dual @ labels) / size if size else 0.0
    return Interpolator(neurons, signs, dual / (size or 1.0), float(np.linalg.norm(neurons, axis=1).sum()), lower)


def least_squared_norm(data: Dataset) -> Enclosed:
    """|theta|^2 of a balanced interpolator of least norm: between what the dual vector proves and what the solver
    found, which fits the labels to within its accuracy only.
    """
    best = minimum_norm_interpolator(data)
    found = hull(2 * min(best.lower, best.value), best.squared_norm)
    return found + Enclosed(0.0, SOLVED * best.squared_norm)


def _merged(pieces: list[tuple[int, Floats]]) -> tuple[Floats, NDArray[np.int_]]:
    """Neurons without the negligible ones; nearly parallel ones of one sign are added up."""
    largest = max(float(np.linalg.norm(u)) for _, u in pieces)
    kept: list[tuple[int, Floats]] = []
    for s, u in sorted(pieces, key=lambda piece: -float(np.linalg.norm(piece[1]))):
        size = float(np.linalg.norm(u))
        if size <= 1e-6 * largest:
            continue
        for k, (t, w) in enumerate(kept):
            if s == t and float(np.linalg.norm(u / size - w / np.linalg.norm(w))) < 1e-3:
                kept[k] = (t, w + u)
                break
        else:
            kept.append((s, u))
    if not kept:
        return np.zeros((0, len(pieces[0][1]))), np.zeros(0, dtype=int)
    return np.array([u for _, u in kept]), np.array([s for s, _ in kept])
