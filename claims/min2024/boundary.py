r"""Section 3.3, Eqs. (7) and (8), Appendices E.2, E.5 and F: what the flow does where a neuron meets the hyperplane of
a datum.

All of it follows from $\langle y_ix_i,x_a(w)\rangle>0$, for any scale, since $-\nabla_{\hat y}\ell$ has the sign of the
label.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import SEPARATED_NEURON, dead, not_dead, separated
from refute.claims.min2024.small_outputs import APPENDIX, PRINTED, any_scale
from refute.decide.proof import by_smt
from refute.functions import absolute, exp, largest, norm, sign, smallest, sqrt
from refute.models import Dataset
from refute.models.logpolar.balanced import Balanced
from refute.models.min2024.balanced_state import BalancedState, balanced_state
from refute.models.min2024.cones import attraction, separation
from refute.models.min2024.conic import signed_data
from refute.strategies import choice
from refute.strategies.min2024 import outputs as repair
from refute.strategies.min2024.conic import enough, gates
from refute.strategies.min2024.separated import neurons, placed, separated_dataset, vector

_PARTS: dict[str, Any] = {
    "data": separated_dataset,
    "w": vector,
    "start": neurons,
    "dimension": (2, 3),
    "samples": (2, 4),
    "width": (1, 2),
}
_NEAR = repair.moderate(placed(scale=any_scale("1", "1/1024"), loss=choice(*PRINTED), **_PARTS))
_TINY = placed(scale=any_scale("1"), loss=choice(*APPENDIX), **_PARTS)

on_hyperplane = Assumption(
    "neuron.on_hyperplane",
    "w is orthogonal to some datum",
    lambda data, w: equal(smallest(absolute(data.inputs @ w)), 0, "least |<x_i, w>|"),
    base=_NEAR,
    satisfy=repair.touch_hyperplane,
    violate=repair.leave_hyperplanes,
)


def _state(data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, sign_of_w: int) -> BalancedState:
    """The network of the neuron w with the given sign and of the neurons of `start`, all times
    `scale`; sigma'(0) = 0.
    """
    rows, signs = np.vstack([w, start.shape]), np.concatenate([[0 * scale + sign_of_w], start.signs])
    return balanced_state(scale * rows, signs, 0 * scale, data, PRINTED[loss])


def _touched(data: Dataset, w: Array) -> list[int]:
    """The data to which w is orthogonal."""
    return [i for i, value in enumerate(sign(data.inputs @ w)) if value == 0]


def _positive_sum() -> str | None:
    r"""$\langle y_ix_i,\sum_kg_ky_kx_k\rangle$ over the active data is a sum of terms
    $g\langle y_ix_i,y_kx_k\rangle>0$, and there is one.
    """
    import z3

    g, product, total = z3.Reals("g product total")
    return by_smt(lambda: z3.Implies(z3.And(g > 0, product > 0, total >= 0), total + g * product > 0))


@claim(
    "min2024.sec_3_3.x_a_positive_correlation",
    "Section 3.3, after Eq. (8)",
    given=SEPARATED_NEURON,
    assumes=[separated, not_dead],
    proof=_positive_sum,
    recorded="proved",
    mutants=[
        moved("larger than |x_a|^2", excess=True),
        moved("the sum of the active inputs, without labels", labels=False),
        without(separated),
        without(not_dead),
    ],
)
def every_signed_datum_is_correlated_with_x_a(
    data: Dataset, w: Array, *, excess: bool = False, labels: bool = True
) -> Margin:
    r"""$\langle y_ix_i,x_a(w)\rangle>0$ for all $i$, if $w$ is active on some datum."""
    pull = attraction(w, data) if labels else (sign(data.inputs @ w) > 0).astype(int) @ data.inputs
    return less(pull @ pull if excess else 0, signed_data(data) @ pull, "0 against <y_i x_i, x_a(w)>")


def _drift(data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, own: int, wanted: int) -> Margin:
    turning = _state(data, w, start, scale, loss, own).turning(0)
    drifts = [wanted * data.labels[i] * (data.inputs[i] @ turning) / norm(data.inputs[i]) for i in _touched(data, w)]
    return less(0, np.array(drifts, dtype=object), "0 against the drift of <w/|w|, x_i y_i/|x_i|> at the hyperplane")


_DRIFT = (
    "any scale of the other neurons, not only a small one, and all three losses: g_i has the sign of y_i "
    "whatever the outputs"
)


@claim(
    "min2024.eq_7.boundary_drift_positive",
    "Eq. (7)",
    given=_NEAR,
    assumes=[separated, on_hyperplane, not_dead],
    recorded="supported",
    mutants=[
        moved("a negative neuron", own=-1),
        moved("negative drift", wanted=-1),
        without(separated),
        without(not_dead),
    ],
    convention=_DRIFT,
    cost=2.0,
)
def positive_neurons_drift_towards_the_signed_datum(
    data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, *, own: int = 1, wanted: int = 1
) -> Margin:
    r"""If $v_j>0$, $w_j\notin S_{dead}$ and $\langle w_j,x_i\rangle=0$, then
    $\frac d{dt}\langle\frac{w_j}{\|w_j\|},\frac{x_iy_i}{\|x_i\|}\rangle>0$."""
    return _drift(data, w, start, scale, loss, own, wanted)


@claim(
    "min2024.eq_8.boundary_drift_negative",
    "Eq. (8)",
    given=_NEAR,
    assumes=[separated, on_hyperplane, not_dead],
    recorded="supported",
    mutants=[
        moved("a positive neuron", own=1),
        moved("positive drift", wanted=1),
        without(separated),
        without(not_dead),
    ],
    convention=_DRIFT,
    cost=2.0,
)
def negative_neurons_drift_away_from_the_signed_datum(
    data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, *, own: int = -1, wanted: int = -1
) -> Margin:
    r"""If $v_j<0$, $w_j\notin S_{dead}$ and $\langle w_j,x_i\rangle=0$, then
    $\frac d{dt}\langle\frac{w_j}{\|w_j\|},\frac{x_iy_i}{\|x_i\|}\rangle<0$."""
    return _drift(data, w, start, scale, loss, own, wanted)


def _sizes(data: Dataset) -> tuple[Number, Number]:
    sizes = np.array([norm(x) for x in data.inputs])
    return smallest(sizes), largest(sizes)


def _small(data: Dataset, w: Array, start: Balanced, scale: Number, loss: str) -> Margin:
    shortest, longest = _sizes(data)
    mu = separation(data)
    state = _state(data, w, start, scale, loss, 1)
    return at_most(
        4 * len(data.labels) * longest * state.largest_output,
        mu * sqrt(mu) * shortest,
        "4 n X_max max |f| against mu^1.5 X_min",
    )


small_as_29 = Assumption(
    "output.below_29",
    "max |f| is at most mu^(3/2) X_min / (4 n X_max), as (29) says",
    _small,
    base=_TINY,
    satisfy=repair.outputs_at_most_29,
    violate=repair.outputs_above_29,
)


def _chain(
    data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, normalised: bool, last: Number
) -> Margin:
    """The four links of the display, for every datum that w touches."""
    state = _state(data, w, start, scale, loss, 1)
    (shortest, longest), mu, pull = _sizes(data), separation(data), attraction(w, data)
    slip = 2 * len(data.labels) * longest * state.largest_output
    parts = []
    for i in _touched(data, w):
        r = data.labels[i] * data.inputs[i] / (norm(data.inputs[i]) if normalised else 1)
        drift, floor = r @ state.turning(0), mu * sqrt(mu) * shortest
        parts += [
            at_least(drift, r @ pull - slip, "d psi/dt against psi_ra |x_a| - 2 n X_max max |f|"),
            at_least(r @ pull, mu * norm(pull), "psi_ra |x_a| against mu |x_a|"),
            at_least(mu * norm(pull), floor, "mu |x_a| against mu^1.5 X_min"),
            at_least(drift, last * floor, "d psi/dt against mu^1.5 X_min / 2"),
        ]
    return all_of(*parts, less(0, mu, "0 against mu"))


@claim(
    "min2024.eq_7.quantitative.r1",
    "C.2, activation pattern evolution, x_r = x_i y_i",
    given=_TINY,
    assumes=[separated, on_hyperplane, not_dead, small_as_29],
    recorded="refuted",
)
def the_drift_is_bounded_below_without_normalisation(
    data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, *, last: Number = Fraction(1, 2)
) -> Margin:
    r"""With $\psi_{rj}=\langle x_iy_i,\frac{w_j}{\|w_j\|}\rangle$:
    $\frac d{dt}\psi_{rj}\ge\psi_{ra}\|x_a\|-2nX_{\max}\max|f|$, $\psi_{ra}\ge\mu$, $\mu\|x_a\|\ge\mu^{3/2}X_{\min}$,
    hence $\frac d{dt}\psi_{rj}\ge\mu^{3/2}X_{\min}/2$ at $\langle w_j,x_i\rangle=0$.

    Fails for short data: $\psi_{ra}=\|x_i\|\cos(x_iy_i,x_a)$, so $\psi_{ra}\ge\mu$ needs $\|x_i\|\ge1$. The data
    $(-\frac12,\frac12)$, $(1,0)$ with labels -1, 1 and w = (1, 1) have $\psi_{ra}=\frac12$ and $\mu=\frac1{\sqrt2}$.
    With unit $x_r$, as in (7), it holds (R2).
    """
    return _chain(data, w, start, scale, loss, False, last)


@claim(
    "min2024.eq_7.quantitative.r2",
    "C.2, activation pattern evolution, x_r = x_i y_i/|x_i|",
    given=_TINY,
    assumes=[separated, on_hyperplane, not_dead, small_as_29],
    recorded="supported",
    mutants=[moved("5/4 mu^1.5 X_min in place of its half", last=Fraction(5, 4)), without(small_as_29)],
    convention="(29) with mu in place of min{mu, zeta, xi}, which asks for less; the losses of the appendix; without "
    "separation (29) "
    "cannot hold, and that w is not dead is not shown necessary here",
    cost=2.0,
)
def the_drift_is_bounded_below(
    data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, *, last: Number = Fraction(1, 2)
) -> Margin:
    r"""The same with the unit vector $x_r=x_iy_i/\|x_i\|$, as in (7):
    $\frac d{dt}\psi_{rj}\ge\mu^{3/2}X_{\min}/2>0$ at $\langle w_j,x_i\rangle=0$."""
    return _chain(data, w, start, scale, loss, True, last)


def _gradient_sign(
    data: Dataset, w: Array, start: Balanced, scale: Number, loss: str, own: int, direction: int
) -> Array:
    """y_i sign(v_j) <x_i, direction * (-grad_{w_j} L)> for all i."""
    state = _state(data, w, start, scale, loss, own)
    products: Array = direction * own * data.labels * (data.inputs @ state.pulls[0]) * state.outer[0]
    return products


@claim(
    "min2024.eq_46.crossing_sign.r1",
    "Eq. (46), with the gradient of the loss",
    given=_NEAR,
    assumes=[separated, not_dead],
    recorded="refuted",
    cost=2.0,
)
def the_gradient_crosses_in_the_direction_of_the_label(
    data: Dataset, w: Array, start: Balanced, scale: Number, loss: str
) -> Margin:
    r"""$y_i\,\mathrm{sign}(v_j)\langle x_i,\nabla_{w_j}\mathcal L\rangle>0$ wherever $w_j\notin S_{dead}$.

    Fails everywhere: $\nabla_{w_j}\mathcal L=-v_j\sum_kg_kx_k$ over the active data, with $g_k$ of the sign of $y_k$,
    so the product is negative. It is the flow, minus the gradient, that crosses in this direction.
    """
    return less(0, _gradient_sign(data, w, start, scale, loss, 1, -1), "0 against y_i sign(v_j) <x_i, grad L>")


@claim(
    "min2024.eq_46.crossing_sign.r2",
    "Eq. (46) and E.5, with the right-hand side of the flow",
    given=_NEAR,
    assumes=[separated, not_dead],
    recorded="supported",
    mutants=[
        moved("the gradient itself", direction=-1),
        moved("21/20 of the lower bound", factor=Fraction(21, 20)),
        without(separated),
        without(not_dead),
    ],
    convention="the printed formula for the derivative is that of -grad L, and is used here; S_dead empty is read as: "
    "w_j is not dead",
    cost=4.0,
)
def the_flow_crosses_in_the_direction_of_the_label(
    data: Dataset,
    w: Array,
    start: Balanced,
    scale: Number,
    loss: str,
    *,
    direction: int = 1,
    factor: Number = Fraction(1),
) -> Margin:
    r"""For the flow $\dot w_j=-\nabla_{w_j}\mathcal L$ and $w_j\notin S_{dead}$:
    $y_i\,\mathrm{sign}(v_j)\langle x_i,\dot w_j\rangle>0$ for all $i$, and for the exponential loss it is at least
    $\sum_k\mathbf 1_{\langle x_k,w_j\rangle>0}e^{-y_kf(x_k)}\mu\|x_k\|\|x_i\|\|w_j\|$."""
    parts = []
    for own in (1, -1):
        parts.append(
            less(
                0, _gradient_sign(data, w, start, scale, loss, own, direction), "0 against y_i sign(v_j) <x_i, dw_j/dt>"
            )
        )
        state = _state(data, w, start, scale, "exponential", own)
        active = (sign(data.inputs @ w) > 0).astype(int)
        sizes = np.array([norm(x) for x in data.inputs])
        total = (active * sizes * exp(-data.labels * state.outputs)).sum() * separation(data) * state.norms[0]
        products = _gradient_sign(data, w, start, scale, "exponential", own, direction)
        parts.append(at_least(products, factor * total * sizes, "y_i sign(v_j) <x_i, dw_j/dt> against its lower bound"))
    return all_of(*parts)


@claim(
    "min2024.sec_F.differential_inclusion",
    "Appendix F, Eq. (57)",
    given=placed(data=separated_dataset, w=vector, gates=gates, dimension=(2, 3), samples=(2, 4)).within(
        enough("gates")
    ),
    assumes=[separated, on_hyperplane, not_dead],
    recorded="supported",
    mutants=[moved("sigma'(0) between -1024 and 0", turned=-1024), without(separated), without(not_dead)],
    convention="of Theorem 1 only what its proof takes from (5): the drift at the hyperplanes keeps its sign for "
    "every sigma'(0)",
)
def every_selection_drifts_towards_the_signed_data(data: Dataset, w: Array, gates: Array, *, turned: int = 1) -> Margin:
    r"""For $w\notin S_{dead}$ and any $\sigma'(0)\in[0,1]$, chosen datum by datum,
    $x_a(w)=\sum_i\sigma'(\langle x_i,w\rangle)y_ix_i$ has $\langle y_ix_i,x_a(w)\rangle>0$ for all $i$, and
    $\|x_a(w)\|$ is at least that of $\sigma'(0)=0$.
    """
    signs = sign(data.inputs @ w)
    chosen = np.array(
        [
            1 if s > 0 else turned * 1024 * gates[i] if s == 0 and turned < 0 else gates[i] * (s == 0)
            for i, s in enumerate(signs)
        ]
    )
    pull, least = (data.labels * chosen) @ data.inputs, attraction(w, data)
    return all_of(
        less(0, signed_data(data) @ pull, "0 against <y_i x_i, x_a(w)>"),
        at_least(pull @ pull, least @ least, "|x_a|^2 against that with sigma'(0) = 0"),
    )


@claim(
    "min2024.sec_F.differential_inclusion.dead_boundary",
    "Appendix F, on the boundary of S_dead",
    given=placed(data=separated_dataset, w=vector, gates=gates, dimension=(2, 3), samples=(1, 3)).within(
        enough("gates")
    ),
    assumes=[separated, dead],
    recorded="refuted",
    convention="without the restriction to regular solutions",
)
def every_selection_leaves_dead_neurons_alone(data: Dataset, w: Array, gates: Array) -> Margin:
    r"""On the boundary of $S_{dead}$ the inclusion with $\sigma'(0)\in[0,1]$ has only the velocity 0, as for
    $\sigma'(0)=0$.

    Fails where $\langle x_i,w\rangle=0$: $\sigma'(0)>0$ gives $x_a=\sigma'(0)y_ix_i\ne0$. So Appendix F needs regular
    solutions as well.
    """
    signs = sign(data.inputs @ w)
    chosen = np.array([gates[i] * (s == 0) for i, s in enumerate(signs)])
    return equal((data.labels * chosen) @ data.inputs, 0, "x_a(w) on the boundary of S_dead")


@claim(
    "min2024.sec_F.differential_inclusion.dead_boundary.amended",
    "Appendix F, on the boundary of S_dead, for regular solutions",
    given=placed(data=separated_dataset, w=vector, gates=gates, dimension=(2, 3), samples=(1, 3)).within(
        enough("gates")
    ),
    assumes=[separated, dead],
    recorded="supported",
    mutants=[moved("sigma'(0) at least 1/2", least=1), without(dead)],
)
def some_selection_leaves_dead_neurons_alone(data: Dataset, w: Array, gates: Array, *, least: int = 0) -> Margin:
    r"""On all of $S_{dead}$ the velocity 0 belongs to the inclusion, with $\sigma'(0)=0$, so a regular solution may
    keep its dead neurons. Amended: 0 is one of the velocities, not the only one."""
    signs = sign(data.inputs @ w)
    chosen = np.array([1 if s > 0 else least * (gates[i] + 1) / 2 * int(s == 0) for i, s in enumerate(signs)])
    return equal((data.labels * chosen) @ data.inputs, 0, "x_a(w) with the smallest sigma'(0)")
