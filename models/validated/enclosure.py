r"""One validated step of an analytic flow: a Taylor polynomial, a proven remainder, and a bound on how far neighbours
drift apart.

Remainder: let p be the Taylor polynomial of degree K - 1 at the start c. If a box B has p(s) + s^K y_K(B) in its
interior for every s in [0, length], where y_K(B) encloses the K-th Taylor coefficient at every point of B, then the
solution from c exists on the whole step, stays in B, and y(s) lies in p(s) + s^K y_K(B).

Neighbours: the Jacobian of a gradient field is symmetric, so two solutions inside a convex box on which its largest
eigenvalue is at most mu are at most e^{mu s} times as far apart after s as at the start. A set of trajectories is
therefore carried as an exact centre and one radius, which grows no faster than the trajectories really part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
from flint import arb, arb_mat, arb_poly, ctx

from refute.models.validated.taylor import ZERO, AnalyticField, Ball, Vector, ball

ROUGH = 64  # bits for boxes, whose radii dwarf any rounding
MARGIN = 4  # neighbours may drift apart by this factor in one step
SHRINK = 0.4  # a rejected step is retried shorter by the factor 2^-SHRINK
MOST_TRIES = 40


def norm(values: Sequence[Ball]) -> Ball:
    """An upper bound on the Euclidean length, exact as a ball."""
    return sum((value.abs_upper() ** 2 for value in values), ZERO).sqrt().abs_upper()


def radii(values: Sequence[Ball]) -> Vector:
    """The radius of every ball."""
    return [value.rad() for value in values]


def widened(values: Sequence[Ball], by: Ball) -> Vector:
    """Every ball with its radius enlarged."""
    return [value + arb(0, by) for value in values]


def magnitude(value: Ball) -> int | None:
    """The exponent e with |value| < 2^e at the upper end, or None for an exact zero; works far outside the range of
    floats.
    """
    mantissa, exponent = value.abs_upper().man_exp()
    return int(exponent) + int(mantissa).bit_length() if mantissa else None


def largest_magnitude(values: Sequence[Ball]) -> int:
    """The largest exponent, 0 when all values vanish."""
    return max((size for value in values if (size := magnitude(value)) is not None), default=0)


def largest_eigenvalue(matrix: arb_mat) -> Ball:
    """An upper bound on the largest eigenvalue of every symmetric matrix in `matrix`: rotate the midpoints, then use
    Gershgorin's discs.
    """
    size = matrix.nrows()
    entry = [
        [matrix[min(i, j), max(i, j)] for j in range(size)] for i in range(size)
    ]  # the same ball on both sides of the diagonal
    middle = [[value.mid() for value in row] for row in entry]
    spread = [sum(radii(row), ZERO) for row in entry]
    approximate = np.array([[float(value) for value in row] for row in middle])
    if not np.isfinite(approximate).all():
        return arb.pos_inf()
    axes = arb_mat(np.linalg.eigh(approximate)[1].tolist())
    turned = axes.transpose() * arb_mat(middle) * axes
    defect = axes.transpose() * axes
    skew = _largest([sum((abs(defect[i, j] - int(i == j)) for j in range(size)), ZERO) for i in range(size)])
    if not skew < 1:
        return arb.pos_inf()
    discs = [turned[i, i] + sum((abs(turned[i, j]) for j in range(size) if j != i), ZERO) for i in range(size)]
    top = _largest(discs)
    # u^T D u / u^T G u with |G - I| <= skew: divide by the end of [1 - skew, 1 + skew] that makes the bound larger
    stretched = top / (1 - skew) if top > 0 else top / (1 + skew)
    return (stretched + _largest(spread)).upper()


def _largest(values: Sequence[Ball]) -> Ball:
    best = values[0].upper()
    for value in values[1:]:
        best = best.max(value.upper())
    return best.upper()


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The trajectories that begin within `spread` of the centre, for the time `length`, as long as the pattern lasts.

    `polynomials` and `remainder` enclose the one that begins at the centre; `growth` bounds the largest eigenvalue of
    the Jacobian.
    """

    length: Fraction
    polynomials: list[arb_poly]
    remainder: Vector
    order: int
    spread: Ball
    growth: Ball
    slack: float

    def centre_at(self, time: Fraction) -> Vector:
        """An enclosure of the trajectory that begins at the centre."""
        s = ball(time)
        power = s**self.order
        return [polynomial(s) + power * rest for polynomial, rest in zip(self.polynomials, self.remainder, strict=True)]

    def spread_at(self, time: Fraction) -> Ball:
        """How far from it any other trajectory of the set can be."""
        return (self.spread * (self.growth * ball(time)).exp()).abs_upper() if self.spread > 0 else ZERO

    def over(self, start: Fraction, length: Fraction) -> Vector:
        """A box for all trajectories of the set during part of the step."""
        stretch = ball(start).union(ball(start + length))
        power = stretch**self.order
        box = [
            polynomial(stretch) + power * rest
            for polynomial, rest in zip(self.polynomials, self.remainder, strict=True)
        ]
        return widened(box, self.widest())

    def widest(self) -> Ball:
        """The largest spread during the step."""
        return self.spread.max(self.spread_at(self.length))


def order_for(bits: int) -> int:
    """The number of Taylor coefficients that makes long steps cheap at this precision."""
    return max(16, bits // 3)


def take_step(
    field: AnalyticField, centre: Vector, spread: Ball, longest: Fraction, bits: int, slack: float
) -> Step | None:
    """The longest step that can be validated, at most `longest`; None when even tiny ones fail. `slack` is that of the
    previous step.
    """
    order = order_for(bits)
    with ctx.workprec(bits):
        series = field.expand(centre, order)
        polynomials = [arb_poly(coefficients[:order]) for coefficients in series]
        if not all(value.is_finite() for coefficients in series for value in coefficients):
            return None
    scale = largest_magnitude(centre)
    with ctx.workprec(ROUGH):
        room = arb(2) ** (scale - bits)
        ideal = _ideal_length(series, scale, order, bits)
        for _ in range(MOST_TRIES):
            length = longest if ideal is None else min(longest, _dyadic(ideal - slack))
            stretch = ZERO.union(ball(length))
            box = [polynomial(stretch) + arb(0, room) for polynomial in polynomials]
            remainder = [coefficients[order] for coefficients in field.expand(box, order)]
            power = ball(length) ** order
            if all((power * rest).abs_upper() < room for rest in remainder):
                growth = _growth(field, box, spread, length)
                if growth is not None:
                    return Step(length, polynomials, remainder, order, spread, growth, max(0.0, slack - SHRINK / 8))
            slack += SHRINK
            if ideal is None or length == longest:
                ideal = _log2(length) + slack - SHRINK
    return None


def _growth(field: AnalyticField, box: Vector, spread: Ball, length: Fraction) -> Ball | None:
    """A bound on the largest eigenvalue that the neighbours meet, or None when they could leave the box that it was
    computed on.
    """
    if not spread > 0:
        return ZERO
    growth = largest_eigenvalue(field.jacobian(widened(box, MARGIN * spread)))
    drift = (growth * ball(length)).exp()
    return growth if growth.is_finite() and drift < MARGIN else None


def _ideal_length(series: list[Vector], scale: int, order: int, bits: int) -> float | None:
    """log2 of the step after which the last coefficients weigh 2^-bits; None when they vanish."""
    rates = [
        (size - scale) / k
        for coefficients in series
        for k in (order - 1, order)
        if (size := magnitude(coefficients[k])) is not None
    ]
    return -bits / order - max(rates) if rates else None


def _log2(length: Fraction) -> float:
    """log2 to within one, of fractions of any size."""
    return float(length.numerator.bit_length() - length.denominator.bit_length())


def _dyadic(log2: float) -> Fraction:
    """About 2^log2, with few digits."""
    whole = floor(log2)
    return Fraction(int(2 ** (log2 - whole + 6)), 64) * Fraction(2) ** whole
