r"""Proofs of bounds by norms, from what holds for one pair of entries, one pre-activation, one sample.

Norms are Euclidean and Frobenius. $\sigma'$ has any value k in [0, 1] at zero.
"""

from functools import lru_cache
from typing import Any

from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity


@lru_cache
def cauchy() -> str | None:
    """|p|^2 |q|^2 - (p.q)^2 is a sum of squares, one for each pair of entries."""
    import sympy

    a, b, c, d = sympy.symbols("p1 p2 q1 q2", real=True)
    square = by_identity(
        lambda: [(a * d) ** 2 + (b * c) ** 2 - 2 * (a * c) * (b * d) - (a * d - b * c) ** 2],
        "p1^2 q2^2 + p2^2 q1^2 - 2 p1 q1 p2 q2 = (p1 q2 - p2 q1)^2",
    )
    return steps(
        square,
        in_words("summed over the pairs of entries this is |p|^2 |q|^2 - (p.q)^2 >= 0, and row by row |Wx| <= |W| |x|"),
    )


def _in_the_unit_interval(*values: Any) -> Any:
    import z3

    return z3.And(*[z3.And(value >= 0, value <= 1) for value in values])


@lru_cache
def activation_shrinks() -> str | None:
    """sigma(z)^2 <= z^2."""
    import z3

    z, alpha = z3.Reals("z alpha")
    outer = z3.If(z > alpha * z, z, alpha * z)
    return by_smt(lambda: z3.Implies(_in_the_unit_interval(alpha), outer * outer <= z * z), "sigma(z)^2 <= z^2")


@lru_cache
def gated_activation_shrinks() -> str | None:
    """|sigma'(z)| <= 1, and (sigma(z) sigma'(z))^2 <= z^2."""
    import z3

    z, alpha, k = z3.Reals("z alpha k")
    gate = z3.If(z > 0, z3.RealVal(1), z3.If(z < 0, alpha, k))
    gated = z3.If(z > 0, z, z3.If(z < 0, alpha * alpha * z, z3.RealVal(0)))  # sigma(z) sigma'(z)
    small = z3.And(gate >= 0, gate <= 1, gated * gated <= z * z)
    return by_smt(lambda: z3.Implies(_in_the_unit_interval(alpha, k), small), "|sigma'| <= 1, |sigma sigma'| <= |z|")


def average() -> str | None:
    """The last step of bounds of averages."""
    return in_words(
        "|v w^T| = |v| |w|, the norm of an average is at most the average of the norms, and <|x|^2> = Tr Sigma"
    )


def second_moments() -> str | None:
    """Lemma 8, link by link."""
    return steps(
        cauchy(),
        activation_shrinks(),
        in_words(
            "|<sigma sigma^T>|^2 is the average of (sigma_m.sigma_n)^2 over pairs of samples, at most <|sigma|^2>^2; "
            "<|x|^2> = Tr Sigma"
        ),
    )


def gated_products() -> str | None:
    """Lemma 9 with the factor x^T, and the cubic term."""
    return steps(gated_activation_shrinks(), activation_shrinks(), cauchy(), average())


def cubes() -> str | None:
    """a^2 b <= u^3 for norms a, b of the layers and the larger one u."""
    import z3

    a, b, u = z3.Reals("a b u")
    small = z3.And(a >= 0, b >= 0, a <= u, b <= u)
    return by_smt(
        lambda: z3.Implies(small, z3.And(a * a * b <= u * u * u, a * b * b <= u * u * u)), "by the larger norm"
    )


def growth_of_u() -> str | None:
    """The chain of Lemma 12: f, g are the label and output terms, U = u^2 and A, B the squared norms of the layers."""
    import z3

    f, g, s, trace, a, b, U = z3.Reals("f g s trace a b U")
    known = z3.And(g >= 0, s >= 0, trace > 0, a >= 0, b >= 0, a * a <= U, b * b <= U, U > 0, U < 1)
    size = z3.If(f >= 0, f, -f)
    chain = z3.And(f - g <= size + g, a * b <= U, U * U < U)
    return steps(
        cauchy(),
        activation_shrinks(),
        by_smt(lambda: z3.Implies(known, chain), "with U = u^2 and norms a, b of the layers"),
        in_words(
            "|(1 + alpha) beta.(W2 W1)| <= 2 s a b and 2 <f^2> <= 2 a^2 b^2 Tr Sigma by Cauchy; then a b <= U, and "
            "U^2 Tr Sigma < U Tr Sigma"
        ),
    )


def exponentials() -> str | None:
    """e^x >= 1 + x and e^-x <= 1 for x >= 0."""
    import sympy

    x = sympy.Symbol("x", nonnegative=True)
    gap = sympy.exp(x) - 1 - x
    return steps(
        by_identity(
            lambda: [gap.subs(x, 0), gap.diff(x) - (sympy.exp(x) - 1)], "e^x - 1 - x is 0 at 0, its slope e^x - 1"
        ),
        in_words("e^x increases from 1, so both are >= 0 for x >= 0; x is the rate (alpha + 1) s times the later time"),
    )


def orthogonal_sums() -> str | None:
    """For w = sum_j y_j x_j/|x_j|^2 with pairwise orthogonal x_j."""
    import z3

    y, size, others = z3.Reals("y size others")
    along = y / size * size + others  # w.x_i, the part of the other x_j apart
    known = z3.And(size > 0, others == 0, y * y == 1)
    return steps(
        by_smt(lambda: z3.Implies(known, z3.And(along == y, y * along == 1)), "w.x_i = y_i and y_i w.x_i = 1"),
        in_words("w.x_i is a sum over j whose terms with j != i have the factor x_j.x_i = 0"),
    )


def even_moments() -> str | None:
    """The mean of even inputs, and the covariance."""
    import sympy

    x, z, m, n = sympy.symbols("x z m n", real=True)
    return steps(
        by_identity(lambda: [x + -x], "x and -x add up to zero, so <x> = 0"),
        by_identity(
            lambda: [sympy.expand((x - m) * (z - n)) - (x * z - m * z - n * x + m * n)],
            "entry by entry <(x - m)(z - n)> = <x z> - m n with m = <x>, n = <z>, here zero",
        ),
    )
