"""Definition 1: regular solutions keep dead neurons dead."""

from refute import Margin, all_of, changed, derived, equal, mutants, shifted
from refute.claims.min2024.solutions import EDGE, point, solutions, stays_dead
from refute.claims.min2024.training import LOSSES
from refute.models import Dataset, TwoLayer
from refute.models.flow import FILIPPOV, REGULAR
from refute.models.min2024.residual import caratheodory_residual


@derived
def concept() -> str:
    """What counts as a solution."""
    return REGULAR


@solutions.claim("definition_1.regular_solution", "Definition 1", derived=[concept], cost=0.5)
@mutants(
    changed(
        "the solution of E.4 that leaves the edge",
        concept=lambda _: FILIPPOV,
        net=lambda _: EDGE,
        data=lambda _: point(1),
    ),
    shifted("1/10000", "largest residual"),
)
def every_start_has_a_regular_solution(
    net: TwoLayer, data: Dataset, loss: str, horizon: float, concept: str, tolerance: float
) -> Margin:
    r"""A solution is regular if $w_j(t_0)\in S_{dead}$ implies $w_j(t)\in S_{dead}$ for all $t\ge t_0$. There is one
    from every balanced start on separated data.

    Convention: a definition asserts nothing; checked is that it is not empty: some solution of (45) keeps dead neurons
    dead. Up to time 1 or 3; neither assumption is shown necessary here.
    """
    found = caratheodory_residual(net, data, LOSSES[loss], horizon, concept=concept, tolerance=tolerance)
    return all_of(equal(found.largest, 0, "largest residual of (45)"), stays_dead(found.run, data.inputs))
