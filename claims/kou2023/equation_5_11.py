"""Equation (5.11): the outputs of a leaky ReLU network are averages of coefficients."""

from refute import Fault, Kind, Margin, at_most, changed, derived, mutants, scaled, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, off_boundaries
from refute.claims.kou2023.leaky_courses import GIVEN, LATE
from refute.claims.kou2023.lemma_b3 import log_quotient
from refute.functions import absolute
from refute.models import Dataset
from refute.models.kou2023.decomposition import Decomposition
from refute.models.kou2023.orthogonality import relative_overlap


@derived
def relative(data: Dataset, gamma: Number, log_quotient: Number) -> Number:
    """c gamma^-2 R_min^-2 pn with c = 1/c_3."""
    return 6 * relative_overlap(data.inputs) / (gamma**2 * log_quotient)


main = section(
    "kou2023",
    "eq_5_11",
    "Eq. (5.11)",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    derived=[*LATE, log_quotient, relative],
    convention="approximately equal: up to the printed factor and beta; c = 1/c_3 of Lemma B.3; t from 1 to 10^12",
)


@main.claim("F_approx_leaky.r1", assumes=LEAKY_MAIN, recorded="supported")
@mutants(changed("without the slack beta", beta=lambda beta: 0 * beta), scaled("9/10"))
def own_output_is_the_sum_of_coefficients(
    throughout: Decomposition, own: Array, relative: Number, beta: Number
) -> Margin:
    r"""$F_{y_i}(x_i)=\frac{1\pm c\gamma^{-2}R_{\min}^{-2}pn}m\sum_r\rho_{y_i,r,i}\pm\beta$."""
    output = throughout.known(throughout.own(throughout.outputs))
    return at_most(absolute(output - own), relative * own + beta, "|F - mean of rho|")


@main.claim(
    "F_approx_leaky.r2", assumes=[*LEAKY_MAIN, off_boundaries], recorded="refuted", fault=Fault.WRONG, in_balls=True
)
@mutants(scaled("10"))
def opposite_output_is_the_sum_of_coefficients(
    throughout: Decomposition, opposite: Array, relative: Number, beta: Number
) -> Margin:
    r"""$F_{-y_i}(x_i)=\frac{1\pm c\gamma^{-2}R_{\min}^{-2}pn}m\sum_r\rho_{-y_i,r,i}\pm\beta$.

    Fails, with $p=0$ too: the signals are negative, so $F_{-y_i}=\frac\gamma m\sum_r\rho_{-y_i,r,i}+O(\beta)$: a factor
    $\gamma$ misses.
    """
    output = throughout.known(throughout.opposite(throughout.outputs))
    return at_most(absolute(output + opposite), relative * opposite + beta, "|F - mean of rho|")
