r"""Section 6: the networks to which gradient flow converges, and their limit as $\lambda\to0$ (Theorem 7)."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis.strategies import SearchStrategy

from refute import Kind, Margin, all_of, along, at_least, at_most, claim, equal, less, moved, values, without
from refute.arithmetic.numbers import FLOAT, Array, Number, exact_array
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    ASSUMPTIONS_1_AND_2,
    TRAINING_DATA,
    quarter_angle,
    some_positive,
)
from refute.decide.proof import by_smt
from refute.decide.rate import exponent_equals, fit
from refute.functions import largest, maximum
from refute.language.case import lift
from refute.models import Dataset, TwoLayer
from refute.models.chistikov2023.angles import log_angle
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.training import fits, train
from refute.models.chistikov2023.yardstick import limit_shares
from refute.models.geometry.elimination import rank
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.loss import SQUARE
from refute.strategies import Size, choice, point, sized
from refute.strategies.chistikov2023.correlated import SETTING, correlated, start
from refute.strategies.chistikov2023.correlated import teacher as unit_teacher
from refute.strategies.directions import unit_vector
from refute.strategies.numbers import is_array


@claim(
    "chistikov2023.theorem_7.zero_loss",
    "Theorem 7",
    kind=Kind.DYNAMICS,
    given=SETTING,
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[without(quarter_angle), without(some_positive), moved("distance to the limit at most L/kappa", power=1.0)],
    convention="followed until every coordinate is within 1e-12 of its limit, which exists since the path that is "
    "left to go is bounded",
)
def training_converges_to_zero_loss(
    data: Dataset, teacher: Array, start: Balanced, epsilon: float, tolerance: float, *, power: float = 0.5
) -> Margin:
    r"""$\lim_{t\to\infty}\theta_\lambda^t$ exists and has $L=0$.

    Since $\|\nabla L\|^2>\kappa L$, the path that is left after $t$ is at most $2\sqrt{L/\kappa}$, and so is the
    distance to the end. $\theta$ is the bundle: $\|\theta-\theta'\|^2=\|\sqrt{|v|}\bar v-\sqrt{|v'|}\bar
    v'\|^2+(\sqrt{|v|}-\sqrt{|v'|})^2$.
    """
    one = train(data, teacher, start, epsilon, tolerance)
    if not one.living:
        return less(1, 0, "no neuron ever takes off and the loss stays what it was")
    if one.lost:
        return fits(log_polar_flow(start, data, SQUARE, tolerance=1e-7, level=1e-7), data)
    way = one.followed
    eta, late = way.spectrum.eta, way.local >= way.half_way
    roots = np.sqrt(way.size)[late]
    inner = way.v[late] / roots[:, None]
    distance = np.sqrt(((inner - inner[-1]) ** 2).sum(axis=1) + (roots - roots[-1]) ** 2)
    log_loss, kappa = way.log_loss[late], 0.4 * eta[-1] * one.push / eta[0]
    return all_of(
        at_most(log_loss[-1] - log_loss[0], np.log(1e-18), "ln of the last over the first loss", error=4 * way.error),
        at_most(
            distance, 2 * np.exp(power * (log_loss - np.log(kappa))), "distance to the end of the path", error=1e-13
        ),
    )


LEVEL = 1e-7  # of the first residuals, down to which the full flow is followed


@lru_cache(maxsize=8)
def _trained(
    shape: bytes, signs: bytes, inputs: bytes, labels: bytes, size: tuple[int, int, int], log_scale: float
) -> LogPolarTrajectory:
    """The full flow to the end; kept, since several statements look at one run."""
    m, n, d = size
    start = Balanced(np.frombuffer(shape).reshape(m, d), np.frombuffer(signs), log_scale, 0)
    return log_polar_flow(
        start, Dataset(np.frombuffer(inputs).reshape(n, d), np.frombuffer(labels)), SQUARE, tolerance=1e-7, level=LEVEL
    )


def _end(start: Balanced, data: Dataset, times: float) -> LogPolarTrajectory:
    arrays = [np.asarray(a, dtype=float).tobytes() for a in (start.shape, start.signs, data.inputs, data.labels)]
    return _trained(*arrays, (len(start.shape), *data.inputs.shape), times * float(start.log_scale))


def _unfitted(data: Dataset, end: LogPolarTrajectory) -> float:
    """How far v may be from its limit on account of the residuals that are left: |X^{-1}| times their length, if all
    points are active.
    """
    known = lift(data, FLOAT)
    left = float(np.linalg.norm(known.labels - end.output[-1])) + end.output_error * np.sqrt(len(known.labels))
    return float(left * np.linalg.norm(np.linalg.pinv(known.inputs), 2))


def ends_in_theta(
    data: Dataset, teacher: Array, start: Balanced, power: float = 0.0, equal_shares: int = 0, total: float = 1.0
) -> Margin:
    """The full flow at lambda and lambda^2 ends near Theta_{v*}, and what is not there yet falls as
    a power of lambda.
    """
    ways = [(j, one) for j, one in yardsticks(start.shape, start.signs, data) if start.signs[j] > 0]
    if not ways:
        return less(1, 0, "no neuron ever takes off and the outputs stay zero")
    chosen, shares = [j for j, _ in ways], limit_shares([one for _, one in ways])
    wanted = np.full(len(chosen), 1 / len(chosen)) if equal_shares else shares
    others = [j for j in range(len(start.shape)) if j not in chosen]
    first, second = _end(start, data, 1.0), _end(start, data, 2.0)
    reached = [fits(end, data) for end in (first, second)]
    if any(one.violated for one in reached):
        return all_of(*reached)
    error = 2 * max(first.error, second.error) + max(_unfitted(data, end) for end in (first, second))
    parts = reached
    for end in (first, second):
        squares = np.exp(2 * end.log_norm[-1, chosen])
        parts += [
            at_most(abs(squares.sum() - total), 1e-3, "distance of the sum of |w_j|^2 from 1", error=error),
            at_most(np.abs(squares - total * wanted), 1e-3, "distance of |w_j|^2 from its limit", error=error),
            at_most(np.abs(end.direction[-1, chosen] - teacher), 1e-3, "distance of a direction from v*", error=error),
        ]
    fall = -float(start.log_scale)
    gaps = [log_angle(end.log_gap[np.ix_(chosen, chosen)])[np.triu_indices(len(chosen), 1)] for end in (first, second)]
    if gaps[0].size and np.isfinite(gaps[0]).all():
        parts.append(less(power, (gaps[0] - gaps[1]) / fall, "power of lambda in an angle", error=1e-3))
    if others:
        parts.append(
            less(
                0,
                (first.log_norm[-1, others] - second.log_norm[-1, others]) / fall,
                "power of lambda in a norm",
                error=1e-6,
            )
        )
    return all_of(*parts)


@claim(
    "chistikov2023.theorem_7.limit_in_Theta_vstar",
    "Theorem 7",
    kind=Kind.ASYMPTOTIC,
    given=correlated(start=start, epsilon=choice("1/4"), dimension=(2, 3), width=(3, 3), samples=(2, 3)),
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[
        without(some_positive),
        moved("angles vanish faster than lambda^1.1", power=1.1),
        moved("all of J_+ have the same norm", equal_shares=1),
        moved("squared norms add up to 2", total=2.0),
    ],
    convention="the full flow at lambda and lambda^2 until residuals are 1e-7, to 1/1000; the limits of |w_j|^2 are "
    "those of yardsticks",
    cost=0.7,
)
def limits_tend_to_copies_of_the_teacher(
    data: Dataset, teacher: Array, start: Balanced, *, power: float = 0.0, equal_shares: int = 0, total: float = 1.0
) -> Margin:
    r"""$\lim_{\lambda\to0}\lim_{t\to\infty}\theta_\lambda^t$ exists and is in $\Theta_{v^*}$: $\sum_j\|w_j\|^2=1$,
    every $w_j\ne0$ is a positive multiple of $v^*$ with $a_j>0$.

    Angles within the bundle and the norms of all other neurons vanish as a positive power of $\lambda$ (in fact like
    $\lambda$). That the angle bound is needed is shown by explicit data in beyond_quarter_angle.
    """
    return ends_in_theta(data, teacher, start, power, equal_shares, total)


_A = Dataset(exact_array([[1, "1/4"], ["5/4", -1]]), exact_array([1, "5/4"]))
_A_START = Balanced(
    exact_array([["1/2", 1], ["1/2", "3/2"], ["3/2", "1/2"]]), exact_array([1, 1, -1]), Fraction(-2802), Fraction(0)
)


_B = exact_array([[1, "1/2", 0], [1, "-1/2", "1/4"], [1, "1/4", "-3/4"], [1, 0, "1/2"]])
_B_SHAPE = exact_array([["-2/5", 1, "3/2"], ["-1/5", -1, "-1/2"], [1, "1/4", "1/2"]])
_B_START = Balanced(_B_SHAPE, exact_array([1, 1, -1]), Fraction(0), Fraction(0))
DECADES = (3, 4, 5, 6, 7)  # lambda = 10^-3, ..., where floats resolve the distance from the limit
DEEP = (10, 100, 1000, 10_000)


def _distance_from_theta(data: Dataset, teacher: Array, start: Balanced, decade: int) -> tuple[float, float]:
    """Largest distance of a w_j from its limit c_j v*, the c_j^2 being the shares of the yardsticks, at the end of
    training; its error.
    """
    ways = dict(yardsticks(start.shape, start.signs, data))
    chosen = [j for j in ways if start.signs[j] > 0]
    scaled = Balanced(start.shape, start.signs, Fraction(-decade * np.log(10)), start.slope)
    end = log_polar_flow(scaled, data, SQUARE, tolerance=1e-11, level=1e-11)
    limit = np.zeros(end.direction[-1].shape)
    limit[chosen] = np.outer(np.sqrt(limit_shares([ways[j] for j in chosen])), np.asarray(teacher, dtype=float))
    rows = np.exp(end.log_norm[-1])[:, None] * end.direction[-1]
    return float(np.linalg.norm(rows - limit, axis=1).max()), 2 * end.error


@claim(
    "chistikov2023.theorem_7.limit_in_Theta_vstar.over_decades",
    "Theorem 7, the limit in lambda",
    kind=Kind.ASYMPTOTIC,
    instances=[
        {"data": _A, "teacher": exact_array([1, 0]), "start": _A_START},
        {"data": Dataset(_B, _B[:, 0]), "teacher": exact_array([1, 0, 0]), "start": _B_START},
    ],
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[moved("like the square root of lambda", power=0.5), moved("like lambda^2", power=2.0)],
    convention="ours: the rate; lambda = 10^-3 to 10^-7, larger than Assumption 2 asks, then 10^-10 to 10^-10000, "
    "where 1e-8 is all that "
    "is resolved; limit_in_Theta_vstar is at the lambda of Assumption 2",
)
def networks_tend_to_theta_like_lambda(data: Dataset, teacher: Array, start: Balanced, *, power: float = 1.0) -> Margin:
    r"""$\lim_{t\to\infty}\theta_\lambda^t$ tends to one point of $\Theta_{v^*}$ as $\lambda\to0$, at a distance that
    falls like $\lambda$.

    The point is that of norms $c_j/\sqrt{\sum_kc_k^2}$ with $c_j=\lim_te^{-\|\gamma_{[n]}\|t}\|\alpha_j^t\|$.
    """
    measured = [_distance_from_theta(data, teacher, start, decade)[0] for decade in DECADES]
    deep = [_distance_from_theta(data, teacher, start, decade) for decade in DEEP]
    return all_of(
        exponent_equals(
            fit([10.0**-decade for decade in DECADES], measured), power, "distance from the limit as a power of lambda"
        ),
        *(at_most(distance, 1e-8, "distance from the limit", error=error) for distance, error in deep),
    )


@claim(
    "chistikov2023.bundle.angles_do_not_vanish_at_fixed_lambda",
    "section 1, fifth contribution",
    kind=Kind.DYNAMICS,
    instances=[{"data": _A, "teacher": exact_array([1, 0]), "start": _A_START, "epsilon": Fraction(1, 4)}],
    assumes=ASSUMPTIONS_1_AND_2,
    recorded="supported",
    mutants=[moved("at least 1.2 lambda", floor=1.2), moved("settled when half of the loss is left", early=0.5)],
    convention="one case at the largest lambda of Assumption 2: 1.1296 lambda; a limit: the same to 1/1000 at "
    "residuals 1e-4 and 1e-6",
)
def an_angle_in_the_bundle_has_a_positive_limit(
    data: Dataset, start: Balanced, *, floor: float = 1.0, early: float = 1e-4
) -> Margin:
    r"""For fixed $\lambda$ an angle between two neurons of $J_+$ need not tend to zero as $t\to\infty$.

    $\|w_j\|\|w_k\|-w_j^\top w_k$ is conserved while both see the same points, so $1-\cos$ tends to it over the product
    of the final norms.
    """
    earlier, later = (
        float(log_angle(log_polar_flow(start, data, SQUARE, level=level).log_gap[0, 1])) for level in (early, 1e-6)
    )
    return all_of(
        at_least(later, np.log(floor) + float(start.log_scale), "ln of the last angle", error=1e-6),
        at_most(abs(later - earlier), 1e-3, "change of ln of the angle in the end", error=1e-6),
    )


def _are_sizes(value: Any) -> bool:
    return is_array(value, 1) and all(entry >= 0 for entry in value) and value @ value == 1


@values(_are_sizes, sizes=along("width"))
def _sizes(size: Size) -> SearchStrategy[Array]:
    """Norms of the neurons of a network in Theta_{v*}: not negative, squares add up to one."""
    return unit_vector(size.width).map(lambda drawn: exact_array(np.array([abs(r) for r in drawn], dtype=object)))


def _copies(teacher: Array, sizes: Array) -> TwoLayer:
    """A network of Theta_{v*}: neurons |w_j| v* with outer weights |w_j|."""
    made = TwoLayer(np.array([[0] * len(teacher)], dtype=object), np.array([0], dtype=object), Fraction(0))
    return made.with_weights(sizes[:, None] * teacher[None, :], sizes)


def _homogeneity_proof() -> str | None:
    """r sigma(r u) = r^2 sigma(u) for r >= 0; the squares add up to one, and sums are linear."""
    import z3

    def statement() -> Any:
        r, u = z3.Reals("r u")

        def sigma(value: Any) -> Any:
            return z3.If(value > 0, value, 0)

        return z3.Implies(r >= 0, r * sigma(r * u) == r * r * sigma(u))

    return by_smt(statement)


@claim(
    "chistikov2023.theorem_7.predictor_equals_teacher",
    "section 1, fifth contribution",
    given=sized(teacher=unit_teacher, sizes=_sizes, x=point, dimension=(2, 3)),
    proof=_homogeneity_proof,
    recorded="proved",
    mutants=[
        moved("squared norms add up to 21/20", scale=Fraction(21, 20)),
        moved("a negative last-layer weight", flipped=1),
    ],
)
def networks_of_theta_compute_the_teacher(
    teacher: Array, sizes: Array, x: Array, *, scale: Number = Fraction(1), flipped: int = 0
) -> Margin:
    r"""$h_\theta(x)=\sigma(v^{*\top}x)$ for all $\theta\in\Theta_{v^*}$ and $x$, since $r_j\sigma(r_ju)=r_j^2\sigma(u)$
    for $r_j\ge0$.
    """
    net = _copies(teacher, sizes)
    outer = net.outer * scale
    outer[0] = -outer[0] if flipped else outer[0]
    along = teacher @ x
    value = sum((a * maximum(w @ x, along * 0) for a, w in zip(outer, net.inner, strict=True)), along * 0)
    return equal(value, maximum(along, along * 0), "h(x) against sigma(<v*, x>)")


@claim(
    "chistikov2023.theorem_7.minimal_rank",
    "abstract and section 1",
    given=correlated(sizes=_sizes),
    assumes=TRAINING_DATA,
    recorded="supported",
    mutants=[moved("rank 2", asked=2), moved("with one neuron along an input besides", extra=1)],
    convention="a network of rank 0 has output 0 everywhere, so it fits labels only if all of them are 0",
    cost=3.0,
)
def the_limit_has_the_least_rank(
    data: Dataset, teacher: Array, sizes: Array, *, asked: int = 1, extra: int = 0
) -> Margin:
    r"""A network in $\Theta_{v^*}$ has rank 1, and no network of smaller rank has zero loss, since
    labels are positive.
    """
    rows = sizes[:, None] * teacher[None, :]
    rows = np.vstack([rows, data.inputs[:1] + data.inputs[-1:] * 2]) if extra else rows
    return all_of(equal(rank(rows), asked, "rank of W"), less(0, largest(data.labels), "largest label"))
