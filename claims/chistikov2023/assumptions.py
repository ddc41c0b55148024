r"""The training data and Assumptions 1 and 2, part by part, as conditions on a teacher, data and a balanced start.

Everything but the bound on $\lambda$ is decided in rationals: angles by squares, eigenvalues by the Krylov matrix of
$v^*$, and the crossings of a yardstick because it moves along straight lines. Order matters for repairs: lists go from
the data to the start. Part (v) of Assumption 1 is no condition on a case but on which flow is meant; `models.logpolar`
freezes deactivated neurons. Assumption 2 presupposes $\delta>0$, so whoever drops a part of Assumption 1 that makes
$\delta$ positive has to drop Assumption 2 as well.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Margin, all_of, at_least, at_most, differs, equal, less
from refute.arithmetic.numbers import Array, Number, rational
from refute.decide.proof import by_smt
from refute.functions import maximum, sign, squared_norm
from refute.models import Dataset
from refute.models.chistikov2023.crossings import is_active, most_points_touched
from refute.models.chistikov2023.measure_m import sign_of_m
from refute.models.chistikov2023.smallness import largest_log_scale
from refute.models.chistikov2023.yardstick import gamma
from refute.models.geometry.elimination import rank
from refute.models.logpolar.balanced import Balanced
from refute.strategies.chistikov2023 import correlated as repair
from refute.strategies.chistikov2023 import interpolators
from refute.strategies.chistikov2023.correlated import SETTING, correlated, prepared

DATA = correlated()
ROUND_OFF = 1e-6  # relative, of delta^-3


def _unit(teacher: Array) -> Margin:
    return equal(squared_norm(teacher), 1, "|v*|^2")


def _correlated(teacher: Array, data: Dataset) -> Margin:
    along = data.inputs @ teacher
    squares = np.array([squared_norm(x) for x in data.inputs], dtype=object)
    return all_of(
        less(0, along, "0 against <v*, x_i>"),
        less(squares * squared_norm(teacher), 2 * along * along, "|v*|^2 |x_i|^2 against 2 <v*, x_i>^2"),
    )


def _neuron_labels(teacher: Array, data: Dataset) -> Margin:
    along = data.inputs @ teacher
    return equal(data.labels, maximum(along, along * 0), "y_i against sigma(<v*, x_i>)")


def _spanning(data: Dataset) -> Margin:
    dimension = data.inputs.shape[1]
    return all_of(
        less(1, dimension, "1 against d"), equal(rank(data.inputs), dimension, "rank of the inputs against d")
    )


def _distinct(data: Dataset) -> Margin:
    return equal(repair.repeated_directions(data.inputs), 0, "inputs in the direction of an earlier one")


def _mixed(teacher: Array, data: Dataset) -> Margin:
    return equal(rank(repair.krylov(data.inputs, teacher)), len(teacher), "rank of v*, Hv*, H^2 v*, ... against d")


def _off_boundaries(data: Dataset, start: Balanced) -> Margin:
    return equal((sign(start.shape @ data.inputs.T) == 0).sum(), 0, "pairs (j, i) with <z_j, x_i> = 0")


def _some_positive(data: Dataset, start: Balanced) -> Margin:
    awake = [s > 0 and is_active(z, data) for z, s in zip(start.shape, start.signs, strict=True)]
    return at_least(sum(awake), 1, "|J_+|")


def _misaligned(data: Dataset, start: Balanced) -> Margin:
    push = gamma(data, np.ones(len(data.labels), dtype=int))
    negative = [z for z, s in zip(start.shape, start.signs, strict=True) if s < 0 and is_active(z, data)]
    aligned = [z @ push > 0 and (z @ push) * (z @ push) == squared_norm(z) * squared_norm(push) for z in negative]
    return equal(sum(aligned), 0, "neurons of J_- along gamma")


def _one_at_a_time(data: Dataset, start: Balanced) -> Margin:
    active = [(z, int(s)) for z, s in zip(start.shape, sign(start.signs), strict=True) if is_active(z, data)]
    return at_most(max([most_points_touched(z, s, data) for z, s in active], default=0), 1, "|I_0(alpha_j^t)|")


def _small(teacher: Array, data: Dataset, start: Balanced, epsilon: Number) -> Margin:
    share, log_scale = rational(epsilon), rational(start.log_scale)
    range_of_epsilon = all_of(less(0, share, "0 against epsilon"), at_most(share, Fraction(1, 4), "epsilon"))
    bound = largest_log_scale(data, teacher, start.shape, start.signs, float(share)) if share > 0 else -np.inf
    if not np.isfinite(bound):
        return Margin(Fraction(-1), line="no scale is small enough: delta or epsilon is not positive")
    return all_of(
        range_of_epsilon,
        at_most(log_scale, Fraction(bound), "ln lambda against its bound", error=ROUND_OFF * abs(bound)),
    )


unit_teacher = Assumption(
    "chistikov2023.assumption_1.i.unit_teacher",
    "the teacher has length one",
    _unit,
    base=DATA,
    satisfy=repair.normalise_teacher,
    violate=repair.rescale_teacher,
)

quarter_angle = Assumption(
    "data.quarter_angle",
    "every input makes an angle below pi/4 with the teacher",
    _correlated,
    base=DATA,
    satisfy=repair.turn_to_teacher,
    violate=repair.turn_from_teacher,
)

spanning = Assumption(
    "chistikov2023.assumption_1.i.spanning",
    "d > 1 and the inputs span the space",
    _spanning,
    base=prepared(DATA, quarter_angle),
    satisfy=repair.span_space,
    violate=repair.flatten,
)

as_many_points_as_dimensions = Assumption(
    "chistikov2023.assumption_3.square",
    "there are as many inputs as dimensions",
    lambda data: equal(data.inputs.shape[0], data.inputs.shape[1], "n against d"),
    base=prepared(DATA, quarter_angle, spanning),
    satisfy=repair.keep_as_many_as_dimensions,
    violate=repair.append_sum,
)

distinct_directions = Assumption(
    "chistikov2023.assumption_1.iii.distinct_directions",
    "no two inputs have one direction",
    _distinct,
    base=prepared(DATA, quarter_angle, spanning),
    satisfy=repair.separate_directions,
    violate=repair.repeat_direction,
)

mixed_spectrum = Assumption(
    "chistikov2023.assumption_1.iii.mixed_spectrum",
    "X X^T has distinct eigenvalues, and the teacher lies in no span of fewer than d eigenvectors",
    _mixed,
    base=prepared(DATA, quarter_angle, spanning, distinct_directions),
    satisfy=repair.mix_spectrum,
    violate=repair.make_teacher_an_eigenvector,
)

nonzero_m = Assumption(
    "chistikov2023.assumption_3.nonzero_m",
    "M is not zero",
    lambda teacher, data: differs(sign_of_m(data.inputs, teacher), 0, "sign of M"),
    base=prepared(correlated(dimension=(3, 3)), quarter_angle, spanning, as_many_points_as_dimensions),
    satisfy=interpolators.make_m_nonzero,
    violate=interpolators.make_m_zero,
)

neuron_labels = Assumption(
    "data.neuron_labels",
    "the labels are those of the teacher neuron",
    _neuron_labels,
    base=DATA,
    satisfy=repair.label_by_teacher,
    violate=repair.relabel,
)

READY = prepared(SETTING, unit_teacher, quarter_angle, spanning, distinct_directions, mixed_spectrum, neuron_labels)

off_boundaries = Assumption(
    "chistikov2023.assumption_1.ii.off_boundaries",
    "no input lies on the activation boundary of a z_j",
    _off_boundaries,
    base=READY,
    satisfy=repair.leave_hyperplanes,
    violate=repair.enter_hyperplane,
)

some_positive = Assumption(
    "chistikov2023.assumption_1.ii.some_positive",
    "some neuron of positive sign is active on some input",
    _some_positive,
    base=prepared(READY, off_boundaries),
    satisfy=repair.activate_positive,
    violate=repair.deactivate_positive,
)

misaligned_negative = Assumption(
    "chistikov2023.assumption_1.ii.misaligned_negative",
    "no active neuron of negative sign points along gamma",
    _misaligned,
    base=prepared(READY, off_boundaries, some_positive),
    satisfy=repair.misalign_negative,
    violate=repair.align_negative,
)

one_at_a_time = Assumption(
    "chistikov2023.assumption_1.iv",
    "no yardstick meets two activation boundaries at once",
    _one_at_a_time,
    base=prepared(READY, off_boundaries, some_positive, misaligned_negative),
    satisfy=repair.stagger_crossings,
    violate=repair.tie_crossings,
)

small_scale = Assumption(
    "chistikov2023.assumption_2",
    "0 < epsilon <= 1/4 and lambda <= (m n^{9 n Delta^2/delta^3})^{-3/epsilon}",
    _small,
    base=prepared(READY, off_boundaries, some_positive, misaligned_negative, one_at_a_time),
    satisfy=repair.shrink_scale,
    violate=repair.enlarge_scale,
)

TRAINING_DATA = [unit_teacher, quarter_angle, neuron_labels]
ASSUMPTION_1_DATA = [unit_teacher, quarter_angle, spanning, distinct_directions, mixed_spectrum, neuron_labels]
ASSUMPTION_1 = [*ASSUMPTION_1_DATA, off_boundaries, some_positive, misaligned_negative, one_at_a_time]
ASSUMPTION_1_SQUARE = [
    unit_teacher,
    quarter_angle,
    spanning,
    as_many_points_as_dimensions,
    mixed_spectrum,
    neuron_labels,
]
ASSUMPTIONS_1_AND_2 = [*ASSUMPTION_1, small_scale]


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
