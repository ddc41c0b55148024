r"""The set S = S_1 u ... u S_d of chistikov2023 in predictor space, in any arithmetic.

In the eigenbasis of H = (1/n) X X^T a predictor is v = sum_k p_k nu*_k u_k with q_k = 1 - p_k. S_l asks for p_k > 1 (k
< l), eta_l / (2 eta_{l-1}) < p_l <= 1, and for l <= k < k'
    eta_k' / (2 eta_k) p_k < p_k'     and     q_k' > q_k^e,  e = 1/2 + eta_k' / (2 eta_k),
and everywhere that the cosine of v and g = H (v* - v) exceeds a padding. So l is the first k with p_k <= 1.
An aligned bundle of neurons moves with dv/dt = |v| (g + v v^T g / |v|^2), that is dp_k/dt = A eta_k q_k + B p_k, A =
|v|, B = <v, g>/|v|.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import acb_mat, fmpq

from refute import record
from refute.arithmetic.numbers import Array, Number, lifted_like
from refute.errors import BadInput, Inexact
from refute.functions import exp, log, maximum, norm, sign, smallest, sqrt, squared_norm
from refute.models.dataset import Dataset


@record
class Spectrum:
    """eta_1 > ... > eta_d > 0, the eigenvalues of H, and the coordinates nu*_k > 0 of the teacher in its eigenbasis."""

    eta: Array
    teacher: Array

    def validate(self) -> None:
        if self.eta.ndim != 1 or self.eta.shape != self.teacher.shape or len(self.eta) < 2:
            raise BadInput(
                f"eta has shape {self.eta.shape} and teacher {self.teacher.shape}", "give d >= 2 numbers each"
            )

    @property
    def dimension(self) -> int:
        return len(self.eta)

    @property
    def zero(self) -> Number:
        """0 in the arithmetic of the spectrum."""
        return self.eta[0] * 0


def spectrum_of(data: Dataset, teacher: Array) -> tuple[Spectrum, Array]:
    """The spectrum of a dataset and its eigenvectors as rows: floats by LAPACK, balls with a proved radius."""
    second_moment = data.inputs.T @ data.inputs / len(data.labels)
    if second_moment.dtype == np.float64:
        values, columns = np.linalg.eigh(second_moment)
        eta, rows = values[::-1], columns.T[::-1]
    elif isinstance(second_moment.flat[0], fmpq):
        raise Inexact("eigenvalues are irrational")
    else:
        eta, rows = _enclosed(second_moment)
    along = rows @ teacher
    turn = np.array([int(s) for s in sign(along)], dtype=int)
    made = object.__new__(Spectrum)
    object.__setattr__(made, "eta", eta)
    object.__setattr__(made, "teacher", along * turn)
    return made, rows * turn[:, None]


def _enclosed(matrix: Array) -> tuple[Array, Array]:
    """Eigenvalues, largest first, and unit eigenvectors of a symmetric matrix of balls with distinct eigenvalues."""
    try:
        values, vectors = acb_mat([list(row) for row in matrix]).eig(right=True, multiple=False)
    except ValueError as error:
        raise BadInput(f"the eigenvalues could not be told apart: {error}", "ask for distinct eigenvalues") from error
    order = sorted(range(len(values)), key=lambda k: -float(values[k].real.mid()))
    rows = [np.array([vectors[i, k].real for i in range(len(values))], dtype=object) for k in order]
    return np.array([values[k].real for k in order], dtype=object), np.array(
        [row / norm(row) for row in rows], dtype=object
    )


def largest_padding(spectrum: Spectrum) -> Number:
    r"""A bound on lambda^{eps/3} under Assumption 2: n^{-9 n Delta^2/delta^3} with n >= d, Delta^2 >= max(1, eta_1),
    and delta <= 1 and <= each of its spectral components (so that the true padding is never larger)."""
    d, roots = spectrum.dimension, sqrt(spectrum.eta)
    small = smallest(
        [
            roots[-1],
            *((roots[:-1] - roots[1:]) * (d - 1)),
            *(spectrum.teacher * sqrt(spectrum.zero + d)),
            spectrum.zero + 1,
        ]
    )
    return exp(-9 * d * maximum(spectrum.eta[0], spectrum.zero + 1) / (small * small * small) * log(spectrum.zero + d))


def power(q: Number, exponent: Number) -> Number:
    """q^exponent for q >= 0 and exponent > 0."""
    return q if q == 0 else exp(exponent * log(q))


@dataclass(frozen=True, slots=True)
class Shape:
    """The constants of the constraints, which a wrong statement moves: `low` scales the lower bound of p_k' by p_k,
    `half` is that of the exponent, `above` and `upto` are the thresholds of p_k for k < l and of p_l; without `padded`
    nothing is asked of the cosine.
    """

    low: Fraction = Fraction(1)
    half: Fraction = Fraction(1, 2)
    above: Fraction = Fraction(1)
    upto: Fraction = Fraction(1)
    padded: bool = True

    def ratio(self, s: Spectrum, k: int, later: int) -> Number:
        return lifted_like(s.zero, self.low) * s.eta[later] / (2 * s.eta[k])

    def exponent(self, s: Spectrum, k: int, later: int) -> Number:
        """1/2 + eta_k'/(2 eta_k); in general half + (1 - half) eta_k'/eta_k."""
        half = lifted_like(s.zero, self.half)
        return half + (1 - half) * s.eta[later] / s.eta[k]

    def floor(self, s: Spectrum, stage: int) -> Number:
        """The lower bound of Phi."""
        return s.zero if stage == 0 else s.eta[stage] / (2 * s.eta[stage - 1])


PRINTED = Shape()


def inside(values: Sequence[Number]) -> bool:
    """Whether every slack is positive."""
    return all(sign(value) > 0 for value in values)


def place(s: Spectrum, stage: int, shares: Array, reach: Number, shape: Shape = PRINTED) -> Array:
    """A point p of the closure of S_l, l = stage + 1: `shares` in [0, 1] say where each p_k lies between its bounds.

    Before the stage p_k = 1 + reach * x * share, x being where <v, g> = 0: reach 1 is the boundary of the ellipsoid.
    """
    p: list[Number] = [s.zero + 1] * s.dimension
    floor = shape.floor(s, stage)
    p[stage] = s.zero + 1 if shares[stage] == 1 else floor + (1 - floor) * shares[stage]
    for later in range(stage + 1, s.dimension):
        lows = [shape.ratio(s, k, later) * p[k] for k in range(stage, later)]
        highs = [1 - power(1 - p[k], shape.exponent(s, k, later)) for k in range(stage, later)]
        low, high = _largest(lows), -_largest([-h for h in highs])
        p[later] = low + (high - low) * shares[later]
    weights = s.eta * s.teacher * s.teacher
    gain = sum((weights[k] * p[k] * (1 - p[k]) for k in range(stage, s.dimension)), s.zero)
    first = sum((weights[k] * shares[k] for k in range(stage)), s.zero)
    second = sum((weights[k] * shares[k] * shares[k] for k in range(stage)), s.zero)
    if first != 0:  # the root of gain = first x + second x^2
        root = 2 * gain / (first + sqrt(first * first + 4 * second * gain)) if shape.padded else s.zero + 1
        for k in range(stage):
            p[k] = 1 + reach * root * shares[k]
    return np.array(p, dtype=s.eta.dtype)


def _largest(values: Sequence[Number]) -> Number:
    result = values[0]
    for value in values[1:]:
        result = maximum(result, value)
    return result


def stage_of(q: Array, shape: Shape = PRINTED) -> int | None:
    """The index of the first p_k = 1 - q_k that is not above 1; None when there is none."""
    return next((k for k in range(len(q)) if not sign(_beyond(q[k], shape.above)) > 0), None)


def _beyond(q: Number, bound: Fraction) -> Number:
    """p - bound for p = 1 - q, to full accuracy for small q."""
    return lifted_like(q, 1 - bound) - q


def cosine_parts(s: Spectrum, p: Array) -> tuple[Number, Number]:
    """<v, g> and |v| |g|."""
    return _cosine_parts(s, p, 1 - p)


def _cosine_parts(s: Spectrum, p: Array, q: Array) -> tuple[Number, Number]:
    v, g = s.teacher * p, s.eta * s.teacher * q
    return v @ g, norm(v) * norm(g)


def slacks(s: Spectrum, q: Array, padding: Number, shape: Shape = PRINTED) -> list[Number]:
    """What must be positive for p = 1 - q to lie in S (p_l <= 1 aside, which the choice of l settles); [-1] when no S_l
    is possible.
    """
    stage, p = stage_of(q, shape), 1 - q
    if stage is None:
        return [s.zero - 1]
    found = [_beyond(q[k], shape.above) for k in range(stage)]
    found.append(p[stage] - shape.floor(s, stage))
    if sign(_beyond(q[stage], shape.upto)) > 0:
        found.append(-_beyond(q[stage], shape.upto))
    for k in range(stage, s.dimension):
        for later in range(k + 1, s.dimension):
            found.append(p[later] - shape.ratio(s, k, later) * p[k])
            found.append(_above_power(q[later], q[k], shape.exponent(s, k, later)))
    along, sizes = _cosine_parts(s, p, q)
    return [*found, along - padding * sizes] if shape.padded else found


def _above_power(q: Number, base: Number, e: Number) -> Number:
    """q - base^e; where the base is negative an earlier constraint fails already."""
    return q - (power(base, e) if sign(base) > 0 else base * 0)


def velocity(s: Spectrum, p: Array) -> Array:
    """dp/dt of an aligned bundle."""
    size = norm(s.teacher * p)
    along = cosine_parts(s, p)[0] / size
    drift: Array = size * s.eta * (1 - p) + along * p
    return drift


def speed(s: Spectrum, p: Array) -> Number:
    """|dv/dt| of an aligned bundle."""
    return norm(s.teacher * velocity(s, p))


def loss_and_gradient(s: Spectrum, p: Array) -> tuple[Number, Number]:
    """L and |grad L|^2 of a balanced aligned bundle with predictor p: |v| (|g|^2 + <v, g>^2/|v|^2)."""
    q = 1 - p
    along, size = cosine_parts(s, p)[0], norm(s.teacher * p)
    gradient = s.eta * s.teacher * q
    return (s.eta * s.teacher * s.teacher) @ (q * q) / 2, size * squared_norm(gradient) + along * along / size
