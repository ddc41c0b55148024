r"""Section 3: what the parts of Assumption 1 say, why $\delta>0$, and the bound of Assumption 2."""

from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np

from refute import Margin, all_of, at_least, at_most, claim, equal, identity, less, moved, without
from refute.arithmetic.numbers import Array, Number, rational
from refute.claims.chistikov2023.assumptions import (
    ASSUMPTION_1,
    distinct_directions,
    misaligned_negative,
    neuron_labels,
    off_boundaries,
    one_at_a_time,
    quarter_angle,
    spanning,
    unit_teacher,
)
from refute.decide.proof import by_smt
from refute.functions import sign, squared_norm
from refute.models import Dataset
from refute.models.chistikov2023.crossings import Stage, is_active, most_points_touched, stages
from refute.models.chistikov2023.smallness import delta_components, largest_length, log_scale_bound, yardsticks
from refute.models.chistikov2023.yardstick import gamma
from refute.models.geometry.elimination import rank, solve
from refute.models.logpolar.balanced import Balanced
from refute.strategies import choice, sized
from refute.strategies.chistikov2023.correlated import SETTING, correlated, krylov


def _pushes(data: Dataset, start: Balanced, s: int) -> list[tuple[Array, Array]]:
    """(z_j, gamma_{I_+(z_j)}) for the active neurons of sign s."""
    rows = [z for z, own in zip(start.shape, sign(start.signs), strict=True) if own == s and is_active(z, data)]
    return [(z, gamma(data, sign(data.inputs @ z) > 0)) for z in rows]


@claim(
    "chistikov2023.assumption_1.i",
    "Assumption 1 (i)",
    given=correlated(),
    assumes=[unit_teacher, quarter_angle, spanning, neuron_labels],
    recorded="supported",
    mutants=[moved("twice the teacher", factor=2), without(spanning), without(neuron_labels)],
    cost=2,
    convention="what the condition is for: the labels determine the teacher; its unit length only fixes the scale",
)
def spanning_inputs_determine_the_teacher(teacher: Array, data: Dataset, *, factor: int = 1) -> Margin:
    r"""If the inputs span $\mathbb R^d$, $d>1$, and $\|v^*\|=1$, then $v^*$ is the only solution of $v^\top x_i=y_i$
    for all $i$.
    """
    return all_of(
        equal(rank(data.inputs), len(teacher), "rank of the inputs"),
        equal(
            solve(data.inputs.T @ data.inputs, data.labels @ data.inputs),
            factor * teacher,
            "solution of the normal equations",
        ),
    )


@claim(
    "chistikov2023.assumption_1.i.positive_definite",
    "text after Assumption 1",
    given=correlated(),
    assumes=[quarter_angle, spanning],
    recorded="supported",
    mutants=[without(spanning), moved("X X^T - 1 too", shift=1)],
    cost=2,
)
def the_second_moment_is_positive_definite(data: Dataset, *, shift: int = 0) -> Margin:
    r"""$\frac1nXX^\top$ is positive definite: all leading minors of $XX^\top$ are positive."""
    moment = data.inputs.T @ data.inputs - shift * np.eye(data.inputs.shape[1], dtype=int)
    return less(
        0,
        np.array([_determinant(moment[:k, :k]) for k in range(1, len(moment) + 1)], dtype=object),
        "0 against leading minors",
    )


def _determinant(matrix: Array) -> Number:
    if len(matrix) == 1:
        return matrix[0, 0]
    rest = [np.delete(matrix[1:], k, axis=1) for k in range(len(matrix))]
    return sum((-1) ** k * matrix[0, k] * _determinant(rest[k]) for k in range(len(matrix)))


@claim(
    "chistikov2023.assumption_1.ii",
    "Assumption 1 (ii)",
    given=SETTING,
    assumes=ASSUMPTION_1[:-1],
    recorded="supported",
    mutants=[moved("cosine at least 1/2", floor=Fraction(1, 4)), without(misaligned_negative)],
    cost=3,
    convention="what the condition is for: the starting angles of yardsticks; that z_j lies on no boundary makes the "
    "loss differentiable",
)
def starting_angles_are_acute_and_not_zero(data: Dataset, start: Balanced, *, floor: Number = Fraction(0)) -> Margin:
    r"""$J_+$ is not empty, $\varphi_j^0<\pi/2$ for $j\in J_+\cup J_-$, and $\varphi_j^0>0$ for $j\in J_-$, also when
    $I_+(z_j)\ne[n]$.
    """
    plus, minus = _pushes(data, start, 1), _pushes(data, start, -1)
    cosines = [less(0, z @ push, "0 against <z_j, gamma>") for z, push in plus + minus]
    wide = [less(floor * squared_norm(z) * squared_norm(p), (z @ p) * (z @ p), "floor against cos^2") for z, p in plus]
    sines = [
        less((z @ p) * (z @ p), squared_norm(z) * squared_norm(p), "<z, gamma>^2 against |z|^2 |gamma|^2")
        for z, p in minus
    ]
    return all_of(at_least(len(plus), 1, "|J_+|"), *cosines, *wide, *sines)


@claim(
    "chistikov2023.assumption_1.ii.probability",
    "text after Assumption 1",
    given=SETTING,
    assumes=[unit_teacher, quarter_angle, neuron_labels, off_boundaries, misaligned_negative],
    recorded="supported",
    mutants=[
        moved("1 - (7/10)^m", base=Fraction(7, 10)),
        moved("the z_j are turned round together", together=1),
        without(off_boundaries),
    ],
    cost=3,
    convention="z_j independent with symmetric densities, so that given their lines all orientations and signs are "
    "equally likely",
)
def part_ii_holds_with_high_probability(
    data: Dataset, start: Balanced, *, base: Number = Fraction(3, 4), together: int = 0
) -> Margin:
    r"""For independent symmetric $z_j$ and uniform signs $s_j$, Assumption 1 (ii) holds with probability at least
    $1-(3/4)^m$.

    Exact for every outcome of the lines: the orientations and signs are enumerated. That $z_j\parallel\gamma$ has
    probability zero.
    """
    m = len(start.shape)
    orientations = [(e,) * m for e in (1, -1)] if together else list(product((1, -1), repeat=m))
    lines = [{e: is_active(e * z, data) for e in (1, -1)} for z in start.shape]
    clear = bool((sign(start.shape @ data.inputs.T) != 0).all())
    good = [
        clear and any(s > 0 and lines[j][e[j]] for j, s in enumerate(signs))
        for e in orientations
        for signs in product((1, -1), repeat=m)
    ]
    chance = (0 * base + sum(good)) / len(good)
    return at_least(chance, 1 - prod([base] * m), "chance given the lines against 1 - (3/4)^m")


@identity(
    "chistikov2023.assumption_1.iii",
    "Assumption 1 (iii)",
    recorded="proved",
    mutants=[moved("squares of the differences", power=2), moved("without the components of v*", components=0)],
    convention="d = 2 in the basis of eigenvectors (Vandermonde in general); that directions are distinct is tested "
    "pair by pair",
)
def the_krylov_determinant_tests_the_spectrum(*, power: int = 1, components: int = 1) -> Any:
    r"""$\det[v^*,Hv^*,\dots,H^{d-1}v^*]=\prod_k\nu_k^*\prod_{k<l}(\eta_l-\eta_k)$: it is nonzero if and only if the
    eigenvalues of $H$ are distinct and $v^*$ has a part along every eigenvector.
    """
    import sympy

    eta, nu = sympy.symbols("eta1:3"), sympy.symbols("nu1:3")
    matrix = sympy.Matrix(2, 2, lambda j, k: nu[k] * eta[k] ** j)
    return sympy.expand(matrix.det() - (nu[0] * nu[1]) ** components * (eta[1] - eta[0]) ** power)


@claim(
    "chistikov2023.assumption_1.iv",
    "Assumption 1 (iv)",
    given=SETTING,
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[without(one_at_a_time), moved("points cross in the order of their numbers", ordered=1)],
    cost=4,
    convention="what the condition is for: crossings come one by one; the exact ones are compared with those of the "
    "closed form in floats",
)
def points_cross_one_by_one(data: Dataset, start: Balanced, *, ordered: int = 0) -> Margin:
    r"""$|I_0(\alpha_j^t)|\le1$ along every yardstick, so points cross one by one: the same in rationals and in closed
    form.
    """
    parts = []
    for j, closed in yardsticks(start.shape, start.signs, data):
        s = int(start.signs[j])
        points = [i for one in stages(start.shape[j], s, data) for i in one.points]
        expected = sorted(points) if ordered else points
        parts.append(at_most(most_points_touched(start.shape[j], s, data), 1, "points met at once"))
        parts.append(equal(len(points), len(closed.points), "number of crossings"))
        parts += [
            equal(a, b, "number of the point that crosses") for a, b in zip(expected, closed.points, strict=False)
        ]
    return all_of(*parts)


def _ties(z: Array, s: int, data: Dataset) -> list[Array]:
    """For every stage and pair of points ahead: the vector f with <f, z> = 0 iff both are met together, given the
    earlier crossings.

    A stage maps z to z - gamma <x, z>/<gamma, x> with the point x that it ends at, so functionals are pulled back one
    by one.
    """
    found: list[Array] = []
    earlier: list[Stage] = []
    for now in stages(z, s, data):
        gone = {i for one in earlier for i in one.points}
        ahead = [i for i in range(len(data.labels)) if i not in gone and sign(data.inputs[i] @ z) != s]
        for i, k in combinations(ahead, 2):
            x, y = data.inputs[i], data.inputs[k]
            f = x / (now.gamma @ x) - y / (now.gamma @ y)
            for one in reversed(earlier):
                crossed = data.inputs[one.points[0]]
                f = f - crossed * (one.gamma @ f) / (one.gamma @ crossed)
            found.append(f)
        earlier.append(now)
    return found


@claim(
    "chistikov2023.assumption_1.iii_iv.measure_zero",
    "text after Assumption 1",
    given=SETTING,
    assumes=[unit_teacher, quarter_angle, distinct_directions, neuron_labels, off_boundaries],
    recorded="supported",
    mutants=[moved("no case is excluded", reach=0), without(distinct_directions)],
    cost=4,
    convention="(iii): on a line through any case the Krylov determinant is a polynomial that does not vanish "
    "identically; (iv): for every "
    "order of crossings two points are met together on a hyperplane of starts z_j only; that directions coincide is a "
    "null set too",
)
def excluded_cases_form_a_null_set(teacher: Array, data: Dataset, start: Balanced, *, reach: int = 1) -> Margin:
    r"""The cases that (iii) and (iv) exclude have Lebesgue measure zero, as zero sets of polynomials that are not
    identically zero.
    """
    n, d = data.inputs.shape
    step = reach * np.array([[(i + 2) ** (k + 1) + i * k for k in range(d)] for i in range(n)], dtype=object)
    ranks = [rank(krylov(data.inputs + t * step, teacher)) for t in range(d * (d - 1) + 1)]
    rows = [(z, int(s)) for z, s in zip(start.shape, sign(start.signs), strict=True) if is_active(z, data)]
    sizes = [squared_norm(f) for z, s in rows for f in _ties(z, s, data)]
    return all_of(
        equal(max(ranks), min(d, n + 1), "largest rank of v*, Hv*, ... on the line"),
        *[less(0, size, "0 against |f|^2") for size in sizes],
    )


@claim(
    "chistikov2023.definition.delta_positive",
    "section 3, definition of delta and Delta",
    given=SETTING,
    assumes=ASSUMPTION_1,
    recorded="supported",
    mutants=[moved("delta > 1/5", floor=0.2), without(quarter_angle)],
    cost=4,
    convention="the eleven quantities in floats, with 10^-13 for round-off; their signs also follow from the exact "
    "parts of Assumption 1",
)
def delta_is_positive(teacher: Array, data: Dataset, start: Balanced, *, floor: float = 0.0) -> Margin:
    r"""Under Assumption 1 $\delta>0$, each of its eleven quantities being positive, and $\Delta\ge1$."""
    sizes = delta_components(data, teacher, start.shape, start.signs)
    parts = [less(floor, size, name, error=1e-13) for name, size in sizes.items() if np.isfinite(size)]
    return all_of(*parts, at_least(largest_length(data, start.shape), 1.0, "Delta"))


@identity(
    "chistikov2023.assumption_2",
    "Assumption 2",
    recorded="proved",
    mutants=[
        moved("exponent 8 n Delta^2/delta^3", nine=8),
        moved("exponent -2/epsilon", three=2),
        moved("delta^2", cube=2),
    ],
    convention="the form in which the condition is checked: ln lambda instead of lambda, which no float can hold",
)
def the_bound_on_lambda_in_logarithms(*, nine: int = 9, three: int = 3, cube: int = 3) -> Any:
    r"""$\lambda\le(m\,n^{9n\Delta^2/\delta^3})^{-3/\varepsilon}$ in logarithms:
    $-\frac3\varepsilon(\ln m+9n\Delta^2\delta^{-3}\ln n)$.
    """
    import sympy

    m, n, large, small, epsilon = sympy.symbols("m n Delta delta epsilon", positive=True)
    printed = (m * n ** (nine * n * large**2 / small**cube)) ** (-three / epsilon)
    logarithm = -3 / epsilon * (sympy.log(m) + 9 * n * large**2 / small**3 * sympy.log(n))
    return sympy.expand(sympy.expand_log(sympy.log(printed), force=True) - logarithm)


def _trade_off_proof() -> str | None:
    import z3

    def statement() -> Any:
        low, high, log_scale = z3.Reals("low high log_scale")
        loosened = (1 - low) * log_scale < (1 - high) * log_scale
        return z3.Implies(
            z3.And(low > 0, low < high, log_scale < 0), z3.And(loosened, high * log_scale < low * log_scale)
        )

    return by_smt(statement)


@claim(
    "chistikov2023.assumption_2.epsilon_only_analysis",
    "text after Assumption 2",
    given=sized(
        low=choice("1/100", "1/8", "1/5"), more=choice("1/100", "1/20"), log_scale=choice("-1000", "-1", "-100000")
    ),
    proof=_trade_off_proof,
    recorded="proved",
    mutants=[moved("both are tightened", sense=-1), moved("both are loosened", other=-1)],
    convention="the flow is a function of X, y, z, s and lambda, so epsilon cannot act on it; tested is what epsilon "
    "does to Lemma 5",
)
def epsilon_trades_one_bound_for_another(
    low: Number, more: Number, log_scale: Number, *, sense: int = 1, other: int = 1
) -> Margin:
    r"""$\varepsilon$ does not affect training; raising it loosens bounds $\lambda^{1-\varepsilon}$, tightens
    $\lambda^\varepsilon$.
    """
    high = low + more
    return all_of(
        less(0, sense * ((1 - high) - (1 - low)) * log_scale, "growth of ln lambda^(1 - epsilon)"),
        less(0, other * (low - high) * log_scale, "decrease of ln lambda^epsilon"),
    )


@claim(
    "chistikov2023.assumption_2.growth_of_bound",
    "section 1, first contribution; text after Assumption 2",
    given=sized(
        m=choice(1, 2, 10, 1000), n=choice(2, 3, 10, 1000), small=choice("1", "1/2", "1/100"), large=choice("1", "3")
    ),
    recorded="supported",
    mutants=[moved("exponential with an exponent linear in n", power=1), moved("degree 2/epsilon in m", degree=2)],
    convention="delta and Delta fixed, though they depend on the case; exponential is read as 2 to a polynomial of n: "
    "here n ln n",
)
def the_bound_is_polynomial_in_m_and_exponential_in_n(
    m: int, n: int, small: Number, large: Number, *, power: int = 2, degree: int = 3
) -> Margin:
    r"""$1/\lambda_{\max}$ is $m^{3/\varepsilon}$ times $e^{O(n^2)}$; here $\varepsilon=\frac14$.

    The logarithm is $\frac{27\Delta^2}{\varepsilon\delta^3}n\ln n$, so the bound is not $e^{O(n)}$.
    """
    delta, size = float(rational(small)), float(rational(large))
    of_m = log_scale_bound(1, 2, 1.0, 1.0, 0.25) - log_scale_bound(m, 2, 1.0, 1.0, 0.25)
    of_n, bound = -log_scale_bound(1, n, delta, size, 0.25), 108 * size**2 / delta**3 * float(n) ** power
    return all_of(
        at_most(of_m, 4 * degree * np.log(m), "growth of ln(1/lambda) from width 1 to m", error=1e-10),
        at_most(of_n, bound, "ln(1/lambda) for width 1 against its bound", error=1e-9 * bound),
    )
