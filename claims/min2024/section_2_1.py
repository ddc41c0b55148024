"""Section 2.1: the flow (2), and what it keeps from a balanced start."""

import numpy as np

from refute import Enclosed, Fault, Kind, Margin, bent, changed, derived, equal, flipped, less, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import balanced
from refute.claims.min2024.training import LOSSES, network
from refute.decide.symbolic import by_identity
from refute.functions import absolute, sign
from refute.models import Dataset, TwoLayer
from refute.models.flow import REGULAR, gradient_flow
from refute.models.gradient import descent_direction
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, sized, two_layer
from refute.strategies.min2024.separated import labelled_dataset, neurons, outer_weights, placed

Velocity = tuple[Array, Array]


@derived
def descent(data: Dataset, start: Balanced, outer: Array, loss: str) -> Array:
    """Minus the gradient with respect to the inner weights."""
    return descent_direction(network(start, outer), data, LOSSES[loss], start.slope)[0]


flow = section(
    "min2024",
    "eq_2.flow_direction",
    given=placed(data=labelled_dataset, start=neurons, outer=outer_weights, loss=choice("exponential", "logistic")),
    derived=[descent],
)


def _equation_12(data: Dataset, start: Balanced, outer: Array, loss: str) -> Array:
    """- sum_i 1_{<x_i, w_j> > 0} dl_i x_i v_j, written out."""
    active = (sign(data.inputs @ start.shape.T) > 0).astype(int)
    pull = LOSSES[loss].residual(data.labels, network(start, outer)(data.inputs))
    toward: Array = (active * pull[:, None] * outer[None, :]).T @ data.inputs
    return toward


@flow.claim("", "Eqs. (2) and (12)", recorded="refuted", fault=Fault.SIGN)
def the_printed_flow_is_the_equation_of_a_neuron(
    data: Dataset, start: Balanced, outer: Array, loss: str, descent: Array
) -> Margin:
    r"""$\dot W\in\partial_W\mathcal L$ is the equation (12) of a neuron,
    $\dot w_j=-\sum_i\mathbf 1_{\langle x_i,w_j\rangle>0}\nabla_{\hat y}\ell(y_i,f(x_i))\,x_iv_j$.

    Fails: (2) is printed without the minus sign that (12) and the proofs have, as is $F$ in E.2; (46) and E.5 carry it
    inside what they call the gradient. The sign may have been lost in the scan.

    Convention: at every state, balanced or not; sigma'(0) = 0.
    """
    return equal(-descent, _equation_12(data, start, outer, loss), "(2) against (12)")


@flow.claim("amended", "Eqs. (2) and (12)", recorded="supported")
@mutants(scaled("101/100"), changed("v_j reversed", outer=lambda v: -v))
def steepest_descent_is_the_equation_of_a_neuron(
    data: Dataset, start: Balanced, outer: Array, loss: str, descent: Array
) -> Margin:
    r"""Amended: $\dot W\in-\partial_W\mathcal L$, $\dot v\in-\partial_v\mathcal L$; (12) is this flow, along which
    $\dot{\mathcal L}=-\|\nabla\mathcal L\|^2$.

    Convention: at every state, balanced or not; sigma'(0) = 0.
    """
    return equal(descent, _equation_12(data, start, outer, loss), "(2) against (12)")


@derived
def velocity(net: TwoLayer, data: Dataset, loss: str, kink: Number) -> Velocity:
    """dW/dt and dv/dt, with any value of sigma'(0)."""
    return descent_direction(net, data, LOSSES[loss], kink)


states = section(
    "min2024",
    given=sized(net=two_layer, data=labelled_dataset, loss=choice(*LOSSES), kink=choice("0", "1", "1/2")),
    derived=[velocity],
)


def _balance_proof() -> str | None:
    r"""Sample by sample: v dv = v g sigma(z) and <w, dw> = <w, g sigma'(z) v x> = v g sigma'(z) z, with z = <w, x> and
    sigma(z) = z sigma'(z).
    """
    import sympy

    v, g, slope, z = sympy.symbols("v g slope z", real=True)
    return by_identity(
        lambda: [v * (g * slope * z) - (g * slope * v) * z],
        "sigma(z) = z sigma'(z) for any value of sigma'(0), sample by sample",
    )


@states.claim("sec_2_1.balancedness_conserved", "Section 2.1", proof=_balance_proof, recorded="proved", cost=4.0)
@mutants(scaled("101/100"), scaled(-1))
def the_imbalance_of_every_neuron_is_conserved(net: TwoLayer, velocity: Velocity) -> Margin:
    r"""$v_j^2(t)-\|w_j(t)\|^2$ keeps its value, which (3) makes 0, for every neuron and all $t\ge0$.

    Convention: the derivative along the flow vanishes at every state, balanced or not, for every slope and every value
    of sigma'(0); so v_j^2 - |w_j|^2 is constant, and 0 from (3) on.
    """
    inner, outer = velocity
    return equal(net.outer * outer, (net.inner * inner).sum(axis=1), "v_j dv_j/dt against <w_j, dw_j/dt>")


def _ending(net: TwoLayer, row: int, weight: int) -> TwoLayer:
    """The network whose last neuron has these entries and this outer weight."""
    rows, weights = net.inner.copy(), net.outer.copy()
    rows[-1], weights[-1] = 0 * rows[-1] + row, 0 * weights[-1] + weight
    return net.with_weights(rows, weights)


@derived
def idle(net: TwoLayer) -> TwoLayer:
    """The network with w_j = 0 and v_j = 0 for the last neuron."""
    return _ending(net, 0, 0)


def _idle_proof() -> str | None:
    """dw = g gate v x and dv = g gate <x, w>, sample by sample, at w = 0 and v = 0."""
    import sympy

    g, gate, x, v, w = sympy.symbols("g gate x v w", real=True)
    speeds = (g * gate * v * x, g * gate * w * x)
    return by_identity(lambda: [speed.subs({v: 0, w: 0}) for speed in speeds], "both vanish, sample by sample")


@states.claim(
    "remark_2.zero_neuron_stays_zero", "Remark 2", derived=[idle], proof=_idle_proof, recorded="proved", cost=2.0
)
@mutants(
    changed("v_j = 1 beside w_j = 0", idle=lambda net: _ending(net, 0, 1)),
    changed("w_j = (1, ..., 1) beside v_j = 0", idle=lambda net: _ending(net, 1, 0)),
)
def a_zero_neuron_does_not_move(idle: TwoLayer, data: Dataset, loss: str, kink: Number) -> Margin:
    r"""$w_j=0$ and $v_j=0$ give $\dot w_j=0$ and $\dot v_j=0$, so the neuron stays zero.

    Convention: for every value of sigma'(0); the last neuron is the one set to zero.
    """
    turned, grown = descent_direction(idle, data, LOSSES[loss], kink)
    return equal(np.append(turned[-1], grown[-1]), 0, "dw_j/dt and dv_j/dt of the zero neuron")


SMALL_NETWORKS = sized(
    net=two_layer, data=labelled_dataset, loss=choice(*LOSSES), dimension=(1, 2), samples=(1, 3), width=(1, 3)
)
signs = section("min2024", "sec_2_1", "Section 2.1", kind=Kind.DYNAMICS, given=SMALL_NETWORKS, assumes=[balanced])


@signs.claim("sign_v_conserved", recorded="supported", cost=0.5)
@mutants(
    flipped(),
    bent("|v_j| stays above 9/10 of its first value", left=lambda zero: zero + 0.9),
    changed("from |v_j| = |w_j| / 16", net=lambda net: net.with_weights(net.inner, net.outer / 16)),
)
def outer_weights_keep_their_sign(net: TwoLayer, data: Dataset, loss: str, tolerance: float) -> Margin:
    r"""From (3), $\mathrm{sign}(v_j(t))=\mathrm{sign}(v_j(0))$ for all $t\ge0$: $v_j=0$ would mean $w_j=0$, a point
    that no solution reaches.

    Convention: the flow in (W, v), which does not know that the signs are kept; regular solutions, |t| <= 1. What
    keeps the sign is |v_j| >= |w_j|: a larger |v_j| than (3) asks for does no harm, a smaller one (a mutant) does.
    """
    times = np.linspace(0, 1 / (1 + float(absolute(data.inputs).sum())), 6)
    run = gradient_flow(net, data, LOSSES[loss], times, tolerance=tolerance, concept=REGULAR)
    return less(0, run.outers / Enclosed(net.outer), "0 against v_j(t) / v_j(0)")
