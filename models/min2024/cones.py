r"""The geometry of min2024: cones of directions, the separation of the data and the constants of the alignment proof.

Margins are signed: a strict condition holds when its margin is > 0, a weak one when it is >= 0. All but K work in any
arithmetic.
"""

from collections.abc import Iterable

import numpy as np
from scipy.optimize import nnls

from refute.arithmetic.numbers import Array, Number
from refute.functions import largest, maximum, norm, sign, smallest, squared_norm
from refute.models.dataset import Dataset


def _of_class(values: Iterable[Number], data: Dataset, label: int) -> list[Number]:
    return [value for value, y in zip(values, data.labels, strict=True) if (y > 0) == (label > 0)]


def plus_margins(z: Array, data: Dataset) -> tuple[Number | None, Number | None]:
    """(strict, weak) margins of z in S_+: <x_i, z> > 0 on positive labels, <= 0 on the others; None
    for an absent class.
    """
    return _margins(z, data, 1)


def minus_margins(z: Array, data: Dataset) -> tuple[Number | None, Number | None]:
    """(strict, weak) margins of z in S_-: <x_i, z> > 0 on negative labels, <= 0 on the others; None
    for an absent class.
    """
    return _margins(z, data, -1)


def _margins(z: Array, data: Dataset, label: int) -> tuple[Number | None, Number | None]:
    pre = data.inputs @ z
    inside, outside = _of_class(pre, data, label), _of_class(pre, data, -label)
    return smallest(_row(inside)) if inside else None, -largest(_row(outside)) if outside else None


def _row(values: list[Number]) -> Array:
    return np.array(values, dtype=float if all(isinstance(v, float) for v in values) else object)


def dead_margin(z: Array, data: Dataset) -> Number:
    """z is in S_dead iff -max_i <x_i, z> >= 0."""
    return -largest(data.inputs @ z)


def _holds(margins: tuple[Number | None, Number | None]) -> bool:
    strict, weak = margins
    return (strict is None or sign(strict) > 0) and (weak is None or sign(weak) >= 0)


def in_plus(z: Array, data: Dataset) -> bool:
    """z in S_+ = {z : <x_i, z> > 0 exactly for the positive labels}."""
    return _holds(plus_margins(z, data))


def in_minus(z: Array, data: Dataset) -> bool:
    """z in S_- = {z : <x_i, z> > 0 exactly for the negative labels}."""
    return _holds(minus_margins(z, data))


def in_dead(z: Array, data: Dataset) -> bool:
    """z in S_dead = {z : <x_i, z> <= 0 for all i}."""
    return bool(sign(dead_margin(z, data)) >= 0)


def attraction(w: Array, data: Dataset, slope: Number = 0) -> Array:
    """x_a(w) = sum_{<x_i, w> > 0} y_i x_i + slope * sum_{<x_i, w> <= 0} y_i x_i."""
    active = (sign(data.inputs @ w) > 0).astype(int)
    result: Array = (data.labels * (active + (1 - active) * slope)) @ data.inputs
    return result


def centre(data: Dataset, label: int) -> Array:
    """x_+ or x_-: the plain sum of the inputs of one class."""
    chosen = np.array([int((y > 0) == (label > 0)) for y in data.labels])
    result: Array = chosen @ data.inputs
    return result


def cosine(a: Array, b: Array) -> Number:
    """<a, b> / (|a| |b|)."""
    return (a @ b) / (norm(a) * norm(b))


def separation(data: Dataset) -> Number:
    """mu = min_{i,j} <y_i x_i, y_j x_j> / (|x_i| |x_j|), i = j allowed."""
    signed = data.labels[:, None] * data.inputs
    sizes = [norm(x) for x in data.inputs]
    count = range(len(sizes))
    return smallest(_row([signed[i] @ signed[j] / (sizes[i] * sizes[j]) for i in count for j in count if i <= j]))


def separation_margin(data: Dataset) -> Number:
    """min_{i,j} y_i y_j <x_i, x_j>: positive iff mu > 0, and rational on rational data."""
    signed = data.labels[:, None] * data.inputs
    return smallest(signed @ signed.T)


def cone_distance(z: Array, data: Dataset) -> float:
    """The distance from z to K = {sum_i a_i y_i x_i : a_i >= 0}, in float64."""
    signed = np.asarray(data.labels, dtype=float)[:, None] * np.asarray(data.inputs, dtype=float)
    return float(nnls(signed.T, np.asarray(z, dtype=float))[1])


def zeta_1(data: Dataset) -> Number:
    """The supremum of the zeta_1 with S^zeta_{x+} in S_+ and S^zeta_{x-} in S_-: min_i cos^2(x_i, x_±), for separated
    data.
    """
    centres = [c for c in (centre(data, 1), centre(data, -1)) if sign(c).any()]
    squares = [(c @ x) * (c @ x) / (squared_norm(c) * squared_norm(x)) for c in centres for x in data.inputs]
    return smallest(_row(squares))


def zeta_2(positive: Array, negative: Array, data: Dataset) -> Number:
    """The largest zeta_2 of (26): 1 - max cos^2 over positive neurons with x_- and negative neurons with x_+, negative
    cosines clipped.
    """
    pairs = [(w, centre(data, -1)) for w in positive] + [(w, centre(data, 1)) for w in negative]
    inner = [
        (maximum(w @ c, 0 * (w @ c)), squared_norm(w) * squared_norm(c))
        for w, c in pairs
        if sign(c).any() and sign(w).any()
    ]
    return 1 - largest(_row([a * a / b for a, b in inner])) if inner else 1


def xi_candidate(data: Dataset) -> Number:
    """mu^2: a candidate for the xi of (20), rational on rational data."""
    signed = data.labels[:, None] * data.inputs
    sizes = [squared_norm(x) for x in data.inputs]
    products = signed @ signed.T
    count = range(len(sizes))
    signed_squares = [
        products[i, j] * abs(products[i, j]) / (sizes[i] * sizes[j]) for i in count for j in count if i <= j
    ]
    return maximum(smallest(_row(signed_squares)), 0 * signed_squares[0])
