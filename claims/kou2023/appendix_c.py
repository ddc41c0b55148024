r"""Appendix C: late updates of leaky ReLU networks and the steps of the proof of Lemma C.3.

Write $v_{j,r}=w_{j,r}^{(t)}-w_{j,r}^{(0)}$, $s=\sigma_0\sqrt d$ and $D=C'\sqrt nR_{\min}^{-1}$ with $C'=2$. Statements
about $t\ge T_1$ are seen over the first steps after $T_1$ and from $10^4$ to $10^{20}$.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refute import Kind, Margin, all_of, at_least, at_most, claim, identity, moved, without
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import (
    LEAKY_APPENDIX,
    fair_norms,
    near_orthogonal_leaky,
    small_start_leaky,
    tame_start,
)
from refute.claims.kou2023.leaky_coefficients import STAGE
from refute.claims.kou2023.theorem_4_1 import grows_like_log, late
from refute.decide.proof import by_smt, steps
from refute.decide.rate import exponent_equals, fit, geometric
from refute.functions import absolute, largest, sqrt
from refute.models import Dataset, TwoLayer
from refute.models.kou2023.decomposition import Decomposition, first_step_after, stage_length, unroll
from refute.models.kou2023.orthogonality import largest_overlap, squared_norms, squared_radii
from refute.strategies import choice, positive, sized
from refute.strategies.kou2023.nearly_orthogonal import training
from refute.strategies.numbers import array

Floats = NDArray[np.float64]

FURTHER = 50
ROUND_OFF = 1e-11
PAIRS = training(widths=(2, 3), constants=(100,))
CROWDED = training(samples=(2, 3), constants=(100,), families=("class", "anti", "positive", "negative"))

_APPENDIX: dict[str, Any] = {
    "kind": Kind.DYNAMICS,
    "given": PAIRS,
    "assumes": LEAKY_APPENDIX,
    "recorded": "supported",
    "cost": 0.7,
}


def _after(data: Dataset, net: TwoLayer, rate: float, stage: float = STAGE) -> Decomposition:
    """The steps from the first one after the stage on."""
    end = first_step_after(stage_length(net, data, rate, stage))
    course = unroll(net, data, rate=rate, steps=end + FURTHER)
    return Decomposition(
        course.steps[end:], course.data, course.start, course.signals[end:], course.rho[end:], course.logits[end:]
    )


@claim(
    "kou2023.eq_c1_c2.late_updates",
    "Eqs. (C.1) and (C.2)",
    mutants=[moved("without gamma", power=0.0), moved("from the first step on", stage=0.0), without(small_start_leaky)],
    **_APPENDIX,
)
def late_updates_do_not_depend_on_the_neuron(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 1.0, stage: float = STAGE
) -> Margin:
    r"""For $t\ge T_1$: $\bar\rho_{y_i,r,i}$ grows by $\frac\eta{nm}|\ell_i'|\|x_i\|^2$ and $\underline\rho_{-y_i,r,i}$
    falls by $\gamma$ times that.
    """
    course = _after(data, net, rate, stage)
    push = (course.logits[:-1] * rate * course.squares / (len(course.squares) * course.width))[:, None, :]
    own, opposite = np.diff(course.own(course.rho), axis=0), np.diff(course.opposite(course.rho), axis=0)
    return all_of(
        at_most(np.abs(own - push), 0, "own step against the printed one", error=ROUND_OFF),
        at_most(
            np.abs(opposite + float(net.slope) ** power * push),
            0,
            "opposite step against the printed one",
            error=ROUND_OFF,
        ),
    )


def _gaps(course: Decomposition) -> Floats:
    """Differences of the coefficients from those of the first neuron of the same sign."""
    return np.asarray(course.rho - course.rho[:, :, :1])


@claim(
    "kou2023.eq_c3.increment",
    "Eq. (C.3) and the displays before it",
    mutants=[
        moved("a quarter of C'", share=0.25),
        moved("from the first step on", stage=0.0),
        without(small_start_leaky),
    ],
    **_APPENDIX,
)
def differences_are_those_at_the_end_of_the_first_stage(
    data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, stage: float = STAGE
) -> Margin:
    r"""For $t\ge T_1$ the differences $\rho_{j,r,i}-\rho_{j,r',i}$ are those at $T_1$, which are at most the largest
    coefficient at $T_1$, which is at most $C'$.
    """
    course = _after(data, net, rate, stage)
    gaps = _gaps(course)
    spread, top = np.ptp(course.rho[0], axis=1).max(axis=0), np.abs(course.rho[0]).max(axis=(0, 1))
    return all_of(
        at_most(np.abs(gaps - gaps[0]), 0, "change of the differences", error=ROUND_OFF),
        at_most(spread, top, "difference against coefficient at T_1", error=ROUND_OFF),
        at_most(top, share * STAGE, "coefficient at T_1 against C'", error=ROUND_OFF),
    )


def _moved_part(course: Decomposition) -> Floats:
    """v_{j,r} times R_max: (time, j, r, coordinate)."""
    scale = float(np.sqrt(course.squares.max()))
    return np.asarray((course.rho / course.squares) @ course.data.inputs) * scale


@claim(
    "kou2023.lemma_c3.v_lower",
    "proof of Lemma C.3, first display",
    mutants=[moved("without the overlaps", spread=0.0), moved("R_min in place of R_max", largest=0)],
    convention="c_1 gamma^4 is the smallest over the largest coefficient, at each t >= 1; multiplied by R_max^2 and "
    "divided by the sum",
    **{**_APPENDIX, "given": CROWDED},
)
def moved_parts_are_at_least_the_coefficients(
    data: Dataset, net: TwoLayer, rate: float, *, spread: float = 1.0, largest: int = 1
) -> Margin:
    r"""$\|v_{j,r}\|^2\ge R_{\max}^{-2}(1-R^2R_{\min}^{-2}c_1^{-1}\gamma^{-4}np)\sum_i\rho_{j,r,i}^2$."""
    course = late(data, net, rate, first=1.0)
    low, high = (float(v) for v in squared_radii(data.inputs))
    size = np.abs(course.rho)
    ratio = size.min(axis=(1, 2, 3)) / size.max(axis=(1, 2, 3))
    share = 1 - spread * high / low**2 * len(data.labels) * float(largest_overlap(data.inputs)) / ratio
    square = (_moved_part(course) ** 2).sum(axis=-1) / (course.rho**2).sum(axis=-1)
    front = 1.0 if largest else high / low
    return at_least(square, front * share[:, None, None], "(|v| R_max)^2 over the sum of rho^2", error=ROUND_OFF)


@claim(
    "kou2023.lemma_c3.v_theta",
    "proof of Lemma C.3, first display",
    mutants=[
        moved("the square is of order log t", power=2.0),
        moved("1/n in place of n", order=-1),
        moved("not below 1/2 whatever gamma", floor=0.5),
        without(near_orthogonal_leaky),
    ],
    convention="Theta in t: the slope in log t settles; in n and R_max: slope^2 R_max^2/n is between gamma^2/5 and "
    "3R^2/2 (limits: gamma^2/"
    "(1 + gamma^2)^2 and R^2 up to the overlaps)",
    **{**_APPENDIX, "kind": Kind.ASYMPTOTIC},
)
def moved_parts_grow_logarithmically(
    data: Dataset, net: TwoLayer, rate: float, *, power: float = 1.0, order: int = 1, floor: float = 0.0
) -> Margin:
    r"""$\|v_{j,r}\|=\Theta(\log t)$, and its square is $\Theta(nR_{\max}^{-2}\log^2t)$."""
    course = late(data, net, rate)
    sizes = np.linalg.norm(_moved_part(course), axis=-1)
    slope = (sizes[-1] - sizes[-3]) / np.log(course.steps[-1] / course.steps[-3])
    low, high = (float(v) for v in squared_radii(data.inputs))
    share = slope**2 / float(len(data.labels)) ** order
    return all_of(
        grows_like_log(course, sizes**power, "|v|"),
        at_least(share, max(float(net.slope) ** 2 / 5, floor), "(slope R_max)^2/n", error=1e-6),
        at_most(share, 1.5 * high / low, "(slope R_max)^2/n", error=1e-6),
    )


@claim(
    "kou2023.lemma_c3.v_difference.r1",
    "proof of Lemma C.3, second display",
    given=training(samples=(2, 3), constants=(100,), families=("class", "anti", "positive", "negative")),
    assumes=[near_orthogonal_leaky],
    recorded="refuted",
    mutants=[moved("up to a thousandth of a per cent", factor=Fraction(100001, 100000))],
    convention="without a factor 2 in the last term, as in the scan: the second inequality of the chain, divided by "
    "(C')^2 n R_min^-2; "
    "the mutant is weaker and falls too",
    cost=2.0,
)
def the_overlap_term_vanishes(data: Dataset, *, factor: Number = Fraction(1)) -> Margin:
    r"""$C'^2nR_{\min}^{-2}+C'^2n^2R_{\min}^{-4}p\le C'^2nR_{\min}^{-2}$.

    Fails for every $p>0$: the second term on the left is positive.
    """
    share = len(data.labels) * largest_overlap(data.inputs) / squared_radii(data.inputs)[0]
    return at_most(1 + share, factor, "1 + R_min^-2 np against 1")


@claim(
    "kou2023.lemma_c3.v_difference.r2",
    "proof of Lemma C.3, second display",
    mutants=[moved("C' is 3/1000 of it", share=0.003), moved("rows of different signs", across=1)],
    convention="with the factor 2 in the last term; multiplied by R_min^2/n",
    **_APPENDIX,
)
def rows_move_alike(data: Dataset, net: TwoLayer, rate: float, *, share: float = 1.0, across: int = 0) -> Margin:
    r"""$\|v_{j,r}-v_{j,r'}\|^2\le C'^2nR_{\min}^{-2}+C'^2n^2R_{\min}^{-4}p\le2C'^2nR_{\min}^{-2}$."""
    low, high = (float(v) for v in squared_radii(data.inputs))
    n, constant = len(data.labels), (share * STAGE) ** 2
    bound = constant * (1 + n * float(largest_overlap(data.inputs)) / low)
    parts = [at_most(bound, 2 * constant, "the chain", error=ROUND_OFF)]
    for course in (_after(data, net, rate), late(data, net, rate, first=1e4)):
        v = _moved_part(course)
        gaps = ((v - (v[:, ::-1] if across else v)[:, :, :1]) ** 2).sum(axis=-1) * low / (high * n)
        parts.append(at_most(gaps, bound, "|v_r - v_r'|^2 R_min^2/n", error=1e-6))
    return all_of(*parts)


# The norms of W_j. In the implications s and D are the smallest numbers with |w_r(0)|^2 <= 3 s^2/2 and |v_r - v_1|^2 <=
# 2 D^2.


def _tightest(start: Array, moves: Array) -> tuple[Number, Number, Number]:
    """s, D and |v_1|."""
    gaps = moves - moves[:1]
    return (
        sqrt(2 * largest(squared_norms(start)) / 3),
        sqrt(largest(squared_norms(gaps)) / 2),
        sqrt(squared_norms(moves)[0]),
    )


def _top_square(rows: Array) -> Number:
    """|W|_2^2 of rows in the plane: the larger eigenvalue of W^T W."""
    gram = rows.T @ rows
    half, gap = (gram[0, 0] + gram[1, 1]) / 2, (gram[0, 0] - gram[1, 1]) / 2
    return half + sqrt(gap * gap + gram[0, 1] * gram[0, 1])


ROWS = sized(start=array(2, 2), moves=array(2, 2), far=choice(0, 10, 1000), along=choice(0, 0, 1, -1))


def _rows(start: Array, moves: Array, far: int, along: int) -> tuple[Array, Array]:
    """The initial rows, and the moves shifted far along the first axis; all rows alike and on that axis where `along`
    is a sign.
    """
    if along:
        start = np.array([[along * absolute(start[0, 0]), start[0, 0] * 0]] * len(start), dtype=object)
        moves = np.array([[absolute(moves[0, 0]), moves[0, 0] * 0]] * len(moves), dtype=object)
    return start, np.array([[a + far, b] for a, b in moves], dtype=object)


def _upper_proof() -> str | None:
    """One row w = w(0) + v with |w(0)| = a, |v - v_1| = b, |v_1| = V and |w| = x."""

    def statement() -> Any:
        import z3

        s, D, a, b, V, x = z3.Reals("s D a b V x")
        given = [
            s >= 0,
            D >= 0,
            a >= 0,
            b >= 0,
            V >= 0,
            2 * a * a <= 3 * s * s,
            b * b <= 2 * D * D,
            x >= 0,
            x <= V + a + b,
        ]
        return z3.Implies(z3.And(*given), x * x <= V * V + 3 * (s + D) * V + 2 * (s + D) * (s + D))

    return steps(by_smt(statement), "row by row, by the triangle inequality")


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


@claim(
    "kou2023.lemma_c3.frobenius_upper",
    "proof of Lemma C.3, third display",
    given=ROWS,
    proof=_upper_proof,
    recorded="proved",
    mutants=[
        moved("C_1 a fifth smaller", first=Fraction(12, 5)),
        moved("C_2 half of it and C_1 a fifth smaller", first=Fraction(12, 5), second=Fraction(1)),
        moved("without C_1", first=Fraction(0)),
    ],
    convention="as an implication from |w_r(0)|^2 <= 3 s^2/2 and |v_r - v_1|^2 <= 2 D^2, divided by m; cases have two "
    "rows in the plane",
)
def the_frobenius_norm_is_bounded_by_the_first_row(
    start: Array, moves: Array, far: int, along: int, *, first: Number = Fraction(3), second: Number = Fraction(2)
) -> Margin:
    r"""$\|W_j\|_F^2\le m\|v_{j,1}\|^2+mC_1\|v_{j,1}\|+mC_2$ with $C_1=3(s+D)$ and $C_2=2(s+D)^2$."""
    start, v = _rows(start, moves, far, along)
    s, D, size = _tightest(start, v)
    square = squared_norms(start + v).sum() / len(start)
    return at_most(square, size * size + first * (s + D) * size + second * (s + D) * (s + D), "|W|_F^2/m")


def _spectral(start: Array, moves: Array, far: int, along: int, third: Number, fourth: Number) -> Margin:
    start, v = _rows(start, moves, far, along)
    s, D, size = _tightest(start, v)
    rest = fourth * (s * s * 3 / 2 + 3 * s * D)
    return at_least(_top_square(start + v) / len(start), size * size - (third * s + 3 * D) * size - rest, "|W|_2^2/m")


@claim(
    "kou2023.lemma_c3.spectral_lower.r1",
    "proof of Lemma C.3, fourth display",
    mutants=[moved("a thousandth of the constants", share=0.001), moved("5/4 of the leading term", lead=1.25)],
    convention="on trajectories, on the event of Lemma A.1; multiplied by R_max^2/m",
    **{**_APPENDIX, "assumes": [*LEAKY_APPENDIX[:-1], fair_norms, tame_start]},
)
def the_spectral_norm_along_trajectories(
    data: Dataset, net: TwoLayer, rate: float, scale: float, *, share: float = 1.0, lead: float = 1.0
) -> Margin:
    r"""$\|W_j\|_2^2\ge m\|v_{j,1}\|^2-mC_3\|v_{j,1}\|-mC_4$ with $C_3=\frac32s+3D$ and $C_4=\frac32s^2+3sD$."""
    course = late(data, net, rate, first=1e4)
    radius = float(np.sqrt(course.squares.max()))
    s = scale * np.sqrt(data.inputs.shape[1]) * radius
    D = STAGE * np.sqrt(len(data.labels)) * radius / float(np.sqrt(course.squares.min()))
    size = np.linalg.norm(_moved_part(course)[:, :, 0], axis=-1)
    top = (np.linalg.norm(course.weights, ord=2, axis=(2, 3)) * radius) ** 2 / course.width
    bound = lead * size**2 - share * ((1.5 * s + 3 * D) * size + 1.5 * s**2 + 3 * s * D)
    return at_least(top, bound, "|W|_2^2/m", error=1e-6)


@claim(
    "kou2023.lemma_c3.spectral_lower.r2",
    "proof of Lemma C.3, fourth display",
    given=ROWS,
    recorded="refuted",
    mutants=[moved("C_3 = 2s + 3D", third=Fraction(2))],
    convention="as an implication for two rows in the plane from |w_r(0)|^2 <= 3 s^2/2 and |v_r - v_1|^2 <= 2 D^2; "
    "the mutant is weaker "
    "and falls too",
)
def the_spectral_norm_is_bounded_by_the_first_row_as_printed(
    start: Array, moves: Array, far: int, along: int, *, third: Number = Fraction(3, 2)
) -> Margin:
    r"""$\|W_j\|_2^2\ge m\|v_{j,1}\|^2-mC_3\|v_{j,1}\|-mC_4$ with $C_3=\frac32s+3D$ and $C_4=\frac32s^2+3sD$.

    Fails: with $v_r=v_1$ and $w_r^{(0)}=-\sqrt{3/2}\,s\,v_1/\|v_1\|$ the left side over m is
    $\|v_1\|^2-\sqrt6\,s\|v_1\|+\frac32s^2$, and $\sqrt6>\frac32$: the factor 2 of the cross term is lost.
    """
    return _spectral(start, moves, far, along, third, third * 0 + 1)


@claim(
    "kou2023.lemma_c3.spectral_lower.amended",
    "proof of Lemma C.3, fourth display, with 5/2 in C_3",
    given=ROWS,
    proof=_lower_proof,
    recorded="proved",
    mutants=[moved("C_3 = 12/5 s + 3D", third=Fraction(12, 5)), moved("C_3 = 3/2 s + 3D", third=Fraction(3, 2))],
    convention="as the second reading",
)
def the_spectral_norm_is_bounded_by_the_first_row(
    start: Array, moves: Array, far: int, along: int, *, third: Number = Fraction(5, 2)
) -> Margin:
    r"""Amended: $C_3=\frac52s+3D$, since $\langle w_r,v_1/\|v_1\|\rangle\ge\|v_1\|-\sqrt{3/2}\,s-\sqrt2D$ and
    $2\sqrt{3/2}\le\frac52$.
    """
    return _spectral(start, moves, far, along, third, third * 0 + 1)


def _expansion(factor: int) -> dict[str, Any]:
    """|W x|^2 for two rows in the plane and x = v_1/|v_1|, times |v_1|^2."""
    import sympy

    w, v = sympy.symbols("w1:5", real=True), sympy.symbols("v1:5", real=True)
    rows = [(w[0], w[1], v[0], v[1]), (w[2], w[3], v[2], v[3])]
    a = [p * v[0] + q * v[1] for p, q, _, _ in rows]
    b = [p * v[0] + q * v[1] for _, _, p, q in rows]
    whole = sum((x + y) ** 2 for x, y in zip(a, b, strict=True))
    return {"|Wx|^2": whole - sum(x**2 + y**2 + factor * x * y for x, y in zip(a, b, strict=True))}


@identity(
    "kou2023.lemma_c3.cross_term.r1",
    "proof of Lemma C.3, fourth display",
    recorded="proved",
    mutants=[moved("factor 1", factor=1), moved("factor 3", factor=3)],
    convention="the factor 2 of the second line; two rows in the plane",
)
def the_cross_term_has_the_factor_two(*, factor: int = 2) -> Any:
    r"""$\|W_jx\|^2=\sum_r(\langle w_r^{(0)},x\rangle^2+\langle v_r,x\rangle^2)+2\sum_r\langle w_r^{(0)},x\rangle\langle
    v_r,x\rangle$.
    """
    return _expansion(factor)


@identity(
    "kou2023.lemma_c3.cross_term.r2",
    "proof of Lemma C.3, fourth display",
    recorded="refuted",
    convention="the factor 1 of the later lines; two rows in the plane",
)
def the_cross_term_has_the_factor_one(*, factor: int = 1) -> Any:
    r"""$\|W_jx\|^2=\sum_r\langle w_r^{(0)},x\rangle^2+\sum_r\langle v_r,x\rangle^2+\sum_r\langle
    w_r^{(0)},x\rangle\langle v_r,x\rangle$.

    Fails: $(a+b)^2=a^2+b^2+2ab$.
    """
    return _expansion(factor)


def _quotient() -> str | None:
    def statement() -> Any:
        import z3

        F, S, up, down = z3.Reals("F S up down")  # F, S and the brackets of their bounds, divided by m
        given = z3.And(up >= F, down <= S, down > 0, F >= 0)
        return z3.Implies(given, z3.And(F * down <= up * S, (F - S) * down <= (up - down) * S))

    return by_smt(statement)


@claim(
    "kou2023.lemma_c3.ratio_bound",
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
    proof=_quotient,
    recorded="proved",
    mutants=[
        moved("C_1 - C_3 in the numerator", third=-1),
        moved("C_2 left out", second=0),
        moved("a tenth less", share=Fraction(9, 10)),
    ],
    convention="room = |v|^2 - C_3|v| - C_4 > 0; |W|_F^2 and |W|_2^2 are shares of their bounds, divided by m",
)
def the_stable_rank_is_bounded_by_a_quotient(
    V: Number,
    C1: Number,
    C2: Number,
    C3: Number,
    room: Number,
    less: Number,
    more: Number,
    *,
    third: int = 1,
    second: int = 1,
    share: Number = Fraction(1),
) -> Margin:
    r"""The bounds on $\|W_j\|_F^2$ and $\|W_j\|_2^2$ give
    $\mathrm{sr}\le\frac{\|v\|^2+C_1\|v\|+C_2}{\|v\|^2-C_3\|v\|-C_4}$ and
    $\mathrm{sr}-1\le\frac{(C_1+C_3)\|v\|+C_2+C_4}{\|v\|^2-C_3\|v\|-C_4}$.
    """
    C4 = V * V - C3 * V - room
    above = V * V + C1 * V + C2
    rank = less * above / (more * room)
    return all_of(
        at_most(rank, share * (V * V + C1 * V + second * C2) / room, "stable rank"),
        at_most(rank - 1, ((C1 + third * C3) * V + second * C2 + C4) / room, "stable rank - 1"),
    )


@claim(
    "kou2023.lemma_c3.rate_constant",
    "proof of Lemma C.3, last display",
    mutants=[
        moved("1/log^2 t", order=2.0),
        moved("without the term in d", dimension=0),
        moved("d in place of its root", power=1.0),
    ],
    convention="|v| = a + b log t from the run, log t from 10^6 to 10^9, and d from 1 to 10^16, which enters only "
    "through the constants; "
    "Theta in d: the quotient stays between 4/R and 40R/gamma (limits: 4.5/R and 24R/gamma up to the overlaps)",
    **{**_APPENDIX, "kind": Kind.ASYMPTOTIC},
)
def the_bound_falls_like_one_over_log(
    data: Dataset,
    net: TwoLayer,
    rate: float,
    scale: float,
    *,
    order: float = 1.0,
    dimension: int = 1,
    power: float = 0.5,
) -> Margin:
    r"""$\frac{(C_1+C_3)\|v\|+C_2+C_4}{\|v\|^2-C_3\|v\|-C_4}=\Theta(\frac{1+\sigma_0\sqrt{d/n}R_{\max}}{\log t})$."""
    course = late(data, net, rate)
    sizes = np.linalg.norm(_moved_part(course)[:, :, 0], axis=-1).min(axis=1)
    n, radius = len(data.labels), float(np.sqrt(course.squares.max()))
    R = radius / float(np.sqrt(course.squares.min()))
    slope = (sizes[-1] - sizes[-3]) / np.log(course.steps[-1] / course.steps[-3])
    parts = []
    for d in geometric(1.0, 1e16, 5):
        s, D = scale * np.sqrt(d) * radius, STAGE * np.sqrt(n) * R
        logs = (1 + s) * np.array(geometric(1e6, 1e9, 7))
        V = sizes[-1] + slope * (logs - np.log(course.steps[-1]))
        C1, C2, C3, C4 = 3 * (s + D), 2 * (s + D) ** 2, 1.5 * s + 3 * D, 1.5 * s**2 + 3 * s * D
        bound = ((C1 + C3) * V + C2 + C4) / (V**2 - C3 * V - C4)
        printed = (1 + dimension * scale * (d / n) ** power * radius) / logs
        parts += [
            exponent_equals(fit((1 / logs).tolist(), bound.tolist()), order, "bound in 1/log t"),
            at_least(bound / printed, 4 / R, "bound over the printed one"),
            at_most(bound / printed, 40 * R / float(net.slope), "bound over the printed one"),
        ]
    return all_of(*parts)
