r"""Eqs. (E.8) to (E.12): the first stage of a ReLU network, every step up to $T_1=2nm/(\eta R_{\max}^2)$.

$\hat c=1/10$: up to $T_1$ the outputs are at most 2.1, and $1/(1+e^{2.1})>1/10$.
"""

from refute import Kind, Margin, all_of, at_least, at_most, changed, mutants, scaled, section
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import GIVEN, stage
from refute.functions import absolute, smallest
from refute.models import Dataset
from refute.models.kou2023.active import Active
from refute.models.kou2023.orthogonality import squared_radii

EVERY_EARLY = changed("for every neuron of the class", stage=Active.of_every_neuron)

early = section(
    "kou2023", kind=Kind.DYNAMICS, given=GIVEN, assumes=RELU_APPENDIX, derived=[stage], recorded="supported", cost=2.0
)


@early.claim("eq_e8_e9.step_upper", "Eqs. (E.8) and (E.9)")
@mutants(scaled("49/100", "|rho|"), scaled("99/100", "eta"))
def coefficients_grow_by_a_bounded_step(stage: Active, data: Dataset) -> Margin:
    r"""In one step $\bar\rho_{j,r,i}$ and $|\underline\rho_{j,r,i}|$ grow by at most
    $\frac\eta{nm}\|x_i\|^2\le\frac{\eta R_{\max}^2}{nm}$.
    """
    rho = stage.course.known(absolute(stage.course.rho))
    high = squared_radii(data.inputs)[1]
    return all_of(
        at_most(rho[1:] - rho[:-1], stage.unit, "|rho| in one step"),
        at_most(stage.unit, stage.course.rate * high / (len(data.labels) * stage.course.width), "eta |x_i|^2/(nm)"),
    )


@early.claim("eq_e10.lower_linear", "Eq. (E.10)")
@mutants(scaled(5, "rho-bar"), EVERY_EARLY)
def active_coefficients_grow_linearly(stage: Active, data: Dataset) -> Margin:
    r"""For $t\le T_1$ and $r\in S_i^{(0)}$:
    $\bar\rho_{y_i,r,i}\ge\frac{\hat c\eta\|x_i\|^2}{nm}t\ge\frac{\hat c\eta R_{\min}^2}{nm}t$.
    """
    bound = stage.unit / 10 * stage.time
    least = smallest(stage.unit) / 10 * stage.time
    return all_of(at_least(stage.rho, stage.each(bound), "rho-bar"), at_least(bound, least, "the bound"))


@early.claim("eq_e11_e12.ratio_early", "Eqs. (E.11) and (E.12)")
@mutants(scaled(11, "smallest"), scaled("49/100", "largest"), EVERY_EARLY)
def active_coefficients_are_comparable_to_all_early(stage: Active, data: Dataset) -> Margin:
    r"""For $t\le T_1$: $|\rho_{j,r',i'}|\le\frac{\eta R_{\max}^2}{nm}t$, and
    $\bar\rho_{y_i,r,i}\ge\hat c\frac{R_{\min}^2}{R_{\max}^2}|\rho_{j,r',i'}|$ for $r\in S_i^{(0)}$ and all $j,r',i'$.
    """
    low, high = squared_radii(data.inputs)
    line = stage.course.rate * high / (len(data.labels) * stage.course.width) * stage.course.steps
    return all_of(
        at_most(stage.top, line, "largest |rho|"),
        at_least(stage.least, low / (10 * high) * stage.top, "smallest active rho-bar"),
    )
