r"""Equation (F.1): how the coefficients of neurons that start active grow in a ReLU network."""

from refute import Kind, Margin, all_of, changed, derived, equal, less, mutants, scaled, section
from refute.claims.kou2023.assumptions import RELU_APPENDIX
from refute.claims.kou2023.relu_runs import GIVEN, RUN, early
from refute.models.kou2023.active import Active
from refute.models.kou2023.decomposition import Decomposition


@derived
def first(early: Decomposition) -> Active:
    """The first hundred steps, one by one."""
    return Active(early)


main = section(
    "kou2023",
    "eq_f1",
    "Eq. (F.1)",
    kind=Kind.DYNAMICS,
    given=GIVEN,
    assumes=RELU_APPENDIX,
    derived=[*RUN, early, first],
    recorded="supported",
)


@main.claim("update")
@mutants(
    scaled("1001/1000", "gain"),
    changed("for every neuron", first=Active.of_every_neuron),
    changed("of the other class", first=Active.of_the_other_class),
    changed("for every neuron, late", active=Active.of_every_neuron),
)
def active_coefficients_gain_the_logit(first: Active, active: Active) -> Margin:
    r"""$\bar\rho^{(t+1)}_{y_i,r,i}=\bar\rho^{(t)}_{y_i,r,i}+\frac{\eta}{nm}|\ell_i'^{(t)}|\|x_i\|^2$ if
    $r\in S_i^{(0)}$, for all $t\ge0$.

    Convention: the first hundred steps by their gains; later, where coefficients are too large to show the gain of one
    step, by the signals: they are positive, so that (5.4) is this display.
    """
    gains = first.rho[1:] - first.rho[:-1]
    pushes = first.course.known(first.course.logits * first.unit)[:-1]
    return all_of(equal(gains, first.each(pushes), "gain of rho-bar"), less(0, active.signals, "late signals"))
