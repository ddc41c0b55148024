"""Eq. (41): the output at the weights (40)."""

from refute import Margin, equal, instead, mutants, scaled, section, without
from refute.claims.zhang2024.assumptions import equal_parts
from refute.claims.zhang2024.deep_setting import FORM, low
from refute.decide.proof import by_smt, in_words, steps
from refute.models.zhang2024.low_rank import LowRank

equation = section(
    "zhang2024", "eq_41", "Eq. (41)", given=FORM, derived=[low], recorded="proved", mutants=[scaled("99/100")], cost=2.0
)


def _nothing_is_cut() -> str | None:
    """sigma(z) = z for z >= 0, and an entry of (40b) times a nonnegative signal is not negative."""
    import z3

    z, a, b = z3.Reals("z a b")
    entry = z3.If((a > 0) == (b > 0), a * b, z3.RealVal(0))
    kept = z3.Implies(z >= 0, z3.And(z3.If(z > 0, z, z3.RealVal(0)) == z, entry * z >= 0))
    known = z3.And(a != 0, b != 0)
    return by_smt(
        lambda: z3.Implies(known, kept), "a nonnegative signal passes sigma and (40b), sums of such terms, unchanged"
    )


def _half_of_the_output() -> str | None:
    """A block passes rho_l^+ on as |rho_l^+|^2 = 1 times rho_{l+1}^+, without the activation both parts pass on."""
    import z3

    z, v = z3.Reals("z v")
    positive = z3.If(z > 0, z, z3.RealVal(0)) - z3.If(z < 0, -z, z3.RealVal(0))  # what rho_1^+ and rho_1^- carry
    words = (
        "each block maps rho_l^+ to v rho_{l+1}^+, as |rho_l^+|^2 = 1, and rho_l^- likewise; W_L adds v for each part "
        "that is lit, one of two with sigma and both with signs without it"
    )
    lit = by_smt(lambda: v * positive == v * (z + z) / 2, "v sigma(z) - v sigma(-z) = half of v z + v z")
    return steps(_nothing_is_cut(), lit, in_words(words))


@equation.claim("activation_drop", "first equality; F.2", proof=_nothing_is_cut)
@mutants(instead("the first one dropped too", lambda low: equal(low.output(), low.output(0), "output")))
def inner_activations_can_be_dropped(low: LowRank) -> Margin:
    r"""$W_L\sigma(\cdots\sigma(W_2\sigma(W_1x)))=W_L\cdots W_2\sigma(W_1x)$ for weights (40): all later signals are
    non-negative.
    """
    return equal(low.output(), low.output(1), "output with and without the inner activations")


@equation.claim("half_factor", "second equality", assumes=[equal_parts], proof=_half_of_the_output)
@mutants(without(equal_parts))
def output_is_half_the_linear_output(low: LowRank) -> Margin:
    r"""$f(x;W)=\tfrac12W_L\cdots W_2W_1x$ for weights (40) with $\|r_l^+\|=\|r_l^-\|$.

    Convention: what is needed is only that the products over l of |r_l^+|^2 and of |r_l^-|^2 agree.
    """
    return equal(low.output(), low.output(0) / 2, "f against half the linear output")
