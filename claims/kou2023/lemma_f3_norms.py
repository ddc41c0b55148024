r"""Proof of Lemma F.3: the norms of $A=C\,\mathrm{diag}(a)$, of its mean and of its noise.

At a Gaussian start the entries of C are fair coins, $a_i=m/|S_i|$ with the column counts $|S_i|$ of C, and $\delta$ is
$\frac1{10}$.
"""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import (
    Fault,
    Kind,
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
from refute.arithmetic.numbers import Array, Number, arithmetic_of
from refute.decide.probability import with_probability
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, log, sign, sqrt
from refute.models.geometry.stable_rank import spectral_norms
from refute.models.kou2023.coins import Coins
from refute.strategies.kou2023.counts import all_active, counts, matrix_and_vector, near_half

Rng = np.random.Generator
DELTA = Fraction(1, 10)

main = section("kou2023", "lemma_f3", "proof of Lemma F.3")


@derived
def room(delta: Number) -> Number:
    """log(2/delta)."""
    return log(2 / delta)


hoeffding = main.but(kind=Kind.PROBABILISTIC, derived=[room])


many_samples = hoeffding.but(
    instances=[{"m": 600, "n": 8000, "delta": DELTA}], recorded="refuted", fault=Fault.WRONG, in_balls=True
)


@many_samples.claim("frobenius_hoeffding")
def frobenius_norms_concentrate(m: int, n: int, delta: Number, room: Number, *, rng: Rng, trials: int) -> Margin:
    r"""With probability at least $1-2\delta$, if $m\ge50\log(2n/\delta)$:
    $|\|A\|_F^2-\frac
    m2\sum_ia_i^2|\le\sqrt{\frac{m\log(2/\delta)}2\sum_ia_i^4}\le\sqrt{\frac{625mn\log(2/\delta)}{32}}$, and so for B.

    Fails for n much larger than m: $a_i$ depends on the coins. With $|S_i|=m/2+z$ a column adds
    $z(m/|S_i|)^2\approx4z-16z^2/m$, whose mean is $-4$, so the left side is about $2n$, against about
    $2\sqrt{mn\log(2/\delta)}$.

    Convention: $\delta=\frac1{10}$, and both classes at once.
    """
    a = m / arithmetic_of(delta).array(np.arange(1.0, m + 1))  # of a column with 1, ..., m active neurons

    def trial(rng: Rng, count: int) -> NDArray[np.bool_]:
        active = np.maximum(rng.binomial(m, 0.5, size=(2 * count, n // 2)), 1)
        columns = np.array([np.bincount(row, minlength=m + 1)[1:] for row in active])  # how many of them have 1, ..., m
        squares, halves = m * (columns @ a), m * (columns @ a**2) / 2
        middle = sqrt(m * room / 2 * (columns @ a**4))
        inside = sign(middle - absolute(squares - halves)) >= 0
        bounded = sign(sqrt(625 * m * n * room / 32) - middle) >= 0
        return np.asarray((inside & bounded).reshape(count, 2).all(axis=1))

    return with_probability(1 - 2 * delta, trial, rng, trials, "both Frobenius norms are near m|a|^2/2")


frobenius_norms_concentrate.amended(
    "Amended: for $n\\le m/16$, where the bias of about $2n$ is below half of the bound.",
    instances=[{"m": 320, "n": 4, "delta": DELTA}, {"m": 480, "n": 30, "delta": DELTA}],
    recorded="supported",
    in_balls=False,
    mutants=[
        changed("a third of the bound", room=lambda room: room / 9),
        changed("half of the bound", room=lambda room: room / 4),
    ],
)


@assumption("counts.near_half", base=counts(), satisfy=near_half, violate=all_active)
def tame_counts(m: int, s: int) -> Margin:
    """0.4m <= |S_i| <= 0.6m"""
    return all_of(at_least(5 * s, 2 * m, "5|S_i|"), at_most(5 * s, 3 * m, "5|S_i|"))


def given_count(m: int, s: int) -> Fraction:
    """E[A_ri] given |S_i| = s: the neuron and s - 1 of the others are active, and the entry is then m/s."""
    return Fraction(comb(m - 1, s - 1), comb(m, s)) * Fraction(m, s)


def on_the_event(m: int) -> tuple[Fraction, Fraction]:
    """E[A_ri] and E[a_i]/2 on the event 0.4m <= |S_i| <= 0.6m."""
    chances = {s: comb(m, s) for s in range(1, m + 1) if 2 * m <= 5 * s <= 3 * m}
    total = Fraction(sum(chances.values()))
    entry = sum(chance * given_count(m, s) for s, chance in chances.items()) / total
    return entry, sum(chance * Fraction(m, 2 * s) for s, chance in chances.items()) / total


of_counts = main.but(given=counts(), assumes=[tame_counts])


@of_counts.claim("expected_matrix.r1", recorded="refuted", fault=Fault.WRONG, printed=True)
def mean_given_the_counts_as_printed(m: int, s: int) -> Margin:
    r"""$E[A]=G\,\mathrm{diag}(a)$ with all entries of G equal to $\frac12$.

    Fails unless $|S_i|=m/2$: given $|S_i|=s$ each neuron is active with chance $s/m$, so
    $E[A_{ri}]=\frac sm\cdot\frac ms=1\ne\frac m{2s}$.

    Convention: the mean given the counts $|S_i|=s$, on which $a_i=m/s$ depends.
    """
    return equal(given_count(m, s), Fraction(m, 2 * s), "E[A_ri]")


@of_counts.claim(
    "expected_matrix.r2", recorded="refuted", fault=Fault.WRONG, root="kou2023.lemma_f3.expected_matrix.r1"
)
def unconditional_mean_as_printed(m: int) -> Margin:
    r"""$E[A]=E[G\,\mathrm{diag}(a)]$ with all entries of G equal to $\frac12$.

    Fails: the left side is 1 and the right side is $\frac m2E[1/|S_i|]>1$ by Jensen's inequality (for $m=5$ it is
    $25/24$).

    Convention: the mean over all starts on the event of Lemma A.2, of both sides.
    """
    return equal(*on_the_event(m), "E[A_ri]")


def _mean_proof() -> str | None:
    import sympy

    m, s = sympy.symbols("m s", positive=True)
    return by_identity(
        lambda: [s / m * (m / s) - 1],
        "given |S_i| = s the chance of each neuron is C(m-1,s-1)/C(m,s) = s/m and the entry is m/s; the mean over s of "
        "1 is 1",
    )


every_count = of_counts.but(
    assumes=(),
    given=counts().filter(lambda fields: fields["s"] <= fields["m"] != 3),
    proof=_mean_proof,
    recorded="proved",
)


@every_count.claim("expected_matrix.amended")
@mutants(scaled("11/10", "E[A_ri] given"), scaled("11/10", "E[A_ri] on the event"))
def all_means_are_one(m: int, s: int) -> Margin:
    r"""Amended: every entry of $E[A]$ is 1. (The entries of a column add up to m, so they are not independent either.)

    Convention: given the count, and over all starts on the event of Lemma A.2.
    """
    return all_of(
        equal(given_count(m, s), 1, "E[A_ri] given |S_i| = s"), equal(on_the_event(m)[0], 1, "E[A_ri] on the event")
    )


def norm_of_a(m: int, s: int, n: int) -> Margin:
    """5 sqrt(n)/3 <= |a| <= 5 sqrt(n)/2 for a = (m/s), squared and multiplied by s^2."""
    return all_of(
        at_least(m * m, Fraction(25, 9) * n * s * s, "s^2 |a|^2 from below"),
        at_most(m * m, Fraction(25, 4) * n * s * s, "s^2 |a|^2 from above"),
    )


@of_counts.claim("a_norm_bounds", recorded="refuted", fault=Fault.CONSTANT)
def norm_of_a_as_printed(m: int, s: int) -> Margin:
    r"""$\frac53\sqrt n\le\|a\|_2\le\frac52\sqrt n$ if $0.4m\le|S_i^{(0)}|\le0.6m$.

    Fails below: a has only $n/2$ entries, each in $[\frac53,\frac52]$; with all $|S_i|=m/2$ the norm is
    $2\sqrt{n/2}<\frac53\sqrt n$.

    Convention: a has $n/2$ entries, one for each sample of class $+1$; here n = 2.
    """
    return norm_of_a(m, s, 2)


def _norm_proof() -> str | None:
    def statement() -> Any:
        import z3

        m, s = z3.Reals("m s")
        given = z3.And(s > 0, 5 * s >= 2 * m, 5 * s <= 3 * m)
        return z3.Implies(given, z3.And(9 * m * m >= 25 * s * s, 4 * m * m <= 25 * s * s))

    return steps(by_smt(statement), "for each of the n/2 entries m/s of a; their squares add up")


@of_counts.claim("a_norm_bounds.amended", "with n/2", proof=_norm_proof, recorded="proved")
@mutants(scaled("101/100", "s^2 |a|^2 from below"), scaled("19/20", "s^2 |a|^2 from above"), without(tame_counts))
def norm_of_a_with_half_of_the_samples(m: int, s: int) -> Margin:
    r"""Amended: $\frac53\sqrt{n/2}\le\|a\|_2\le\frac52\sqrt{n/2}$.

    Convention: the cases have n = 2; the squares of several entries add up, and so do the bounds.
    """
    return norm_of_a(m, s, 1)


def _rank_one() -> str | None:
    import sympy

    m, s = sympy.symbols("m s", positive=True)
    return steps(
        by_identity(
            lambda: [m * (s / 2) ** 2 - m * s**2 / 4], "every entry of Mv is <a, v>/2, so |Mv|^2 = m<a, v>^2/4"
        ),
        "by Cauchy and Schwarz that is at most m|a|^2|v|^2/4, with equality for v = a",
    )


@derived
def bound(m: int, a: Array) -> Number:
    """m |a|^2/4."""
    return m * (a @ a) / 4


@main.claim("mean_norm", given=matrix_and_vector(), derived=[bound], proof=_rank_one, recorded="proved")
@mutants(scaled("101/100", "at v = a"), scaled("99/100", "|Mv|^2"))
def norm_of_the_mean_matrix(m: int, a: Array, v: Array, bound: Number) -> Margin:
    r"""$\|G\,\mathrm{diag}(a)\|_2=\sqrt m\|a\|_2/2$ with all entries of G equal to $\frac12$.

    Convention: squared; $M=G\,\mathrm{diag}(a)$ has $\|Mv\|^2\le\frac m4\|a\|^2\|v\|^2$ for all v, with equality for
    $v=a$. B alike.
    """
    M = np.array([a / 2] * m)
    return all_of(
        at_most((M @ v) @ (M @ v), bound * (v @ v), "|Mv|^2"), equal((M @ a) @ (M @ a), bound * (a @ a), "at v = a")
    )


@derived
def slack(m: int, n: int, delta: Number) -> float:
    """C (sqrt m + sqrt n + sqrt(log(2/delta)))/2 with C = 3."""
    return 1.5 * float(np.sqrt(m) + np.sqrt(n) + np.sqrt(np.log(2 / float(delta))))


SHAPES = [{"m": m, "n": n, "delta": DELTA} for m, n in ((160, 2), (100, 100), (20, 400))]


noise = main.but(kind=Kind.PROBABILISTIC, instances=SHAPES, derived=[slack], recorded="supported")


@noise.claim("noise_norm")
@mutants(changed("C = 1", slack=lambda slack: slack / 3), changed("C = 3/2", slack=lambda slack: slack / 2))
def noise_has_a_small_norm(m: int, n: int, delta: float, slack: float, *, rng: Rng, trials: int) -> Margin:
    r"""$\|A-E[A]\|_2\le\frac C2(\sqrt m+\sqrt n+\sqrt{\log(2/\delta)})$ and so for B, with probability at least
    $1-\delta$.

    Convention: C = 3; E[A] as printed, $G\,\mathrm{diag}(a)$; both bounds at once.
    """

    def trial(rng: Rng, count: int) -> NDArray[np.bool_]:
        coins = Coins.thrown(rng, 2 * count, m, n)
        return np.asarray((spectral_norms(coins.A - coins.mean) <= slack).reshape(count, 2).all(axis=1))

    return with_probability(1 - float(delta), trial, rng, trials, "both noises have a small norm")


def triangle(coins: Coins, centre: Array) -> Margin:
    """| |A| - |centre| | <= |A - E[A]| and so with sqrt(m)|a|/2 in place of |centre|."""
    whole, noise = coins.spectral, spectral_norms(coins.A - coins.mean)
    exact = sqrt(coins.active.shape[1] * (coins.a * coins.a).sum(axis=1)) / 2
    return all_of(
        at_most(absolute(whole - spectral_norms(centre)), noise, "| |A| - |centre| |"),
        at_most(absolute(whole - exact), noise, "| |A| - sqrt(m)|a|/2 |"),
    )


sides = main.but(kind=Kind.ASYMPTOTIC)


coins = sides.but(
    instances=[{"m": 100, "n": 200, "one": Fraction(1)}], recorded="refuted", fault=Fault.SCAN, in_balls=True
)


@coins.claim("triangle.r1")
def triangle_around_the_coins(m: int, n: int, one: Number, *, rng: Rng) -> Margin:
    r"""$\|C\|_2-\|A-E[A]\|_2\le\|A\|_2\le\|C\|_2+\|A-E[A]\|_2$.

    Fails for many samples: $A\approx2C$, so $\|A\|_2-\|C\|_2\approx\frac12\sqrt{mn/2}$, while
    $\|A-E[A]\|_2\approx\sqrt m+\sqrt{n/2}$. With E[A] in place of C it is the triangle inequality (r2).

    Convention: with the matrix C of zeros and ones, as the scan reads; four random starts.
    """
    coins = Coins(arithmetic_of(one).array(Coins.thrown(rng, 4, m, n).active))
    return triangle(coins, coins.active)


@sides.claim(
    "triangle.r2", instances=[{"m": m, "n": n} for m, n in ((5, 2), (4, 12), (100, 200))], recorded="supported"
)
@mutants(scaled("1/50"))
def triangle_around_the_mean(m: int, n: int, *, rng: Rng) -> Margin:
    r"""$\|E[A]\|_2-\|A-E[A]\|_2\le\|A\|_2\le\|E[A]\|_2+\|A-E[A]\|_2$, so
    $|\|A\|_2-\frac{\sqrt m}2\|a\|_2|\le\|A-E[A]\|_2$.

    Convention: with $E[A]=G\,\mathrm{diag}(a)$; four random starts of each size.
    """
    coins = Coins.thrown(rng, 4, m, n)
    return triangle(coins, coins.mean)
