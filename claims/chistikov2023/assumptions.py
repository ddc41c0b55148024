r"""The conditions of the claims: training data, Assumptions 1 to 3 part by part, and what statements suppose besides.

Everything but the bound on $\lambda$ is decided in rationals: angles by squares, eigenvalues by the Krylov matrix of
$v^*$, and the crossings of a yardstick because it moves along straight lines. Order matters for repairs: lists go from
the data to the start. Part (v) of Assumption 1 is no condition on a case but on which flow is meant; `models.logpolar`
freezes deactivated neurons. Assumption 2 presupposes $\delta>0$, so whoever drops a part of Assumption 1 that makes
$\delta$ positive has to drop Assumption 2 as well.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Margin, all_of, assumption, at_least, at_most, differs, equal, less
from refute.arithmetic.numbers import Array, Number, rational
from refute.decide.proof import by_smt
from refute.functions import maximum, sign, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.crossings import is_active, most_points_touched
from refute.models.chistikov2023.degeneracy import krylov, repeated_directions
from refute.models.chistikov2023.measure_m import dual_products, sign_of_m
from refute.models.chistikov2023.smallness import largest_log_scale
from refute.models.chistikov2023.yardstick import gamma
from refute.models.geometry.elimination import rank
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, sized
from refute.strategies.chistikov2023 import balanced_networks as networks
from refute.strategies.chistikov2023 import interpolators
from refute.strategies.chistikov2023 import perturbed_teachers as perturbed
from refute.strategies.chistikov2023 import repaired_inputs as inputs
from refute.strategies.chistikov2023 import repaired_starts as starts
from refute.strategies.chistikov2023.correlated import SETTING, correlated, prepared
from refute.strategies.chistikov2023.interpolators import NETWORKS

DATA = correlated()
ROUND_OFF = 1e-6  # relative, of delta^-3


def squares(rows: Array) -> Array:
    """|x_i|^2 for the rows x_i."""
    return np.array([squared_norm(row) for row in rows], dtype=rows.dtype)


# Training data


@assumption("chistikov2023.assumption_1.i.unit_teacher", DATA, inputs.normalise_teacher, inputs.rescale_teacher)
def unit_teacher(teacher: Array) -> Margin:
    """the teacher has length one"""
    return equal(squared_norm(teacher), 1, "|v*|^2")


@assumption("data.quarter_angle", DATA, inputs.turn_to_teacher, inputs.turn_from_teacher)
def quarter_angle(teacher: Array, data: Dataset) -> Margin:
    """every input makes an angle below pi/4 with the teacher"""
    along = data.inputs @ teacher
    return all_of(
        less(0, along, "0 against <v*, x_i>"),
        less(squares(data.inputs) * squared_norm(teacher), 2 * along * along, "|v*|^2 |x_i|^2 against 2 <v*, x_i>^2"),
    )


NEAR = prepared(DATA, quarter_angle)


@assumption("chistikov2023.assumption_1.i.spanning", NEAR, inputs.span_space, inputs.flatten)
def spanning(data: Dataset) -> Margin:
    """d > 1 and the inputs span the space"""
    d = data.inputs.shape[1]
    return all_of(less(1, d, "1 against d"), equal(rank(data.inputs), d, "rank of the inputs against d"))


SPANNING = (quarter_angle, spanning)
SPANNED = prepared(DATA, *SPANNING)


@assumption("chistikov2023.assumption_3.square", SPANNED, inputs.keep_as_many_as_dimensions, inputs.append_sum)
def as_many_points_as_dimensions(data: Dataset) -> Margin:
    """there are as many inputs as dimensions"""
    return equal(data.inputs.shape[0], data.inputs.shape[1], "n against d")


@assumption(
    "chistikov2023.assumption_1.iii.distinct_directions", SPANNED, inputs.separate_directions, inputs.repeat_direction
)
def distinct_directions(data: Dataset) -> Margin:
    """no two inputs have one direction"""
    return equal(repeated_directions(data.inputs), 0, "inputs in the direction of an earlier one")


DISTINCT = prepared(DATA, *SPANNING, distinct_directions)


@assumption(
    "chistikov2023.assumption_1.iii.mixed_spectrum", DISTINCT, inputs.mix_spectrum, inputs.make_teacher_an_eigenvector
)
def mixed_spectrum(teacher: Array, data: Dataset) -> Margin:
    """X X^T has distinct eigenvalues, and the teacher lies in no span of fewer than d eigenvectors"""
    return equal(rank(krylov(data.inputs, teacher)), len(teacher), "rank of v*, Hv*, H^2 v*, ... against d")


@assumption("data.neuron_labels", DATA, inputs.label_by_teacher, inputs.relabel)
def neuron_labels(teacher: Array, data: Dataset) -> Margin:
    """the labels are those of the teacher neuron"""
    along = data.inputs @ teacher
    return equal(data.labels, maximum(along, along * 0), "y_i against sigma(<v*, x_i>)")


TRAINING_DATA = [unit_teacher, quarter_angle, neuron_labels]
ASSUMPTION_1_DATA = [unit_teacher, *SPANNING, distinct_directions, mixed_spectrum, neuron_labels]

# The start

READY = prepared(SETTING, *ASSUMPTION_1_DATA)


def active_neurons(data: Dataset, start: Balanced) -> list[tuple[Array, int]]:
    """(z_j, s_j) for j in J_+ and J_-."""
    return [(z, int(s)) for z, s in zip(start.shape, sign(start.signs), strict=True) if is_active(z, data)]


@assumption("chistikov2023.assumption_1.ii.off_boundaries", READY, starts.leave_hyperplanes, starts.enter_hyperplane)
def off_boundaries(data: Dataset, start: Balanced) -> Margin:
    """no input lies on the activation boundary of a z_j"""
    return equal((sign(start.shape @ data.inputs.T) == 0).sum(), 0, "pairs (j, i) with <z_j, x_i> = 0")


OFF_BOUNDARIES = prepared(READY, off_boundaries)


@assumption(
    "chistikov2023.assumption_1.ii.some_positive", OFF_BOUNDARIES, starts.activate_positive, starts.deactivate_positive
)
def some_positive(data: Dataset, start: Balanced) -> Margin:
    """some neuron of positive sign is active on some input"""
    return at_least(sum(s > 0 for _, s in active_neurons(data, start)), 1, "|J_+|")


POSITIVE = prepared(READY, off_boundaries, some_positive)


@assumption(
    "chistikov2023.assumption_1.ii.misaligned_negative", POSITIVE, starts.misalign_negative, starts.align_negative
)
def misaligned_negative(data: Dataset, start: Balanced) -> Margin:
    """no active neuron of negative sign points along gamma"""
    push = gamma(data, np.ones(len(data.labels), dtype=int))
    negative = [z for z, s in active_neurons(data, start) if s < 0]
    aligned = [z @ push > 0 and (z @ push) * (z @ push) == squared_norm(z) * squared_norm(push) for z in negative]
    return equal(sum(aligned), 0, "neurons of J_- along gamma")


MISALIGNED = prepared(READY, off_boundaries, some_positive, misaligned_negative)


@assumption("chistikov2023.assumption_1.iv", MISALIGNED, starts.stagger_crossings, starts.tie_crossings)
def one_at_a_time(data: Dataset, start: Balanced) -> Margin:
    """no yardstick meets two activation boundaries at once"""
    touched = [most_points_touched(z, s, data) for z, s in active_neurons(data, start)]
    return at_most(max(touched, default=0), 1, "|I_0(alpha_j^t)|")


ASSUMPTION_1_START = [off_boundaries, some_positive, misaligned_negative, one_at_a_time]


STARTED = prepared(READY, *ASSUMPTION_1_START)


@assumption("chistikov2023.assumption_2", STARTED, starts.shrink_scale, starts.enlarge_scale)
def small_scale(teacher: Array, data: Dataset, start: Balanced, epsilon: Number) -> Margin:
    """0 < epsilon <= 1/4 and lambda <= (m n^{9 n Delta^2/delta^3})^{-3/epsilon}"""
    share = rational(epsilon)
    bound = largest_log_scale(data, teacher, start.shape, start.signs, float(share)) if share > 0 else -np.inf
    if not np.isfinite(bound):
        return Margin(Fraction(-1), line="no scale is small enough: delta or epsilon is not positive")
    error = ROUND_OFF * abs(bound)
    return all_of(
        less(0, share, "0 against epsilon"),
        at_most(share, Fraction(1, 4), "epsilon"),
        at_most(rational(start.log_scale), Fraction(bound), "ln lambda against its bound", error=error),
    )


ASSUMPTION_1 = [*ASSUMPTION_1_DATA, *ASSUMPTION_1_START]
ASSUMPTIONS_1_AND_2 = [*ASSUMPTION_1, small_scale]

# Assumption 3 and Theorem 8

SQUARE_DATA = (*SPANNING, as_many_points_as_dimensions)
ASSUMPTION_1_SQUARE = [unit_teacher, *SQUARE_DATA, mixed_spectrum, neuron_labels]
IN_SPACE = correlated(dimension=(3, 3), samples=(3, 3))


@assumption(
    "chistikov2023.assumption_3.nonzero_m",
    prepared(correlated(dimension=(3, 3)), *SQUARE_DATA),
    interpolators.make_m_nonzero,
    interpolators.make_m_zero,
)
def nonzero_m(teacher: Array, data: Dataset) -> Margin:
    """M is not zero"""
    return differs(sign_of_m(data.inputs, teacher), 0, "sign of M")


WITH_NETWORK = prepared(correlated(dimension=(3, 3), net=interpolators.relu_network), *SQUARE_DATA)


@assumption("data.negative_m", WITH_NETWORK, interpolators.make_m_negative, interpolators.make_m_positive_and_fit)
def negative_m(teacher: Array, data: Dataset) -> Margin:
    """M < 0"""
    return less(sign_of_m(data.inputs, teacher), 0, "sign of M")


SPACE = prepared(IN_SPACE, *SQUARE_DATA)


@assumption("data.positive_m", SPACE, interpolators.make_m_positive, interpolators.make_m_negative)
def positive_m(teacher: Array, data: Dataset) -> Margin:
    """M > 0"""
    return less(0, sign_of_m(data.inputs, teacher), "sign of M")


@assumption(
    "chistikov2023.assumption_3.width",
    base=sized(neurons=choice(2, 3, 10)),
    satisfy=lambda draw, neurons: {"neurons": max(neurons, Fraction(2))},
    violate=lambda draw, neurons: {"neurons": Fraction(1)},
)
def several_neurons(neurons: Number) -> Margin:
    """m > 1"""
    return less(1, neurons, "1 against m")


@assumption("data.inverse_gram_is_a_z_matrix", SPACE, interpolators.make_z_matrix, interpolators.break_z_matrix)
def z_matrix(data: Dataset) -> Margin:
    """the inverse of the Gram matrix has no positive entry off its diagonal"""
    return at_least(-dual_products(data.inputs), 0, "-<chi_k, chi_l>")


SQUARE = correlated(dimension=(2, 3), samples=(2, 3))


@assumption("data.acute_angles", SQUARE, inputs.make_acute, inputs.make_obtuse)
def acute_angles(teacher: Array, data: Dataset) -> Margin:
    """every input makes an acute angle with the teacher"""
    return less(0, data.inputs @ teacher, "0 against <v*, x_i>")


PLANE = correlated(dimension=(2, 2), samples=(2, 3))


@assumption("data.acute_pairs", PLANE, inputs.make_pairs_acute, inputs.make_a_pair_obtuse)
def acute_pairs(data: Dataset) -> Margin:
    """every two inputs make an acute angle"""
    return less(0, data.inputs @ data.inputs.T, "0 against <x_i, x_k>")


@assumption("data.orthogonal_and_acute", SQUARE, interpolators.make_orthogonal, interpolators.tilt_towards_each_other)
def orthogonal(teacher: Array, data: Dataset) -> Margin:
    """the inputs are orthogonal and make acute angles with the teacher"""
    pairs = np.triu_indices(len(data.labels), 1)
    return all_of(
        equal((data.inputs @ data.inputs.T)[pairs], 0, "<x_i, x_k>"),
        less(0, data.inputs @ teacher, "0 against <v*, x_i>"),
    )


# Networks


def fits(data: Dataset, net: TwoLayer) -> Margin:
    """Loss zero."""
    return equal(net(data.inputs), data.labels, "outputs against labels")


FITTED = prepared(NETWORKS, *SQUARE_DATA)


@assumption("network.interpolates", FITTED, interpolators.interpolate, interpolators.miss_a_label)
def interpolates(data: Dataset, net: TwoLayer) -> Margin:
    """the network has loss zero"""
    return fits(data, net)


def is_balanced_rank_one(data: Dataset, net: TwoLayer) -> Margin:
    """Balanced, of rank one and of loss zero."""
    return all_of(
        fits(data, net),
        equal(net.outer * net.outer, squares(net.inner), "a_j^2 against |w_j|^2"),
        equal(rank(net.inner), 1, "rank of the inner weights"),
    )


@assumption("network.balanced_rank_one_interpolator", FITTED, interpolators.balance_on_a_line, interpolators.unbalance)
def balanced_rank_one(data: Dataset, net: TwoLayer) -> Margin:
    """the network is balanced, has loss zero, and its inner weights have rank one"""
    return is_balanced_rank_one(data, net)


@assumption(
    "network.one_direction",
    prepared(FITTED, balanced_rank_one),
    interpolators.split_teacher,
    interpolators.balance_on_both_sides,
)
def one_direction(net: TwoLayer) -> Margin:
    """no two neurons point to opposite sides"""
    return at_least(net.inner @ net.inner.T, 0, "<w_j, w_k>")


BALANCED = correlated(net=networks.balanced_network)


@assumption("network.balanced_nonzero", BALANCED, networks.rebalance, networks.double_outer)
def balanced(net: TwoLayer) -> Margin:
    """every neuron is as long as its outer weight, and not zero"""
    outer = net.outer * net.outer
    return all_of(equal(outer, squares(net.inner), "a_j^2 against |w_j|^2"), less(0, outer, "0 against a_j^2"))


@assumption("shift.short", perturbed.perturbed_teacher(), perturbed.shorten_shift, perturbed.lengthen_shift)
def short_shift(teacher: Array, shift: Array) -> Margin:
    """the shift is shorter than |v*|/sqrt(2)"""
    return less(2 * squared_norm(shift), squared_norm(teacher), "2 |e|^2 against |v*|^2")


# What the angle bound implies


def signed_squared_cosines(data: Dataset) -> Array:
    """cos |cos| of the angles between all pairs of inputs, which is rational."""
    products, sizes = data.inputs @ data.inputs.T, squares(data.inputs)
    cosines = products * abs(products) / np.outer(sizes, sizes)
    return np.asarray(cosines[np.triu_indices(len(sizes), 1)])


def acute_pairs_proof() -> str | None:
    """x = a v + e and x' = a' v + e' with e, e' orthogonal to the unit vector v: angles below 45 degrees mean a > |e|,
    a' > |e'|.
    """
    import z3

    def statement() -> Any:
        a, b, r, s, product = z3.Reals("a b r s product")
        cones = z3.And(r >= 0, s >= 0, a > r, b > s, product >= -r * s)  # Cauchy and Schwarz
        return z3.Implies(cones, a * b + product > 0)

    return by_smt(statement)
