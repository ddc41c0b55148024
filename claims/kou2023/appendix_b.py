r"""Appendix B without the induction of Lemma B.3: the conditions (B.2) to (B.7), the first stage, and facts that need
no induction.

$\beta$ is the largest initial signal and $T_1=C'\eta^{-1}nmR_{\max}^{-2}$ with $C'=2$. Statements about single steps
are tested on any data, repeated, dependent and zero inputs included.
"""

from fractions import Fraction
from typing import Any

from refute import Kind, Margin, at_most, claim, moved, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import (
    LEAKY,
    LEAKY_APPENDIX,
    near_orthogonal_leaky,
    signed_halves,
    small_start,
    small_start_leaky,
    small_step,
)
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import log
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.orthogonality import largest_overlap, squared_radii
from refute.strategies import choice, sized
from refute.strategies.kou2023.nearly_orthogonal import any_training, training

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
