r"""Section 7 beside Theorem 8: data on which $\mathcal M$ is negative, zero and positive, how far the angle bound
matters for that, and what makes $\mathcal M$ negative.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    changed,
    derived,
    equal,
    flipped,
    less,
    mutants,
    scaled,
    shifted,
    suppose,
    without,
)
from refute.arithmetic.numbers import EXACT, Array, exact_array
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    SQUARE,
    SQUARE_DATA,
    acute_pairs_proof,
    as_many_points_as_dimensions,
    fits,
    nonzero_m,
    orthogonal,
    positive_m,
    quarter_angle,
    signed_squared_cosines,
    unit_teacher,
    z_matrix,
)
from refute.claims.chistikov2023.theorem_8 import THE_OTHER_WAY_ROUND, largest_pull, theorem
from refute.claims.chistikov2023.theorem_8_proof import no_acute_pair_of_generators
from refute.decide.proof import steps
from refute.decide.symbolic import by_identity
from refute.functions import maximum, sign
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.degeneracy import krylov
from refute.models.chistikov2023.exchange import cheaper_interpolator, cost
from refute.models.chistikov2023.measure_m import dual_basis, dual_products, sign_of_m
from refute.models.geometry.elimination import rank
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, sized
from refute.strategies.chistikov2023.correlated import correlated
from refute.strategies.chistikov2023.interpolators import POSITIVE, ZERO


def _plane_proof() -> str | None:
    """cos(chi_1, chi_2) has the sign of -<x_1, x_2> and is negative; M is at most that cosine, as K and its complement
    have one member.
    """
    import sympy

    x = sympy.Matrix(2, 2, sympy.symbols("a b c d"))
    chi = x.inv().T
    residual = chi.row(0).dot(chi.row(1)) * x.det() ** 2 + x.row(0).dot(x.row(1))
    return steps(
        by_identity(lambda: [sympy.simplify(residual)], "<chi_1, chi_2> det^2 = -<x_1, x_2>"), acute_pairs_proof()
    )


PLANE = correlated(dimension=(2, 2), samples=(2, 2))
beyond = theorem.but(recorded="proved", assumes=[unit_teacher, *SQUARE_DATA], printed=False)


@beyond.claim(
    "not_minimal_when_M_positive.beyond_the_plane",
    "section 7, Theorem 8 in two dimensions (ours)",
    given=PLANE,
    proof=_plane_proof,
)
@mutants(without(quarter_angle), flipped("sign of M"))
def in_the_plane_the_minimisers_have_rank_one(sign_m: int) -> Margin:
    r"""For $n=d=2$ and angles below $\pi/4$ always $\mathcal M<0$: $\chi_1^\top\chi_2$ has the sign of
    $-x_1^\top x_2<0$.

    Convention: how far the angle bound matters: in the plane pi/4 is exactly what keeps M negative, in space nothing is
    (at_any_angle).
    """
    return less(sign_m, 0, "sign of M")


def _narrow(n: Any) -> list[list[Any]]:
    """Three points whose angles to e_1 have tangents at most sqrt(2)/n."""
    return [[2 * n, -2, 2], [2 * n * n, 0, 2 * n + 1], [n, 1, 1]]


@derived
def narrow(n: int) -> Array:
    """The points of `_narrow`."""
    return EXACT.array(exact_array(_narrow(n)))


def _narrow_proof() -> str | None:
    import sympy

    n = sympy.Symbol("n", positive=True)
    chi = sympy.Matrix(_narrow(n)).inv().T
    residuals = [*(chi.row(2) - 2 * chi.row(0) - sympy.Matrix([[0, 1, 0]])), chi[2, 0] - 1 - 1 / (2 * n)]
    return by_identity(
        lambda: residuals, "p = chi_3 and q = 2 chi_1 have |p - q| = 1 and <v*, p> = 1 + 1/(2n), so V > 1 for every n"
    )


narrower = beyond.but(given=sized(n=choice(2, 3, 10, 1000, 10**9)), assumes=[], derived=[narrow])
LOWER = changed("the second point at height n + 1", narrow=lambda x: x - [[0, 0, 0], [0, 0, x[2, 0]], [0, 0, 0]])


@narrower.claim(
    "not_minimal_when_M_positive.at_any_angle",
    "section 7, Theorem 8 for angles however small (ours)",
    proof=_narrow_proof,
)
@mutants(flipped("sign of M"), scaled("99/100", "squared tangents"), LOWER)
def m_can_be_positive_at_any_angle(n: int, narrow: Array) -> Margin:
    r"""In space no bound on the angles, however small, makes $\mathcal M<0$: $\mathcal M>0$ for $v^*=(1,0,0)$ and the
    points $(2n,-2,2)$, $(2n^2,0,2n+1)$, $(n,1,1)$, whose angles to $v^*$ have tangents at most $\sqrt2/n$, and which
    meet Assumption 1.

    By hand: $u_1=v^*-\xi\chi_3$ and $u_2=\xi(0,1,0)$ fit the labels for small $\xi>0$, since $u_2^\top x_i$ is
    $-2\xi,0,\xi$; they cost $\|u_1\|+\xi=1-\frac\xi{2n}+O(\xi^2)$ instead of 1. In the plane the bound $\pi/4$ does
    make $\mathcal M<0$ (beyond_the_plane).

    Convention: n an integer from 2 on; the second point is far longer than the others, and the sign of M does not
    depend on lengths.
    """
    axis = EXACT.array(exact_array([1, 0, 0]))
    along, across = narrow[:, 0], narrow[:, 1] ** 2 + narrow[:, 2] ** 2
    return all_of(
        at_most(n * n * across, 2 * along * along, "squared tangents, times n^2"),
        equal(rank(krylov(narrow, axis)), 3, "rank of v*, Hv*, H^2 v*"),
        less(0, sign_of_m(narrow, axis), "sign of M"),
    )


# Examples


def _example(rows: list[list[int]]) -> dict[str, Any]:
    """A dataset with the teacher e_1, and a start that meets Assumption 1."""
    inputs, d = exact_array(rows), len(rows)
    shape = exact_array([["7/10", "1/2", "2/5"][:d], ["-1/5", "1/2", "1/5"][:d]])
    start = Balanced(shape, np.array([1, -1]), Fraction(-2303), Fraction(0))
    return {"teacher": exact_array([1, *[0] * (d - 1)]), "data": Dataset(inputs, inputs[:, 0]), "start": start}


_NEGATIVE = [[1, 0, 0], [2, -1, -1], [2, 0, 1]]

examples = theorem.but(
    kind=Kind.EXISTENCE, given=None, assumes=[*ASSUMPTION_1, as_many_points_as_dimensions], recorded="proved", cost=1
)


@examples.claim(
    "example_families",
    "section 7, after Theorem 8",
    instances=[{**_example(_NEGATIVE), "other": _example(POSITIVE[0])["data"]}],
    assumes=[*examples.assumes, nonzero_m],
)
@mutants(THE_OTHER_WAY_ROUND, flipped("0 against the sign"))
def both_cases_occur(teacher: Array, other: Dataset, sign_m: int) -> Margin:
    r"""Datasets that meet Assumptions 1 and 3 exist with $\mathcal M<0$ and with $\mathcal M>0$.

    Convention: the families themselves are in the appendix; these are two datasets of small integers, and that the
    other one meets Assumption 1 is part of rank_two_counterexamples.
    """
    return all_of(
        less(sign_m, 0, "sign of M"), less(0, sign_of_m(other.inputs, teacher), "0 against the sign of M of the other")
    )


@examples.claim(
    "example_families.threshold",
    "section 7, the case that Assumption 3 excludes (ours)",
    instances=[_example(ZERO)],
    printed=False,
)
@mutants(shifted(1, "sign of M"), scaled("101/100", "largest pull"))
def m_is_zero_for_small_integers(teacher: Array, data: Dataset, sign_m: int) -> Margin:
    r"""$\mathcal M=0$ exactly for $v^*=(1,0,0)$ and $(2,1,0),(3,-2,-2),(4,1,-1)$, which meet Assumption 1; there
    $\Theta_{v^*}$ still attains the minimum of $\|\theta\|^2$, so that "disjoint otherwise" needs $\mathcal M\ne0$.

    The minimum is 2 by the dual vector $\rho_k=\chi_k^\top v^*$: no unit vector pulls more than 1.
    """
    rho = dual_basis(data.inputs) @ teacher
    return all_of(
        equal(sign_m, 0, "sign of M"),
        equal(rho @ data.labels, 1, "<rho, y>"),
        equal(largest_pull(data, rho), 1, "largest pull on a unit vector"),
    )


_CHEAPEST = {
    **{name: value for name, value in _example(POSITIVE[0]).items() if name != "start"},
    "neurons": exact_array([["65/66", "-1/66", "1/22"], ["1/462", "-5/462", "-1/154"]]),
    "dual": exact_array([65, -1, 3]),
}


minimum = beyond.but(kind=Kind.EXISTENCE, given=None, instances=[_CHEAPEST], assumes=[])


@minimum.claim("rank_two_counterexamples.minimum", "section 7, Theorem 8 (ii) with the minimum itself (ours)")
@mutants(
    changed("the dual vector of the teacher", dual=lambda dual: dual * [1, 0, 0]),
    changed("a second neuron of twice the length", neurons=lambda neurons: neurons * [[1], [2]]),
)
def the_least_norm_on_one_dataset(data: Dataset, neurons: Array, dual: Array) -> Margin:
    r"""For $v^*=(1,0,0)$ and $(2,-1,0),(2,1,1),(3,0,1)$ the least $\|\theta\|^2$ for loss 0 is
    $\frac{26\sqrt{35}}{77}=1.9976$, not 2.

    $u_1=\frac1{66}(65,-1,3)$ and $u_2=\frac1{462}(1,-5,-3)$, both of positive sign, fit the labels $2,2,3$, and
    $\|u_1\|+\|u_2\|=(\frac16+\frac1{462})\sqrt{35}$. With $r_k=\chi_k^\top(65,-1,3)$ no unit vector is pulled by more
    than $11\sqrt{35}$, and $r^\top y=65=\frac{13\sqrt{35}}{77}\cdot11\sqrt{35}$: primal and dual values agree.

    Convention: everything is rational but for the common factor sqrt(35).
    """
    pre, pulls = neurons @ data.inputs.T, dual_basis(data.inputs) @ dual
    lengths = EXACT.array(exact_array(["1/6", "1/462"]))  # in units of sqrt(35)
    return all_of(
        equal(maximum(pre, 0 * pre).sum(axis=0), data.labels, "outputs against labels"),
        equal((neurons * neurons).sum(axis=1), 35 * lengths * lengths, "|u|^2"),
        equal(largest_pull(data, pulls), 121 * 35, "largest squared pull on a unit vector"),
        equal(pulls @ data.labels, 65, "dual value, times 11 sqrt(35)"),
    )


@derived
def cheaper(teacher: Array, data: Dataset) -> TwoLayer:
    """Two neurons v* - xi p and xi (p - q) that fit, with rational weights: M > 0 is assumed."""
    net = cheaper_interpolator(data.inputs, teacher)
    made: TwoLayer = lift(net, EXACT)
    return made


positive_examples = examples.but(
    instances=[_example(rows) for rows in POSITIVE], assumes=[*examples.assumes, positive_m], derived=[cheaper]
)


@positive_examples.claim("rank_two_counterexamples", "section 1, sixth contribution")
@mutants(
    changed("a linear network", cheaper=lambda net: net.with_slope(net.slope + 1)),
    scaled("99/100", "|theta|^2"),
    shifted(-1, "rank"),
)
def cheaper_networks_of_rank_two_use_the_kink(data: Dataset, cheaper: TwoLayer) -> Margin:
    r"""Networks of rank 2 and loss 0 exist with $\|\theta\|^2<2$, and it matters that some neuron is inactive on some
    point.

    Two neurons $v^*-\xi p$ and $\xi(p-q)$, here with rational weights; as a linear network they would not fit.
    """
    return all_of(
        fits(data, cheaper),
        less(cost(cheaper), 2, "|theta|^2"),
        equal(rank(cheaper.inner), 2, "rank of the inner weights"),
        at_least((sign(data.inputs @ cheaper.inner.T) < 0).sum(), 1, "pairs of an inactive neuron and a point"),
    )


# Conditions for M < 0

obtuse = theorem.but(given=SQUARE, recorded="proved", proof=no_acute_pair_of_generators)


def _small_products_suffice(data: Dataset, sign_m: int) -> Margin:
    suppose(all(10 * product <= 1 for product in dual_products(data.inputs)), "small products")
    return less(sign_m, 0, "sign of M")


ANY_LENGTH = replace(without(z_matrix), name="<chi_k, chi_l> up to 1/10", conclusion=_small_products_suffice)


@obtuse.claim("z_matrix_sufficient", "section 7, after Theorem 8", assumes=[unit_teacher, *SQUARE_DATA, z_matrix])
@mutants(without(z_matrix), flipped("sign of M"), ANY_LENGTH)
def z_matrices_make_m_negative(sign_m: int) -> Margin:
    r"""If $\chi_k^\top\chi_l\le0$ for all $k\ne l$, that is if $(X^\top X)^{-1}$ is a Z-matrix, then $\mathcal M<0$.

    Then $p^\top q\le0$ for all $p,q$ in question, and $\sin\angle(p,v^*)>0$ because $v^*$ lies inside the cone of all
    $\chi_k$.

    Convention: angles below pi/4 are part of the setting and imply the condition in the plane; not shown necessary in
    space.
    """
    return less(sign_m, 0, "sign of M")


CORRELATED = correlated(dimension=(1, 3), samples=(1, 4))
positive = theorem.but(given=CORRELATED, assumes=[quarter_angle], recorded="proved", proof=acute_pairs_proof, cost=1)


@positive.claim("gram_positive", "section 7, parenthesis after Theorem 8")
@mutants(without(quarter_angle), shifted("-1/100", "squared cosines"))
def the_gram_matrix_is_positive(data: Dataset) -> Margin:
    r"""Every entry of $X^\top X$ is positive."""
    diagonal = less(0, (data.inputs * data.inputs).sum(axis=1), "0 against |x_i|^2")
    return all_of(diagonal, less(0, signed_squared_cosines(data), "squared cosines of pairs"))


AS_MANY = correlated(dimension=(2, 4), samples=(2, 4))


@obtuse.claim(
    "orthogonal_case", "section 7, after Theorem 8", given=AS_MANY, assumes=[unit_teacher, orthogonal], cost=3
)
@mutants(without(orthogonal), flipped("sign of M"))
def orthogonal_points_make_m_negative(data: Dataset, sign_m: int) -> Margin:
    r"""For orthogonal points with $v^{*\top}x_i>0$ all $\cos\angle(p,q)$ in $\mathcal M$ vanish,
    hence $\mathcal M<0$.

    Convention: n = d; labels of one sign, so outside the setting of angles below pi/4.
    """
    return all_of(equal(dual_products(data.inputs), 0, "<chi_k, chi_l>"), less(sign_m, 0, "sign of M"))
