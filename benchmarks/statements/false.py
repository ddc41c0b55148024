"""Known-false statements from the settings of the papers: wrong constants close to the truth, needles, missing
assumptions.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Claim, Margin, all_of, at_least, at_most, claim, equal, less
from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, exp, largest, log, norm, smallest, squared_norm
from refute.models import Dataset, DeepNetwork, TwoLayer
from refute.models.chistikov2023.measure_m import sign_of_m
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.strategies import choice, dataset, deep, number, point, points, positive, sized, two_layer

TEN = Fraction(1, 10)
NETWORK = sized(net=two_layer, x=point, dimension=(1, 3), width=(1, 3))


def _registered(id: str, given: Any, conclusion: Callable[..., Margin], assumes: tuple[Assumption, ...] = ()) -> Claim:
    return claim(id, given=given, assumes=assumes)(conclusion)


# 1. Bounds with a constant just below the best one: equality needs all vectors aligned.


def _norm_product(digits: int) -> Callable[..., Margin]:
    def conclusion(net: TwoLayer, x: Array, *, factor: Number = 1 - TEN**digits) -> Margin:
        """|f(x)| <= c |W2| |W1| |x| with c < 1."""
        return at_most(absolute(net(x)), factor * norm(net.outer) * norm(net.inner) * norm(x), "|f(x)|")

    return conclusion


for _digits in (1, 2, 3, 4, 6):
    _registered(f"false.norm_product_{_digits}", NETWORK, _norm_product(_digits))


def _cauchy(digits: int) -> Callable[..., Margin]:
    def conclusion(x: Array, y: Array, *, factor: Number = 1 - TEN**digits) -> Margin:
        """<x, y>^2 <= c |x|^2 |y|^2 with c < 1, off the axes."""
        away = smallest(absolute(x)) * smallest(absolute(y))
        return at_most((x @ y) * (x @ y) * away, factor * squared_norm(x) * squared_norm(y) * away, "<x, y>^2")

    return conclusion


for _digits in (2, 4, 6):
    _registered(f"false.cauchy_schwarz_{_digits}", sized(x=point, y=point, dimension=(3, 4)), _cauchy(_digits))


# 2. Needles: nothing but a small ball around one hidden object violates them.


def _hidden(dimension: int, digits: int) -> Callable[..., Margin]:
    places = [Fraction(n, 1000) for n in (731, -1213, 2171, -517, 1889)][:dimension]

    def conclusion(x: Array, *, radius: Number = TEN**digits) -> Margin:
        """No point is near the hidden one."""
        square = sum((x[k] - place.numerator * x[0] ** 0 / place.denominator) ** 2 for k, place in enumerate(places))
        return at_least(square, radius * radius, "squared distance")

    return conclusion


for _dimension, _digits in ((1, 2), (2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (4, 4), (5, 5)):
    _space = sized(x=point, dimension=(_dimension, _dimension))
    _registered(f"false.hidden_point_{_dimension}_{_digits}", _space, _hidden(_dimension, _digits))


@claim("false.hidden_labels", given=sized(data=dataset, samples=(2, 3), dimension=(1, 1)))
def no_dataset_has_this_covariance_and_correlation(data: Dataset, *, near: Number = TEN**4) -> Margin:
    """Never is <x^2> near 7/5 and <x y> near 11/7 at once."""
    gap = (data.covariance[0, 0] * 5 - 7) ** 2 + (data.correlation[0] * 7 - 11) ** 2
    return at_least(gap, near, "distance from the hidden moments")


@claim("false.hidden_output", given=sized(net=two_layer, dimension=(1, 2), width=(2, 2)))
def no_network_takes_these_values(net: TwoLayer, *, near: Number = TEN**3) -> Margin:
    """Never is f(e1) near 22/7 while f(-e1) is near 1/3."""
    unit = net.inner[0] * 0
    unit[0] = unit[0] + 1
    return at_least((net(unit) * 7 - 22) ** 2 + (net(-unit) * 3 - 1) ** 2, near, "distance from the hidden values")


# 3. Symmetry and expressivity.


@claim("false.networks_are_odd", given=NETWORK)
def every_network_is_odd(net: TwoLayer, x: Array) -> Margin:
    """f(-x) = -f(x)."""
    return equal(net(-x), -net(x), "f(-x)")


@claim(
    "false.odd_part_of_depth_three_is_additive",
    given=sized(net=deep, x=point, y=point, depth=(3, 3), width=(1, 2), dimension=(1, 2)),
)
def the_odd_part_of_a_deep_network_is_additive(net: DeepNetwork, x: Array, y: Array) -> Margin:
    """f(x) - f(-x) is additive, as it is at depth two."""

    def odd(z: Array) -> Number:
        return net(z) - net(-z)

    return equal(odd(x + y), odd(x) + odd(y), "odd part at x + y")


@claim(
    "false.homogeneous_for_all_factors", given=sized(net=two_layer, x=point, a=number(), dimension=(1, 2), width=(1, 2))
)
def networks_are_homogeneous(net: TwoLayer, x: Array, a: Number) -> Margin:
    """f(a x) = a f(x) for every real a."""
    return equal(net(a * x), a * net(x), "f(a x)")


@claim("false.networks_are_convex", given=sized(net=two_layer, x=point, y=point, dimension=(1, 2), width=(1, 2)))
def networks_are_convex(net: TwoLayer, x: Array, y: Array) -> Margin:
    """f of a midpoint is at most the mean of f."""
    return at_most(2 * net((x + y) / 2), net(x) + net(y), "2 f(midpoint)")


# 4. Gradient descent, one exact step.


def _step(net: TwoLayer, data: Dataset, rate: Number) -> TwoLayer:
    inner, outer = descent_direction(net, data, SQUARE, 0 * rate)
    return net.with_weights(net.inner + rate * inner, net.outer + rate * outer)


def _loss(net: TwoLayer, data: Dataset) -> Number:
    return squared_norm(data.labels - net(data.inputs)) / len(data.labels)


TRAINED = sized(net=two_layer, data=dataset, rate=positive(), width=(1, 2), dimension=(1, 2), samples=(1, 2))


@claim("false.descent_keeps_balance", given=TRAINED)
def a_step_keeps_the_balance(net: TwoLayer, data: Dataset, rate: Number) -> Margin:
    """|w_h|^2 - a_h^2 is the same after a step of descent, as along the flow."""
    after = _step(net, data, rate)
    balance = [squared_norm(one.inner[0]) - one.outer[0] * one.outer[0] for one in (net, after)]
    return equal(balance[0], balance[1], "|w|^2 - a^2")


@claim("false.descent_keeps_signs", given=TRAINED)
def a_step_keeps_the_signs(net: TwoLayer, data: Dataset, rate: Number) -> Margin:
    """No outer weight changes its sign in a step."""
    return at_least(net.outer * _step(net, data, rate).outer, 0, "a(0) a(1)")


def _quadratic(digits: int) -> Callable[..., Margin]:
    def conclusion(rows: Array, w: Array, *, excess: Number = TEN**digits) -> Margin:
        """Least squares: a step of (2 + c) / Tr(X^T X) never raises the loss |X w|^2 (2 / Tr is the best such
        constant).
        """
        trace = squared_norm(rows)
        after = w * trace - (2 + excess) * (rows.T @ (rows @ w))
        return at_most(squared_norm(rows @ after), trace * trace * squared_norm(rows @ w), "loss after the step")

    return conclusion


for _digits in (1, 2, 3, 4):
    _given = sized(rows=points, w=point, samples=(1, 2), dimension=(2, 2))
    _registered(f"false.step_size_{_digits}", _given, _quadratic(_digits))


# 5. Nearly orthogonal data.


def _diagonal(factor: Fraction) -> Callable[..., Margin]:
    def conclusion(rows: Array, *, c: Number = factor) -> Margin:
        """If n |<x_i, x_j>| <= c min |x_i|^2 for i != j, then the Gram matrix is positive definite."""
        gram = rows @ rows.T
        n = len(rows)
        off = max([absolute(gram[i, j]) for i in range(n) for j in range(n) if i != j], default=gram[0, 0] * 0)
        least = min(gram[i, i] for i in range(n))
        excess = c - n * off / least  # not negative: the hypothesis
        value = _smallest_pivot(gram)
        return less(0, max(value, -excess), "smallest pivot, or how far the hypothesis fails")

    return conclusion


def _smallest_pivot(gram: Array) -> Number:
    """The smallest leading principal minor."""
    minors = []
    for size in range(1, len(gram) + 1):
        block = gram[:size, :size]
        if size == 1:
            minors.append(block[0, 0])
        elif size == 2:
            minors.append(block[0, 0] * block[1, 1] - block[0, 1] * block[1, 0])
        else:
            cofactors = [(-1) ** j * block[0, j] * _minor(block, j) for j in range(3)]
            minors.append(cofactors[0] + cofactors[1] + cofactors[2])
    return min(minors)


def _minor(block: Array, j: int) -> Number:
    a, b = (k for k in range(3) if k != j)
    return block[1, a] * block[2, b] - block[1, b] * block[2, a]


_nonzero = Assumption(
    "rows.nonzero",
    "no row is zero",
    lambda rows: less(0, smallest(np.array([squared_norm(row) for row in rows], dtype=object)), "|x_i|^2"),
    sized(rows=points),
    satisfy=lambda draw, rows: {
        "rows": np.array([row if any(row) else [1, *row[1:]] for row in rows.tolist()], dtype=object)
    },
    violate=lambda draw, rows: {"rows": rows * 0},
)
PLANE = sized(rows=points, samples=(3, 3), dimension=(2, 2))
for _name, _factor in (("4", Fraction(4)), ("2", Fraction(2)), ("8_5", Fraction(8, 5))):
    _registered(f"false.gram_definite_{_name}", PLANE, _diagonal(_factor), (_nonzero,))


@claim("false.acute_pairs", given=sized(v=point, x=point, y=point, dimension=(2, 3)))
def points_near_a_teacher_are_near_each_other(
    v: Array, x: Array, y: Array, *, square: Number = Fraction(2, 5)
) -> Margin:
    """If cos^2 of the angles of x and y with v is at least 2/5 (and both are acute), then <x, y> >= 0. At 1/2 it is
    true.
    """

    def near(z: Array) -> Number:
        return min((v @ z) * absolute(v @ z) - square * squared_norm(v) * squared_norm(z), v @ z)

    return at_least(max(x @ y, -near(x), -near(y)), 0, "<x, y>, or how far a hypothesis fails")


# 6. Sequences with e^{-x}.


def _sequence(constant: Fraction) -> Callable[..., Margin]:
    def conclusion(x0: Number, c: Number, *, factor: Number = constant) -> Margin:
        """x_1 = x_0 + C e^{-x_0} is at most log(e^{x_0} + C e^{k C}) with k < 1."""
        first = x0 + c * exp(-x0)
        return at_most(first, log(exp(x0) + c * exp(factor * c)), "x_1")

    return conclusion


for _name, _constant in (("1_2", Fraction(1, 2)), ("9_10", Fraction(9, 10)), ("99_100", Fraction(99, 100))):
    _nonnegative = Assumption(
        f"start.nonnegative_{_name}",
        "x_0 >= 0",
        lambda x0: at_least(x0, 0, "x_0"),
        sized(x0=number()),
        satisfy=lambda draw, x0: {"x0": abs(x0)},
        violate=lambda draw, x0: {"x0": -abs(x0) - 1},
    )
    _registered(f"false.log_growth_{_name}", sized(x0=number(), c=positive()), _sequence(_constant), (_nonnegative,))


# 7. Conjectures of the literature.

_correlated = Assumption(
    "rows.correlated",
    "every row is within pi/4 of the first axis",
    lambda rows: less(
        0,
        smallest(np.array([2 * row[0] * absolute(row[0]) - squared_norm(row) for row in rows], dtype=object)),
        "cosines",
    ),
    sized(rows=points),
    satisfy=lambda draw, rows: {"rows": np.array([_near_axis(row) for row in rows], dtype=object)},
    violate=lambda draw, rows: {"rows": -rows},
)


def _near_axis(row: Array) -> Array:
    """The first entry above the sum of the others."""
    return np.array([sum(abs(entry) for entry in row[1:]) + abs(row[0]) + 1, *row[1:]], dtype=object)


_independent = Assumption(
    "rows.independent",
    "the rows are linearly independent",
    lambda rows: less(0, _smallest_pivot(rows @ rows.T), "smallest pivot"),
    sized(rows=points, samples=(3, 3), dimension=(3, 3)),
)
BASES = sized(rows=points, samples=(3, 3), dimension=(3, 3))


@claim("false.small_initialisation_minimises_the_norm", given=BASES, assumes=[_correlated, _independent])
def the_teacher_has_the_smallest_norm(rows: Array) -> Margin:
    """On correlated data the limit of small initialisations, the teacher, is the interpolator of
    minimum norm: M <= 0.
    """
    teacher = rows[0] * 0
    teacher[0] = teacher[0] + 1
    return at_most(sign_of_m(rows, teacher), 0, "sign of M")


@claim("false.inverse_gram_is_a_z_matrix", given=BASES, assumes=[_correlated])
def the_inverse_gram_matrix_has_no_positive_entry_off_the_diagonal(rows: Array) -> Margin:
    """For correlated points, cofactors of the Gram matrix off the diagonal are never positive."""
    gram = rows @ rows.T
    cofactor = -(gram[1, 0] * gram[2, 2] - gram[1, 2] * gram[2, 0])
    return at_most(cofactor, 0, "cofactor 12")


@claim("false.stable_rank_is_rank", given=sized(rows=points, samples=(2, 2), dimension=(2, 2)))
def a_matrix_of_rank_two_has_stable_rank_above_three_halves(rows: Array) -> Margin:
    """|A|_F^2 >= 3/2 |A|^2 if det A != 0, for 2 x 2 matrices: with p = |A|_F^2 and q = det^2, p^2 (1/3 - 1/9) <= q."""
    determinant = rows[0, 0] * rows[1, 1] - rows[0, 1] * rows[1, 0]
    total = squared_norm(rows)
    return at_least(max(9 * determinant**2 - 2 * total**2, -(determinant**2)), 0, "stable rank, or det = 0")


@claim(
    "false.two_steps_reach_the_minimum",
    given=sized(x=point, y=number(), w=point, rate=choice("1/2", "1", "3/2"), dimension=(1, 2)),
)
def two_steps_halve_the_error(x: Array, y: Number, w: Array, rate: Number) -> Margin:
    """Two normalised steps of least squares with one sample at least halve the residual, at every rate in the list."""
    square = squared_norm(x)
    residual = y - w @ x
    factor = (1 - rate) if square else rate**0
    return at_most(absolute(residual * factor * factor), absolute(residual) / 2, "residual after two steps")


@claim("false.max_is_smooth", given=sized(x=number(), y=number()))
def the_kink_of_a_neuron_is_never_between(x: Number, y: Number, *, near: Number = TEN**5) -> Margin:
    """|relu(x) - relu(y)| is never in (0.618, 0.618 + 10^-5) times |x - y| (it is, for x > 0 > y in
    the right ratio).
    """
    rise = absolute(_relu(x) - _relu(y)) * 1000 - 618 * absolute(x - y)
    span = absolute(x - y) * 1000 * near
    return at_least(max(-rise, rise - span), 0, "distance from the interval") if x != y else at_least(x - y, 0, "x = y")


def _relu(z: Number) -> Number:
    return z if z > 0 else z * 0


@claim("false.two_bounds_at_once", given=sized(x=point, y=point, dimension=(2, 2)))
def orthogonality_and_length_exclude_each_other(x: Array, y: Array, *, near: Number = TEN**3) -> Margin:
    """Vectors with |x|^2 in [2, 2 + c] and |y|^2 in [3, 3 + c] are never orthogonal to within c."""
    outside = [2 - squared_norm(x), squared_norm(x) - 2 - near, 3 - squared_norm(y), squared_norm(y) - 3 - near]
    return at_least(largest(np.array([*outside, absolute(x @ y) - near], dtype=object)), 0, "distance from the needle")


@claim("false.sum_of_parts", given=sized(x=point, dimension=(3, 3)))
def three_products_are_never_all_near(x: Array, *, near: Number = TEN**3) -> Margin:
    """x1 x2, x2 x3 and x3 x1 are not near 2, 3 and 6 at once."""
    gaps = [absolute(x[0] * x[1] - 2), absolute(x[1] * x[2] - 3), absolute(x[2] * x[0] - 6)]
    return all_of(
        at_least(largest(np.array(gaps, dtype=object)), near, "distance"), at_least(squared_norm(x), 0, "|x|^2")
    )
