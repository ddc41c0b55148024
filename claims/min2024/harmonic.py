r"""The harmonic sum in Appendix C.2: $1+\frac12+\dots+\frac1m\le1+\log m$."""

from fractions import Fraction

from refute.decide.proof import by_smt, in_words, steps
from refute.decide.symbolic import by_identity


def harmonic(count: int) -> Fraction:
    """1 + 1/2 + ... + 1/count."""
    return sum((Fraction(1, k) for k in range(1, count + 1)), Fraction(0))


def logarithm_proof() -> str | None:
    """log(1+x) >= x/(1+x) for x >= 0."""
    import sympy
    import z3

    x = sympy.Symbol("x", positive=True)
    gap = sympy.log(1 + x) - x / (1 + x)
    s = z3.Real("s")
    return steps(
        by_identity(
            lambda: [gap.subs(x, 0), sympy.diff(gap, x) - x / (1 + x) ** 2],
            "log(1+x) - x/(1+x) vanishes at 0 and has the derivative x/(1+x)^2",
        ),
        by_smt(lambda: z3.Implies(s >= 0, s / ((1 + s) * (1 + s)) >= 0), "this derivative is not negative"),
    )


def harmonic_proof() -> str | None:
    """By induction: 1/(m+1) <= log(1 + 1/m), which is log(1+x) >= x/(1+x) at x = 1/m."""
    return steps(
        logarithm_proof(), in_words("so 1/(m+1) <= log(m+1) - log m, and 1 + 1/2 + ... + 1/m <= 1 + log m by induction")
    )
