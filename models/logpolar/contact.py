r"""What a neuron does where it touches activation hyperplanes: cross, slide along, or die (Filippov's convention, gate
by gate).

A neuron of sign s with gates theta_i feels the push g = sum_i theta_i c_i x_i, where c_i = -d loss / d output_i. On a
hyperplane <u, x_i> = 0 the pre-activation moves with z_i = s <g, x_i>. A mode is consistent when every touched point is
    above  (theta_i = 1,     z_i > 0),    below  (theta_i = slope, z_i < 0),    or slides  (z_i = 0, slope <= theta_i <=
           1).
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Sides = NDArray[np.int_]  # +1 above, -1 below, 0 sliding

MOST_TOUCHED = 7  # 3^7 modes are tried; beyond, sigma'(0) = slope decides
PARALLEL = 1e-12
ROUNDED = 16 * np.finfo(float).eps  # by so much the unit vectors of rational multiples of a point may differ
TIE = 1e-10  # relative to the sizes that enter z


def gates(sides: Sides, slope: float) -> Floats:
    """sigma' on each point: 1 above, `slope` below, 0 where the neuron slides (its share is
    projected out of the push).
    """
    table: Floats = np.array([slope, 0.0, 1.0])[sides + 1]
    return table


def across(points: Floats) -> Floats:
    """The orthogonal projector onto the complement of the span of the given rows."""
    dimension = points.shape[1]
    if not len(points):
        return np.eye(dimension)
    left, sizes, _ = np.linalg.svd(points.T, full_matrices=False)
    basis = left[:, sizes > 1e-12 * sizes[0]]
    projector: Floats = np.eye(dimension) - basis @ basis.T
    return projector


def hyperplanes(points: Floats, touched: NDArray[np.int_]) -> list[tuple[Floats, NDArray[np.int_], Sides]]:
    """The touched hyperplanes: unit normal e, the points on the line of e, and on which side of 0 each lies. Zero
    points have none.
    """
    found: list[tuple[Floats, list[int], list[int]]] = []
    for i in touched:
        size = float(np.linalg.norm(points[i]))
        if size == 0:
            continue
        unit = points[i] / size
        for normal, members, senses in found:
            sense = 1 if unit @ normal > 0 else -1
            if np.linalg.norm(unit - sense * normal) < PARALLEL:
                members.append(int(i))
                senses.append(sense)
                break
        else:
            found.append((unit, [int(i)], [1]))
    return [(normal, np.array(members), np.array(senses)) for normal, members, senses in found]


def blurred(points: Floats) -> bool:
    """Whether two hyperplanes are taken for one though they are two: what happens between them is not seen."""
    sizes = np.linalg.norm(points, axis=1)
    units = points[sizes > 0] / sizes[sizes > 0, None]
    apart = np.minimum(*(np.linalg.norm(units[:, None] - sense * units, axis=2) for sense in (1, -1)))
    return bool(((apart > ROUNDED) & (apart < PARALLEL)).any())


def one_sided(points: Floats, members: NDArray[np.int_], senses: Sides, slope: float) -> tuple[Floats, Floats]:
    """Weights (below, above) with which the pulls of the points on one hyperplane add up to a push along its normal, on
    either side.
    """
    sizes = senses * np.linalg.norm(points[members], axis=1)
    return gates(-senses, slope) * sizes, gates(senses, slope) * sizes


def holds(normals: Floats) -> Floats:
    """The linear map from the push of the other points to the coefficients of the normals that keep the neuron on all
    hyperplanes.
    """
    return np.asarray(-np.linalg.pinv(normals.T), dtype=float)


def push(points: Floats, pulls: Floats, sides: Sides, slope: float) -> Floats:
    """g = sum_i theta_i c_i x_i with the sliding points projected out."""
    rest: Floats = (gates(sides, slope) * pulls) @ points
    touched = sides == 0
    return across(points[touched]) @ rest if touched.any() else rest


def crossed(points: Floats, sides: Sides, hit: NDArray[np.int_]) -> Sides:
    """The sides after crossing the hyperplanes of the points `hit`, together with all other points on them."""
    after = sides.copy()
    units = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-300)
    senses = np.where(units[hit] @ units.T > 0, 1.0, -1.0)[..., None]
    apart = np.linalg.norm(units[hit][:, None] - senses * units, axis=2)  # cosines cannot tell angles below 1e-8
    together = np.flatnonzero((apart < PARALLEL).any(axis=0))
    after[together] *= -1
    return after


def resolve(points: Floats, pulls: Floats, sign: int, sides: Sides, touched: NDArray[np.int_], slope: float) -> Sides:
    """`sides` with the entries of `touched` replaced by a consistent mode; below is tried before sliding, sliding
    before above.

    Points on one hyperplane change together. Ties (z_i = 0 on either side) count as sliding, so that round-off cannot
    make a neuron leave.
    """
    found = sides.copy()
    planes = hyperplanes(points, touched)
    if len(planes) <= MOST_TOUCHED:
        for choice in product((-1, 0, 1), repeat=len(planes)):
            for mode, (_, members, senses) in zip(choice, planes, strict=True):
                found[members] = mode * senses
            if _consistent(points, pulls, sign, found, planes, np.array(choice, dtype=int), slope):
                return found
    found[touched] = -1
    return found


def _consistent(
    points: Floats,
    pulls: Floats,
    sign: int,
    sides: Sides,
    planes: list[tuple[Floats, NDArray[np.int_], Sides]],
    modes: Sides,
    slope: float,
) -> bool:
    # A point on which the neuron is inactive makes no noise, however large.
    noise = TIE * float((gates(sides, slope) * np.abs(pulls)) @ np.linalg.norm(points, axis=1))
    normals = np.array([plane[0] for plane in planes])
    drift = sign * normals @ push(points, pulls, sides, slope)
    if (modes * drift < np.where(modes != 0, noise, -np.inf)).any():
        return False
    sliding = np.flatnonzero(modes == 0)
    if not len(sliding):
        return True
    needed = holds(normals[sliding]) @ ((gates(sides, slope) * pulls) @ points)
    for k, value in zip(sliding, needed, strict=True):
        low, high = sorted(float(side @ pulls[planes[k][1]]) for side in one_sided(points, *planes[k][1:], slope))
        if not low - noise - TIE * abs(low) <= value <= high + noise + TIE * abs(high):
            return False
    return True
