r"""Lemmas on real sequences whose increments are compared with $e^{-x_t}$: Lemma 5.3 and Appendix H.

A sequence is given by $x_0$ and the rates $r_t$ in $x_{t+1}=x_t+r_te^{-x_t}$, so each hypothesis on increments is one
on rates. A finite prefix that meets the hypotheses always continues to an infinite sequence (with the same constant as
rate).
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Assumption, Margin, all_of, at_least, at_most, claim, identity, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.decide.symbolic import by_identity
from refute.functions import exp, log
from refute.strategies import positive, sized
from refute.strategies.kou2023 import sequences as repair
from refute.strategies.kou2023.sequences import banded_sequence, sequence


def sequence_terms(x0: Number, rates: Array) -> Array:
    terms = [x0]
    for rate in rates:
        terms.append(terms[-1] + rate * exp(-terms[-1]))
    return np.array(terms, dtype=object)


def _steps(rates: Array) -> Array:
    """t = 0, 1, ... for every term of the sequence."""
    return np.arange(len(rates) + 1).astype(object)


def _nonnegative(x0: Number, rates: Array) -> Margin:
    return at_least(sequence_terms(x0, rates), 0, "x_t")


def _capped(C: Number, rates: Array) -> Margin:
    return at_most(rates, C, "(x_{t+1} - x_t) exp(x_t)")


def _floored(C: Number, rates: Array) -> Margin:
    return at_least(rates, C, "(x_{t+1} - x_t) exp(x_t)")


def _banded(C1: Number, C2: Number, rates: Array) -> Margin:
    return all_of(at_least(rates, C1, "(x_{t+1} - x_t) exp(x_t)"), at_most(rates, C2, "(x_{t+1} - x_t) exp(x_t)"))


capped_increments = Assumption(
    "sequence.capped_increments",
    "x_{t+1} - x_t <= C exp(-x_t)",
    _capped,
    base=sequence(),
    satisfy=repair.cap_rates,
    violate=repair.exceed_rate,
)

floored_increments = Assumption(
    "sequence.floored_increments",
    "x_{t+1} - x_t >= C exp(-x_t)",
    _floored,
    base=sequence(),
    satisfy=repair.floor_rates,
    violate=repair.undercut_rate,
)

banded_increments = Assumption(
    "sequence.banded_increments",
    "C1 exp(-x_t) <= x_{t+1} - x_t <= C2 exp(-x_t)",
    _banded,
    base=banded_sequence(),
    satisfy=repair.band_rates,
    violate=repair.leave_band,
)

# Applied after the bound on the increments: it shrinks only negative rates.
nonnegative = Assumption(
    "sequence.nonnegative",
    "x_t >= 0 for all t",
    _nonnegative,
    base=sequence(),
    satisfy=repair.lift_above_zero,
    violate=repair.start_below_zero,
)


def exponential_above_its_tangent(meaning: str) -> str | None:
    """A proof by e^h >= 1 + h; `meaning` says how the statement follows."""
    import sympy

    h, s = sympy.symbols("h s", real=True)
    remainder = sympy.integrate((h - s) * sympy.exp(s), (s, 0, h))  # not negative, whatever the sign of h
    return by_identity(lambda: [sympy.exp(h) - 1 - h - remainder], f"e^h >= 1 + h by its integral remainder; {meaning}")


def _upper_proof() -> str | None:
    step = "with h = x_{t+1} - x_t <= C e^{-x_t} <= C, e^{x_{t+1}} - e^{x_t} <= h e^{x_{t+1}} <= max(0, C e^h) <= C e^C"
    return exponential_above_its_tangent(f"{step}; sum over t")


def _lower_proof() -> str | None:
    step = "with h = x_{t+1} - x_t >= C e^{-x_t}, e^{x_{t+1}} - e^{x_t} >= h e^{x_t} >= C"
    return exponential_above_its_tangent(f"{step}; sum over t (and e^{{x_0}} >= e^{{-x_0}} if x_0 >= 0)")


@claim(
    "kou2023.lemma_h1.log_upper_bound",
    "Lemma H.1",
    given=sequence(),
    assumes=[capped_increments, nonnegative],
    proof=_upper_proof,
    recorded="proved",
    mutants=[
        moved("factor exp(C/2)", exponent=Fraction(1, 2)),
        moved("without exp(C)", exponent=Fraction(0)),
        moved("exp(-x_0) as in Lemma 5.3", start=-1),
        without(capped_increments),
        without(nonnegative),
    ],
    convention="C > 0, which the lemma does not say; for C < 0 no infinite sequence meets the hypotheses",
)
def slow_sequences_grow_at_most_logarithmically(
    x0: Number, C: Number, rates: Array, *, exponent: Number = Fraction(1), start: int = 1
) -> Margin:
    r"""If $x_t\ge0$ and $x_{t+1}-x_t\le Ce^{-x_t}$ for all $t$, then $x_t\le\log(e^{x_0}+Ce^Ct)$ for all $t\ge0$."""
    bound = log(exp(start * x0) + C * exp(exponent * C) * _steps(rates))
    return at_most(sequence_terms(x0, rates), bound, "x_t against log(e^x0 + C e^C t)")


@claim(
    "kou2023.lemma_h2.log_lower_bound",
    "Lemma H.2",
    given=sequence(),
    assumes=[floored_increments],
    proof=_lower_proof,
    recorded="proved",
    mutants=[
        moved("slope 11C/10", slope=Fraction(11, 10)),
        moved("slope C exp(C)", exponent=1),
        moved("exp(-x_0) as in Lemma 5.3", start=-1),
        without(floored_increments),
    ],
    convention="C > 0, so that the logarithm exists; the terms may be negative",
)
def fast_sequences_grow_at_least_logarithmically(
    x0: Number, C: Number, rates: Array, *, slope: Number = Fraction(1), exponent: int = 0, start: int = 1
) -> Margin:
    r"""If $x_{t+1}-x_t\ge Ce^{-x_t}$ for all $t$, then $x_t\ge\log(e^{x_0}+Ct)$ for all $t\ge0$; no sign is asked of
    $x_t$.
    """
    bound = log(exp(start * x0) + slope * C * exp(exponent * C) * _steps(rates))
    return at_least(sequence_terms(x0, rates), bound, "x_t against log(e^x0 + C t)")


@claim(
    "kou2023.lemma_5_3.lower",
    "Lemma 5.3, Eqs. (5.6) and (5.7), left",
    given=banded_sequence(),
    assumes=[banded_increments, nonnegative],
    proof=_lower_proof,
    recorded="proved",
    mutants=[
        moved("slope 3 C1/2", slope=Fraction(3, 2)),
        moved("exp(2 x_0)", start=2),
        without(banded_increments),
        without(nonnegative),
    ],
    convention="0 < C1 <= C2",
)
def banded_sequences_grow_at_least_logarithmically(
    x0: Number, C1: Number, rates: Array, *, slope: Number = Fraction(1), start: int = -1
) -> Margin:
    r"""If $x_t\ge0$ and $C_1e^{-x_t}\le x_{t+1}-x_t\le C_2e^{-x_t}$, then $x_t\ge\log(e^{-x_0}+C_1t)$ for all $t\ge0$.

    Weaker than what holds: Lemma H.2 has $e^{x_0}$ in place of the printed $e^{-x_0}\le e^{x_0}$.
    """
    return at_least(
        sequence_terms(x0, rates), log(exp(start * x0) + slope * C1 * _steps(rates)), "x_t against log(e^-x0 + C1 t)"
    )


@claim(
    "kou2023.lemma_5_3.upper",
    "Lemma 5.3, Eqs. (5.6) and (5.7), right",
    given=banded_sequence(),
    assumes=[banded_increments, nonnegative],
    recorded="refuted",
    mutants=[moved("only for t >= 1", first=1), moved("exp(0), which is larger", start=0)],
    convention="0 < C1 <= C2; the mutants are weaker and fall too: neither t = 0 nor the sign alone is to blame",
)
def banded_sequences_grow_at_most_logarithmically_as_printed(
    x0: Number, C2: Number, rates: Array, *, start: int = -1, first: int = 0
) -> Margin:
    r"""If $x_t\ge0$ and $C_1e^{-x_t}\le x_{t+1}-x_t\le C_2e^{-x_t}$, then $x_t\le\log(e^{-x_0}+C_2e^{C_2}t)$ for all
    $t\ge0$.

    Fails at $t=0$ for every $x_0>0$: with $x_0=1$ it says $1\le-1$. It fails later too, as long as $e^{x_0}$ outweighs
    $C_2e^{C_2}t$; Lemma H.1, from which it is to follow, has $e^{x_0}$.
    """
    bound = log(exp(start * x0) + C2 * exp(C2) * _steps(rates))
    return at_most(sequence_terms(x0, rates)[first:], bound[first:], "x_t against log(e^-x0 + C2 e^C2 t)")


@claim(
    "kou2023.lemma_5_3.upper.amended",
    "Lemma 5.3 with the constant of Lemma H.1",
    given=banded_sequence(),
    assumes=[banded_increments, nonnegative],
    proof=_upper_proof,
    recorded="proved",
    mutants=[
        moved("factor exp(C2/2)", exponent=Fraction(1, 2)),
        moved("exp(0)", start=0),
        without(banded_increments),
        without(nonnegative),
    ],
    convention="0 < C1 <= C2",
)
def banded_sequences_grow_at_most_logarithmically(
    x0: Number, C2: Number, rates: Array, *, exponent: Number = Fraction(1), start: int = 1
) -> Margin:
    r"""The same hypotheses give $x_t\le\log(e^{x_0}+C_2e^{C_2}t)$ for all $t\ge0$.

    Amended: $e^{x_0}$ in place of $e^{-x_0}$, as in Lemma H.1; the printed bound fails at $t=0$ for every $x_0>0$.
    """
    bound = log(exp(start * x0) + C2 * exp(exponent * C2) * _steps(rates))
    return at_most(sequence_terms(x0, rates), bound, "x_t against log(e^x0 + C2 e^C2 t)")


RATIO = sized(a=positive(), b=positive(), s=positive(), t=positive())

ordered_times = Assumption(
    "times.ordered",
    "t >= s",
    lambda s, t: at_least(t, s, "t against s"),
    base=RATIO,
    satisfy=repair.swap_if_greater,
    violate=repair.put_later_first,
)

ordered_slopes = Assumption(
    "slopes.ordered",
    "b > a",
    lambda a, b: less(a, b, "a against b"),
    base=RATIO,
    satisfy=repair.raise_above,
    violate=repair.lower_below,
)

positive_slope = Assumption(
    "slopes.positive", "a > 0", lambda a: less(0, a, "0 against a"), base=RATIO, violate=repair.turn_negative
)


def _derivatives(denominator: int = 1, inner: int = 1, sign: int = -1) -> dict[str, Any]:
    """What the proof of Lemma H.4 says about f and g; each expression must vanish."""
    import sympy

    a, b, t = sympy.symbols("a b t", positive=True)
    log_a, log_b = sympy.log(1 + a * t), sympy.log(1 + b * t)
    numerator = a * (1 + b * t) * log_b - b * (1 + a * t) * log_a
    g = (1 / b + t) * log_b + sign * (1 / a + inner * t) * log_a
    return {
        "f'": sympy.diff(log_a / log_b, t) - numerator / ((1 + a * t) * (1 + b * t) * log_b ** (2 * denominator)),
        "numerator = a b g": numerator - a * b * g,
        "g'": sympy.diff(g, t) - (log_b - log_a),
        "g(0)": g.subs(t, 0),
    }


@identity(
    "kou2023.lemma_h4.derivative_formula",
    "proof of Lemma H.4",
    recorded="proved",
    mutants=[
        moved("fourth power of log(1+bt)", denominator=2),
        moved("1/a + 2t in g", inner=2),
        moved("terms of g added", sign=1),
    ],
)
def derivative_of_the_ratio_of_logarithms(*, denominator: int = 1, inner: int = 1, sign: int = -1) -> Any:
    r"""For $f=\frac{\log(1+at)}{\log(1+bt)}$:
    $f'=\frac{a(1+bt)\log(1+bt)-b(1+at)\log(1+at)}{(1+at)(1+bt)\log^2(1+bt)}$.

    The numerator is $ab\,g$ with $g=(\frac1b+t)\log(1+bt)-(\frac1a+t)\log(1+at)$; $g'=\log(1+bt)-\log(1+at)$ and
    $g(0)=0$.
    """
    return _derivatives(denominator, inner, sign)


def _ratio_proof() -> str | None:
    return by_identity(
        lambda: list(_derivatives().values()),
        "f' is a positive multiple of g, g(0) = 0 and g' = log((1+bt)/(1+at)) > 0",
    )


@claim(
    "kou2023.lemma_h4.log_ratio_monotone",
    "Lemma H.4",
    given=RATIO,
    assumes=[ordered_times, ordered_slopes, positive_slope],
    proof=_ratio_proof,
    recorded="proved",
    mutants=[
        without(ordered_times),
        without(ordered_slopes),
        without(positive_slope),
        moved("logarithms of 2 + at and 2 + as", shift=2),
        moved("by a factor 101/100", gain=Fraction(101, 100)),
    ],
    convention="s > 0 is drawn so: at s = 0 the ratio is not defined",
)
def ratio_of_logarithms_does_not_decrease(
    a: Number, b: Number, s: Number, t: Number, *, shift: int = 1, gain: Number = Fraction(1)
) -> Margin:
    r"""If $t\ge s>0$ and $b>a>0$, then $\frac{\log(1+at)}{\log(1+bt)}\ge\frac{\log(1+as)}{\log(1+bs)}$."""
    return at_least(
        log(shift + a * t) / log(1 + b * t), gain * log(shift + a * s) / log(1 + b * s), "ratio at t against ratio at s"
    )
