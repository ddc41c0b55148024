"""Eq. (41): the output at the weights (40)."""

from refute import Margin, equal, instead, mutants, scaled, section, without
from refute.claims.zhang2024.assumptions import equal_parts
from refute.claims.zhang2024.deep_setting import FORM, low
from refute.models.zhang2024.low_rank import LowRank

equation = section(
    "zhang2024",
    "eq_41",
    "Eq. (41)",
    given=FORM,
    derived=[low],
    recorded="supported",
    mutants=[scaled("99/100")],
    cost=2.0,
)


@equation.claim("activation_drop", "first equality; F.2")
@mutants(instead("the first one dropped too", lambda low: equal(low.output(), low.output(0), "output")))
def inner_activations_can_be_dropped(low: LowRank) -> Margin:
    r"""$W_L\sigma(\cdots\sigma(W_2\sigma(W_1x)))=W_L\cdots W_2\sigma(W_1x)$ for weights (40): all later signals are
    non-negative.
    """
    return equal(low.output(), low.output(1), "output with and without the inner activations")


@equation.claim("half_factor", "second equality", assumes=[equal_parts])
@mutants(without(equal_parts))
def output_is_half_the_linear_output(low: LowRank) -> Margin:
    r"""$f(x;W)=\tfrac12W_L\cdots W_2W_1x$ for weights (40) with $\|r_l^+\|=\|r_l^-\|$.

    Convention: what is needed is only that the products over l of |r_l^+|^2 and of |r_l^-|^2 agree.
    """
    return equal(low.output(), low.output(0) / 2, "f against half the linear output")
