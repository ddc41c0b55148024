r"""Theorem 8: whether interpolators of rank one have minimum norm is decided by the sign of $\mathcal M$ (section 7).

$\mathcal M$ has the sign of $V-1$ with $V=\max|v^{*\top}p|/\|p-q\|$, a rational number up to a root. Networks are exact
as well: an interpolator is balanced up to a rational approximation of $\sqrt{\|u_j\|}$, so that $L=0$ and
$\|\theta\|^2<2$ are facts about fractions. That nothing is cheaper than $2$ when $V\le1$ is weak duality with
$\rho_k=\chi_k^\top v^*$: a neuron $u=p-q$ contributes $\sum_i\rho_i\sigma(u^\top x_i)=v^{*\top}p\le V\|u\|$, or
$v^{*\top}u\le\|u\|$ if it is active on every point.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from numpy.typing import NDArray

from refute import Assumption, Kind, Margin, all_of, any_of, at_least, claim, equal, less, moved, values, without
from refute.arithmetic.numbers import EXACT, FLOAT, Array, Number
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    ASSUMPTION_1_SQUARE,
    acute_pairs_proof,
    as_many_points_as_dimensions,
    neuron_labels,
    nonzero_m,
    quarter_angle,
    spanning,
    unit_teacher,
)
from refute.decide.probability import with_probability
from refute.decide.proof import steps
from refute.decide.symbolic import by_identity
from refute.functions import largest, maximum, sign, squared_norm
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.exchange import best_exchange, cheaper_interpolator, cost
from refute.models.chistikov2023.measure_m import cone_maxima, dual_basis, measure_m, sign_of_m
from refute.models.chistikov2023.rank_one import least_rank_one_cost
from refute.models.geometry.elimination import rank
from refute.models.logpolar.balanced import Balanced
from refute.models.reference.minimum_norm import minimum_norm_interpolator
from refute.strategies import Size, choice, drawn, sized
from refute.strategies.chistikov2023 import interpolators as repair
from refute.strategies.chistikov2023.correlated import correlated, krylov, make_acute, make_obtuse, prepared
from refute.strategies.chistikov2023.interpolators import relu_network
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import is_array

SOLVER_ERROR = 1e-6  # of the cone programme, in |theta|^2


def _are_shares(value: Any) -> bool:
    return is_array(value, 1) and all(entry >= 0 for entry in value) and value @ value == 1


@values(_are_shares)
def _shares(size: Size) -> SearchStrategy[Array]:
    """Outer weights c_j >= 0 with sum c_j^2 = 1."""
    return st.builds(lambda c: np.array([abs(entry) for entry in c], dtype=object), unit_vector(size.width))


def _fits(data: Dataset, net: TwoLayer) -> Margin:
    return equal(net(data.inputs), data.labels, "outputs against labels")


SQUARE = correlated(dimension=(2, 3), samples=(2, 3))
IN_SPACE = correlated(dimension=(3, 3), samples=(3, 3))
NETWORKS = correlated(dimension=(2, 3), samples=(2, 3), width=drawn(2, 3), net=relu_network, shares=_shares)

negative_m = Assumption(
    "data.negative_m",
    "M < 0",
    lambda teacher, data: less(sign_of_m(data.inputs, teacher), 0, "sign of M"),
    base=prepared(
        correlated(dimension=(3, 3), net=relu_network), quarter_angle, spanning, as_many_points_as_dimensions
    ),
    satisfy=repair.make_m_negative,
    violate=repair.make_m_positive_and_fit,
)

positive_m = Assumption(
    "data.positive_m",
    "M > 0",
    lambda teacher, data: less(0, sign_of_m(data.inputs, teacher), "sign of M"),
    base=prepared(IN_SPACE, quarter_angle, spanning, as_many_points_as_dimensions),
    satisfy=repair.make_m_positive,
    violate=repair.make_m_negative,
)

several_neurons = Assumption(
    "chistikov2023.assumption_3.width",
    "m > 1",
    lambda neurons: less(1, neurons, "1 against m"),
    base=sized(neurons=choice(2, 3, 10)),
    satisfy=lambda draw, neurons: {"neurons": max(neurons, Fraction(2))},
    violate=lambda draw, neurons: {"neurons": Fraction(1)},
)

acute_angles = Assumption(
    "data.acute_angles",
    "every input makes an acute angle with the teacher",
    lambda teacher, data: less(0, data.inputs @ teacher, "0 against <v*, x_i>"),
    base=SQUARE,
    satisfy=make_acute,
    violate=make_obtuse,
)

interpolates = Assumption(
    "network.interpolates",
    "the network has loss zero",
    _fits,
    base=prepared(NETWORKS, quarter_angle, spanning, as_many_points_as_dimensions),
    satisfy=repair.interpolate,
    violate=repair.miss_a_label,
)


def _split(teacher: Array, shares: Array) -> TwoLayer:
    """The point of Theta_{v*} with neurons c_j v* and outer weights c_j."""
    made: TwoLayer = lift(TwoLayer(np.zeros((1, 1)), np.zeros(1), Fraction(0)), EXACT)
    return made.with_weights(shares[:, None] * teacher[None, :], shares)


def _in_theta(net: TwoLayer, teacher: Array) -> Margin:
    """In Theta_{v*}, for a unit teacher: w_j = a_j v* with a_j >= 0, and the a_j^2 add up to one."""
    return all_of(
        equal(net.inner, net.outer[:, None] * teacher[None, :], "w_j against a_j v*"),
        at_least(net.outer, 0, "a_j"),
        equal(squared_norm(net.outer), 1, "sum of a_j^2"),
    )


def _theta_is_minimal(teacher: Array, data: Dataset, net: TwoLayer, shares: Array, most_neurons: int = 10**9) -> Margin:
    """Points of Theta_{v*} fit and cost 2; a network that fits costs more, or is one of them."""
    member = _split(teacher, shares)
    used = sum(bool(entry) for entry in net.outer)
    few = at_least(most_neurons, used, "neurons allowed against neurons used")
    return all_of(
        equal(member(data.inputs), data.labels, "outputs of a point of Theta against labels"),
        equal(cost(member), 2, "|theta|^2 of a point of Theta"),
        at_least(cost(net), 2, "|theta|^2 of an interpolator"),
        any_of(less(2, cost(net), "2 against |theta|^2"), all_of(_in_theta(net, teacher), few)),
    )


def _something_is_cheaper(teacher: Array, data: Dataset, bound: Number = 2) -> Margin:
    """Two neurons that fit and cost less than `bound`; where there are none, V <= 1 proves it."""
    exchange = best_exchange(data.inputs, teacher)
    net = cheaper_interpolator(data.inputs, teacher, exchange) if exchange else None
    if exchange is None or net is None:
        return less(1, exchange.squared_gain if exchange else 0, "1 against V^2")
    net = lift(net, EXACT)
    return all_of(_fits(data, net), less(cost(net), bound, "|theta|^2 of a cheaper interpolator"))


@claim(
    "chistikov2023.theorem_8.min_norm_when_M_negative",
    "Theorem 8 (i)",
    given=NETWORKS,
    assumes=[*ASSUMPTION_1_SQUARE, negative_m, interpolates],
    recorded="supported",
    mutants=[
        moved("the only minimiser is a single neuron", most_neurons=1),
        without(negative_m),
        without(interpolates),
    ],
    cost=2,
    convention="the parts of Assumption 1 about the start play no role; the angle bound may be relaxed to pi/2 "
    "(half_pi_relaxation); "
    "the spectral part (iii) is not shown necessary, and spanning inputs are needed for M to be defined",
)
def rank_one_interpolators_are_the_minimisers(
    teacher: Array, data: Dataset, net: TwoLayer, shares: Array, *, most_neurons: int = 10**9
) -> Margin:
    r"""If $\mathcal M<0$, then $\Theta_{v^*}$ is the set of all minimisers of $\|\theta\|^2$ subject to $L(\theta)=0$.

    Every point of $\Theta_{v^*}$ has loss 0 and $\|\theta\|^2=2$; every other network of loss 0 has $\|\theta\|^2>2$.
    The networks that are tried include the best exchange of two neurons, which would be cheaper if anything were.
    """
    return _theta_is_minimal(teacher, data, net, shares, most_neurons)


def _largest_pull(data: Dataset, dual: Array) -> Number:
    """sup over unit vectors u of (sum_i rho_i sigma(<u, x_i>))^2, in rationals."""
    chi = dual_basis(data.inputs)
    return largest(np.array(list(cone_maxima(chi @ chi.T, dual, need_minus=False)), dtype=object))


@claim(
    "chistikov2023.theorem_8.min_norm_when_M_negative.dual",
    "Theorem 8 (i), by duality (ours)",
    given=NETWORKS,
    assumes=[unit_teacher, quarter_angle, spanning, as_many_points_as_dimensions, neuron_labels, negative_m],
    recorded="supported",
    mutants=[without(negative_m), moved("rho 21/20 times as large", factor=Fraction(21, 20))],
    cost=2,
    convention="a certificate for each dataset: it bounds networks of every width at once; the supremum is enumerated "
    "in rationals",
)
def the_teacher_has_a_dual_certificate(
    teacher: Array, data: Dataset, net: TwoLayer, *, factor: Number = Fraction(1)
) -> Margin:
    r"""If $\mathcal M<0$, then $\rho_k=\chi_k^\top v^*$ satisfies $\rho^\top y=1$ and
    $|\sum_i\rho_i\sigma(u^\top x_i)|\le\|u\|$ for every $u$, with equality only for $u=cv^*$, $c\ge0$.

    So every interpolator has $\|\theta\|^2\ge2\sum_j|a_j|\|w_j\|\ge2\sum_ja_j\sum_i\rho_i\sigma(w_j^\top
    x_i)=2\rho^\top y=2$, with equality only in $\Theta_{v^*}$. The $u$ that are tried are the neurons of a network.
    """
    rho = factor * (dual_basis(data.inputs) @ teacher)
    pre = net.inner @ data.inputs.T
    pulls = maximum(pre, 0 * pre) @ rho
    sizes = np.array([squared_norm(w) for w in net.inner], dtype=object)
    other = [j for j, w in enumerate(net.inner) if not _points_along(teacher, w)]
    return all_of(
        equal(rho @ data.labels, factor, "<rho, y>"),
        equal(_largest_pull(data, rho), 1, "largest pull on a unit vector"),
        at_least(sizes, pulls * pulls, "|u|^2 against the squared pull on u"),
        *(less(pulls[j] * pulls[j], sizes[j], "the same, strictly, off the ray of v*") for j in other),
    )


def _points_along(teacher: Array, w: Array) -> bool:
    along = w @ teacher
    return bool(along >= 0 and along * along == squared_norm(w) * squared_norm(teacher))


@claim(
    "chistikov2023.theorem_8.not_minimal_when_M_positive",
    "Theorem 8 (ii)",
    given=correlated(dimension=(3, 3), samples=(3, 3), neurons=choice(2, 3, 10)),
    assumes=[*ASSUMPTION_1_SQUARE, positive_m, several_neurons],
    recorded="supported",
    mutants=[
        moved("cheaper by one part in twenty", bound=Fraction(19, 10)),
        without(positive_m),
        without(several_neurons),
    ],
    cost=3,
    convention="the cheaper network has two neurons, and zero neurons may be added up to m; d = 3, since M < 0 in the "
    "plane",
)
def rank_one_interpolators_are_not_minimisers(
    teacher: Array, data: Dataset, neurons: Number, *, bound: Number = Fraction(2)
) -> Margin:
    r"""If $\mathcal M>0$, then no point of $\Theta_{v^*}$ (all have $\|\theta\|^2=2$) minimises $\|\theta\|^2$ subject
    to $L(\theta)=0$.

    A network of two neurons with rational weights has loss exactly 0 and $\|\theta\|^2<2$. For $m=1$ it fails: a single
    neuron that fits positive labels is active on all points, so $a_1w_1=v^*$ and $\|\theta\|^2\ge2$.
    """
    if neurons < 2:
        return less(2, bound, "least |theta|^2 of a single neuron")
    return _something_is_cheaper(teacher, data, bound)


@claim(
    "chistikov2023.theorem_8.half_pi_relaxation",
    "section 9, second paragraph from the end",
    given=NETWORKS,
    assumes=[
        unit_teacher,
        acute_angles,
        spanning,
        as_many_points_as_dimensions,
        neuron_labels,
        nonzero_m,
        interpolates,
    ],
    recorded="supported",
    mutants=[moved("the other way round", flip=-1), without(acute_angles), without(interpolates)],
    cost=2,
    convention="Assumption 1 without its spectral part, which is not needed",
)
def the_dichotomy_holds_for_acute_angles(
    teacher: Array, data: Dataset, net: TwoLayer, shares: Array, *, flip: int = 1
) -> Margin:
    r"""With $\angle(v^*,x_i)<\pi/2$ in place of $\pi/4$: $\Theta_{v^*}$ is the set of minimisers if $\mathcal M<0$, and
    contains none if $\mathcal M>0$.
    """
    if flip * sign_of_m(data.inputs, teacher) > 0:
        return _something_is_cheaper(teacher, data)
    return _theta_is_minimal(teacher, data, net, shares)


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


@claim(
    "chistikov2023.theorem_8.not_minimal_when_M_positive.beyond_the_plane",
    "section 7, Theorem 8 in two dimensions (ours)",
    given=correlated(dimension=(2, 2), samples=(2, 2)),
    assumes=[unit_teacher, quarter_angle, spanning, as_many_points_as_dimensions],
    proof=_plane_proof,
    recorded="proved",
    mutants=[without(quarter_angle), moved("M > 0", wanted=1)],
    convention="how far the angle bound matters: in the plane pi/4 is exactly what keeps M negative, in space nothing "
    "is (at_any_angle)",
)
def in_the_plane_the_minimisers_have_rank_one(teacher: Array, data: Dataset, *, wanted: int = -1) -> Margin:
    r"""For $n=d=2$ and angles below $\pi/4$ always $\mathcal M<0$: $\chi_1^\top\chi_2$ has the sign of
    $-x_1^\top x_2<0$.
    """
    return less(0, wanted * sign_of_m(data.inputs, teacher), "sign of M, times the sign wanted")


def _narrow(n: Any) -> list[list[Any]]:
    """Three points whose angles to e_1 have tangents at most sqrt(2)/n."""
    return [[2 * n, -2, 2], [2 * n * n, 0, 2 * n + 1], [n, 1, 1]]


def _narrow_proof() -> str | None:
    import sympy

    n = sympy.Symbol("n", positive=True)
    chi = sympy.Matrix(_narrow(n)).inv().T
    residuals = [*(chi.row(2) - 2 * chi.row(0) - sympy.Matrix([[0, 1, 0]])), chi[2, 0] - 1 - 1 / (2 * n)]
    return by_identity(
        lambda: residuals, "p = chi_3 and q = 2 chi_1 have |p - q| = 1 and <v*, p> = 1 + 1/(2n), so V > 1 for every n"
    )


@claim(
    "chistikov2023.theorem_8.not_minimal_when_M_positive.at_any_angle",
    "section 7, Theorem 8 for angles however small (ours)",
    given=sized(n=choice(2, 3, 10, 1000, 10**9)),
    proof=_narrow_proof,
    recorded="proved",
    mutants=[
        moved("M < 0", wanted=-1),
        moved("the second point at height n + 1", height=1),
        moved("angles half as large", narrower=2),
    ],
    convention="n an integer from 2 on; the second point is far longer than the others, and the sign of M does not "
    "depend on lengths",
)
def m_can_be_positive_at_any_angle(n: int, *, wanted: int = 1, height: int = 2, narrower: int = 1) -> Margin:
    r"""In space no bound on the angles, however small, makes $\mathcal M<0$: $\mathcal M>0$ for $v^*=(1,0,0)$ and the
    points $(2n,-2,2)$, $(2n^2,0,2n+1)$, $(n,1,1)$, whose angles to $v^*$ have tangents at most $\sqrt2/n$, and which
    meet Assumption 1.

    By hand: $u_1=v^*-\xi\chi_3$ and $u_2=\xi(0,1,0)$ fit the labels for small $\xi>0$, since $u_2^\top x_i$ is
    $-2\xi,0,\xi$; they cost $\|u_1\|+\xi=1-\frac\xi{2n}+O(\xi^2)$ instead of 1. In the plane the bound $\pi/4$ does
    make $\mathcal M<0$ (beyond_the_plane).
    """
    rows = _narrow(n)
    rows[1][2] += (height - 2) * n
    inputs, axis = EXACT.array(_points(*rows)), EXACT.array(_points([1, 0, 0])[0])
    across = np.array([x[1] * x[1] + x[2] * x[2] for x in inputs], dtype=object)
    return all_of(
        at_least(2 * inputs[:, 0] ** 2, (narrower * n) ** 2 * across, "2 against n^2 times the squared tangents"),
        equal(rank(krylov(inputs, axis)), 3, "rank of v*, Hv*, H^2 v*"),
        less(0, wanted * sign_of_m(inputs, axis), "sign of M, times the sign wanted"),
    )


@claim(
    "chistikov2023.theorem_8.equal_or_disjoint",
    "section 7, sentence before Theorem 8",
    given=SQUARE,
    assumes=[*ASSUMPTION_1_SQUARE, nonzero_m],
    recorded="supported",
    mutants=[moved("the other way round", flip=-1), without(unit_teacher), without(nonzero_m)],
    cost=8,
    convention="the minimum is that of a cone programme in floats, bounded from below by a dual vector; a cheaper "
    "network is exact; that "
    "no other network attains the minimum is min_norm_when_M_negative",
)
def minimum_norm_set_is_theta_or_disjoint(teacher: Array, data: Dataset, *, flip: int = 1) -> Margin:
    r"""The minimum of $\|\theta\|^2$ for loss 0 is 2, the value on $\Theta_{v^*}$, if $\mathcal M<0$, and below 2
    otherwise.

    For $\mathcal M=0$, which Assumption 3 excludes, it is 2 as well (example_families.threshold).
    """
    best = minimum_norm_interpolator(data)
    if flip * sign_of_m(data.inputs, teacher) >= 0:
        return all_of(
            _something_is_cheaper(teacher, data),
            less(best.squared_norm, 2.0, "minimum of |theta|^2 against 2", error=SOLVER_ERROR),
        )
    return equal(2 * best.lower, 2.0, "lower bound of |theta|^2 against 2", error=SOLVER_ERROR)


@claim(
    "chistikov2023.theorem_8.smaller_norm_than_any_rank_one",
    "section 1, sixth contribution",
    given=SQUARE,
    assumes=[*ASSUMPTION_1_SQUARE, nonzero_m],
    recorded="supported",
    mutants=[moved("the other way round", flip=-1), moved("cheaper by one part in twenty", factor=0.95)],
    cost=8,
    convention="rank is that of the inner weights, so neurons on both sides of one line count; the minimum is that of "
    "a cone programme",
)
def something_is_cheaper_than_any_rank_one(
    teacher: Array, data: Dataset, *, flip: int = 1, factor: float = 1.0
) -> Margin:
    r"""A network of loss 0 with a smaller norm than every rank-1 network of loss 0 exists if and only if
    $\mathcal M>0$.

    Rank-1 networks may have neurons on both sides of their line. They never minimise the norm for $n=d$: stationarity
    would need $\sum_P\rho_ix_i=\bar w=-\sum_N\rho_ix_i$, hence $\sum_i\rho_ix_i=0$ and $\rho=0$.
    """
    best, known = minimum_norm_interpolator(data), lift(data, FLOAT)
    rank_one = least_rank_one_cost(known.inputs, known.labels)
    if flip * sign_of_m(data.inputs, teacher) > 0:
        return less(
            best.squared_norm, factor * rank_one, "least |theta|^2 against that of rank one", error=SOLVER_ERROR
        )
    return equal(2 * best.lower, rank_one, "least |theta|^2 against that of rank one", error=SOLVER_ERROR)


# Rank one


def _balanced_rank_one(data: Dataset, net: TwoLayer) -> Margin:
    squares = np.array([squared_norm(w) for w in net.inner], dtype=object)
    balanced = equal(net.outer * net.outer, squares, "a_j^2 against |w_j|^2")
    return all_of(_fits(data, net), balanced, equal(rank(net.inner), 1, "rank of the inner weights"))


balanced_rank_one = Assumption(
    "network.balanced_rank_one_interpolator",
    "the network is balanced, has loss zero, and its inner weights have rank one",
    _balanced_rank_one,
    base=interpolates.base,
    satisfy=repair.balance_on_a_line,
    violate=repair.unbalance,
)

one_direction = Assumption(
    "network.one_direction",
    "no two neurons point to opposite sides",
    lambda net: at_least(net.inner @ net.inner.T, 0, "<w_j, w_k>"),
    base=prepared(interpolates.base, balanced_rank_one),
    satisfy=repair.split_teacher,
    violate=repair.balance_on_both_sides,
)


def _theta_is(teacher: Array, data: Dataset, net: TwoLayer, shares: Array, most_neurons: int) -> Margin:
    used = sum(bool(entry) for entry in net.outer)
    return all_of(
        _balanced_rank_one(data, _split(teacher, shares)),
        _in_theta(net, teacher),
        at_least(most_neurons, used, "neurons allowed against neurons used"),
    )


@claim(
    "chistikov2023.theta_vstar.is_balanced_rank_one_interpolators",
    "section 7, first sentence; section 1",
    given=NETWORKS,
    assumes=[*ASSUMPTION_1_SQUARE, balanced_rank_one],
    recorded="refuted",
    convention="the rank of a network is that of its inner weights",
)
def theta_is_the_set_of_balanced_rank_one_interpolators(
    teacher: Array, data: Dataset, net: TwoLayer, shares: Array
) -> Margin:
    r"""$\Theta_{v^*}$ is the set of balanced networks of loss 0 and rank 1.

    Neurons on both sides of one line have rank 1 too: $\sigma(w^\top x)+t\,\sigma(-w^\top x)$ fits positive labels of
    independent points when $w^\top x_i=y_i$ on some of them and $-y_i/t$ on the others. With $v^*=(1,0)$, $x_1=(2,1)$,
    $x_2=(9,-8)$: $w=(3,4)/5$, $t=9$.
    """
    return _theta_is(teacher, data, net, shares, 10**9)


@claim(
    "chistikov2023.theta_vstar.is_balanced_rank_one_interpolators.amended",
    "section 7, first sentence, for neurons in one direction",
    given=NETWORKS,
    assumes=[*ASSUMPTION_1_SQUARE, balanced_rank_one, one_direction],
    recorded="supported",
    mutants=[moved("a single neuron", most_neurons=1), without(one_direction), without(balanced_rank_one)],
    cost=2,
    convention="the rank of a network is that of its inner weights",
)
def theta_is_the_set_of_balanced_one_direction_interpolators(
    teacher: Array, data: Dataset, net: TwoLayer, shares: Array, *, most_neurons: int = 10**9
) -> Margin:
    r"""$\Theta_{v^*}$ is the set of balanced networks of loss 0 and rank 1 whose nonzero neurons all point in one
    direction (added).
    """
    return _theta_is(teacher, data, net, shares, most_neurons)


# Examples


def _points(*rows: list[int]) -> Array:
    return np.array([[Fraction(entry) for entry in row] for row in rows], dtype=object)


def _example(rows: list[list[int]], positive: int) -> dict[str, Any]:
    """A dataset with the teacher e_1, a start that meets Assumption 1, and the sign that M is said to have."""
    inputs = _points(*rows)
    axis = _points([1, *[0] * (len(rows) - 1)])[0]
    ones = _points([7, 5, 4][: len(rows)], [-2, 5, 2][: len(rows)])
    start = Balanced(ones / 10, np.array([1, -1]), Fraction(-2303), Fraction(0))
    return {"teacher": axis, "data": Dataset(inputs, inputs @ axis), "start": start, "positive": positive}


_NEGATIVE = [[[1, 0], [2, 1]], [[1, 0, 0], [2, -1, -1], [2, 0, 1]], [[1, 0, 0], [2, -1, -1], [2, -1, 0]]]
_POSITIVE = [
    [[2, -1, 0], [2, 1, 1], [3, 0, 1]],
    [[2, 1, 1], [3, 1, -1], [3, 1, 0]],
    [[4, -3, -2], [4, 1, 3], [3, -1, 0]],
]
EXAMPLES = [*(_example(rows, -1) for rows in _NEGATIVE), *(_example(rows, 1) for rows in _POSITIVE)]


@claim(
    "chistikov2023.theorem_8.example_families",
    "section 7, after Theorem 8",
    kind=Kind.EXISTENCE,
    instances=EXAMPLES,
    assumes=[*ASSUMPTION_1, as_many_points_as_dimensions, nonzero_m],
    recorded="proved",
    mutants=[moved("the other case", wanted=-1)],
    convention="the families themselves are in the appendix; these are single datasets of small integers",
)
def both_cases_occur(teacher: Array, data: Dataset, positive: int, *, wanted: int = 1) -> Margin:
    r"""Datasets that meet Assumptions 1 and 3 exist with $\mathcal M<0$ and with $\mathcal M>0$."""
    return less(0, wanted * positive * sign_of_m(data.inputs, teacher), "sign of M times the sign it is said to have")


_ZERO = {name: value for name, value in _example([[2, 1, 0], [3, -2, -2], [4, 1, -1]], 0).items() if name != "positive"}


@claim(
    "chistikov2023.theorem_8.example_families.threshold",
    "section 7, the case that Assumption 3 excludes (ours)",
    kind=Kind.EXISTENCE,
    instances=[_ZERO],
    assumes=[*ASSUMPTION_1, as_many_points_as_dimensions],
    recorded="proved",
    mutants=[
        moved("M > 0", wanted=1),
        moved("networks cheaper by one part in a hundred are not excluded", factor=Fraction(101, 100)),
    ],
)
def m_is_zero_for_small_integers(
    teacher: Array, data: Dataset, *, wanted: int = 0, factor: Number = Fraction(1)
) -> Margin:
    r"""$\mathcal M=0$ exactly for $v^*=(1,0,0)$ and $(2,1,0),(3,-2,-2),(4,1,-1)$, which meet Assumption 1; there
    $\Theta_{v^*}$ still attains the minimum of $\|\theta\|^2$, so that "disjoint otherwise" needs $\mathcal M\ne0$.

    The minimum is 2 by the dual vector $\rho_k=\chi_k^\top v^*$: no unit vector pulls more than 1.
    """
    rho = dual_basis(data.inputs) @ teacher
    return all_of(
        equal(sign_of_m(data.inputs, teacher), wanted, "sign of M"),
        equal(factor * (rho @ data.labels), 1, "<rho, y>"),
        equal(_largest_pull(data, rho), 1, "largest pull on a unit vector"),
    )


_OPTIMUM = {
    **{name: value for name, value in EXAMPLES[len(_NEGATIVE)].items() if name in ("teacher", "data")},
    "neurons": _points([455, -7, 21], [1, -5, -3]) / 462,
    "dual": _points([65, -1, 3])[0],
}


@claim(
    "chistikov2023.theorem_8.rank_two_counterexamples.minimum",
    "section 7, Theorem 8 (ii) with the minimum itself (ours)",
    kind=Kind.EXISTENCE,
    instances=[_OPTIMUM],
    recorded="proved",
    mutants=[
        moved("the dual vector of the teacher", teachers=1),
        moved("a second neuron of twice the length", twice=2),
    ],
    convention="everything is rational but for the common factor sqrt(35)",
)
def the_least_norm_on_one_dataset(
    teacher: Array, data: Dataset, neurons: Array, dual: Array, *, teachers: int = 0, twice: int = 1
) -> Margin:
    r"""For $v^*=(1,0,0)$ and $(2,-1,0),(2,1,1),(3,0,1)$ the least $\|\theta\|^2$ for loss 0 is
    $\frac{26\sqrt{35}}{77}=1.9976$, not 2.

    $u_1=\frac1{66}(65,-1,3)$ and $u_2=\frac1{462}(1,-5,-3)$, both of positive sign, fit the labels $2,2,3$, and
    $\|u_1\|+\|u_2\|=(\frac16+\frac1{462})\sqrt{35}$. With $r_k=\chi_k^\top(65,-1,3)$ no unit vector is pulled by more
    than $11\sqrt{35}$, and $r^\top y=65=\frac{13\sqrt{35}}{77}\cdot11\sqrt{35}$: primal and dual values agree.
    """
    inner = np.array([neurons[0], twice * neurons[1]], dtype=object)
    pre = inner @ data.inputs.T
    pulls = dual_basis(data.inputs) @ (462 * teacher if teachers else dual)
    lengths = [Fraction(1, 6), Fraction(1, 462)]  # in units of sqrt(35)
    return all_of(
        equal(maximum(pre, 0 * pre).sum(axis=0), data.labels, "outputs against labels"),
        *(
            equal(squared_norm(u), 35 * size * size, "|u|^2")
            for u, size in zip(neurons, EXACT.array(np.array(lengths)), strict=True)
        ),
        equal(_largest_pull(data, pulls), 121 * 35, "largest squared pull on a unit vector"),
        equal(pulls @ data.labels, 65, "dual value, times 11 sqrt(35)"),
    )


@claim(
    "chistikov2023.theorem_8.rank_two_counterexamples",
    "section 1, sixth contribution",
    kind=Kind.EXISTENCE,
    instances=[
        {name: value for name, value in one.items() if name != "positive"} for one in EXAMPLES if one["positive"] > 0
    ],
    assumes=[*ASSUMPTION_1, as_many_points_as_dimensions, positive_m],
    recorded="proved",
    mutants=[
        moved("a linear network", slope=Fraction(1)),
        moved("cheaper by one part in ten", bound=Fraction(9, 5)),
        moved("rank one", ranks=1),
    ],
)
def cheaper_networks_of_rank_two_use_the_kink(
    teacher: Array, data: Dataset, *, slope: Number = Fraction(0), bound: Number = Fraction(2), ranks: int = 2
) -> Margin:
    r"""Networks of rank 2 and loss 0 exist with $\|\theta\|^2<2$, and it matters that some neuron is inactive on some
    point.

    Two neurons $v^*-\xi p$ and $\xi(p-q)$, here with rational weights; as a linear network they would not fit.
    """
    found = cheaper_interpolator(data.inputs, teacher)
    assert found is not None, "M > 0 is assumed"
    net = lift(TwoLayer(found.inner, found.outer, Fraction(0)), EXACT)
    bent = net.with_weights(net.inner, net.outer)
    object.__setattr__(bent, "slope", slope)
    return all_of(
        _fits(data, bent),
        less(cost(net), bound, "|theta|^2"),
        equal(rank(net.inner), ranks, "rank of the inner weights"),
        at_least((sign(data.inputs @ net.inner.T) < 0).sum(), 1, "pairs of an inactive neuron and a point"),
    )


# Conditions for M < 0


def _products(data: Dataset) -> Array:
    """chi_k^T chi_l for k < l."""
    chi = dual_basis(data.inputs)
    return (chi @ chi.T)[np.triu_indices(len(chi), 1)]


z_matrix = Assumption(
    "data.inverse_gram_is_a_z_matrix",
    "the inverse of the Gram matrix has no positive entry off its diagonal",
    lambda data: at_least(-_products(data), 0, "-<chi_k, chi_l>"),
    base=positive_m.base,
    satisfy=repair.make_z_matrix,
    violate=repair.break_z_matrix,
)


@claim(
    "chistikov2023.theorem_8.z_matrix_sufficient",
    "section 7, after Theorem 8",
    given=SQUARE,
    assumes=[unit_teacher, quarter_angle, spanning, as_many_points_as_dimensions, z_matrix],
    recorded="supported",
    mutants=[without(z_matrix), moved("M > 0", wanted=1)],
    cost=2,
    convention="angles below pi/4 are part of the setting and imply the condition in the plane; not shown necessary "
    "in space",
)
def z_matrices_make_m_negative(teacher: Array, data: Dataset, *, wanted: int = -1) -> Margin:
    r"""If $\chi_k^\top\chi_l\le0$ for all $k\ne l$, that is if $(X^\top X)^{-1}$ is a Z-matrix, then $\mathcal M<0$.

    Then $p^\top q\le0$ for all $p,q$ in question, and $\sin\angle(p,v^*)>0$ because $v^*$ lies inside the cone of all
    $\chi_k$.
    """
    return less(0, wanted * sign_of_m(data.inputs, teacher), "sign of M, times the sign wanted")


@claim(
    "chistikov2023.theorem_8.gram_positive",
    "section 7, parenthesis after Theorem 8",
    given=correlated(dimension=(1, 3), samples=(1, 4)),
    assumes=[quarter_angle],
    proof=acute_pairs_proof,
    recorded="proved",
    mutants=[without(quarter_angle), moved("at least a tenth of |x_i| |x_k|", share=Fraction(1, 100))],
)
def the_gram_matrix_is_positive(data: Dataset, *, share: Number = Fraction(0)) -> Margin:
    r"""Every entry of $X^\top X$ is positive."""
    gram = data.inputs @ data.inputs.T
    squares = np.array([gram[i, i] for i in range(len(gram))], dtype=object)
    floor = share * np.outer(squares, squares)
    return all_of(
        less(0, gram, "0 against <x_i, x_k>"), less(floor, gram * gram, "share of |x_i|^2 |x_k|^2 against <x_i, x_k>^2")
    )


orthogonal = Assumption(
    "data.orthogonal_and_acute",
    "the inputs are orthogonal and make acute angles with the teacher",
    lambda teacher, data: all_of(
        equal((data.inputs @ data.inputs.T)[np.triu_indices(len(data.labels), 1)], 0, "<x_i, x_k>"),
        less(0, data.inputs @ teacher, "0 against <v*, x_i>"),
    ),
    base=SQUARE,
    satisfy=repair.make_orthogonal,
    violate=repair.tilt_towards_each_other,
)


@claim(
    "chistikov2023.theorem_8.orthogonal_case",
    "section 7, after Theorem 8",
    given=correlated(dimension=(2, 4), samples=(2, 4)),
    assumes=[unit_teacher, orthogonal],
    recorded="supported",
    mutants=[without(orthogonal), moved("M > 0", wanted=1)],
    cost=3,
    convention="n = d; labels of one sign, so outside the setting of angles below pi/4",
)
def orthogonal_points_make_m_negative(teacher: Array, data: Dataset, *, wanted: int = -1) -> Margin:
    r"""For orthogonal points with $v^{*\top}x_i>0$ all $\cos\angle(p,q)$ in $\mathcal M$ vanish,
    hence $\mathcal M<0$.
    """
    return all_of(
        equal(_products(data), 0, "<chi_k, chi_l>"), less(0, wanted * sign_of_m(data.inputs, teacher), "sign of M")
    )


# Assumption 3


@claim(
    "chistikov2023.assumption_3",
    "Assumption 3 and the definition of M",
    given=SQUARE,
    assumes=[*ASSUMPTION_1_SQUARE, nonzero_m],
    recorded="supported",
    mutants=[moved("sine and cosine exchanged", swap=1), moved("M - 1/20 has that sign", shift=0.05)],
    cost=24,
    convention="m > 1 is about the network; M is computed in floats from its definition, by local search over p and "
    "projection for q",
)
def m_has_the_sign_of_v_minus_one(teacher: Array, data: Dataset, *, swap: int = 0, shift: float = 0.0) -> Margin:
    r"""$\mathcal M\ne0$, and its sign is that of $V-1$ with $V=\max|v^{*\top}p|/\|p-q\|$ over the same $p$ and $q$,
    which is exact.
    """
    value = measure_m(lift(data, FLOAT).inputs, lift(teacher, FLOAT), starts=2)
    exact = sign_of_m(data.inputs, teacher)
    return less(0.0, (-1) ** swap * exact * (value - shift), "M times the sign of V - 1", error=SOLVER_ERROR)


@claim(
    "chistikov2023.assumption_3.measure_zero",
    "section 7, first paragraph",
    kind=Kind.PROBABILISTIC,
    given=sized(spread=choice("1/1024", "1", "1/1048576")),
    recorded="supported",
    mutants=[moved("only the lengths of the points are random", turned=0)],
    cost=8,
    convention="an event of probability one, tested against probability 9/10; normal points are rounded to a grid and "
    "decided exactly",
)
def m_is_almost_never_zero(
    spread: float, *, rng: np.random.Generator, trials: int, turned: int = 1, wanted: float = 0.9
) -> Margin:
    r"""The data with $\mathcal M=0$ have Lebesgue measure zero: random points have $\mathcal M\ne0$, also close to such
    data.

    The centre is $(2,1,0),(3,-2,-2),(4,1,-1)$ with $v^*=(1,0,0)$, where $V=1$. $\mathcal M$ does not depend on the
    lengths of the points.
    """
    centre, axis = np.array([[2.0, 1.0, 0.0], [3.0, -2.0, -2.0], [4.0, 1.0, -1.0]]), EXACT.array(_points([1, 0, 0])[0])

    def trial(rng: np.random.Generator, count: int) -> NDArray[np.bool_]:
        lengths = rng.choice([0.5, 1.0, 2.0], (count, 3, 1))
        points = centre * lengths + turned * spread * np.round(64 * rng.standard_normal((count, 3, 3))) / 64
        return np.array([sign_of_m(EXACT.array(one), axis) != 0 for one in points])

    return with_probability(wanted, trial, rng, trials, "M is not zero")
