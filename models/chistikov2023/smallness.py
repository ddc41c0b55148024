r"""delta, Delta and the largest admissible scale of chistikov2023, in float64.

delta is the smallest of eleven lengths, angles and waiting times of the data, the teacher and the unscaled weights z_j;
Delta is the largest length and at least 1; Assumption 2 asks for ln lambda <= -(3/eps) (ln m + 9 n Delta^2/delta^3 ln
n).
"""

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import FLOAT, Array
from refute.language.case import lift
from refute.models.chistikov2023.yardstick import Slopes, Yardstick, closest_approach, gamma, slopes, yardstick
from refute.models.dataset import Dataset

Floats = NDArray[np.float64]
ROUND_OFF = 1e-12  # of the components of delta, most of which are cosines


def yardsticks(shape: Array, signs: Array, data: Dataset) -> list[tuple[int, Yardstick]]:
    """The yardsticks of J_+ and J_-, each with the number of its neuron."""
    points, rows = lift(data, FLOAT).inputs, np.asarray(shape, dtype=float)
    return [(j, yardstick(rows[j], int(signs[j]), data)) for j in range(len(rows)) if (points @ rows[j] > 0).any()]


def one_sided_slopes(shape: Array, signs: Array, data: Dataset) -> Slopes:
    """Of all yardsticks, one below the other."""
    found = [slopes(one, lift(data, FLOAT)) for _, one in yardsticks(shape, signs, data)]

    def joined(name: str) -> Array:
        return np.concatenate([getattr(each, name) for each in found])

    def enclosed(name: str) -> Enclosed:
        sides = [getattr(each, name) for each in found]
        return Enclosed(np.concatenate([side.value for side in sides]), np.concatenate([side.error for side in sides]))

    return Slopes(enclosed("before"), enclosed("after"), joined("wanted"), joined("s"), joined("crossing"))


def _cosine(a: Floats, b: Floats) -> float:
    """Zero where a vector is: then delta is zero too, and no scale is small enough."""
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0


def _spectral(points: Floats, teacher: Floats) -> dict[str, float]:
    d = points.shape[1]
    values, vectors = np.linalg.eigh(points.T @ points / len(points))
    roots = np.sqrt(np.maximum(values, 0.0))
    gaps = float(np.diff(roots).min()) * (d - 1) if d > 1 else np.inf
    shares = float(np.abs(vectors.T @ teacher).min()) * np.sqrt(d)
    return {"eigenvalue gap": gaps, "least eigenvalue": float(roots[0]), "share of an eigenvector": shares}


def delta_components(data: Dataset, teacher: Array, shape: Array, signs: Array) -> dict[str, float]:
    """The eleven quantities whose minimum is delta; infinite where nothing is to be compared."""
    ways = yardsticks(shape, signs, data)
    data = lift(data, FLOAT)
    points, rows, v = data.inputs, np.asarray(shape, dtype=float), np.asarray(teacher, dtype=float)
    sizes = np.linalg.norm(points, axis=1)
    unit = points / np.where(sizes > 0, sizes, 1.0)[:, None]
    plus = [j for j, _ in ways if signs[j] > 0]
    minus = [j for j, _ in ways if signs[j] < 0]
    pushes = {j: gamma(data, points @ rows[j] > 0) for j, _ in ways}
    waits = [np.diff(one.times, prepend=0.0).min(initial=np.inf) for _, one in ways]
    exits = [_cosine(rows[j], points[one.points[0]]) for j, one in ways if signs[j] < 0 and one.points]
    sines = [np.sqrt(max(0.0, 1 - _cosine(rows[j], pushes[j]) ** 2)) for j in minus]
    return {
        "least |x_i|": float(sizes.min()),
        "least cosine of two points": float((unit @ unit.T).min()),
        **_spectral(points, v),
        "least |z_j|": float(np.linalg.norm(rows, axis=1).min()),
        "cosine to gamma, positive": min([_cosine(rows[j], pushes[j]) for j in plus], default=np.inf),
        "sine to gamma, negative": float(min(sines, default=np.inf)),
        "closest approach": min([closest_approach(one, data) for _, one in ways], default=np.inf),
        "cosine to the first exit": min(exits, default=np.inf),
        "shortest stage": float(min(waits, default=np.inf)),
    }


def delta(data: Dataset, teacher: Array, shape: Array, signs: Array) -> float:
    """The smallest of the eleven."""
    return min(delta_components(data, teacher, shape, signs).values())


def largest_length(data: Dataset, shape: Array) -> float:
    """Delta = max{max_i |x_i|, max_j |z_j|, 1}."""
    rows = np.vstack([lift(data, FLOAT).inputs, np.asarray(shape, dtype=float)])
    return max(1.0, float(np.linalg.norm(rows, axis=1).max()))


def log_scale_bound(m: int, n: int, small: float, large: float, epsilon: float) -> float:
    r"""ln of (m n^{9 n Delta^2/delta^3})^{-3/eps}; -inf when delta is not positive."""
    if not small > 0:
        return -np.inf
    return float(-3 / epsilon * (np.log(m) + 9 * n * large**2 / small**3 * np.log(n)))


def largest_log_scale(data: Dataset, teacher: Array, shape: Array, signs: Array, epsilon: float) -> float:
    """The bound of Assumption 2 on ln lambda for a case; -inf also when delta is positive by round-off only."""
    small = delta(data, teacher, shape, signs)
    small = small if small > ROUND_OFF else 0.0
    return log_scale_bound(len(shape), len(data.labels), small, largest_length(data, shape), float(epsilon))
