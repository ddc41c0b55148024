r"""Lemma H.4: $\frac{\log(1+at)}{\log(1+bt)}$ does not decrease in t for $b>a>0$."""

from typing import Any

from refute import Margin, assumption, at_least, changed, identity, less, moved, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.decide.symbolic import by_identity
from refute.functions import log
from refute.strategies import positive, sized
from refute.strategies.kou2023 import sequences as repair

RATIO = sized(a=positive(), b=positive(), s=positive(), t=positive())


@assumption("times.ordered", base=RATIO, satisfy=repair.swap_if_greater, violate=repair.put_later_first)
def ordered_times(s: Number, t: Number) -> Margin:
    """t >= s"""
    return at_least(t, s, "t against s")


@assumption("slopes.ordered", base=RATIO, satisfy=repair.raise_above, violate=repair.lower_below)
def ordered_slopes(a: Number, b: Number) -> Margin:
    """b > a"""
    return less(a, b, "a against b")


@assumption("slopes.positive", base=RATIO, violate=repair.turn_negative)
def positive_slope(a: Number) -> Margin:
    """a > 0"""
    return less(0, a, "0 against a")


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


@identity("kou2023.lemma_h4.derivative_formula", "proof of Lemma H.4", recorded="proved")
@mutants(
    moved("fourth power of log(1+bt)", denominator=2),
    moved("1/a + 2t in g", inner=2),
    moved("terms of g added", sign=1),
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


main = section("kou2023", "lemma_h4", "Lemma H.4", given=RATIO)


@main.claim(
    "log_ratio_monotone", assumes=[ordered_times, ordered_slopes, positive_slope], proof=_ratio_proof, recorded="proved"
)
@mutants(
    without(ordered_times),
    without(ordered_slopes),
    without(positive_slope),
    changed("already at 99t/100", t=lambda t: 99 * t / 100),
    scaled("101/100"),
)
def ratio_of_logarithms_does_not_decrease(a: Number, b: Number, s: Number, t: Number) -> Margin:
    r"""If $t\ge s>0$ and $b>a>0$, then $\frac{\log(1+at)}{\log(1+bt)}\ge\frac{\log(1+as)}{\log(1+bs)}$.

    Convention: $s>0$ is drawn so: at $s=0$ the ratio is not defined.
    """
    return at_least(log(1 + a * t) / log(1 + b * t), log(1 + a * s) / log(1 + b * s), "ratio at t against ratio at s")
