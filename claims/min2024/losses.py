r"""Lemma 2 and Remark 4: near zero the negative derivative of the loss is the label, up to $2|\hat y|$.

The proofs cover the whole interval. The slack vanishes at $\hat y=0$, so what is enclosed is a ratio: for $f(0)=0$ one
has $f(z)=z\int_0^1f'(sz)\,ds$, and for a ball $Z$ that contains 0 the integral lies in $f'([0,1]\cdot Z)$; elsewhere
divide by $z$.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb

from refute import Assumption, Margin, all_of, at_least, at_most, claim, equal, moved, without
from refute.arithmetic.numbers import Number
from refute.decide.proof import by_smt, by_subdivision, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, exp
from refute.strategies import number, sized
from refute.strategies.min2024 import predictions as repair
from refute.strategies.min2024.predictions import prediction

PREDICTION = sized(y=number(), prediction=prediction())

sign_label = Assumption(
    "label.sign",
    "y = 1 or y = -1",
    lambda y: equal(y * y, 1, "y^2"),
    base=PREDICTION,
    satisfy=repair.sign_label,
    violate=repair.treble_label,
)

small_prediction = Assumption(
    "prediction.small",
    "the prediction lies in [-1, 1]",
    lambda prediction: at_most(absolute(prediction), 1, "|prediction|"),
    base=PREDICTION,
    satisfy=repair.clip_prediction,
    violate=repair.enlarge_prediction,
)


def _derivative_is(
    loss: Callable[[Any, Any], Any], slope: Callable[[Any, Any], Any], meaning: str, *others: Any
) -> str | None:
    """That minus the derivative of the loss is the slope which the claim evaluates (and that the
    other residuals vanish).
    """
    import sympy

    y, p = sympy.symbols("y p", real=True)
    return by_identity(lambda: [-sympy.diff(loss(y, p), p) - slope(y, p), *(other(y, p) for other in others)], meaning)


def _ratio_below(factor: Fraction, ratio: Callable[[arb], arb], low: Fraction = Fraction(-1)) -> str | None:
    return by_subdivision(lambda z: arb(factor.numerator) / factor.denominator - ratio(z), low, Fraction(1))


def _unit_times(z: arb) -> arb:
    return arb(0).union(arb(1)) * z


def _exponential_ratio(z: arb) -> arb:
    r"""(e^{-z} - 1) / (-z), the average of e^{-sz} over s in [0, 1]."""
    return (-_unit_times(z)).exp() if z.contains(0) else (-z).expm1() / -z


def _logistic_ratio(z: arb) -> arb:
    r"""tanh(z/2) / z, the average of (1 - tanh(sz/2)^2) / 2 over s in [0, 1]."""
    return (1 - (_unit_times(z) / 2).tanh() ** 2) / 2


def _exponential_proof() -> str | None:
    import sympy

    slope = _derivative_is(lambda y, p: sympy.exp(-y * p), lambda y, p: y * sympy.exp(-y * p), "the slope is y e^{-yp}")
    return steps(slope, _ratio_below(Fraction(2), _exponential_ratio))


def _logistic_proof(scale: int) -> str | None:
    """The slope deviates from scale y/2 by scale/2 tanh(|p|/2), as |y| = 1; the claim allows scale |p|."""
    import sympy

    def slope(y: Any, p: Any) -> Any:
        return scale * y / (1 + sympy.exp(y * p))

    def deviation(y: Any, p: Any) -> Any:
        return slope(y, p) - scale * y / 2 + scale * y / 2 * sympy.tanh(y * p / 2).rewrite(sympy.exp)

    meaning = "slope minus its value at 0 is a multiple of tanh(yp/2)"
    known = _derivative_is(lambda y, p: scale * sympy.log(1 + sympy.exp(-y * p)), slope, meaning, deviation)
    return steps(known, _ratio_below(Fraction(2), _logistic_ratio))


@claim(
    "min2024.lemma_2.exp",
    "Lemma 2, exponential loss",
    given=PREDICTION,
    assumes=[sign_label, small_prediction],
    proof=_exponential_proof,
    recorded="proved",
    mutants=[
        moved("17/10 |prediction|", factor=Fraction(17, 10)),
        moved("target -y", target=-1),
        without(small_prediction),
        without(sign_label),
    ],
)
def exponential_loss_has_the_label_as_slope(
    y: Number, prediction: Number, *, factor: Number = Fraction(2), target: int = 1
) -> Margin:
    r"""For $\ell=e^{-y\hat y}$, $y=\pm1$ and $|\hat y|\le1$: $|-\nabla_{\hat y}\ell(y,\hat y)-y|\le2|\hat y|$."""
    slope = y * exp(-y * prediction)
    return at_most(absolute(slope - target * y), factor * absolute(prediction), "|-dl - y| against 2 |prediction|")


@claim(
    "min2024.lemma_2.logistic.app",
    "Lemma 2, logistic loss 2 log(1 + exp(-y yhat)) of Appendix B",
    given=PREDICTION,
    assumes=[sign_label, small_prediction],
    proof=lambda: _logistic_proof(2),
    recorded="proved",
    mutants=[moved("9/20 |prediction|", factor=Fraction(9, 20)), moved("target -y", target=-1), without(sign_label)],
    convention="the range of predictions is as printed, but not needed: tanh(|z|/2) <= |z|/2 for every z",
)
def doubled_logistic_loss_has_the_label_as_slope(
    y: Number, prediction: Number, *, factor: Number = Fraction(2), target: int = 1
) -> Margin:
    r"""For $\ell=2\log(1+e^{-y\hat y})$, $y=\pm1$ and $|\hat y|\le1$:
    $|-\nabla_{\hat y}\ell(y,\hat y)-y|\le2|\hat y|$.
    """
    slope = 2 * y / (1 + exp(y * prediction))
    return at_most(absolute(slope - target * y), factor * absolute(prediction), "|-dl - y| against 2 |prediction|")


@claim(
    "min2024.lemma_2.logistic.main",
    "Lemma 2, logistic loss log(1 + exp(-y yhat)) of Section 2.1",
    given=PREDICTION,
    assumes=[sign_label, small_prediction],
    recorded="refuted",
    mutants=[moved("1000 |prediction|", factor=Fraction(1000)), moved("target -y", target=-1)],
    convention="a larger factor is a weaker statement and falls too: at prediction 0 nothing is allowed, and the "
    "slope is y/2",
)
def logistic_loss_has_the_label_as_slope(
    y: Number, prediction: Number, *, factor: Number = Fraction(2), target: int = 1
) -> Margin:
    r"""For $\ell=\log(1+e^{-y\hat y})$, $y=\pm1$ and $|\hat y|\le1$: $|-\nabla_{\hat y}\ell(y,\hat y)-y|\le2|\hat y|$.

    Fails at $\hat y=0$, where the slope is $y/2$: $\frac12$ against 0. The loss of Section 2.1 lacks the factor 2 of
    Appendix B.
    """
    slope = y / (1 + exp(y * prediction))
    return at_most(absolute(slope - target * y), factor * absolute(prediction), "|-dl - y| against 2 |prediction|")


@claim(
    "min2024.lemma_2.logistic.main.amended",
    "Lemma 2, logistic loss of Section 2.1, both sides halved",
    given=PREDICTION,
    assumes=[sign_label, small_prediction],
    proof=lambda: _logistic_proof(1),
    recorded="proved",
    mutants=[
        moved("1/5 |prediction|", factor=Fraction(1, 5)),
        moved("target y", target=Fraction(1)),
        without(sign_label),
    ],
)
def logistic_loss_has_half_the_label_as_slope(
    y: Number, prediction: Number, *, factor: Number = Fraction(1), target: Number = Fraction(1, 2)
) -> Margin:
    r"""For $\ell=\log(1+e^{-y\hat y})$, $y=\pm1$ and $|\hat y|\le1$: $|-\nabla_{\hat y}\ell(y,\hat y)-y/2|\le|\hat y|$.

    Amended: the loss of the main text is half that of the appendix, so the label and the bound are halved as well.
    """
    slope = y / (1 + exp(y * prediction))
    return at_most(absolute(slope - target * y), factor * absolute(prediction), "|-dl - y/2| against |prediction|")


in_unit_interval = Assumption(
    "number.unit_interval",
    "x lies in [0, 1]",
    lambda x: all_of(at_least(x, 0, "x"), at_most(x, 1, "x")),
    base=sized(x=prediction()),
    satisfy=repair.clip_to_unit,
    violate=repair.leave_unit,
)


@claim(
    "min2024.lemma_2.auxiliary",
    "proof of Lemma 2",
    given=sized(x=prediction()),
    assumes=[in_unit_interval],
    proof=lambda: _ratio_below(Fraction(2), _exponential_ratio),
    recorded="proved",
    mutants=[
        moved("17/10 x", factor=Fraction(17, 10)),
        moved("9/10 x above 1 - exp(-x)", first=Fraction(9, 20)),
        without(in_unit_interval),
    ],
    convention="both parts are the same ratio, at x and at -x, so the proof covers [-1, 1]",
)
def twice_the_argument_bounds_both_exponentials(
    x: Number, *, factor: Number = Fraction(2), first: Number = Fraction(1)
) -> Margin:
    r"""$2x\ge\max\{1-e^{-x},\,e^x-1\}$ for $x\in[0,1]$."""
    return all_of(
        at_least(first * factor * x, 1 - exp(-x), "2x against 1 - e^-x"),
        at_least(factor * x, exp(x) - 1, "2x against e^x - 1"),
    )


def _square_loss_proof() -> str | None:
    import z3

    y, p = z3.Reals("y p")
    known = _derivative_is(lambda y, p: (y - p) ** 2 / 2, lambda y, p: y - p, "the slope is y - p")
    return steps(known, by_smt(lambda: z3.Abs((y - p) - y) <= 2 * z3.Abs(p)))


@claim(
    "min2024.remark_4.square_loss",
    "Remark 4, first half",
    given=PREDICTION,
    assumes=[sign_label],
    proof=_square_loss_proof,
    recorded="proved",
    mutants=[moved("9/10 |prediction|", factor=Fraction(9, 10)), moved("loss without the factor 1/2", weight=2)],
    convention="the condition of Lemma 2 only; that the dynamics results carry over is not part of this claim",
)
def square_loss_has_the_label_as_slope(
    y: Number, prediction: Number, *, factor: Number = Fraction(2), weight: int = 1
) -> Margin:
    r"""For $\ell=\tfrac12(y-\hat y)^2$: $|-\nabla_{\hat y}\ell(y,\hat y)-y|=|\hat y|\le2|\hat y|$,
    for every prediction.
    """
    return at_most(
        absolute(weight * (y - prediction) - y), factor * absolute(prediction), "|-dl - y| against 2 |prediction|"
    )
