"""Lemma 5.3: sequences between two multiples of $e^{-x_t}$ grow logarithmically."""

from refute import Fault, Margin, at_least, at_most, changed, derived, mutants, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.sequences import banded_increments, lower_proof, nonnegative, t, upper_proof, x
from refute.functions import exp, log, sqrt
from refute.strategies.kou2023.sequences import banded_sequence


@derived
def start(x0: Number) -> Number:
    """e^{-x_0}."""
    return exp(-x0)


@derived
def factor(C2: Number) -> Number:
    """e^{C_2}."""
    return exp(C2)


main = section(
    "kou2023",
    "lemma_5_3",
    "Lemma 5.3, Eqs. (5.6) and (5.7)",
    given=banded_sequence(),
    assumes=[banded_increments, nonnegative],
    derived=[x, t, start, factor],
)
DROPPED = [without(banded_increments), without(nonnegative)]


@main.claim("lower", "left", proof=lower_proof, recorded="proved")
@mutants(
    changed("slope 3 C_1/2", C1=lambda C1: 3 * C1 / 2),
    changed("e^{11 x_0/10}", start=lambda start: exp(-11 * log(start) / 10)),
    *DROPPED,
)
def banded_sequences_grow_at_least_logarithmically(x: Array, t: Array, C1: Number, start: Number) -> Margin:
    r"""If $x_t\ge0$ and $C_1e^{-x_t}\le x_{t+1}-x_t\le C_2e^{-x_t}$, then $x_t\ge\log(e^{-x_0}+C_1t)$ for all $t\ge0$.

    Weaker than what holds: Lemma H.2 has $e^{x_0}$ in place of the printed $e^{-x_0}\le e^{x_0}$.

    Convention: $0<C_1\le C_2$.
    """
    return at_least(x, log(start + C1 * t), "x_t")


@main.claim("upper", "right", recorded="refuted", fault=Fault.SIGN)
@mutants(
    changed("only for t >= 1", x=lambda x: x[1:], t=lambda t: t[1:]),
    changed("e^0, which is larger", start=lambda start: start / start),
)
def banded_sequences_grow_at_most_logarithmically_as_printed(
    x: Array, t: Array, C2: Number, factor: Number, start: Number
) -> Margin:
    r"""If $x_t\ge0$ and $C_1e^{-x_t}\le x_{t+1}-x_t\le C_2e^{-x_t}$, then $x_t\le\log(e^{-x_0}+C_2e^{C_2}t)$ for all
    $t\ge0$.

    Fails at $t=0$ for every $x_0>0$: with $x_0=1$ it says $1\le-1$. It fails later too, as long as $e^{x_0}$ outweighs
    $C_2e^{C_2}t$; Lemma H.1, from which it is to follow, has $e^{x_0}$.

    Convention: $0<C_1\le C_2$; the mutants are weaker and fall too: neither $t=0$ nor the sign alone is to blame.
    """
    return at_most(x, log(start + C2 * factor * t), "x_t")


@main.claim("upper.amended", "right, with the constant of Lemma H.1", proof=upper_proof, recorded="proved")
@mutants(
    changed("e^{C_2/2}", factor=sqrt),
    changed("e^0 in place of e^{x_0}", start=lambda start: start / start),
    changed("e^{9 x_0/10}", start=lambda start: exp(9 * log(start) / 10)),
    *DROPPED,
)
def banded_sequences_grow_at_most_logarithmically(
    x: Array, t: Array, C2: Number, factor: Number, start: Number
) -> Margin:
    r"""The same hypotheses give $x_t\le\log(e^{x_0}+C_2e^{C_2}t)$ for all $t\ge0$.

    Amended: $e^{x_0}$ in place of $e^{-x_0}$, as in Lemma H.1; the printed bound fails at $t=0$ for every $x_0>0$.

    Convention: $0<C_1\le C_2$.
    """
    return at_most(x, log(1 / start + C2 * factor * t), "x_t")
