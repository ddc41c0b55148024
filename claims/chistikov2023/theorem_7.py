r"""Theorem 7 and section 6: the networks to which gradient flow converges, and their limit as $\lambda\to0$.

That the loss vanishes is tested on the one-neuron bundle at the $\lambda$ of Assumption 2. The limit in $\lambda$ is
tested on the whole network, from $\lambda=10^{-1}$ to $10^{-16}$: as it is a limit, the size that Assumption 2 asks for
does not matter.
"""

import numpy as np

from refute import (
    Enclosed,
    Kind,
    Margin,
    all_of,
    at_least,
    at_most,
    bent,
    changed,
    derived,
    equal,
    eventually,
    exponent,
    grows_like,
    less,
    mutants,
    power,
    scaled,
    section,
    shifted,
    suppose,
    tends_to,
    without,
)
from refute.arithmetic.numbers import Array
from refute.claims.chistikov2023.assumptions import ASSUMPTION_1, ASSUMPTIONS_1_AND_2, TRAINING_DATA, some_positive
from refute.claims.chistikov2023.setting import A_NEURONS, B_NEURONS, homogeneity_proof, member, on_a, on_b
from refute.claims.chistikov2023.theorem_6 import training
from refute.functions import largest, maximum
from refute.language.limits import Logs
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.angles import log_angle
from refute.models.chistikov2023.bundle import Bundle
from refute.models.chistikov2023.ends import GAPS, SCALES, Ends
from refute.models.chistikov2023.ends import ends as all_ends
from refute.models.chistikov2023.training import Training, fits
from refute.models.geometry.elimination import rank
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.strategies import point, sized
from refute.strategies.chistikov2023.correlated import LARGER, correlated, start, teacher
from refute.strategies.chistikov2023.interpolators import shares
from refute.strategies.sizes import drawn

theorem = section("chistikov2023", "theorem_7", "Theorem 7", recorded="supported")


@theorem.claim("zero_loss", kind=Kind.DYNAMICS, given=LARGER, assumes=ASSUMPTIONS_1_AND_2, derived=[training])
@mutants(
    without(some_positive),
    bent("the distance at most L/kappa", "distance to", right=lambda bound: bound**2 / 4),
    bent("at ten times the rate", "ln L", right=lambda bound: bound[0] + 10 * (bound - bound[0])),
)
def training_converges_to_zero_loss(training: Training) -> Margin:
    r"""$\lim_{t\to\infty}\theta_\lambda^t$ exists and has $L=0$.

    With $\|\nabla L\|^2>\kappa L$ the loss falls at least like $e^{-\kappa t}$, the path that is left after $t$ is at
    most $2\sqrt{L/\kappa}$, and so is the distance to the end. $\theta$ is the one-neuron bundle:
    $\|\theta-\theta'\|^2=\|\sqrt{|v|}\bar v-\sqrt{|v'|}\bar v'\|^2+(\sqrt{|v|}-\sqrt{|v'|})^2$.

    That the angle bound is needed is shown by explicit data in limit_in_Theta_vstar.beyond_quarter_angle.

    Convention: at all times from T_2 until every coordinate is within 1e-12 of its limit; d to 5, n to 10, m to 8.
    """
    return training.judged("ln L", lambda way: _converges(training, way))


def _converges(training: Training, way: Bundle) -> Margin:
    late, eta = training.late, way.spectrum.eta
    kappa, log_loss = 0.4 * eta[-1] * training.push / eta[0], way.enclosed_log_loss[training.late]
    bound = log_loss.value[0] - kappa * (way.local[late] - way.local[late][0])
    return all_of(
        at_most(log_loss, bound, "ln L against an exponential"),
        at_most(way.path_left[late], 2 * np.exp((log_loss.value - np.log(kappa)) / 2), "distance to the end"),
    )


# The limit in lambda

COARSER = 100  # than the tolerance asked for: limits are wanted to a millionth
FULL = correlated(start=start, dimension=drawn(2, 3), samples=drawn(2, 4), width=drawn(3, 5))


@derived
def ends(start: Balanced, data: Dataset, tolerance: float) -> Ends:
    """The full flow from lambda = 1e-1, 1e-2, 1e-4, 1e-8, 1e-16."""
    return all_ends(start, data, SCALES, COARSER * tolerance)


limit = theorem.but(kind=Kind.ASYMPTOTIC, given=FULL, assumes=ASSUMPTION_1, derived=[ends])


@limit.claim("limit_in_Theta_vstar")
@mutants(
    without(some_positive),
    exponent("21/20", "angles").called("angles vanish like lambda^1.05"),
    changed("all of J_+ have the same norm", ends=lambda one: one.with_equal_shares()),
    scaled("101/100", "sum of |w_j|^2").called("squared norms add up to 1.01"),
)
def limits_tend_to_copies_of_the_teacher(teacher: Array, ends: Ends) -> Margin:
    r"""$\lim_{\lambda\to0}\lim_{t\to\infty}\theta_\lambda^t$ exists and is in $\Theta_{v^*}$: $\sum_j\|w_j\|^2=1$,
    every $w_j\ne0$ is a positive multiple of $v^*$ with $a_j>0$.

    Angles within the bundle vanish like $\lambda$, and the norms of all other neurons vanish. That the angle bound is
    needed is shown by explicit data in beyond_quarter_angle.

    Convention: the full flow from $\lambda=10^{-1},10^{-2},\dots,10^{-16}$, followed until residuals are 1e-9 of
    the first; slower ones are passed over; the limits of $\|w_j\|^2$ are those of the yardsticks.
    """
    if not ends.chosen:
        return less(1, 0, "no neuron ever takes off and the outputs stay zero")
    suppose(ends.finished, "the flows came to an end")
    return all_of(
        eventually(lambda scale: fits(ends.run(scale), ends.data), "the labels are fitted", at=SCALES),
        tends_to(ends.squares.sum(axis=1), 1.0, "sum of |w_j|^2", at=SCALES),
        tends_to(ends.squares, ends.shares, "|w_j|^2", at=SCALES),
        tends_to(ends.directions, np.asarray(teacher, dtype=float), "directions", at=SCALES),
        grows_like(ends.log_angles, power(1), "angles in the bundle", at=SCALES),
        tends_to(ends.others, 0.0, "norms of the other neurons", at=SCALES),
    )


ROOTS = (10**-0.3125, 10**-0.625, 10**-1.25, 10**-2.5, 10**-5.0)  # where floats resolve the distance from the limit


@derived
def distances(start: Balanced, data: Dataset, teacher: Array, tolerance: float) -> Enclosed:
    """From the point of Theta_{v*}, at larger scales."""
    return all_ends(start, data, ROOTS, tolerance, level=1e-11).distance(teacher)


rate = limit.but(given=None, instances=[on_a(*A_NEURONS), on_b(*B_NEURONS)], derived=[distances], printed=False)


@rate.claim("limit_in_Theta_vstar.over_decades", "the rate in lambda")
@mutants(exponent("3/4").called("like lambda^0.75"), exponent("5/4").called("like lambda^1.25"))
def networks_tend_to_theta_like_lambda(distances: Enclosed) -> Margin:
    r"""$\lim_{t\to\infty}\theta_\lambda^t$ tends to one point of $\Theta_{v^*}$ as $\lambda\to0$, at a distance that
    falls like $\lambda$.

    The point is that of norms $c_j/\sqrt{\sum_kc_k^2}$ with $c_j=\lim_te^{-\|\gamma_{[n]}\|t}\|\alpha_j^t\|$.

    Convention: the rate is ours; lambda from 10^-0.3 to 10^-5.
    """
    return grows_like(distances, power(1), "distance from the limit", at=ROOTS)


# What holds at fixed lambda, and at the limit

RESIDUALS = (10**-0.5, 1e-1, 1e-2, 1e-4, 1e-8)


@derived
def last_angles(start: Balanced, data: Dataset, tolerance: float) -> Logs:
    """ln of the angle between the first two neurons when the residuals have fallen to 10^-0.5, ..., 10^-8."""
    runs = [log_polar_flow(start, data, SQUARE, tolerance=tolerance, level=level) for level in RESIDUALS]
    return Logs(log_angle(np.array([run.log_gap[0, 1] for run in runs])), np.array([GAPS * run.error for run in runs]))


fixed = section(
    "chistikov2023",
    "bundle",
    "section 1, fifth contribution",
    kind=Kind.DYNAMICS,
    instances=[on_a(*A_NEURONS, log_scale=-2802)],
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
)


@fixed.claim("angles_do_not_vanish_at_fixed_lambda", derived=[last_angles])
@mutants(
    shifted("13/100", "ln of the angle").called("at least 1.14 lambda"),
    bent("it vanishes like the root of the residuals", "angle as", right=lambda law: power(0.5)),
)
def an_angle_in_the_bundle_has_a_positive_limit(start: Balanced, last_angles: Logs) -> Margin:
    r"""For fixed $\lambda$ an angle between two neurons of $J_+$ need not tend to zero as $t\to\infty$.

    $\|w_j\|\|w_k\|-w_j^\top w_k$ is conserved while both see the same points, so $1-\cos$ tends to it over the product
    of the final norms.

    Convention: one case at the largest lambda of Assumption 2, where the angle tends to 1.1296 lambda.
    """
    last = Enclosed(last_angles.values[-1], last_angles.error[-1])
    return all_of(
        at_least(last, float(start.log_scale), "ln of the angle"),
        grows_like(last_angles, power(0), "angle as the residuals vanish", at=RESIDUALS),
    )


members = theorem.but("section 1", kind=Kind.ALGEBRAIC, derived=[member])
ANY_POINT = sized(teacher=teacher, shares=shares, x=point, dimension=(2, 3))


@members.claim(
    "predictor_equals_teacher", "fifth contribution", given=ANY_POINT, proof=homogeneity_proof, recorded="proved"
)
@mutants(
    changed("squared norms add up to 101/100", member=lambda net: net.with_weights(net.inner, net.outer * 101 / 100)),
    changed("negative last-layer weights", member=lambda net: net.with_weights(net.inner, -net.outer)),
)
def networks_of_theta_compute_the_teacher(teacher: Array, member: TwoLayer, x: Array) -> Margin:
    r"""$h_\theta(x)=\sigma(v^{*\top}x)$ for all $\theta\in\Theta_{v^*}$ and $x$, since $r_j\sigma(r_ju)=r_j^2\sigma(u)$
    for $r_j\ge0$.
    """
    along = teacher @ x
    return equal(member(x[None])[0], maximum(along, 0 * along), "h(x) against sigma(<v*, x>)")


def _with_one_more(net: TwoLayer) -> TwoLayer:
    """A neuron in the direction of the first with its coordinates shifted by one place, which is another in general."""
    return net.with_weights(np.vstack([net.inner, np.roll(net.inner[:1], 1)]), np.append(net.outer, net.outer[:1]))


@members.claim("minimal_rank", "and the abstract", given=correlated(shares=shares), assumes=TRAINING_DATA, cost=3)
@mutants(shifted(1, "rank of W").called("rank 2"), changed("with one more neuron", member=_with_one_more))
def the_limit_has_the_least_rank(data: Dataset, member: TwoLayer) -> Margin:
    r"""A network in $\Theta_{v^*}$ has rank 1, and no network of smaller rank has zero loss, since labels are positive.

    Convention: a network of rank 0 has output 0 everywhere, so it fits labels only if all of them are 0.
    """
    return all_of(equal(rank(member.inner), 1, "rank of W"), less(0, largest(data.labels), "largest label"))
