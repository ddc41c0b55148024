r"""Equation (5.8): the derivative of the loss is of the order of $e^{-y_if(x_i)}$."""

from refute import Margin, all_of, assumption, at_least, at_most, changed, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Number
from refute.decide.symbolic import by_identity
from refute.functions import exp
from refute.strategies import choice, number, sized
from refute.strategies.kou2023.margins import lower_margin, raise_margin

MARGINS = sized(q=number(30), B=choice(0, 1, "1/2", 3))


@assumption("margin.bounded_below", base=MARGINS, satisfy=raise_margin, violate=lower_margin)
def bounded_below(q: Number, B: Number) -> Margin:
    """y f >= -B"""
    return at_least(q, -B, "y f against -B")


def _logit_proof() -> str | None:
    import sympy

    q = sympy.Symbol("q", real=True)
    ratio = 1 / (1 + sympy.exp(q)) / sympy.exp(-q)
    return by_identity(
        lambda: [ratio - 1 / (1 + sympy.exp(-q))], "|l'| e^q = 1/(1 + e^-q), which lies in [1/(1 + e^B), 1) for q >= -B"
    )


@derived
def spread(q: Number, B: Number) -> Number:
    """1 + e^B."""
    return 1 + exp(0 * q + B)


main = section("kou2023", "eq_5_8", "Eq. (5.8)", given=MARGINS, assumes=[bounded_below], derived=[spread])


@main.claim("logit_theta", proof=_logit_proof, recorded="proved")
@mutants(
    changed("with half of the lower constant", spread=lambda spread: spread / 2),
    scaled("99/100", "|l'|"),
    without(bounded_below),
)
def logits_are_of_the_order_of_the_exponential(q: Number, spread: Number) -> Margin:
    r"""$|\ell'|=\Theta(e^{-yf})$: for $yf\ge-B$, $\frac{1}{1+e^B}e^{-yf}\le\frac1{1+e^{yf}}\le e^{-yf}$; here
    $yf=F_{y}-F_{-y}$.

    Convention: margins are bounded below by -B, as they are along the trajectories; the constants are $1/(1+e^B)$ and
    1.
    """
    logit = 1 / (1 + exp(q))
    return all_of(at_least(spread * logit, exp(-q), "(1 + e^B)|l'|"), at_most(logit, exp(-q), "|l'|"))
