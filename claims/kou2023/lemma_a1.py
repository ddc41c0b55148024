r"""Lemma A.1: norms and signals of Gaussian weights. Tails of $\chi^2$ are exact (balls); only joint events are
sampled.

"$d=\Omega(\log(mn/\delta))$" is read as $d\ge50\log(mn/\delta)$; "$m=\Omega(\log(1/\delta))$" is not used.
"""

from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from refute import (
    Fault,
    Kind,
    Margin,
    assumption,
    at_least,
    at_most,
    bounded_by,
    changed,
    derived,
    equal,
    moved,
    mutants,
    power,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import nonzero_inputs
from refute.decide.probability import with_probability
from refute.decide.proof import steps
from refute.decide.symbolic import by_identity
from refute.functions import log, sqrt
from refute.language.limits import SMALL
from refute.models import Dataset
from refute.models.kou2023.chi_square import deviation, tails
from refute.strategies import choice, count, dataset, point, sized
from refute.strategies.kou2023.dimensions import add_dimensions, drop_dimensions

OMEGA = 50  # the constant in d = Omega(log(mn/delta)), our choice
NORMS = sized(
    n=choice(1, 1, 2, 5), m=count(1, 40, 3), d=count(1, 400, 40), delta=choice("1/10", "1/2", "1/100", "9/10")
)


@assumption("input.high_dimension", base=NORMS, satisfy=add_dimensions, violate=drop_dimensions)
def high_dimension(n: int, m: int, d: int, delta: Number) -> Margin:
    """d >= 50 log(mn/delta)"""
    return at_least(d, OMEGA * log(m * n / delta), "d against 50 log(mn/delta)")


@derived
def ends(d: int, delta: Number) -> tuple[Number, Number]:
    """d/2 and 3d/2."""
    one = delta / delta
    return one * d / 2, 3 * one * d / 2


norms = section("kou2023", "lemma_a1", "Lemma A.1", given=NORMS, assumes=[high_dimension], recorded="supported")


@norms.claim("norm", "first line", derived=[ends], cost=2.0)
@mutants(changed("between 3/4 and 5/4", ends=lambda ends: (3 * ends[0] / 2, 5 * ends[0] / 2)), without(high_dimension))
def norms_of_gaussian_weights_concentrate(m: int, d: int, delta: Number, ends: tuple[Number, Number]) -> Margin:
    r"""With probability at least $1-\delta$: $\sigma_0^2d/2\le\|w^{(0)}_{j,r}\|^2\le3\sigma_0^2d/2$ for all $j,r$.

    The 2m norms are independent, so the chance is $(1-\mathrm{tail})^{2m}$ with the two tails of $\chi^2_d$.

    Convention: the joint event is a claim of its own.
    """
    return at_least((1 - tails(d, *ends)) ** (2 * m), 1 - delta, "chance that all norms are fair")


def _union_proof() -> str | None:
    import sympy

    u, z = sympy.Symbol("u", positive=True), sympy.Symbol("z", real=True)
    moment = sympy.integrate(sympy.exp(u * z - z**2 / 2), (z, -sympy.oo, sympy.oo)) / sympy.sqrt(2 * sympy.pi)
    meaning = (
        "E e^{uZ} = e^{u^2/2}, so P[|Z| > u] <= 2 e^{-u^2/2} by Markov; each of the 2mn signals is Z times at most "
        "sigma_0 R_max, and u^2 = 2 log(8mn/delta) makes the union at most 4mn delta/(8mn) = delta/2"
    )
    return by_identity(lambda: [moment - sympy.exp(u**2 / 2)], meaning)


@derived
def signal_bound(data: Dataset, m: int, delta: Number) -> float:
    """sqrt(2 log(8mn/delta)) R_max."""
    square = float((data.inputs * data.inputs).sum(axis=1).max())
    return float(np.sqrt(2 * np.log(8 * m * len(data.labels) / float(delta)) * square))


HALF = changed("half of it", signal_bound=lambda bound: bound / 2)


second_line = section(
    "kou2023",
    "lemma_a1",
    "Lemma A.1",
    kind=Kind.PROBABILISTIC,
    given=sized(data=dataset, m=count(1, 20), delta=choice("1/10", "1/2", "1/100", "9/10")),
    assumes=[nonzero_inputs],
    derived=[signal_bound],
)


@second_line.claim("inner_product", "second line", proof=_union_proof, recorded="proved")
@mutants(HALF)
def initial_signals_are_bounded(
    data: Dataset, m: int, delta: float, signal_bound: float, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""With probability at least $1-\delta$ all $|\langle
    w^{(0)}_{j,r},x_i\rangle|\le\sqrt{2\log(8mn/\delta)}\sigma_0R_{\max}$.

    Convention: $\sigma_0=1$, since both sides scale with it; any nonzero data.
    """
    x = np.asarray(data.inputs, dtype=float)

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        signals = rng.standard_normal((count, 2 * m, x.shape[1])) @ x.T
        return np.asarray((np.abs(signals) <= signal_bound).all(axis=(1, 2)))

    return with_probability(1 - delta, trial, rng, trials, "all initial signals are bounded")


@derived
def half() -> float:
    """By what part of d the squared norms may differ from it."""
    return 0.5


@derived
def unit_bound(n: int, m: int, delta: Number) -> float:
    """sqrt(2 log(8mn/delta))."""
    return float(np.sqrt(2 * np.log(8 * m * n / float(delta))))


SIZES = sized(n=choice(1, 2, 4), m=count(1, 4), d=count(4, 40), delta=choice("1/2", "1/10", "9/10"))


@norms.claim(
    "norm.jointly", "both lines", kind=Kind.PROBABILISTIC, given=SIZES, derived=[half, unit_bound], printed=True
)
@mutants(
    changed("norms within a tenth", half=lambda half: half / 5),
    changed("signals below half of the bound", unit_bound=lambda bound: bound / 2),
)
def norms_and_signals_are_fair_together(
    n: int, m: int, d: int, delta: float, half: float, unit_bound: float, *, rng: np.random.Generator, trials: int
) -> Margin:
    r"""With probability at least $1-\delta$ both lines of Lemma A.1 hold at once, if $d\ge50\log(mn/\delta)$.

    Convention: inputs $e_1,\dots,e_n$ (repeated beyond d); $\sigma_0=1$.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        w = rng.standard_normal((count, 2 * m, d))
        fair = np.abs((w**2).sum(axis=2) - d) <= half * d
        return np.asarray(fair.all(axis=1) & (np.abs(w[:, :, :n]) <= unit_bound).all(axis=(1, 2)))

    return with_probability(1 - delta, trial, rng, trials, "norms and signals are fair")


def outside(d: int, width: Number) -> Number:
    """P[|chi^2_d - d| > width]."""
    below = d - width
    return tails(d, below if below > 0 else below * 0, d + width)


bernstein = norms.but("proof of Lemma A.1, first display", cost=2.0)


@bernstein.claim("proof_bernstein")
@mutants(moved("the constant 1", C=Fraction(1)))
def the_norm_deviates_by_the_printed_order(m: int, d: int, delta: Number, *, C: Number = Fraction(4)) -> Margin:
    r"""With probability at least $1-\delta/(4m)$:
    $|\|w^{(0)}_{j,r}\|^2-\sigma_0^2d|=O(\sigma_0^2\sqrt{d\log(8m/\delta)})$.

    Convention: under the supposition of the lemma, $d\ge50\log(mn/\delta)$; the constant is 4.
    """
    return at_most(outside(d, C * sqrt(d * log(8 * m / delta))), delta / (4 * m), "chance of a larger deviation")


by_itself = bernstein.but(
    kind=Kind.ASYMPTOTIC,
    given=None,
    assumes=(),
    instances=[{"d": 1, "m": 1}, {"d": 5, "m": 2}],
    recorded="against",
    fault=Fault.MISSING_HYPOTHESIS,
)


@by_itself.claim("proof_bernstein.r1", "read by itself")
def the_norm_deviates_by_the_printed_order_for_fixed_d(d: int, m: int) -> Margin:
    r"""The same without the supposition that d is large.

    Fails for fixed d and $\delta\to0$: the upper tail of $\chi^2_d$ is of order $e^{-u/2}$, so the deviation is of
    order $2\log(1/\delta)$, not its root: for $d=1$ it is $2\log(1/\delta)$ against $\sqrt{\log(8/\delta)}$.
    Bernstein's inequality has a second, linear term, which the root absorbs as soon as $d\ge\log(8m/\delta)$.

    Convention: Lemma A.1 opens with its supposition on d, so the authors need not mean this; d and m fixed.
    """

    def ratio(delta: float) -> float:
        return float(deviation(d, delta / (4 * m)) / np.sqrt(d * np.log(8 * m / delta)))

    return bounded_by(ratio, power(0), "deviation over its bound", at=SMALL)


@bernstein.claim("proof_bernstein.amended", "with the linear term", assumes=())
@mutants(moved("factor 1", factor=Fraction(1)), moved("no linear term", linear=0))
def the_norm_deviates_by_a_root_and_a_linear_term(
    m: int, d: int, delta: Number, *, factor: Number = Fraction(2), linear: int = 2
) -> Margin:
    r"""Amended: $|\|w\|^2-\sigma_0^2d|\le\sigma_0^2(2\sqrt{dx}+2x)$ with $x=\log(8m/\delta)$, with probability at least
    $1-\delta/(4m)$, whatever d.

    Convention: the constants are those of Laurent and Massart; for $d\ge x$ this is at most $4\sqrt{dx}$.
    """
    x = log(8 * m / delta)
    return at_most(outside(d, factor * sqrt(d * x) + linear * x), delta / (4 * m), "chance of a larger deviation")


@derived
def moment(x: Array, scale: Number) -> Number:
    """E <w, x>^2 for entries of w that are independent and +-sigma_0, each with chance 1/2."""
    signed = [
        sum(sign * entry for sign, entry in zip(signs, x, strict=True)) for signs in product((1, -1), repeat=len(x))
    ]
    return scale * scale * sum(value * value for value in signed) / len(signed)


def _cross_terms() -> str | None:
    import sympy

    a, b, s, t, v = sympy.symbols("a b s t v", real=True)
    square = sympy.expand((a * s + b * t) ** 2)
    mean = square.subs(s * t, 0).subs({s**2: v, t**2: v})
    return steps(
        by_identity(lambda: [mean - v * (a**2 + b**2)], "two entries: E s t = 0 and E s^2 = E t^2 = sigma_0^2"),
        "one entry after the other",
    )


variance = section(
    "kou2023",
    "lemma_a1",
    "proof of Lemma A.1",
    given=sized(scale=choice("1", "1/2", "1/100", "3"), x=point),
    derived=[moment],
    convention="the variance is the same for all independent centred entries with variance sigma_0^2: here +-sigma_0",
)


@variance.claim("proof_variance.r2", proof=_cross_terms, recorded="proved")
@mutants(scaled("101/100"))
def signals_have_the_variance_of_their_input(x: Array, scale: Number, moment: Number) -> Margin:
    r"""$\langle w^{(0)}_{j,r},x_i\rangle$ is centred with variance $\sigma_0^2\|x_i\|^2$."""
    return equal(moment, scale**2 * (x @ x), "E <w, x>^2")


@variance.claim("proof_variance.r1", "as legible", recorded="refuted", fault=Fault.SCAN)
def signals_have_the_variance_as_legible(x: Array, scale: Number, moment: Number) -> Margin:
    r"""The variance of $\langle w^{(0)}_{j,r},x_i\rangle$ is $\sigma_0\|x_i\|^2$.

    Fails unless $\sigma_0=1$: the entries of $w^{(0)}$ have variance $\sigma_0^2$. The display reads $N(0,\sigma_0I)$;
    everywhere else $\sigma_0$ is the standard deviation.
    """
    return equal(moment, scale * (x @ x), "E <w, x>^2")
