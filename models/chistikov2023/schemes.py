r"""The two random schemes for the training data of section 8 of chistikov2023.

Centred: x_i ~ N(mu, rho/d I) with rho = 1 and v* = mu. Uncentred: rho = sqrt 2 - 1, one more point x_0 of the same law,
and v* = x_0/|x_0|. mu = e_1, which is no restriction.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
UNCENTRED = float(np.sqrt(2) - 1)


def drawn_angles(rng: np.random.Generator, d: float, rho: float, centred: bool, count: int) -> Floats:
    """Angles between v* and a point, in law: of a Gaussian vector only the parts along mu and along x_0 matter, and the
    length of the rest, so that d may be as large as a float.
    """
    step = np.sqrt(rho / d)
    along, across = 1 + step * rng.standard_normal(count), step * np.sqrt(rng.chisquare(d - 1, count))
    if centred:
        return np.asarray(np.arctan2(across, along))
    first, second = 1 + step * rng.standard_normal(count), step * rng.standard_normal(count)
    rest = step * np.sqrt(rng.chisquare(d - 2, count))
    inner = along * first + across * second  # <x_0, x>, with x_0 = (along, across, 0), x = (first, second, rest)
    outer = np.hypot(first * across - second * along, np.hypot(along, across) * rest)
    return np.asarray(np.arctan2(outer, inner))


def drawn_distances(rng: np.random.Generator, d: float, rho: float, normalised: bool, count: int) -> Floats:
    """Distances between mu and x_0, or x_0/|x_0|, in law."""
    step = np.sqrt(rho / d)
    along, across = 1 + step * rng.standard_normal(count), step * np.sqrt(rng.chisquare(d - 1, count))
    length = np.hypot(along, across) if normalised else np.ones(count)
    return np.asarray(np.hypot(along / length - 1, across / length))


def datasets(
    rng: np.random.Generator, d: int, rho: float, centred: bool, count: int, points: int
) -> tuple[Floats, Floats, Floats]:
    """Teachers (count, d), points (count, points, d) and the extra points x_0."""
    mean = np.eye(1, d)[0]
    extra = mean + np.sqrt(rho / d) * rng.standard_normal((count, d))
    inputs = mean + np.sqrt(rho / d) * rng.standard_normal((count, points, d))
    teachers = np.broadcast_to(mean, (count, d)) if centred else extra / np.linalg.norm(extra, axis=1, keepdims=True)
    return np.asarray(teachers), inputs, extra


def angles(teachers: Floats, inputs: Floats) -> Floats:
    """Between every point and its teacher."""
    cosines = np.einsum("cd,cnd->cn", teachers, inputs) / np.linalg.norm(inputs, axis=2)
    return np.asarray(np.arccos(np.clip(cosines, -1, 1)))
