"""The constraints of the set S along an aligned bundle: both sides of each, at the times and for the pairs to which it
applies.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.models.chistikov2023.bundle import Bundle

Floats = NDArray[np.float64]
SAFETY = 10  # times the relative error of 1 - p
TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """`below` is the largest q_k over the largest modulus: some p_l is at most 1 where it is not negative.

    Phi: `floor` < `first`, for p_l; Psi, downwards: `ratio` < `parts`, for p_k'/p_k; Psi, upwards: `powers` <
    `exponent`, for ln q_k'/ln q_k. Xi: the cosine `heading`.
    """

    below: Enclosed
    floor: Floats
    first: Enclosed
    ratio: Floats
    parts: Enclosed
    powers: Enclosed
    exponent: Floats
    heading: Enclosed


def constraints(way: Bundle) -> Constraints:
    """Relative to what is compared everything is known to `SAFETY` times the error of the bundle."""
    eta, p, q = way.spectrum.eta, np.exp(way.log_p), way.q
    stage = np.argmax(q >= 0, axis=1)
    logs = np.where(p < 0.5, np.log1p(-np.minimum(p, 0.5)), np.log(np.maximum(np.abs(q), TINY)))
    floor, first, ratio, parts, powers, exponent = ([np.empty(0)] for _ in range(6))
    for k in range(len(eta)):
        now, since = stage == k, stage <= k
        if k:  # p_1 > 0 goes without saying
            first.append(p[now, k])
            floor.append(np.full(now.sum(), eta[k] / (2 * eta[k - 1])))
        for later in range(k + 1, len(eta)):
            parts.append(p[since, later] / p[since, k])
            ratio.append(np.full(since.sum(), eta[later] / (2 * eta[k])))
            powers.append(logs[since, later] / logs[since, k])
            exponent.append(np.full(since.sum(), 0.5 + eta[later] / (2 * eta[k])))
    known = SAFETY * way.error
    sides = [np.concatenate(each) for each in (floor, first, ratio, parts, powers, exponent)]
    first_, parts_, powers_ = (Enclosed(side, known * np.abs(side)) for side in (sides[1], sides[3], sides[4]))
    largest = Enclosed(q.max(axis=1) / np.abs(q).max(axis=1), known)
    return Constraints(largest, sides[0], first_, sides[2], parts_, powers_, sides[5], way.enclosed_heading)
