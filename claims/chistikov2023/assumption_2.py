r"""The definition of $\delta$ and $\Delta$, and Assumption 2, the bound on $\lambda$."""

from typing import Any

import numpy as np

from refute import (
    Enclosed,
    Fault,
    Kind,
    Margin,
    all_of,
    at_least,
    bounded_by,
    exponent,
    flipped,
    less,
    mutants,
    power,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array, Number, rational
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1, quarter_angle
from refute.decide.proof import by_smt
from refute.functions import log
from refute.models import Dataset
from refute.models.chistikov2023.smallness import ROUND_OFF, delta_components, largest_length, log_scale_bound
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, sized
from refute.strategies.chistikov2023.correlated import SETTING

definition = section("chistikov2023", given=SETTING, assumes=ASSUMPTION_1, recorded="supported", cost=4)


@definition.claim("definition.delta_positive", "section 3, definition of delta and Delta")
@mutants(shifted("-1/20", "0 against"), without(quarter_angle))
def delta_is_positive(teacher: Array, data: Dataset, start: Balanced) -> Margin:
    r"""Under Assumption 1 $\delta>0$, each of its eleven quantities being positive, and $\Delta\ge1$.

    Convention: the eleven quantities in floats, with their round-off; their signs also follow from the exact parts of
    Assumption 1.
    """
    sizes = np.array(list(delta_components(data, teacher, start.shape, start.signs).values()))
    return all_of(
        less(0, Enclosed(sizes[np.isfinite(sizes)], ROUND_OFF), "0 against the eleven"),
        at_least(largest_length(data, start.shape), 1.0, "Delta"),
    )


second = section("chistikov2023", "assumption_2", recorded="proved")


@second.claim("", "Assumption 2, as it is checked (ours)", kind=Kind.SYMBOLIC, printed=False)
@mutants(scaled("99/100"))
def the_bound_on_lambda_in_logarithms() -> Any:
    r"""$\lambda\le(m\,n^{9n\Delta^2/\delta^3})^{-3/\varepsilon}$ in logarithms:
    $-\frac3\varepsilon(\ln m+9n\Delta^2\delta^{-3}\ln n)$.

    Convention: the form in which the condition is checked: ln lambda instead of lambda, which no float can hold.
    """
    import sympy

    m, n, large, small, epsilon = sympy.symbols("m n Delta delta epsilon", positive=True)
    printed = (m * n ** (9 * n * large**2 / small**3)) ** (-3 / epsilon)
    logarithm = -3 / epsilon * (sympy.log(m) + 9 * n * large**2 / small**3 * sympy.log(n))
    return {"ln of the bound": (sympy.expand_log(sympy.log(printed), force=True), logarithm)}


def _trade_off_proof() -> str | None:
    import z3

    def statement() -> Any:
        low, high, log_scale = z3.Reals("low high log_scale")
        loosened = (1 - low) * log_scale < (1 - high) * log_scale
        return z3.Implies(
            z3.And(low > 0, low < high, log_scale < 0), z3.And(loosened, high * log_scale < low * log_scale)
        )

    return by_smt(statement)


SHARES = sized(
    low=choice("1/100", "1/8", "1/5"), more=choice("1/100", "1/20"), log_scale=choice("-1000", "-1", "-100000")
)


@second.claim("epsilon_only_analysis", "text after Assumption 2", given=SHARES, proof=_trade_off_proof)
@mutants(flipped("ln lambda^(1"), flipped("ln lambda^eps"))
def epsilon_trades_one_bound_for_another(low: Number, more: Number, log_scale: Number) -> Margin:
    r"""Raising $\varepsilon$ loosens bounds $\lambda^{1-\varepsilon}$ and tightens bounds $\lambda^\varepsilon$; it is
    chosen in the analysis.

    Convention: that epsilon does not affect the training needs no proof: the flow is a function of X, y, z, s and
    lambda. What is proved is what epsilon does to the bounds of Lemma 5.
    """
    high = low + more
    return all_of(
        less((1 - low) * log_scale, (1 - high) * log_scale, "ln lambda^(1 - eps)"),
        less(high * log_scale, low * log_scale, "ln lambda^eps"),
    )


SIZES = sized(small=choice("1", "1/2", "1/100"), large=choice("1", "3"))


@second.claim(
    "growth_of_bound",
    "section 1, first contribution; text after Assumption 2",
    kind=Kind.ASYMPTOTIC,
    given=SIZES,
    recorded="supported",
)
@mutants(exponent("9/10", "growth with m"), exponent("49/100", "growth with n"))
def the_bound_is_polynomial_in_m_and_exponential_in_n(small: Number, large: Number, *, degree: int = 2) -> Margin:
    r"""$1/\lambda_{\max}$ is polynomial in $m$ and exponential in $n$; here $\varepsilon=\frac14$.

    The logarithm is $\frac3\varepsilon(\ln m+\frac{9\Delta^2}{\delta^3}n\ln n)$.

    Convention: delta and Delta fixed, though they depend on the case; exponential is read as e to a polynomial of n, of
    degree 2.
    """
    delta, size = float(rational(small)), float(rational(large))
    return all_of(
        bounded_by(lambda m: -log_scale_bound(m, 1, delta, size, 0.25), log, "growth with m, of the logarithm"),
        bounded_by(
            lambda n: -log_scale_bound(1, n, delta, size, 0.25), power(degree), "growth with n, of the logarithm"
        ),
    )


the_bound_is_polynomial_in_m_and_exponential_in_n.reading(
    "r1",
    r"R1: exponential as $e^{O(n)}$. The logarithm is of the order $n\ln n$.",
    degree=1,
    recorded="against",
    fault=Fault.CONVENTION,
    mutants=[],
)
