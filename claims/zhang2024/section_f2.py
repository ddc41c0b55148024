r"""Appendix F.2: the output of deep networks at the weights (40), and the flow that keeps their form.

The reduced equations are those of $vr$ and v, with $v=u/\sqrt2$: $\tau\tfrac{d}{dt}(vr)=\tfrac12v^{L-1}(\beta-
v^L\Sigma r)$ and $\tau\dot v=r^\top\tfrac d{dt}(vr)$.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from refute import Fault, Kind, Margin, all_of, derived, differs, equal, instead, mutants, scaled, section, without
from refute.claims.zhang2024.assumptions import equal_parts, no_data_on_hyperplane
from refute.claims.zhang2024.deep_setting import DEEP, DROPS, FORM, ODD, RESTING_DATUM, SYMMETRIC, low
from refute.claims.zhang2024.setting import same_matrix
from refute.functions import sign
from refute.models import Dataset
from refute.models.zhang2024.low_rank import LowRank, part
from refute.models.zhang2024.low_rank_flow import LowRankFlow, low_rank_flow, reduced_flow

appendix = section("zhang2024", "f2", "F.2", given=FORM, derived=[low], recorded="supported", cost=2.0)
NEAR = [without(equal_parts), scaled("99/100")]


@appendix.claim("half_space_values", "two displays", assumes=[equal_parts])
@mutants(*NEAR)
def output_on_each_half_space(low: LowRank) -> Margin:
    r"""$f(x)=\frac{u^{L-1}}{(\sqrt2)^{L-2}}W_L[r_{L-1}^+;0]\,r^\top x=(\tfrac u{\sqrt2})^Lr^\top x$ on $\mathbb S^+$,
    and the same with $[0;r_{L-1}^-]$ on $\mathbb S^-$.
    """
    ray, z = low.rays[-1], low.projections
    halves = np.array([low.weights[-1][0] @ part(ray, 1 if sign(value) >= 0 else -1) for value in z])
    middle = low.v ** (low.depth - 1) * halves * z
    return all_of(
        equal(low.output(), middle, "f against the middle member"),
        equal(middle, low.v**low.depth * z, "the middle member against (u/sqrt(2))^L r.x"),
    )


@appendix.claim("linear_net_value", 'display "a deep linear network with such weights"', assumes=[equal_parts])
@mutants(*NEAR)
def linear_output_of_the_trained_weights(low: LowRank) -> Margin:
    r"""$W_L\cdots W_1x=\frac{u^{L-1}}{(\sqrt2)^{L-2}}W_Lr_{L-1}r^\top x=\frac{u^L}{(\sqrt2)^{L-2}}r^\top x$."""
    middle = low.v ** (low.depth - 1) * (low.weights[-1][0] @ low.rays[-1]) * low.projections
    return all_of(
        equal(low.output(0), middle, "W_L ... W_1 x against the middle member"),
        equal(middle, 2 * low.v**low.depth * low.projections, "the middle member against u^L/(sqrt(2))^{L-2} r.x"),
    )


def _dropped(low: LowRank, level: int, at_zero: int) -> Margin:
    """Outputs and gradients of one layer with the inner activations, and without them (the slope is then 1 at 0)."""
    with_them, without_them = low.with_slope_at_zero(at_zero), low.with_slope_at_zero(1)
    return all_of(
        equal(low.output(), low.output(1), "the outputs"),
        differs(with_them.flow[level], without_them.flow[level], f"the gradients of W_{level + 1}"),
    )


THREE_LAYERS = {
    "v": Fraction(1),
    "r": np.array([Fraction(1)], dtype=object),
    "rays": (np.array([Fraction(1), Fraction(-1)], dtype=object),) * 2,
    "data": Dataset(np.array([[1], [-1]]), np.array([2, -2])),
}


@appendix.claim(
    "footnote_derivative", "footnote 1", kind=Kind.EXISTENCE, given=None, instances=[THREE_LAYERS], recorded="proved"
)
@mutants(
    instead("sigma'(0) = 1, as for the identity", lambda low: _dropped(low, 1, 1)),
    instead("the gradient of W_1", lambda low: _dropped(low, 0, 0)),
)
def dropping_an_activation_changes_the_gradient(low: LowRank) -> Margin:
    r"""At weights (40) dropping inner activations keeps the output, $\sigma(0)=\phi(0)$, but not the gradient,
    $\sigma'(0)\ne\phi'(0)$.

    Convention: witness: three layers, r_l = (1, -1)/sqrt(2), u = sqrt(2), inputs 1, -1 with labels 2, -2; phi'(0) =
    1.
    """
    return _dropped(low, 1, 0)


def _rewritten(low: LowRank, levels: tuple[int, ...] | range) -> Margin:
    """Right-hand sides of (43), (44), (45) against (42)."""
    along = low.scale * (low.row @ low.r)
    sides = {0: low.scale * np.outer(low.rays[0], low.row), low.depth - 1: along * low.rays[-1][None, :]}
    sides |= {level: along * low.block(level) for level in low.between}
    return all_of(*(same_matrix(sides[k], low.linear_flow(k), f"W_{k + 1}, against Eq. (42)") for k in levels))


rewritten = appendix.but(
    "F.2, sentence after Eq. (45)",
    given=DEEP,
    assumes=[equal_parts],
    convention="limits as in (12); any beta and Sigma",
)


@rewritten.claim("rewrite_as_42", recorded="refuted", fault=Fault.WRONG, root="zhang2024.eq_42.intermediate_layers")
def layer_equations_can_be_rewritten(low: LowRank) -> Margin:
    r"""Substituting (40) turns (43), (44) and (45) into (42).

    Fails for (44), which is block-diagonal while (42) gives a full rank-one matrix (the case of
    eq_42.intermediate_layers).
    """
    return _rewritten(low, range(low.depth))


@rewritten.claim("rewrite_as_42.amended")
@mutants(*NEAR)
def outer_layer_equations_can_be_rewritten(low: LowRank) -> Margin:
    r"""Amended: (43) and (45), for the first and the last layer, are (42)."""
    return _rewritten(low, (0, low.depth - 1))


TIMES = f"{ODD}; up to three times the time in which the weights first change by their own size"


@derived
def run(low: LowRank, tolerance: float) -> LowRankFlow:
    return low_rank_flow(low, tolerance)


def keeps_the_form(run: LowRankFlow) -> Margin:
    """|r(t)| = 1, and the weights are those of (40)."""
    margins = []
    for k, weights in enumerate(run.weights):
        vr, v = run.vr(k), run.v(k)
        margins.append(equal((vr * vr).sum() / (v * v), 1.0, "|r(t)|^2"))
        lines = enumerate(zip(weights, run.form(k), strict=True), start=1)
        margins += [equal(found, expected, f"W_{level}(t) against (40)") for level, (found, expected) in lines]
    return all_of(*margins)


def at_slope_one(low: LowRank, tolerance: float) -> Margin:
    """The same with sigma'(0) = 1."""
    return keeps_the_form(low_rank_flow(low, tolerance, at_zero=1.0))


flow = appendix.but(
    kind=Kind.DYNAMICS, assumes=SYMMETRIC, derived=[low, run], mutants=DROPS, convention=TIMES, cost=1.0
)


@flow.claim("persistence", "last statement")
@mutants(instead("with sigma'(0) = 1", at_slope_one), scaled("1001/1000", "|r(t)|^2"), scaled("1001/1000", "W_1"))
def low_rank_weights_stay_low_rank(run: LowRankFlow) -> Margin:
    r"""Weights of the form (40) at t = 0 have it for all $t\ge0$, with a unit vector r(t) and with $r_1,\dots,r_{L-1}$
    fixed.

    It rests on $\sigma'(0)=0$: a small positive entry in a zero block grows as soon as u decreases, as it does from
    above its limit.
    """
    return keeps_the_form(run)


odes = appendix.but("F.2, two displays before the end", assumes=SYMMETRIC, convention=ODD)


@odes.claim("reduced_odes", recorded="refuted", fault=Fault.MISSING_HYPOTHESIS, root=RESTING_DATUM)
def reduced_equations_of_the_low_rank_flow(low: LowRank) -> Margin:
    r"""On (40), $\tau\dot u=\frac{u^{L-1}}{(\sqrt2)^L}(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r$ and
    $\tau\tfrac{d}{dt}(ur^\top)=\frac{u^{L-1}}{(\sqrt2)^L}(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)$, and
    $r_1,\dots,r_{L-1}$ are fixed: every layer moves as these say.

    Fails when a datum lies on $r^\top x=0$: inputs $\pm e_1,\pm e_2$, target $x_1+x_2$, $r=e_1$. With $\sigma'(0)=0$
    the data $\pm e_2$ move nothing and r stays $e_1$ for all times; by the reduced equations r turns, since
    $\beta=\tfrac12(1,1)$.
    """
    drive = low.scale * low.row
    speed = drive @ low.r
    first, last = np.outer(low.rays[0], drive), speed * low.rays[-1][None, :]
    moves = [first, *(speed * low.block(level) for level in low.between), last]
    return all_of(*(equal(low.flow[k], move, f"velocity of W_{k + 1}") for k, move in enumerate(moves)))


reduced_equations_of_the_low_rank_flow.amended(
    r"Amended: when no datum lies on $r(0)^\top x=0$; here for one moment, along the flow in R1.",
    assumes=[*SYMMETRIC, no_data_on_hyperplane],
    recorded="supported",
    mutants=[
        *DROPS,
        without(no_data_on_hyperplane),
        scaled("99/100", "velocity of W_1"),
        scaled("99/100", "velocity of W_2"),
    ],
)


@flow.claim("reduced_odes.r1", "two displays before the end", assumes=[*SYMMETRIC, no_data_on_hyperplane])
@mutants(without(no_data_on_hyperplane), scaled("99/100", "u(t) r(t)"), scaled("101/100", "norm"))
def the_low_rank_flow_follows_the_reduced_equations(low: LowRank, run: LowRankFlow, tolerance: float) -> Margin:
    r"""R1: for all times, when no datum lies on $r(0)^\top x=0$. Data that the boundary sweeps over later do no
    harm.
    """
    expected = reduced_flow(low, run.time, tolerance)
    margins = []
    for k, weights in enumerate(run.weights):
        size = (expected[k] * expected[k]).sum() * 2.0
        margins.append(equal(run.vr(k), expected[k], "u(t) r(t)/sqrt(2) against the reduced flow"))
        margins += [equal((matrix * matrix).sum(), size, "norm of a layer, squared, against u^2") for matrix in weights]
    return all_of(*margins)


def _gradient_and_reduced_flow(depth: int) -> dict[str, Any]:
    """Minus the gradient at (40) over a pair x, -x with labels y, -y, against d(40)/dt by the reduced equations.

    Coordinates with r = e_1; x = (z, q) with z > 0. Each ray has two positive entries, a point of the unit circle, and
    the negative one -1: only $\\|\\rho_l^\\pm\\|=1$ enters.
    """
    import sympy

    v, z = sympy.symbols("v z", positive=True)
    q, y = sympy.symbols("q y", real=True)
    rays = []
    for a in sympy.symbols(f"a1:{depth}", positive=True):
        rays.append(sympy.Matrix([(1 - a**2) / (1 + a**2), 2 * a / (1 + a**2), -1]))
    gates = {
        1: sympy.diag(1, 1, 0),
        -1: sympy.diag(0, 0, 1),
    }  # with sigma'(0) = 0, the sign of the entry of r_l is r.x's
    r, x = sympy.Matrix([1, 0]), sympy.Matrix([z, q])
    blocks = [sum((g * b * a.T * g for g in gates.values()), sympy.zeros(3)) for a, b in pairwise(rays)]
    weights = [v * rays[0] * r.T, *(v * block for block in blocks), v * rays[-1].T]
    descent = [sympy.zeros(*matrix.shape) for matrix in weights]
    for side, gate in gates.items():
        signals = [side * x]
        for matrix in weights[:-1]:
            signals.append((gate * matrix * signals[-1]).applyfunc(sympy.cancel))
        back = sympy.Matrix([[side * y - sympy.cancel((weights[-1] * signals[-1])[0])]])
        for level in range(depth - 1, -1, -1):
            descent[level] += back.T * signals[level].T / 2
            back = (back * weights[level] * (gate if level else sympy.eye(2))).applyfunc(sympy.cancel)
    drive = v ** (depth - 1) * (y * x - v**depth * (x * x.T) * r) / 2
    moves = [rays[0] * drive.T, *(drive[0] * block for block in blocks), drive[0] * rays[-1].T]
    return {f"layer {n}": (a, b) for n, (a, b) in enumerate(zip(descent, moves, strict=True), start=1)}


symbolic = odes.but(
    given=None,
    kind=Kind.SYMBOLIC,
    recorded="proved",
    printed=False,
    mutants=[scaled("99/100", "layer 1"), scaled("99/100", "layer 2")],
    convention="one pair of data (the average is linear in them) in the plane of r and x, r.x > 0; three neurons in "
    "each hidden layer, of which only the norms of the two parts of r_l enter",
)


@symbolic.claim("reduced_odes.depth_3", "L = 3")
def the_gradient_at_depth_3_is_the_reduced_flow() -> Any:
    r"""L = 3: minus the gradient at (40) is the time derivative of (40) under the reduced equations, in every entry of
    every layer.
    """
    return _gradient_and_reduced_flow(3)


@symbolic.claim("reduced_odes.depth_4", "L = 4")
def the_gradient_at_depth_4_is_the_reduced_flow() -> Any:
    r"""L = 4: the same with two intermediate layers."""
    return _gradient_and_reduced_flow(4)
