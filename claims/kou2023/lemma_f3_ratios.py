r"""Proof of Lemma F.3: the stable ranks of the limits A, B and $\mathrm{diag}(A,B)$, at a Gaussian start.

$\delta=\frac1{10}$; A and B are those of `lemma_f3_norms`.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, changed, derived, moved, mutants, section, shifted, tends_to
from refute.arithmetic.numbers import Number
from refute.decide.probability import with_probability
from refute.language.limits import HORIZONS
from refute.models.kou2023.coins import Coins

Rng = np.random.Generator
Bounds = Callable[[float, float, Number], tuple[Number, Number]]
DELTA = Fraction(1, 10)

main = section("kou2023", "lemma_f3", "proof of Lemma F.3", kind=Kind.PROBABILISTIC, recorded="supported")


def squeezed(delta: float, factor: float) -> Bounds:
    """The two bounds on |A|_F^2/|A|_2^2 for |a|^2 = square; `factor` multiplies both corrections."""
    room = float(np.log(2 / delta))

    def bounds(m: float, n: float, square: Number) -> tuple[Number, Number]:
        spread = factor * np.sqrt(625 * m * n * room / 32)
        root, slack = np.sqrt(m * square) / 2, factor * 1.5 * (np.sqrt(m) + np.sqrt(n) + np.sqrt(room))
        low, high = (m * square / 2 - spread) / (root + slack) ** 2, (m * square / 2 + spread)
        return low, high / np.maximum(root - slack, 1e-300) ** 2

    return bounds


@derived
def bounds(delta: float) -> Bounds:
    """The two bounds with C = 3."""
    return squeezed(float(delta), 1.0)


@main.claim(
    "class_ratio_two",
    instances=[{"m": m, "n": n, "delta": DELTA} for m, n in ((150, 150), (400, 40), (40, 400))],
    derived=[bounds],
)
@mutants(changed("exactly 2", bounds=lambda _: squeezed(0.1, 0.0)), shifted("-2/9", "bounds"))
def class_ratios_are_squeezed_to_two(m: int, n: int, delta: float, bounds: Bounds, *, rng: Rng, trials: int) -> Margin:
    r"""With probability at least $1-2\delta$, $\|A\|_F^2/\|A\|_2^2$ (and so for B) lies between
    $\frac{m\|a\|^2/2\mp\sqrt{625mn\log(2/\delta)/32}}{(\sqrt m\|a\|/2\pm\frac C2(\sqrt m+\sqrt
    n+\sqrt{\log(2/\delta)}))^2}=2\mp o(1)$.

    Convention: C = 3; both classes at once; $2\mp o(1)$: for $\|a\|^2=2n$ the bounds tend to 2 as m = n grows.
    """

    def trial(rng: Rng, count: int) -> NDArray[np.bool_]:
        coins = Coins.thrown(rng, 2 * count, m, n)
        low, high = bounds(m, n, (coins.a**2).sum(axis=1))
        ratio = coins.frobenius / coins.spectral**2
        return np.asarray(((low <= ratio) & (ratio <= high)).reshape(count, 2).all(axis=1))

    sizes = HORIZONS[:-1]
    return all_of(
        with_probability(1 - 2 * float(delta), trial, rng, trials, "both ratios lie between the bounds"),
        tends_to(np.array([bounds(size, size, 2 * size) for size in sizes]), 2, "bounds", at=sizes),
    )


full = main.but(
    instances=[{"m": m, "n": n, "delta": DELTA} for m, n in ((60, 60), (100, 8), (30, 300))],
    convention="the limit in t in closed form; o(1) is dropped, which is stronger",
)


def whole_rank(rng: Rng, count: int, m: int, n: int) -> NDArray[np.float64]:
    """The stable ranks of diag(A, B)."""
    coins = Coins.thrown(rng, 2 * count, m, n)
    squares, norms = (values.reshape(count, 2) for values in (coins.frobenius, coins.spectral**2))
    return np.asarray(squares.sum(axis=1) / norms.max(axis=1))


@full.claim("full_lower")
@mutants(moved("9/2", low=4.5), moved("4", low=4.0))
def the_full_stable_rank_is_not_small(
    m: int, n: int, delta: float, *, rng: Rng, trials: int, low: float = 16 / 9
) -> Margin:
    r"""$\mathrm{sr}(W)\ge\frac{16}9-o(1)$ with probability at least $1-2\delta$."""

    def trial(rng: Rng, count: int) -> NDArray[np.bool_]:
        return whole_rank(rng, count, m, n) >= low

    return with_probability(1 - 2 * float(delta), trial, rng, trials, "the stable rank of W is at least 16/9")


@full.claim("full_upper")
@mutants(moved("3", high=3.0), moved("7/2", high=3.5))
def the_full_stable_rank_is_not_large(
    m: int, n: int, delta: float, *, rng: Rng, trials: int, high: float = 9.0
) -> Margin:
    r"""$\mathrm{sr}(W)\le9+o(1)$ with probability at least $1-2\delta$."""

    def trial(rng: Rng, count: int) -> NDArray[np.bool_]:
        return whole_rank(rng, count, m, n) <= high

    return with_probability(1 - 2 * float(delta), trial, rng, trials, "the stable rank of W is at most 9")
