r"""Appendix F.2, end: weights of the form (40) keep it, and reduce the flow to two differential equations.

Cases and notation of `deep`: $v=u/\sqrt2$ and $\rho_l=\sqrt2r_l$. With $\sigma'(0)=0$ the units of the zero blocks rest
at zero. In these variables the reduced equations are $\tau\tfrac{d}{dt}(vr)=\tfrac12v^{L-1}(\beta-v^L\Sigma r)$ and
$\tau\dot v=r^\top\tfrac d{dt}(vr)$.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from refute import Kind, Margin, all_of, claim, equal, identity, moved, without
from refute.arithmetic.numbers import Array
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.deep import Rays, equal_parts, trained_weights
from refute.claims.zhang2024.lemmas import no_data_on_hyperplane
from refute.models import Dataset, DeepNetwork
from refute.models.zhang2024.fixed_slope import DeepField, FixedSlopeFlow, fixed_slope_flow, joined
from refute.strategies.zhang2024.low_rank import low_rank

Floats = NDArray[np.float64]

_FORM = low_rank((3, 4))
_SETTING = [*CONDITION_3, equal_parts]
_DROPS = [without(even_inputs), without(odd_target), without(equal_parts)]
_ODD = (
    "the target need only be odd; sigma'(0) = 0; up to three times the time in which the weights first change by "
    "their own size"
)


def _times(weights: list[Array], data: Dataset) -> Floats:
    """Up to three times the time in which the largest weight would move by its own size."""
    state = joined(weights)
    speed = float(np.abs(DeepField([matrix.shape for matrix in weights], data).descent(state)[0]).max())
    return np.linspace(0.0, 3.0, 5) * (float(np.abs(state).max()) / speed if speed > 1e-9 else 1.0)


def _flow(v: float, r: Array, rays: Rays, data: Dataset, tolerance: float, at_zero: float) -> FixedSlopeFlow:
    weights = trained_weights(v, r, rays)
    return fixed_slope_flow(weights, data, _times(weights, data), at_zero=at_zero, tolerance=tolerance)


def _scale_and_direction(run: FixedSlopeFlow, rays: Rays, k: int) -> tuple[float, Array]:
    """v and r at the k-th time, read off the last and the first layer."""
    v = float(np.linalg.norm(run.weights[-1][k])) / np.sqrt(2)
    return v, run.weights[0][k].T @ rays[0] / (2 * v)


def _keeps_the_form(run: FixedSlopeFlow, rays: Rays, error: float, growth: float) -> Margin:
    margins = []
    for k in range(len(run.time)):
        v, r = _scale_and_direction(run, rays, k)
        margins.append(equal(r @ r, growth if k else 1.0, "|r(t)|^2", error=error))
        for level, expected in enumerate(trained_weights(v, r, rays)):
            margins.append(equal(run.weights[level][k], expected, f"W_{level + 1}(t) against (40)", error=error))
    return all_of(*margins)


@claim(
    "zhang2024.f2.persistence",
    "F.2, last statement",
    kind=Kind.DYNAMICS,
    given=_FORM,
    assumes=_SETTING,
    recorded="supported",
    mutants=[*_DROPS, moved("sigma'(0) = 1", at_zero=1.0), moved("|r(t)| grows by a hundredth", growth=1.01)],
    convention=_ODD,
)
def low_rank_weights_stay_low_rank(
    v: float, r: Array, rays: Rays, data: Dataset, tolerance: float, *, at_zero: float = 0.0, growth: float = 1.0
) -> Margin:
    r"""Weights of the form (40) at t = 0 have it for all $t\ge0$, with a unit vector r(t) and with $r_1,\dots,r_{L-1}$
    fixed.

    It rests on $\sigma'(0)=0$: a small positive entry in a zero block grows as soon as u decreases, as it does from
    above its limit.
    """
    run = _flow(v, r, rays, data, tolerance, at_zero)
    return _keeps_the_form(run, rays, 20 * run.error * max(1.0, 1 / v), growth)


@claim(
    "zhang2024.summary.proposition_12_low_rank_is_kept",
    "digest, open question 1, Proposition 12",
    kind=Kind.DYNAMICS,
    given=_FORM,
    assumes=_SETTING,
    recorded="supported",
    mutants=[*_DROPS, moved("twice the map", factor=2.0), moved("sigma'(0) = 1", at_zero=1.0)],
    convention=_ODD,
)
def low_rank_weights_keep_a_linear_map(
    v: float, r: Array, rays: Rays, data: Dataset, tolerance: float, *, factor: float = 1.0, at_zero: float = 0.0
) -> Margin:
    r"""Weights of the form (40) keep it along the flow and implement the linear map $f(x;W(t))=(u/\sqrt2)^Lr(t)^\top x$
    all the time.
    """
    run = _flow(v, r, rays, data, tolerance, at_zero)
    fresh = np.vstack([data.inputs, np.eye(len(r)), 0.5 - data.inputs])
    reach = 1 + max(float(np.abs(layer).max()) for layer in run.weights)
    error = (
        40
        * len(run.weights)
        * (2 * reach) ** (len(run.weights) - 1)
        * run.error
        * float(np.abs(fresh).sum(axis=1).max())
    )
    outputs, linear = [], []
    for k in range(len(run.time)):
        now, direction = _scale_and_direction(run, rays, k)
        net = DeepNetwork((np.eye(1),), 0).with_weights(tuple(layer[k] for layer in run.weights))
        outputs.append(net(fresh))
        linear.append(factor * now ** len(run.weights) * (fresh @ direction))
    return all_of(
        _keeps_the_form(run, rays, 20 * run.error * max(1.0, 1 / v), 1.0),
        equal(np.array(outputs), np.array(linear), "f(x; W(t)) against (u/sqrt(2))^L r.x", error=error),
    )


def _reduced(v: float, r: Array, data: Dataset, depth: int, times: Floats, factor: float, tolerance: float) -> Floats:
    """v(t) r(t) at the times, from the reduced equation."""

    def velocity(_: float, q: Floats) -> Floats:
        size = np.sqrt(q @ q)
        change: Floats = factor * size ** (depth - 1) * (data.correlation - size ** (depth - 1) * (data.covariance @ q))
        return change

    if times[-1] == 0:
        return np.array([v * r] * len(times))
    found = solve_ivp(
        velocity, (0.0, times[-1]), v * r, method="DOP853", t_eval=times, rtol=max(tolerance, 1e-13), atol=1e-14
    )
    return np.asarray(found.y.T)


def _follows_the_reduced_equations(
    v: float, r: Array, rays: Rays, data: Dataset, tolerance: float, factor: float, layer: float
) -> Margin:
    """v(t) r(t) of the full flow against the reduced one; the norm of every layer against |v r|."""
    run = _flow(v, r, rays, data, tolerance, 0.0)
    expected = _reduced(v, r, data, len(rays) + 1, run.time, factor, tolerance)
    error = 20 * run.error * max(1.0, 1 / v) + 100 * tolerance * float(np.abs(expected).max())
    found = np.array([weights.T @ rays[0] / 2 for weights in run.weights[0]])
    sizes = np.array([np.sqrt((weights**2).sum(axis=(1, 2))) for weights in run.weights])
    return all_of(
        equal(found, expected, "u(t) r(t)/sqrt(2) against the reduced flow", error=error),
        equal(
            sizes,
            layer * np.sqrt(2) * np.linalg.norm(expected, axis=1)[None, :],
            "norm of each layer against u(t)",
            error=error,
        ),
    )


@claim(
    "zhang2024.f2.reduced_odes",
    "F.2, two displays before the end",
    kind=Kind.DYNAMICS,
    given=_FORM.drawn_by(no_data_on_hyperplane.violated_by(_FORM)),
    assumes=_SETTING,
    recorded="against",
    convention=f"{_ODD}; cases have a datum on the hyperplane",
)
def reduced_equations_of_the_low_rank_flow(v: float, r: Array, rays: Rays, data: Dataset, tolerance: float) -> Margin:
    r"""On (40), $\tau\dot u=\frac{u^{L-1}}{(\sqrt2)^L}(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)r$ and
    $\tau\tfrac{d}{dt}(ur^\top)=\frac{u^{L-1}}{(\sqrt2)^L}(\beta^\top-(\tfrac u{\sqrt2})^Lr^\top\Sigma)$, and
    $r_1,\dots,r_{L-1}$ are fixed.

    Fails when a datum lies on $r^\top x=0$: inputs $\pm e_1,\pm e_2$, target $x_1+x_2$, $r=e_1$. With $\sigma'(0)=0$
    the data $\pm e_2$ move nothing and r stays $e_1$ for all times; by the reduced equations r turns, since
    $\beta=\tfrac12(1,1)$.
    """
    return _follows_the_reduced_equations(v, r, rays, data, tolerance, 0.5, 1.0)


@claim(
    "zhang2024.f2.reduced_odes.amended",
    "F.2, two displays before the end",
    kind=Kind.DYNAMICS,
    given=_FORM,
    assumes=[*_SETTING, no_data_on_hyperplane],
    recorded="supported",
    mutants=[
        *_DROPS,
        without(no_data_on_hyperplane),
        moved("coefficient 1/(sqrt(2))^(L-1)", factor=0.5 * np.sqrt(2)),
        moved("layers a hundredth larger than u", layer=1.01),
    ],
    convention=_ODD,
)
def reduced_equations_off_the_boundary(
    v: float, r: Array, rays: Rays, data: Dataset, tolerance: float, *, factor: float = 0.5, layer: float = 1.0
) -> Margin:
    r"""Amended: the same when no datum lies on $r(0)^\top x=0$. Data that the boundary sweeps over later do no harm."""
    return _follows_the_reduced_equations(v, r, rays, data, tolerance, factor, layer)


def _symbolic_residuals(depth: int, power: int, factor: Any) -> dict[str, Any]:
    """Minus the gradient at (40) over a pair x, -x with labels y, -y, against what the reduced equations make of
    d(40)/dt.

    Coordinates with r = e_1; x = (z, q) with z > 0. Each ray has two positive entries and one negative. The entries of
    a layer are the coefficients of one polynomial in k.
    """
    import sympy

    v, z, k = sympy.symbols("v z k", positive=True)
    q, y = sympy.symbols("q y", real=True)
    rays = [
        sympy.Matrix([*(sympy.Rational(n, d) for n in (a, b)), -1])
        for a, b, d in ((3, 4, 5), (5, 12, 13), (8, 15, 17))[: depth - 1]
    ]
    plus, minus = sympy.diag(1, 1, 0), sympy.diag(0, 0, 1)
    r, x = sympy.Matrix([1, 0]), sympy.Matrix([z, q])
    blocks = [plus * above * below.T * plus + minus * above * below.T * minus for below, above in pairwise(rays)]
    weights = [v * rays[0] * r.T, *(v * block for block in blocks), v * rays[-1].T]
    descent = [sympy.zeros(*matrix.shape) for matrix in weights]
    for side, gate in (
        (1, plus),
        (-1, minus),
    ):  # with sigma'(0) = 0 a unit is active where its entry of r_l has the sign of r.x
        signals = [side * x]
        for matrix in weights[:-1]:
            signals.append((gate * matrix * signals[-1]).applyfunc(sympy.expand))
        back = sympy.Matrix([[side * y - sympy.expand((weights[-1] * signals[-1])[0])]])
        for level in range(depth - 1, -1, -1):
            descent[level] += back.T * signals[level].T / 2
            back = (back * weights[level] * (gate if level else sympy.eye(2))).applyfunc(sympy.expand)
    drive = sympy.Rational(factor) * v ** (depth - power) * (y * x - v**depth * (x * x.T) * r)
    expected = [rays[0] * drive.T, *(drive[0] * block for block in blocks), drive[0] * rays[-1].T]
    layers = enumerate(zip(descent, expected, strict=True), start=1)
    return {f"layer {n}": sympy.expand(sum(entry * k**i for i, entry in enumerate(a - b))) for n, (a, b) in layers}


_SYMBOLIC_MUTANTS = [
    moved("u^(L-2)", power=2),
    moved("twice the coefficient", factor=1),
    moved("a third", factor=Fraction(1, 3)),
]
_SYMBOLIC = (
    "one pair of data (the average is linear in them) in the plane of r and x, r.x > 0, three neurons in "
    "each hidden layer, given r_l"
)


@identity(
    "zhang2024.f2.reduced_odes.depth_3",
    "F.2, two displays before the end, L = 3",
    recorded="proved",
    mutants=_SYMBOLIC_MUTANTS,
    convention=_SYMBOLIC,
)
def the_gradient_at_depth_3_is_the_reduced_flow(*, power: int = 1, factor: Any = Fraction(1, 2)) -> Any:
    r"""L = 3: minus the gradient at (40) is the time derivative of (40) under the reduced equations, in every entry of
    every layer.
    """
    return _symbolic_residuals(3, power, factor)


@identity(
    "zhang2024.f2.reduced_odes.depth_4",
    "F.2, two displays before the end, L = 4",
    recorded="proved",
    mutants=_SYMBOLIC_MUTANTS,
    convention=_SYMBOLIC,
)
def the_gradient_at_depth_4_is_the_reduced_flow(*, power: int = 1, factor: Any = Fraction(1, 2)) -> Any:
    r"""L = 4: the same with two intermediate layers."""
    return _symbolic_residuals(4, power, factor)
