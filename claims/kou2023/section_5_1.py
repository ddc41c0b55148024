r"""Section 5.1, display after Eq. (5.11): by how much the averages of coefficients of a leaky ReLU network grow in a
step.

Read on orthogonal data, where the printed factor $1\pm c\gamma^{-2}R_{\min}^{-2}pn$ is 1 whatever c.
"""

from fractions import Fraction
from typing import Any

from refute import Fault, Kind, Margin, all_of, changed, derived, grows_like, mutants, section
from refute.arithmetic.numbers import Array, Number
from refute.claims.kou2023.assumptions import LEAKY_MAIN, off_boundaries, orthogonally
from refute.claims.kou2023.leaky_courses import course, gamma
from refute.functions import leaky_relu_slope, log, mean, sqrt
from refute.language.limits import Logs
from refute.models.kou2023.decomposition import Decomposition
from refute.strategies.kou2023.nearly_orthogonal import training


@derived
def log_increments(course: Decomposition, gamma: Number) -> Any:
    """log of what the averages of |rho_{j,r,i}| gain in a step, in units of eta |x_i|^2/(nm): (time, j, i)."""
    slopes = mean(leaky_relu_slope(course.signals, gamma, gamma * 0 + 1), axis=2)
    return course.log_logits[:, None, :] + log(slopes)


@derived
def averages(course: Decomposition) -> Any:
    """The averages of |rho_{j,r,i}| over r: (time, j, i)."""
    return course.known(course.sums / course.width)


main = section(
    "kou2023",
    "sec5",
    "Section 5.1, display after Eq. (5.11)",
    kind=Kind.ASYMPTOTIC,
    given=training(leaks=(Fraction(7, 8), Fraction(1, 2))),
    assumes=[*orthogonally(LEAKY_MAIN), off_boundaries],
    derived=[course, gamma, log_increments, averages],
    cost=0.1,
)


def _of_the_order(course: Decomposition, side: Any, log_quotient: Any, line: str) -> Margin:
    """The increment over the form that is claimed of it is Theta(1) in t."""
    quotient = Logs(side(log_quotient.value), side(log_quotient.error))
    return grows_like(quotient, 1, line, at=course.steps, clock=course.loss)


@main.claim("leaky_coeff_recursion", recorded="against", fault=Fault.WRONG)
def average_coefficients_obey_the_printed_recursion(
    course: Decomposition, log_increments: Array, averages: Array
) -> Margin:
    r"""$\frac1m\sum_r|\rho^{(t+1)}_{j,r,i}|-\frac1m\sum_r|\rho^{(t)}_{j,r,i}|
    =\Theta(\frac{\eta\|x_i\|^2}{nm})\exp(-\frac{1\pm c\gamma^{-2}R_{\min}^{-2}pn}m\sum_r|\rho^{(t)}_{j,r,i}|)$.

    Fails: $|\ell_i'|\approx e^{-q_i}$ with $q_i=F_{y_i}-F_{-y_i}\approx(1+\gamma^2)\frac1m\sum_r\bar\rho_{y_i,r,i}$, so
    the printed side is too large by $t^{\gamma^2/(1+\gamma^2)}$ for $j=y_i$, and by more for $j=-y_i$.

    Convention: $p=0$; Theta as t tends to infinity, for $j=y_i$ and $j=-y_i$.
    """
    quotient = log_increments + averages
    return all_of(
        _of_the_order(course, course.own, quotient, "own increment"),
        _of_the_order(course, course.opposite, quotient, "opposite increment"),
    )


@main.claim("leaky_coeff_recursion.amended", "with both outputs", recorded="supported")
@mutants(
    changed("1 + gamma in place of 1 + gamma^2", gamma=sqrt),
    changed("1 in place of 1 + gamma^2", gamma=lambda gamma: 0 * gamma + 1e-3),
)
def average_coefficients_obey_the_recursion_with_both_outputs(
    course: Decomposition, log_increments: Array, averages: Array, gamma: Number
) -> Margin:
    r"""Amended: the exponent has the factor $1+\gamma^2$ for $j=y_i$ and $\gamma+\gamma^{-1}$ for $j=-y_i$, since both
    outputs count.

    Convention: $p=0$; Theta as t tends to infinity.
    """
    both = 1 + gamma**2
    return all_of(
        _of_the_order(course, course.own, log_increments + both * averages, "own increment"),
        _of_the_order(course, course.opposite, log_increments + both / gamma * averages, "opposite increment"),
    )
