r"""The factors of Theorem 5 in the digest of a longer version, mechanism 1: not printed in the paper."""

from refute import Fault, Kind, Margin, derived, scaled, section
from refute.claims.zhang2024.theorem_5 import ASSUMED, DROPS, FLOWS, LATE, SHARED_CLOCK, trained_with, weights_agree
from refute.models import Dataset, TwoLayer
from refute.models.loss import SQUARE
from refute.models.zhang2024.rescaled import TIMES, Course, LinearCourse, linear_flow_beside


@derived
def factor(net: TwoLayer) -> float:
    """As typeset."""
    return float(2**0.5 / (1 + net.slope))


@derived
def linear(net: TwoLayer, data: Dataset, factor: float, tau: float, tolerance: float) -> LinearCourse:
    """From weights in that ratio."""
    return linear_flow_beside(net, data, SQUARE, TIMES, tau, tolerance, factor=factor)


clock, _, _, relu, _ = trained_with(SQUARE)
main = section(
    "zhang2024",
    "summary.mechanism_1_factors",
    "digest, mechanism 1",
    kind=Kind.DYNAMICS,
    given=FLOWS,
    assumes=ASSUMED,
    derived=[clock, factor, relu, linear],
    printed=False,
)


@main.claim(recorded="refuted", fault=Fault.CONSTANT)
def the_digest_s_factors(relu: Course, linear: LinearCourse, clock: float, factor: float) -> Margin:
    r"""$W(t)=\tfrac{\sqrt2}{\alpha+1}W^{lin}(\tfrac{\alpha+1}2t)$ from weights in this ratio.

    Fails: with a factor c the product $W_2W_1$ is $c^2$ times the linear one, and f has the further factor
    $\tfrac{\alpha+1}2$, so that $c^2\tfrac{\alpha+1}2=1$ is needed; here it is $\tfrac1{\alpha+1}$. Two linear networks
    in the ratio $1/\sqrt2$ do not stay in it: from $W_2=(1,-1)$, $W_1=-W_2^\top$ on the inputs 1, -1 with labels 0 the
    weights are $(1+4t)^{-1/2}$ in size, 0.577 at t = 1/2, and by the factor $(1+8t)^{-1/2}$, 0.447.

    Convention: R0: the factor for the weights is sqrt(2)/(alpha+1) as typeset; the two networks share the time constant
    tau
    """
    margin: Margin = weights_agree.conclusion(relu, linear, clock, factor)
    return margin


the_digest_s_factors.reading(
    "r1",
    r"R1: the factor is $\sqrt{\tfrac2{\alpha+1}}$, as in the paper.",
    recorded="supported",
    derived=trained_with(SQUARE),
    mutants=[LATE, scaled("1001/1000", "W"), *DROPS],
    convention=f"R1: the factor for the weights is sqrt(2/(alpha+1)); {SHARED_CLOCK}",
)
