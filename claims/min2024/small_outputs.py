r"""Appendix B and Lemma 10: as long as the outputs are small, neurons stay small and turn as if the outputs were zero.

Pointwise statements are checked at any balanced state, not only at states that a trajectory visits; a state is a shape
times a scale.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from refute import Assumption, Kind, Margin, all_of, at_most, claim, identity, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.training import ALL_LOSSES, LOSSES
from refute.functions import absolute, largest, norm, sign
from refute.language.cases import stated
from refute.models import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import LOGISTIC_SUM, Loss, Shape
from refute.models.min2024.balanced_state import BalancedState, moment, off_direction
from refute.models.min2024.cones import attraction, centre
from refute.models.min2024.conic import signed_data
from refute.strategies import choice, sized
from refute.strategies.min2024 import outputs as repair
from refute.strategies.min2024.separated import labelled_dataset, neurons, placed, vector

APPENDIX = {name: LOSSES[name] for name in ("exponential", "twice logistic")}
PRINTED = APPENDIX | {"logistic": LOGISTIC_SUM}
SQUARED = Loss(Shape.SQUARE, Fraction(1, 2), averaged=False)


def any_scale(*drawn: str) -> SearchStrategy[Any]:
    """One of the numbers given; the domain is all positive ones, since repairs multiply the scale."""
    return stated(choice(*drawn), lambda value: value > 0)


_SLOPES = choice("0", "1/4", "1/2", "1")
_SCALES = any_scale("1", "2", "1/1024")
_STATES = placed(data=labelled_dataset, start=neurons, scale=_SCALES, slope=_SLOPES, loss=choice(*APPENDIX))
_WITH_REFERENCE = placed(
    data=labelled_dataset, start=neurons, r=vector, scale=_SCALES, slope=choice("0"), loss=choice(*APPENDIX)
)


def _longest(data: Dataset) -> Number:
    """X_max."""
    return largest(np.array([norm(x) for x in data.inputs]))


def _outputs(data: Dataset, start: Balanced, scale: Number, slope: Number, limit: Number) -> Margin:
    return at_most(moment(start, scale, data, SQUARED, slope=slope).largest_output, limit, "max |f| against its bound")


outputs_at_most_one = Assumption(
    "output.at_most_one",
    "max_i |f(x_i)| <= 1",
    lambda data, start, scale, slope: _outputs(data, start, scale, slope, 1),
    base=_STATES,
    satisfy=repair.outputs_at_most_one,
    violate=repair.outputs_above_one,
)

outputs_at_most_half = Assumption(
    "output.at_most_half",
    "max_i |f(x_i)| <= 1/2",
    lambda data, start, scale, slope: _outputs(data, start, 2 * scale, slope, 2),
    base=_STATES,
    satisfy=repair.outputs_at_most_half,
    violate=repair.outputs_above_one,
)


def _turning_errors(data: Dataset, state: BalancedState, start: Balanced, slope: Number) -> Array:
    """|d/dt w_j/|w_j| - s_j P_j x_a(w_j)| for every neuron."""
    errors = []
    for j, (w, s) in enumerate(zip(state.rows, start.signs, strict=True)):
        errors.append(norm(state.turning(j) - s * off_direction(w, attraction(w, data, slope))))
    return np.array(errors)


def _direction_error(
    data: Dataset, start: Balanced, scale: Number, slope: Number, loss: Loss, factor: Number, ratio: int
) -> Margin:
    state = moment(start, scale, data, loss, slope=slope, ratio=ratio)
    bound = factor * len(data.labels) * _longest(data) * state.largest_output
    return at_most(_turning_errors(data, state, start, slope), bound, "turning error against 2 n X_max max |f|")


@claim(
    "min2024.lemma_4.direction_error",
    "Lemma 4, Eqs. (11) and (17)",
    given=_STATES,
    assumes=[outputs_at_most_one],
    recorded="supported",
    mutants=[
        moved("n X_max max |f| / 2", factor=Fraction(1, 2)),
        moved("unbalanced, |v_j| = 2 |w_j|", ratio=2),
        moved("the logistic loss of the main text", other=LOGISTIC_SUM),
        without(outputs_at_most_one),
    ],
    convention="any balanced state, sigma'(0) = alpha; the losses of the appendix",
)
def small_outputs_turn_neurons_along_x_a(
    data: Dataset,
    start: Balanced,
    scale: Number,
    slope: Number,
    loss: str,
    *,
    factor: Number = Fraction(2),
    ratio: int = 1,
    other: Loss | None = None,
) -> Margin:
    r"""For an $\alpha$-leaky ReLU network with $|v_j|=\|w_j\|$ and $\max_i|f(x_i)|\le1$:
    $\big\|\frac
    d{dt}\frac{w_j}{\|w_j\|}-\mathrm{sign}(v_j)(I-\frac{w_jw_j^\top}{\|w_j\|^2})x_a(w_j)\big\|\le2nX_{\max}\max_i|f(x_i)|$.
    """
    return _direction_error(data, start, scale, slope, other or APPENDIX[loss], factor, ratio)


@claim(
    "min2024.remark_4.square_loss.direction_error",
    "Remark 4, second half: Lemma 4",
    given=placed(data=labelled_dataset, start=neurons, scale=_SCALES, slope=_SLOPES),
    assumes=[outputs_at_most_one],
    recorded="supported",
    mutants=[moved("9/20 n X_max max |f|", factor=Fraction(9, 20)), moved("unbalanced, |v_j| = 2 |w_j|", ratio=2)],
    convention="the bound on the outputs is as in Lemma 4 and not shown necessary: the square loss needs none",
)
def small_outputs_turn_neurons_along_x_a_under_the_square_loss(
    data: Dataset, start: Balanced, scale: Number, slope: Number, *, factor: Number = Fraction(2), ratio: int = 1
) -> Margin:
    r"""The inequality of Lemma 4 for $\ell=\frac12(y-\hat y)^2$."""
    return _direction_error(data, start, scale, slope, SQUARED, factor, ratio)


def _predicted(r: Array, w: Array, s: Number, pull: Array) -> Number:
    """sign(v_j) (psi_ra - psi_rj psi_aj) |x_a|."""
    unit, towards = w / norm(w), pull / norm(pull)
    return s * (r @ towards - (r @ unit) * (unit @ towards)) * norm(pull)


def _reference_error(
    data: Dataset, start: Balanced, r: Array, scale: Number, loss: str, factor: Number, length: str
) -> Margin:
    """The derivative of <x_r, w/|w|> against its prediction, for every neuron with x_a != 0 and x_r drawn, a signed
    datum, x_a or x_-.
    """
    state = moment(start, scale, data, APPENDIX[loss])
    bound = factor * len(data.labels) * _longest(data) * state.largest_output
    errors, bounds = [], []
    for j, (w, s) in enumerate(zip(state.rows, start.signs, strict=True)):
        pull = attraction(w, data)
        if any(sign(pull)):
            for vector in (r, *signed_data(data), pull, centre(data, -1)):
                size = norm(vector)
                if sign(size):
                    chosen = vector / size if length == "unit" else vector
                    errors.append(absolute(chosen @ state.turning(j) - _predicted(chosen, w, s, pull)))
                    bounds.append(bound * {"unit": 1, "any": 1, "linear": size}[length])
    return at_most(
        np.array(errors, dtype=object), np.array(bounds, dtype=object), "error of d psi_rj/dt against 2 n X_max max |f|"
    )


@claim(
    "min2024.lemma_10.reference_direction",
    "Lemma 10, Eqs. (23) and (24), unit reference direction",
    given=_WITH_REFERENCE,
    assumes=[outputs_at_most_one],
    recorded="supported",
    mutants=[
        moved("n X_max max |f| / 2", factor=Fraction(1, 2)),
        moved("x_r of any length", length="any"),
        without(outputs_at_most_one),
    ],
    convention="any balanced state, losses of the appendix; neurons with x_a(w_j) = 0 have no psi_ra",
)
def directions_follow_a_scalar_equation(
    data: Dataset,
    start: Balanced,
    r: Array,
    scale: Number,
    loss: str,
    *,
    factor: Number = Fraction(2),
    length: str = "unit",
) -> Margin:
    r"""With $\psi_{rj}=\langle x_r,\frac{w_j}{\|w_j\|}\rangle$, $\psi_{ra}=\langle x_r,\frac{x_a}{\|x_a\|}\rangle$,
    $\psi_{aj}=\langle\frac{w_j}{\|w_j\|},\frac{x_a}{\|x_a\|}\rangle$ and a unit vector $x_r$, while
    $\max_i|f(x_i)|\le1$: $\big|\frac
    d{dt}\psi_{rj}-\mathrm{sign}(v_j)(\psi_{ra}-\psi_{rj}\psi_{aj})\|x_a\|\big|\le2nX_{\max}\max_i|f(x_i)|$.
    """
    return _reference_error(data, start, r, scale, loss, factor, length)


@claim(
    "min2024.lemma_10.reference_direction.r2",
    "Lemma 10 as C.2 applies it, with x_r = x_i y_i",
    given=_WITH_REFERENCE,
    assumes=[outputs_at_most_one],
    recorded="refuted",
)
def directions_follow_a_scalar_equation_towards_any_vector(
    data: Dataset, start: Balanced, r: Array, scale: Number, loss: str
) -> Margin:
    r"""The same for $x_r$ of any length, as in C.2, where $x_r=x_iy_i$, $x_r=x_a$ and $x_r=x_-$ are taken.

    Fails for $\|x_r\|$ above about 2: the left side is proportional to $x_r$ and the right side does not contain it.
    The datum (2, 1), y = -1, with a positive neuron along (0, 1) gives 3.02 against 2.52. The lemma itself, for unit
    $x_r$, is not touched.
    """
    return _reference_error(data, start, r, scale, loss, 2, "any")


@claim(
    "min2024.lemma_10.reference_direction.r2.amended",
    "Lemma 10 as C.2 applies it, with the length of x_r",
    given=_WITH_REFERENCE,
    assumes=[outputs_at_most_one],
    cost=2.0,
    recorded="supported",
    mutants=[moved("a quarter of it", factor=Fraction(1, 2)), moved("without the length", length="any")],
)
def directions_follow_a_scalar_equation_up_to_the_length(
    data: Dataset,
    start: Balanced,
    r: Array,
    scale: Number,
    loss: str,
    *,
    factor: Number = Fraction(2),
    length: str = "linear",
) -> Margin:
    r"""The same with $2nX_{\max}\|x_r\|\max_i|f(x_i)|$ on the right. Amended: the factor $\|x_r\|$."""
    return _reference_error(data, start, r, scale, loss, factor, length)


@claim(
    "min2024.eq_14.norm_growth",
    "Eqs. (14) and (15)",
    given=_STATES,
    assumes=[outputs_at_most_half],
    cost=2.0,
    recorded="supported",
    mutants=[moved("n in place of 2n", factor=1), moved("without n", single=True)],
    convention="2 eps sqrt(h) X_max W_max^2 is any number between max |f| and 1/2; the claim is strongest at max |f|. "
    "That outputs are "
    "at most 1/2 is not shown necessary",
)
def norms_grow_at_most_exponentially(
    data: Dataset, start: Balanced, scale: Number, slope: Number, loss: str, *, factor: int = 2, single: bool = False
) -> Margin:
    r"""If $\max_i|f(x_i)|\le2\epsilon\sqrt hX_{\max}W_{\max}^2\le\frac12$, then
    $\frac d{dt}\|w_j\|^2\le2n(X_{\max}+4\epsilon\sqrt hX_{\max}^2W_{\max}^2)\|w_j\|^2$."""
    state = moment(start, scale, data, APPENDIX[loss], slope=slope)
    rate = factor * (1 if single else len(data.labels)) * _longest(data) * (1 + 2 * state.largest_output)
    growth = np.array([state.growth(j) for j in range(len(state.rows))])
    return at_most(growth, rate * state.norms * state.norms, "d|w_j|^2/dt against its bound")


@claim(
    "min2024.sec_B.output_vs_norm",
    "proof of Lemma 3",
    given=_STATES,
    cost=2.0,
    recorded="supported",
    mutants=[
        moved("9/10 of the sum", factor=Fraction(9, 10)),
        moved("without the factor h", single=True),
        moved("unbalanced, |v_j| = 2 |w_j|", ratio=2),
    ],
    convention="the last sentence of the paragraph is the outer inequality with eps = max |w_j|^2 sqrt(h) / (2 "
    "W_max^2)",
)
def outputs_are_bounded_by_the_norms(
    data: Dataset,
    start: Balanced,
    scale: Number,
    slope: Number,
    *,
    factor: Number = Fraction(1),
    single: bool = False,
    ratio: int = 1,
) -> Margin:
    r"""For balanced weights $|f(x_i)|\le\sum_j\|w_j\|^2\|x_i\|\le hX_{\max}\max_j\|w_j\|^2$."""
    state = moment(start, scale, data, SQUARED, slope=slope, ratio=ratio)
    squares = state.norms * state.norms
    total = squares.sum() * np.array([norm(x) for x in data.inputs])
    count = 1 if single else len(squares)
    return all_of(
        at_most(absolute(state.outputs), factor * total, "|f(x_i)| against sum_j |w_j|^2 |x_i|"),
        at_most(total, count * _longest(data) * largest(squares), "sum_j |w_j|^2 |x_i| against h X_max max_j |w_j|^2"),
    )


@identity(
    "min2024.eq_12.neuron_ode",
    "Eqs. (12), (13) and (16)",
    recorded="proved",
    mutants=[
        moved("without the minus sign", sign=1),
        moved("without sign(v_j)", signed=False),
        moved("v_j in place of |w_j|", power=2),
    ],
    convention="datum by datum, one neuron in the plane and any output of the others; off the hyperplanes sigma(z) = "
    "gate z",
)
def neurons_follow_the_printed_equation(*, sign: int = -1, signed: bool = True, power: int = 1) -> Any:
    r"""$-\nabla_{w_j}\mathcal L=-\sum_i\sigma'(\langle x_i,w_j\rangle)\nabla_{\hat y}\ell(y_i,f(x_i))\,x_iv_j$, and
    with $v_j=\mathrm{sign}(v_j)\|w_j\|$ the last factor is $\mathrm{sign}(v_j)\|w_j\|$."""
    import sympy

    w1, w2, x1, x2, y, gate, rest, p = sympy.symbols("w1 w2 x1 x2 y gate rest p", real=True)
    outer, direction = sympy.symbols("z_outer z_sign", real=True, nonzero=True)
    size = sympy.sqrt(w1**2 + w2**2)
    residuals = {}
    for name, loss in (("exponential", sympy.exp(-y * p)), ("twice logistic", 2 * sympy.log(1 + sympy.exp(-y * p)))):
        output = outer * gate * (x1 * w1 + x2 * w2) + rest
        descent = -sympy.diff(loss.subs(p, output), w1)
        printed = sign * gate * sympy.diff(loss, p).subs(p, output) * x1
        residuals[f"{name}, (12)"] = descent - printed * outer
        factor = (direction if signed else 1) * size**power
        residuals[f"{name}, (13)"] = (descent - printed * factor).subs(outer, direction * size)
    return residuals


def _followed(
    data: Dataset,
    start: Balanced,
    below: float,
    reach: float,
    slope: float,
    loss: Loss,
    duration: float,
    tolerance: float,
) -> tuple[Any, float, float, float]:
    """The run to T, ln eps, X_max and W_max: eps is e^-below times the largest one that Lemma 3 allows."""
    h, n = len(start.signs), len(data.labels)
    longest = float(np.linalg.norm(data.inputs, axis=1).max())
    drawn = float(np.linalg.norm(start.shape, axis=1).max())
    widest = float(np.sqrt(reach / longest)) if reach else drawn
    log_epsilon = min(-np.log(4 * longest * widest**2), 0.0) - np.log(h) / 2 - below
    phase = duration * (-np.log(h) / 2 - log_epsilon) / (4 * n * longest)
    begin = Balanced(widest / drawn * start.shape, start.signs, log_epsilon, slope)
    run = log_polar_flow(
        begin, data, loss, times=[phase * k / 8 for k in range(1, 9)], horizon=phase, tolerance=tolerance
    )
    return run, log_epsilon, longest, widest


def _norm_bound(
    data: Dataset,
    start: Balanced,
    below: float,
    reach: float,
    slope: float,
    loss: Loss,
    tolerance: float,
    duration: float,
    power: float,
    two: float,
) -> Margin:
    run, log_epsilon, _, widest = _followed(data, start, below, reach, slope, loss, duration, tolerance)
    bound = np.log(two) + power * log_epsilon + 2 * np.log(widest) - np.log(len(start.signs)) / 2
    return at_most(2 * run.log_norm, bound, "ln |w_j|^2 against ln(2 eps W_max^2 / sqrt(h))", error=2 * run.error)


_TRAINED = sized(
    data=labelled_dataset,
    start=neurons,
    below=choice("0", "1", "10", "1000"),
    reach=choice("0", "1/4", "1"),
    slope=choice("0", "1/4", "1"),
    loss=ALL_LOSSES,
    width=(1, 3),
)
_LONGER = moved("for four times as long", duration=4.0)
_SMALLER = moved("9/10 in place of 2", two=0.9)
_CONDITION = (
    "eps at most 1/(4 sqrt(h) X_max W_max^2) and 1/sqrt(h), or else T is not positive; any data. "
    "That eps is so small is not shown necessary. W_0 is scaled to X_max W_max^2 = reach (as drawn for 0)"
)


@claim(
    "min2024.lemma_3.norm_bound",
    "Lemma 3, Eq. (10), left",
    kind=Kind.DYNAMICS,
    given=_TRAINED,
    recorded="supported",
    mutants=[_LONGER, _SMALLER, moved("2 eps^2 W_max^2 / sqrt(h)", power=2.0)],
    convention=f"{_CONDITION}; the three losses in print",
    cost=0.25,
)
def norms_stay_small_until_t(
    data: Dataset,
    start: Balanced,
    below: float,
    reach: float,
    slope: float,
    loss: str,
    tolerance: float,
    *,
    duration: float = 1.0,
    power: float = 1.0,
    two: float = 2.0,
) -> Margin:
    r"""$\max_j\|w_j(t)\|^2\le\frac{2\epsilon W_{\max}^2}{\sqrt h}$ for
    $t\le T=\frac1{4nX_{\max}}\log\frac1{\sqrt h\,\epsilon}$.
    """
    return _norm_bound(data, start, below, reach, slope, LOSSES[loss], tolerance, duration, power, two)


@claim(
    "min2024.remark_4.square_loss.norm_bound",
    "Remark 4, second half: Lemma 3",
    kind=Kind.DYNAMICS,
    given=_TRAINED,
    recorded="supported",
    mutants=[_LONGER, _SMALLER, moved("2 eps^2 W_max^2 / sqrt(h)", power=2.0)],
    convention=_CONDITION,
    cost=0.25,
)
def norms_stay_small_under_the_square_loss(
    data: Dataset,
    start: Balanced,
    below: float,
    reach: float,
    slope: float,
    tolerance: float,
    *,
    duration: float = 1.0,
    power: float = 1.0,
    two: float = 2.0,
) -> Margin:
    r"""The bound of Lemma 3 on the norms for $\ell=\frac12(y-\hat y)^2$."""
    return _norm_bound(data, start, below, reach, slope, SQUARED, tolerance, duration, power, two)


@claim(
    "min2024.lemma_3.output_bound",
    "Lemma 3, Eq. (10), right",
    kind=Kind.DYNAMICS,
    given=_TRAINED,
    recorded="supported",
    mutants=[_LONGER, moved("1/3 in place of 2", two=1 / 3), moved("2 eps^2 sqrt(h) X_max W_max^2", power=2.0)],
    convention=f"{_CONDITION}; the three losses in print; both sides are divided by eps, which may underflow",
    cost=0.25,
)
def outputs_stay_small_until_t(
    data: Dataset,
    start: Balanced,
    below: float,
    reach: float,
    slope: float,
    loss: str,
    tolerance: float,
    *,
    duration: float = 1.0,
    power: float = 1.0,
    two: float = 2.0,
) -> Margin:
    r"""$\max_i|f(x_i;W(t),v(t))|\le2\epsilon\sqrt hX_{\max}W_{\max}^2$ for
    $t\le T=\frac1{4nX_{\max}}\log\frac1{\sqrt h\,\epsilon}$.
    """
    run, log_epsilon, longest, widest = _followed(data, start, below, reach, slope, LOSSES[loss], duration, tolerance)
    pre = run.direction @ data.inputs.T
    sizes = np.exp(np.minimum(2 * run.log_norm - log_epsilon, 300.0))
    outputs = np.einsum("tj,tji->ti", sizes * run.signs, np.maximum(pre, slope * pre))
    error = 4 * run.error * float((sizes.sum(axis=1) * longest).max())
    bound = two * np.sqrt(len(start.signs)) * longest * widest**2 * np.exp((power - 1) * log_epsilon)
    return at_most(np.abs(outputs), bound, "|f(x_i)| / eps against 2 sqrt(h) X_max W_max^2", error=error)
