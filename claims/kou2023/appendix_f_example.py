r"""Appendix F, proof of Lemma F.3: the example $x_i=e_i$, n even, labels $+1$ for the first half, and its limiting
stable ranks.

$C_{ri}$ says whether neuron r of class $+1$ starts active on $x_i$, $a_i=m/|S_i^{(0)}|$, and $A=C\,\mathrm{diag}(a)$ is
the limit of $W_{+1}^{(t)}/\log t$ on the first $n/2$ coordinates; B is the same for class $-1$. At a Gaussian start the
entries of C are fair coins. Probabilities are tested for $\delta=1/10$.
"""

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, all_of, at_least, at_most, claim, equal, identity, moved, without
from refute.arithmetic.numbers import Number, arithmetic_of
from refute.decide.probability import with_probability
from refute.decide.proof import by_smt, steps
from refute.functions import absolute, log, sign, sqrt
from refute.models import Dataset
from refute.models.geometry.stable_rank import spectral_norms, stable_rank
from refute.models.kou2023.decomposition import unroll_long
from refute.models.network import signed_halves
from refute.strategies.kou2023.counts import all_active, counts, near_half

Floats = NDArray[np.float64]

DELTA = 0.1


def _coins(rng: np.random.Generator, count: int, m: int, n: int) -> tuple[Floats, Floats]:
    """`count` matrices C, (count, m, n/2), and their a, (count, n/2); a column without active
    neurons is drawn again.
    """
    active = rng.random((count, m, n // 2)) < 0.5
    while not (filled := np.asarray(active.any(axis=1))).all():
        active |= (rng.random(active.shape) < 0.5) & ~filled[:, None, :]
    return active.astype(float), m / active.sum(axis=1)


@claim(
    "kou2023.lemma_f3.limit_matrix",
    "proof of Lemma F.3",
    kind=Kind.ASYMPTOTIC,
    instances=[{"n": 2, "m": 5}, {"n": 6, "m": 8}],
    recorded="supported",
    mutants=[moved("C in place of A", power=0.0), moved("A and B exchanged", swap=1), moved("a squared", power=2.0)],
    convention="read off the slope of the weights in log t between 10^18 and 10^20, to 10^-4; C = 10, delta = 1/2, a "
    "Gaussian start",
)
def weights_over_the_logarithm_converge(
    n: int, m: int, *, rng: np.random.Generator, power: float = 1.0, swap: int = 0
) -> Margin:
    r"""$W_{+1}^{(t)}/\log t\to[A,0]$ and $W_{-1}^{(t)}/\log t\to[0,B]$, so that the stacked
    $W^{(t)}/\log t\to\mathrm{diag}(A,B)$.
    """
    scale = 1 / (10 * np.sqrt(np.log(2 * m * n)))
    net = signed_halves(scale * rng.standard_normal((m, n)), scale * rng.standard_normal((m, n)), 0.0)
    labels = np.repeat([1.0, -1.0], n // 2)
    course = unroll_long(net, Dataset(np.eye(n), labels), rate=n * m / 10, times=[1e18, 1e20])
    slope = (course.weights[-1] - course.weights[-2]) / np.log(course.steps[-1] / course.steps[-2])
    active = net.inner.reshape(2, m, n) >= 0
    limit = np.stack(
        [
            own * (labels == j) * (m / np.maximum(own.sum(axis=0), 1)) ** power
            for own, j in zip(active, (1, -1), strict=True)
        ]
    )
    alive = (active.sum(axis=1) > 0)[:, None, :]  # a sample on which no neuron of its class is active teaches nothing
    return at_most(np.abs(slope - (limit[::-1] if swap else limit)) * alive, 1e-4, "distance of W/log t from its limit")


@claim(
    "kou2023.lemma_f3.stable_rank_formulas",
    "proof of Lemma F.3",
    kind=Kind.ASYMPTOTIC,
    instances=[{"n": 4, "m": 5}, {"n": 12, "m": 8}],
    recorded="supported",
    mutants=[moved("the sum of both norms below", joint=1.0), moved("|A|_F^2 only", second=0.0)],
    convention="limit matrices in closed form, two random ones of each size; the stable rank of W by singular values "
    "of the stacked matrix",
)
def stable_ranks_of_the_limit(
    n: int, m: int, *, rng: np.random.Generator, joint: float = 0.0, second: float = 1.0
) -> Margin:
    r"""$\lim\mathrm{sr}(W_{+1})=\frac{\|A\|_F^2}{\|A\|_2^2}$, $\lim\mathrm{sr}(W_{-1})=\frac{\|B\|_F^2}{\|B\|_2^2}$ and
    $\lim\mathrm{sr}(W)=\frac{\|A\|_F^2+\|B\|_F^2}{\max\{\|A\|_2,\|B\|_2\}^2}$.
    """
    (C, D), (a, b) = _coins(rng, 2, m, n)
    A, B, none = C * a, D * b, np.zeros((m, n // 2))
    squares, norms = [(M**2).sum() for M in (A, B)], spectral_norms(np.stack([A, B])) ** 2
    ranks = [stable_rank(M) for M in (np.hstack([A, none]), np.hstack([none, B]), np.block([[A, none], [none, B]]))]
    below = norms.max() + joint * norms.min()
    return equal(
        ranks,
        [squares[0] / norms[0], squares[1] / norms[1], (squares[0] + second * squares[1]) / below],
        "stable rank",
        error=1e-9,
    )


def _hoeffding(m: int, n: int, rng: np.random.Generator, trials: int, delta: Number, factor: float) -> Margin:
    lift = arithmetic_of(delta).array
    a = m / lift(np.arange(1.0, m + 1))  # of a column with 1, ..., m active neurons

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        active = np.maximum(rng.binomial(m, 0.5, size=(2 * count, n // 2)), 1)
        columns = np.array([np.bincount(row, minlength=m + 1)[1:] for row in active])  # how many of them have 1, ..., m
        squares, halves = m * (columns @ a), m * (columns @ a**2) / 2
        middle = factor * sqrt(m * log(2 / delta) / 2 * (columns @ a**4))
        inside = sign(middle - absolute(squares - halves)) >= 0
        bounded = sign(sqrt(625 * m * n * log(2 / delta) / 32) - middle) >= 0
        return np.asarray((inside & bounded).reshape(count, 2).all(axis=1))

    return with_probability(1 - 2 * delta, trial, rng, trials, "both Frobenius norms are near m|a|^2/2")


@claim(
    "kou2023.lemma_f3.frobenius_hoeffding",
    "proof of Lemma F.3",
    kind=Kind.PROBABILISTIC,
    instances=[{"m": 600, "n": 8000}],
    recorded="refuted",
    convention="delta = 1/10, so m >= 50 log(2n/delta) holds; both classes at once",
    in_balls=True,
)
def frobenius_norms_concentrate_as_printed(
    m: int, n: int, *, rng: np.random.Generator, trials: int, delta: Number = Fraction(1, 10)
) -> Margin:
    r"""With probability at least $1-2\delta$, if $m\ge50\log(2n/\delta)$:
    $|\|A\|_F^2-\frac
    m2\sum_ia_i^2|\le\sqrt{\frac{m\log(2/\delta)}2\sum_ia_i^4}\le\sqrt{\frac{625mn\log(2/\delta)}{32}}$, and so for B.

    Fails for n much larger than m: $a_i$ depends on the coins. With $|S_i|=m/2+z$ a column adds
    $z(m/|S_i|)^2\approx4z-16z^2/m$, whose mean is $-4$, so the left side is about $2n$, against about
    $2\sqrt{mn\log(2/\delta)}$.
    """
    return _hoeffding(m, n, rng, trials, delta, 1.0)


@claim(
    "kou2023.lemma_f3.frobenius_hoeffding.amended",
    "proof of Lemma F.3 for n at most m/16",
    kind=Kind.PROBABILISTIC,
    instances=[{"m": 320, "n": 4}, {"m": 480, "n": 30}],
    recorded="supported",
    mutants=[moved("a third of the bound", factor=1 / 3), moved("half of the bound", factor=0.5)],
    convention="delta = 1/10; both classes at once",
)
def frobenius_norms_concentrate_for_few_samples(
    m: int, n: int, *, rng: np.random.Generator, trials: int, delta: Number = Fraction(1, 10), factor: float = 1.0
) -> Margin:
    r"""Amended: the same for $n\le m/16$, where the bias of about $2n$ is below half of the bound."""
    return _hoeffding(m, n, rng, trials, delta, factor)


tame_counts = Assumption(
    "counts.near_half",
    "0.4m <= |S_i| <= 0.6m",
    lambda m, s: all_of(at_least(5 * s, 2 * m, "5|S_i| against 2m"), at_most(5 * s, 3 * m, "5|S_i| against 3m")),
    base=counts(),
    satisfy=near_half,
    violate=all_active,
)
_COUNT: dict[str, Any] = {"given": counts(), "assumes": [tame_counts]}


def _given_count(m: int, s: int) -> Fraction:
    """E[A_ri] given |S_i| = s: the neuron and s - 1 of the others are active, and the entry is then m/s."""
    return Fraction(comb(m - 1, s - 1), comb(m, s)) * Fraction(m, s)


def _on_the_event(m: int) -> tuple[Fraction, Fraction]:
    """E[A_ri] and E[a_i]/2 on the event 0.4m <= |S_i| <= 0.6m."""
    chances = {s: comb(m, s) for s in range(1, m + 1) if 2 * m <= 5 * s <= 3 * m}
    total = Fraction(sum(chances.values()))
    entry = sum(chance * _given_count(m, s) for s, chance in chances.items()) / total
    return entry, sum(chance * Fraction(m, 2 * s) for s, chance in chances.items()) / total


@claim(
    "kou2023.lemma_f3.expected_matrix.r1",
    "proof of Lemma F.3",
    recorded="refuted",
    convention="the mean given the counts |S_i| = s, on which a_i = m/s depends",
    **_COUNT,
)
def mean_given_the_counts_as_printed(m: int, s: int) -> Margin:
    r"""$E[A]=G\,\mathrm{diag}(a)$ with all entries of G equal to $\frac12$.

    Fails unless $|S_i|=m/2$: given $|S_i|=s$ each neuron is active with chance $s/m$, so
    $E[A_{ri}]=\frac sm\cdot\frac ms=1\ne\frac m{2s}$.
    """
    return equal(_given_count(m, s), Fraction(m, 2 * s), "E[A_ri] against a_i/2")


@claim(
    "kou2023.lemma_f3.expected_matrix.r2",
    "proof of Lemma F.3",
    recorded="refuted",
    convention="the mean over all starts on the event of Lemma A.2, of both sides",
    **_COUNT,
)
def unconditional_mean_as_printed(m: int) -> Margin:
    r"""$E[A]=E[G\,\mathrm{diag}(a)]$ with all entries of G equal to $\frac12$.

    Fails: the left side is 1 and the right side is $\frac m2E[1/|S_i|]>1$ by Jensen's inequality (for $m=5$ it is
    $25/24$).
    """
    return equal(*_on_the_event(m), "E[A_ri] against E[a_i]/2")


@claim(
    "kou2023.lemma_f3.expected_matrix.amended",
    "proof of Lemma F.3",
    recorded="supported",
    mutants=[moved("11/10", tenths=11), moved("a_i/2 given the count", printed=1)],
    convention="given the count, and over all starts on the event of Lemma A.2; the assumption on counts is not shown "
    "necessary",
    **_COUNT,
)
def all_means_are_one(m: int, s: int, *, tenths: int = 10, printed: int = 0) -> Margin:
    r"""Amended: every entry of $E[A]$ is 1. (The entries of a column add up to m, so they are not
    independent either.)
    """
    given = Fraction(m, 2 * s) if printed else _given_count(m, s)
    return all_of(
        equal(10 * _on_the_event(m)[0], tenths, "10 E[A_ri]"), equal(10 * given, tenths, "10 E[A_ri] given |S_i| = s")
    )


def _norm_of_a(m: int, s: int, samples: int, low: Number, high: Number) -> Margin:
    """low sqrt(samples) <= |a| <= high sqrt(samples) for n = 2, where a = (m/s); squared and multiplied by s^2."""
    return all_of(
        at_least(m * m, low * low * samples * s * s, "s^2 |a|^2 from below"),
        at_most(m * m, high * high * samples * s * s, "s^2 |a|^2 from above"),
    )


@claim(
    "kou2023.lemma_f3.a_norm_bounds",
    "proof of Lemma F.3",
    recorded="refuted",
    convention="a has n/2 entries, one for each sample of class +1; here n = 2",
    **_COUNT,
)
def norm_of_a_as_printed(m: int, s: int, *, low: Number = Fraction(5, 3), high: Number = Fraction(5, 2)) -> Margin:
    r"""$\frac53\sqrt n\le\|a\|_2\le\frac52\sqrt n$ if $0.4m\le|S_i^{(0)}|\le0.6m$.

    Fails below: a has only $n/2$ entries, each in $[\frac53,\frac52]$; with all $|S_i|=m/2$ the norm is
    $2\sqrt{n/2}<\frac53\sqrt n$.
    """
    return _norm_of_a(m, s, 2, low, high)


def _norm_proof() -> str | None:
    def statement() -> Any:
        import z3

        m, s = z3.Reals("m s")
        return z3.Implies(
            z3.And(s > 0, 5 * s >= 2 * m, 5 * s <= 3 * m), z3.And(9 * m * m >= 25 * s * s, 4 * m * m <= 25 * s * s)
        )

    return steps(by_smt(statement), "for each of the n/2 entries m/s of a; their squares add up")


@claim(
    "kou2023.lemma_f3.a_norm_bounds.amended",
    "proof of Lemma F.3 with n/2",
    proof=_norm_proof,
    recorded="proved",
    mutants=[moved("7/4 below", low=Fraction(7, 4)), moved("12/5 above", high=Fraction(12, 5)), without(tame_counts)],
    convention="n = 2; the squares of several entries add up, and so do the bounds",
    **_COUNT,
)
def norm_of_a(m: int, s: int, *, low: Number = Fraction(5, 3), high: Number = Fraction(5, 2)) -> Margin:
    r"""Amended: $\frac53\sqrt{n/2}\le\|a\|_2\le\frac52\sqrt{n/2}$."""
    return _norm_of_a(m, s, 1, low, high)


@identity(
    "kou2023.lemma_f3.mean_norm",
    "proof of Lemma F.3",
    recorded="proved",
    mutants=[moved("m in place of its root", power=2), moved("1/4 in place of 1/2", half=4)],
    convention="M = (1/2) 1 a' has rank one, so |M|_2^2 is the trace of M'M; m = 3 and a with two and three entries, "
    "B alike",
)
def norm_of_the_mean_matrix(*, power: int = 1, half: int = 2) -> Any:
    r"""$\|G\,\mathrm{diag}(a)\|_2=\sqrt m\|a\|_2/2$: $M^\top Ma=\lambda a$ and $\mathrm{tr}M^\top M=\lambda$ for
    $\lambda=m\|a\|^2/4$.
    """
    import sympy

    m, residuals = 3, {}
    for size in (2, 3):
        a = sympy.Matrix(sympy.symbols(f"a0:{size}"))
        M = sympy.ones(m, 1) * a.T / 2
        value = sympy.Integer(m) ** power * (a.T * a)[0] / half**2
        residuals[f"trace, {size}"] = sympy.expand((M.T * M).trace() - value)
        for k, part in enumerate(M.T * M * a - value * a):
            residuals[f"eigenvector, {size}, {k}"] = sympy.expand(part)
    return residuals


def _slack(m: int, n: int, C: float) -> float:
    """C (sqrt m + sqrt n + sqrt(log(2/delta)))/2."""
    return C / 2 * float(np.sqrt(m) + np.sqrt(n) + np.sqrt(np.log(2 / DELTA)))


@claim(
    "kou2023.lemma_f3.noise_norm",
    "proof of Lemma F.3",
    kind=Kind.PROBABILISTIC,
    instances=[{"m": 160, "n": 2}, {"m": 100, "n": 100}, {"m": 20, "n": 400}],
    recorded="supported",
    mutants=[moved("C = 1", C=1.0), moved("without the root of n", columns=0.0)],
    convention="C = 3; E[A] as printed, G diag(a); both bounds at once",
)
def noise_has_a_small_norm(
    m: int, n: int, *, rng: np.random.Generator, trials: int, C: float = 3.0, columns: float = 1.0
) -> Margin:
    r"""$\|A-E[A]\|_2\le\frac C2(\sqrt m+\sqrt n+\sqrt{\log(2/\delta)})$ and so for B, with probability at least
    $1-\delta$.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        active, a = _coins(rng, 2 * count, m, n)
        small = spectral_norms((active - 0.5) * a[:, None, :]) <= _slack(m, int(columns * n), C)
        return np.asarray(small.reshape(count, 2).all(axis=1))

    return with_probability(1 - DELTA, trial, rng, trials, "|A - E[A]|_2 and |B - E[B]|_2 are at most their bound")


def _triangle(m: int, n: int, rng: np.random.Generator, coins: int, factor: Number) -> Margin:
    active = arithmetic_of(factor).array(_coins(rng, 4, m, n)[0])
    a = m / active.sum(axis=1)
    A, mean = active * a[:, None, :], np.broadcast_to(a[:, None, :] / 2, active.shape)
    whole, noise, centre = (
        spectral_norms(A),
        factor * spectral_norms(A - mean),
        spectral_norms(active if coins else mean),
    )
    exact = sqrt(m * (a * a).sum(axis=1)) / 2
    return all_of(
        at_most(absolute(whole - centre), noise, "| |A| - |centre| | against |A - E[A]|", error=1e-9),
        at_most(absolute(whole - exact), noise, "| |A| - sqrt(m)|a|/2 | against |A - E[A]|", error=1e-9),
    )


@claim(
    "kou2023.lemma_f3.triangle.r1",
    "proof of Lemma F.3",
    kind=Kind.ASYMPTOTIC,
    instances=[{"m": 100, "n": 200}],
    recorded="refuted",
    convention="with the matrix C of zeros and ones, as the scan reads",
    in_balls=True,
)
def triangle_around_the_coins(m: int, n: int, *, rng: np.random.Generator, factor: Number = Fraction(1)) -> Margin:
    r"""$\|C\|_2-\|A-E[A]\|_2\le\|A\|_2\le\|C\|_2+\|A-E[A]\|_2$.

    Fails for many samples: $A\approx2C$, so $\|A\|_2-\|C\|_2\approx\frac12\sqrt{mn/2}$, while
    $\|A-E[A]\|_2\approx\sqrt m+\sqrt{n/2}$.
    """
    return _triangle(m, n, rng, 1, factor)


@claim(
    "kou2023.lemma_f3.triangle.r2",
    "proof of Lemma F.3",
    kind=Kind.ASYMPTOTIC,
    instances=[{"m": 5, "n": 2}, {"m": 4, "n": 12}, {"m": 100, "n": 200}],
    recorded="supported",
    mutants=[moved("the matrix C in its place", coins=1), moved("a fiftieth of the noise", factor=0.02)],
    convention="with E[A] = G diag(a); four random starts of each size",
)
def triangle_around_the_mean(
    m: int, n: int, *, rng: np.random.Generator, coins: int = 0, factor: float = 1.0
) -> Margin:
    r"""$\|E[A]\|_2-\|A-E[A]\|_2\le\|A\|_2\le\|E[A]\|_2+\|A-E[A]\|_2$, so
    $|\|A\|_2-\frac{\sqrt m}2\|a\|_2|\le\|A-E[A]\|_2$.
    """
    return _triangle(m, n, rng, coins, factor)


def _squeeze(m: float, n: float, square: Any, C: float, hoeffding: float) -> tuple[Any, Any]:
    """The two bounds on |A|_F^2/|A|_2^2 for |a|^2 = square."""
    spread = hoeffding * np.sqrt(625 * m * n * np.log(2 / DELTA) / 32)
    root, slack = np.sqrt(m * square) / 2, C / 2 * (np.sqrt(m) + np.sqrt(n) + np.sqrt(np.log(2 / DELTA)))
    return (m * square / 2 - spread) / (root + slack) ** 2, (m * square / 2 + spread) / np.maximum(
        root - slack, 1e-300
    ) ** 2


@claim(
    "kou2023.lemma_f3.class_ratio_two",
    "proof of Lemma F.3",
    kind=Kind.PROBABILISTIC,
    instances=[{"m": 150, "n": 150}, {"m": 400, "n": 40}, {"m": 40, "n": 400}],
    recorded="supported",
    mutants=[
        moved("exactly 2", C=0.0, hoeffding=0.0),
        moved("three times the ratio", factor=3.0),
        moved("limit 16/9", limit=16 / 9),
    ],
    convention="C = 3; both classes at once; 2 -+ o(1): for |a|^2 = 2n the bounds are within 10^-2 of 2 at m = n = "
    "10^7",
)
def class_ratios_are_squeezed_to_two(
    m: int,
    n: int,
    *,
    rng: np.random.Generator,
    trials: int,
    C: float = 3.0,
    hoeffding: float = 1.0,
    factor: float = 1.0,
    limit: float = 2.0,
) -> Margin:
    r"""With probability at least $1-2\delta$, $\|A\|_F^2/\|A\|_2^2$ (and so for B) lies between
    $\frac{m\|a\|^2/2\mp\sqrt{625mn\log(2/\delta)/32}}{(\sqrt m\|a\|/2\pm\frac C2(\sqrt m+\sqrt
    n+\sqrt{\log(2/\delta)}))^2}=2\mp o(1)$.
    """

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        active, a = _coins(rng, 2 * count, m, n)
        A = active * a[:, None, :]
        low, high = _squeeze(m, n, (a**2).sum(axis=1), C, hoeffding)
        ratio = factor * (A**2).sum(axis=(1, 2)) / spectral_norms(A) ** 2
        return np.asarray(((low <= ratio) & (ratio <= high)).reshape(count, 2).all(axis=1))

    ends = np.array(_squeeze(1e7, 1e7, 2e7, C, hoeffding))
    return all_of(
        with_probability(1 - 2 * DELTA, trial, rng, trials, "both ratios lie between the bounds"),
        at_most(np.abs(ends - limit), 1e-2, "distance of the bounds from 2"),
    )


def _whole(m: int, n: int, rng: np.random.Generator, trials: int, low: float, high: float) -> Margin:
    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        active, a = _coins(rng, 2 * count, m, n)
        A = active * a[:, None, :]
        squares, norms = (A**2).sum(axis=(1, 2)).reshape(count, 2), (spectral_norms(A) ** 2).reshape(count, 2)
        rank = squares.sum(axis=1) / norms.max(axis=1)
        return np.asarray((low <= rank) & (rank <= high))

    return with_probability(1 - 2 * DELTA, trial, rng, trials, "the stable rank of W is within its bound")


_FULL: dict[str, Any] = {
    "kind": Kind.PROBABILISTIC,
    "instances": [{"m": 60, "n": 60}, {"m": 100, "n": 8}, {"m": 30, "n": 300}],
    "recorded": "supported",
    "convention": "the limit in t in closed form; o(1) is dropped, which is stronger; probability 1 - 2 delta",
}


@claim(
    "kou2023.lemma_f3.full_lower", "proof of Lemma F.3", mutants=[moved("9/2", low=4.5), moved("4", low=4.0)], **_FULL
)
def the_full_stable_rank_is_not_small(
    m: int, n: int, *, rng: np.random.Generator, trials: int, low: float = 16 / 9
) -> Margin:
    r"""$\mathrm{sr}(W)\ge\frac{16}9-o(1)$ with probability at least $1-2\delta$."""
    return _whole(m, n, rng, trials, low, np.inf)


@claim(
    "kou2023.lemma_f3.full_upper", "proof of Lemma F.3", mutants=[moved("3", high=3.0), moved("7/2", high=3.5)], **_FULL
)
def the_full_stable_rank_is_not_large(
    m: int, n: int, *, rng: np.random.Generator, trials: int, high: float = 9.0
) -> Margin:
    r"""$\mathrm{sr}(W)\le9+o(1)$ with probability at least $1-2\delta$."""
    return _whole(m, n, rng, trials, 0.0, high)
