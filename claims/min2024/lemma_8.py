"""Lemma 8: a circular cone around each centre fits into $S_\\pm$."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import neg

import numpy as np

from refute import (
    Fault,
    Margin,
    all_of,
    at_least,
    bent,
    changed,
    derived,
    equal,
    less,
    moved,
    mutants,
    scaled,
    section,
    without,
)
from refute.arithmetic.numbers import Array, Number
from refute.claims.min2024.assumptions import (
    SEPARATED,
    SEPARATED_NEURON,
    both_classes,
    in_minus_cone,
    in_plus_cone,
    separated,
)
from refute.claims.min2024.lemma_5 import coherent_sums
from refute.claims.min2024.quantities import mu_squared, rows
from refute.decide.proof import by_smt, in_words, steps
from refute.functions import smallest
from refute.models import Dataset
from refute.models.min2024.cones import centre, minus_margins, plus_margins, zeta_1
from refute.models.min2024.conic import foot, signed_square, squared_distance

Inside = Callable[[Array, Dataset], Margin]


def wrong_side_is_far() -> str | None:
    r"""A unit $z$ with $d=\langle z,e\rangle\le0$, $e=y_ix_i/\|x_i\|$, and a unit $x=ce+\sqrt{1-c^2}\,e'$ with
    $c\ge m>0$, $e'\perp e$, have $\langle x,z\rangle=cd+\sqrt{1-c^2}\,k$ with $k=\langle e',z\rangle\le1$: it is
    negative or its square is at most $1-m^2$.
    """
    import z3

    m, c, d, s, k = z3.Reals("m c d s k")
    placed_so = z3.And(m > 0, c >= m, c <= 1, d <= 0, s >= 0, s * s == 1 - c * c, k <= 1)
    inner = c * d + s * k
    return steps(
        in_words("unit z on the wrong side of y_i x_i, e its direction: d = <z, e> <= 0; unit x = c e + s e', c >= m"),
        by_smt(
            lambda: z3.Implies(placed_so, z3.Or(inner < 0, inner * inner <= 1 - m * m)),
            "<x, z> = c d + s k with k = <e', z> <= 1 is negative, or its square is at most 1 - m^2",
        ),
    )


def _centres(data: Dataset) -> Iterator[tuple[Array, Inside]]:
    """The centres of the classes that are there, each with membership in its cone."""
    for label, inside in ((1, in_plus_cone), (-1, in_minus_cone)):
        if any(middle := centre(data, label)):
            yield middle, inside


def _cone_proof() -> str | None:
    return steps(
        coherent_sums(),
        in_words("the centres lie in K and -K, so min_i cos^2(x_i, x_+-) >= mu^2 > 0, and there is a zeta_1 > 0 below"),
        wrong_side_is_far(),
        in_words("so outside of S_+ cos^2 with x_+ is at most 1 - min_i cos^2(x_i, x_+) < 1 - zeta_1; likewise S_-"),
    )


lemma = section("min2024", "lemma_8", given=SEPARATED_NEURON, assumes=[separated])


@lemma.claim("cone_around_centre", "Lemma 8, Eq. (19)", proof=_cone_proof, recorded="proved")
@mutants(moved("zeta_1 equal to the closed form", part=Fraction(1)), without(separated))
def a_circular_cone_around_each_centre_fits(data: Dataset, w: Array, *, part: Number = Fraction(99, 100)) -> Margin:
    r"""There is $\zeta_1>0$ with $S^{\zeta_1}_{x_+}\subset S_+$, $S^{\zeta_1}_{x_-}\subset S_-$, where
    $S^\zeta_x=\{z:\cos(z,x)\ge\sqrt{1-\zeta}\}$.

    Witness: any $\zeta_1<\min_i\cos^2(x_i,x_\pm)$. The cone meets no hyperplane $x_i^\perp$: even the foot of the
    centre there is outside of it. A vector of the cone that is drawn lies in $S_\pm$.

    Convention: zeta_1 is 99/100 of min_i cos^2(x_i, x_+-), the least upper bound; nothing is asked around the centre
    of an absent class.
    """
    zeta, parts = part * zeta_1(data), []
    for middle, inside in _centres(data):
        feet = [z for x in data.inputs if any(z := foot(middle, x))]
        near = [z for z in (w, *feet, 3 * middle + w) if any(z) and signed_square(middle, z) >= 1 - zeta]
        cosines = [signed_square(middle, z) for z in feet]
        parts += [inside(z, data) for z in (middle, *near)]
        parts.append(less(cosines, 1 - zeta, "cos^2 of the centre and a hyperplane against 1 - zeta_1"))
    return all_of(less(0, zeta, "0 against zeta_1"), *parts)


@lemma.claim(
    "cone_around_centre.mu_squared",
    "Lemma 8, with the constant in terms of mu",
    given=SEPARATED,
    derived=[mu_squared],
    proof=coherent_sums,
    recorded="proved",
    printed=False,
)
@mutants(scaled("1001/1000"), bent("mu in place of mu^2", left=lambda best: best * best))
def the_largest_cone_is_at_least_mu_squared(data: Dataset, mu_squared: Number) -> Margin:
    r"""Not printed, but what the constants need: every $\zeta_1<\mu^2$ is admissible, as
    $\min_i\cos^2(x_i,x_\pm)\ge\mu^2$ by Lemma 5.

    Separation is not shown necessary: without it the right side is not positive.
    """
    return at_least(zeta_1(data), mu_squared, "min cos^2(x_i, x_+-) against mu^2")


@derived
def opposite(w: Array) -> Array:
    """-w."""
    return -w


@derived
def middles(data: Dataset) -> Array:
    """x_+ and -x_-, as rows."""
    return np.array([centre(data, 1), -centre(data, -1)])


def _least(margins: tuple[Number | None, Number | None]) -> Number:
    return smallest([value for value in margins if value is not None])


def _opposite_interiors(data: Dataset, w: Array, opposite: Array) -> Margin:
    """w in Int(S_+) exactly when -w in Int(S_-): the least margin of both is one number."""
    return equal(
        _least(plus_margins(w, data)), _least(minus_margins(opposite, data)), "least margin of w in S_+, of -w in S_-"
    )


proof = lemma.but("proof of Lemma 8", derived=[rows, opposite, middles])


@proof.claim("centre_identity", assumes=[separated, both_classes], recorded="refuted", fault=Fault.WRONG)
def centres_are_opposite(data: Dataset, w: Array, opposite: Array, middles: Array) -> Margin:
    r"""$x_+=-x_-$, and $\mathrm{Int}(S_+)=-\mathrm{Int}(S_-)$.

    The first equality fails for data that are not centred: $x=1,1,-1$ with labels $1,1,-1$ have $x_+=2$ and $x_-=-1$.
    Only a step of the proof is concerned; the amended form gives the same inclusion.
    """
    return all_of(equal(middles[0], middles[1], "x_+ against -x_-"), _opposite_interiors(data, w, opposite))


def _opposite_cones() -> str | None:
    import z3

    p = z3.Real("p")
    return steps(
        in_words("x_+ is the sum of the y_i x_i of one class, and -x_- that of the other: both are in K"),
        by_smt(lambda: z3.And((p > 0) == (-p < 0), (p < 0) == (-p > 0)), "what w asks of S_+, -w asks of S_-"),
    )


@proof.claim("centre_identity.amended", "with the centres in K and -K", proof=_opposite_cones, recorded="proved")
@mutants(changed("x_- in K", middles=neg), changed("Int(S_+) = Int(S_-)", opposite=neg))
def centres_lie_in_opposite_cones(data: Dataset, w: Array, rows: Array, opposite: Array, middles: Array) -> Margin:
    r"""$x_+\in K$, $x_-\in-K$, and $\mathrm{Int}(S_+)=-\mathrm{Int}(S_-)$.

    Amended: $x_+$ and $-x_-$ need not be equal, but both are in $K$, and that is all the second inclusion of Lemma 8
    takes.
    """
    distances = [squared_distance(z, rows) for z in middles]
    return all_of(equal(distances, 0, "squared distance from x_+, -x_- to K"), _opposite_interiors(data, w, opposite))
