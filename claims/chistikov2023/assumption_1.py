r"""Assumption 1 part by part: what each is for (a condition by itself claims nothing), and how likely it is met."""

from itertools import combinations, product
from typing import Any

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
    exponent,
    less,
    mutants,
    nothing,
    scaled,
    section,
    shifted,
    without,
)
from refute.arithmetic.numbers import Array
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    ASSUMPTIONS_1_AND_2,
    active_neurons,
    acute_pairs_proof,
    distinct_directions,
    misaligned_negative,
    neuron_labels,
    off_boundaries,
    one_at_a_time,
    quarter_angle,
    spanning,
    squares,
    unit_teacher,
)
from refute.claims.chistikov2023.setting import A_NEURONS, on_a
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import sign
from refute.models import Dataset
from refute.models.chistikov2023.crossings import is_active, most_points_touched, stages, ties
from refute.models.chistikov2023.degeneracy import krylov
from refute.models.chistikov2023.smallness import yardsticks
from refute.models.chistikov2023.yardstick import gamma
from refute.models.geometry.elimination import minors, rank, solve
from refute.models.logpolar import LogPolarTrajectory, log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change
from refute.models.loss import SQUARE
from refute.strategies.chistikov2023.correlated import SETTING, correlated

part = section("chistikov2023", "assumption_1", given=SETTING, recorded="supported", cost=4, printed=False)
text = part.but("text after Assumption 1", printed=True)


DETERMINED = [unit_teacher, quarter_angle, spanning, neuron_labels]


@part.claim("i", "Assumption 1 (i), what it is for (ours)", given=correlated(), assumes=DETERMINED, cost=2)
@mutants(scaled("101/100", "solution"), without(spanning), without(neuron_labels))
def spanning_inputs_determine_the_teacher(teacher: Array, data: Dataset) -> Margin:
    r"""If the inputs span $\mathbb R^d$, $d>1$, and $\|v^*\|=1$, then $v^*$ is the only solution of $v^\top x_i=y_i$
    for all $i$.

    Convention: the labels determine the teacher; its unit length only fixes the scale.
    """
    solution = solve(data.inputs.T @ data.inputs, data.labels @ data.inputs)
    return all_of(
        equal(rank(data.inputs), len(teacher), "rank of the inputs"),
        equal(solution, teacher, "solution of the normal equations"),
    )


def _definite_proof() -> str | None:
    import z3

    def statement() -> Any:
        along, rest = z3.Reals("along rest")
        return z3.Implies(z3.And(along != 0, rest >= 0), along * along + rest > 0)

    return steps(
        by_smt(statement, "v^T X X^T v is a sum of squares, positive where one <v, x_i> is not 0"),
        in_words("as the x_i span the space, some <v, x_i> is not 0 for v other than 0"),
    )


spans = text.but(given=correlated(), assumes=[quarter_angle, spanning], recorded="proved", cost=2)


@spans.claim("i.positive_definite", proof=_definite_proof)
@mutants(without(spanning), shifted("-1/4", "0 against"))
def the_second_moment_is_positive_definite(data: Dataset) -> Margin:
    r"""$\frac1nXX^\top$ is positive definite: all leading minors of $XX^\top$ are positive."""
    return less(0, minors(data.inputs.T @ data.inputs), "0 against leading minors")


def _starting_angles_proof() -> str | None:
    return steps(
        acute_pairs_proof(),
        in_words("<z, gamma_I> is a sum of positive terms y_i <z, x_i>, I = I_+(z), so that phi < pi/2"),
        in_words("gamma_I has positive products with all points, so that z along it has I = [n], which is excluded"),
    )


angles = part.but(assumes=ASSUMPTION_1[:-1], recorded="proved", cost=3)


@angles.claim("ii", "Assumption 1 (ii), what it is for (ours)", proof=_starting_angles_proof)
@mutants(shifted("-1/4", "0 against"), without(misaligned_negative))
def starting_angles_are_acute_and_not_zero(data: Dataset, start: Balanced) -> Margin:
    r"""$J_+$ is not empty, $\varphi_j^0<\pi/2$ for $j\in J_+\cup J_-$, and $\varphi_j^0>0$ for $j\in J_-$, also when
    $I_+(z_j)\ne[n]$.

    Convention: the starting angles of yardsticks; that z_j lies on no boundary makes the loss differentiable.
    """
    found = active_neurons(data, start)
    rows, signs = np.array([z for z, _ in found]), np.array([s for _, s in found])
    pushes = np.array([gamma(data, sign(data.inputs @ z) > 0) for z in rows])
    products, sizes = (rows * pushes).sum(axis=1), squares(rows) * squares(pushes)
    return all_of(
        at_least((signs > 0).sum(), 1, "|J_+|"),
        less(0, products * abs(products) / sizes, "0 against the signed squared cosines"),
        less((products * products)[signs < 0], sizes[signs < 0], "<z, gamma>^2 against |z|^2 |gamma|^2"),
    )


@derived
def orientations(start: Balanced) -> Array:
    """All ways to turn the z_j round, one by one, equally likely for independent symmetric laws."""
    return np.array(list(product((1, -1), repeat=len(start.shape))))


TOGETHER = changed("the z_j are turned round together", orientations=lambda every: every[[0, -1]])


def _probability_proof() -> str | None:
    import z3

    def one() -> Any:
        there, back = z3.Reals("there back")
        known = z3.And(z3.Or(there == 1, back == 1), there >= 0, there <= 1, back >= 0, back <= 1)
        return z3.Implies(known, z3.And(1 - (there + back) / 4 <= z3.Q(3, 4), 1 - (there + back) / 4 >= 0))

    def more() -> Any:
        idle, before, bound = z3.Reals("idle before bound")
        known = z3.And(idle >= 0, idle <= z3.Q(3, 4), before >= 0, before <= bound)
        return z3.Implies(known, idle * before <= z3.Q(3, 4) * bound)

    return steps(
        in_words("z or -z is active on x_1, as <z, x_1> is not 0; the sign is positive with probability 1/2"),
        by_smt(one, "a neuron is outside J_+ with probability at most 3/4"),
        by_smt(more, "induction over independent neurons"),
    )


@text.claim(
    "ii.probability",
    assumes=[unit_teacher, quarter_angle, neuron_labels, off_boundaries, misaligned_negative],
    derived=[orientations],
    proof=_probability_proof,
    recorded="proved",
    cost=3,
)
@mutants(scaled("1001/1000"), TOGETHER, without(off_boundaries))
def part_ii_holds_with_high_probability(data: Dataset, start: Balanced, orientations: Array) -> Margin:
    r"""For independent symmetric $z_j$ and uniform signs $s_j$, Assumption 1 (ii) holds with probability at least
    $1-(3/4)^m$.

    Exact for every outcome of the lines: an active neuron has the positive sign with probability 1/2, and the
    orientations are enumerated. That $z_j\parallel\gamma$ has probability zero.

    Convention: $z_j$ independent with symmetric densities, so that given their lines all orientations and signs are
    equally likely.
    """
    one = start.shape.flat[0] * 0 + 1
    idle = np.array([[one - one * is_active(e * z, data) / 2 for e in (-1, 1)] for z in start.shape])
    missed = sum(idle[range(len(e)), (e + 1) // 2].prod() for e in orientations) / len(orientations)
    clear = (sign(start.shape @ data.inputs.T) != 0).all()
    return at_least(clear * (1 - missed), 1 - (3 * one / 4) ** len(start.shape), "chance given the lines")


@part.claim(
    "iii", "Assumption 1 (iii), how it is tested (ours)", kind=Kind.SYMBOLIC, given=None, recorded="proved", cost=1
)
@mutants(
    exponent(2, "d = 2").called("squares of the differences"),
    bent("without the first component of v*", "d = 3", right=lambda found: found.subs("nu1", 1)),
)
def the_krylov_determinant_tests_the_spectrum() -> Any:
    r"""$\det[v^*,Hv^*,\dots,H^{d-1}v^*]=\prod_k\nu_k^*\prod_{k<l}(\eta_l-\eta_k)$: it is nonzero if and only if the
    eigenvalues of $H$ are distinct and $v^*$ has a part along every eigenvector.

    Convention: d = 2 and 3 in the basis of eigenvectors (Vandermonde's determinant in general); that directions are
    distinct is tested pair by pair.
    """
    import sympy

    def equation(d: int) -> tuple[Any, Any]:
        eta, nu = sympy.symbols(f"eta1:{d + 1}"), sympy.symbols(f"nu1:{d + 1}")
        krylov = sympy.Matrix(d, d, lambda j, k: nu[k] * eta[k] ** j)
        return krylov.det(), sympy.prod(nu) * sympy.prod(b - a for a, b in combinations(eta, 2))

    return {f"d = {d}": equation(d) for d in (2, 3)}


@part.claim("iv", "Assumption 1 (iv), what it is for (ours)", assumes=ASSUMPTION_1)
@mutants(without(one_at_a_time), bent("points cross in the order of their numbers", "the point", left=np.sort))
def points_cross_one_by_one(data: Dataset, start: Balanced) -> Margin:
    r"""$|I_0(\alpha_j^t)|\le1$ along every yardstick, so points cross one by one: the same in rationals and in closed
    form.

    Convention: the exact crossings are compared with those of the closed form in floats.
    """
    parts = [nothing("no yardstick")]
    for j, closed in yardsticks(start.shape, start.signs, data):
        z, s = start.shape[j], int(start.signs[j])
        points = np.array([i for one in stages(z, s, data) for i in one.points], dtype=int)
        count = equal(len(points), len(closed.points), "number of crossings")
        same = [equal(points, np.array(closed.points, dtype=int), "the point that crosses")] * (not count.violated)
        parts += [at_most(most_points_touched(z, s, data), 1, "points met at once"), count, *same]
    return all_of(*parts)


@derived
def step(data: Dataset) -> Array:
    """A direction in the space of data, along a moment curve."""
    n, d = data.inputs.shape
    return np.array([[(i + 2) ** (k + 1) + i * k for k in range(d)] for i in range(n)], dtype=object)


@text.claim(
    "iii_iv.measure_zero",
    assumes=[unit_teacher, quarter_angle, distinct_directions, neuron_labels, off_boundaries],
    derived=[step],
)
@mutants(changed("no case is excluded", step=lambda step: 0 * step), without(distinct_directions))
def excluded_cases_form_a_null_set(teacher: Array, data: Dataset, start: Balanced, step: Array) -> Margin:
    r"""The cases that (iii) and (iv) exclude have Lebesgue measure zero, as zero sets of polynomials that are not
    identically zero.

    Convention: (iii): on a line through any case the Krylov determinant is a polynomial that does not vanish
    identically; (iv): for every order of crossings two points are met together on a hyperplane of starts $z_j$ only;
    that directions coincide is a null set too.
    """
    n, d = data.inputs.shape
    ranks = [rank(krylov(data.inputs + t * step, teacher)) for t in range(d * (d - 1) + 1)]
    normals = np.array([f for z, s in active_neurons(data, start) for f in ties(z, s, data)]).reshape(-1, d)
    return all_of(
        equal(max(ranks), min(d, n + 1), "largest rank of v*, Hv*, ... on the line"),
        less(0, squares(normals), "0 against |f|^2"),
    )


NEGATIVE = 2  # the neuron of instance A with a negative sign


@derived
def trained(data: Dataset, start: Balanced, tolerance: float) -> LogPolarTrajectory:
    """The whole training."""
    return log_polar_flow(start, data, SQUARE, level=1e-4, tolerance=1e4 * tolerance)


@derived
def death(trained: LogPolarTrajectory) -> float:
    """When the last active point of the negative neuron leaves."""
    return next(one.time for one in trained.switches if one.change is Change.DIES and one.neuron == NEGATIVE)


flow = part.but(kind=Kind.DYNAMICS, given=None, instances=[on_a(*A_NEURONS)], assumes=ASSUMPTIONS_1_AND_2, cost=1)


@flow.claim("v", "Assumption 1 (v)", derived=[trained, death])
@mutants(changed("from a little before on", death=lambda time: time - 1))
def a_deactivated_neuron_stays(trained: LogPolarTrajectory, death: float) -> Margin:
    r"""When the last active point of a neuron leaves its half-space at time $T'$, then $w_j^t=w_j^{T'}$ for all
    $t\ge T'$.

    Convention: a choice among the solutions of the inclusion, which the log-polar flow makes; one run with one
    negative neuron.
    """
    late = trained.time >= death
    direction = Enclosed(trained.direction[late, NEGATIVE], trained.error)
    log_norm = Enclosed(trained.log_norm[late, NEGATIVE], trained.error)
    return all_of(equal(direction, direction[:1], "direction"), equal(log_norm, log_norm[:1], "log-norm"))
