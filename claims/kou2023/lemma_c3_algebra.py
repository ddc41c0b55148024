r"""Proof of Lemma C.3: the norms of $W_j=W_j^{(0)}+V_j$ when the rows of $V_j$ are nearly equal.

As implications from $\|w_r^{(0)}\|^2\le\frac32s^2$ and $\|v_r-v_1\|^2\le2D^2$, divided by m; cases have two rows in the
plane, the proofs any number in any dimension.
"""

from typing import Any

from refute import Fault, Kind, Margin, all_of, at_least, at_most, changed, derived, moved, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.decide.proof import by_smt, steps
from refute.models.kou2023.two_rows import TwoRows
from refute.strategies import choice, positive, sized
from refute.strategies.numbers import array


@derived
def rows(start: Array, moves: Array, far: int, along: int) -> TwoRows:
    """The rows at the start and what they moved."""
    return TwoRows.shifted(start, moves, far, along)


@derived
def C1(rows: TwoRows) -> Number:  # noqa: N802  # the paper's name
    """3(s + D)."""
    return 3 * (rows.size + rows.gap)


@derived
def C2(rows: TwoRows) -> Number:  # noqa: N802  # the paper's name
    """2(s + D)^2."""
    return 2 * (rows.size + rows.gap) ** 2


@derived
def C3(rows: TwoRows) -> Number:  # noqa: N802  # the paper's name
    """3s/2 + 3D."""
    return 3 * rows.size / 2 + 3 * rows.gap


@derived
def C4(rows: TwoRows) -> Number:  # noqa: N802  # the paper's name
    """3s^2/2 + 3sD."""
    return 3 * rows.size**2 / 2 + 3 * rows.size * rows.gap


norms = section(
    "kou2023",
    "lemma_c3",
    "proof of Lemma C.3",
    given=sized(start=array(2, 2), moves=array(2, 2), far=choice(0, 10, 1000), along=choice(0, 0, 1, -1)),
    derived=[rows, C1, C2, C3, C4],
)


def _upper_proof() -> str | None:
    """One row w = w(0) + v with |w(0)| = a, |v - v_1| = b, |v_1| = V and |w| = x."""

    def statement() -> Any:
        import z3

        s, D, a, b, V, x = z3.Reals("s D a b V x")
        signs = z3.And(s >= 0, D >= 0, a >= 0, b >= 0, V >= 0, x >= 0)
        given = z3.And(signs, 2 * a * a <= 3 * s * s, b * b <= 2 * D * D, x <= V + a + b)
        return z3.Implies(given, x * x <= V * V + 3 * (s + D) * V + 2 * (s + D) * (s + D))

    return steps(by_smt(statement), "row by row, by the triangle inequality")


@norms.claim(
    "frobenius_upper",
    "third display",
    proof=_upper_proof,
    recorded="proved",
    mutants=[
        changed("C_1 a fifth smaller", C1=lambda C1: 4 * C1 / 5),
        changed("without C_1", C1=lambda C1: 0 * C1),
        scaled("99/100"),
    ],
)
def the_frobenius_norm_is_bounded_by_the_first_row(rows: TwoRows, C1: Number, C2: Number) -> Margin:
    r"""$\|W_j\|_F^2\le m\|v_{j,1}\|^2+mC_1\|v_{j,1}\|+mC_2$ with $C_1=3(s+D)$ and $C_2=2(s+D)^2$."""
    return at_most(rows.frobenius, rows.first**2 + C1 * rows.first + C2, "|W|_F^2/m")


def _lower_proof() -> str | None:
    """The same row with x = <w, v_1>/V and e = a + b: x >= V - e, and e <= 5s/4 + 3D/2."""

    def sizes() -> Any:
        import z3

        s, a = z3.Reals("s a")
        first = z3.Implies(z3.And(s >= 0, a >= 0, 2 * a * a <= 3 * s * s), 4 * a <= 5 * s)
        return z3.And(first, z3.Implies(z3.And(s >= 0, a >= 0, a * a <= 2 * s * s), 2 * a <= 3 * s))

    def square() -> Any:
        import z3

        e, V, x = z3.Reals("e V x")
        return z3.Implies(z3.And(e >= 0, V >= 0, x >= V - e), x * x >= V * V - 2 * e * V)

    return steps(by_smt(sizes), by_smt(square), "row by row, since |W|_2 >= |W v_1|/|v_1|")


@norms.claim(
    "spectral_lower.r2",
    "fourth display",
    recorded="refuted",
    fault=Fault.CONSTANT,
    root="kou2023.lemma_c3.cross_term.r2",
    mutants=[changed("C_3 = 2s + 3D", C3=lambda C3: C3 * 17 / 16)],
)
def the_spectral_norm_is_bounded_by_the_first_row_as_printed(rows: TwoRows, C3: Number, C4: Number) -> Margin:
    r"""$\|W_j\|_2^2\ge m\|v_{j,1}\|^2-mC_3\|v_{j,1}\|-mC_4$ with $C_3=\frac32s+3D$ and $C_4=\frac32s^2+3sD$.

    Fails: with $v_r=v_1$ and $w_r^{(0)}=-\sqrt{3/2}\,s\,v_1/\|v_1\|$ the left side over m is
    $\|v_1\|^2-\sqrt6\,s\|v_1\|+\frac32s^2$, and $\sqrt6>\frac32$: the factor 2 of the cross term is lost.
    """
    return at_least(rows.spectral, rows.first**2 - C3 * rows.first - C4, "|W|_2^2/m")


@derived
def third(rows: TwoRows) -> Number:
    """5s/2 + 3D."""
    return 5 * rows.size / 2 + 3 * rows.gap


@norms.claim(
    "spectral_lower.amended",
    "fourth display, with 5/2 in C_3",
    derived=[rows, third, C4],
    proof=_lower_proof,
    recorded="proved",
    mutants=[changed("C_3 a twentieth smaller", third=lambda third: 19 * third / 20)],
)
def the_spectral_norm_is_bounded_by_the_first_row(rows: TwoRows, third: Number, C4: Number) -> Margin:
    r"""Amended: $C_3=\frac52s+3D$, since $\langle w_r,v_1/\|v_1\|\rangle\ge\|v_1\|-\sqrt{3/2}\,s-\sqrt2D$ and
    $2\sqrt{3/2}\le\frac52$.
    """
    return at_least(rows.spectral, rows.first**2 - third * rows.first - C4, "|W|_2^2/m")


@section("kou2023", "lemma_c3", "proof of Lemma C.3, fourth display", kind=Kind.SYMBOLIC).statement("cross_term")
def the_square_expands(*, factor: int = 2) -> Any:
    r"""$\|W_jx\|^2=\sum_r(\langle w_r^{(0)},x\rangle^2+\langle v_r,x\rangle^2)+c\sum_r\langle
    w_r^{(0)},x\rangle\langle v_r,x\rangle$.

    Convention: row by row, and then summed; a and b are the inner products of the two parts of a row with x.
    """
    import sympy

    a, b = sympy.symbols("a b", real=True)
    return {"<w_r, x>^2": ((a + b) ** 2, a**2 + b**2 + factor * a * b)}


the_square_expands.reading(
    "r1",
    "Read with c = 2, as in the second line.",
    recorded="proved",
    mutants=[moved("factor 1", factor=1), moved("factor 3", factor=3), scaled("1001/1000")],
)
the_square_expands.reading(
    "r2",
    "Read with c = 1, as in the later lines. Fails: $(a+b)^2=a^2+b^2+2ab$.",
    factor=1,
    recorded="refuted",
    fault=Fault.CONSTANT,
)


def _quotient() -> str | None:
    def statement() -> Any:
        import z3

        F, S, up, down = z3.Reals("F S up down")  # F, S and the brackets of their bounds, divided by m
        given = z3.And(up >= F, down <= S, down > 0, F >= 0)
        return z3.Implies(given, z3.And(F * down <= up * S, (F - S) * down <= (up - down) * S))

    return by_smt(statement)


@section(
    "kou2023",
    "lemma_c3",
    "proof of Lemma C.3, fifth display",
    given=sized(
        V=positive(),
        C1=positive(),
        C2=positive(),
        C3=positive(),
        room=positive(),
        less=choice("1", "1/2", "0"),
        more=choice("1", "2"),
    ),
    convention="room = |v|^2 - C_3|v| - C_4 > 0; |W|_F^2 and |W|_2^2 are shares of their bounds, divided by m",
).claim(
    "ratio_bound",
    proof=_quotient,
    recorded="proved",
    mutants=[scaled("9/10", "stable rank"), scaled("9/10", "stable rank - 1")],
)
def the_stable_rank_is_bounded_by_a_quotient(
    V: Number, C1: Number, C2: Number, C3: Number, room: Number, less: Number, more: Number
) -> Margin:
    r"""The bounds on $\|W_j\|_F^2$ and $\|W_j\|_2^2$ give
    $\mathrm{sr}\le\frac{\|v\|^2+C_1\|v\|+C_2}{\|v\|^2-C_3\|v\|-C_4}$ and
    $\mathrm{sr}-1\le\frac{(C_1+C_3)\|v\|+C_2+C_4}{\|v\|^2-C_3\|v\|-C_4}$.
    """
    above, C4 = V * V + C1 * V + C2, V * V - C3 * V - room
    rank = less * above / (more * room)
    return all_of(
        at_most(rank, above / room, "stable rank"),
        at_most(rank - 1, ((C1 + C3) * V + C2 + C4) / room, "stable rank - 1"),
    )
