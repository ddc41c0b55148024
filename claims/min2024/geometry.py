r"""Appendix C.1: the cone $K$ of the signed data, the cones $S_\pm$ around it, and the constants $\zeta_1$ and $\xi$.

Cosines are compared through their signed squares, which are rational. With $\mu>0$ two facts settle both constants:
a direction of the hyperplane $x_i^\perp$ is nearest to $z$ at the foot of $z$, and every $z\in K$ makes an angle of at
most $\arccos\mu$ with every $y_ix_i$.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from refute import Assumption, Kind, Margin, all_of, at_least, at_most, claim, equal, less, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import SEPARATED, SEPARATED_NEURON, in_minus_cone, in_plus_cone, separated
from refute.decide.proof import by_smt, steps
from refute.decide.symbolic import by_identity
from refute.functions import absolute, largest, sign, smallest, squared_norm
from refute.models import Dataset
from refute.models.geometry.conic import foot, signed_data, signed_separation, signed_square, squared_distance
from refute.models.min2024.cones import (
    attraction,
    centre,
    in_dead,
    in_minus,
    in_plus,
    minus_margins,
    plus_margins,
    separation,
    zeta_1,
)
from refute.strategies import sized
from refute.strategies.min2024 import separated as repair
from refute.strategies.min2024.conic import coefficients, enough, shared_pattern
from refute.strategies.min2024.separated import labelled_dataset, placed, separated_dataset, vector

IN_K = sized(data=separated_dataset, a=coefficients, b=coefficients).within(enough("a", "b"))
IN_K_AND_NEURON = placed(data=separated_dataset, a=coefficients, w=vector).within(enough("a"))


def member(a: Array, data: Dataset) -> Array:
    """The point of K with these coefficients."""
    rows = signed_data(data)
    point: Array = a[: len(rows)] @ rows
    return point


def _list(values: list[Number]) -> Array:
    return np.array(values, dtype=object)


def _coherent_sums() -> str | None:
    r"""With $g_{ij}=\langle y_ix_i,y_jx_j\rangle\ge\mu\|x_i\|\|x_j\|$ each term of
    $\langle z_1,z_2\rangle=\sum a_ib_jg_{ij}$ is at least $\mu a_i\|x_i\|b_j\|x_j\|$; the sums $A=\sum a_i\|x_i\|$ and
    $B$ are at least $\|z_1\|$ and $\|z_2\|$.
    """
    import z3

    mu, a, b, p, q, g, inner, A, B, u, v = z3.Reals("mu a b p q g inner A B u v")
    term = by_smt(lambda: z3.Implies(z3.And(a >= 0, b >= 0, g >= mu * p * q), a * b * g >= mu * (a * p) * (b * q)))
    longer = z3.And(mu > 0, inner >= mu * A * B, u <= A, v <= B, u > 0, v > 0)
    return steps(term, by_smt(lambda: z3.Implies(longer, inner >= mu * u * v)))


def _inner_margin() -> str | None:
    """The same with a unit z_1 and z_2 = y_i x_i, whose length is at least X_min; strict inequalities define an open
    set.
    """
    import z3

    mu, inner, A, size, least = z3.Reals("mu inner A size least")
    unit = z3.And(mu > 0, inner >= mu * A * size, A >= 1, size >= least, least > 0)
    return steps(_coherent_sums(), by_smt(lambda: z3.Implies(unit, z3.And(inner >= mu * least, mu * least > 0))))


def _wrong_side_is_far() -> str | None:
    r"""A unit $z$ with $d=\langle z,e\rangle\le0$, $e=y_ix_i/\|x_i\|$, and a unit $x=ce+\sqrt{1-c^2}\,e'$ with
    $c\ge m>0$, $e'\perp e$, have $\langle x,z\rangle=cd+\sqrt{1-c^2}\,k$ with $k=\langle e',z\rangle\le1$: it is
    negative or its square is at most $1-m^2$.
    """
    import z3

    m, c, d, s, k = z3.Reals("m c d s k")
    placed_so = z3.And(m > 0, c >= m, c <= 1, d <= 0, s >= 0, s * s == 1 - c * c, k <= 1)
    inner = c * d + s * k
    return by_smt(lambda: z3.Implies(placed_so, z3.Or(inner < 0, inner * inner <= 1 - m * m)))


@claim(
    "min2024.eq_18.cone_K_members",
    "Eq. (18) and the line after it",
    given=placed(data=labelled_dataset, w=vector),
    recorded="supported",
    mutants=[
        moved("x_a without labels", power=0),
        moved("x_a with the opposite sign", direction=-1),
        moved("-x_i y_i", datum=-1),
    ],
    convention="no separation is needed; membership is the exact distance to K, not the coefficients that are known "
    "to exist",
)
def signed_data_and_attraction_are_in_the_cone(
    data: Dataset, w: Array, *, power: int = 1, direction: int = 1, datum: int = 1
) -> Margin:
    r"""$y_ix_i\in K$ for all $i$ and $x_a(w)\in K$ for all $w$, where $K=\{\sum_ia_iy_ix_i:a_i\ge0\}$."""
    rows = signed_data(data)
    gates = (sign(data.inputs @ w) > 0).astype(int)
    pull = attraction(w, data) if power else gates @ data.inputs
    return all_of(
        equal(_list([squared_distance(datum * row, rows) for row in rows]), 0, "squared distance from y_i x_i to K"),
        equal(squared_distance(direction * pull, rows), 0, "squared distance from x_a(w) to K"),
    )


@claim(
    "min2024.lemma_5.coherence",
    "Lemma 5",
    given=IN_K,
    assumes=[separated],
    proof=_coherent_sums,
    recorded="proved",
    mutants=[
        moved("cos >= 21/20 mu", factor=Fraction(21, 20)),
        moved("cos >= sqrt(mu)", root=True),
        without(separated),
    ],
)
def any_two_points_of_the_cone_are_coherent(
    data: Dataset, a: Array, b: Array, *, factor: Number = Fraction(1), root: bool = False
) -> Margin:
    r"""Under Assumption 1, $\cos(z_1,z_2)\ge\mu$ for all nonzero $z_1,z_2\in K$."""
    mu = signed_separation(data)
    rows = signed_data(data)
    points = [
        z
        for z in (member(a, data), member(b, data), *(rows[i] + rows[j] for i in range(len(rows)) for j in range(i)))
        if any(z)
    ]
    cosines = _list([signed_square(z, other) for z in points for other in (*points[:2], *rows)])
    return at_least(cosines * cosines if root else cosines, factor * factor * mu, "cos |cos| against mu |mu|")


def halfspaces_are_convex() -> str | None:
    import z3

    s, t, a, b = z3.Reals("s t a b")
    positive = z3.And(a > 0, b > 0)
    inside = by_smt(lambda: z3.Implies(z3.And(positive, s > 0, t > 0), a * s + b * t > 0))
    outside = by_smt(lambda: z3.Implies(z3.And(positive, s <= 0, t <= 0), a * s + b * t <= 0))
    return steps(inside, outside)


@claim(
    "min2024.lemma_6.convex_cones",
    "Lemma 6",
    given=shared_pattern(),
    proof=halfspaces_are_convex,
    recorded="proved",
    mutants=[moved("any linear combination", second=-1), moved("a cone with vertex at another point", shift=1)],
    convention="closed under combinations with positive coefficients; S_- is S_+ of the opposite labels; the origin "
    "stands in .origin",
)
def cones_are_closed_under_positive_combinations(
    data: Dataset, z: Array, w: Array, a: Number, b: Number, *, second: int = 1, shift: int = 0
) -> Margin:
    r"""$z,w\in S_+$ and $a,b>0$ imply $az+bw\in S_+$; the same for $S_-$. No assumption on the data."""
    return in_plus_cone(a * z + second * b * w + shift, data)


@claim(
    "min2024.lemma_6.convex_cones.origin",
    "Lemma 6, in parentheses",
    given=SEPARATED,
    assumes=[separated],
    recorded="refuted",
    mutants=[moved("the origin is not in S_-, though it may be in S_+", plus=False)],
    convention="read as a statement: the origin belongs neither to S_+ nor to S_-",
)
def cones_do_not_contain_the_origin(data: Dataset, *, plus: bool = True) -> Margin:
    r"""$0\notin S_+$ and $0\notin S_-$.

    Fails with one class: without positive data $S_+=\{z:\langle x_i,z\rangle\le0\ \forall i\}$, and $0$ is in it.
    """
    return equal(
        int(plus and in_plus(0 * data.inputs[0], data)) + int(in_minus(0 * data.inputs[0], data)),
        0,
        "cones that contain the origin",
    )


both_classes = Assumption(
    "data.both_classes",
    "each class has a datum",
    lambda data: less(absolute(data.labels.sum()), len(data.labels), "|sum of the labels| against n"),
    base=SEPARATED,
    satisfy=repair.both_classes,
    violate=repair.one_class,
)


@claim(
    "min2024.lemma_6.convex_cones.origin.amended",
    "Lemma 6, in parentheses, for two classes",
    given=SEPARATED,
    assumes=[both_classes],
    recorded="supported",
    mutants=[without(both_classes), moved("nor in S_dead", dead=True)],
)
def cones_of_two_classes_do_not_contain_the_origin(data: Dataset, *, dead: bool = False) -> Margin:
    r"""If both classes have data, then $0\notin S_+$ and $0\notin S_-$.

    Amended: each class must have a datum, so that each cone asks some $\langle x_i,z\rangle$ to be positive.
    """
    origin = 0 * data.inputs[0]
    found = int(in_plus(origin, data)) + int(in_minus(origin, data)) + int(dead and in_dead(origin, data))
    return equal(found, 0, "cones that contain the origin")


@claim(
    "min2024.lemma_7.interior",
    "Lemma 7 and its proof",
    given=IN_K,
    assumes=[separated],
    proof=_inner_margin,
    recorded="proved",
    mutants=[
        moved("margin 21/20 mu X_min", factor=Fraction(21, 20)),
        moved("margin mu X_max", size=largest),
        moved("K inside S_-", side=-1),
        without(separated),
    ],
    convention="all inequalities that define S_+ or S_- hold strictly, which is the interior; for -K they are the "
    "same numbers",
)
def the_cone_lies_inside_with_a_margin(
    data: Dataset, a: Array, *, factor: Number = Fraction(1), size: Callable[[Array], Number] = smallest, side: int = 1
) -> Margin:
    r"""For unit $x_c\in K$: $y_i\langle x_c,x_i\rangle\ge\mu X_{\min}>0$ for all $i$, so
    $K\cap\mathbb S\subset\mathrm{Int}(S_+)$, $-K\cap\mathbb S\subset\mathrm{Int}(S_-)$."""
    z = member(a, data)
    inner = side * (signed_data(data) @ z)
    bound = factor * factor * signed_separation(data) * size(_list([squared_norm(x) for x in data.inputs]))
    return all_of(
        less(0, inner, "0 against y_i <z, x_i>"),
        at_least(
            inner * absolute(inner) / squared_norm(z),
            bound,
            "signed square of y_i <z, x_i>/|z| against that of mu X_min",
        ),
        in_plus_cone(z, data),
        in_minus_cone(-z, data),
    )


@claim(
    "min2024.lemma_8.cone_around_centre",
    "Lemma 8, Eq. (19)",
    kind=Kind.EXISTENCE,
    given=SEPARATED_NEURON,
    assumes=[separated],
    proof=_wrong_side_is_far,
    recorded="proved",
    mutants=[
        moved("zeta_1 = 101/100 of the closed form", part=Fraction(101, 100)),
        moved("zeta_1 equal to it", part=Fraction(1)),
        without(separated),
    ],
    convention="zeta_1 is 99/100 of min_i cos^2(x_i, x_+-), the least upper bound; nothing is asked around the centre "
    "of an absent class",
)
def a_circular_cone_around_each_centre_fits(data: Dataset, w: Array, *, part: Number = Fraction(99, 100)) -> Margin:
    r"""There is $\zeta_1>0$ with $S^{\zeta_1}_{x_+}\subset S_+$, $S^{\zeta_1}_{x_-}\subset S_-$, where
    $S^\zeta_x=\{z:\cos(z,x)\ge\sqrt{1-\zeta}\}$.

    Witness: any $\zeta_1<\min_i\cos^2(x_i,x_\pm)$. The cone meets no hyperplane $x_i^\perp$: even the foot of the
    centre there is outside of it. A vector of the cone that is drawn lies in $S_\pm$.
    """
    zeta = part * zeta_1(data)
    parts = [less(0, zeta, "0 against zeta_1")]
    for label, inside in ((1, in_plus_cone), (-1, in_minus_cone)):
        middle = centre(data, label)
        if any(middle):
            parts.append(inside(middle, data))
            feet = [foot(middle, x) for x in data.inputs]
            cosines = [signed_square(middle, z) for z in feet if any(z)]
            parts.append(
                less(_list(cosines), 1 - zeta, "largest cos^2 on a hyperplane against 1 - zeta_1")
                if cosines
                else parts[0]
            )
            parts += [
                inside(z, data) for z in (w, *feet, 3 * middle + w) if any(z) and signed_square(middle, z) >= 1 - zeta
            ]
    return all_of(*parts)


@claim(
    "min2024.lemma_8.cone_around_centre.mu_squared",
    "Lemma 8, with the constant in terms of mu",
    given=SEPARATED,
    assumes=[separated],
    proof=_coherent_sums,
    recorded="proved",
    mutants=[moved("21/20 mu^2", factor=Fraction(21, 20)), moved("mu in place of mu^2", root=True)],
)
def the_largest_cone_is_at_least_mu_squared(
    data: Dataset, *, factor: Number = Fraction(1), root: bool = False
) -> Margin:
    r"""Not printed, but what the constants need: every $\zeta_1<\mu^2$ is admissible, as
    $\min_i\cos^2(x_i,x_\pm)\ge\mu^2$ by Lemma 5.

    Separation is not shown necessary: without it the right side is not positive.
    """
    best = zeta_1(data)
    return at_least(
        best * best if root else best, factor * signed_separation(data), "min cos^2(x_i, x_+-) against mu^2"
    )


@claim(
    "min2024.lemma_8.centre_identity",
    "proof of Lemma 8",
    given=SEPARATED_NEURON,
    assumes=[separated, both_classes],
    recorded="refuted",
    mutants=[moved("x_+ = x_-", factor=-1)],
)
def centres_are_opposite(data: Dataset, w: Array, *, factor: int = 1) -> Margin:
    r"""$x_+=-x_-$, and $\mathrm{Int}(S_+)=-\mathrm{Int}(S_-)$.

    The first equality fails for data that are not centred: $x=1,1,-1$ with labels $1,1,-1$ have $x_+=2$ and $x_-=-1$.
    Only a step of the proof is concerned; the amended form gives the same inclusion.
    """
    return all_of(
        equal(centre(data, 1), -factor * centre(data, -1), "x_+ against -x_-"), _opposite_interiors(data, w, 1)
    )


def _opposite_interiors(data: Dataset, w: Array, factor: int) -> Margin:
    """w in Int(S_+) exactly when -w in Int(S_-): the least margins of the two memberships are one
    and the same number.
    """
    first, second = plus_margins(w, data), minus_margins(-factor * w, data)
    least, other = (smallest(_list([value for value in pair if value is not None])) for pair in (first, second))
    return equal(least, other, "least margin of w in S_+ against that of -w in S_-")


@claim(
    "min2024.lemma_8.centre_identity.amended",
    "proof of Lemma 8, with the centres in K and -K",
    given=SEPARATED_NEURON,
    assumes=[separated],
    recorded="supported",
    mutants=[moved("x_- in K", side=1), moved("Int(S_+) = Int(S_-)", factor=-1)],
)
def centres_lie_in_opposite_cones(data: Dataset, w: Array, *, side: int = -1, factor: int = 1) -> Margin:
    r"""$x_+\in K$, $x_-\in-K$, and $\mathrm{Int}(S_+)=-\mathrm{Int}(S_-)$.

    Amended: $x_+$ and $-x_-$ need not be equal, but both are in $K$, and that is all the second inclusion of Lemma 8
    takes.
    """
    rows = signed_data(data)
    return all_of(
        equal(squared_distance(centre(data, 1), rows), 0, "squared distance from x_+ to K"),
        equal(squared_distance(side * centre(data, -1), rows), 0, "squared distance from -x_- to K"),
        _opposite_interiors(data, w, factor),
    )


def _wrong_sided(data: Dataset, w: Array) -> list[Array]:
    """Vectors that touch or cross a hyperplane x_i^perp: w, and the foot there of every y_j x_j, as it is, a little
    over, and reversed.
    """
    rows = signed_data(data)
    feet = [foot(z, x) for z in rows for x in rows]
    beyond = [z - x / 2**40 for z, x in zip(feet, [x for _ in rows for x in rows], strict=True)]
    return [z for z in (w, -w, *feet, *beyond, *(-z for z in feet)) if any(z)]


@claim(
    "min2024.lemma_9.angular_gap",
    "Lemma 9, Eqs. (20) and (27)",
    kind=Kind.EXISTENCE,
    given=IN_K_AND_NEURON,
    assumes=[separated],
    proof=lambda: steps(_coherent_sums(), _wrong_side_is_far()),
    recorded="proved",
    mutants=[moved("xi = 21/20 mu^2", factor=Fraction(21, 20)), moved("xi = mu", root=True), without(separated)],
    cost=2.0,
    convention="xi = mu^2, which is the best constant if mu < 1; the supremum over no vectors at all (dimension 1) "
    "bounds nothing",
)
def what_is_in_neither_cone_is_far_from_the_data(
    data: Dataset, a: Array, w: Array, *, factor: Number = Fraction(1), root: bool = False
) -> Margin:
    r"""There is $\xi>0$ with $|\cos(x_1,x_2)|\le\sqrt{1-\xi}$ for all $x_1\in K$ and all $x_2$ outside of $S_+$ and of
    $S_-$.

    Witness $\xi=\mu^2$: some $y_ix_i$ makes an angle of at least $\pi/2$ with $x_2$ and of at most $\arccos\mu$ with
    $x_1$; likewise for $-x_2$.
    """
    mu = signed_separation(data)
    apart = [z for z in _wrong_sided(data, w) if not in_plus(z, data) and not in_minus(z, data)]
    cosines = [absolute(signed_square(x, z)) for x in (member(a, data), *signed_data(data)) for z in apart]
    excess = _list([1 - cosine for cosine in cosines])
    bound = at_least(excess * excess if root else excess, factor * mu, "1 - cos^2 against xi")
    return all_of(less(0, mu, "0 against xi"), bound)


@claim(
    "min2024.lemma_9.one_sided",
    "Eqs. (21) and (22)",
    given=IN_K_AND_NEURON,
    assumes=[separated],
    proof=lambda: steps(_coherent_sums(), _wrong_side_is_far()),
    recorded="proved",
    mutants=[
        moved("below sqrt(1 - 21/20 mu^2)", factor=Fraction(21, 20)),
        moved("K against the complement of S_-", swapped=True),
        without(separated),
    ],
    cost=2.0,
    convention="the suprema are below 1 because they are at most sqrt(1 - mu^2)",
)
def what_is_outside_a_cone_is_not_in_its_core(
    data: Dataset, a: Array, w: Array, *, factor: Number = Fraction(1), swapped: bool = False
) -> Margin:
    r"""$\sup\langle x_1,x_2\rangle<1$ over unit $x_1\in K$, $x_2\notin S_+$, and over unit
    $x_1\in-K$, $x_2\notin S_-$.
    """
    bound = 1 - factor * signed_separation(data)
    core = [member(a, data), *signed_data(data)]
    first, second = (in_minus, in_plus) if swapped else (in_plus, in_minus)
    candidates = [*_wrong_sided(data, w), *core]
    cosines = [signed_square(x, z) for x in core for z in candidates if not first(z, data)]
    cosines += [signed_square(-x, z) for x in core for z in candidates if not second(z, data)]
    return all_of(less(bound, 1, "1 - mu^2 against 1"), at_most(_list(cosines), bound, "cos |cos| against 1 - mu^2"))


def _pull_is_long() -> str | None:
    r"""$\|x_a\|^2$ is a sum of $n_a$ squares, each at least $X_{\min}^2$, and of $n_a(n_a-1)$ products, each at least
    $\mu X_{\min}^2$.
    """
    import z3

    mu, p, q, g, least, n = z3.Reals("mu p q g least n")
    product = by_smt(
        lambda: z3.Implies(z3.And(mu > 0, p >= least, q >= least, least > 0, g >= mu * p * q), g >= mu * least * least)
    )
    return steps(product, by_smt(lambda: z3.Implies(z3.And(mu <= 1, n >= 0), n * (1 + mu * (n - 1)) >= mu * n * n)))


@claim(
    "min2024.lemma_11.x_a_norm",
    "Lemma 11, Eq. (25)",
    given=SEPARATED_NEURON,
    assumes=[separated],
    proof=_pull_is_long,
    recorded="proved",
    mutants=[moved("21/20 of the bound", factor=Fraction(21, 20)), moved("X_max in place of X_min", size=largest)],
)
def the_pull_grows_with_the_active_data(
    data: Dataset, w: Array, *, factor: Number = Fraction(1), size: Callable[[Array], Number] = smallest
) -> Margin:
    r"""$\|x_a(w)\|\ge\sqrt{n_a(1+\mu(n_a-1))}\,X_{\min}\ge\sqrt\mu\,n_aX_{\min}$ with $n_a$ the number of data active
    at $w$.

    Separation is not shown necessary: without it the square root of $\mu$ does not exist, and the bound in the middle
    was not seen to fail.
    """
    active = int((sign(data.inputs @ w) > 0).sum())
    pull, mu = squared_norm(attraction(w, data)), separation(data)
    least = size(_list([squared_norm(x) for x in data.inputs]))
    middle = active * (1 + mu * (active - 1)) * least
    return all_of(
        at_least(pull, factor * middle, "|x_a|^2 against n_a (1 + mu (n_a - 1)) X_min^2"),
        at_least(pull, factor * mu * active * active * least, "|x_a|^2 against mu n_a^2 X_min^2"),
    )


def _expansion(data: Dataset, w: Array, weight: int) -> Margin:
    active = signed_data(data)[sign(data.inputs @ w) > 0]
    products = active @ active.T
    cross = sum((products[i, j] for i in range(len(active)) for j in range(i)), 0 * products.sum())
    squares = sum((products[i, i] for i in range(len(active))), 0 * products.sum())
    return equal(squared_norm(attraction(w, data)), squares + weight * cross, "|x_a|^2 against its expansion")


@claim(
    "min2024.lemma_11.x_a_norm.expansion.r1",
    "proof of Lemma 11, cross terms counted once",
    given=SEPARATED_NEURON,
    recorded="refuted",
    mutants=[moved("no cross terms", weight=0)],
)
def squared_pull_has_single_cross_terms(data: Dataset, w: Array, *, weight: int = 1) -> Margin:
    r"""$\|x_a\|^2=\sum_i\|x_i\|^2+\sum_{i<j}y_iy_j\langle x_i,x_j\rangle$ over the active data, each pair once.

    Fails with two active data: the square of a sum has each product twice. The line after it in the proof needs them
    twice as well.
    """
    return _expansion(data, w, weight)


def _square_of_a_sum() -> str | None:
    """One more active datum, coordinate by coordinate: it brings its square and twice its product with the sum of those
    before it.
    """
    import sympy

    total, x = sympy.symbols("total x", real=True)
    return by_identity(
        lambda: [(total + x) ** 2 - total**2 - x**2 - 2 * total * x], "by induction over the active data"
    )


@claim(
    "min2024.lemma_11.x_a_norm.expansion.r2",
    "proof of Lemma 11, cross terms counted twice",
    given=SEPARATED_NEURON,
    proof=_square_of_a_sum,
    recorded="proved",
    mutants=[moved("cross terms counted once", weight=1), moved("counted three times", weight=3)],
)
def squared_pull_has_double_cross_terms(data: Dataset, w: Array, *, weight: int = 2) -> Margin:
    r"""$\|x_a\|^2=\sum_i\|x_i\|^2+2\sum_{i<j}y_iy_j\langle x_i,x_j\rangle$ over the active data."""
    return _expansion(data, w, weight)
