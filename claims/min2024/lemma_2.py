r"""Lemma 2: near zero minus the derivative of the loss is the label, up to $2|\hat y|$; Remark 4: so it is for the
square loss.

The proofs cover the whole interval. The slack vanishes at $\hat y=0$, so what is enclosed is a ratio: for $f(0)=0$ one
has $f(z)=z\int_0^1f'(sz)\,ds$, and for a ball $Z$ that contains 0 the integral lies in $f'([0,1]\cdot Z)$; elsewhere
divide by $z$.
"""

from collections.abc import Callable
from fractions import Fraction
from operator import neg
from typing import Any

from flint import arb

from refute import (
    Fault,
    Margin,
    all_of,
    assumption,
    at_least,
    at_most,
    changed,
    derived,
    equal,
    mutants,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Number
from refute.decide.proof import by_smt, by_subdivision, in_words, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, exp
from refute.strategies import number, sized
from refute.strategies.min2024 import predictions as repair
from refute.strategies.min2024.predictions import prediction

PREDICTION = sized(y=number(), prediction=prediction())
ARGUMENT = sized(x=prediction())
LINE = "|-dl - y| against 2 |prediction|"


@assumption("label.sign", base=PREDICTION, satisfy=repair.take_sign, violate=repair.take_three_times_sign)
def sign_label(y: Number) -> Margin:
    """y = 1 or y = -1"""
    return equal(y * y, 1, "y^2")


@assumption(
    "prediction.small", base=PREDICTION, satisfy=repair.clip_prediction, violate=repair.move_prediction_beyond_one
)
def small_prediction(prediction: Number) -> Margin:
    """the prediction lies in [-1, 1]"""
    return at_most(absolute(prediction), 1, "|prediction|")


@assumption("number.unit_interval", base=ARGUMENT, satisfy=repair.clip_to_unit, violate=repair.leave_unit)
def in_unit_interval(x: Number) -> Margin:
    """x lies in [0, 1]"""
    return all_of(at_least(x, 0, "x"), at_most(x, 1, "x"))


def _derivative_is(
    loss: Callable[[Any, Any], Any], slope: Callable[[Any, Any], Any], meaning: str, *others: Any
) -> str | None:
    """That minus the derivative of the loss is the slope which the claim evaluates (and that the other residuals
    vanish).
    """
    import sympy

    y, p = sympy.symbols("y p", real=True)
    return by_identity(lambda: [-sympy.diff(loss(y, p), p) - slope(y, p), *(other(y, p) for other in others)], meaning)


def _unit_times(z: arb) -> arb:
    return arb(0).union(arb(1)) * z


def _exponential_ratio(z: arb) -> arb:
    r"""(e^{-z} - 1) / (-z), the average of e^{-sz} over s in [0, 1]."""
    return (-_unit_times(z)).exp() if z.contains(0) else (-z).expm1() / -z


def _logistic_ratio(z: arb) -> arb:
    r"""tanh(z/2) / z, the average of (1 - tanh(sz/2)^2) / 2 over s in [0, 1]."""
    return (1 - (_unit_times(z) / 2).tanh() ** 2) / 2


def _ratio_below_two(ratio: Callable[[arb], arb], meaning: str) -> str | None:
    return by_subdivision(lambda z: 2 - ratio(z), Fraction(-1), Fraction(1), meaning)


def _exponential_bound() -> str | None:
    return _ratio_below_two(_exponential_ratio, "(1 - e^-z)/z < 2")


def _exponential_proof() -> str | None:
    import sympy

    slope = _derivative_is(lambda y, p: sympy.exp(-y * p), lambda y, p: y * sympy.exp(-y * p), "-dl is y e^{-yp}")
    words = in_words("|y e^{-yp} - y| = |1 - e^{-z}| with z = yp, |z| = |p| <= 1")
    return steps(slope, words, _exponential_bound())


def _logistic_proof(scale: int) -> str | None:
    """The slope deviates from scale y/2 by scale/2 tanh(|p|/2), as |y| = 1; the claim allows scale |p|."""
    import sympy

    def slope(y: Any, p: Any) -> Any:
        return scale * y / (1 + sympy.exp(y * p))

    def deviation(y: Any, p: Any) -> Any:
        return slope(y, p) - scale * y / 2 + scale * y / 2 * sympy.tanh(y * p / 2).rewrite(sympy.exp)

    meaning = f"-dl is {scale} y/(1 + e^{{yp}}), which is {scale} y/2 (1 - tanh(yp/2))"
    known = _derivative_is(lambda y, p: scale * sympy.log(1 + sympy.exp(-y * p)), slope, meaning, deviation)
    words = in_words(f"the deviation is {scale}/2 |tanh(z/2)| with z = yp, |z| = |p| <= 1, and {scale} |p| is allowed")
    return steps(known, words, _ratio_below_two(_logistic_ratio, "tanh(z/2)/z < 2"))


def near_the_label() -> str | None:
    """|-dl - y| <= 2 |prediction|, for the losses of the appendix."""
    return steps(_exponential_proof(), _logistic_proof(2))


def with_the_sign_of_the_label() -> str | None:
    """-dl is y times a positive number, for all losses in print."""
    import sympy

    return steps(
        _derivative_is(lambda y, p: sympy.exp(-y * p), lambda y, p: y * sympy.exp(-y * p), "-dl is y e^{-yp}"),
        _derivative_is(
            lambda y, p: sympy.log(1 + sympy.exp(-y * p)),
            lambda y, p: y / (1 + sympy.exp(y * p)),
            "-dl is y / (1 + e^{yp}), or twice that",
        ),
        in_words("so -dl is y times a positive number"),
    )


@derived
def exponential(y: Number, prediction: Number) -> Number:
    """Minus the derivative of e^{-y yhat}."""
    return y * exp(-y * prediction)


@derived
def logistic(y: Number, prediction: Number) -> Number:
    """Minus the derivative of log(1 + e^{-y yhat})."""
    return y / (1 + exp(y * prediction))


@derived
def square(y: Number, prediction: Number) -> Number:
    """Minus the derivative of (y - yhat)^2/2."""
    return y - prediction


lemma = section("min2024", "lemma_2", given=PREDICTION, assumes=[sign_label, small_prediction])


@lemma.claim("exp", "Lemma 2, exponential loss", derived=[exponential], proof=_exponential_proof, recorded="proved")
@mutants(
    scaled("171/200"), changed("of the other label", exponential=neg), without(small_prediction), without(sign_label)
)
def exponential_loss_has_the_label_as_slope(y: Number, prediction: Number, exponential: Number) -> Margin:
    r"""For $\ell=e^{-y\hat y}$, $y=\pm1$ and $|\hat y|\le1$: $|-\nabla_{\hat y}\ell(y,\hat y)-y|\le2|\hat y|$."""
    return at_most(absolute(exponential - y), 2 * absolute(prediction), LINE)


@lemma.claim(
    "logistic.app",
    "Lemma 2, logistic loss 2 log(1 + exp(-y yhat)) of Appendix B",
    derived=[logistic],
    proof=lambda: _logistic_proof(2),
    recorded="proved",
)
@mutants(scaled("249/1000"), changed("of the other label", logistic=neg), without(sign_label))
def doubled_logistic_loss_has_the_label_as_slope(y: Number, prediction: Number, logistic: Number) -> Margin:
    r"""For $\ell=2\log(1+e^{-y\hat y})$, $y=\pm1$ and $|\hat y|\le1$:
    $|-\nabla_{\hat y}\ell(y,\hat y)-y|\le2|\hat y|$.

    Convention: the range of predictions is as printed, but not needed: tanh(|z|/2) <= |z|/2 for every z.
    """
    return at_most(absolute(2 * logistic - y), 2 * absolute(prediction), LINE)


@lemma.claim(
    "logistic.main",
    "Lemma 2, logistic loss log(1 + exp(-y yhat)) of Section 2.1",
    derived=[logistic],
    recorded="refuted",
    fault=Fault.CONSTANT,
)
@mutants(scaled(500))
def logistic_loss_has_the_label_as_slope(y: Number, prediction: Number, logistic: Number) -> Margin:
    r"""For $\ell=\log(1+e^{-y\hat y})$, $y=\pm1$ and $|\hat y|\le1$: $|-\nabla_{\hat y}\ell(y,\hat y)-y|\le2|\hat y|$.

    Fails at $\hat y=0$, where the slope is $y/2$: $\frac12$ against 0. The loss of Section 2.1 lacks the factor 2 of
    Appendix B.

    Convention: a larger factor is a weaker statement and falls too: at prediction 0 nothing is allowed, and the slope
    is y/2.
    """
    return at_most(absolute(logistic - y), 2 * absolute(prediction), LINE)


HALF_SLOPE = logistic_loss_has_the_label_as_slope.id


@lemma.claim(
    "logistic.main.amended",
    "Lemma 2, logistic loss of Section 2.1, both sides halved",
    derived=[logistic],
    proof=lambda: _logistic_proof(1),
    recorded="proved",
)
@mutants(scaled("249/1000"), changed("slope y", logistic=lambda slope: 2 * slope), without(sign_label))
def logistic_loss_has_half_the_label_as_slope(y: Number, prediction: Number, logistic: Number) -> Margin:
    r"""For $\ell=\log(1+e^{-y\hat y})$, $y=\pm1$ and $|\hat y|\le1$: $|-\nabla_{\hat y}\ell(y,\hat y)-y/2|\le|\hat y|$.

    Amended: the loss of the main text is half that of the appendix, so the label and the bound are halved as well.
    """
    return at_most(absolute(logistic - y / 2), absolute(prediction), "|-dl - y/2| against |prediction|")


@lemma.claim(
    "auxiliary",
    "proof of Lemma 2",
    given=ARGUMENT,
    assumes=[in_unit_interval],
    proof=_exponential_bound,
    recorded="proved",
)
@mutants(scaled("429/500", "e^x - 1"), scaled("499/1000", "1 - e^-x"), without(in_unit_interval))
def twice_the_argument_bounds_both_exponentials(x: Number) -> Margin:
    r"""$2x\ge\max\{1-e^{-x},\,e^x-1\}$ for $x\in[0,1]$.

    Convention: both parts are the same ratio, at x and at -x, so the proof covers [-1, 1].
    """
    return all_of(at_most(1 - exp(-x), 2 * x, "1 - e^-x against 2x"), at_most(exp(x) - 1, 2 * x, "e^x - 1 against 2x"))


def square_near_the_label() -> str | None:
    import z3

    y, p = z3.Reals("y p")
    known = _derivative_is(lambda y, p: (y - p) ** 2 / 2, lambda y, p: y - p, "-dl is y - p")
    return steps(known, by_smt(lambda: z3.Abs((y - p) - y) <= 2 * z3.Abs(p), "the bound, for all labels"))


@section("min2024", "remark_4", given=PREDICTION, assumes=[sign_label]).claim(
    "square_loss", "Remark 4, first half", derived=[square], proof=square_near_the_label, recorded="proved"
)
@mutants(scaled("499/1000"), changed("loss without the factor 1/2", square=lambda slope: 2 * slope))
def square_loss_has_the_label_as_slope(y: Number, prediction: Number, square: Number) -> Margin:
    r"""For $\ell=\tfrac12(y-\hat y)^2$: $|-\nabla_{\hat y}\ell(y,\hat y)-y|=|\hat y|\le2|\hat y|$, for every
    prediction.

    Convention: the condition of Lemma 2 only; that the dynamics results carry over is not part of this claim.
    """
    return at_most(absolute(square - y), 2 * absolute(prediction), LINE)
