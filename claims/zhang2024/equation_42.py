r"""Eq. (42): the flow of deep ReLU networks at the weights (40) as that of a deep linear network."""

from collections.abc import Iterable
from fractions import Fraction

from refute import Fault, Margin, all_of, changed, mutants, scaled, section, without
from refute.claims.zhang2024.assumptions import no_data_on_hyperplane
from refute.claims.zhang2024.deep_setting import CLEAR, DEEP, DROPS, FORM, ODD, RESTING_DATUM, SYMMETRIC, low
from refute.claims.zhang2024.setting import same_matrix
from refute.models.zhang2024.low_rank import LowRank

equation = section(
    "zhang2024",
    "eq_42",
    "Eq. (42)",
    given=FORM,
    assumes=CLEAR,
    derived=[low],
    convention=f"limits of the products as in (12); {ODD}",
)
NEAR = [*DROPS, scaled("99/100")]


def compared(low: LowRank, levels: Iterable[int], *, blocks: bool) -> Margin:
    """Minus the gradient against Eq. (42), for layers between in the diagonal blocks or everywhere."""
    printed = low.diagonal_blocks if blocks else low.linear_flow
    return all_of(*(same_matrix(low.flow[k], printed(k), f"-dL/dW_{k + 1} against Eq. (42)") for k in levels))


@equation.claim("first_and_last_layer", "at l = L", recorded="refuted", fault=Fault.CONVENTION)
def last_layer_with_the_printed_limits(low: LowRank) -> Margin:
    r"""$\tau\dot W_l=(\prod_{l'=l+1}^LW_{l'})^\top(\tfrac12\beta^\top-\tfrac14\prod_{l'=1}^LW_{l'}\Sigma)
    (\prod_{l'=l-1}^LW_{l'})^\top$.

    Fails by its shapes, so surely a slip: at l = L the last factor is $(W_LW_{L-1})^\top$, and at l = 1 it would need
    $W_0$. The limits 1 and l - 1 of (12) are meant.

    Convention: R0: limits as printed.
    """
    last = (low.weights[-1] @ low.weights[-2]).T
    if low.middle.shape[1] != last.shape[0]:
        return Margin(Fraction(-1), line=f"Eq. (42) at l = L: factors of shapes {low.middle.shape} and {last.shape}")
    return same_matrix(low.flow[-1], low.middle @ last, "-dL/dW_L against Eq. (42)")


@equation.claim(
    "first_and_last_layer.r1",
    "at l = 1 and l = L",
    assumes=SYMMETRIC,
    recorded="refuted",
    fault=Fault.MISSING_HYPOTHESIS,
    root=RESTING_DATUM,
)
def outer_layers_follow_a_linear_flow_everywhere(low: LowRank) -> Margin:
    r"""R1: (42) with the last product over $l'=1..l-1$, for the first and the last layer.

    Fails at l = 1 when a datum lies on $r^\top x=0$: with $\sigma'(0)=0$ it moves no neuron, but it counts in $\beta$
    and $\Sigma$. With L = 2, neurons $\pm(1,0)$, outer weights $\pm1$ and the data $\pm((0,1),1)$, $\dot W_1$ is 0 and
    the formula $\tfrac12W_2^\top(0,1)$.
    """
    return compared(low, (0, low.depth - 1), blocks=False)


@equation.claim("first_and_last_layer.amended", "at l = 1 and l = L", recorded="supported", cost=2.0)
@mutants(*NEAR, without(no_data_on_hyperplane))
def outer_layers_follow_a_linear_flow(low: LowRank) -> Margin:
    r"""Amended: (42) with the last product over $l'=1..l-1$, for the first and last layer, when no datum lies on
    $r^\top x=0$.
    """
    return compared(low, (0, low.depth - 1), blocks=False)


@equation.claim("intermediate_layers", "at 1 < l < L", given=DEEP, recorded="refuted", fault=Fault.WRONG)
def intermediate_layers_follow_a_linear_flow(low: LowRank) -> Margin:
    r"""(42) for $1<l<L$.

    Fails in the off-diagonal blocks: the formula is a full rank-one matrix $\propto r_lr_{l-1}^\top$, while no sample
    activates a positive and a negative entry together, so the gradient is zero there. With L = 3, $W_1=(1,-1)^\top$,
    $W_2=I$, $W_3=(1,-1)$, inputs $\pm1$ and labels 0, $\dot W_2$ is $-\tfrac12I$ and the formula
    $-\tfrac12(1,-1)^\top(1,-1)$.
    """
    return compared(low, low.between, blocks=False)


@equation.claim(
    "intermediate_layers.amended", "at 1 < l < L", given=DEEP, assumes=SYMMETRIC, recorded="supported", cost=2.0
)
@mutants(*NEAR, changed("with sigma'(0) = 1", low=lambda low: low.with_slope_at_zero(1)))
def diagonal_blocks_follow_a_linear_flow(low: LowRank) -> Margin:
    r"""Amended: for $1<l<L$ the gradient is the formula (42) in the two diagonal blocks and zero in the others, which
    is (44).
    """
    return compared(low, low.between, blocks=True)


ROOT = "zhang2024.eq_42.intermediate_layers"
sentence = equation.but("Eq. (42), sentence after it", given=DEEP, convention=ODD, cost=2.0)


@sentence.claim("same_as_linear_up_to_constants", recorded="refuted", fault=Fault.WRONG, root=ROOT)
def deep_dynamics_are_linear_up_to_constants(low: LowRank) -> Margin:
    r"""The deep ReLU dynamics at (40) are the deep linear dynamics (12) except for the coefficients 1/2 and 1/4, in all
    layers.

    Fails for intermediate layers: the linear dynamics fill the off-diagonal blocks, the ReLU dynamics keep them zero
    (the case of eq_42.intermediate_layers).

    Convention: the constants are 1/2 and 1/4; in the off-diagonal blocks no constants would do; the target need only be
    odd; sigma'(0) = 0.
    """
    return compared(low, range(low.depth), blocks=False)


@sentence.claim("same_as_linear_up_to_constants.amended", recorded="supported")
@mutants(*NEAR)
def deep_dynamics_are_linear_in_the_diagonal_blocks(low: LowRank) -> Margin:
    r"""Amended: so they are in the first and last layer and in the diagonal blocks of the others, when no datum lies on
    $r^\top x=0$; the other blocks stay zero.
    """
    return compared(low, range(low.depth), blocks=True)
