"""Lemma H.1: a sequence with small increments grows at most logarithmically."""

from refute import Margin, all_of, at_most, changed, derived, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.sequences import (
    capped_increments,
    exponential_above_its_tangent,
    nonnegative,
    t,
    upper_proof,
    x,
)
from refute.functions import exp, log, sqrt
from refute.strategies.kou2023.sequences import sequence


@derived
def factor(C: Number) -> Number:
    """e^C."""
    return exp(C)


@derived
def start(x0: Number) -> Number:
    """e^{x_0}."""
    return exp(x0)


main = section(
    "kou2023",
    "lemma_h1",
    "Lemma H.1",
    given=sequence(),
    assumes=[capped_increments, nonnegative],
    derived=[x, t, factor, start],
    recorded="proved",
    mutants=[
        changed("e^{C/2} in place of e^C", factor=sqrt),
        changed("e^{9C/10} in place of e^C", factor=lambda factor: exp(9 * log(factor) / 10)),
        without(capped_increments),
        without(nonnegative),
    ],
)


@main.claim("log_upper_bound", proof=upper_proof)
@mutants(changed("e^{-x_0} as in Lemma 5.3", start=lambda start: 1 / start))
def slow_sequences_grow_at_most_logarithmically(x: Array, t: Array, C: Number, factor: Number, start: Number) -> Margin:
    r"""If $x_t\ge0$ and $x_{t+1}-x_t\le Ce^{-x_t}$ for all $t$, then $x_t\le\log(e^{x_0}+Ce^Ct)$ for all $t\ge0$.

    Convention: $C>0$, which the lemma does not say; for $C<0$ no infinite sequence meets the hypotheses.
    """
    return at_most(x, log(start + C * factor * t), "x_t")


def _steps_proof() -> str | None:
    return exponential_above_its_tangent(
        "at -h with h = x_{t+1} - x_t it says e^{x_{t+1}} - e^{x_t} <= h e^{x_{t+1}}, whose sum is the third display; "
        "h <= C e^{-x_t} = C e^{h - x_{t+1}} and h <= C give the first, and times e^{x_{t+1}} the second"
    )


@main.claim("proof_step", "inside the proof", proof=_steps_proof, cost=2.0)
@mutants(scaled("999/1000", "e^{x_{t+1}}"), scaled("99/100", "integral"))
def steps_of_the_upper_bound(x: Array, C: Number, factor: Number) -> Margin:
    r"""$x_{t+1}-x_t\le Ce^{-x_{t+1}+C}$, so $e^{x_{t+1}}(x_{t+1}-x_t)\le Ce^C$, and
    $\int_{x_0}^{x_T}e^x\,dx\le\sum_{t<T}e^{x_{t+1}}(x_{t+1}-x_t)$.
    """
    rises = x[1:] - x[:-1]
    weighted = exp(x[1:]) * rises
    return all_of(
        at_most(rises, C * factor * exp(-x[1:]), "x_{t+1} - x_t"),
        at_most(weighted, C * factor, "e^{x_{t+1}} (x_{t+1} - x_t)"),
        at_most(exp(x[1:]) - exp(x[0]), weighted.cumsum(), "integral of e^x against the upper sum"),
    )
