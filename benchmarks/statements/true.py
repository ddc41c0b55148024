"""True statements that look false: equality is reached, constants are the best ones, or the numbers
are badly conditioned.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from benchmarks.statements.false import NETWORK, _correlated, _independent, _nonzero, _smallest_pivot, _step
from refute import Assumption, Claim, Margin, all_of, at_least, at_most, claim, equal, less
from refute.arithmetic.numbers import Array, Number
from refute.functions import absolute, exp, largest, leaky_relu, log, norm, smallest, sqrt, squared_norm
from refute.models import Dataset, TwoLayer
from refute.strategies import dataset, number, point, points, positive, sized, slopes, two_layer

PAIR = sized(x=point, y=point, dimension=(1, 4))


def _registered(id: str, given: Any, conclusion: Callable[..., Margin], assumes: tuple[Assumption, ...] = ()) -> Claim:
    return claim(id, given=given, assumes=assumes)(conclusion)


@claim("true.norm_product", given=NETWORK)
def outputs_are_bounded_by_the_norms(net: TwoLayer, x: Array) -> Margin:
    """|f(x)| <= |W2| |W1| |x|, with equality for one neuron along x."""
    return at_most(absolute(net(x)), norm(net.outer) * norm(net.inner) * norm(x), "|f(x)|")


@claim("true.cauchy_schwarz", given=PAIR)
def products_are_bounded(x: Array, y: Array) -> Margin:
    """<x, y>^2 <= |x|^2 |y|^2."""
    return at_most((x @ y) * (x @ y), squared_norm(x) * squared_norm(y), "<x, y>^2")


@claim("true.triangle", given=PAIR)
def norms_are_subadditive(x: Array, y: Array) -> Margin:
    """|x + y| <= |x| + |y|."""
    return at_most(norm(x + y), norm(x) + norm(y), "|x + y|")


@claim("true.reverse_triangle", given=PAIR)
def differences_of_norms(x: Array, y: Array) -> Margin:
    """||x| - |y|| <= |x - y|."""
    return at_most(absolute(norm(x) - norm(y)), norm(x - y), "difference of norms")


@claim("true.parallelogram", given=PAIR)
def parallelogram(x: Array, y: Array) -> Margin:
    """|x + y|^2 + |x - y|^2 = 2 |x|^2 + 2 |y|^2."""
    return equal(squared_norm(x + y) + squared_norm(x - y), 2 * squared_norm(x) + 2 * squared_norm(y), "parallelogram")


@claim("true.means", given=sized(a=positive(), b=positive()))
def geometric_below_arithmetic(a: Number, b: Number) -> Margin:
    """sqrt(a b) <= (a + b) / 2."""
    return at_most(sqrt(a * b), (a + b) / 2, "geometric mean")


@claim("true.harmonic", given=sized(a=positive(), b=positive()))
def harmonic_below_geometric(a: Number, b: Number) -> Margin:
    """2 a b / (a + b) <= sqrt(a b)."""
    return at_most(2 * a * b / (a + b), sqrt(a * b), "harmonic mean")


@claim("true.exponential", given=sized(x=number()))
def exponential_above_its_tangent(x: Number) -> Margin:
    """1 + x <= e^x."""
    return at_most(1 + x, exp(x), "1 + x")


@claim("true.logarithm", given=sized(a=positive()))
def logarithm_below_its_tangent(a: Number) -> Margin:
    """log a <= a - 1."""
    return at_most(log(a), a - 1, "log a")


@claim("true.log_growth", given=sized(x0=positive(), c=positive()))
def one_step_grows_at_most_logarithmically(x0: Number, c: Number) -> Margin:
    """x_1 = x_0 + C e^{-x_0} <= log(e^{x_0} + C e^C) for x_0 >= 0, tight as x_0 and C vanish."""
    return at_most(x0 + c * exp(-x0), log(exp(x0) + c * exp(c)), "x_1")


@claim("true.log_growth_below", given=sized(x0=number(), c=positive()))
def one_step_grows_at_least_logarithmically(x0: Number, c: Number) -> Margin:
    """x_1 = x_0 + C e^{-x_0} >= log(e^{x_0} + C)."""
    return at_least(x0 + c * exp(-x0), log(exp(x0) + c), "x_1")


@claim("true.decomposition", given=NETWORK)
def odd_part_is_linear(net: TwoLayer, x: Array) -> Margin:
    """f(x) - f(-x) = (1 + alpha) W2 W1 x for two layers."""
    return equal(net(x) - net(-x), (1 + net.slope) * (net.outer @ (net.inner @ x)), "odd part")


@claim("true.homogeneity", given=sized(net=two_layer, x=point, a=positive(), dimension=(1, 3), width=(1, 3)))
def networks_are_positively_homogeneous(net: TwoLayer, x: Array, a: Number) -> Margin:
    """f(a x) = a f(x) for a > 0."""
    return equal(net(a * x), a * net(x), "f(a x)")


@claim("true.lipschitz", given=sized(x=number(), y=number(), slope=slopes()))
def activations_are_lipschitz(x: Number, y: Number, slope: Number) -> Margin:
    """|sigma(x) - sigma(y)| <= |x - y| for slopes in [0, 1]."""
    return at_most(absolute(leaky_relu(x, slope) - leaky_relu(y, slope)), absolute(x - y), "|sigma(x) - sigma(y)|")


@claim("true.subadditive", given=sized(x=number(), y=number(), slope=slopes()))
def activations_are_subadditive(x: Number, y: Number, slope: Number) -> Margin:
    """sigma(x + y) <= sigma(x) + sigma(y)."""
    return at_most(leaky_relu(x + y, slope), leaky_relu(x, slope) + leaky_relu(y, slope), "sigma(x + y)")


@claim(
    "true.euler",
    given=sized(net=two_layer, data=dataset, rate=positive(), width=(1, 2), dimension=(1, 2), samples=(1, 2)),
)
def balance_changes_by_the_square_of_the_step(net: TwoLayer, data: Dataset, rate: Number) -> Margin:
    """A step changes |w_h|^2 - a_h^2 by the squares of the changes alone (sigma'(0) = 0)."""
    after = _step(net, data, rate)
    before = squared_norm(net.inner[0]) - net.outer[0] * net.outer[0]
    moved = squared_norm(after.inner[0] - net.inner[0]) - (after.outer[0] - net.outer[0]) * (
        after.outer[0] - net.outer[0]
    )
    return equal(squared_norm(after.inner[0]) - after.outer[0] * after.outer[0], before + moved, "|w|^2 - a^2")


@claim("true.step_size", given=sized(rows=points, w=point, samples=(1, 2), dimension=(1, 2)))
def small_steps_never_raise_the_loss(rows: Array, w: Array) -> Margin:
    """Least squares: a step of 2 / Tr(X^T X) never raises the loss |X w|^2; with one row it keeps it."""
    trace = squared_norm(rows)
    after = w * trace - 2 * (rows.T @ (rows @ w))
    return at_most(squared_norm(rows @ after), trace * trace * squared_norm(rows @ w), "loss after the step")


@claim("true.gram_definite", given=sized(rows=points, samples=(3, 3), dimension=(2, 3)), assumes=[_nonzero])
def nearly_orthogonal_rows_are_independent(rows: Array) -> Margin:
    """If 3 |<x_i, x_j>| <= 7/5 min |x_i|^2 for i != j, then three rows are independent (true up to 3/2)."""
    gram = rows @ rows.T
    off = max(absolute(gram[i, j]) for i in range(3) for j in range(3) if i != j)
    excess = 7 * min(gram[i, i] for i in range(3)) - 15 * off
    zero = min(gram[i, i] for i in range(3)) == 0
    return less(
        0, max(_smallest_pivot(gram), -excess, gram[0, 0] ** 0 if zero else -(gram[0, 0] ** 0)), "smallest pivot"
    )


@claim("true.acute_pairs", given=sized(v=point, x=point, y=point, dimension=(2, 3)))
def points_within_a_quarter_turn(v: Array, x: Array, y: Array) -> Margin:
    """If x and y are within pi/4 of v, then <x, y> >= 0, with equality in the plane."""

    def near(z: Array) -> Number:
        return min(2 * (v @ z) * absolute(v @ z) - squared_norm(v) * squared_norm(z), v @ z)

    return at_least(max(x @ y, -near(x), -near(y)), 0, "<x, y>, or how far a hypothesis fails")


@claim("true.stable_rank", given=sized(rows=points, samples=(2, 2), dimension=(2, 2)))
def determinants_are_bounded_by_norms(rows: Array) -> Margin:
    """4 det^2 <= |A|_F^4, with equality for multiples of rotations."""
    determinant = rows[0, 0] * rows[1, 1] - rows[0, 1] * rows[1, 0]
    return at_most(4 * determinant**2, squared_norm(rows) ** 2, "4 det^2")


@claim("true.hadamard", given=sized(rows=points, samples=(3, 3), dimension=(3, 3)))
def hadamard(rows: Array) -> Margin:
    """det(G) <= product of the squared lengths, with equality for orthogonal rows."""
    gram = rows @ rows.T
    product = gram[0, 0] * gram[1, 1] * gram[2, 2]
    return at_most(min(_smallest_pivot(gram), product), product, "determinant")


@claim(
    "true.gram_positive",
    given=sized(rows=points, samples=(3, 3), dimension=(3, 3)),
    assumes=[_correlated, _independent],
)
def correlated_rows_have_a_positive_gram_matrix(rows: Array) -> Margin:
    """Rows within pi/4 of one axis have positive products."""
    gram = rows @ rows.T
    return less(0, smallest(gram.reshape(-1)), "<x_i, x_j>")


@claim("true.covariance", given=sized(data=dataset, dimension=(2, 2), samples=(1, 3)))
def covariances_are_semidefinite(data: Dataset) -> Margin:
    """det <x x^T> >= 0, zero for collinear data."""
    sigma = data.covariance
    return at_least(sigma[0, 0] * sigma[1, 1], sigma[0, 1] * sigma[1, 0], "diagonal against off-diagonal")


@claim("true.correlation", given=sized(data=dataset, dimension=(1, 3), samples=(1, 3)))
def correlations_are_bounded(data: Dataset) -> Margin:
    """|<x y>|^2 <= Tr <x x^T> <y^2>, with equality for one sample."""
    n = len(data.labels)
    trace = sum(data.covariance[k, k] for k in range(len(data.covariance)))
    return at_most(squared_norm(data.correlation) * n, trace * squared_norm(data.labels), "|beta|^2")


@claim("true.softplus", given=sized(x=number()))
def softplus_is_above_the_kink(x: Number) -> Margin:
    """max(0, x) < log(1 + e^x), ever more closely."""
    return less(leaky_relu(x, x * 0), log(1 + exp(x)), "max(0, x)")


@claim("true.jensen", given=sized(x=number(), y=number()))
def exponential_is_convex(x: Number, y: Number) -> Margin:
    """e^{(x + y)/2} <= (e^x + e^y) / 2."""
    return at_most(2 * exp((x + y) / 2), exp(x) + exp(y), "exp of the mean")


@claim("true.lagrange", given=sized(x=point, y=point, dimension=(2, 2)))
def lagrange(x: Array, y: Array) -> Margin:
    """|x|^2 |y|^2 = <x, y>^2 + (x1 y2 - x2 y1)^2."""
    cross = x[0] * y[1] - x[1] * y[0]
    return equal(squared_norm(x) * squared_norm(y), (x @ y) ** 2 + cross**2, "Lagrange")


def _power(k: int) -> Callable[..., Margin]:
    def conclusion(x: Number) -> Margin:
        """(1 + x)^k >= 1 + k x for x >= -1."""
        return at_least((1 + x) ** k, 1 + k * x, "(1 + x)^k")

    return conclusion


_above = Assumption(
    "number.above_minus_one",
    "x >= -1",
    lambda x: at_least(x, -1, "x"),
    sized(x=number()),
    satisfy=lambda draw, x: {"x": max(x, Fraction(-1))},
    violate=lambda draw, x: {"x": -abs(x) - 4},
)
for _k in (2, 3, 5, 8):
    _registered(f"true.bernoulli_{_k}", sized(x=number()), _power(_k), (_above,))


def _taylor(terms: int) -> Callable[..., Margin]:
    def conclusion(a: Number) -> Margin:
        """e^a is above its Taylor sums for a > 0, by ever less as a vanishes."""
        total, term = a**0, a**0
        for k in range(1, terms):
            term = term * a / k
            total = total + term
        return less(total, exp(a), "Taylor sum")

    return conclusion


for _terms in (2, 4, 8):
    _registered(f"true.taylor_{_terms}", sized(a=positive()), _taylor(_terms))


def _hilbert(size: int) -> Callable[..., Margin]:
    def conclusion(x: Array) -> Margin:
        """The Hilbert matrix is positive definite: x^T H x > 0 unless x = 0, though its condition number is large."""
        form = sum(x[i] * x[j] / (i + j + 1) for i in range(size) for j in range(size))
        return at_least(form, 0, "x^T H x") if not any(entry != 0 for entry in x) else less(0, form, "x^T H x")

    return conclusion


for _size in (3, 5, 8):
    _registered(f"true.hilbert_{_size}", sized(x=point, dimension=(_size, _size)), _hilbert(_size))


@claim("true.sorted_products", given=sized(x=point, y=point, dimension=(2, 2)))
def rearrangement(x: Array, y: Array) -> Margin:
    """min(x) max(y) + max(x) min(y) <= x1 y1 + x2 y2 <= min min + max max."""
    low, high = smallest(x), largest(x)
    below, above = smallest(y), largest(y)
    return all_of(
        at_most(low * above + high * below, x @ y, "lower"), at_most(x @ y, low * below + high * above, "upper")
    )


@claim("true.projection", given=sized(x=point, y=point, dimension=(2, 3)))
def projections_shorten(x: Array, y: Array) -> Margin:
    """|x|^2 |y|^2 - <x, y>^2 is the squared length of a vector: not negative."""
    rest = x * squared_norm(y) - (x @ y) * y
    return equal(squared_norm(rest), squared_norm(y) * (squared_norm(x) * squared_norm(y) - (x @ y) ** 2), "|rest|^2")


@claim("true.max_of_sums", given=sized(rows=points, x=point, dimension=(2, 2), samples=(2, 3)))
def support_functions_are_sublinear(rows: Array, x: Array) -> Margin:
    """max_i <a_i, x> is at least the mean of <a_i, x>."""
    values = rows @ x
    return at_least(largest(values), sum(values) / len(rows), "largest against mean")
