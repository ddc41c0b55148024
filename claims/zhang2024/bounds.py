r"""Appendices D and E.1: Lemma 7 (Gronwall), Lemma 9 in its readings, and the displays in the proof of Lemma 12.

Norms are Euclidean and Frobenius. They are compared by their squares where that keeps the comparison rational.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.conditions import CONDITION_3, even_inputs, odd_target
from refute.claims.zhang2024.lemmas import slope_at_zero
from refute.claims.zhang2024.pairs import gate_times_argument, outputs_add_up
from refute.decide.proof import steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, exp, leaky_relu_slope, maximum, mean, norm, squared_norm
from refute.models import Dataset, TwoLayer
from refute.models.gradient import descent_direction
from refute.models.loss import SQUARE
from refute.strategies import choice, dataset, sized, two_layer
from refute.strategies.zhang2024.inequalities import (
    NONNEGATIVE,
    NUMBERS,
    lift_rate,
    nonzero_data_and_weights,
    shrink_below_one,
    swell_above_one,
    turn_rate,
    zero_weights,
)


def _power_integrals(t: Number, rate: Number, spread: Number) -> list[Number]:
    """The integrals of rate s^k e^{spread rate (t - s)} over [0, t] for k = 0, ..., 4, by parts."""
    if rate == 0 or spread == 0:
        return [rate * t ** (k + 1) / (k + 1) for k in range(5)]
    found = [(exp(spread * rate * t) - 1) / spread]
    for k in range(1, 5):
        found.append(-(t**k) / spread + found[-1] * k / (spread * rate))
    return found


def _gronwall_is_an_identity() -> str | None:
    """d/ds [v e^{-B}] = (v' - B' v) e^{-B} with v' = beta u, B' = beta."""
    import sympy

    s = sympy.Symbol("s")
    v, B = sympy.Function("v")(s), sympy.Function("B")(s)
    residual = sympy.diff(v * sympy.exp(-B), s) - (v.diff(s) - B.diff(s) * v) * sympy.exp(-B)
    meaning = (
        "with v the integral of beta u and q = alpha + v - u >= 0, the bound exceeds u(t) by q(t) + integral "
        "of q beta e^B >= 0"
    )
    return by_identity(lambda: [residual], meaning)


nonnegative_rate = Assumption(
    "gronwall.nonnegative_rate",
    "beta is non-negative",
    lambda rate: at_least(rate, 0, "beta"),
    base=sized(rate=NUMBERS),
    satisfy=lift_rate,
    violate=turn_rate,
)


@claim(
    "zhang2024.lemma_7.gronwall",
    "Lemma 7, Eq. (13)",
    given=sized(rate=NUMBERS, t=NONNEGATIVE, u0=NUMBERS, u1=NUMBERS, u2=NUMBERS, slack=NONNEGATIVE, centre=NONNEGATIVE),
    assumes=[nonnegative_rate],
    proof=_gronwall_is_an_identity,
    recorded="proved",
    mutants=[
        without(nonnegative_rate),
        moved("half the exponent", spread=Fraction(1, 2)),
        moved("no exponential", spread=Fraction(0)),
    ],
    convention="cases: beta constant (time can be rescaled to make it so), u a quadratic, alpha = u - integral of "
    "beta u + slack (s - c)^2",
    cost=3.0,
)
def gronwall_bounds_the_solution(
    rate: Number,
    t: Number,
    u0: Number,
    u1: Number,
    u2: Number,
    slack: Number,
    centre: Number,
    *,
    spread: Number = Fraction(1),
) -> Margin:
    r"""If $u(t)\le\alpha(t)+\int_a^t\beta u$ for all t and $\beta\ge0$, then
    $u(t)\le\alpha(t)+\int_a^t\alpha(s)\beta(s)e^{\int_s^t\beta}\,ds$.
    """
    u = np.array([u0, u1, u2, 0, 0], dtype=object)
    q = np.array([slack * centre**2, -2 * slack * centre, slack, 0, 0], dtype=object)
    integral = np.array([0, u0, u1 / 2, u2 / 3, 0], dtype=object) * rate
    alpha = u - integral + q
    powers = np.array([t**k for k in range(5)], dtype=object)
    bound = alpha @ powers + alpha @ np.array(_power_integrals(t, rate, spread), dtype=object)
    return at_most(u @ powers, bound, "u(t) against Gronwall's bound")


_LEMMA_9 = sized(net=two_layer, data=dataset, kink=choice("one", "zero", "alpha", "mean"))
_ANY_SLOPE = "sigma'(0) is not fixed by the paper: 0, alpha, (1+alpha)/2 and 1 are tried"


def _products(net: TwoLayer, data: Dataset, kink: str) -> tuple[Array, Array]:
    """sigma(W1 x) and sigma'(W1 x), one row per sample."""
    slopes = leaky_relu_slope(data.inputs @ net.inner.T, net.slope, slope_at_zero(kink, net.slope))
    return net.hidden(data.inputs), slopes


def _below(left: Array, net: TwoLayer, data: Dataset, factor: Number) -> Margin:
    bound = squared_norm(net.inner) * data.covariance.trace() ** 2
    return at_most(squared_norm(left), factor * bound, "squares: |<sigma sigma'>|^2 against |W1|^2 (Tr Sigma)^2")


@claim(
    "zhang2024.lemma_9.derivative_bound",
    "Lemma 9",
    given=_LEMMA_9,
    recorded="refuted",
    convention=f"R0a: entrywise product; {_ANY_SLOPE}",
)
def entrywise_product_is_bounded(net: TwoLayer, data: Dataset, kink: str) -> Margin:
    r"""R0a: $\|\langle\sigma(W_1x)\odot\sigma'(W_1x)\rangle\|\le\|W_1\|\,\mathrm{Tr}\,\Sigma$.

    Fails: the left side is linear in the inputs and the right side quadratic. One neuron w = 1 and x = 1/2: 1/2 against
    1/4. A factor $x^\top$ is missing, see R1 and R2.
    """
    hidden, slopes = _products(net, data, kink)
    return _below(mean(hidden * slopes), net, data, net.slope * 0 + 1)


@claim(
    "zhang2024.lemma_9.derivative_bound.r3",
    "Lemma 9",
    given=_LEMMA_9,
    recorded="refuted",
    convention=f"R0b: inner product; {_ANY_SLOPE}",
)
def inner_product_is_bounded(net: TwoLayer, data: Dataset, kink: str) -> Margin:
    r"""R0b: $|\langle\sigma(W_1x)\cdot\sigma'(W_1x)\rangle|\le\|W_1\|\,\mathrm{Tr}\,\Sigma$.

    Fails in the same way as R0a, by the same case w = 1 and x = 1/2: 1/2 against 1/4.
    """
    hidden, slopes = _products(net, data, kink)
    return _below(mean(hidden * slopes).sum(), net, data, net.slope * 0 + 1)


@claim(
    "zhang2024.lemma_9.derivative_bound.r4",
    "Lemma 9",
    given=_LEMMA_9,
    recorded="refuted",
    convention=f"R0c: outer product; {_ANY_SLOPE}",
)
def outer_product_is_bounded(net: TwoLayer, data: Dataset, kink: str) -> Margin:
    r"""R0c: $\|\langle\sigma(W_1x)\,\sigma'(W_1x)^\top\rangle\|\le\|W_1\|\,\mathrm{Tr}\,\Sigma$.

    Fails in the same way as R0a, by the same case w = 1 and x = 1/2; and with $\sigma'(0)=1$ also for the neurons 0 and
    1 at x = 1: $\sqrt2$ against 1.
    """
    hidden, slopes = _products(net, data, kink)
    return _below(hidden.T @ slopes / len(slopes), net, data, net.slope * 0 + 1)


_HALVED = moved("half of the right-hand side", factor=Fraction(1, 4))


@claim(
    "zhang2024.lemma_9.derivative_bound.r1",
    "Lemma 9",
    given=_LEMMA_9,
    recorded="supported",
    mutants=[_HALVED, moved("without the factor x^T", with_input=0)],
    convention=f"R1: entrywise product times x^T; {_ANY_SLOPE}",
    cost=2.0,
)
def product_with_the_input_is_bounded(
    net: TwoLayer, data: Dataset, kink: str, *, factor: Number = Fraction(1), with_input: int = 1
) -> Margin:
    r"""R1: $\|\langle(\sigma(W_1x)\odot\sigma'(W_1x))x^\top\rangle\|\le\|W_1\|\,\mathrm{Tr}\,\Sigma$.

    $|\sigma\sigma'|\le|W_1x|$ entrywise since $0\le\sigma'\le1$, and $\|W_1x\|\|x\|\le\|W_1\|\|x\|^2$. One neuron along
    one datum is tight.
    """
    hidden, slopes = _products(net, data, kink)
    inputs = data.inputs if with_input else data.inputs * 0 + 1
    return _below((hidden * slopes).T @ inputs / len(slopes), net, data, factor)


def cubic_term(net: TwoLayer, data: Dataset, at_zero: Number) -> Array:
    """<sigma'(W1 x) * W2^T W2 sigma(W1 x) x^T>, the second term of Eq. (6a)."""
    slopes = leaky_relu_slope(data.inputs @ net.inner.T, net.slope, at_zero)
    term: Array = (slopes * net.outer[None, :] * net(data.inputs)[:, None]).T @ data.inputs / len(slopes)
    return term


@claim(
    "zhang2024.lemma_9.derivative_bound.r2",
    "Lemma 9, as used below Eq. (25)",
    given=_LEMMA_9,
    recorded="supported",
    mutants=[_HALVED, moved("|W2| in place of |W2|^2", power=1)],
    convention=f"R2: the term that Eq. (24a) needs; {_ANY_SLOPE}",
    cost=2.0,
)
def cubic_term_is_bounded(
    net: TwoLayer, data: Dataset, kink: str, *, factor: Number = Fraction(1), power: int = 2
) -> Margin:
    r"""R2: $\|\langle\sigma'(W_1x)\odot W_2^\top
    W_2\sigma(W_1x)x^\top\rangle\|\le\|W_2\|^2\|W_1\|\,\mathrm{Tr}\,\Sigma$.

    Per sample $\|\sigma'\odot W_2^\top\|\le\|W_2\|$ and $|W_2\sigma|\le\|W_2\|\|W_1x\|$.
    """
    left = cubic_term(net, data, slope_at_zero(kink, net.slope))
    bound = squared_norm(net.outer) ** power * squared_norm(net.inner) * data.covariance.trace() ** 2
    return at_most(squared_norm(left), factor * bound, "squares of the sides")


@claim(
    "zhang2024.lemma_12.proof_derivative",
    "Lemma 12, first line of the proof",
    given=sized(net=two_layer, data=dataset, kink=choice("one", "zero", "alpha", "mean")),
    assumes=CONDITION_3,
    proof=lambda: steps(gate_times_argument(), outputs_add_up()),
    recorded="proved",
    mutants=[
        without(even_inputs),
        without(odd_target),
        moved("factor 2 (alpha + 1)", label=2),
        moved("the second term once", output=1),
    ],
    convention=f"u^2 = max(|W1|^2, |W2|^2) has the derivative of either square, as both are equal; {_ANY_SLOPE}",
    cost=2.0,
)
def both_norms_grow_alike(net: TwoLayer, data: Dataset, kink: str, *, label: int = 1, output: int = 2) -> Margin:
    r"""$\tau\frac{d}{dt}u^2=\tau\frac{d}{dt}\|W_2\|^2=(\alpha+1)\beta^\top W_1^\top
    W_2^\top-2W_2\langle\sigma\sigma^\top\rangle W_2^\top$.

    $\frac{d}{dt}\|W_1\|^2=\frac{d}{dt}\|W_2\|^2$ for all data, since $\sigma'(z)z=\sigma(z)$; so u may be the norm of
    either layer.
    """
    inner, outer = descent_direction(net, data, SQUARE, slope_at_zero(kink, net.slope))
    second = 2 * (net.outer @ outer)
    printed = label * (1 + net.slope) * (net.linear_map() @ data.correlation) - output * mean(net(data.inputs) ** 2)
    return all_of(
        equal(2 * (net.inner * inner).sum(), second, "d|W1|^2/dt against d|W2|^2/dt"),
        equal(second, printed, "d|W2|^2/dt against the printed right-hand side"),
    )


def _size(net: TwoLayer) -> Number:
    return maximum(squared_norm(net.inner), squared_norm(net.outer))


small_weights = Assumption(
    "network.norm_below_one",
    "u = max(|W1|, |W2|) < 1",
    lambda net: less(_size(net), 1, "u^2"),
    base=sized(net=two_layer),
    satisfy=shrink_below_one,
    violate=swell_above_one,
)
nonzero_case = Assumption(
    "network.nonzero_with_nonzero_data",
    "the weights are not all zero, nor are the inputs",
    lambda net, data: less(0, _size(net) * data.covariance.trace(), "u^2 Tr Sigma"),
    base=sized(net=two_layer, data=dataset),
    satisfy=nonzero_data_and_weights,
    violate=zero_weights,
)


def square(value: Any) -> Any:
    """value * value, which is defined for balls around zero (a power of one is not)."""
    return value * value


def _chain(net: TwoLayer, data: Dataset, cubic: Any) -> Margin:
    hidden = mean(square(net(data.inputs)))
    linear = (1 + net.slope) * (net.linear_map() @ data.correlation)
    first, second = norm(net.inner), norm(net.outer)
    s, trace, u = norm(data.correlation), data.covariance.trace(), maximum(first, second)
    links = [
        linear - 2 * hidden,
        absolute(linear) + 2 * hidden,
        2 * s * first * second + cubic * square(first * second) * trace,
        2 * s * square(u) + 2 * square(square(u)) * trace,
    ]
    weak = [at_most(links[k], links[k + 1], f"link {k + 1} of the chain") for k in range(3)]
    return all_of(
        *weak, less(links[-1], 2 * (s + trace) * square(u), "2 s u^2 + 2 u^4 Tr Sigma < 2 (s + Tr Sigma) u^2")
    )


@claim(
    "zhang2024.lemma_12.proof_chain",
    "Lemma 12, rest of the proof",
    given=sized(net=two_layer, data=dataset),
    assumes=[*CONDITION_3, small_weights],
    recorded="refuted",
)
def the_growth_of_u_is_bounded(net: TwoLayer, data: Dataset) -> Margin:
    r"""$(\alpha+1)\beta^\top W_1^\top W_2^\top-2W_2\langle\sigma\sigma^\top\rangle W_2^\top\le|\cdot|+|\cdot|
    \le2\|\beta\|\|W_1\|\|W_2\|+2\|W_2\|^2\|W_1\|^2\mathrm{Tr}\,\Sigma\le2su^2+2u^4\mathrm{Tr}\,\Sigma
    <2(s+\mathrm{Tr}\,\Sigma)u^2$ for u < 1.

    Fails only in its strict sign: with all weights zero (or all inputs zero) the last two members are equal.
    """
    return _chain(net, data, 2)


@claim(
    "zhang2024.lemma_12.proof_chain.amended",
    "Lemma 12, rest of the proof",
    given=sized(net=two_layer, data=dataset),
    assumes=[*CONDITION_3, nonzero_case, small_weights],
    recorded="supported",
    mutants=[without(small_weights), without(nonzero_case), moved("half of the cubic term", cubic=Fraction(1, 2))],
    cost=3.0,
)
def the_growth_of_u_is_bounded_for_nonzero_weights(
    net: TwoLayer, data: Dataset, *, cubic: Number = Fraction(2)
) -> Margin:
    r"""Amended: the same chain for 0 < u < 1 and $\mathrm{Tr}\,\Sigma>0$, where $u^4<u^2$ makes the
    last step strict.
    """
    return _chain(net, data, cubic)
