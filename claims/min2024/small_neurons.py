r"""Sections 2 and 3.3, Appendices B.1 and C.2: balance and signs along the flow (2), and how small neurons turn.

The turning speed of a small neuron is compared with that of (4), $\pm P_wx_a(w)$: Lemma 1, and the two cases of C.2
with a fixed pattern.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, suppose
from refute.arithmetic.numbers import FLOAT, Array, Number
from refute.claims.min2024.assumptions import balanced, in_s_minus, separated
from refute.claims.min2024.training import LOSSES, PARTS, direction_errors, network, slope_gap, units
from refute.decide.rate import fit, geometric, vanishes_at_least_like
from refute.decide.symbolic import by_identity
from refute.functions import absolute, largest, minimum, norm, sign, smallest, sqrt, squared_norm
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.flow.solve import FILIPPOV, REGULAR
from refute.models.gradient import descent_direction
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import ON_BOUNDARY
from refute.models.min2024.cones import attraction, centre, in_dead, in_minus, in_plus, separation, xi_candidate
from refute.strategies import choice, sized, slopes, two_layer
from refute.strategies.min2024.separated import (
    dyadic,
    labelled_dataset,
    neurons,
    outer_weights,
    placed,
    separated_dataset,
    vector,
)

Floats = NDArray[np.float64]
_NETS = sized(net=two_layer, data=labelled_dataset, loss=choice(*LOSSES), kink=choice("0", "1", "1/2"))

_RELUS = placed(data=labelled_dataset, start=neurons, outer=outer_weights, loss=choice("exponential", "logistic"))


def _direction(net: TwoLayer, data: Dataset, loss: str, kink: Number) -> tuple[Array, Array]:
    return descent_direction(net, data, LOSSES[loss], kink)


def _speed_of_loss(net: TwoLayer, data: Dataset, loss: str, along: int) -> Number:
    """dL/dt for a flow along `along` times the gradient, with (12) written out for the inner weights."""
    active = (sign(data.inputs @ net.inner.T) > 0).astype(int)
    pull = LOSSES[loss].residual(data.labels, net(data.inputs))
    toward = (
        active * pull[:, None] * net.outer[None, :]
    ).T @ data.inputs  # (12): - sum_i 1_{<x_i, w_j> > 0} dl_i x_i v_j
    inner, outer = _direction(net, data, loss, net.slope)
    return -along * (toward * inner).sum() - along * squared_norm(outer)


@claim(
    "min2024.eq_2.flow_direction",
    "Eq. (2)",
    given=_RELUS,
    recorded="refuted",
    convention="as printed, without a minus sign; E.2 prints the same, (12) has the minus sign",
)
def the_loss_does_not_increase_along_the_printed_flow(
    data: Dataset, start: Balanced, outer: Array, loss: str
) -> Margin:
    r"""Along $\dot W\in\partial_W\mathcal L$, $\dot v\in\partial_v\mathcal L$ the loss does not increase.

    Fails: this is ascent, $\dot{\mathcal L}=\|\nabla\mathcal L\|^2$, for w = 1, v = 0, x = y = 1 equal to 1. Only a
    minus sign is missing: (12) and all that follows have it.
    """
    return at_most(_speed_of_loss(network(start, outer), data, loss, -1), 0, "dL/dt")


@claim(
    "min2024.eq_2.flow_direction.amended",
    "Eqs. (2), (12)",
    given=_RELUS,
    recorded="supported",
    mutants=[moved("along the gradient", along=-1), moved("twice as fast", twice=2)],
    convention="with a minus sign; (12) is compared with minus the gradient of the inner weights, sigma'(0) = 0",
    cost=2.0,
)
def the_loss_does_not_increase_along_the_negative_gradient(
    data: Dataset, start: Balanced, outer: Array, loss: str, *, along: int = 1, twice: int = 1
) -> Margin:
    r"""Amended: $\dot W\in-\partial_W\mathcal L$, $\dot v\in-\partial_v\mathcal L$; then
    $\dot{\mathcal L}=-\|\nabla\mathcal L\|^2$, and (12) is this flow.
    """
    net = network(start, outer)
    dw, dv = _direction(net, data, loss, net.slope)
    speed = _speed_of_loss(net, data, loss, along)
    return equal(speed, -twice * (squared_norm(dw) + squared_norm(dv)), "dL/dt against -|grad L|^2")


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


@claim(
    "min2024.sec_2_1.balancedness_conserved",
    "Section 2.1",
    given=_NETS,
    proof=_balance_proof,
    recorded="proved",
    mutants=[moved("v_j^2 - 2 |w_j|^2", weight=2), moved("v_j^2 + |w_j|^2", weight=-1)],
    convention="the derivative along the flow vanishes at every state, balanced or not, for every slope and every "
    "value of sigma'(0); "
    "so v_j^2 - |w_j|^2 is constant, and 0 from (3) on",
    cost=4.0,
)
def the_imbalance_of_every_neuron_is_conserved(
    net: TwoLayer, data: Dataset, loss: str, kink: Number, *, weight: int = 1
) -> Margin:
    r"""$v_j^2(t)-\|w_j(t)\|^2$ keeps its value, which (3) makes 0, for every neuron and all $t\ge0$."""
    inner, outer = _direction(net, data, loss, kink)
    return equal(net.outer * outer, weight * (net.inner * inner).sum(axis=1), "v_j dv_j/dt against <w_j, dw_j/dt>")


@claim(
    "min2024.sec_2_1.sign_v_conserved",
    "Section 2.1",
    kind=Kind.DYNAMICS,
    given=sized(
        net=two_layer, data=labelled_dataset, loss=choice(*LOSSES), dimension=(1, 2), samples=(1, 3), width=(1, 3)
    ),
    assumes=[balanced],
    recorded="supported",
    mutants=[
        moved("signs flip", turned=-1.0),
        moved("|v_j| stays above 9/10 of its first value", part=0.9),
        moved("from |v_j| = |w_j| / 16", ratio=1 / 16),
    ],
    convention="the flow in (W, v), which does not know that the signs are kept; regular solutions, |t| <= 1. What "
    "keeps the sign is "
    "|v_j| >= |w_j|: a larger |v_j| than (3) asks for does no harm, a smaller one (a mutant) does",
    cost=0.5,
)
def outer_weights_keep_their_sign(
    net: TwoLayer,
    data: Dataset,
    loss: str,
    tolerance: float,
    *,
    turned: float = 1.0,
    part: float = 0.0,
    ratio: float = 1.0,
) -> Margin:
    r"""From (3), $\mathrm{sign}(v_j(t))=\mathrm{sign}(v_j(0))$ for all $t\ge0$: $v_j=0$ would mean $w_j=0$, a point
    that no solution reaches.
    """
    reach = 1 + float(np.abs(data.inputs).sum())
    start = net.with_weights(net.inner, ratio * net.outer)
    run = gradient_flow(start, data, LOSSES[loss], np.linspace(0, 1 / reach, 6), tolerance=tolerance, concept=REGULAR)
    kept = turned * run.outer * np.sign(net.outer)
    return less(part * np.abs(net.outer)[None], kept, "0 against v_j(t) sign v_j(0)", error=run.error)


@claim(
    "min2024.remark_2.zero_neuron_stays_zero",
    "Remark 2",
    given=_NETS,
    recorded="supported",
    mutants=[moved("v_j = 1 beside w_j = 0", outer=Fraction(1)), moved("w_j = x_1 beside v_j = 0", inner=Fraction(1))],
    convention="for every value of sigma'(0); the last neuron is the one set to zero",
    cost=2.0,
)
def a_zero_neuron_does_not_move(
    net: TwoLayer, data: Dataset, loss: str, kink: Number, *, inner: Number = Fraction(0), outer: Number = Fraction(0)
) -> Margin:
    r"""$w_j=0$ and $v_j=0$ give $\dot w_j=0$ and $\dot v_j=0$, so the neuron stays zero."""
    rows, weights = net.inner.copy(), net.outer.copy()
    rows[-1], weights[-1] = inner * data.inputs[0], outer
    turned, grown = _direction(net.with_weights(rows, weights), data, loss, kink)
    return equal(np.append(turned[-1], grown[-1]), 0, "dw_j/dt and dv_j/dt of the zero neuron")


def _attraction_proof() -> str | None:
    r"""In terms of $p=\|w\|^2$, $q=\|x_a\|^2$, $r=\langle w,x_a\rangle$: $\langle x_a,P_wx_a\rangle=q-r^2/p$, which is
    $\|x_a-\frac rpw\|^2\ge0$.
    """
    import sympy

    p, q = sympy.symbols("p q", positive=True)
    r = sympy.Symbol("r", real=True)
    turned, square = q - (r / p) * r, q - 2 * (r / p) * r + (r / p) ** 2 * p
    return by_identity(
        lambda: [turned - square, turned * p - (p * q - r**2)], "<x_a, P x_a> = |P x_a|^2 = |x_a|^2 (1 - cos^2)"
    )


@claim(
    "min2024.sec_2_2.attraction_to_x_a",
    "Section 2.2, Figure 1",
    given=placed(data=labelled_dataset, w=vector, s=choice(1, -1)),
    proof=_attraction_proof,
    recorded="proved",
    mutants=[moved("without the projection", projected=0), moved("negative neurons are attracted too", both=1)],
    convention="the derivative of |w| cos(w, x_a) |x_a|, along the flow (4) with the pattern fixed",
)
def neurons_turn_towards_or_away_from_the_attraction(
    data: Dataset, w: Array, s: int, *, projected: int = 1, both: int = 0
) -> Margin:
    r"""Under (4) a neuron with $v_j>0$ turns towards $x_a(w_j)$ and one with $v_j<0$ away from it:
    $\pm\langle x_a,P_wx_a\rangle\ge0$, and more precisely $\frac d{dt}\cos(w,x_a)=\pm(1-\cos^2(w,x_a))\|x_a\|$.
    """
    a = attraction(w, data)
    along = (w @ a) / squared_norm(w)
    velocity = s * (a - (projected * along) * w)
    turned = velocity @ a
    return all_of(
        at_least(turned if both else s * turned, 0, "s <x_a, d/dt w/|w|>"),
        equal(
            turned * squared_norm(w),
            s * (squared_norm(w) * squared_norm(a) - (w @ a) * (w @ a)),
            "s |x_a|^2 |w|^2 (1 - cos^2)",
        ),
    )


_SCALES = geometric(1e-1, 1e-6, 6)
_TWO = Dataset(np.array([[1.0, 0.0], [0.5, -1.0]]), np.array([1.0, -1.0]))


def _vanishing(
    scales: list[float], runs: list[LogPolarTrajectory], loss: str, target: float, power: float, line: str
) -> Margin:
    """The largest errors of (4) along the runs as a law in eps, with what the errors of the runs may add.

    Slopes of the loss are off by at most twice the error of the outputs, directions by that of the run. The fitted
    exponent is a sum of ln of the errors with weights that add up to less than 1 in modulus, since the scales are more
    than a factor e^2 apart.
    """
    data = lift(_TWO, FLOAT)
    errors, parts = [], []
    for run in runs:
        gap = float(np.abs(slope_gap(loss, data.labels, run.output, target)).max())
        errors.append(float(direction_errors(run, data, loss, 0.0, target).max()))
        parts.append(
            2
            * float(np.abs(data.inputs).sum())
            * (run.output_error + data.inputs.shape[1] * gap * run.error)
            / errors[-1]
        )
    margin = vanishes_at_least_like(fit(scales, errors), power, line)
    return replace(margin, error=margin.error + Fraction(max(parts)))


def _first_error(angle: float, loss: str, target: float, tolerance: float = 1e-10) -> Margin:
    """|d/dt w/|w| - target s P x_a(w)| at t = 0 against eps, for one neuron of each sign that sees both data."""
    shape, runs = np.array([[1.0, np.sin(angle) / 4], [2.0, 0.5]]), []
    for scale in _SCALES:
        start = Balanced(shape, np.array([1.0, -1.0]), Fraction(float(np.log(scale))), Fraction(0))
        runs.append(log_polar_flow(start, lift(_TWO, FLOAT), LOSSES[loss], times=[0.0], tolerance=tolerance))
    return _vanishing(_SCALES, runs, loss, target, 1.0, "error of (4) at t = 0 against eps")


@claim(
    "min2024.eq_4.direction_approximation",
    "Eq. (4)",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1"), loss=choice("exponential", "twice logistic")),
    recorded="supported",
    mutants=[moved("half of x_a", target=0.5), moved("twice x_a", target=2.0)],
    convention="exponential loss, and logistic loss as in the appendix; data (1, 0) and (1/2, -1) with labels 1 and "
    "-1; at t = 0, at "
    "least of order eps",
)
def small_neurons_turn_as_approximated(angle: float, loss: str, *, target: float = 1.0) -> Margin:
    r"""$\frac d{dt}\frac{w_j}{\|w_j\|}\approx\mathrm{sign}(v_j(0))P_{w_j}x_a(w_j)$, exactly in the limit
    $\epsilon\to0$.
    """
    return _first_error(angle, loss, target)


@claim(
    "min2024.eq_4.direction_approximation.logistic",
    "Eq. (4) with the logistic loss of Section 2.1",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1")),
    recorded="refuted",
)
def small_neurons_turn_as_approximated_with_the_logistic_loss(angle: float, tolerance: float) -> Margin:
    r"""The same for $\ell=\log(1+e^{-y\hat y})$. Fails: its slope at 0 is $y/2$, so neurons turn at half the speed at
    every $\epsilon$.
    """
    return _first_error(angle, "logistic", 1.0, tolerance)


@claim(
    "min2024.eq_4.direction_approximation.logistic.amended",
    "Eq. (4) with the logistic loss of Section 2.1",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1")),
    recorded="supported",
    mutants=[moved("x_a", target=1.0), moved("x_a / 3", target=1 / 3)],
)
def small_neurons_turn_at_half_speed_with_the_logistic_loss(angle: float, *, target: float = 0.5) -> Margin:
    r"""Amended: $\frac d{dt}\frac{w_j}{\|w_j\|}\approx\frac12\mathrm{sign}(v_j(0))P_{w_j}x_a(w_j)$."""
    return _first_error(angle, "logistic", target)


_DEPTHS = geometric(1e-2, 1e-12, 5)


def _worst_error(angle: float, loss: str, target: float, power: float, tolerance: float = 1e-10) -> Margin:
    """The largest error of (4) up to T = log(1/(sqrt(h) eps)) / (4 n X_max) against eps."""
    shape, runs = np.array([[1.0, np.sin(angle) / 4], [0.5, 0.125]]), []
    for scale in _DEPTHS:
        start = Balanced(shape, np.array([1.0, -1.0]), Fraction(float(np.log(scale))), Fraction(0))
        phase = -np.log(np.sqrt(2) * scale) / (4 * 2 * np.sqrt(1.25))
        times = np.linspace(0, phase, 5).tolist()
        runs.append(log_polar_flow(start, lift(_TWO, FLOAT), LOSSES[loss], times=times, tolerance=tolerance))
    return _vanishing(_DEPTHS, runs, loss, target, power, "largest error of (4) up to T against eps")


@claim(
    "min2024.lemma_1.main",
    "Lemma 1, Eq. (6)",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1"), loss=choice("exponential", "twice logistic")),
    recorded="supported",
    mutants=[moved("order eps^(5/2)", power=2.5), moved("9/10 of x_a", target=0.9)],
    convention="exponential loss, and logistic loss as in the appendix; T with its constants from Appendix B; the "
    "order in eps at "
    "fixed n = h = 2, "
    "the dependence on n and h is in lemma_1.directional_error",
    cost=3.0,
)
def the_error_of_the_approximation_is_of_order_epsilon(
    angle: float, loss: str, *, power: float = 1.0, target: float = 1.0
) -> Margin:
    r"""Up to some $T=\Theta(\frac1n\log\frac1{\sqrt h\epsilon})$ the error of (4) is $O(\epsilon n\sqrt h)$."""
    return _worst_error(angle, loss, target, power)


@claim(
    "min2024.lemma_1.main.logistic",
    "Lemma 1, Eq. (6), logistic loss of Section 2.1",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1")),
    recorded="against",
)
def the_error_is_of_order_epsilon_with_the_logistic_loss(angle: float, tolerance: float) -> Margin:
    r"""The same for $\ell=\log(1+e^{-y\hat y})$. Fails: the error tends to $\frac12\|P_wx_a\|$, since the slope of the
    loss at 0 is $y/2$.
    """
    return _worst_error(angle, "logistic", 1.0, 1.0, tolerance)


@claim(
    "min2024.lemma_1.main.logistic.amended",
    "Lemma 1, Eq. (6), logistic loss of Section 2.1",
    kind=Kind.ASYMPTOTIC,
    given=sized(angle=choice("1/4", "1/2", "1")),
    recorded="supported",
    mutants=[moved("order eps^2", power=2.0), moved("x_a", target=1.0)],
    cost=3.0,
)
def the_error_at_half_speed_is_of_order_epsilon(angle: float, *, power: float = 1.0, target: float = 0.5) -> Margin:
    r"""Amended: with $\frac12x_a$ in place of $x_a$ the error is $O(\epsilon n\sqrt h)$ for this loss."""
    return _worst_error(angle, "logistic", target, power)


@claim(
    "min2024.lemma_1.directional_error",
    "Lemma 1 of Appendix B.1",
    kind=Kind.DYNAMICS,
    given=placed(
        data=labelled_dataset,
        start=neurons,
        loss=choice("exponential", "twice logistic", "square"),
        slope=slopes(),
        shrunk=choice("0", "1", "8", "200"),
        reach=choice("0", "1/4", "1/2", "2"),
    ),
    recorded="supported",
    mutants=[moved("1/4 in place of 4", factor=0.25), moved("logistic loss of the main text", halved=True)],
    convention="(3) by construction; eps is its largest value times e^{-shrunk}, and W_0 is scaled to X_max W_max^2 = "
    "reach (as drawn for "
    "0): the smaller it is, the larger sqrt(h) eps may be; where T < 0 there is nothing to show. The square loss is "
    "that of Remark 4",
    cost=0.35,
)
def the_error_of_the_approximation_is_bounded(
    data: Dataset,
    start: Balanced,
    loss: str,
    slope: float,
    shrunk: float,
    reach: float,
    tolerance: float,
    *,
    factor: float = 4.0,
    halved: bool = False,
) -> Margin:
    r"""For $\epsilon\le\frac1{4\sqrt hX_{\max}W_{\max}^2}$ and all
    $t\le T=\frac1{4nX_{\max}}\log\frac1{\sqrt h\epsilon}$, leaky ReLU of any slope:
    $\max_j\|\frac d{dt}\frac{w_j}{\|w_j\|}-\mathrm{sign}(v_j(0))P_{w_j}x_a(w_j)\|\le4\epsilon n\sqrt
    hX_{\max}^2W_{\max}^2$.
    """
    n, h = len(data.labels), len(start.signs)
    longest, drawn = (float(np.linalg.norm(rows, axis=1).max()) for rows in (data.inputs, start.shape))
    most = np.sqrt(reach / longest) if reach else drawn
    log_epsilon = -float(np.log(4 * np.sqrt(h) * longest * most**2)) - shrunk
    phase = -(log_epsilon + np.log(h) / 2) / (4 * n * longest)
    suppose(phase >= 0, "T >= 0")
    begin = Balanced(most / drawn * start.shape, start.signs, log_epsilon, slope)
    chosen = "logistic" if halved else loss
    run = log_polar_flow(begin, data, LOSSES[chosen], times=np.linspace(0, phase, 5).tolist(), tolerance=tolerance)
    bound = factor * n * np.sqrt(h) * longest**2 * most**2 * np.exp(log_epsilon)
    return at_most(
        direction_errors(run, data, chosen, slope, 1.0),
        bound,
        "error of (4) against its bound",
        error=2 * n * longest * run.output_error,
    )


def _turning(w: Array, data: Dataset, shares: Array, loss: str, toward: Array, small: Number) -> tuple[Number, Number]:
    """d/dt cos(w, toward) of a positive neuron when the outputs are shares * small, and the largest |output|."""
    outputs = shares[: len(data.labels)] * small
    active = (sign(data.inputs @ w) > 0).astype(int)
    push = (active * LOSSES[loss].residual(data.labels, outputs)) @ data.inputs
    across = push - ((w @ push) / squared_norm(w)) * w
    return (across @ toward) / (norm(toward) * norm(w)) * norm(w), largest(absolute(outputs))


def _constants(data: Dataset, part: Number) -> tuple[Number, Number, Number, Number, Number]:
    """mu, xi, X_min, X_max and n of the data."""
    sizes = np.array([norm(row) for row in data.inputs], dtype=object)
    return separation(data), part * xi_candidate(data), smallest(sizes), largest(sizes), len(data.labels)


def _between(fields: Mapping[str, Any]) -> bool:
    w, data = fields["w"], fields["data"]
    return not (in_plus(w, data) or in_minus(w, data) or in_dead(w, data))


_POINTWISE = choice("exponential", "twice logistic")
_SHARES = dyadic(4, limit=1)


@claim(
    "min2024.sec_C.fixed_pattern_growth",
    "C.2, first case",
    given=placed(
        data=separated_dataset, w=vector, shares=_SHARES, part=PARTS, loss=_POINTWISE, samples=(2, 4), dimension=(2, 3)
    ).filter(_between),
    recorded="supported",
    mutants=[
        moved("3/2 xi in the first link", factor=Fraction(3, 2)),
        moved("5/4 xi sqrt(mu) n_a X_min in the last link", half=Fraction(5, 4)),
    ],
    convention="pointwise, at outputs of any size and sign that (29) allows, with the largest such bound (zeta = 1); "
    "w is in none of "
    "the three cones",
    cost=8.0,
)
def a_neuron_between_the_cones_turns_to_its_attraction(
    data: Dataset,
    w: Array,
    shares: Array,
    part: Number,
    loss: str,
    *,
    factor: Number = Fraction(1),
    half: Number = Fraction(1, 2),
) -> Margin:
    r"""$\frac d{dt}\cos(w_j,x_a)\ge\xi\|x_a\|-2nX_{\max}\max_i|f(x_i)|\ge\xi\sqrt\mu n_aX_{\min}/2$ for $v_j>0$,
    pattern fixed.
    """
    mu, xi, shortest, longest, n = _constants(data, part)
    a = attraction(w, data)
    speed, loudest = _turning(w, data, shares, loss, a, minimum(mu, xi) * sqrt(mu) * shortest / (4 * n * longest))
    middle = xi * norm(a) - 2 * n * longest * loudest
    count = int((sign(data.inputs @ w) > 0).sum())
    return all_of(
        at_least(
            speed,
            factor * xi * norm(a) - 2 * n * longest * loudest,
            "d/dt cos(w, x_a) against xi |x_a| - 2 n X_max max |f|",
        ),
        at_least(
            middle,
            half * xi * sqrt(mu) * count * shortest,
            "xi |x_a| - 2 n X_max max |f| against xi sqrt(mu) n_a X_min / 2",
        ),
    )


@claim(
    "min2024.sec_C.fixed_pattern_escape",
    "C.2, second case",
    given=placed(data=separated_dataset, w=vector, shares=_SHARES, part=PARTS, loss=_POINTWISE, samples=(1, 4)).filter(
        lambda case: -1 in case["data"].labels
    ),
    assumes=[separated, in_s_minus],
    recorded="supported",
    mutants=[
        moved("-2 zeta |x_-| in the first link", factor=Fraction(2)),
        moved("-3/2 zeta sqrt(mu) n_a X_min in the last link", half=Fraction(3, 2)),
    ],
    convention="pointwise, at outputs of any size and sign that (29) allows; zeta is `part` of 1 - cos^2(w, x_-), so "
    "that w is outside "
    "S^zeta",
    cost=3.0,
)
def a_neuron_in_the_wrong_cone_turns_away_from_its_centre(
    data: Dataset,
    w: Array,
    shares: Array,
    part: Number,
    loss: str,
    *,
    factor: Number = Fraction(1),
    half: Number = Fraction(1, 2),
) -> Margin:
    r"""$w_j\in S_-\setminus S^\zeta_{x_-}$, $v_j>0$: $\frac
    d{dt}\cos(w_j,x_-)\le-\zeta\|x_-\|+2nX_{\max}\max_i|f(x_i)|\le-\zeta\sqrt\mu n_aX_{\min}/2$.
    """
    mu, xi, shortest, longest, n = _constants(data, part)
    c = centre(data, -1)
    zeta = part * (1 - (w @ c) * (w @ c) / (squared_norm(w) * squared_norm(c)))
    small = minimum(mu, minimum(zeta, xi)) * sqrt(mu) * shortest / (4 * n * longest)
    speed, loudest = _turning(w, data, shares, loss, c, small)
    count = int((sign(data.inputs @ w) > 0).sum())
    return all_of(
        at_most(
            speed,
            -factor * zeta * norm(c) + 2 * n * longest * loudest,
            "d/dt cos(w, x_-) against -zeta |x_-| + 2 n X_max max |f|",
        ),
        at_most(
            -zeta * norm(c) + 2 * n * longest * loudest,
            -half * zeta * sqrt(mu) * count * shortest,
            "against -zeta sqrt(mu) n_a X_min / 2",
        ),
    )


@claim(
    "min2024.definition_1.regular_solution",
    "Definition 1",
    kind=Kind.DYNAMICS,
    given=placed(
        data=labelled_dataset, start=neurons, loss=choice(*LOSSES), dimension=(1, 2), samples=(1, 3), width=(1, 3)
    ),
    recorded="supported",
    mutants=[moved("solutions that leave the edge of S_dead whenever they can", concept=FILIPPOV)],
    convention="a definition: here, that the solutions called regular in this project satisfy it; neurons start in "
    "S_dead, on its edge "
    "or elsewhere",
    cost=1.0,
)
def dead_neurons_stay_dead_along_regular_solutions(
    data: Dataset, start: Balanced, loss: str, tolerance: float, *, concept: str = REGULAR
) -> Margin:
    r"""A solution is regular if $w_j(t_0)\in S_{dead}$ implies $w_j(t)\in S_{dead}$ for all $t\ge t_0$."""
    sizes = np.linalg.norm(start.shape, axis=1)
    shape = start.shape / sizes[:, None]
    reach = 1 + float(np.abs(data.inputs).sum())
    times = np.linspace(0, 1 / reach, 5)
    run = gradient_flow(
        TwoLayer(shape, start.signs, Fraction(0)), data, LOSSES[loss], times, tolerance=tolerance, concept=concept
    )
    largest_pre = np.einsum("thd,nd->thn", run.inner, units(data)).max(axis=2)
    was_dead = np.maximum.accumulate(largest_pre <= ON_BOUNDARY, axis=0)
    return at_most(
        np.where(was_dead, largest_pre, 0.0),
        0.0,
        "largest <x_i, w_j(t)>/|x_i| of neurons that were dead",
        error=run.error,
    )
