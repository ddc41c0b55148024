r"""The proof of Lemma C.3, what follows from the norms of the rows alone.

Here s and D are the smallest numbers with $\|w_r^{(0)}\|^2\le\frac32s^2$ and $\|v_r-v_1\|^2\le2D^2$, and norms are
divided by m; cases have two rows in the plane.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from refute import Fault, Kind, Margin, all_of, at_least, at_most, derived, identity, moved, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.decide.proof import by_smt, steps
from refute.functions import absolute, largest, sqrt
from refute.models.kou2023.orthogonality import squared_norms
from refute.strategies import choice, positive, sized
from refute.strategies.numbers import array


@derived
def first(start: Array, along: int) -> Array:
    """The initial rows; all alike and on the first axis where `along` is a sign."""
    if along:
        return np.array([[along * absolute(start[0, 0]), start[0, 0] * 0]] * len(start), dtype=object)
    return start


@derived
def v(moves: Array, far: int, along: int) -> Array:
    """What they have moved, shifted far along the first axis."""
    if along:
        moves = np.array([[absolute(moves[0, 0]), moves[0, 0] * 0]] * len(moves), dtype=object)
    return np.array([[a + far, b] for a, b in moves], dtype=object)


@derived
def s(first: Array) -> Number:
    """The smallest s."""
    return sqrt(2 * largest(squared_norms(first)) / 3)


@derived
def D(v: Array) -> Number:  # noqa: N802  # as printed
    """The smallest D."""
    return sqrt(largest(squared_norms(v - v[:1])) / 2)


@derived
def size(v: Array) -> Number:
    """|v_1|."""
    return sqrt(squared_norms(v)[0])


main = section(
    "kou2023",
    "lemma_c3",
    "proof of Lemma C.3",
    given=sized(start=array(2, 2), moves=array(2, 2), far=choice(0, 10, 1000), along=choice(0, 0, 1, -1)),
    derived=[first, v, s, D, size],
    recorded="proved",
)


def _upper_proof() -> str | None:
    """One row w = w(0) + v with |w(0)| = a, |v - v_1| = b, |v_1| = V and |w| = x."""

    def statement() -> Any:
        import z3

        s, D, a, b, V, x = z3.Reals("s D a b V x")
        signs = [s >= 0, D >= 0, a >= 0, b >= 0, V >= 0, x >= 0]
        given = [*signs, 2 * a * a <= 3 * s * s, b * b <= 2 * D * D, x <= V + a + b]
        return z3.Implies(z3.And(*given), x * x <= V * V + 3 * (s + D) * V + 2 * (s + D) * (s + D))

    return steps(by_smt(statement), "row by row, by the triangle inequality")


@main.claim("frobenius_upper", "third display", proof=_upper_proof)
@mutants(moved("C_1 = 12/5 (s + D)", c1=Fraction(12, 5)), moved("without C_1", c1=Fraction(0)))
def the_frobenius_norm_is_bounded_by_the_first_row(
    first: Array, v: Array, s: Number, D: Number, size: Number, *, c1: Number = Fraction(3)
) -> Margin:
    r"""$\|W_j\|_F^2\le m\|v_{j,1}\|^2+mC_1\|v_{j,1}\|+mC_2$ with $C_1=3(s+D)$ and $C_2=2(s+D)^2$."""
    square = squared_norms(first + v).sum() / len(first)
    return at_most(square, size * size + c1 * (s + D) * size + 2 * (s + D) * (s + D), "|W|_F^2/m")


def _top_square(rows: Array) -> Number:
    """|W|_2^2 of rows in the plane: the larger eigenvalue of W^T W."""
    gram = rows.T @ rows
    half, gap = (gram[0, 0] + gram[1, 1]) / 2, (gram[0, 0] - gram[1, 1]) / 2
    return half + sqrt(gap * gap + gram[0, 1] * gram[0, 1])


@main.statement("spectral_lower", "fourth display")
def the_spectral_norm_is_bounded_by_the_first_row(
    first: Array, v: Array, s: Number, D: Number, size: Number, *, c3: Number = Fraction(3, 2)
) -> Margin:
    r"""$\|W_j\|_2^2\ge m\|v_{j,1}\|^2-mC_3\|v_{j,1}\|-mC_4$ with $C_3=\frac32s+3D$ and $C_4=\frac32s^2+3sD$, for any
    rows.
    """
    bound = size * size - (c3 * s + 3 * D) * size - (s * s * 3 / 2 + 3 * s * D)
    return at_least(_top_square(first + v) / len(first), bound, "|W|_2^2/m")


def _lower_proof() -> str | None:
    """The same row with x = <w, v_1>/V and e = a + b: x >= V - e, and e <= 5s/4 + 3D/2."""

    def sizes() -> Any:
        import z3

        s, a = z3.Reals("s a")
        near = z3.Implies(z3.And(s >= 0, a >= 0, 2 * a * a <= 3 * s * s), 4 * a <= 5 * s)
        return z3.And(near, z3.Implies(z3.And(s >= 0, a >= 0, a * a <= 2 * s * s), 2 * a <= 3 * s))

    def square() -> Any:
        import z3

        e, V, x = z3.Reals("e V x")
        return z3.Implies(z3.And(e >= 0, V >= 0, x >= V - e), x * x >= V * V - 2 * e * V)

    return steps(by_smt(sizes), by_smt(square), "row by row, since |W|_2 >= |W v_1|/|v_1|")


the_spectral_norm_is_bounded_by_the_first_row.reading(
    "r2",
    r"""Fails for rows that are not from a trajectory: with $v_r=v_1$ and
    $w_r^{(0)}=-\sqrt{3/2}\,s\,v_1/\|v_1\|$ the left side over m is $\|v_1\|^2-\sqrt6\,s\|v_1\|+\frac32s^2$, and
    $\sqrt6>\frac32$: the factor 2 of the cross term is lost. The mutant is weaker and falls too.""",
    recorded="refuted",
    fault=Fault.CONSTANT,
    root="kou2023.lemma_c3.cross_term.r2",
    mutants=[moved("C_3 = 2s + 3D", c3=Fraction(2))],
)
the_spectral_norm_is_bounded_by_the_first_row.amended(
    r"""Amended: $C_3=\frac52s+3D$, since
    $\langle w_r,v_1/\|v_1\|\rangle\ge\|v_1\|-\sqrt{3/2}\,s-\sqrt2D$ and $2\sqrt{3/2}\le\frac52$.""",
    c3=Fraction(5, 2),
    recorded="proved",
    proof=_lower_proof,
    mutants=[moved("C_3 = 12/5 s + 3D", c3=Fraction(12, 5)), moved("C_3 = 3/2 s + 3D", c3=Fraction(3, 2))],
)


def _expansion(factor: int) -> dict[str, Any]:
    """<w_r, x>^2 with a = <w_r(0), x> and b = <v_r, x>."""
    import sympy

    a, b = sympy.symbols("a b", real=True)
    return {"<w_r, x>^2": ((a + b) ** 2, a**2 + b**2 + factor * a * b)}


@identity("kou2023.lemma_c3.cross_term.r1", "proof of Lemma C.3, fourth display", recorded="proved")
@mutants(moved("factor 1", factor=1), moved("factor 3", factor=3))
def the_cross_term_has_the_factor_two(*, factor: int = 2) -> Any:
    r"""$\|W_jx\|^2=\sum_r(\langle w_r^{(0)},x\rangle^2+\langle v_r,x\rangle^2)
    +2\sum_r\langle w_r^{(0)},x\rangle\langle v_r,x\rangle$.

    Convention: the factor 2 of the second line; row by row, whatever m and d, with a = <w_r(0), x> and b = <v_r, x>.
    """
    return _expansion(factor)


@section("kou2023", "lemma_c3", "proof of Lemma C.3", kind=Kind.SYMBOLIC).claim(
    "cross_term.r2", "fourth display", recorded="refuted", fault=Fault.SCAN
)
def the_cross_term_has_the_factor_one() -> Any:
    r"""$\|W_jx\|^2=\sum_r\langle w_r^{(0)},x\rangle^2+\sum_r\langle v_r,x\rangle^2
    +\sum_r\langle w_r^{(0)},x\rangle\langle v_r,x\rangle$.

    Fails: $(a+b)^2=a^2+b^2+2ab$. The constant $C_3$ of that display is what the factor 1 gives.

    Convention: the factor 1 of the later lines, where the scan may have lost it; row by row, as in the first reading.
    """
    return _expansion(1)


def _quotient() -> str | None:
    def statement() -> Any:
        import z3

        F, S, up, down = z3.Reals("F S up down")  # F, S and the brackets of their bounds, divided by m
        given = z3.And(up >= F, down <= S, down > 0, F >= 0)
        return z3.Implies(given, z3.And(F * down <= up * S, (F - S) * down <= (up - down) * S))

    return by_smt(statement)


quotient = section(
    "kou2023",
    "lemma_c3",
    "proof of Lemma C.3",
    given=sized(
        V=positive(),
        C1=positive(),
        C2=positive(),
        C3=positive(),
        room=positive(),
        less=choice("1", "1/2", "0"),
        more=choice("1", "2"),
    ),
    proof=_quotient,
    recorded="proved",
)


@quotient.claim("ratio_bound", "fifth display")
@mutants(scaled("99/100", "rank"), scaled("9/10", "its excess"))
def the_stable_rank_is_bounded_by_a_quotient(
    V: Number, C1: Number, C2: Number, C3: Number, room: Number, less: Number, more: Number
) -> Margin:
    r"""The bounds on $\|W_j\|_F^2$ and $\|W_j\|_2^2$ give
    $\mathrm{sr}\le\frac{\|v\|^2+C_1\|v\|+C_2}{\|v\|^2-C_3\|v\|-C_4}$ and
    $\mathrm{sr}-1\le\frac{(C_1+C_3)\|v\|+C_2+C_4}{\|v\|^2-C_3\|v\|-C_4}$.

    Convention: V is $\|v\|$, room is $\|v\|^2-C_3\|v\|-C_4>0$; $\|W\|_F^2$ and $\|W\|_2^2$ are shares of their bounds.
    """
    C4 = V * V - C3 * V - room
    above = V * V + C1 * V + C2
    rank = less * above / (more * room)
    return all_of(
        at_most(rank, above / room, "rank"), at_most(rank - 1, ((C1 + C3) * V + C2 + C4) / room, "its excess")
    )
