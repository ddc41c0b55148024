"""Eq. (40): the slopes of the loss while the outputs are small."""

from fractions import Fraction

from flint import arb

from refute import Fault, Margin, all_of, at_least, at_most, claim, mutants, scaled
from refute.arithmetic.numbers import Number
from refute.claims.min2024.lemma_2 import HALF_SLOPE
from refute.claims.min2024.training import APPENDIX_LOSSES
from refute.decide.proof import by_subdivision, steps
from refute.functions import exp
from refute.strategies import choice, sized

QUARTERS = choice("-1/4", "1/4", "0", "1/8")
LOW, HIGH = "-dl against the lower bound", "-dl against the upper bound"


def _window_proof(name: str) -> str | None:
    """With y = 1 the slope is decreasing in f, so the ends decide; all balls in between are covered anyway."""

    def slope(f: arb) -> arb:
        return (-f).exp() if name == "exponential" else 2 / (1 + f.exp())

    ends = Fraction(-1, 4), Fraction(1, 4)
    below = by_subdivision(lambda f: slope(f) - arb(1) / 2, *ends, f"{name} slope above 1/2")
    return steps(below, by_subdivision(lambda f: arb(3) / 2 - slope(f), *ends, f"{name} slope below 3/2"))


def slopes_proof() -> str | None:
    """For both losses of the appendix."""
    return steps(_window_proof("exponential"), _window_proof("twice logistic"))


@claim(
    "min2024.eq_40.gradient_window",
    "Eq. (40)",
    given=sized(f=QUARTERS, loss=APPENDIX_LOSSES),
    proof=slopes_proof,
    recorded="proved",
    cost=0.5,
)
@mutants(scaled("779/500", LOW), scaled("107/125", HIGH))
def slopes_are_in_the_window(
    f: Number, loss: str, *, low: Number = Fraction("1/2"), high: Number = Fraction("3/2")
) -> Margin:
    r"""$\frac12\le-\nabla_{\hat y}\ell(y_i,f_+(x_i))\le\frac32$ for $|f_+(x_i)|\le\frac14$, $i\in\mathcal I_+$.

    Convention: y_i = 1; exponential loss and the logistic loss of the appendix.
    """
    slope = exp(-f) if loss == "exponential" else (2 if loss == "twice logistic" else 1) / (1 + exp(f))
    return all_of(at_least(slope, low, LOW), at_most(slope, high, HIGH))


logistic = slopes_are_in_the_window.reading(
    "logistic",
    r"With the logistic loss of Section 2.1, $\ell=\log(1+e^{-y\hat y})$, it fails: the slope is "
    r"$\frac1{1+e^f}<\frac12$ for every $f>0$.",
    given=sized(f=QUARTERS, loss=choice("logistic")),
    recorded="refuted",
    fault=Fault.CONSTANT,
    root=HALF_SLOPE,
    printed=True,
    mutants=[],
)
logistic.amended(
    r"Amended: half the window, $\frac14\le-\nabla_{\hat y}\ell\le\frac34$, for the logistic loss of Section 2.1.",
    low=Fraction(1, 4),
    high=Fraction(3, 4),
    proof=lambda: _window_proof("twice logistic"),
    recorded="proved",
    mutants=[scaled("44/25", LOW), scaled("37/50", HIGH)],
)
