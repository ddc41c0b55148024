r"""Remarks of the appendices and of the digest of the longer version that can be decided without training."""

from fractions import Fraction

import numpy as np

from refute import Assumption, Kind, Margin, all_of, at_least, claim, differs, equal, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.assumptions import no_data_on_hyperplane, nonempty_half_space, odd_function
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.neurons import odd_part_of_a_neuron
from refute.claims.zhang2024.pairs import loss_splits, one_of_each_pair
from refute.decide.symbolic import by_identity
from refute.functions import absolute, sign, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.loss import SQUARE
from refute.models.zhang2024.half_spaces import half_space_average
from refute.models.zhang2024.symmetry import evenness_defect, oddness_defect
from refute.strategies import dataset, drawn, point, positive, sized, two_layer
from refute.strategies.datasets import unscaled_dataset
from refute.strategies.orthogonal import append_zero_input, drop_zero_inputs, orthogonalise, tilt
from refute.strategies.zhang2024.reflections import (
    break_closure,
    break_oddness_on_data,
    close_under_reflection,
    contradict,
    make_odd_on_data,
)
from refute.strategies.zhang2024.symmetry import double_labels, odd_labels, sign_labels


def half_space_moments(data: Dataset, r: Array, factor: Number) -> Margin:
    """<x x^T> = Sigma and <x y> = beta on the open half space."""
    inside = sign(data.inputs @ r) >= 1
    xx, xy = data.inputs[:, :, None] * data.inputs[:, None, :], data.labels[:, None] * data.inputs
    return all_of(
        equal(half_space_average(xx, inside), factor * data.covariance, "<x x^T>_S+ against Sigma"),
        equal(half_space_average(xy, inside), factor * data.correlation, "<x y>_S+ against beta"),
    )


@claim(
    "zhang2024.summary.mechanism_1_half_space",
    "digest, mechanism 1",
    given=sized(data=dataset, r=point),
    assumes=[*CONDITION_3, nonempty_half_space],
    recorded="refuted",
    convention="the averages are Sigma and beta, the half space is open and contains data",
)
def half_space_averages_are_full_averages(data: Dataset, r: Array) -> Margin:
    r"""Under Condition 3 the averages over any half space equal the full averages.

    Fails like Lemma 10 when a datum lies on the boundary: inputs -1, 0, 1 have $\Sigma=2/3$ but average 1 on x > 0.
    """
    return half_space_moments(data, r, data.labels[0] * 0 + 1)


@claim(
    "zhang2024.summary.mechanism_1_half_space.amended",
    "digest, mechanism 1",
    given=sized(data=dataset, r=point),
    assumes=[*CONDITION_3, nonempty_half_space, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(odd_target),
        without(no_data_on_hyperplane),
        moved("half", factor=Fraction(1, 2)),
    ],
    cost=2.0,
)
def half_space_averages_are_full_averages_off_the_boundary(
    data: Dataset, r: Array, *, factor: Number = Fraction(1)
) -> Margin:
    r"""Amended: the same for half spaces with no datum on their boundary."""
    return half_space_moments(data, r, factor)


def _odd_on_data(net: TwoLayer, data: Dataset) -> Margin:
    """f(x) + f(-x) = 0 for the pairs x, -x that are both data."""
    rows = [tuple(row) for row in data.inputs]
    outputs, mirrored = net(data.inputs), net(-data.inputs)
    gaps = [absolute(outputs[k] + mirrored[k]) for k, row in enumerate(-data.inputs) if tuple(row) in rows]
    return equal(np.array(gaps, dtype=object), 0, "f(x) + f(-x) over the data whose mirror image is a datum")


odd_on_data = Assumption(
    "network.odd_on_data",
    "f(-x) = -f(x) whenever x and -x are data",
    _odd_on_data,
    base=sized(net=two_layer, data=dataset, width=drawn(1, 3)),
    satisfy=make_odd_on_data,
    violate=break_oddness_on_data,
)


@claim(
    "zhang2024.summary.mechanism_2_even_inputs",
    "digest, mechanism 2",
    given=sized(net=two_layer, data=dataset, width=drawn(1, 3)),
    assumes=[even_inputs, odd_on_data],
    proof=odd_part_of_a_neuron,
    recorded="proved",
    mutants=[without(even_inputs), without(odd_on_data), moved("equal to W2 W1 x", factor=Fraction(1))],
    convention="R0: on the data; oddness is asked of pairs x, -x of data, which is all that the data show",
    cost=2.0,
)
def odd_functions_on_even_data_are_linear_there(
    net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""With even inputs, f odd on the data makes the absolute-value part vanish there: $f(x)=\tfrac{\alpha+1}2W_2W_1x$
    at every datum.
    """
    return equal(
        net(data.inputs),
        factor * (net.slope + 1) * (data.inputs @ net.linear_map()),
        "f against its linear part on the data",
    )


@claim(
    "zhang2024.summary.mechanism_2_even_inputs.r1",
    "digest, mechanism 2",
    given=sized(net=two_layer, x=point, width=drawn(1, 3)),
    assumes=[odd_function],
    proof=odd_part_of_a_neuron,
    recorded="proved",
    mutants=[without(odd_function), moved("equal to W2 W1 x", factor=Fraction(1))],
    convention="R1: on the whole space; no law of the inputs is needed",
    cost=2.0,
)
def odd_functions_have_no_absolute_value_part(net: TwoLayer, x: Array, *, factor: Number = Fraction(1, 2)) -> Margin:
    r"""R1: an odd expressible function is $\tfrac{\alpha+1}2W_2W_1x$ on the whole space, whatever the law of the
    inputs.
    """
    return equal(net(x), factor * (net.slope + 1) * (net.linear_map() @ x), "f(x) against its linear part")


@claim(
    "zhang2024.summary.odd_task_only_linear",
    "digest, key results",
    given=sized(net=two_layer, data=unscaled_dataset, samples=drawn(1, 2)),
    assumes=CONDITION_3,
    recorded="refuted",
    convention="R0: every expressible function is linear on the data of an odd task",
)
def expressible_functions_are_linear_on_odd_tasks(net: TwoLayer, data: Dataset) -> Margin:
    r"""R0: when the task is odd (Condition 3), two-layer bias-free networks only express linear functions.

    Fails: what a network expresses does not depend on the task. One ReLU neuron is not odd on the inputs 1, -1.
    """
    return equal(net(data.inputs), -net(-data.inputs), "f(x) against -f(-x) on the data")


@claim(
    "zhang2024.summary.odd_task_only_linear.r1",
    "digest, key results",
    given=sized(net=two_layer, x=point, z=point, width=drawn(1, 3)),
    assumes=[odd_function],
    proof=odd_part_of_a_neuron,
    recorded="proved",
    mutants=[without(odd_function), moved("additive up to a factor 2", factor=2)],
    convention="R1: every odd expressible function is linear; proved as zhang2024.corollary_2.odd_implies_linear",
    cost=2.0,
)
def odd_expressible_functions_are_linear(net: TwoLayer, x: Array, z: Array, *, factor: int = 1) -> Margin:
    r"""R1: an odd function expressed by a two-layer net is additive (and homogeneous by oddness), hence linear."""
    return equal(net(x + z), factor * (net(x) + net(z)), "f(x + z) against f(x) + f(z)")


@claim(
    "zhang2024.summary.odd_task_only_linear.r2",
    "digest, key results",
    given=sized(net=two_layer, data=dataset),
    assumes=CONDITION_3,
    proof=loss_splits,
    recorded="proved",
    mutants=[without(even_inputs), without(odd_target), moved("W2 W1 x in place of its half", factor=Fraction(1))],
    convention="R2: no network fits the data of Condition 3 better than its own linear part, which a network of twice "
    "the width expresses",
    cost=3.0,
)
def the_linear_part_fits_no_worse(net: TwoLayer, data: Dataset, *, factor: Number = Fraction(1, 2)) -> Margin:
    r"""R2: the best square-loss fit on odd tasks is linear: $\mathcal L(f)\ge\mathcal L(\tfrac{\alpha+1}2W_2W_1x)$, of
    its odd part.
    """
    linear = factor * (net.slope + 1) * (data.inputs @ net.linear_map())
    return at_least(
        SQUARE.value(data.labels, net(data.inputs)),
        SQUARE.value(data.labels, linear),
        "loss against that of the linear part",
    )


_SCALED = sized(net=two_layer, x=point, a=positive())


@claim(
    "zhang2024.summary.scale_invariance",
    "digest, design trade-offs",
    given=_SCALED,
    recorded="refuted",
    convention="R0: the output does not change with the scale of the input",
)
def outputs_ignore_the_scale(net: TwoLayer, x: Array, a: Number) -> Margin:
    r"""R0: $f(ax)=f(x)$ for a > 0. Fails for every network that is not zero: f is homogeneous of degree one."""
    return equal(net(a * x), net(x), "f(ax) against f(x)")


def _homogeneous() -> str | None:
    import sympy

    z, a = sympy.Symbol("z", real=True), sympy.Symbol("a", positive=True)
    alpha = 1 - sympy.Symbol("b", nonnegative=True)
    residual = sympy.Max(a * z, alpha * a * z) - a * sympy.Max(z, alpha * z)
    return by_identity(lambda: [residual], "sigma(az) = a sigma(z), so f(ax) = a f(x), and a > 0 keeps the sign")


@claim(
    "zhang2024.summary.scale_invariance.r1",
    "digest, design trade-offs",
    given=_SCALED,
    proof=_homogeneous,
    recorded="proved",
    mutants=[moved("also for a < 0", sign_of_a=-1), moved("degree 2", degree=2)],
    convention="R1: positive homogeneity",
    cost=2.0,
)
def outputs_scale_with_the_input(net: TwoLayer, x: Array, a: Number, *, sign_of_a: int = 1, degree: int = 1) -> Margin:
    r"""R1: $f(ax)=a\,f(x)$ for a > 0."""
    factor = sign_of_a * a
    return equal(net(factor * x), factor**degree * net(x), "f(ax) against a f(x)")


@claim(
    "zhang2024.summary.scale_invariance.r2",
    "digest, design trade-offs",
    given=_SCALED,
    proof=_homogeneous,
    recorded="proved",
    mutants=[moved("also for a < 0", sign_of_a=-1), moved("the input moved by one besides", shift=1)],
    convention="R2: the decision, the sign of the output, does not change with the scale of the input",
    cost=2.0,
)
def decisions_ignore_the_scale(net: TwoLayer, x: Array, a: Number, *, sign_of_a: int = 1, shift: int = 0) -> Margin:
    r"""R2: $\mathrm{sign}f(ax)=\mathrm{sign}f(x)$ for a > 0."""
    return equal(sign(net(sign_of_a * a * x + shift)), sign(net(x)), "sign f(ax) against sign f(x)")


def _closed(data: Dataset) -> Margin:
    samples = [(*row, label) for row, label in zip(data.inputs, data.labels, strict=True)]
    mirrored = [tuple(-value for value in sample) for sample in samples]
    return equal(max(abs(samples.count(s) - mirrored.count(s)) for s in samples), 0, "samples without an opposite one")


def _single_valued(data: Dataset) -> Margin:
    labels = {tuple(row): label for row, label in zip(data.inputs, data.labels, strict=True)}
    gaps = [absolute(label - labels[tuple(row)]) for row, label in zip(data.inputs, data.labels, strict=True)]
    return equal(np.array(gaps, dtype=object), 0, "labels that differ at one input")


closed_data = Assumption(
    "data.closed_under_reflection",
    "with each sample (x, y) the data contain (-x, -y), as often",
    _closed,
    base=sized(data=unscaled_dataset),
    satisfy=close_under_reflection,
    violate=break_closure,
)
function_labels = Assumption(
    "label.function_of_input",
    "the label is a function of the input",
    _single_valued,
    base=sized(data=unscaled_dataset),
    satisfy=odd_labels,
    violate=contradict,
)


def _condition_3(data: Dataset, sizes: int) -> Margin:
    return all_of(
        equal(evenness_defect(data.inputs), 0, "largest |count(x) - count(-x)|"),
        equal(
            oddness_defect(data.inputs, absolute(data.labels) if sizes else data.labels), 0, "largest |y(x) + y(-x)|"
        ),
    )


@claim(
    "zhang2024.summary.quick_checks",
    "digest, foundational learning",
    given=sized(data=unscaled_dataset),
    assumes=[closed_data],
    recorded="refuted",
    convention="(i) only; (ii) is zhang2024.sec_3.not_universal and (iii) a statement about training",
)
def reflected_data_satisfy_condition_3(data: Dataset) -> Margin:
    r"""Data closed under $(x,y)\mapsto(-x,-y)$ satisfy Condition 3.

    Fails when one input carries two labels: (0, 1) and its mirror image (0, -1) leave y(0) undefined.
    """
    return _condition_3(data, 0)


@claim(
    "zhang2024.summary.quick_checks.amended",
    "digest, foundational learning",
    given=sized(data=unscaled_dataset),
    assumes=[closed_data, function_labels],
    recorded="supported",
    mutants=[without(closed_data), without(function_labels), moved("for the sizes of the labels too", sizes=1)],
)
def reflected_functions_satisfy_condition_3(data: Dataset, *, sizes: int = 0) -> Margin:
    r"""Amended: the same when the label is a function of the input, as Condition 3 supposes by writing y(x)."""
    return _condition_3(data, sizes)


orthogonal_inputs = Assumption(
    "inputs.orthogonal",
    "inputs are pairwise orthogonal",
    lambda data: equal([x @ z for k, x in enumerate(data.inputs) for z in data.inputs[:k]], 0, "x_i.x_j"),
    base=sized(data=unscaled_dataset, samples=drawn(2, 4)),
    satisfy=orthogonalise,
    violate=tilt,
)
nonzero_inputs = Assumption(
    "inputs.nonzero",
    "no input is zero",
    lambda data: less(0, [squared_norm(x) for x in data.inputs], "|x_i|^2"),
    base=sized(data=unscaled_dataset),
    satisfy=drop_zero_inputs,
    violate=append_zero_input,
)
binary_labels = Assumption(
    "label.binary",
    "labels are +1 or -1",
    lambda data: equal(absolute(data.labels), 1, "|y|"),
    base=sized(data=unscaled_dataset),
    satisfy=sign_labels,
    violate=double_labels,
)


@claim(
    "zhang2024.app_a.orthogonal_is_separable",
    "appendix A, implicit bias",
    given=sized(data=unscaled_dataset, dimension=(1, 4)),
    assumes=[binary_labels, orthogonal_inputs, nonzero_inputs],
    recorded="supported",
    mutants=[without(orthogonal_inputs), without(nonzero_inputs), moved("the separator sum of x_i", labelled=0)],
    convention="separable by a hyperplane through the origin, strictly; the separator is w = sum_i y_i x_i/|x_i|^2",
)
def orthogonal_data_are_separable(data: Dataset, *, labelled: int = 1) -> Margin:
    r"""Pairwise orthogonal nonzero inputs with binary labels are linearly separable: $y_i\,w^\top x_i=1$ for
    $w=\sum_iy_ix_i/\|x_i\|^2$.
    """
    sizes = [squared_norm(x) for x in data.inputs]
    weights = [(y if labelled else y * y) / s if s != 0 else s for y, s in zip(data.labels, sizes, strict=True)]
    separator = np.array(weights, dtype=object) @ data.inputs
    return less(0, data.labels * (data.inputs @ separator), "y_i w.x_i")


def _stacked_solution(positive: Number, negative: Number) -> tuple[Number, Number]:
    """argmin w^2 + b^2 subject to positive w + b >= 1 and -(negative w + b) >= 1: the best feasible active set."""
    gap = positive - negative
    candidates = [
        (positive / (positive**2 + 1), 1 / (positive**2 + 1)),
        (-negative / (negative**2 + 1), -1 / (negative**2 + 1)),
        (2 / gap, -(positive + negative) / gap),
    ]
    feasible = [(w, b) for w, b in candidates if positive * w + b >= 1 and -(negative * w + b) >= 1]
    return min(feasible, key=lambda pair: pair[0] ** 2 + pair[1] ** 2)


@claim(
    "zhang2024.app_b.stacked_max_margin",
    'appendix B, "Implication of Bias Removal"',
    kind=Kind.EXISTENCE,
    instances=[{"positive": Fraction(1)}],
    recorded="proved",
    mutants=[
        moved("the other point at -2, where both agree", other=Fraction(-2)),
        moved("at -3, where both agree", other=Fraction(-3)),
    ],
    convention="existential: some data have different solutions, others (1 and -2) do not; compared by the threshold "
    "-b/w",
)
def stacking_a_one_moves_the_max_margin_threshold(positive: Number, *, other: Number = Fraction(-5)) -> Margin:
    r"""The max-margin solution of inputs $[x,1]$ is not that of the inputs x: for x = 1 (label 1) and x = -5 (label -1)
    the stacked problem $\min w^2+b^2$ has $w=b=\tfrac12$ and threshold -1, the original one $\min w^2$ with b free has
    threshold -2.
    """
    w, b = _stacked_solution(positive, other)
    return differs(-b / w, (positive + other) / 2, "threshold of the stacked problem against the midpoint")


_FIVE_NEURONS = TwoLayer(
    np.array([[1, 0], [0, 1], [1, -2], [-1, 10], [-1, 5]]), np.array([4, -72, -1, 13, -12]), Fraction(0)
)


@claim(
    "zhang2024.app_b.asymmetric_can_be_nonlinear",
    'appendix B, "Perturbed Symmetric Dataset"',
    kind=Kind.EXISTENCE,
    instances=[{"net": _FIVE_NEURONS}],
    recorded="proved",
    mutants=[
        moved("the symmetric data, displacement 0", displacement=Fraction(0)),
        moved("displacement 1/10", displacement=Fraction(1, 10)),
    ],
    convention="the data of Figure 2; that training finds such a solution is zhang2024.figure_2.loss_to_zero",
)
def asymmetric_data_have_a_nonlinear_solution(net: TwoLayer, *, displacement: Number = Fraction(3, 20)) -> Margin:
    r"""When Condition 3 is violated, here by $(1,0.15)$ against $(-1,0)$, a two-layer bias-free ReLU network can reach
    zero loss where the best linear map has positive loss. Witness: five neurons with integer weights.
    """
    corners = [[1, 1], [-1, -1], [1, -1], [-1, 1], [-1, 0], [1, displacement]]
    inputs, labels = np.array(corners, dtype=object) + displacement * 0, np.array([1, -1, 1, -1, 1, -1], dtype=object)
    (a, b), (_, d) = inputs.T @ inputs
    first, second = labels @ inputs
    fit = np.array([d * first - b * second, a * second - b * first], dtype=object) / (a * d - b * b)
    return all_of(
        equal(net(inputs), labels, "outputs against labels"),
        less(0, squared_norm(labels - inputs @ fit), "squared residual of the best linear map"),
    )
