r"""Assumption 3 and the definition of $\mathcal M$."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, changed, flipped, less, mutants, section, shifted
from refute.arithmetic.numbers import EXACT, FLOAT, Array, exact_array
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1_SQUARE, SQUARE, nonzero_m
from refute.claims.chistikov2023.setting import sign_m
from refute.claims.chistikov2023.theorem_8_proof import sign_of_m_is_that_of_v_minus_one
from refute.decide.probability import with_probability
from refute.language.case import lift
from refute.models import Dataset
from refute.models.chistikov2023.measure_m import measured_m, sign_of_m
from refute.strategies import choice, sized
from refute.strategies.chistikov2023.interpolators import ZERO

third = section("chistikov2023", "assumption_3", recorded="supported")


square = third.but(given=SQUARE, assumes=[*ASSUMPTION_1_SQUARE, nonzero_m], derived=[sign_m])


@square.claim(
    "", "Assumption 3 and the definition of M", proof=sign_of_m_is_that_of_v_minus_one, recorded="proved", cost=24
)
@mutants(flipped("M times"), shifted("-1/50", "M times"))
def m_has_the_sign_of_v_minus_one(teacher: Array, data: Dataset, sign_m: int) -> Margin:
    r"""$\mathcal M\ne0$, and its sign is that of $V-1$ with $V=\max|v^{*\top}p|/\|p-q\|$ over the same $p$ and $q$,
    which is exact.

    Convention: m > 1 is about the network; M is computed in floats from its definition, by local search over p and
    projection for q.
    """
    value = measured_m(lift(data, FLOAT).inputs, lift(teacher, FLOAT))
    return less(0.0, sign_m * value, "M times the sign of V - 1")


@third.claim(
    "measure_zero",
    "section 7, first paragraph",
    kind=Kind.PROBABILISTIC,
    given=sized(spread=choice("1/1024", "1", "1/1048576")),
    cost=8,
)
@mutants(changed("only the lengths of the points are random", spread=lambda spread: 0 * spread))
def m_is_almost_never_zero(spread: float, *, rng: np.random.Generator, trials: int) -> Margin:
    r"""The data with $\mathcal M=0$ have Lebesgue measure zero: random points have $\mathcal M\ne0$, also close to such
    data.

    The centre is $(2,1,0),(3,-2,-2),(4,1,-1)$ with $v^*=(1,0,0)$, where $V=1$. $\mathcal M$ does not depend on the
    lengths of the points.

    Convention: an event of probability one, tested against probability 9/10; normal points are rounded to a grid and
    decided exactly.
    """
    axis = EXACT.array(exact_array([Fraction(1), Fraction(0), Fraction(0)]))

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        lengths = rng.choice([0.5, 1.0, 2.0], (count, 3, 1))
        points = np.array(ZERO) * lengths + spread * np.round(64 * rng.standard_normal((count, 3, 3))) / 64
        return np.array([sign_of_m(EXACT.array(one), axis) != 0 for one in points])

    return with_probability(0.9, trial, rng, trials, "M is not zero")
