r"""Sections 1 and 2: remarks on the angle condition, the labels, biases, too few points, and the role of the width."""

from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Kind,
    Margin,
    all_of,
    at_most,
    bent,
    changed,
    derived,
    differs,
    equal,
    less,
    mutants,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import EXACT, Array, exact_array
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTIONS_1_AND_2,
    acute_angles,
    acute_pairs_proof,
    neuron_labels,
    quarter_angle,
    short_shift,
    signed_squared_cosines,
    squares,
)
from refute.claims.chistikov2023.setting import A_NEURONS, on_a
from refute.decide.proof import by_smt
from refute.functions import squared_norm
from refute.language.case import lift
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.strategies.chistikov2023.correlated import correlated
from refute.strategies.chistikov2023.perturbed_teachers import perturbed_teacher

remark = section("chistikov2023", "remark", recorded="proved")


contributions = remark.but("section 1, contributions", given=correlated(dimension=(1, 3), samples=(2, 4)))


@contributions.claim("quarter_angle_implies_acute_pairs", assumes=[quarter_angle], proof=acute_pairs_proof)
@mutants(shifted("-1/100", "squared cosines"), without(quarter_angle))
def all_pairs_of_inputs_are_acute(data: Dataset) -> Margin:
    r"""If $\angle(v^*,x_i)<\pi/4$ for all $i$, then $\angle(x_i,x_{i'})<\pi/2$ for all $i\ne i'$."""
    return less(0, signed_squared_cosines(data), "squared cosines of pairs")


def _short_shift_proof() -> str | None:
    """In the plane of v = (1, 0) and e = (p, q), which is no restriction: lengths scale with |v|, and space may be
    turned.
    """
    import z3

    def statement() -> Any:
        p, q = z3.Reals("p q")
        return z3.Implies(2 * (p * p + q * q) < 1, z3.And(1 + p > 0, (1 + p) * (1 + p) > q * q))

    return by_smt(statement)


@contributions.claim(
    "short_perturbations_of_teacher", given=perturbed_teacher(), assumes=[short_shift], proof=_short_shift_proof
)
@mutants(scaled("99/100", "|v*|^2"), without(short_shift))
def short_shifts_turn_by_less_than_a_quarter(teacher: Array, shift: Array) -> Margin:
    r"""If $x=v^*+e$ with $\|e\|<\|v^*\|/\sqrt2$, then $\angle(v^*,x)<\pi/4$."""
    x = teacher + shift
    along = teacher @ x
    return all_of(
        less(0, along, "0 against <v*, x>"),
        less(squared_norm(teacher) * squared_norm(x), 2 * along * along, "|v*|^2 |x|^2 against 2 <v*, x>^2"),
    )


def _labels_proof() -> str | None:
    import z3

    def statement() -> Any:
        along = z3.Real("along")
        return z3.Implies(along > 0, z3.If(along > 0, along, 0) == along)

    return by_smt(statement, "sigma(u) = u for u = <v*, x_i> > 0")


@remark.claim(
    "labels_positive",
    "section 2, neuron-labelled correlated inputs",
    given=correlated(dimension=(1, 3), samples=(1, 4)),
    assumes=[acute_angles, neuron_labels],
    proof=_labels_proof,
)
@mutants(shifted("-1/2", "0 against"), without(acute_angles), without(neuron_labels))
def labels_are_positive(teacher: Array, data: Dataset) -> Margin:
    r"""If the angles between $v^*$ and the $x_i$ are acute, each $y_i=\sigma(v^{*\top}x_i)$ is positive, so
    $y_i=v^{*\top}x_i$.

    Convention: acute angles suffice.
    """
    return all_of(
        less(0, data.labels, "0 against y_i"), equal(data.labels, data.inputs @ teacher, "y_i against <v*, x_i>")
    )


@remark.claim("bias_by_stacking", "section 2, after the labels", kind=Kind.SYMBOLIC)
@mutants(
    bent("2 is appended instead of 1", "pre-activation", right=lambda stacked: 2 * stacked - stacked.subs("b", 0)),
    bent("the teacher's bias is left out", "the teacher's", right=lambda stacked: stacked.subs("c", 0)),
)
def biases_are_one_more_dimension() -> Any:
    r"""Hidden biases and a teacher with a bias in dimension $d$ are the bias-free setting in dimension $d+1$ with
    inputs $(x_i,1)$.

    The pre-activations of neurons and teacher agree, with their derivatives by weights and biases.

    Convention: one neuron and d = 1; outputs, loss and gradients depend on weights and inputs through pre-activations
    only.
    """
    import sympy

    w, b, v, c, x = sympy.symbols("w b v c x")
    row, teacher, point = sympy.Matrix([w, b]), sympy.Matrix([v, c]), sympy.Matrix([x, 1])
    biased, stacked = w * x + b, row.dot(point)
    return {
        "pre-activation": (biased, stacked),
        "the teacher's pre-activation": (v * x + c, teacher.dot(point)),
        "derivative by the weights": (sympy.diff(biased, w), sympy.diff(stacked, w)),
        "derivative by the bias": (sympy.diff(biased, b), sympy.diff(stacked, b)),
    }


TWO_POINTS = Dataset(exact_array([[2, 1], [1, 0]]), exact_array([2, 1]))
TWO_TEACHERS = {
    "first": exact_array([1, 0]),
    "second": exact_array(["3/5", "4/5"]),
    "data": Dataset(exact_array([[2, 1]]), exact_array([2])),
}


@remark.claim(
    "fewer_points_than_dimension", "section 1, first contribution", kind=Kind.EXISTENCE, instances=[TWO_TEACHERS]
)
@mutants(
    changed("with a second point (1, 0)", data=lambda _: lift(TWO_POINTS, EXACT)),
    changed("one teacher longer by 1/100", second=lambda v: v * 101 / 100),
)
def fewer_points_do_not_determine_the_teacher(first: Array, second: Array, data: Dataset) -> Margin:
    r"""For $n<d$ exact learning may be impossible: different unit teachers within $\pi/4$ of all points can have the
    same labels.

    $v^*=(1,0)$ and $(3,4)/5$ agree on the single point $(2,1)$.
    """
    teachers, sizes = np.array([first, second]), squares(data.inputs)
    along = data.inputs @ teachers.T
    return all_of(
        differs(first, second, "two teachers"),
        equal(squares(teachers), 1, "|v|^2"),
        equal(along, data.labels[:, None], "labels of a teacher"),
        less(sizes[:, None], 2 * along * along, "|x|^2 against 2 <v, x>^2"),
        less(len(data.inputs), len(first), "n against d"),
    )


LEVEL = 1e-4


@derived
def fitted(data: Dataset, start: Balanced, tolerance: float) -> Enclosed:
    """h(x_i) when the flow is stopped at a residual of LEVEL."""
    run = log_polar_flow(start, data, SQUARE, level=LEVEL, tolerance=1e4 * tolerance)
    return Enclosed(run.output[-1], run.output_error)


@remark.claim(
    "overparameterisation_role",
    "section 1, first contribution",
    kind=Kind.DYNAMICS,
    instances=[on_a(A_NEURONS[0]), on_a(*A_NEURONS)],
    assumes=ASSUMPTIONS_1_AND_2,
    derived=[fitted],
    recorded="supported",
)
@mutants(changed("a teacher longer by 1/1000", data=lambda data: Dataset(data.inputs, data.labels * 1.001)))
def one_active_neuron_is_enough(data: Dataset, fitted: Enclosed) -> Margin:
    r"""Width only has to make $J_+$ nonempty: for every $m\ge1$, one neuron included, the flow then fits all labels.

    Followed until every residual is below $10^{-4}$ of the first; with $J_+$ empty the outputs stay at zero.

    Convention: fitting the labels stands for the results, whose limits are Theorems 6 and 7; widths one and three on
    one dataset.
    """
    level = 2 * LEVEL * float(np.max(data.labels))
    return at_most(abs(data.labels - fitted), level, "|y_i - h(x_i)| at the end against its level")
