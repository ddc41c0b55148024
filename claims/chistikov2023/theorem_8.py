r"""Theorem 8 and section 7: whether interpolators of rank one have minimum norm is decided by the sign of $\mathcal M$.

$\mathcal M$ has the sign of $V-1$ with $V=\max|v^{*\top}p|/\|p-q\|$, a rational number up to a root. Networks are exact
as well: an interpolator is balanced up to a rational approximation of $\sqrt{\|u_j\|}$, so that $L=0$ and
$\|\theta\|^2<2$ are facts about fractions. That nothing is cheaper than $2$ when $V\le1$ is weak duality with
$\rho_k=\chi_k^\top v^*$: a neuron $u=p-q$ contributes $\sum_i\rho_i\sigma(u^\top x_i)=v^{*\top}p\le V\|u\|$, or
$v^{*\top}u\le\|u\|$ if it is active on every point.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import (
    Kind,
    Margin,
    all_of,
    any_of,
    at_least,
    at_most,
    changed,
    derived,
    equal,
    flipped,
    less,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import EXACT, FLOAT, Array, Number, exact_array
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    ASSUMPTION_1_SQUARE,
    SQUARE,
    SQUARE_DATA,
    acute_angles,
    acute_pairs_proof,
    as_many_points_as_dimensions,
    fits,
    interpolates,
    negative_m,
    neuron_labels,
    nonzero_m,
    orthogonal,
    positive_m,
    quarter_angle,
    several_neurons,
    signed_squared_cosines,
    unit_teacher,
    z_matrix,
)
from refute.claims.chistikov2023.setting import in_theta, member, sign_m
from refute.decide.proof import steps
from refute.decide.symbolic import by_identity
from refute.functions import largest, maximum, sign, squared_norm
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.exchange import best_exchange, cheaper_interpolator, cost
from refute.models.chistikov2023.measure_m import cone_maxima, dual_basis, dual_products, sign_of_m
from refute.models.chistikov2023.rank_one import least_rank_one_cost
from refute.models.geometry.elimination import rank
from refute.models.logpolar.balanced import Balanced
from refute.models.reference.minimum_norm import least_squared_norm
from refute.strategies import choice, sized
from refute.strategies.chistikov2023.correlated import correlated, krylov
from refute.strategies.chistikov2023.interpolators import NETWORKS, POSITIVE, ZERO

THE_OTHER_WAY_ROUND = changed("the other way round", sign_m=lambda found: -found)

theorem = section(
    "chistikov2023",
    "theorem_8",
    given=NETWORKS,
    assumes=ASSUMPTION_1_SQUARE,
    derived=[member, sign_m],
    recorded="supported",
    cost=2,
)


def _theta_is_minimal(teacher: Array, data: Dataset, net: TwoLayer, member: TwoLayer) -> Margin:
    """Points of Theta_{v*} fit and cost 2; a network that fits costs more, or is one of them."""
    return all_of(
        equal(member(data.inputs), data.labels, "outputs of a point of Theta against labels"),
        equal(cost(member), 2, "|theta|^2 of a point of Theta"),
        any_of(less(2, cost(net), "2 against |theta|^2"), in_theta(net, teacher)),
    )


def _something_is_cheaper(teacher: Array, data: Dataset) -> Margin:
    """Two neurons that fit and cost less than 2; where there are none, V <= 1 proves it."""
    exchange = best_exchange(data.inputs, teacher)
    net = cheaper_interpolator(data.inputs, teacher, exchange) if exchange else None
    if exchange is None or net is None:
        return less(1, exchange.squared_gain if exchange else 0, "1 against V^2")
    net = lift(net, EXACT)
    return all_of(fits(data, net), less(cost(net), 2, "|theta|^2 of a cheaper interpolator"))


@theorem.claim(
    "min_norm_when_M_negative",
    "Theorem 8 (i)",
    assumes=[*ASSUMPTION_1_SQUARE, negative_m, interpolates],
    mutants=[shifted("-1/100", "2 against"), scaled("99/100", "w_j"), without(negative_m), without(interpolates)],
)
def rank_one_interpolators_are_the_minimisers(teacher: Array, data: Dataset, net: TwoLayer, member: TwoLayer) -> Margin:
    r"""If $\mathcal M<0$, then $\Theta_{v^*}$ is the set of all minimisers of $\|\theta\|^2$ subject to $L(\theta)=0$.

    Every point of $\Theta_{v^*}$ has loss 0 and $\|\theta\|^2=2$; every other network of loss 0 has $\|\theta\|^2>2$.
    The networks that are tried include the best exchange of two neurons, which would be cheaper if anything were, and
    the teacher split into two neurons that nearly agree.

    Convention: the parts of Assumption 1 about the start play no role; the angle bound may be relaxed to pi/2
    (half_pi_relaxation); the spectral part (iii) is not shown necessary, and spanning inputs are needed for M to be
    defined.
    """
    return _theta_is_minimal(teacher, data, net, member)


def _largest_pull(data: Dataset, dual: Array) -> Number:
    """sup over unit vectors u of (sum_i rho_i sigma(<u, x_i>))^2, in rationals."""
    chi = dual_basis(data.inputs)
    return largest(np.array(list(cone_maxima(chi @ chi.T, dual, need_minus=False)), dtype=object))


def _points_along(teacher: Array, w: Array) -> bool:
    along = w @ teacher
    return bool(along >= 0 and along * along == squared_norm(w) * squared_norm(teacher))


@theorem.claim(
    "min_norm_when_M_negative.dual",
    "Theorem 8 (i), by duality (ours)",
    assumes=[unit_teacher, *SQUARE_DATA, neuron_labels, negative_m],
    mutants=[without(negative_m), scaled("100/101", "largest pull"), scaled("101/100", "|u|^2")],
    printed=False,
)
def the_teacher_has_a_dual_certificate(teacher: Array, data: Dataset, net: TwoLayer) -> Margin:
    r"""If $\mathcal M<0$, then $\rho_k=\chi_k^\top v^*$ satisfies $\rho^\top y=1$ and
    $|\sum_i\rho_i\sigma(u^\top x_i)|\le\|u\|$ for every $u$, with equality only for $u=cv^*$, $c\ge0$.

    So every interpolator has $\|\theta\|^2\ge2\sum_j|a_j|\|w_j\|\ge2\sum_ja_j\sum_i\rho_i\sigma(w_j^\top
    x_i)=2\rho^\top y=2$, with equality only in $\Theta_{v^*}$. The $u$ that are tried are the neurons of a network.

    Convention: a certificate for each dataset: it bounds networks of every width at once; the supremum is enumerated in
    rationals.
    """
    rho = dual_basis(data.inputs) @ teacher
    pulls = net.hidden(data.inputs).T @ rho
    squared, sizes = pulls * pulls, np.array([squared_norm(w) for w in net.inner], dtype=object)
    other = [j for j, w in enumerate(net.inner) if not _points_along(teacher, w)]
    return all_of(
        equal(rho @ data.labels, 1, "<rho, y>"),
        equal(_largest_pull(data, rho), 1, "largest pull on a unit vector"),
        at_least(sizes, squared, "|u|^2 against the squared pull on u"),
        less(squared[other], sizes[other], "the same, strictly, off the ray of v*"),
    )


@theorem.claim(
    "not_minimal_when_M_positive",
    "Theorem 8 (ii)",
    given=correlated(dimension=(3, 3), samples=(3, 3), neurons=choice(2, 3, 10)),
    assumes=[*ASSUMPTION_1_SQUARE, positive_m, several_neurons],
    mutants=[scaled("999/1000", "|theta|^2"), without(positive_m), without(several_neurons)],
    cost=3,
)
def rank_one_interpolators_are_not_minimisers(teacher: Array, data: Dataset, neurons: Number) -> Margin:
    r"""If $\mathcal M>0$, then no point of $\Theta_{v^*}$ (all have $\|\theta\|^2=2$) minimises $\|\theta\|^2$ subject
    to $L(\theta)=0$.

    A network of two neurons with rational weights has loss exactly 0 and $\|\theta\|^2<2$. For $m=1$ it fails: a single
    neuron that fits positive labels is active on all points, so $a_1w_1=v^*$ and $\|\theta\|^2\ge2$.

    Convention: the cheaper network has two neurons, and zero neurons may be added up to m; d = 3, since M < 0 in the
    plane.
    """
    if neurons < 2:
        return less(2, 2, "least |theta|^2 of a single neuron")
    return _something_is_cheaper(teacher, data)


@theorem.claim(
    "half_pi_relaxation",
    "section 9, second paragraph from the end",
    assumes=[unit_teacher, acute_angles, *SQUARE_DATA[1:], neuron_labels, nonzero_m, interpolates],
    mutants=[THE_OTHER_WAY_ROUND, without(acute_angles), without(interpolates)],
)
def the_dichotomy_holds_for_acute_angles(
    teacher: Array, data: Dataset, net: TwoLayer, member: TwoLayer, sign_m: int
) -> Margin:
    r"""With $\angle(v^*,x_i)<\pi/2$ in place of $\pi/4$: $\Theta_{v^*}$ is the set of minimisers if $\mathcal M<0$, and
    contains none if $\mathcal M>0$.

    Convention: Assumption 1 without its spectral part, which is not needed.
    """
    if sign_m > 0:
        return _something_is_cheaper(teacher, data)
    return _theta_is_minimal(teacher, data, net, member)


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


@theorem.claim(
    "not_minimal_when_M_positive.beyond_the_plane",
    "section 7, Theorem 8 in two dimensions (ours)",
    given=correlated(dimension=(2, 2), samples=(2, 2)),
    assumes=[unit_teacher, *SQUARE_DATA],
    proof=_plane_proof,
    recorded="proved",
    mutants=[without(quarter_angle), flipped("sign of M")],
    printed=False,
)
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


@theorem.claim(
    "not_minimal_when_M_positive.at_any_angle",
    "section 7, Theorem 8 for angles however small (ours)",
    given=sized(n=choice(2, 3, 10, 1000, 10**9)),
    assumes=[],
    derived=[narrow],
    proof=_narrow_proof,
    recorded="proved",
    mutants=[
        flipped("sign of M"),
        scaled("99/100", "squared tangents"),
        changed("the second point at height n + 1", narrow=lambda x: x - [[0, 0, 0], [0, 0, x[2, 0]], [0, 0, 0]]),
    ],
    printed=False,
)
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


best = theorem.but(given=SQUARE, assumes=[*ASSUMPTION_1_SQUARE, nonzero_m], cost=8)


@best.claim(
    "equal_or_disjoint",
    "section 7, sentence before Theorem 8",
    mutants=[THE_OTHER_WAY_ROUND, without(unit_teacher), without(nonzero_m)],
)
def minimum_norm_set_is_theta_or_disjoint(teacher: Array, data: Dataset, sign_m: int) -> Margin:
    r"""The minimum of $\|\theta\|^2$ for loss 0 is 2, the value on $\Theta_{v^*}$, if $\mathcal M<0$, and below 2
    otherwise.

    For $\mathcal M=0$, which Assumption 3 excludes, it is 2 as well (example_families.threshold).

    Convention: the minimum is that of a cone programme in floats, bounded from below by a dual vector; a cheaper
    network is exact; that no other network attains the minimum is min_norm_when_M_negative.
    """
    if sign_m >= 0:
        return _something_is_cheaper(teacher, data)
    return equal(least_squared_norm(data), 2.0, "minimum of |theta|^2 against 2")


@best.claim(
    "smaller_norm_than_any_rank_one",
    "section 1, sixth contribution",
    mutants=[THE_OTHER_WAY_ROUND, scaled("99/100", "least |theta|^2")],
)
def something_is_cheaper_than_any_rank_one(data: Dataset, sign_m: int) -> Margin:
    r"""A network of loss 0 with a smaller norm than every rank-1 network of loss 0 exists if and only if
    $\mathcal M>0$.

    Rank-1 networks may have neurons on both sides of their line. They never minimise the norm for $n=d$: stationarity
    would need $\sum_P\rho_ix_i=\bar w=-\sum_N\rho_ix_i$, hence $\sum_i\rho_ix_i=0$ and $\rho=0$.

    Convention: rank is that of the inner weights, so neurons on both sides of one line count; the minimum is that of a
    cone programme.
    """
    known, relation = lift(data, FLOAT), less if sign_m > 0 else equal
    rank_one = least_rank_one_cost(known.inputs, known.labels)
    return relation(least_squared_norm(data), rank_one, "least |theta|^2 against that of rank one")


# Examples


def _example(rows: list[list[int]]) -> dict[str, Any]:
    """A dataset with the teacher e_1, and a start that meets Assumption 1."""
    inputs, d = exact_array(rows), len(rows)
    shape = exact_array([["7/10", "1/2", "2/5"][:d], ["-1/5", "1/2", "1/5"][:d]])
    start = Balanced(shape, np.array([1, -1]), Fraction(-2303), Fraction(0))
    return {"teacher": exact_array([1, *[0] * (d - 1)]), "data": Dataset(inputs, inputs[:, 0]), "start": start}


_NEGATIVE = [[[1, 0], [2, 1]], [[1, 0, 0], [2, -1, -1], [2, 0, 1]], [[1, 0, 0], [2, -1, -1], [2, -1, 0]]]

examples = theorem.but(
    kind=Kind.EXISTENCE, given=None, assumes=[*ASSUMPTION_1, as_many_points_as_dimensions], recorded="proved", cost=1
)


@examples.claim(
    "example_families",
    "section 7, after Theorem 8",
    instances=[{**_example(rows), "said": said} for said, each in ((-1, _NEGATIVE), (1, POSITIVE)) for rows in each],
    assumes=[*ASSUMPTION_1, as_many_points_as_dimensions, nonzero_m],
    mutants=[THE_OTHER_WAY_ROUND],
)
def both_cases_occur(said: int, sign_m: int) -> Margin:
    r"""Datasets that meet Assumptions 1 and 3 exist with $\mathcal M<0$ and with $\mathcal M>0$.

    Convention: the families themselves are in the appendix; these are single datasets of small integers.
    """
    return equal(sign_m, said, "sign of M against that which it is said to have")


@examples.claim(
    "example_families.threshold",
    "section 7, the case that Assumption 3 excludes (ours)",
    instances=[_example(ZERO)],
    mutants=[shifted(1, "sign of M"), scaled("101/100", "largest pull")],
    printed=False,
)
def m_is_zero_for_small_integers(teacher: Array, data: Dataset, sign_m: int) -> Margin:
    r"""$\mathcal M=0$ exactly for $v^*=(1,0,0)$ and $(2,1,0),(3,-2,-2),(4,1,-1)$, which meet Assumption 1; there
    $\Theta_{v^*}$ still attains the minimum of $\|\theta\|^2$, so that "disjoint otherwise" needs $\mathcal M\ne0$.

    The minimum is 2 by the dual vector $\rho_k=\chi_k^\top v^*$: no unit vector pulls more than 1.
    """
    rho = dual_basis(data.inputs) @ teacher
    return all_of(
        equal(sign_m, 0, "sign of M"),
        equal(rho @ data.labels, 1, "<rho, y>"),
        equal(_largest_pull(data, rho), 1, "largest pull on a unit vector"),
    )


@examples.claim(
    "rank_two_counterexamples.minimum",
    "section 7, Theorem 8 (ii) with the minimum itself (ours)",
    instances=[
        {
            **{name: value for name, value in _example(POSITIVE[0]).items() if name != "start"},
            "neurons": exact_array([["65/66", "-1/66", "1/22"], ["1/462", "-5/462", "-1/154"]]),
            "dual": exact_array([65, -1, 3]),
        }
    ],
    assumes=[],
    mutants=[
        changed("the dual vector of the teacher", dual=lambda dual: dual * [1, 0, 0]),
        changed("a second neuron of twice the length", neurons=lambda neurons: neurons * [[1], [2]]),
    ],
    printed=False,
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
        equal(_largest_pull(data, pulls), 121 * 35, "largest squared pull on a unit vector"),
        equal(pulls @ data.labels, 65, "dual value, times 11 sqrt(35)"),
    )


@derived
def cheaper(teacher: Array, data: Dataset) -> TwoLayer:
    """Two neurons v* - xi p and xi (p - q) that fit, with rational weights: M > 0 is assumed."""
    net = cheaper_interpolator(data.inputs, teacher)
    made: TwoLayer = lift(net, EXACT)
    return made


@examples.claim(
    "rank_two_counterexamples",
    "section 1, sixth contribution",
    instances=[_example(rows) for rows in POSITIVE],
    assumes=[*ASSUMPTION_1, as_many_points_as_dimensions, positive_m],
    derived=[cheaper],
    mutants=[
        changed("a linear network", cheaper=lambda net: net.with_slope(net.slope + 1)),
        scaled("99/100", "|theta|^2"),
        shifted(-1, "rank"),
    ],
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

conditions = theorem.but(given=SQUARE)


@conditions.claim(
    "z_matrix_sufficient",
    "section 7, after Theorem 8",
    assumes=[unit_teacher, *SQUARE_DATA, z_matrix],
    mutants=[without(z_matrix), flipped("sign of M")],
)
def z_matrices_make_m_negative(sign_m: int) -> Margin:
    r"""If $\chi_k^\top\chi_l\le0$ for all $k\ne l$, that is if $(X^\top X)^{-1}$ is a Z-matrix, then $\mathcal M<0$.

    Then $p^\top q\le0$ for all $p,q$ in question, and $\sin\angle(p,v^*)>0$ because $v^*$ lies inside the cone of all
    $\chi_k$.

    Convention: angles below pi/4 are part of the setting and imply the condition in the plane; not shown necessary in
    space.
    """
    return less(sign_m, 0, "sign of M")


@conditions.claim(
    "gram_positive",
    "section 7, parenthesis after Theorem 8",
    given=correlated(dimension=(1, 3), samples=(1, 4)),
    assumes=[quarter_angle],
    proof=acute_pairs_proof,
    recorded="proved",
    mutants=[without(quarter_angle), shifted("-1/100", "squared cosines")],
    cost=1,
)
def the_gram_matrix_is_positive(data: Dataset) -> Margin:
    r"""Every entry of $X^\top X$ is positive."""
    diagonal = less(0, (data.inputs * data.inputs).sum(axis=1), "0 against |x_i|^2")
    return all_of(diagonal, less(0, signed_squared_cosines(data), "squared cosines of pairs"))


@conditions.claim(
    "orthogonal_case",
    "section 7, after Theorem 8",
    given=correlated(dimension=(2, 4), samples=(2, 4)),
    assumes=[unit_teacher, orthogonal],
    mutants=[without(orthogonal), flipped("sign of M")],
    cost=3,
)
def orthogonal_points_make_m_negative(data: Dataset, sign_m: int) -> Margin:
    r"""For orthogonal points with $v^{*\top}x_i>0$ all $\cos\angle(p,q)$ in $\mathcal M$ vanish,
    hence $\mathcal M<0$.

    Convention: n = d; labels of one sign, so outside the setting of angles below pi/4.
    """
    return all_of(equal(dual_products(data.inputs), 0, "<chi_k, chi_l>"), less(sign_m, 0, "sign of M"))
