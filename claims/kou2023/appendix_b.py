r"""Appendix B without the induction of Lemma B.3: the conditions (B.2) to (B.7), the first stage, and facts that need
no induction.

$\beta$ is the largest initial signal and $T_1=C'\eta^{-1}nmR_{\max}^{-2}$ with $C'=2$. Statements about single steps
are tested on any data, repeated, dependent and zero inputs included.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from refute import Kind, Margin, all_of, at_least, at_most, claim, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import (
    LEAKY,
    LEAKY_APPENDIX,
    near_orthogonal_leaky,
    signed_halves,
    small_start,
    small_start_leaky,
    small_step,
)
from refute.claims.kou2023.leaky_coefficients import STAGE, overlap
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, log
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, last_step_before, stage_length, unroll
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.strategies import choice, positive, sized
from refute.strategies.kou2023.nearly_orthogonal import LEAKS, any_training, training

ROUND_OFF = 1e-9
GIVEN = training(constants=(100,))
ANY = any_training()
STEPS = 25

_STAGE: dict[str, Any] = {"kind": Kind.DYNAMICS, "given": GIVEN, "assumes": LEAKY_APPENDIX, "recorded": "supported"}
_STEPWISE: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": ANY,
    "assumes": [signed_halves],
    "recorded": "proved",
    "cost": 0.5,
}


# The conditions


def _start_bound(data: Dataset, net: TwoLayer, scale: Number, delta: Number, C: int) -> Number:
    """(sigma_0 C R_max)^2 log(mn/delta)."""
    return scale * scale * C * C * squared_radii(data.inputs)[1] * log(len(data.labels) * (net.width // 2) / delta)


def _smaller_than_before() -> str | None:
    def statement() -> Any:
        import z3

        a, gamma = z3.Reals("a gamma")
        return z3.Implies(z3.And(gamma > 0, gamma < 1, a <= gamma * gamma), a <= 1)

    return by_smt(statement)


@claim(
    "kou2023.cond_b2_b4.definition.r1",
    "Eqs. (B.2) to (B.4)",
    given=LEAKY,
    assumes=[signed_halves, near_orthogonal_leaky, small_step, small_start_leaky],
    proof=_smaller_than_before,
    cost=2.0,
    recorded="proved",
    mutants=[
        without(small_start_leaky),
        moved("and three quarters of gamma times that", share=Fraction(3, 4), power=1),
    ],
    convention="(B.3) and (B.4) are conditions of the theorem word by word; what is compared is the scale of the "
    "initial weights",
)
def conditions_of_the_appendix_imply_those_of_the_theorem(
    data: Dataset, net: TwoLayer, scale: Number, delta: Number, C: int, *, share: Number = Fraction(1), power: int = 0
) -> Margin:
    r"""$\sigma_0\le\gamma(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$ gives
    $\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$.
    """
    bound = share * (net.slope if power else net.slope * 0 + 1)
    return at_most(_start_bound(data, net, scale, delta, C), bound * bound, "(sigma_0 C R_max)^2 log(mn/delta)")


@claim(
    "kou2023.cond_b2_b4.definition.r2",
    "Eq. (B.2), under the conditions of Theorem 4.1",
    given=LEAKY,
    assumes=[signed_halves, near_orthogonal_leaky, small_step, small_start],
    recorded="refuted",
    mutants=[moved("twice the bound", share=Fraction(2))],
    convention="the lemmas of appendix B are said to hold under the conditions of Theorem 4.1; the mutant is weaker "
    "and falls too",
)
def conditions_of_the_theorem_imply_those_of_the_appendix(
    data: Dataset, net: TwoLayer, scale: Number, delta: Number, C: int, *, share: Number = Fraction(1)
) -> Margin:
    r"""$\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$ gives
    $\sigma_0\le\gamma(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$.

    Fails wherever $\sigma_0$ is at its bound, since $\gamma<1$: (B.2) asks for a smaller start than the theorem, by the
    factor $\gamma$.
    """
    bound = share * net.slope
    return at_most(_start_bound(data, net, scale, delta, C), bound * bound, "(sigma_0 C R_max)^2 log(mn/delta)")


CHANCE = sized(
    mn=choice(1, 2, 5, 100), delta=choice("9/10", "1/2", "1/10", "999/1000", "1/100000"), share=choice("1", "1/2", "0")
)


def _looser_bound() -> str | None:
    import sympy

    x = sympy.symbols("x", positive=True)
    residual = sympy.expand_log(4 * sympy.log(12 * x) - 2 * sympy.log(8 * x) - 2 * sympy.log(18 * x), force=True)
    return by_identity(lambda: [residual], "4 log(12x) - 2 log(8x) = 2 log(18x) > 0 for x = mn/delta > 1")


@claim(
    "kou2023.cond_b.beta_bound",
    "Appendix B, before Eq. (B.5)",
    given=CHANCE,
    proof=_looser_bound,
    recorded="proved",
    mutants=[
        moved("factor 5/4", factor=Fraction(5, 4)),
        moved("log(2mn/delta) and factor 3/2", inside=2, factor=Fraction(3, 2)),
    ],
    convention="beta is any share in [0, 1] of the bound of Lemma A.1; both sides are squared and divided by (sigma_0 "
    "R_max)^2",
)
def initial_signals_obey_the_bound_of_the_appendix(
    mn: int, delta: Number, share: Number, *, factor: Number = Fraction(2), inside: int = 12
) -> Margin:
    r"""On the event of Lemma A.1, $\beta\le2\sqrt{\log(12mn/\delta)}\,\sigma_0R_{\max}$."""
    beta = share * share * 2 * log(8 * mn / delta)
    return at_most(
        beta, factor * factor * log(inside * mn / delta), "beta^2 against its bound, in units of (sigma_0 R_max)^2"
    )


def _relative_beta(mn: int, delta: Number, share: Number) -> Number:
    """(C beta/gamma)^2 where sigma_0 is at the bound (B.2) and beta a share of the bound of Lemma A.1."""
    return share * share * 2 * log(8 * mn / delta) / log(mn / delta)


@claim(
    "kou2023.cond_b5.beta_small",
    "Eq. (B.5)",
    given=sized(
        mn=choice(1, 2), delta=choice("1/2", "99999999999999999999/100000000000000000000"), share=choice("1", "1/2")
    ),
    recorded="refuted",
    mutants=[moved("C = 10^9", C=10**9)],
    convention="c = 1/20, C = 10^6, on the event of Lemma A.1; the mutant is weaker and falls too",
)
def initial_signals_are_small(
    mn: int, delta: Number, share: Number, *, c: Number = Fraction(1, 20), C: int = 10**6
) -> Margin:
    r"""(B.2) with a sufficiently large constant C gives $\beta\le c\gamma$ with a small constant c.

    Fails for every C: the two logarithms differ. With $mn=1$ and $\delta\to1$, (B.2) allows
    $\sigma_0R_{\max}=\gamma(C\sqrt{\log(1/\delta)})^{-1}$, which is unbounded; Lemma A.1 bounds
    $\beta$ by $\sqrt{2\log(8/\delta)}$ times it.
    """
    return at_most(_relative_beta(mn, delta, share), c * c * C * C, "(C beta/gamma)^2 against (cC)^2")


def _logarithms_compare() -> str | None:
    def statement() -> Any:
        import z3

        x = z3.Real("x")
        return z3.Implies(x >= 2, 8 * x <= x * x * x * x)

    return steps(by_smt(statement), "so 2 log(8x) <= 8 log x for x = mn/delta >= 2")


@claim(
    "kou2023.cond_b5.beta_small.amended",
    "Eq. (B.5) for mn >= 2 delta",
    given=sized(mn=choice(1, 2, 5, 100), delta=choice("1/2", "1/10", "1/3", "1/100000"), share=choice("1", "1/2", "0")),
    proof=_logarithms_compare,
    recorded="proved",
    mutants=[moved("2 gamma/C", square=Fraction(4)), moved("11/4 gamma/C", square=Fraction(121, 16))],
    convention="squared; on the event of Lemma A.1",
)
def initial_signals_are_small_unless_failure_is_likely(
    mn: int, delta: Number, share: Number, *, square: Number = Fraction(8)
) -> Margin:
    r"""Amended: for $\delta\le mn/2$, (B.2) gives $\beta\le\sqrt8\,\gamma/C$; the logarithm of $mn/\delta$ must stay
    away from zero.
    """
    return at_most(_relative_beta(mn, delta, share), square, "(C beta/gamma)^2 against 8")


def _overlap_size(data: Dataset, net: TwoLayer, power: int, radii: int) -> Number:
    """gamma^-power R_min^-2 R^radii n p."""
    low, high = squared_radii(data.inputs)
    size = len(data.labels) * largest_overlap(data.inputs) / low
    for _ in range(power):
        size = size / net.slope
    for _ in range(radii // 2):
        size = size * high / low
    return size


def _overlaps_small(power: int, radii: int) -> str | None:
    def statement() -> Any:
        import z3

        gamma, ratio, e, c = z3.Reals("gamma ratio e c")  # ratio = R^2, e = R_min^-2 n p, c = 1/C
        g2 = gamma * gamma
        given = z3.And(gamma > 0, gamma < 1, ratio >= 1, e >= 0, c > 0, c * g2 * g2 >= ratio * e)
        return z3.Implies(given, c * (g2 if power == 2 else g2 * g2) >= (ratio if radii else 1) * e)

    return by_smt(statement)


_OVERLAPS: dict[str, Any] = {"given": LEAKY, "assumes": [near_orthogonal_leaky], "recorded": "proved", "cost": 2.0}


@claim(
    "kou2023.cond_b6.np_small.r1",
    "Eq. (B.6)",
    proof=lambda: _overlaps_small(4, 0),
    mutants=[moved("c = 3/(4C)", share=Fraction(3, 4)), moved("gamma^-5", power=5), without(near_orthogonal_leaky)],
    convention="gamma to the power -4; c = 1/C",
    **_OVERLAPS,
)
def overlaps_are_small_for_the_slope(
    data: Dataset, net: TwoLayer, C: int, *, power: int = 4, share: Number = Fraction(1)
) -> Margin:
    r"""(B.4) gives $\gamma^{-4}R_{\min}^{-2}np\le c$."""
    return at_most(C * _overlap_size(data, net, power, 0), share, "C gamma^-4 R_min^-2 n p against cC")


@claim(
    "kou2023.cond_b6.np_small.r2",
    "Eq. (B.6)",
    proof=lambda: _overlaps_small(2, 0),
    mutants=[moved("c = 1/(8C)", share=Fraction(1, 8)), moved("gamma^-5", power=5), without(near_orthogonal_leaky)],
    convention="gamma to the power -2; c = 1/C",
    **_OVERLAPS,
)
def overlaps_are_small_for_the_square_of_the_slope(
    data: Dataset, net: TwoLayer, C: int, *, power: int = 2, share: Number = Fraction(1)
) -> Margin:
    r"""(B.4) gives $\gamma^{-2}R_{\min}^{-2}np\le c$."""
    return at_most(C * _overlap_size(data, net, power, 0), share, "C gamma^-2 R_min^-2 n p against cC")


@claim(
    "kou2023.cond_b7.np_small_R",
    "Eq. (B.7)",
    proof=lambda: _overlaps_small(4, 2),
    mutants=[
        moved("c = 3/(4C)", share=Fraction(3, 4)),
        moved("R^4", radii=4),
        moved("gamma^-5", power=5),
        without(near_orthogonal_leaky),
    ],
    convention="c = 1/C",
    **_OVERLAPS,
)
def overlaps_are_small_for_slope_and_radii(
    data: Dataset, net: TwoLayer, C: int, *, power: int = 4, radii: int = 2, share: Number = Fraction(1)
) -> Margin:
    r"""(B.4) gives $\gamma^{-4}R_{\min}^{-2}R^2np\le c$."""
    return at_most(C * _overlap_size(data, net, power, radii), share, "C gamma^-4 R_min^-2 R^2 n p against cC")


# The first stage, Lemma B.2


def _unit(course: Decomposition, rate: float) -> Array:
    """eta |x_i|^2/(nm)."""
    return np.asarray(rate * course.squares / (len(course.squares) * course.width))


def _first_stage(data: Dataset, net: TwoLayer, rate: float) -> Decomposition:
    return unroll(net, data, rate=rate, steps=last_step_before(stage_length(net, data, rate, STAGE)))


_UPDATE = "(5.4) and (5.5) add sigma' |l_i'| eta |x_i|^2/(nm) to |rho|, with sigma' in [gamma, 1] and |l_i'| < 1"


def _by_induction(conclusion: Callable[[Any, Any, Any, Any, Any], Any]) -> str | None:
    r"""The conclusion from $\gamma S\le a,b\le S$ and $m\gamma S\le s\le mS$, which pass from S to S + u when a and b
    gain between $\gamma u$ and u: $S=\frac{\eta\|x_i\|^2}{nm}\sum_{s<t}|\ell_i'^{(s)}|$, a and b are two
    $|\rho_{j,r,i}|$, s a sum of m of them.
    """

    def step() -> Any:
        import z3

        gamma, S, a, slope, u = z3.Reals("gamma S a slope u")
        given = z3.And(gamma >= 0, gamma <= slope, slope <= 1, u >= 0, gamma * S <= a, a <= S)
        return z3.Implies(
            given,
            z3.And(gamma * u <= slope * u, slope * u <= u, gamma * (S + u) <= a + slope * u, a + slope * u <= S + u),
        )

    def end() -> Any:
        import z3

        gamma, S, a, b, m, s = z3.Reals("gamma S a b m s")
        sizes = [z3.And(gamma * S <= size, size <= S) for size in (a, b)]
        given = z3.And(gamma >= 0, gamma <= 1, S >= 0, m >= 1, *sizes, m * gamma * S <= s, s <= m * S)
        return z3.Implies(given, conclusion(gamma, a, b, m, s))

    return steps(_UPDATE, by_smt(step), by_smt(end))


def _linear_proof() -> str | None:
    def statement() -> Any:
        import z3

        slope, logit, unit, top, t, a = z3.Reals("slope logit unit top t a")
        given = z3.And(slope >= 0, slope <= 1, logit > 0, logit < 1, unit >= 0, unit <= top, t >= 0, a <= top * t)
        return z3.Implies(given, z3.And(slope * logit * unit <= unit, a + slope * logit * unit <= top * (t + 1)))

    return steps(_UPDATE, by_smt(statement))


@claim(
    "kou2023.lemma_b2.step_upper",
    "Eqs. (B.11) and (B.12)",
    proof=_linear_proof,
    mutants=[moved("half of it", share=0.5), moved("R_min in place of R_max", largest=0)],
    convention=f"any data, ReLU and leaky ReLU; {STEPS} steps",
    **_STEPWISE,
)
def coefficients_grow_by_at_most_one_unit(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, largest: int = 1
) -> Margin:
    r"""In one step $\bar\rho_{y_i,r,i}$ and $|\underline\rho_{-y_i,r,i}|$ grow by at most
    $\frac\eta{nm}\|x_i\|^2\le\frac{\eta R_{\max}^2}{nm}$.
    """
    course = unroll(net, data, rate=rate, steps=STEPS)
    unit = _unit(course, rate)
    return all_of(
        at_most(np.diff(np.abs(course.rho), axis=0), share * unit, "growth of |rho|", error=ROUND_OFF),
        at_most(share * unit, share * (unit.max() if largest else unit.min()), "eta |x_i|^2/(nm)", error=ROUND_OFF),
    )


@claim(
    "kou2023.lemma_b2.order_one",
    "proof of Lemma B.2, after Eq. (B.12)",
    mutants=[
        moved("|rho| at most 3C'/8", top=0.375),
        moved("|l'| at least 1/(1 + e^(C'/2))", exponent=0.5),
        without(small_start_leaky),
    ],
    convention="O(1) made explicit: C' for the coefficients, C'(1 + R_min^-2 pn) + beta for the outputs, 2C' + 2 beta "
    "for the margin",
    **_STAGE,
)
def everything_is_of_order_one_early(
    data: Dataset, net: TwoLayer, rate: float, *, top: float = 1.0, exponent: float = 2.0, start: float = 1.0
) -> Margin:
    r"""For $t\le T_1$: $|\rho_{j,r,i}|\le C'$, $F_{\pm1}(x_i)\le C'(1+R_{\min}^{-2}pn)+\beta$ with $\beta\le1$, and
    $|\ell_i'|\ge(1+e^{2C'+2\beta})^{-1}$.
    """
    course = _first_stage(data, net, rate)
    beta = float(course.beta)
    return all_of(
        at_most(beta, start, "beta"),
        at_most(np.abs(course.rho), top * STAGE, "|rho|", error=ROUND_OFF),
        at_most(course.outputs, STAGE * (1 + overlap(data)) + beta, "F_j", error=ROUND_OFF),
        at_least(course.logits, 1 / (1 + np.exp(exponent * (STAGE + beta))), "|l'|", error=ROUND_OFF),
    )


@claim(
    "kou2023.lemma_b2.lower_linear",
    "Eq. (B.13)",
    mutants=[
        moved("without gamma", power=0.0),
        moved("twice as much", gain=2.0),
        moved("R_max in place of R_min", largest=1),
    ],
    convention="the constant is the smallest |l'| of the stage",
    **_STAGE,
)
def coefficients_grow_at_least_linearly_early(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 1.0, gain: float = 1.0, largest: int = 0
) -> Margin:
    r"""For $0\le t\le T_1$: $|\rho_{j,r,i}|\ge\frac{\hat c\gamma\eta\|x_i\|^2}{nm}t\ge\frac{\hat c\gamma\eta
    R_{\min}^2}{nm}t$.
    """
    course = _first_stage(data, net, rate)
    speed = gain * float(course.logits.min()) * float(net.slope) ** power * _unit(course, rate)
    time = course.steps[:, None, None, None]
    return all_of(
        at_least(np.abs(course.rho), speed * time, "|rho|", error=ROUND_OFF),
        at_least(speed, speed.max() if largest else speed.min(), "speed against that with R_min", error=ROUND_OFF),
    )


@claim(
    "kou2023.lemma_b2.upper_linear",
    "Eq. (B.14)",
    proof=_linear_proof,
    mutants=[moved("half of it", share=0.5), moved("R_min in place of R_max", largest=0)],
    convention=f"any data, ReLU and leaky ReLU; {STEPS} steps",
    **_STEPWISE,
)
def coefficients_grow_at_most_linearly(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, largest: int = 1
) -> Margin:
    r"""$|\rho^{(t)}_{j,r,i}|\le\frac{\eta R_{\max}^2}{nm}t$ for all indices."""
    course = unroll(net, data, rate=rate, steps=STEPS)
    unit = _unit(course, rate)
    bound = share * (unit.max() if largest else unit.min()) * course.steps[:, None, None, None]
    return at_most(np.abs(course.rho), bound, "|rho|", error=ROUND_OFF)


def _choice_of_c2() -> str | None:
    def statement() -> Any:
        import z3

        a, b, c, c2, gamma, low, high, t = z3.Reals("a b c c2 gamma low high t")
        signs = z3.And(c > 0, gamma > 0, low > 0, high >= low, t >= 0, b >= 0, c2 > 0)
        return z3.Implies(
            z3.And(signs, a >= c * gamma * low * t, b <= high * t, c2 * high <= c * low), a >= c2 * gamma * b
        )

    return by_smt(statement)


@claim(
    "kou2023.lemma_b2.constant_choice",
    "end of the proof of Lemma B.2",
    given=sized(
        c=choice("1/4", "1/2", "1/100"),
        gamma=choice("1/2", "1/64", "7/8"),
        low=positive(),
        ratio=choice("1", "2", "4"),
        t=positive(),
        more=choice("1", "2"),
        less=choice("1", "1/2", "0"),
        share=choice("1", "1/2"),
    ),
    proof=_choice_of_c2,
    recorded="proved",
    mutants=[
        moved("c_2 at most a tenth more", gain=Fraction(11, 10)),
        moved("c_2 at most the constant itself", radii=0),
    ],
    convention="a and b stand for two coefficients, t for eta t/(nm); c_2 is a share of its bound",
)
def the_constant_of_the_early_balance(
    c: Number,
    gamma: Number,
    low: Number,
    ratio: Number,
    t: Number,
    more: Number,
    less: Number,
    share: Number,
    *,
    gain: Number = Fraction(1),
    radii: int = 1,
) -> Margin:
    r"""If $a\ge\hat c\gamma R_{\min}^2t$, $b\le R_{\max}^2t$ and $c_2\le\hat cR_{\min}^2R_{\max}^{-2}$, then
    $a\ge c_2\gamma b$.
    """
    a, b = more * c * gamma * low * t, less * ratio * low * t
    c2 = gain * share * c / (ratio if radii else 1)
    return at_least(a, c2 * gamma * b, "a against c_2 gamma b")


# Facts about single steps, and scalar inequalities


def _closed_bounds(
    data: Dataset, net: TwoLayer, rate: Number, count: int, first: int, top: Number, bottom: Number
) -> Margin:
    course = unroll(net, data, rate=rate, steps=count)
    parts = []
    for t in range(1, count + 1):
        total = (
            course.logits[first : t + first].sum(axis=0) * rate * course.squares / (len(course.squares) * course.width)
        )
        rho = absolute(course.rho[t])
        parts += [at_least(rho, bottom * net.slope * total, f"|rho({t})|"), at_most(rho, top * total, f"|rho({t})|")]
    return all_of(*parts)


_EXACT: dict[str, Any] = {"given": ANY, "assumes": [signed_halves], "cost": 3.0}


@claim(
    "kou2023.lemma_b4.closed_bounds.r1",
    "proof of Lemma B.4",
    recorded="refuted",
    mutants=[moved("a tenth of room above", top=Fraction(11, 10))],
    convention="the sum runs over s = 1, ..., t, as in print; 2 steps; the mutant is weaker and falls too",
    **{**_EXACT, "given": any_training(LEAKS)},
)
def coefficients_are_bounded_by_sums_from_one(
    data: Dataset, net: TwoLayer, rate: Number, *, top: Number = Fraction(1)
) -> Margin:
    r"""$\frac{\gamma\eta\|x_i\|^2}{nm}\sum_{s=1}^t|\ell_i'^{(s)}|\le|\rho^{(t)}_{j,r,i}|\le\frac{\eta\|x_i\|^2}{nm}\sum_{s=1}^t|\ell_i'^{(s)}|$.

    Fails at $t=1$: an active neuron has $|\rho^{(1)}|=\frac{\eta\|x_i\|^2}{nm}|\ell_i'^{(0)}|$, and $|\ell_i'|$ falls
    along the training.
    """
    return _closed_bounds(data, net, rate, 2, 1, top, top * 0 + 1)


@claim(
    "kou2023.lemma_b4.closed_bounds.r2",
    "proof of Lemma B.4",
    proof=lambda: _by_induction(lambda gamma, a, b, m, s: a >= 0),
    recorded="proved",
    mutants=[moved("a tenth less above", top=Fraction(9, 10)), moved("a tenth more below", bottom=Fraction(11, 10))],
    convention="the sum runs over s = 0, ..., t - 1; 3 steps, any data, slopes in [0, 1)",
    **_EXACT,
)
def coefficients_are_bounded_by_sums_from_zero(
    data: Dataset, net: TwoLayer, rate: Number, *, top: Number = Fraction(1), bottom: Number = Fraction(1)
) -> Margin:
    r"""$\frac{\gamma\eta\|x_i\|^2}{nm}\sum_{s<t}|\ell_i'^{(s)}|\le|\rho^{(t)}_{j,r,i}|\le\frac{\eta\|x_i\|^2}{nm}\sum_{s<t}|\ell_i'^{(s)}|$."""
    return _closed_bounds(data, net, rate, 3, 0, top, bottom)


@claim(
    "kou2023.eq_b41.sum_vs_single",
    "Eq. (B.41)",
    proof=lambda: steps(
        _by_induction(lambda gamma, a, b, m, s: m * a >= gamma * s),
        _by_induction(lambda gamma, a, b, m, s: s >= m * gamma * a),
    ),
    mutants=[moved("the root of gamma", power=0.5), moved("a quarter more", share=1.25)],
    convention=f"any data and slopes in [0, 1); {STEPS} steps",
    **_STEPWISE,
)
def sums_and_single_coefficients_are_comparable(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 1.0, share: float = 1.0
) -> Margin:
    r"""$m|\rho_{j,r,i}|\ge\gamma\sum_{r'}|\rho_{j,r',i}|$ and $\sum_r|\rho_{j,r,i}|\ge m\gamma|\rho_{j,r',i}|$."""
    course = unroll(net, data, rate=rate, steps=STEPS)
    size, gamma, m = np.abs(course.rho), share * float(net.slope) ** power, course.width
    return all_of(
        at_least(m * size.min(axis=2), gamma * size.sum(axis=2), "m |rho| against gamma sum", error=ROUND_OFF),
        at_least(size.sum(axis=2), m * gamma * size.max(axis=2), "sum against m gamma |rho|", error=ROUND_OFF),
    )


