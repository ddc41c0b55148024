r"""The conditions (B.2) to (B.7) of appendix B, and what they say of Theorem 4.1, of $\beta$ and of the overlaps."""

from fractions import Fraction
from typing import Any

from refute import Fault, Margin, at_most, derived, exponent, moved, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.claims.kou2023.assumptions import (
    LEAKY,
    near_orthogonal_leaky,
    signed_halves,
    small_start,
    small_start_leaky,
    small_step,
)
from refute.claims.kou2023.leaky_courses import gamma
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import log
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.orthogonality import relative_overlap, squared_radii
from refute.strategies import choice, sized


@derived
def start_bound(data: Dataset, net: TwoLayer, scale: Number, delta: Number, C: int) -> Number:
    """(sigma_0 C R_max)^2 log(mn/delta)."""
    return scale * scale * C * C * squared_radii(data.inputs)[1] * log(len(data.labels) * (net.width // 2) / delta)


definition = section(
    "kou2023",
    "cond_b2_b4",
    "Eqs. (B.2) to (B.4)",
    given=LEAKY,
    assumes=[signed_halves, near_orthogonal_leaky, small_step],
    derived=[start_bound],
)


def _smaller_than_before() -> str | None:
    def statement() -> Any:
        import z3

        a, gamma = z3.Reals("a gamma")
        return z3.Implies(z3.And(gamma > 0, gamma < 1, a <= gamma * gamma), a <= 1)

    return by_smt(statement)


@definition.claim(
    "definition.r1",
    assumes=[*definition.assumes, small_start_leaky],
    recorded="proved",
    proof=_smaller_than_before,
    cost=2.0,
)
@mutants(without(small_start_leaky), scaled("3/5"))
def conditions_of_the_appendix_imply_those_of_the_theorem(start_bound: Number) -> Margin:
    r"""$\sigma_0\le\gamma(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$ gives
    $\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$.

    Convention: (B.3) and (B.4) are conditions of the theorem word by word; what is compared is the scale of the initial
    weights, squared.
    """
    return at_most(start_bound, 1, "(sigma_0 C R_max)^2 log(mn/delta)")


@definition.claim(
    "definition.r2",
    "under the conditions of Theorem 4.1",
    assumes=[*definition.assumes, small_start],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
)
@mutants(scaled("3/2"))
def conditions_of_the_theorem_imply_those_of_the_appendix(start_bound: Number, net: TwoLayer) -> Margin:
    r"""$\sigma_0\le(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$ gives
    $\sigma_0\le\gamma(CR_{\max}\sqrt{\log(mn/\delta)})^{-1}$.

    Fails wherever $\sigma_0$ is at its bound, since $\gamma<1$: (B.2) asks for a smaller start than the theorem, by the
    factor $\gamma$.

    Convention: the lemmas of appendix B are said to hold under the conditions of Theorem 4.1; squared.
    """
    return at_most(start_bound, net.slope**2, "(sigma_0 C R_max)^2 log(mn/delta)")


def _looser_bound() -> str | None:
    import sympy

    x = sympy.symbols("x", positive=True)
    residual = sympy.expand_log(4 * sympy.log(12 * x) - 2 * sympy.log(8 * x) - 2 * sympy.log(18 * x), force=True)
    return by_identity(lambda: [residual], "4 log(12x) - 2 log(8x) = 2 log(18x) > 0 for x = mn/delta > 1")


SHARES = sized(
    mn=choice(1, 2, 5, 100), delta=choice("999/1000", "9/10", "1/2", "1/10", "1/100000"), share=choice("1", "1/2", "0")
)


@section("kou2023").claim(
    "cond_b.beta_bound", "Appendix B, before Eq. (B.5)", given=SHARES, recorded="proved", proof=_looser_bound
)
@mutants(scaled("12/25"), moved("log(2mn/delta)", inside=2))
def initial_signals_obey_the_bound_of_the_appendix(
    mn: int, delta: Number, share: Number, *, inside: int = 12
) -> Margin:
    r"""On the event of Lemma A.1, $\beta\le2\sqrt{\log(12mn/\delta)}\,\sigma_0R_{\max}$.

    Convention: $\beta$ is any share in [0, 1] of the bound of Lemma A.1; both sides are squared and divided by
    $(\sigma_0R_{\max})^2$.
    """
    return at_most(share * share * 2 * log(8 * mn / delta), 4 * log(inside * mn / delta), "beta^2")


beta_small = section("kou2023", "cond_b5", "Eq. (B.5)")


def _relative_beta(mn: int, delta: Number, share: Number) -> Number:
    """(C beta/gamma)^2 where sigma_0 is at the bound (B.2) and beta a share of the bound of Lemma A.1."""
    return share * share * 2 * log(8 * mn / delta) / log(mn / delta)


@beta_small.claim(
    "beta_small",
    given=sized(
        mn=choice(1, 2), delta=choice("1/2", "99999999999999999999/100000000000000000000"), share=choice("1", "1/2")
    ),
    recorded="refuted",
    fault=Fault.BOUNDARY,
)
@mutants(moved("C = 10^9", C=10**9))
def initial_signals_are_small(
    mn: int, delta: Number, share: Number, *, c: Number = Fraction(1, 20), C: int = 10**6
) -> Margin:
    r"""(B.2) with a sufficiently large constant C gives $\beta\le c\gamma$ with a small constant c.

    Fails for every C: the two logarithms differ. With $mn=1$ and $\delta\to1$, (B.2) allows
    $\sigma_0R_{\max}=\gamma(C\sqrt{\log(1/\delta)})^{-1}$, which is unbounded; Lemma A.1 bounds
    $\beta$ by $\sqrt{2\log(8/\delta)}$ times it.

    Convention: c = 1/20 and $C=10^6$, on the event of Lemma A.1.
    """
    return at_most(_relative_beta(mn, delta, share), c * c * C * C, "(C beta/gamma)^2 against (cC)^2")


def _logarithms_compare() -> str | None:
    def statement() -> Any:
        import z3

        x = z3.Real("x")
        return z3.Implies(x >= 2, 8 * x <= x * x * x * x)

    return steps(by_smt(statement), "so 2 log(8x) <= 8 log x for x = mn/delta >= 2")


@beta_small.claim(
    "beta_small.amended",
    "for mn >= 2 delta",
    given=sized(mn=choice(1, 2, 5, 100), delta=choice("1/2", "1/10", "1/3", "1/100000"), share=choice("1", "1/2", "0")),
    recorded="proved",
    proof=_logarithms_compare,
)
@mutants(scaled("99/100"))
def initial_signals_are_small_unless_failure_is_likely(mn: int, delta: Number, share: Number) -> Margin:
    r"""Amended: for $\delta\le mn/2$, (B.2) gives $\beta\le\sqrt8\,\gamma/C$; the logarithm of $mn/\delta$ must stay
    away from zero.

    Convention: squared; on the event of Lemma A.1.
    """
    return at_most(_relative_beta(mn, delta, share), 8, "(C beta/gamma)^2 against 8")


def _overlaps_small(power: int, ratio: bool) -> str | None:
    """c gamma^power >= R_min^-2 np, times R^2 if `ratio`, with c = 1/C."""

    def statement() -> Any:
        import z3

        gamma, square, e, c = z3.Reals("gamma square e c")  # R^2 and R_min^-2 n p
        g2 = gamma * gamma
        given = z3.And(gamma > 0, gamma < 1, square >= 1, e >= 0, c > 0, c * g2 * g2 >= square * e)
        return z3.Implies(given, c * (g2 if power == 2 else g2 * g2) >= (square if ratio else 1) * e)

    return by_smt(statement)


overlaps = section(
    "kou2023",
    given=LEAKY,
    assumes=[near_orthogonal_leaky],
    derived=[gamma],
    recorded="proved",
    mutants=[without(near_orthogonal_leaky)],
    cost=2.0,
)


@overlaps.claim("cond_b6.np_small.r1", "Eq. (B.6)", proof=lambda: _overlaps_small(4, False))
@mutants(scaled("3/4"))
def overlaps_are_small_for_the_slope(data: Dataset, C: int, gamma: Number) -> Margin:
    r"""(B.4) gives $\gamma^{-4}R_{\min}^{-2}np\le c$.

    Convention: gamma to the power -4; c = 1/C.
    """
    return at_most(C * relative_overlap(data.inputs), gamma**4, "C R_min^-2 n p")


@overlaps.claim("cond_b6.np_small.r2", "Eq. (B.6)", proof=lambda: _overlaps_small(2, False))
@mutants(scaled("1/8"))
def overlaps_are_small_for_the_square_of_the_slope(data: Dataset, C: int, gamma: Number) -> Margin:
    r"""(B.4) gives $\gamma^{-2}R_{\min}^{-2}np\le c$.

    Convention: gamma to the power -2; c = 1/C.
    """
    return at_most(C * relative_overlap(data.inputs), gamma**2, "C R_min^-2 n p")


@overlaps.claim("cond_b7.np_small_R", "Eq. (B.7)", proof=lambda: _overlaps_small(4, True))
@mutants(scaled("4/5"), exponent("5/4"))
def overlaps_are_small_for_slope_and_radii(data: Dataset, C: int, gamma: Number) -> Margin:
    r"""(B.4) gives $\gamma^{-4}R_{\min}^{-2}R^2np\le c$.

    Convention: c = 1/C.
    """
    low, high = squared_radii(data.inputs)
    return at_most(C * relative_overlap(data.inputs) * high / low, gamma**4, "C R_min^-2 R^2 n p")
