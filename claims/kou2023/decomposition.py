r"""Section 5.1 and Lemma A.3: the data-correlated decomposition, its existence, uniqueness and update rule, and Eq. (5.9).

Lemmas about the coefficients are checked on coefficients that are recovered from the weights: descent (3.2) runs on the weights, and
(5.1) is solved for $\rho$ with the Gram matrix. Identities are
computed in balls, a few steps per case, from dyadic inputs and weights.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, claim, equal, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import (
    LEAKY_APPENDIX,
    LEAKY_MAIN,
    RELU,
    RELU_APPENDIX,
    near_orthogonal,
    off_boundaries,
    signed_halves,
    small_start,
    small_step,
    tame_start,
)
from refute.claims.kou2023.initialisation import nonzero_inputs
from refute.decide.proof import by_smt
from refute.decide.symbolic import by_identity
from refute.functions import absolute, leaky_relu, leaky_relu_slope, maximum, mean, minimum
from refute.models import Dataset, TwoLayer
from refute.models.geometry.elimination import inverse, rank
from refute.models.kou2023.decomposition import Decomposition, unroll, unroll_long, unroll_weights
from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii
from refute.models.loss import expit
from refute.strategies.kou2023.nearly_orthogonal import LEAKS, any_training, training

ANY = any_training()
EITHER = training(leaks=(Fraction(0), *LEAKS[:3]))
STEPS = 5
ROUND_OFF = 1e-11  # of a hundred steps in float64, where signals and coefficients are of order one


def _existence_proof() -> str | None:
    import sympy

    x, square, rho, c = sympy.symbols("x q rho c", positive=True)
    residual = rho / square * x + c * x - (rho + c * square) / square * x
    return by_identity(
        lambda: [residual],
        "a step (3.2) adds c_i x_i with numbers c_i, so rho_i + c_i |x_i|^2 serves for rho_i; rho(0) = 0",
    )


@claim(
    "kou2023.def_5_1.existence",
    "Definition 5.1, Eq. (5.1)",
    given=ANY,
    assumes=[signed_halves, nonzero_inputs],
    proof=_existence_proof,
    recorded="proved",
    mutants=[moved("normalised by |x_i|^-4", power=2), moved("coefficients with sigma'(0) = 0", at_zero=Fraction(0))],
    convention="any nonzero inputs, dependent ones too; the coefficients are those of the recursion (5.3)-(5.5)",
    cost=4.0,
)
def coefficients_exist(
    data: Dataset, net: TwoLayer, rate: Number, *, power: int = 1, at_zero: Number = Fraction(1)
) -> Margin:
    r"""At every step $w_{j,r}^{(t)}=w_{j,r}^{(0)}+\sum_i\rho_{j,r,i}^{(t)}\|x_i\|^{-2}x_i$ for some coefficients $\rho$."""
    course = unroll(net, data, rate=rate, steps=STEPS, slope_at_zero=at_zero)
    rebuilt = course.start.inner + (course.rho.reshape(STEPS + 1, net.width, -1) / course.squares**power) @ data.inputs
    descended = np.array([now.inner for now in unroll_weights(net, data, rate=rate, steps=STEPS)])
    return equal(rebuilt, descended, "w(0) + sum of rho_i x_i/|x_i|^2 against w(t)")


@claim(
    "kou2023.def_5_1.uniqueness",
    "Definition 5.1",
    given=ANY,
    assumes=[signed_halves, nonzero_inputs],
    recorded="refuted",
    convention="two lists of coefficients give the same weights exactly when the inputs are linearly dependent",
)
def coefficients_are_unique_as_printed(data: Dataset) -> Margin:
    r"""The coefficients in (5.1) are unique, no condition on the data being stated at that place.

    Fails for dependent inputs: with $x_1=x_2$ only the sum $\rho_1+\rho_2$ is determined.
    """
    return at_least(rank(data.inputs), len(data.labels), "rank of the inputs against n")


def _independence_proof() -> str | None:
    import sympy

    a, b = sympy.symbols("a b", nonnegative=True)
    meaning = (
        "2ab <= a^2 + b^2, so |sum c_i x_i|^2 >= sum c_i^2 |x_i|^2 - p sum_{i != k} |c_i c_k| >= (R_min^2 - (n-1)p) "
        "|c|^2, "
        "and (n-1)p < R_min^2 since np <= R_min^2/(C R^2) and R_min > 0"
    )
    return by_identity(lambda: [a**2 + b**2 - 2 * a * b - (a - b) ** 2], meaning)


@claim(
    "kou2023.def_5_1.uniqueness.amended",
    "Definition 5.1 under the conditions of Section 4",
    given=training(constants=(1, 2, 100)),
    assumes=[near_orthogonal],
    proof=_independence_proof,
    recorded="proved",
    mutants=[without(near_orthogonal), moved("with n + 1 in place of n", extra=1)],
    convention="C >= 1 is enough: the Gram matrix is strictly diagonally dominant, since (n-1)p < np <= R_min^2 "
    "unless p = 0",
    cost=3.0,
)
def coefficients_of_nearly_orthogonal_data_are_unique(data: Dataset, *, extra: int = 0) -> Margin:
    r"""Amended: under $R_{\min}^2\ge CR^2np$, here with $C\ge1$, the inputs are independent, so the coefficients are unique."""
    return at_least(rank(data.inputs), len(data.labels) + extra, "rank of the inputs against n")


def _split_proof() -> str | None:
    def statement() -> Any:
        import z3

        rho, zero = z3.Real("rho"), z3.RealVal(0)
        return rho == z3.If(rho >= 0, rho, zero) + z3.If(rho <= 0, rho, zero)

    return by_smt(statement)


@claim(
    "kou2023.def_5_1.split",
    "Definition 5.1, Eq. (5.2)",
    given=ANY,
    assumes=[signed_halves, nonzero_inputs],
    proof=_split_proof,
    recorded="proved",
    mutants=[moved("the negative part subtracted", sign=-1), moved("positive parts only", sign=0)],
    convention="the proof is about one coefficient; a coefficient zero is in both parts and adds nothing",
    cost=4.0,
)
def the_decomposition_splits_into_signs(data: Dataset, net: TwoLayer, rate: Number, *, sign: int = 1) -> Margin:
    r"""$w^{(t)}=w^{(0)}+\sum_i\bar\rho_i\|x_i\|^{-2}x_i+\sum_i\underline\rho_i\|x_i\|^{-2}x_i$ with $\bar\rho=\max(\rho,0)$ and
    $\underline\rho=\min(\rho,0)$.
    """
    course = unroll(net, data, rate=rate, steps=STEPS)
    parts = maximum(course.rho, course.rho * 0) + sign * minimum(course.rho, course.rho * 0)
    rebuilt = net.inner.reshape(1, 2, course.width, -1) + (parts / course.squares) @ data.inputs
    return equal(rebuilt, course.weights, "w(0) + both parts against w(t)")


class _Recovered:
    """Coefficients solved from the weights at steps 0, ..., STEPS, and what the update rule needs: axes (time, neuron, sample)."""

    def __init__(self, data: Dataset, net: TwoLayer, rate: Number) -> None:
        nets = list(unroll_weights(net, data, rate=rate, steps=STEPS))
        x, y = data.inputs, data.labels
        solver = x.T @ inverse(x @ x.T)
        m = net.width // 2
        self.rho: Array = np.array([(now.inner - net.inner) @ solver for now in nets]) * squared_norms(x)
        self.raw: Array = np.array([now.inner @ solver for now in nets]) * squared_norms(x)
        self.gates: Array = np.array([leaky_relu_slope(now.inner @ x.T, net.slope, net.slope * 0 + 1) for now in nets])
        self.logits: Array = np.array([expit(-y * now(x)) for now in nets])  # |l'| = -l'
        self.rate, self.n, self.m, self.squares = rate, len(y), m, squared_norms(x)
        self.own: Array = np.array(
            [[int((k < m) == (label > 0)) for label in y] for k in range(net.width)], dtype=object
        )

    @property
    def bar(self) -> Array:
        return np.asarray(maximum(self.rho, self.rho * 0))

    @property
    def under(self) -> Array:
        return np.asarray(minimum(self.rho, self.rho * 0))

    def push(self, own: Array, shares: int = 1, gated: int = 1) -> Array:
        """eta/(nm) |l_i'| sigma' |x_i|^2 where `own` is one, at every step but the last."""
        gates = self.gates if gated else self.gates * 0 + 1
        return np.asarray(
            self.rate * (gates * self.logits[:, None, :] * self.squares * own)[:-1] / (self.n * self.m**shares)
        )


def _update_proof() -> str | None:
    """One step of one coefficient: the push g = eta/(nm) |l'| sigma' |x|^2 >= 0 goes to the side s = j y, and rho stays on that side."""

    def statement() -> Any:
        import z3

        rho, g, s, zero = z3.Real("rho"), z3.Real("g"), z3.Real("s"), z3.RealVal(0)

        def above(value: Any) -> Any:
            return z3.If(value >= 0, value, zero)

        def below(value: Any) -> Any:
            return z3.If(value <= 0, value, zero)

        given = z3.And(z3.Or(s == 1, s == -1), g >= 0, s * rho >= 0)
        after = rho + s * g
        bar = above(after) == above(rho) + z3.If(s == 1, g, zero)
        under = below(after) == below(rho) - z3.If(s == -1, g, zero)
        return z3.Implies(given, z3.And(s * after >= 0, bar, under))

    step = by_smt(statement)
    meaning = (
        "(3.2) adds s_i g_i |x_i|^-2 x_i to a neuron, the coefficients are unique and zero at t = 0, and by "
        "induction s_i rho_i >= 0"
    )
    return step and f"{step}; {meaning}, which gives both updates and their sums"


_UPDATE_MUTANTS = [
    moved("1/n in place of 1/(nm)", shares=0),
    moved("without sigma'", gated=0),
    moved("for both signs of j y_i", either=1),
]
_SETTING: dict[str, Any] = {
    "given": EITHER,
    "assumes": [signed_halves, near_orthogonal],
    "proof": _update_proof,
    "recorded": "proved",
    "cost": 4.0,
}
_UNIQUE = (
    "nearly orthogonal data, so that the coefficients are unique; any step size (here 1, inputs of norm 1/1024 "
    "to 2048), both activations"
)


def _bar_update(found: _Recovered, shares: int, gated: int, either: int) -> Margin:
    gained = found.push(found.own * 0 + 1 if either else found.own, shares, gated)
    return equal(found.bar[1:], found.bar[:-1] + gained, "rho-bar(t+1)")


def _under_update(found: _Recovered, shares: int, gated: int, either: int) -> Margin:
    lost = found.push(found.own * 0 + 1 if either else 1 - found.own, shares, gated)
    return equal(found.under[1:], found.under[:-1] - lost, "rho-underbar(t+1)")


@claim(
    "kou2023.lemma_5_2.init",
    "Lemma 5.2, Eq. (5.3)",
    mutants=[moved("at step 1", step=1), moved("coefficients of w(t) itself", centred=0)],
    convention=_UNIQUE,
    **_SETTING,
)
def coefficients_start_at_zero(
    data: Dataset, net: TwoLayer, rate: Number, *, step: int = 0, centred: int = 1
) -> Margin:
    r"""$\bar\rho^{(0)}_{j,r,i}=\underline\rho^{(0)}_{j,r,i}=0$."""
    found = _Recovered(data, net, rate)
    return equal((found.rho if centred else found.raw)[step], 0, "rho(0)")


@claim(
    "kou2023.lemma_5_2.rho_bar_update", "Lemma 5.2, Eq. (5.4)", mutants=_UPDATE_MUTANTS, convention=_UNIQUE, **_SETTING
)
def positive_coefficients_grow_by_the_printed_rule(
    data: Dataset, net: TwoLayer, rate: Number, *, shares: int = 1, gated: int = 1, either: int = 0
) -> Margin:
    r"""$\bar\rho^{(t+1)}=\bar\rho^{(t)}-\frac\eta{nm}\ell_i'^{(t)}\sigma'(\langle w^{(t)},x_i\rangle)\|x_i\|^21(y_i=j)$."""
    return _bar_update(_Recovered(data, net, rate), shares, gated, either)


@claim(
    "kou2023.lemma_5_2.rho_under_update",
    "Lemma 5.2, Eq. (5.5)",
    mutants=_UPDATE_MUTANTS,
    convention=_UNIQUE,
    **_SETTING,
)
def negative_coefficients_fall_by_the_printed_rule(
    data: Dataset, net: TwoLayer, rate: Number, *, shares: int = 1, gated: int = 1, either: int = 0
) -> Margin:
    r"""$\underline\rho^{(t+1)}=\underline\rho^{(t)}+\frac\eta{nm}\ell_i'^{(t)}\sigma'(\langle w^{(t)},x_i\rangle)\|x_i\|^21(y_i=-j)$."""
    return _under_update(_Recovered(data, net, rate), shares, gated, either)


@claim("kou2023.lemma_a3.update", "Lemma A.3", mutants=_UPDATE_MUTANTS, convention=_UNIQUE, **_SETTING)
def coefficients_follow_the_update_rule(
    data: Dataset, net: TwoLayer, rate: Number, *, shares: int = 1, gated: int = 1, either: int = 0
) -> Margin:
    r"""The coefficients start at zero; $\bar\rho$ moves only where $y_i=j$ and $\underline\rho$ only where $y_i=-j$, each by
    $\frac\eta{nm}|\ell_i'|\sigma'(\langle w_{j,r},x_i\rangle)\|x_i\|^2$ per step, up and down.
    """
    found = _Recovered(data, net, rate)
    parts = [rule(found, shares, gated, either) for rule in (_bar_update, _under_update)]
    return all_of(equal(found.rho[0], 0, "rho(0)"), *parts)


@claim(
    "kou2023.lemma_a3.proof_closed_form",
    "proof of Lemma A.3, Eqs. (A.1) and (A.2)",
    mutants=[*_UPDATE_MUTANTS[:2], moved("the sum runs over s = 1, ..., t", first=1)],
    convention=_UNIQUE,
    **_SETTING,
)
def coefficients_are_sums_over_the_past(
    data: Dataset, net: TwoLayer, rate: Number, *, shares: int = 1, gated: int = 1, first: int = 0
) -> Margin:
    r"""$\bar\rho^{(t)}=-\frac\eta{nm}\sum_{s<t}\ell_i'^{(s)}\sigma'(\cdot)\|x_i\|^21(y_i=j)$, $\underline\rho^{(t)}$ with $+$ and
    $1(y_i=-j)$, and $\rho^{(t)}=-\frac\eta{nm}\sum_{s<t}\ell_i'^{(s)}\sigma'(\cdot)\|x_i\|^2jy_i$.
    """
    found = _Recovered(data, net, rate)
    last = STEPS - first
    sums = {
        sign: found.push(own, shares, gated)[first:].sum(axis=0)
        for sign, own in (("bar", found.own), ("under", 1 - found.own))
    }
    return all_of(
        equal(found.bar[last], sums["bar"], "rho-bar(t)"),
        equal(found.under[last], -sums["under"], "rho-underbar(t)"),
        equal(found.rho[last], sums["bar"] - sums["under"], "rho(t)"),
    )


_SMALL = [signed_halves, near_orthogonal, small_step, small_start, tame_start]


def _overlap(data: Dataset) -> Number:
    return largest_overlap(data.inputs) / squared_radii(data.inputs)[0]


@claim(
    "kou2023.sec5.rho_close_to_inner_product.r1",
    "Section 5.1, after Definition 5.1",
    kind=Kind.DYNAMICS,
    given=EITHER,
    assumes=_SMALL,
    recorded="supported",
    mutants=[moved("without the initial signal", slack=0), moved("without the overlaps", overlap=0)],
    convention="close: up to the initial signal and R_min^-2 n p times the largest coefficient of the neuron, at "
    "every step",
    cost=0.5,
)
def coefficients_are_signals_up_to_start_and_overlaps(
    data: Dataset, net: TwoLayer, rate: float, *, slack: int = 1, overlap: int = 1
) -> Margin:
    r"""$|\langle w^{(t)}_{j,r},x_i\rangle-\rho^{(t)}_{j,r,i}|\le\beta+R_{\min}^{-2}pn\max_k|\rho^{(t)}_{j,r,k}|$, first 60 steps."""
    course = unroll(net, data, rate=rate, steps=60)
    top = absolute(course.rho).max(axis=3)
    bound = slack * course.beta + overlap * len(data.labels) * _overlap(data) * top
    return at_most(absolute(course.signals - course.rho), bound[..., None], "|<w, x_i> - rho_i|", error=ROUND_OFF)


@claim(
    "kou2023.sec5.rho_close_to_inner_product.r2",
    "Section 5.1, after Definition 5.1",
    kind=Kind.DYNAMICS,
    given=training(),
    assumes=LEAKY_APPENDIX,
    recorded="supported",
    mutants=[moved("within 1/10000", band=1e-4), moved("after 100 steps", time=100.0)],
    convention="close: the ratio is within a tenth of 1 for every neuron and sample at t = 10^12; the tenth is our "
    "choice",
)
def leaky_coefficients_are_signals_in_the_long_run(
    data: Dataset, net: TwoLayer, rate: float, *, band: float = 0.1, time: float = 1e12
) -> Margin:
    r"""For leaky ReLU $\langle w^{(t)}_{j,r},x_i\rangle/\rho^{(t)}_{j,r,i}$ comes close to 1 for all neurons and samples."""
    course = unroll_long(net, data, rate=rate, times=[time])
    return at_most(np.abs(course.signals / course.rho - 1), band, "|<w, x_i>/rho_i - 1|", error=course.error)


@claim(
    "kou2023.sec5.rho_close_to_inner_product.r3",
    "Section 5.1, after Definition 5.1",
    given=RELU,
    assumes=[*RELU_APPENDIX, off_boundaries],
    recorded="refuted",
    mutants=[moved("within nine tenths", band=Fraction(9, 10))],
    convention="close: as the second reading, but for ReLU; the mutant is weaker and falls too",
    cost=6.0,
)
def relu_coefficients_are_signals_in_the_long_run(
    data: Dataset, net: TwoLayer, rate: Number, *, band: Number = Fraction(1, 10)
) -> Margin:
    r"""For ReLU the same: $|\langle w^{(t)}_{j,r},x_i\rangle-\rho^{(t)}_{j,r,i}|\le\frac1{10}|\rho^{(t)}_{j,r,i}|$ after 100 steps.

    Fails for ever: a neuron that is never active on $x_i$ keeps $\rho=0$ and its signal $\langle w^{(0)},x_i\rangle<0$.
    """
    course = unroll(net, data, rate=rate, steps=100)
    return at_most(
        absolute(course.signals - course.rho)[-1],
        band * absolute(course.rho)[-1],
        "|<w, x_i> - rho_i| against |rho_i|/10",
    )


def _around_mean_coefficient(
    course: Decomposition, values: Array, side: int, slack: int, factor: Number, error: float = ROUND_OFF
) -> Margin:
    """|F_j - mean_r values| <= sum_{k != i} mean_r |rho_k| p/R_min^2 + beta, at every step."""
    sizes = mean(absolute(course.rho), axis=2)
    others = (sizes.sum(axis=2)[..., None] - sizes) * _overlap(course.data) + slack * course.beta
    gap = absolute(course.outputs - factor * mean(values, axis=2))
    pick = course.own if side > 0 else course.opposite
    return at_most(pick(gap), pick(others), "|F_j - mean of rho_i| against the overlaps", error=error)


@claim(
    "kou2023.eq_5_9.F_approx.r1",
    "Eq. (5.9)",
    kind=Kind.DYNAMICS,
    given=EITHER,
    assumes=_SMALL,
    recorded="supported",
    mutants=[moved("without the slack beta", slack=0), moved("a tenth more than the mean", factor=1.1)],
    convention="j = y_i; the sign for approximately equal is read as: up to the printed term and beta, first 100 steps",
    cost=0.5,
)
def own_output_is_the_mean_coefficient(
    data: Dataset, net: TwoLayer, rate: Number, *, slack: int = 1, factor: float = 1.0
) -> Margin:
    r"""$F_{y_i}(x_i)=\frac1m\sum_r\rho_{y_i,r,i}\pm\sum_{k\ne i}(\frac1m\sum_r|\rho_{y_i,r,k}|)R_{\min}^{-2}p\pm\beta$."""
    course = unroll(net, data, rate=rate, steps=100)
    return _around_mean_coefficient(course, course.rho, 1, slack, factor)


@claim(
    "kou2023.eq_5_9.F_approx.r2",
    "Eq. (5.9)",
    given=training(leaks=LEAKS[:3]),
    assumes=[*LEAKY_MAIN, off_boundaries],
    recorded="refuted",
    convention="j = -y_i, leaky ReLU; otherwise as the first reading",
    cost=6.0,
)
def opposite_output_is_the_mean_coefficient(data: Dataset, net: TwoLayer, rate: Number) -> Margin:
    r"""$F_{-y_i}(x_i)=\frac1m\sum_r\rho_{-y_i,r,i}\pm\sum_{k\ne i}(\frac1m\sum_r|\rho_{-y_i,r,k}|)R_{\min}^{-2}p\pm\beta$.

    Fails: these coefficients are negative, where $\sigma$ has slope $\gamma$. With $p=0$ and all signals negative
    $F_{-y_i}=\frac\gamma m\sum_r(\rho+\langle w^{(0)},x_i\rangle)$, and $(1-\gamma)|\rho|$ grows beyond $\beta$.
    """
    course = unroll(net, data, rate=rate, steps=100)
    return _around_mean_coefficient(course, course.rho, -1, 1, net.slope * 0 + 1, error=0)


@claim(
    "kou2023.eq_5_9.F_approx.amended",
    "Eq. (5.9) with sigma around the coefficients",
    kind=Kind.DYNAMICS,
    given=EITHER,
    assumes=_SMALL,
    recorded="supported",
    mutants=[moved("without the slack beta", slack=0), moved("without sigma", slope=1.0)],
    cost=0.5,
)
def both_outputs_are_mean_activations_of_the_coefficients(
    data: Dataset, net: TwoLayer, rate: Number, *, slack: int = 1, slope: float | None = None
) -> Margin:
    r"""Amended: $\frac1m\sum_r\sigma(\rho_{j,r,i})$ in place of $\frac1m\sum_r\rho_{j,r,i}$, for both signs j; $\sigma$ is 1-Lipschitz."""
    course = unroll(net, data, rate=rate, steps=100)
    values, one = leaky_relu(course.rho, net.slope if slope is None else slope), net.slope * 0 + 1
    return all_of(*(_around_mean_coefficient(course, values, side, slack, one) for side in (1, -1)))
