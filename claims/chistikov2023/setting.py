r"""Section 1 and 2: remarks on the angle condition, the labels, biases, too few points, and the role of the width."""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Kind, Margin, all_of, at_most, claim, differs, equal, identity, less, moved, without
from refute.arithmetic.numbers import Array, Number, exact_array
from refute.claims.chistikov2023.assumptions import ASSUMPTIONS_1_AND_2, acute_pairs_proof, neuron_labels, quarter_angle
from refute.claims.chistikov2023.theorem_8 import acute_angles
from refute.decide.proof import by_smt
from refute.functions import squared_norm
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.strategies.chistikov2023 import correlated as repair
from refute.strategies.chistikov2023.correlated import correlated, perturbed_teacher


@claim(
    "chistikov2023.remark.quarter_angle_implies_acute_pairs",
    "section 1, contributions",
    given=correlated(dimension=(1, 3), samples=(2, 4)),
    assumes=[quarter_angle],
    proof=acute_pairs_proof,
    recorded="proved",
    mutants=[
        moved("cosine at least 1/4", floor=Fraction(1, 16)),
        moved("cosine at least 1/10", floor=Fraction(1, 100)),
        without(quarter_angle),
    ],
)
def all_pairs_of_inputs_are_acute(data: Dataset, *, floor: Number = Fraction(0)) -> Margin:
    r"""If $\angle(v^*,x_i)<\pi/4$ for all $i$, then $\angle(x_i,x_{i'})<\pi/2$ for all $i\ne i'$."""
    first, second = np.triu_indices(len(data.labels), 1)
    products = (data.inputs @ data.inputs.T)[first, second]
    squares = np.array([squared_norm(x) for x in data.inputs], dtype=object)
    return all_of(
        less(0, products, "0 against <x_i, x_k>"),
        less(
            floor * squares[first] * squares[second], products * products, "floor |x_i|^2 |x_k|^2 against <x_i, x_k>^2"
        ),
    )


short_shift = Assumption(
    "shift.short",
    "the shift is shorter than |v*|/sqrt(2)",
    lambda teacher, shift: less(2 * squared_norm(shift), squared_norm(teacher), "2 |e|^2 against |v*|^2"),
    base=perturbed_teacher(),
    satisfy=repair.shorten_shift,
    violate=repair.lengthen_shift,
)


def _short_shift_proof() -> str | None:
    """In the plane of v = (1, 0) and e = (p, q), which is no restriction: lengths scale with |v|, and space may be
    turned.
    """
    import z3

    def statement() -> Any:
        p, q = z3.Reals("p q")
        return z3.Implies(2 * (p * p + q * q) < 1, z3.And(1 + p > 0, (1 + p) * (1 + p) > q * q))

    return by_smt(statement)


@claim(
    "chistikov2023.remark.short_perturbations_of_teacher",
    "section 1, contributions",
    given=perturbed_teacher(),
    assumes=[short_shift],
    proof=_short_shift_proof,
    recorded="proved",
    mutants=[moved("angle below 43 degrees", inverse_square=Fraction(187, 100)), without(short_shift)],
)
def short_shifts_turn_by_less_than_a_quarter(
    teacher: Array, shift: Array, *, inverse_square: Number = Fraction(2)
) -> Margin:
    r"""If $x=v^*+e$ with $\|e\|<\|v^*\|/\sqrt2$, then $\angle(v^*,x)<\pi/4$."""
    x = teacher + shift
    along = teacher @ x
    return all_of(
        less(0, along, "0 against <v*, x>"),
        less(
            squared_norm(teacher) * squared_norm(x),
            inverse_square * along * along,
            "|v*|^2 |x|^2 against <v*, x>^2 / cos^2",
        ),
    )


@claim(
    "chistikov2023.remark.labels_positive",
    "section 2, neuron-labelled correlated inputs",
    given=correlated(dimension=(1, 3), samples=(1, 4)),
    assumes=[acute_angles, neuron_labels],
    recorded="supported",
    mutants=[moved("at least 1/2", floor=Fraction(1, 2)), without(acute_angles), without(neuron_labels)],
    convention="acute angles suffice; the sign of a number is not worth a proof by machine",
)
def labels_are_positive(teacher: Array, data: Dataset, *, floor: Number = Fraction(0)) -> Margin:
    r"""If the angles between $v^*$ and the $x_i$ are acute, each $y_i=\sigma(v^{*\top}x_i)$ is positive, so
    $y_i=v^{*\top}x_i$.
    """
    return all_of(
        less(floor, data.labels, "0 against y_i"), equal(data.labels, data.inputs @ teacher, "y_i against <v*, x_i>")
    )


@identity(
    "chistikov2023.remark.bias_by_stacking",
    "section 2, after the labels",
    recorded="proved",
    mutants=[moved("2 is appended instead of 1", appended=2), moved("the teacher's bias is left out", teacher_bias=0)],
    convention="one neuron and d = 1; outputs, loss and gradients depend on weights and inputs through "
    "pre-activations only",
)
def biases_are_one_more_dimension(*, appended: int = 1, teacher_bias: int = 1) -> Any:
    r"""Hidden biases and a teacher with a bias in dimension $d$ are the bias-free setting in dimension $d+1$ with
    inputs $(x_i,1)$.

    The pre-activations of neurons and teacher agree, with their derivatives by weights and biases.
    """
    import sympy

    w, b, v, c, x = sympy.symbols("w b v c x")
    row, teacher, point = sympy.Matrix([w, b]), sympy.Matrix([v, teacher_bias * c]), sympy.Matrix([x, appended])
    biased, stacked = w * x + b, row.dot(point)
    return {
        "pre-activation": biased - stacked,
        "pre-activation of the teacher": v * x + c - teacher.dot(point),
        "its derivative by the weights": sympy.diff(biased, w) - sympy.diff(stacked, w),
        "its derivative by the bias": sympy.diff(biased, b) - sympy.diff(stacked, b),
    }


def _two_teachers() -> dict[str, Any]:
    one, two = (np.array([Fraction(e) for e in row], dtype=object) for row in (["1", "0"], ["3/5", "4/5"]))
    return {"first": one, "second": two, "data": Dataset(np.array([[2, 1]], dtype=object), np.array([2], dtype=object))}


@claim(
    "chistikov2023.remark.fewer_points_than_dimension",
    "section 1, first contribution",
    kind=Kind.EXISTENCE,
    instances=[_two_teachers()],
    recorded="proved",
    mutants=[moved("with a second point (1, 0)", more=1), moved("one teacher of twice the length", stretch=2)],
)
def fewer_points_do_not_determine_the_teacher(
    first: Array, second: Array, data: Dataset, *, more: int = 0, stretch: int = 1
) -> Margin:
    r"""For $n<d$ exact learning may be impossible: different unit teachers within $\pi/4$ of all points can have the
    same labels.

    $v^*=(1,0)$ and $(3,4)/5$ agree on the single point $(2,1)$.
    """
    inputs = np.vstack([data.inputs, first[None, :]]) if more else data.inputs
    labels = np.concatenate([data.labels, first[:1]]) if more else data.labels
    teachers = (first, stretch * second)
    angles = [
        less(squared_norm(v) * squared_norm(x), 2 * (v @ x) * (v @ x), "|v|^2 |x|^2 against 2 <v, x>^2")
        for v in teachers
        for x in inputs
    ]
    fits = [equal(inputs @ v, labels, "labels of a teacher") for v in teachers]
    return all_of(differs(first, second, "two teachers"), *fits, *angles, less(len(inputs), len(first), "n against d"))


LEVEL = 1e-4


def starts(*rows: tuple[int, str, str]) -> dict[str, Any]:
    """Two points in the plane and neurons given by their sign and z_j; the scale is that of Assumption 2 or less."""
    inputs = np.array([[Fraction(1), Fraction(1, 4)], [Fraction(5, 4), Fraction(-1)]], dtype=object)
    shape = np.array([[Fraction(first), Fraction(second)] for _, first, second in rows], dtype=object)
    start = Balanced(shape, np.array([sign for sign, _, _ in rows]), Fraction(-(10**5)), Fraction(0))
    return {
        "teacher": exact_array(np.array([1, 0])),
        "data": Dataset(inputs, inputs[:, 0]),
        "start": start,
        "epsilon": Fraction(1, 4),
    }


@claim(
    "chistikov2023.remark.overparameterisation_role",
    "section 1, first contribution",
    kind=Kind.DYNAMICS,
    instances=[starts((1, "1/2", "1")), starts((1, "1/2", "1"), (1, "1/2", "3/2"), (-1, "3/2", "1/2"))],
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        moved("also when no neuron has a positive sign", only_negative=1),
        moved("twice the teacher is learnt", factor=2.0),
    ],
    convention="fitting the labels stands for the results, whose limits are Theorems 6 and 7; widths one and three on "
    "one dataset",
)
def one_active_neuron_is_enough(
    data: Dataset, start: Balanced, tolerance: float, *, only_negative: int = 0, factor: float = 1.0
) -> Margin:
    r"""Width only has to make $J_+$ nonempty: for every $m\ge1$, one neuron included, the flow then fits all labels.

    Followed until every residual is below $10^{-4}$ of the first; with $J_+$ empty the outputs stay at zero.
    """
    signs = -np.ones_like(start.signs) if only_negative else start.signs
    run = log_polar_flow(
        Balanced(start.shape, signs, start.log_scale, start.slope), data, SQUARE, level=LEVEL, tolerance=1e4 * tolerance
    )
    gap = np.abs(factor * data.labels - run.output[-1])
    return at_most(
        gap,
        2 * LEVEL * float(np.max(data.labels)),
        "|y_i - h(x_i)| at the end against its level",
        error=run.output_error,
    )
