r"""Assumptions 1 and 2, the balanced initialisation (3), the cones of Section 3 and what the lemmas suppose.

The setting itself is drawn, not assumed: labels are $\pm1$, no input and no neuron of $W_0$ is zero.
"""

from fractions import Fraction

import numpy as np

from refute import Margin, all_of, assumption, at_least, at_most, equal, less
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.states import NEIGHBOURS, STATES
from refute.claims.min2024.training import SQUARE_SUM
from refute.functions import absolute, largest, maximum, smallest, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.balanced_state import moment
from refute.models.min2024.cones import centre, dead_margin, minus_margins, plus_margins, separation_margin
from refute.strategies import sized, two_layer
from refute.strategies.min2024 import data_repairs, neuron_repairs, outputs, separable
from refute.strategies.min2024.separated import labelled_dataset, neurons, placed, separated_dataset, vector

SEPARATED = sized(data=separated_dataset)
SEPARATED_NEURON = placed(data=separated_dataset, w=vector)
SEPARATED_START = placed(data=separated_dataset, start=neurons)


def alignment_squares(data: Dataset, start: Balanced) -> tuple[Array, Array]:
    """max(<w_j, c>, 0)^2 and |w_j|^2 |c|^2 with c the centre of the class opposite to neuron j, if that class is
    there.
    """
    pairs = [(w, centre(data, -int(s))) for w, s in zip(start.shape, start.signs, strict=True)]
    pairs = [(w, c) for w, c in pairs if any(c)]
    inner = [maximum(w @ c, 0 * (w @ c)) for w, c in pairs]
    return np.array([a * a for a in inner], dtype=object), np.array(
        [squared_norm(w) * squared_norm(c) for w, c in pairs], dtype=object
    )


def _inside(margins: tuple[Number | None, Number | None], cone: str) -> Margin:
    strict, weak = margins
    own = [] if strict is None else [less(0, strict, f"0 against the least <x_i, w> that {cone} asks to be positive")]
    other = [] if weak is None else [at_least(weak, 0, f"minus the largest <x_i, w> that {cone} asks to be <= 0")]
    return all_of(*own, *other)


def in_plus_cone(w: Array, data: Dataset) -> Margin:
    """w is in S_+."""
    return _inside(plus_margins(w, data), "S_+")


def in_minus_cone(w: Array, data: Dataset) -> Margin:
    """w is in S_-."""
    return _inside(minus_margins(w, data), "S_-")


@assumption(
    "min2024.assumption_1.separation",
    base=sized(data=labelled_dataset),
    satisfy=data_repairs.separate,
    violate=data_repairs.break_separation,
)
def separated(data: Dataset) -> Margin:
    """y_i y_j <x_i, x_j> > 0 for all pairs of data"""
    return less(0, separation_margin(data), "0 against min y_i y_j <x_i, x_j>")


@assumption(
    "min2024.assumption_2.not_aligned",
    base=SEPARATED_START,
    satisfy=neuron_repairs.turn_off_centre,
    violate=neuron_repairs.align_with_other_centre,
)
def not_aligned(data: Dataset, start: Balanced) -> Margin:
    """no neuron points exactly along the centre of the class opposite to its sign"""
    squares, bounds = alignment_squares(data, start)
    return less(squares, bounds, "<w_j, c>_+^2 against |w_j|^2 |c|^2, c the centre of the other class")


@assumption(
    "data.two_samples", base=SEPARATED, satisfy=data_repairs.add_second_datum, violate=data_repairs.keep_one_datum
)
def two_data(data: Dataset) -> Margin:
    """there are at least two data"""
    return at_least(len(data.labels), 2, "n")


@assumption(
    "min2024.eq_3.init_balanced",
    base=sized(net=two_layer),
    satisfy=neuron_repairs.balance,
    violate=neuron_repairs.unbalance,
)
def balanced(net: TwoLayer) -> Margin:
    """v_j^2 = |w_j|^2 > 0 for every neuron"""
    norms = (net.inner * net.inner).sum(axis=1)
    return all_of(equal(net.outer * net.outer, norms, "v_j^2 against |w_j|^2"), less(0, norms, "0 against |w_j|^2"))


@assumption(
    "neuron.in_s_plus", base=SEPARATED_NEURON, satisfy=neuron_repairs.enter_plus, violate=neuron_repairs.leave_plus
)
def in_s_plus(data: Dataset, w: Array) -> Margin:
    """w is active exactly on the positive data"""
    return in_plus_cone(w, data)


@assumption(
    "neuron.in_s_minus", base=SEPARATED_NEURON, satisfy=neuron_repairs.enter_minus, violate=neuron_repairs.leave_minus
)
def in_s_minus(data: Dataset, w: Array) -> Margin:
    """w is active exactly on the negative data"""
    return in_minus_cone(w, data)


@assumption(
    "neuron.not_dead",
    base=SEPARATED_NEURON,
    satisfy=neuron_repairs.leave_dead_cone,
    violate=neuron_repairs.enter_dead_cone,
)
def not_dead(data: Dataset, w: Array) -> Margin:
    """w is active on some datum"""
    return less(dead_margin(w, data), 0, "minus the largest <x_i, w> against 0")


@assumption(
    "neuron.dead", base=SEPARATED_NEURON, satisfy=neuron_repairs.enter_dead_cone, violate=neuron_repairs.leave_dead_cone
)
def dead(data: Dataset, w: Array) -> Margin:
    """w is active on no datum"""
    return at_most(0, dead_margin(w, data), "0 against minus the largest <x_i, w>")


@assumption(
    "neuron.on_hyperplane", base=NEIGHBOURS, satisfy=outputs.touch_hyperplane, violate=outputs.leave_hyperplanes
)
def on_hyperplane(data: Dataset, w: Array) -> Margin:
    """w is orthogonal to some datum"""
    return equal(smallest(absolute(data.inputs @ w)), 0, "least |<x_i, w>|")


THIRD, QUARTER = Fraction(1, 3), Fraction(1, 4)
IN_SPACE = placed(data=separated_dataset, w=vector, dimension=(2, 3))


def _leans(data: Dataset, w: Array, bound: Fraction) -> Margin:
    """cos(x_+, w) <= bound, for w in S_+."""
    square, whole = neuron_repairs.centre_cosine(data, w)
    p, q = bound.numerator, bound.denominator
    return at_most(q**2 * square, p**2 * whole, "(q <x_+, w>)^2 against (p |x_+| |w|)^2, bound p/q")


@assumption(
    "neuron.leaning_1_3",
    base=IN_SPACE,
    satisfy=neuron_repairs.turn_away_from_centre(THIRD),
    violate=neuron_repairs.turn_to_own_centre,
)
def leaning_third(data: Dataset, w: Array) -> Margin:
    """cos(x_+, w) <= 1/3"""
    return _leans(data, w, THIRD)


@assumption(
    "neuron.leaning_1_4",
    base=IN_SPACE,
    satisfy=neuron_repairs.turn_away_from_centre(QUARTER),
    violate=neuron_repairs.turn_to_own_centre,
)
def leaning_quarter(data: Dataset, w: Array) -> Margin:
    """cos(x_+, w) <= 1/4"""
    return _leans(data, w, QUARTER)


@assumption(
    "data.positive_class", base=SEPARATED, satisfy=separable.make_first_positive, violate=separable.make_all_negative
)
def positive_class(data: Dataset) -> Margin:
    """some label is 1"""
    return less(0, largest(data.labels), "0 against the largest label")


@assumption(
    "data.both_classes", base=SEPARATED, satisfy=data_repairs.add_other_class, violate=data_repairs.keep_one_class
)
def both_classes(data: Dataset) -> Margin:
    """each class has a datum"""
    return less(absolute(data.labels.sum()), len(data.labels), "|sum of the labels| against n")


@assumption("output.at_most_one", base=STATES, satisfy=outputs.outputs_at_most_one, violate=outputs.outputs_above_one)
def outputs_at_most_one(data: Dataset, start: Balanced, scale: Number, slope: Number) -> Margin:
    """max_i |f(x_i)| <= 1"""
    return at_most(moment(start, scale, data, SQUARE_SUM, slope=slope).largest_output, 1, "max |f| against its bound")


SETTING = [separated, not_aligned]


@assumption("output.at_most_half", base=STATES, satisfy=outputs.outputs_at_most_half, violate=outputs.outputs_above_one)
def outputs_at_most_half(data: Dataset, start: Balanced, scale: Number, slope: Number) -> Margin:
    """max_i |f(x_i)| <= 1/2"""
    return at_most(2 * moment(start, scale, data, SQUARE_SUM, slope=slope).largest_output, 1, "2 max |f| against 1")


@assumption(
    "data.two_dimensions",
    base=SEPARATED,
    satisfy=data_repairs.add_second_dimension,
    violate=data_repairs.make_one_dimensional,
)
def two_dimensions(data: Dataset) -> Margin:
    """the input space has at least two dimensions"""
    return at_least(data.inputs.shape[1], 2, "D")
