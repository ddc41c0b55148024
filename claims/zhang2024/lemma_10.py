r"""Lemma 10: averages over a half space $S^+=\{r^\top x>0\}$ of even data are averages over all data.

All its lines need that no datum lies on the hyperplane $r^\top x=0$. A law with a density has no mass there.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from refute import Fault, Margin, all_of, derived, equal, mutants, scaled, section, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.zhang2024.assumptions import (
    CONDITION_3,
    even_inputs,
    no_data_on_hyperplane,
    nonempty_half_space,
    odd_target,
)
from refute.claims.zhang2024.pairs import one_of_each_pair
from refute.claims.zhang2024.setting import ON_THE_HYPERPLANE
from refute.functions import sign
from refute.models import Dataset
from refute.models.zhang2024.half_spaces import half_space_average, outer_products
from refute.strategies import dataset, point, sized

CLEAR = [even_inputs, nonempty_half_space, no_data_on_hyperplane]
DROPS = [without(even_inputs), without(no_data_on_hyperplane)]
OPEN = "Amended: when no datum lies on $r^\\top x=0$. "


@derived
def side(data: Dataset, r: Array) -> Array:
    """The sign of r.x at each datum."""
    return np.asarray(sign(data.inputs @ r))


lemma = section(
    "zhang2024",
    "lemma_10",
    "Lemma 10",
    given=sized(data=dataset, r=point),
    assumes=[even_inputs, nonempty_half_space],
    derived=[side],
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    convention="<.>_S+ is the conditional average over the open half space; r is such that S+ contains data",
)


@lemma.claim("half_mass", "proof")
@mutants(scaled("99/100"))
def each_open_half_space_carries_half_of_the_data(side: Array) -> Margin:
    r"""$\int_{S^+}p=\int_{S^-}p=\tfrac12$ with $S^\pm=\{\pm r^\top x>0\}$, for every r.

    Fails as printed when a datum lies on the hyperplane: inputs -1, 0, 1 give each open half space a third.
    """
    shares = np.array([Fraction(int((side == one).sum()), len(side)) for one in (1, -1)])
    return equal(shares, Fraction(1, 2), "shares of S+ and S-")


each_open_half_space_carries_half_of_the_data.amended(
    OPEN + "The reflection x -> -x then maps S+ onto S- and the two cover all data.",
    assumes=[even_inputs, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[*DROPS, scaled("99/100")],
)


@lemma.claim("covariance", "Eq. (14)", root=ON_THE_HYPERPLANE)
@mutants(scaled("99/100"))
def half_space_covariance_is_the_covariance(data: Dataset, side: Array) -> Margin:
    r"""$\langle xx^\top\rangle_{S^+}=\Sigma$ for all r.

    Fails as printed when a datum lies on the hyperplane: inputs -1, 0, 1 have $\Sigma=2/3$ but average 1 on x > 0.
    """
    average = half_space_average(outer_products(data.inputs), side > 0)
    return equal(average, data.covariance, "<x x^T>_S+ against Sigma")


half_space_covariance_is_the_covariance.amended(
    OPEN + "Then S+ holds one of each pair x, -x, and both give the same $xx^\\top$.",
    assumes=CLEAR,
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[*DROPS, scaled("99/100")],
)


@lemma.claim("correlation", "Eq. (15)", assumes=[*CONDITION_3, nonempty_half_space], root=ON_THE_HYPERPLANE)
@mutants(scaled("99/100"))
def half_space_correlation_is_the_correlation(data: Dataset, side: Array) -> Margin:
    r"""$\langle x\,y(x)\rangle_{S^+}=\beta$ for all r.

    Fails as printed when a datum lies on the hyperplane, in the same way as the covariance: inputs -1, 0, 1 with y = x.
    """
    average = half_space_average(data.labels[:, None] * data.inputs, side > 0)
    return equal(average, data.correlation, "<x y>_S+ against beta")


half_space_correlation_is_the_correlation.amended(
    OPEN,
    assumes=[*CONDITION_3, nonempty_half_space, no_data_on_hyperplane],
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[*DROPS, without(odd_target), scaled("99/100")],
)


Law = Callable[[Array, int], int]
HALF = Fraction(1, 2)


def empirical(side: Array, sign: int) -> int:
    """What a sum over S+ or S- is divided by, for the law of all data."""
    return len(side)


def conditioned(side: Array, sign: int) -> int:
    """The same for the law conditioned on S+ or S-."""
    return int((side == sign).sum())


displays = lemma.but("Lemma 10, two displays of the proof", assumes=CLEAR)


@displays.claim("proof_normalisation", fault=Fault.CONSTANT)
def half_space_averages_are_integrals(
    data: Dataset, side: Array, *, law: Law = empirical, factor: Number = HALF, share: Number = HALF
) -> Margin:
    r"""$\langle xx^\top\rangle_{S^+}=\tfrac12\int_{S^+}xx^\top p=\tfrac12\int_{S^-}xx^\top p$ and
    $\Sigma=\tfrac12\int_{S^+}xx^\top p+\tfrac12\int_{S^-}xx^\top p=\int_{S^+}xx^\top p$.

    Fails with p the empirical law: for inputs -1, 1 and r = 1, $\int_{S^+}x^2p=\tfrac12$ while the average over S+ and
    $\Sigma$ are 1.
    """
    products = outer_products(data.inputs)
    plus, minus = (products[side == sign].sum(axis=0) / law(side, sign) for sign in (1, -1))
    return all_of(
        equal(half_space_average(products, side > 0), factor * plus, "<x x^T>_S+ against the integral over S+"),
        equal(plus, minus, "the integrals over S+ and S-"),
        equal(data.covariance, share * plus + share * minus, "Sigma against both integrals"),
        equal(data.covariance, 2 * share * plus, "Sigma against the integral over S+"),
    )


half_space_averages_are_integrals.reading(
    "r1",
    r"R1: with the law conditioned on $S^\pm$ under the integrals the lines about $\Sigma$ hold, but the first line "
    "carries a factor 1/2 too many: the conditional average is the integral against the conditional law itself.",
    law=conditioned,
    recorded="refuted",
    fault=Fault.CONSTANT,
)
half_space_averages_are_integrals.amended(
    r"Amended: $\langle xx^\top\rangle_{S^+}=2\int_{S^+}xx^\top p=2\int_{S^-}xx^\top p$ and "
    r"$\Sigma=\int_{S^+}xx^\top p+\int_{S^-}xx^\top p=2\int_{S^+}xx^\top p$. S+ has mass 1/2, so conditioning divides "
    "by 1/2: the factor is 2, not 1/2.",
    factor=Fraction(2),
    share=Fraction(1),
    proof=one_of_each_pair,
    recorded="proved",
    mutants=[
        *DROPS,
        scaled("99/100", "<x x^T>"),
        scaled("99/100", "the integrals"),
        scaled("99/100", "Sigma against both"),
        scaled("99/100", "Sigma against the integral"),
    ],
)
