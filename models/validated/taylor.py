r"""Taylor series over balls of the gradient flow of a two-layer network inside one activation pattern.

While no pre-activation changes sign, neuron h sees the fixed inputs s_hi = sigma'(w_h . x_i) x_i, and the flow is
analytic:
    f_i = sum_h a_h w_h . s_hi,    v_h = sum_i g_i(f_i) s_hi,    dw_h/dt = a_h v_h,    da_h/dt = w_h . v_h,
where g_i = -dL/df_i. Every coefficient follows from the ones before it by Cauchy products. The field is minus a
gradient, so its Jacobian is symmetric. Compute inside `flint.ctx.workprec(bits)`; a start that is a box gives
coefficients that enclose those of every trajectory from the box.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any

from flint import arb, arb_mat, fmpq

from refute.models.loss import Loss, Shape

Ball = Any  # flint.arb
Vector = list[Ball]
ZERO = arb(0)


def ball(value: Fraction) -> Ball:
    """The rational as a ball at the current precision."""
    return arb(fmpq(value.numerator, value.denominator))


def dot(left: Iterable[Ball], right: Iterable[Ball]) -> Ball:
    """The sum of the products, term by term."""
    return sum(map(mul, left, right), ZERO)


def cauchy(left: Sequence[Ball], right: Sequence[Ball]) -> Ball:
    """The last coefficient of the product of two series that are known to the same order."""
    return dot(left, reversed(right))


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """g = -dL/df of one sample as a function of its output f; `strength` is the factor of the loss, divided by n for a
    mean.
    """

    loss: Loss
    label: Ball
    strength: Ball

    def extend(self, outputs: Vector, pulls: Vector, memory: list[Vector]) -> None:
        """Append to `pulls` the coefficient that `outputs` just gained; `memory` holds the auxiliary series."""
        if self.loss.shape == Shape.SQUARE:
            residual = (self.label if len(outputs) == 1 else ZERO) - outputs[-1]
            pulls.append(2 * self.strength * residual)
            return
        exponent, curve, product = memory
        exponent.append(self.loss.sign * self.label * outputs[-1])
        if self.loss.shape == Shape.EXPONENTIAL:  # e' = e u'
            curve.append(exponent[0].exp() if len(exponent) == 1 else _chain(exponent, curve))
        else:  # s = 1/(1 + e^-u) obeys s' = s (1 - s) u'
            curve.append(1 / (1 + (-exponent[0]).exp()) if len(exponent) == 1 else _chain(exponent, product))
            product.append(curve[-1] - cauchy(curve, curve))
        pulls.append(-self.loss.sign * self.label * self.strength * curve[-1])

    def value(self, output: Ball) -> tuple[Ball, Ball]:
        """g and dg/df."""
        if self.loss.shape == Shape.SQUARE:
            return 2 * self.strength * (self.label - output), -2 * self.strength
        exponent = self.loss.sign * self.label * output
        if self.loss.shape == Shape.EXPONENTIAL:
            curve = rise = exponent.exp()
        else:
            curve = 1 / (1 + (-exponent).exp())
            rise = curve * (1 / (1 + exponent.exp()))
        force = self.label * self.strength
        return -self.loss.sign * force * curve, -self.label * force * rise


def _chain(inside: Vector, slope: Vector) -> Ball:
    """The next coefficient of c(t) from c' = slope(t) inside'(t), where `inside` is known to that order."""
    order = len(inside) - 1
    return dot((k * inside[k] for k in range(1, order + 1)), reversed(slope)) / order


@dataclass(frozen=True, slots=True, eq=False)
class AnalyticField:
    """The field of one activation pattern; `seen[h][i]` is s_hi, and `outer` is None when the outer weights are
    trained.

    A state is a flat list: the inner weights neuron by neuron, then the outer weights if they are trained.
    """

    seen: list[list[Vector]]
    pulls: list[Pull]
    outer: Vector | None

    @property
    def dimension(self) -> int:
        return len(self.seen[0][0])

    def split(self, state: Sequence[Ball]) -> tuple[list[Sequence[Ball]], Sequence[Ball]]:
        """The inner weights of every neuron, and the outer weights."""
        width, dimension = len(self.seen), self.dimension
        inner = [state[h * dimension : (h + 1) * dimension] for h in range(width)]
        return inner, state[width * dimension :] if self.outer is None else self.outer

    def expand(self, start: Sequence[Ball], order: int) -> list[Vector]:
        """The Taylor coefficients 0, ..., order of every coordinate of the solution that begins at `start`."""
        series = [[value] for value in start]
        inner, trained = self.split(series)  # the entries of `inner` are the series themselves: they grow as these do
        outer = trained if self.outer is None else [[weight] for weight in self.outer]
        neurons, samples, axes = range(len(self.seen)), range(len(self.pulls)), range(self.dimension)
        map_: list[list[Vector]] = [[[] for _ in axes] for _ in neurons]  # a_h w_h
        force: list[list[Vector]] = [[[] for _ in axes] for _ in neurons]  # v_h
        outputs: list[Vector] = [[] for _ in samples]
        pulls: list[Vector] = [[] for _ in samples]
        memory: list[list[Vector]] = [[[], [], []] for _ in samples]
        for k in range(order):
            for h in neurons:
                for axis in axes:
                    map_[h][axis].append(self._times_outer(outer[h], inner[h][axis]))
            for i in samples:
                outputs[i].append(sum((dot((entry[k] for entry in map_[h]), self.seen[h][i]) for h in neurons), ZERO))
                self.pulls[i].extend(outputs[i], pulls[i], memory[i])
            for h in neurons:
                for axis in axes:
                    force[h][axis].append(dot((pull[k] for pull in pulls), (point[axis] for point in self.seen[h])))
                raised = [self._times_outer(outer[h], force[h][axis]) / (k + 1) for axis in axes]
                if self.outer is None:
                    outer[h].append(sum((cauchy(inner[h][axis], force[h][axis]) for axis in axes), ZERO) / (k + 1))
                for axis in axes:
                    inner[h][axis].append(raised[axis])
        return series

    def _times_outer(self, outer: Vector, other: Vector) -> Ball:
        """The last coefficient of a_h times a series."""
        return cauchy(outer, other) if self.outer is None else outer[0] * other[-1]

    def velocity(self, state: Sequence[Ball]) -> Vector:
        """The field at a point, or an enclosure of it over a box."""
        return [coefficients[1] for coefficients in self.expand(state, 1)]

    def jacobian(self, state: Sequence[Ball]) -> Any:
        """The symmetric derivative of the field (an `arb_mat`) at a point, or an enclosure of it over a box."""
        inner, outer = self.split(state)
        size, offset = len(state), len(self.seen) * self.dimension
        total = arb_mat(size, size)
        for i, pull in enumerate(self.pulls):
            seen = [points[i] for points in self.seen]
            signals = [dot(weights, point) for weights, point in zip(inner, seen, strict=True)]
            force, bend = pull.value(dot(outer, signals))
            gradient = [weight * entry for weight, point in zip(outer, seen, strict=True) for entry in point]
            gradient += signals if self.outer is None else []
            column = arb_mat(size, 1, gradient)
            total += column * column.transpose() * bend
            if self.outer is None:
                for h, point in enumerate(seen):
                    for axis, entry in enumerate(point):
                        row, column_ = h * self.dimension + axis, offset + h
                        total[row, column_] += force * entry
                        total[column_, row] += force * entry
        return total
