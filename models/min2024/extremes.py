r"""Local maximisers of G(w) = sum_i c_i max(<x_i, w>, 0) over the unit circle, exactly.

The hyperplanes of the data cut the circle into arcs. On an arc G(w) = <p, w> with p the sum of c_i x_i over the active
data: it peaks inside only in the direction p. Where two arcs meet, G falls to both sides or it does not.
"""

from functools import cmp_to_key
from typing import NamedTuple

import numpy as np

from refute.arithmetic.numbers import Array, Number
from refute.functions import sign


class Extremes(NamedTuple):
    """Directions of the local maximisers that stand alone, and one direction inside each arc on which G is constant."""

    peaks: list[Array]
    flats: list[Array]


def _turned(v: Array) -> Array:
    """A quarter turn to the left."""
    return np.array([-v[1], v[0]], dtype=object)


def _cross(a: Array, b: Array) -> Number:
    return a[0] * b[1] - a[1] * b[0]


def _by_angle(a: Array, b: Array) -> int:
    """The order of two directions by their angle in [0, 2 pi)."""
    upper = [0 if sign(v[1]) > 0 or (sign(v[1]) == 0 and sign(v[0]) > 0) else 1 for v in (a, b)]
    return upper[0] - upper[1] or -sign(_cross(a, b))


def _breaks(inputs: Array) -> list[Array]:
    """The directions orthogonal to a datum, in the order of their angles, each once."""
    ordered = sorted((s * _turned(x) for x in inputs for s in (1, -1)), key=cmp_to_key(_by_angle))
    return [v for k, v in enumerate(ordered) if k == 0 or _by_angle(ordered[k - 1], v)]


def _pull(w: Array, inputs: Array, weights: Array) -> Array:
    result: Array = (weights * (sign(inputs @ w) > 0).astype(int)) @ inputs
    return result


def _falls(slope: Number, height: Number) -> bool:
    """Whether G = <p, .> falls when leaving b, given its slope in that direction and <p, b>."""
    return bool(sign(slope) < 0 or (sign(slope) == 0 and sign(height) > 0))


def local_maximisers(inputs: Array, weights: Array) -> Extremes:
    """All local maximisers of G on the circle; the inputs are nonzero and two-dimensional."""
    breaks = _breaks(inputs)
    following = breaks[1:] + breaks[:1]
    middles = [a + b if any(a + b) else _turned(a) for a, b in zip(breaks, following, strict=True)]
    pulls = [_pull(middle, inputs, weights) for middle in middles]
    flats = [middle for middle, p in zip(middles, pulls, strict=True) if not any(p)]
    peaks = [
        p
        for middle, p in zip(middles, pulls, strict=True)
        if any(p) and (sign(inputs @ p) == sign(inputs @ middle)).all()
    ]
    for k, b in enumerate(breaks):
        before, after, tangent = pulls[k - 1], pulls[k], _turned(b)
        left = not any(before) or _falls(-(before @ tangent), before @ b)
        right = not any(after) or _falls(after @ tangent, after @ b)
        if left and right and (any(before) or any(after)):
            peaks.append(b)
    return Extremes(peaks, flats)
