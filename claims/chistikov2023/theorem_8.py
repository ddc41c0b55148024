r"""Theorem 8 and section 7: whether interpolators of rank one have minimum norm is decided by the sign of $\mathcal M$.

Proofs for all dimensions and widths are in `theorem_8_proof`; cases are tried as well.

$\mathcal M$ has the sign of $V-1$ with $V=\max|v^{*\top}p|/\|p-q\|$, a rational number up to a root. Networks are exact
as well: an interpolator is balanced up to a rational approximation of $\sqrt{\|u_j\|}$, so that $L=0$ and
$\|\theta\|^2<2$ are facts about fractions. That nothing is cheaper than $2$ when $V\le1$ is weak duality with
$\rho_k=\chi_k^\top v^*$: a neuron $u=p-q$ contributes $\sum_i\rho_i\sigma(u^\top x_i)=v^{*\top}p\le V\|u\|$, or
$v^{*\top}u\le\|u\|$ if it is active on every point.
"""

import numpy as np

from refute import Margin, all_of, any_of, at_least, changed, equal, less, mutants, scaled, section, shifted, without
from refute.arithmetic.numbers import EXACT, FLOAT, Array, Number
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1_SQUARE,
    SQUARE,
    SQUARE_DATA,
    acute_angles,
    fits,
    interpolates,
    negative_m,
    neuron_labels,
    nonzero_m,
    positive_m,
    several_neurons,
    unit_teacher,
)
from refute.claims.chistikov2023.setting import in_theta, member, sign_m
from refute.claims.chistikov2023.theorem_8_proof import dichotomy, something_is_cheaper, theta_is_minimal
from refute.functions import largest, squared_norm
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.exchange import best_exchange, cheaper_interpolator, cost
from refute.models.chistikov2023.measure_m import cone_maxima, dual_basis
from refute.models.chistikov2023.rank_one import least_rank_one_cost
from refute.models.reference.minimum_norm import least_squared_norm
from refute.strategies import choice
from refute.strategies.chistikov2023.correlated import correlated
from refute.strategies.chistikov2023.interpolators import NETWORKS

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
proved = theorem.but(recorded="proved")


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


@proved.claim(
    "min_norm_when_M_negative",
    "Theorem 8 (i)",
    assumes=[*ASSUMPTION_1_SQUARE, negative_m, interpolates],
    proof=theta_is_minimal,
)
@mutants(shifted("-1/100", "2 against"), scaled("99/100", "w_j"), without(negative_m), without(interpolates))
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


def largest_pull(data: Dataset, dual: Array) -> Number:
    """sup over unit vectors u of (sum_i rho_i sigma(<u, x_i>))^2, in rationals."""
    chi = dual_basis(data.inputs)
    return largest(np.array(list(cone_maxima(chi @ chi.T, dual, need_minus=False)), dtype=object))


def _points_along(teacher: Array, w: Array) -> bool:
    along = w @ teacher
    return bool(along >= 0 and along * along == squared_norm(w) * squared_norm(teacher))


@proved.claim(
    "min_norm_when_M_negative.dual",
    "Theorem 8 (i), by duality (ours)",
    assumes=[unit_teacher, *SQUARE_DATA, neuron_labels, negative_m],
    proof=theta_is_minimal,
    printed=False,
)
@mutants(without(negative_m), scaled("100/101", "largest pull"), scaled("101/100", "|u|^2"))
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
        equal(largest_pull(data, rho), 1, "largest pull on a unit vector"),
        at_least(sizes, squared, "|u|^2 against the squared pull on u"),
        less(squared[other], sizes[other], "the same, strictly, off the ray of v*"),
    )


@proved.claim(
    "not_minimal_when_M_positive",
    "Theorem 8 (ii)",
    given=correlated(dimension=(3, 3), samples=(3, 3), neurons=choice(2, 3, 10)),
    assumes=[*ASSUMPTION_1_SQUARE, positive_m, several_neurons],
    proof=something_is_cheaper,
    cost=3,
)
@mutants(scaled("999/1000", "|theta|^2"), without(positive_m), without(several_neurons))
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


@proved.claim(
    "half_pi_relaxation",
    "section 9, second paragraph from the end",
    assumes=[unit_teacher, acute_angles, *SQUARE_DATA[1:], neuron_labels, nonzero_m, interpolates],
    proof=dichotomy,
)
@mutants(THE_OTHER_WAY_ROUND, without(acute_angles), without(interpolates))
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


best = theorem.but(given=SQUARE, assumes=[*ASSUMPTION_1_SQUARE, nonzero_m], cost=8)


@best.claim("equal_or_disjoint", "section 7, sentence before Theorem 8", proof=dichotomy, recorded="proved")
@mutants(THE_OTHER_WAY_ROUND, scaled("1001/1000", "minimum"), without(unit_teacher), without(nonzero_m))
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


@best.claim("smaller_norm_than_any_rank_one", "section 1, sixth contribution")
@mutants(THE_OTHER_WAY_ROUND, scaled("99/100", "least |theta|^2"))
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
