r"""Lemma 5.4: the sums of coefficients of a leaky ReLU network are balanced, whatever the slope.

Slopes are $\gamma=2^{-1},2^{-2},2^{-4},2^{-8}$ and $2^{-16}$, with data that meet the conditions at the least of them.
"""

from fractions import Fraction

from refute import Fault, Kind, Margin, at_least_like, bent, derived, exponent, mutants, power, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, off_boundaries
from refute.claims.kou2023.leaky_courses import TIMES
from refute.functions import largest, smallest
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import unroll_long
from refute.strategies.kou2023.nearly_orthogonal import training

SLOPES = tuple(2.0**-k for k in (1, 2, 4, 8, 16))


@derived
def sums(data: Dataset, net: TwoLayer, rate: Number) -> list[Array]:
    """For each slope, the sums of |rho_{j,r,i}| over r: (time, j, i)."""
    return [unroll_long(net.with_slope(slope), data, rate=rate, times=TIMES).sums for slope in SLOPES]


main = section(
    "kou2023",
    "lemma_5_4",
    "Lemma 5.4, Eq. (5.10)",
    kind=Kind.ASYMPTOTIC,
    given=training(samples=(2, 4), widths=(1, 2, 4), leaks=(Fraction(SLOPES[-1]),), constants=(100,)),
    assumes=[*LEAKY_MAIN, off_boundaries],
    derived=[sums],
)


def _least_ratio(sums: Array) -> Number:
    """The smallest of the sums over the largest, at the worst time."""
    found = sums.reshape(len(sums), -1)
    return smallest(smallest(found, axis=1) / largest(found, axis=1))


@main.claim("leaky_balance.r1", recorded="against", fault=Fault.CONVENTION)
@mutants(bent("c = gamma^(1/2)", right=lambda _: power(0.5)))
def sums_are_balanced_uniformly_in_the_slope(sums: list[Array]) -> Margin:
    r"""$\sum_r|\rho^{(t)}_{j,r,i}|\ge c\sum_r|\rho^{(t)}_{j,r,i'}|$ for all $t\ge0$ with a constant c.

    Fails: where one signal is positive and another negative the ratio is $\gamma$ after one step; and if both labels
    occur, the coefficients with $y_i=-j$ grow $\gamma$ times as fast as those with $y_i=j$ for ever, since their
    signals are negative.

    Convention: c does not depend on gamma, and j is the same on both sides; t from 1 to $10^{12}$.
    """
    ratios = [min(_least_ratio(found[:, j]) for j in (0, 1)) for found in sums]
    return at_least_like(ratios, power(0), "smallest over largest sum", at=SLOPES)


@main.claim("leaky_balance.r2", "with the factor of (B.8)", recorded="supported")
@mutants(exponent("2/5"))
def sums_are_balanced_up_to_the_square_of_the_slope(sums: list[Array]) -> Margin:
    r"""$\sum_r|\rho^{(t)}_{j,r,i}|\ge c\gamma^2\sum_r|\rho^{(t)}_{j',r,i'}|$ for all $t\ge0$ with a constant c.

    Convention: any j and j'; t from 1 to $10^{12}$.
    """
    return at_least_like([_least_ratio(found) for found in sums], power(2), "smallest over largest sum", at=SLOPES)
