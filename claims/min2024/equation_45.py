"""Eqs. (44) and (45): what a Caratheodory solution is."""

from refute import Enclosed, Margin, changed, derived, equal, mutants, shifted
from refute.claims.min2024.solutions import TRAP, TRAPPED, solutions
from refute.claims.min2024.training import LOSSES
from refute.models import Dataset, TwoLayer
from refute.models.flow import FILIPPOV, REGULAR
from refute.models.loss import EXPONENTIAL_SUM
from refute.models.min2024.residual import caratheodory_residual


@derived
def residual(net: TwoLayer, data: Dataset, loss: str, horizon: float, tolerance: float) -> Enclosed:
    """Of the regular solution, across all events."""
    return caratheodory_residual(net, data, LOSSES[loss], horizon, concept=REGULAR, tolerance=tolerance).largest


def _sliding(residual: Enclosed) -> Enclosed:
    """That of a neuron that the hyperplane of a datum attracts from both sides."""
    return caratheodory_residual(TRAPPED, TRAP, EXPONENTIAL_SUM, 1.0, concept=FILIPPOV).largest


@solutions.claim("eq_45.caratheodory", "Eqs. (44) and (45)", derived=[residual], cost=0.5)
@mutants(shifted("1/10000"), changed("data that are not separated", residual=_sliding))
def trajectories_solve_the_integral_equation(residual: Enclosed) -> Margin:
    r"""$\theta(t)=\theta_0+\int_0^tF(\theta(s))\,ds$ along the computed solutions on separated
    data, across all events.

    Convention: F = -grad L with sigma'(0) = 0; the trajectory is that of the event-driven integrator, up to time 1 or
    3.
    """
    return equal(residual, 0, "largest residual of (45)")
