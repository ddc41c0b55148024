r"""Section 4.2 and appendix F: algebra of the rank-one and rank-two weights (39), (40) of deep networks.

$W_1=u\,r_1r^\top$, $W_l=u\,\mathrm{diag}(\sqrt2r_l^+r_{l-1}^{+\top},\sqrt2r_l^-r_{l-1}^{-\top})$,
$W_L=u\,r_{L-1}^\top$. Cases hold $v=u/\sqrt2$ and $\rho_l=\sqrt2r_l$, in which all weights and all formulas are
rational: $(u/\sqrt2)^L=v^L$ and $u^{L-1}(\sqrt2)^{-L}r_1=\tfrac12v^{L-1}\rho_1$. The activation is ReLU and
$\sigma'(0)=0$, as appendix F.2 fixes it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from refute import (
    Assumption,
    Claim,
    Kind,
    Margin,
    Mutant,
    all_of,
    at_least,
    claim,
    differs,
    equal,
    less,
    moved,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.flow_formulas import chain, deep_factors, linear_flow, same_matrix
from refute.claims.zhang2024.lemmas import no_data_on_hyperplane, nonempty_half_space
from refute.claims.zhang2024.theorem_5_proof import rank
from refute.functions import leaky_relu, leaky_relu_slope, sign, squared_norm
from refute.models import Dataset
from refute.strategies.zhang2024.low_rank import even_parts, give_both_signs, low_rank, take_one_sign, uneven_parts

Rays = tuple[Array, ...]


def _part(ray: Array, side: int) -> Array:
    """[r^+; 0] for side 1 and [0; r^-] for side -1."""
    part: Array = ray * (np.asarray(sign(ray)) == side).astype(int)
    return part


def same_sign(above: Array, below: Array) -> Array:
    """1 in the two diagonal blocks, 0 elsewhere."""
    mask: Array = (np.asarray(sign(above))[:, None] == np.asarray(sign(below))[None, :]).astype(int)
    return mask


def trained_weights(v: Number, r: Array, rays: Rays) -> list[Array]:
    """The weights (40)."""
    middle = [v * above[:, None] * below[None, :] * same_sign(above, below) for below, above in pairwise(rays)]
    return [v * rays[0][:, None] * r[None, :], *middle, v * rays[-1][None, :]]


def _half(v: Number) -> Number:
    return (v * 0 + 1) / 2


def _relu(z: Array) -> Array:
    rectified: Array = leaky_relu(z, 0)
    return rectified


def _output(weights: Sequence[Array], inputs: Array, activated: int) -> Array:
    """The output at each input, with ReLU after the first `activated` layers only."""
    signal = inputs @ weights[0].T
    for level, matrix in enumerate(weights[1:], start=1):
        signal = (_relu(signal) if level <= activated else signal) @ matrix.T
    return np.asarray(signal[:, 0])


def _descent(weights: Sequence[Array], data: Dataset, at_zero: int) -> list[Array]:
    """Minus the gradient of the square loss, layer by layer, with sigma'(0) = at_zero."""
    error = data.labels - _output(weights, data.inputs, len(weights) - 1)
    slope = error[0] * 0
    return [
        (above * error[:, None]).T @ below / len(error)
        for above, below in deep_factors(weights, slope, data, slope + at_zero)
    ]


def _lengths(rays: Rays) -> Margin:
    plus, minus = ([squared_norm(_part(ray, side)) for ray in rays] for side in (1, -1))
    return equal(np.array(plus), np.array(minus), "|r_l^+|^2 against |r_l^-|^2")


def _signs(rays: Rays) -> Margin:
    counts = [int((np.asarray(sign(ray)) == side).sum()) for ray in rays for side in (1, -1)]
    return less(0, np.array(counts), "entries of each sign in each r_l")


_FORM = low_rank()
equal_parts = Assumption(
    "low_rank.equal_parts",
    "positive and negative entries of each r_l have equal norm",
    _lengths,
    base=_FORM,
    satisfy=even_parts,
    violate=uneven_parts,
)
both_signs = Assumption(
    "low_rank.both_signs",
    "each r_l has positive and negative entries",
    _signs,
    base=_FORM,
    satisfy=give_both_signs,
    violate=take_one_sign,
)


@claim(
    "zhang2024.eq_40.layer_norm",
    "Eq. (40) with the meaning of u",
    given=_FORM,
    assumes=[equal_parts],
    recorded="supported",
    mutants=[without(equal_parts), moved("norm u/sqrt(2)", factor=1)],
    cost=2.0,
)
def every_layer_has_norm_u(v: Number, r: Array, rays: Rays, *, factor: int = 2) -> Margin:
    r"""Every layer of (40) has Frobenius norm $u$, if $\|r_l^+\|=\|r_l^-\|$."""
    return equal(
        np.array([squared_norm(matrix) for matrix in trained_weights(v, r, rays)]),
        factor * v * v,
        "|W_l|^2 against u^2",
    )


@claim(
    "zhang2024.eq_40.nonnegative_rank_two",
    "text after Eq. (40)",
    given=low_rank((3, 5)),
    assumes=[both_signs],
    recorded="supported",
    mutants=[without(both_signs), moved("rank one", expected=1), moved("without the zero blocks", blocks=0)],
    convention="both blocks of (40b) are there: each r_l has positive and negative entries",
    cost=2.0,
)
def intermediate_layers_are_nonnegative_of_rank_two(
    v: Number, r: Array, rays: Rays, *, expected: int = 2, blocks: int = 1
) -> Margin:
    r"""The intermediate layers of (40) are entrywise non-negative and have rank two."""
    middle = trained_weights(v, r, rays)[1:-1] if blocks else [a[:, None] * b[None, :] for b, a in pairwise(rays)]
    ranks = [equal(rank(matrix), expected, "rank") for matrix in middle]
    return all_of(*ranks, *[at_least(matrix, 0, "entries") for matrix in middle])


@claim(
    "zhang2024.eq_40.sign_correspondence",
    "text after Eq. (40)",
    given=low_rank((3, 5)),
    recorded="supported",
    mutants=[
        moved("zeros where the linear weights are positive", zero=1),
        moved("positive where they are negative", positive=-1),
    ],
    convention="(39) and (40) with the same r_l, no entry of which is zero",
    cost=2.0,
)
def zeros_stand_where_linear_weights_are_negative(
    v: Number, r: Array, rays: Rays, *, zero: int = -1, positive: int = 1
) -> Margin:
    r"""Entries positive in (40) are positive in (39), $W_l=u\,r_lr_{l-1}^\top$; entries zero in (40) are negative in
    (39).
    """
    margins = []
    for matrix, below, above in zip(trained_weights(v, r, rays)[1:-1], rays, rays[1:], strict=False):
        expected = np.where(np.asarray(sign(matrix)) > 0, positive, zero)
        margins.append(
            less(0, expected * above[:, None] * below[None, :], "entry of the linear network, with the expected sign")
        )
    return all_of(*margins)


@claim(
    "zhang2024.eq_41.activation_drop",
    "Eq. (41), first equality; F.2",
    given=_FORM,
    recorded="supported",
    mutants=[moved("the first activation dropped too", activated=0), moved("half of the output", share=Fraction(1, 2))],
    cost=2.0,
)
def inner_activations_can_be_dropped(
    v: Number, r: Array, rays: Rays, data: Dataset, *, activated: int = 1, share: Number = Fraction(1)
) -> Margin:
    r"""$W_L\sigma(\cdots\sigma(W_2\sigma(W_1x)))=W_L\cdots W_2\sigma(W_1x)$ for weights (40): all later signals are
    non-negative.
    """
    weights = trained_weights(v, r, rays)
    full, dropped = _output(weights, data.inputs, len(rays)), _output(weights, data.inputs, activated)
    return equal(full, share * dropped, "output with and without the inner activations")


@claim(
    "zhang2024.eq_41.half_factor",
    "Eq. (41), second equality",
    given=_FORM,
    assumes=[equal_parts],
    recorded="supported",
    mutants=[without(equal_parts), moved("factor 1", factor=Fraction(1)), moved("factor 1/4", factor=Fraction(1, 4))],
    convention="what is needed is only that the products over l of |r_l^+|^2 and of |r_l^-|^2 agree",
    cost=2.0,
)
def output_is_half_the_linear_output(
    v: Number, r: Array, rays: Rays, data: Dataset, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""$f(x;W)=\tfrac12W_L\cdots W_2W_1x$ for weights (40) with $\|r_l^+\|=\|r_l^-\|$."""
    weights = trained_weights(v, r, rays)
    return equal(
        _output(weights, data.inputs, len(rays)),
        factor * _output(weights, data.inputs, 0),
        "f against half the linear output",
    )


@claim(
    "zhang2024.f2.half_space_values",
    "F.2, two displays",
    given=_FORM,
    assumes=[equal_parts],
    recorded="supported",
    mutants=[without(equal_parts), moved("all of r_{L-1}", whole=1), moved("exponent L - 1", power=1)],
    cost=2.0,
)
def output_on_each_half_space(
    v: Number, r: Array, rays: Rays, data: Dataset, *, whole: int = 0, power: int = 0
) -> Margin:
    r"""$f(x)=\frac{u^{L-1}}{(\sqrt2)^{L-2}}W_L[r_{L-1}^+;0]\,r^\top x=(\tfrac u{\sqrt2})^Lr^\top x$ on $\mathbb S^+$,
    and the same with $[0;r_{L-1}^-]$ on $\mathbb S^-$.
    """
    weights, z = trained_weights(v, r, rays), data.inputs @ r
    depth = len(weights)
    parts = np.array(
        [weights[-1][0] @ (rays[-1] if whole else _part(rays[-1], 1 if sign(value) >= 0 else -1)) for value in z]
    )
    middle = v ** (depth - 1) * parts * z
    return all_of(
        equal(_output(weights, data.inputs, len(rays)), middle, "f against the middle member"),
        equal(middle, v ** (depth - power) * z, "the middle member against (u/sqrt(2))^L r.x"),
    )


@claim(
    "zhang2024.f2.linear_net_value",
    'F.2, display "a deep linear network with such weights"',
    given=_FORM,
    assumes=[equal_parts],
    recorded="supported",
    mutants=[without(equal_parts), moved("the value of the ReLU network", factor=1)],
    cost=2.0,
)
def linear_output_of_the_trained_weights(v: Number, r: Array, rays: Rays, data: Dataset, *, factor: int = 2) -> Margin:
    r"""$W_L\cdots W_1x=\frac{u^{L-1}}{(\sqrt2)^{L-2}}W_Lr_{L-1}r^\top x=\frac{u^L}{(\sqrt2)^{L-2}}r^\top x$."""
    weights, z = trained_weights(v, r, rays), data.inputs @ r
    depth = len(weights)
    middle = v ** (depth - 1) * (weights[-1][0] @ rays[-1]) * z
    return all_of(
        equal(_output(weights, data.inputs, 0), middle, "W_L ... W_1 x against the middle member"),
        equal(middle, factor * v**depth * z, "the middle member against u^L/(sqrt(2))^{L-2} r.x"),
    )


_ONE = Fraction(1)
_SMALLEST: dict[str, Any] = {
    "v": _ONE,
    "r": np.array([_ONE], dtype=object),
    "rays": (np.array([_ONE, -_ONE], dtype=object), np.array([_ONE, -_ONE], dtype=object)),
    "data": Dataset(np.array([[1], [-1]]), np.array([2, -2])),
}


@claim(
    "zhang2024.f2.footnote_derivative",
    "footnote 1",
    kind=Kind.EXISTENCE,
    instances=[_SMALLEST],
    recorded="proved",
    mutants=[moved("sigma'(0) = 1, as for the identity", at_zero=1), moved("the gradient of W_1", level=0)],
    convention="witness: three layers, r_l = (1, -1)/sqrt(2), u = sqrt(2), inputs 1, -1 with labels 2, -2; phi'(0) = 1",
)
def dropping_an_activation_changes_the_gradient(
    v: Number, r: Array, rays: Rays, data: Dataset, *, at_zero: int = 0, level: int = 1
) -> Margin:
    r"""At weights (40) dropping inner activations keeps the output, $\sigma(0)=\phi(0)$, but not the gradient,
    $\sigma'(0)\ne\phi'(0)$.
    """
    weights = trained_weights(v, r, rays)
    with_them, without_them = _descent(weights, data, at_zero), _descent(weights, data, 1)
    return all_of(
        equal(_output(weights, data.inputs, len(rays)), _output(weights, data.inputs, 1), "the outputs"),
        differs(with_them[level], without_them[level], f"the gradients of W_{level + 1}"),
    )


def _eq_42(weights: Sequence[Array], data: Dataset, factor: Number) -> Array:
    """The middle factor beta^T/2 - W_L ... W_1 Sigma/4 of Eq. (42), as factor beta^T - factor^2 W_L ... W_1 Sigma."""
    whole = chain(weights)
    return np.asarray(factor * data.correlation[None, :] - factor * factor * whole @ data.covariance)


def _compare_with_42(
    v: Number, r: Array, rays: Rays, data: Dataset, levels: Sequence[int], masked: int, factor: Number, at_zero: int
) -> Margin:
    """Minus the gradient against Eq. (42), limits of the products as in (12); `masked` keeps the diagonal blocks of
    inner layers.
    """
    weights = trained_weights(v, r, rays)
    descent, middle = _descent(weights, data, at_zero), _eq_42(weights, data, factor)
    margins = []
    for level in levels:
        formula = linear_flow(weights, level, middle)
        inner = masked and 0 < level < len(weights) - 1
        formula = formula * same_sign(rays[level], rays[level - 1]) if inner else formula
        margins.append(same_matrix(descent[level], formula, f"-dL/dW_{level + 1} against Eq. (42)"))
    return all_of(*margins)


_SETTING = [*CONDITION_3, equal_parts]
_CLEAR = [*_SETTING, no_data_on_hyperplane]
_DROPS = [without(even_inputs), without(odd_target), without(equal_parts)]
_ODD = "the target need only be odd; sigma'(0) = 0"
_DEEP = low_rank((3, 4))


@claim(
    "zhang2024.eq_42.first_and_last_layer",
    "Eq. (42) at l = L",
    given=_FORM,
    assumes=_CLEAR,
    recorded="refuted",
    convention="R0: limits as printed",
)
def last_layer_with_the_printed_limits(v: Number, r: Array, rays: Rays, data: Dataset) -> Margin:
    r"""$\tau\dot
    W_l=(\prod_{l'=l+1}^LW_{l'})^\top(\tfrac12\beta^\top-\tfrac14\prod_{l'=1}^LW_{l'}\Sigma)(\prod_{l'=l-1}^LW_{l'})^\top$.

    Fails by its shapes, so surely a slip: at l = L the last factor is $(W_LW_{L-1})^\top$, and at l = 1 it would need
    $W_0$. The limits 1 and l - 1 of (12) are meant.
    """
    weights = trained_weights(v, r, rays)
    middle, last = _eq_42(weights, data, _half(v)), (weights[-1] @ weights[-2]).T
    if middle.shape[1] != last.shape[0]:
        return Margin(Fraction(-1), line=f"Eq. (42) at l = L: factors of shapes {middle.shape} and {last.shape}")
    return same_matrix(_descent(weights, data, 0)[-1], middle @ last, "-dL/dW_L against Eq. (42)")


@claim(
    "zhang2024.eq_42.first_and_last_layer.r1",
    "Eq. (42) at l = 1 and l = L",
    given=_FORM,
    assumes=_SETTING,
    recorded="refuted",
    convention=f"R1: the last product over l' = 1, ..., l-1 as in (12); {_ODD}",
)
def outer_layers_follow_a_linear_flow_everywhere(v: Number, r: Array, rays: Rays, data: Dataset) -> Margin:
    r"""R1: (42) with the last product over $l'=1..l-1$, for the first and the last layer.

    Fails at l = 1 when a datum lies on $r^\top x=0$: with $\sigma'(0)=0$ it moves no neuron, but it counts in $\beta$
    and $\Sigma$. With L = 2, neurons $\pm(1,0)$, outer weights $\pm1$ and the data $\pm((0,1),1)$, $\dot W_1$ is 0 and
    the formula $\tfrac12W_2^\top(0,1)$.
    """
    return _compare_with_42(v, r, rays, data, (0, len(rays)), 0, _half(v), 0)


@claim(
    "zhang2024.eq_42.first_and_last_layer.amended",
    "Eq. (42) at l = 1 and l = L",
    given=_FORM,
    assumes=_CLEAR,
    recorded="supported",
    mutants=[*_DROPS, without(no_data_on_hyperplane), moved("coefficients 1 and 1", factor=Fraction(1))],
    convention=_ODD,
    cost=2.0,
)
def outer_layers_follow_a_linear_flow(
    v: Number, r: Array, rays: Rays, data: Dataset, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""Amended: (42) with the last product over $l'=1..l-1$, for the first and last layer, when no datum lies on
    $r^\top x=0$.
    """
    return _compare_with_42(v, r, rays, data, (0, len(rays)), 0, factor, 0)


def _inner(rays: Rays) -> range:
    return range(1, len(rays))


@claim(
    "zhang2024.eq_42.intermediate_layers",
    "Eq. (42) at 1 < l < L",
    given=_DEEP,
    assumes=_CLEAR,
    recorded="refuted",
    convention=f"limits of the products as in (12); {_ODD}",
)
def intermediate_layers_follow_a_linear_flow(v: Number, r: Array, rays: Rays, data: Dataset) -> Margin:
    r"""(42) for $1<l<L$.

    Fails in the off-diagonal blocks: the formula is a full rank-one matrix $\propto r_lr_{l-1}^\top$, while no sample
    activates a positive and a negative entry together, so the gradient is zero there. With L = 3, $W_1=(1,-1)^\top$,
    $W_2=I$, $W_3=(1,-1)$, inputs $\pm1$ and labels 0, $\dot W_2$ is $-\tfrac12I$ and the formula
    $-\tfrac12(1,-1)^\top(1,-1)$.
    """
    return _compare_with_42(v, r, rays, data, _inner(rays), 0, _half(v), 0)


@claim(
    "zhang2024.eq_42.intermediate_layers.amended",
    "Eq. (42) at 1 < l < L",
    given=_DEEP,
    assumes=_SETTING,
    recorded="supported",
    mutants=[*_DROPS, moved("off-diagonal blocks too", masked=0), moved("sigma'(0) = 1", at_zero=1)],
    convention=_ODD,
    cost=2.0,
)
def diagonal_blocks_follow_a_linear_flow(
    v: Number,
    r: Array,
    rays: Rays,
    data: Dataset,
    *,
    masked: int = 1,
    factor: Number = Fraction(1, 2),
    at_zero: int = 0,
) -> Margin:
    r"""Amended: for $1<l<L$ the gradient is the formula (42) in the two diagonal blocks and zero in the others, which
    is (44).
    """
    return _compare_with_42(v, r, rays, data, _inner(rays), masked, factor, at_zero)


@claim(
    "zhang2024.eq_42.same_as_linear_up_to_constants",
    "sentence after Eq. (42)",
    given=_DEEP,
    assumes=_CLEAR,
    recorded="refuted",
    convention=f"the constants are 1/2 and 1/4; in the off-diagonal blocks no constants would do; {_ODD}",
)
def deep_dynamics_are_linear_up_to_constants(v: Number, r: Array, rays: Rays, data: Dataset) -> Margin:
    r"""The deep ReLU dynamics at (40) are the deep linear dynamics (12) except for the coefficients 1/2 and 1/4, in all
    layers.

    Fails for intermediate layers: the linear dynamics fill the off-diagonal blocks, the ReLU dynamics keep them zero
    (the case of eq_42.intermediate_layers).
    """
    return _compare_with_42(v, r, rays, data, range(len(rays) + 1), 0, _half(v), 0)


@claim(
    "zhang2024.eq_42.same_as_linear_up_to_constants.amended",
    "sentence after Eq. (42)",
    given=_DEEP,
    assumes=_CLEAR,
    recorded="supported",
    mutants=[
        *_DROPS,
        moved("off-diagonal blocks too", masked=0),
        moved("coefficients 1/3 and 1/9", factor=Fraction(1, 3)),
    ],
    convention=_ODD,
    cost=2.0,
)
def deep_dynamics_are_linear_in_the_diagonal_blocks(
    v: Number, r: Array, rays: Rays, data: Dataset, *, masked: int = 1, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""Amended: so they are in the first and last layer and in the diagonal blocks of the others; the other blocks stay
    zero.
    """
    return _compare_with_42(v, r, rays, data, range(len(rays) + 1), masked, factor, 0)


def _row(v: Number, r: Array, rays: Rays, data: Dataset) -> Array:
    """beta^T - (u/sqrt(2))^L r^T Sigma."""
    row: Array = data.correlation - v ** (len(rays) + 1) * (r @ data.covariance)
    return row


def _average(rows: Array, inside: Array) -> Array:
    """The average of the rows inside, zero if there are none."""
    average: Array = rows[inside].sum(axis=0) / int(inside.sum()) if inside.any() else rows[0] * 0
    return average


def _half_space_rows(v: Number, r: Array, rays: Rays, data: Dataset) -> tuple[Array, Array]:
    """<(y - (u/sqrt(2))^L r.x) x^T> over S+ = {r.x >= 0} and over S-."""
    z = data.inputs @ r
    rows = (data.labels - v ** (len(rays) + 1) * z)[:, None] * data.inputs
    inside = np.asarray(sign(z)) >= 0
    return _average(rows, inside), _average(rows, ~inside)


def _first_layer(v: Number, r: Array, rays: Rays, data: Dataset, factor: Number) -> Margin:
    """The four lines of Eq. (43)."""
    weights, scale = trained_weights(v, r, rays), v ** len(rays)
    error = data.labels - _output(weights, data.inputs, len(rays))
    slopes = leaky_relu_slope(data.inputs @ weights[0].T, v * 0, v * 0)
    back = chain(weights[1:])[0]  # type: ignore[index]
    lines = [
        _descent(weights, data, 0)[0],
        (slopes * back[None, :] * error[:, None]).T @ data.inputs / len(error),
        scale
        * (slopes * rays[0][None, :] * (data.labels - v ** len(weights) * (data.inputs @ r))[:, None]).T
        @ data.inputs
        / len(error),
        factor
        * scale
        * sum(
            _part(rays[0], k)[:, None] * row[None, :]
            for k, row in zip((1, -1), _half_space_rows(v, r, rays, data), strict=True)
        ),
        factor * scale * rays[0][:, None] * _row(v, r, rays, data)[None, :],
    ]
    return all_of(
        *[equal(lines[0], line, f"-dL/dW_1 against line {k} of Eq. (43)") for k, line in enumerate(lines[1:], start=1)]
    )


def _last_layer(v: Number, r: Array, rays: Rays, data: Dataset, factor: Number) -> Margin:
    """The lines of Eq. (45)."""
    scale = factor * v ** len(rays)
    plus, minus = _half_space_rows(v, r, rays, data)
    lines = [
        scale * ((plus @ r) * _part(rays[-1], 1) + (minus @ r) * _part(rays[-1], -1)),
        scale * (_row(v, r, rays, data) @ r) * rays[-1],
    ]
    flow = _descent(trained_weights(v, r, rays), data, 0)[-1][0]
    return all_of(
        *[equal(flow, line, f"-dL/dW_L against line {k} of Eq. (45)") for k, line in enumerate(lines, start=2)]
    )


Lines = Callable[[Number, Array, Rays, Dataset, Number], Margin]


def _layer_claims(
    id: str,
    reference: str,
    name: str,
    lines: Lines,
    statement: str,
    remark: str,
    given: Any = _FORM,
    drops: Sequence[Mutant] = _DROPS,
) -> list[Claim]:
    """The display as printed, and amended: without data on the hyperplane."""

    def printed(v: Number, r: Array, rays: Rays, data: Dataset) -> Margin:
        return lines(v, r, rays, data, _half(v))

    def amended(v: Number, r: Array, rays: Rays, data: Dataset, *, factor: Number = Fraction(1, 2)) -> Margin:
        return lines(v, r, rays, data, factor)

    printed.__name__, amended.__name__ = name, f"{name}_off_the_boundary"
    printed.__doc__ = (
        f"{statement}.\n\nFails in the half-space averages when a datum lies on $r^\\top x=0$: S+ "
        f"holds it and S- does not. {remark}"
    )
    amended.__doc__ = f"Amended: {statement}, when no datum lies on $r^\\top x=0$."
    moves = [*drops, without(no_data_on_hyperplane), moved("twice the factor", factor=Fraction(1))]
    setting = [*_SETTING, nonempty_half_space]
    return [
        claim(id, reference, given=given, assumes=setting, recorded="refuted", convention=_ODD)(printed),
        claim(
            f"{id}.amended",
            reference,
            given=given,
            assumes=_CLEAR,
            recorded="supported",
            mutants=moves,
            convention=_ODD,
            cost=2.0,
        )(amended),
    ]


EQ_43 = _layer_claims(
    "zhang2024.eq_43.first_layer",
    "Eq. (43)",
    "first_layer_of_the_low_rank_network",
    _first_layer,
    r"$\tau\dot W_1=\langle\sigma'(W_1x)\odot W_2^\top\cdots W_L^\top(y-f)x^\top\rangle=\dots="
    r"\frac{u^{L-1}}{(\sqrt2)^L}r_1(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)$, all four lines",
    r"The last line fails as well: with $\sigma'(0)=0$ such a datum moves no neuron, but it counts in $\beta$ and "
    r"$\Sigma$. With L = 2, "
    r"$r=-1$, $W_2=(1,-1)$ and the data (0, 0), (1, 1), (-1, -1) the second entry is -2/3, and -1 by the half spaces.",
)
EQ_45 = _layer_claims(
    "zhang2024.eq_45.last_layer",
    "Eq. (45)",
    "last_layer_of_the_low_rank_network",
    _last_layer,
    r"$\tau\dot W_L=\langle(y-f)\sigma(h_{L-1})^\top\rangle=\dots="
    r"\frac{u^{L-1}}{(\sqrt2)^L}(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r\,r_{L-1}^\top$",
    "The last line holds all the same, since such a datum drops out of both sides. In the case of Eq. (43): 2/3, and "
    "1 by the half spaces.",
)


def _eq_44(v: Number, r: Array, rays: Rays, data: Dataset, level: int, factor: Number) -> Array:
    """The last line of Eq. (44) for the layer with index `level`."""
    block = rays[level][:, None] * rays[level - 1][None, :] * same_sign(rays[level], rays[level - 1])
    return np.asarray(factor * v ** len(rays) * (_row(v, r, rays, data) @ r) * block)


@claim(
    "zhang2024.eq_44.intermediate_layers",
    "Eq. (44)",
    given=_DEEP,
    assumes=_SETTING,
    recorded="supported",
    mutants=[*_DROPS, moved("sigma'(0) = 1", at_zero=1), moved("twice the factor", factor=Fraction(1))],
    convention=f"the first expression omits inner sigma' factors, which changes nothing at (40); {_ODD}",
    cost=2.0,
)
def intermediate_layers_of_the_low_rank_network(
    v: Number, r: Array, rays: Rays, data: Dataset, *, at_zero: int = 0, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""$\tau\dot W_l=\langle\sigma'(h_l)\odot W_{l+1}^\top\cdots W_L^\top(y-f)\sigma(h_{l-1})^\top\rangle
    =\frac{u^{L-1}}{(\sqrt2)^L}\mathrm{diag}(\sqrt2r_l^+r_{l-1}^{+\top},\sqrt2r_l^-r_{l-1}^{-\top})
    (\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r$.
    """
    weights = trained_weights(v, r, rays)
    descent, error = _descent(weights, data, at_zero), data.labels - _output(weights, data.inputs, len(rays))
    margins, below = [], _relu(data.inputs @ weights[0].T)
    for level in _inner(rays):
        pre, back = below @ weights[level].T, chain(weights[level + 1 :])[0]  # type: ignore[index]
        first = (leaky_relu_slope(pre, v * 0, v * 0 + at_zero) * back[None, :] * error[:, None]).T @ below / len(error)
        margins.append(equal(descent[level], first, f"-dL/dW_{level + 1} against the first line of Eq. (44)"))
        margins.append(
            equal(descent[level], _eq_44(v, r, rays, data, level, factor), f"-dL/dW_{level + 1} against the last line")
        )
        below = _relu(pre)
    return all_of(*margins)


def _middle_layers(v: Number, r: Array, rays: Rays, data: Dataset, factor: Number) -> Margin:
    """The second expression of Eq. (44), with the averages over the half spaces."""
    descent, rows = _descent(trained_weights(v, r, rays), data, 0), _half_space_rows(v, r, rays, data)
    margins = []
    for level in _inner(rays):
        parts = [
            (row @ r) * _part(rays[level], k)[:, None] * _part(rays[level - 1], k)[None, :]
            for k, row in zip((1, -1), rows, strict=True)
        ]
        margins.append(
            equal(
                descent[level],
                factor * v ** len(rays) * sum(parts),
                f"-dL/dW_{level + 1} against the half spaces of Eq. (44)",
            )
        )
    return all_of(*margins)


EQ_44 = _layer_claims(
    "zhang2024.eq_44.intermediate_layers.r1",
    "Eq. (44), second expression",
    "intermediate_layers_by_half_spaces",
    _middle_layers,
    r"R1: $\tau\dot W_l=(\tfrac u{\sqrt2})^{L-1}[r_l^+;0]\langle(y-(\tfrac u{\sqrt2})^Lr^\top "
    r"x)x^\top\rangle_{\mathbb S^+}r"
    r"\,[r_{l-1}^{+\top}\ 0]$ plus the same with the negative parts on $\mathbb S^-$",
    r"The last expression of (44) holds all the same, since such a datum drops out of both sides. With L = 3, "
    r"$W_1=(-1,1)^\top$, $W_2=I$, "
    "$W_3=(1,-1)$ and the data (0, 0), (1, 1), (-1, -1) the second diagonal entry is -2/3, and -1 by the half spaces.",
    _DEEP,
    [without(even_inputs), without(equal_parts)],  # this line holds for any labels
)


def _rewritten(v: Number, r: Array, rays: Rays, data: Dataset, levels: Sequence[int], factor: Number) -> Margin:
    """Right-hand sides of (43), (44), (45) against (42)."""
    weights, row, scale = trained_weights(v, r, rays), _row(v, r, rays, data), v ** len(rays)
    sides = {
        0: factor * scale * rays[0][:, None] * row[None, :],
        **{level: _eq_44(v, r, rays, data, level, factor) for level in _inner(rays)},
        len(rays): factor * scale * (row @ r) * rays[-1][None, :],
    }
    middle = _eq_42(weights, data, _half(v))
    return all_of(
        *[
            same_matrix(sides[k], linear_flow(weights, k, middle), f"Eq. (43)-(45) against Eq. (42) for W_{k + 1}")
            for k in levels
        ]
    )


@claim(
    "zhang2024.f2.rewrite_as_42",
    "sentence after Eq. (45)",
    given=_DEEP,
    assumes=[equal_parts],
    recorded="refuted",
    convention="limits as in (12)",
)
def layer_equations_can_be_rewritten(v: Number, r: Array, rays: Rays, data: Dataset) -> Margin:
    r"""Substituting (40) turns (43), (44) and (45) into (42).

    Fails for (44), which is block-diagonal while (42) gives a full rank-one matrix (the case of
    eq_42.intermediate_layers).
    """
    return _rewritten(v, r, rays, data, range(len(rays) + 1), _half(v))


@claim(
    "zhang2024.f2.rewrite_as_42.amended",
    "sentence after Eq. (45)",
    given=_DEEP,
    assumes=[equal_parts],
    recorded="supported",
    mutants=[without(equal_parts), moved("twice the factor", factor=Fraction(1))],
    convention="limits as in (12); any beta and Sigma",
    cost=2.0,
)
def outer_layer_equations_can_be_rewritten(
    v: Number, r: Array, rays: Rays, data: Dataset, *, factor: Number = Fraction(1, 2)
) -> Margin:
    r"""Amended: (43) and (45), for the first and the last layer, are (42)."""
    return _rewritten(v, r, rays, data, (0, len(rays)), factor)


_HALF = Fraction(1, 2)
_FOUR = np.array([_HALF, _HALF, -_HALF, -_HALF], dtype=object)


@claim(
    "zhang2024.sec_4_2.no_extension",
    "section 4.2, first sentence",
    kind=Kind.EXISTENCE,
    instances=[
        {
            "r1": _FOUR,
            "r2": _FOUR,
            "r": np.array([_ONE], dtype=object),
            "data": Dataset(np.array([[1], [-1]]), np.array([2, -2])),
        }
    ],
    recorded="proved",
    mutants=[moved("a linear network", slope=1), moved("only the positive half", kept=2)],
    convention="L = 3; weights (39) with unit r_l of equal halves and u = 1; sigma' is not evaluated at 0 here",
)
def the_equivalence_does_not_extend_to_three_layers(
    r1: Array, r2: Array, r: Array, data: Dataset, *, slope: int = 0, kept: int = 4
) -> Margin:
    r"""Theorem 5 does not carry over: from aligned rank-one weights (39) on data of Condition 3 the ReLU velocity
    $\dot W_2$ is not a multiple of the linear one.

    At weights $aW$ the linear velocity of $W_2$ is a multiple of $r_2r_1^\top$ for every factor a, so no rescaling of
    weights and time helps; the ReLU velocity is zero where $r_2$ and $r_1$ have opposite signs. Compared by the 2 x 2
    minors of both as vectors.
    """
    weights = [r1[:, None] * r[None, :], r2[:, None] * r1[None, :], r2[None, :]]
    zero = r1[0] * 0
    above, below = deep_factors(weights, zero + slope, data, zero)[1]
    error = data.labels - leaky_relu(below @ weights[1].T, zero + slope) @ r2
    velocity = ((above * error[:, None]).T @ below)[:kept, :kept].reshape(-1)
    linear = weights[1][:kept, :kept].reshape(-1)
    return differs(
        velocity[:, None] * linear[None, :],
        linear[:, None] * velocity[None, :],
        "velocity of W_2 against a multiple of r_2 r_1^T",
    )


@claim(
    "zhang2024.f1.alignment",
    "F.1, last paragraph",
    given=_DEEP,
    assumes=[nonempty_half_space],
    recorded="supported",
    mutants=[moved("the other half of r_1", side=-1), moved("input of the linear network", rectified=0)],
    convention="parallel: every row is a multiple; the linear network has W_2 = u r_2 r_1^T",
    cost=2.0,
)
def rows_align_with_the_layer_input(
    v: Number, r: Array, rays: Rays, data: Dataset, *, side: int = 1, rectified: int = 1
) -> Margin:
    r"""Rows of $W_2$ are parallel to $r_1$ (linear network), to $[r_1^{+\top}\ 0]$ or $[0\ r_1^{-\top}]$ (ReLU
    network), and the layer input $\sigma(W_1x)$ is $u[r_1^+;0]r^\top x$ for $r^\top x>0$ and $u[0;r_1^-]r^\top x$ for
    $r^\top x<0$.
    """
    first, second = trained_weights(v, r, rays)[:2]
    z, signal = data.inputs @ r, data.inputs @ first.T
    halves = np.array([_part(rays[0], side if sign(value) >= 0 else -side) for value in z])
    rows = np.array([v * above * _part(rays[0], sign(above)) for above in rays[1]])
    return all_of(
        equal(signal, v * z[:, None] * rays[0][None, :], "W_1 x against u r_1 r.x"),
        equal(_relu(signal) if rectified else signal, v * z[:, None] * halves, "sigma(W_1 x) against the half of r_1"),
        equal(second, rows, "rows of W_2 against multiples of a half of r_1"),
    )
