"""Lemma H.2: a sequence with large increments grows at least logarithmically."""

from refute import Margin, all_of, at_least, changed, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.lemma_h1 import start
from refute.claims.kou2023.sequences import exponential_above_its_tangent, floored_increments, lower_proof, t, x
from refute.functions import exp, log
from refute.strategies.kou2023.sequences import sequence

main = section(
    "kou2023",
    "lemma_h2",
    "Lemma H.2",
    given=sequence(),
    assumes=[floored_increments],
    derived=[x, t, start],
    recorded="proved",
    mutants=[without(floored_increments)],
)


@main.claim("log_lower_bound", proof=lower_proof)
@mutants(
    changed("slope 101 C/100", C=lambda C: 101 * C / 100),
    changed("slope C e^C", C=lambda C: C * exp(C)),
    changed("e^{-x_0} as in Lemma 5.3", start=lambda start: 1 / start),
)
def fast_sequences_grow_at_least_logarithmically(x: Array, t: Array, C: Number, start: Number) -> Margin:
    r"""If $x_{t+1}-x_t\ge Ce^{-x_t}$ for all $t$, then $x_t\ge\log(e^{x_0}+Ct)$ for all $t\ge0$; no sign is asked of
    $x_t$.

    Convention: $C>0$, so that the logarithm exists.
    """
    return at_least(x, log(start + C * t), "x_t")


def _steps_proof() -> str | None:
    return exponential_above_its_tangent(
        "at h = x_{t+1} - x_t it says e^{x_{t+1}} - e^{x_t} >= h e^{x_t}, which is at least C; sum over t"
    )


@main.claim("proof_step", "inside the proof", proof=_steps_proof, cost=2.0)
@mutants(scaled("101/100", "integral"), scaled("101/100", "sum"))
def steps_of_the_lower_bound(x: Array, t: Array, C: Number) -> Margin:
    r"""$\int_{x_0}^{x_T}e^x\,dx\ge\sum_{t<T}e^{x_t}(x_{t+1}-x_t)\ge CT$.

    Convention: $C>0$; the terms may be negative.
    """
    sums = (exp(x[:-1]) * (x[1:] - x[:-1])).cumsum()
    return all_of(
        at_least(exp(x[1:]) - exp(x[0]), sums, "integral of e^x against the lower sum"),
        at_least(sums, C * t[1:], "sum against C T"),
    )
