"""Asked for a second opinion, the flow is computed by two methods and its error covers their difference."""

import numpy as np

from refute.decide.confirmation import confirming
from refute.models import Dataset, TwoLayer
from refute.models.flow import REGULAR, gradient_flow
from refute.models.gradient import square_residual

NET = TwoLayer([[1, 0], [-1, 1]], [1, -1], 0)
DATA = Dataset([[1, 0], [0, 1], [-1, 2]], [1, -1, 2])
TIMES = np.linspace(0, 1, 5)


def test_both_methods_agree_and_say_so():
    """The error grows by no more than the accuracy of the second method."""
    alone = gradient_flow(NET, DATA, square_residual, TIMES)
    with confirming() as opinions:
        both = gradient_flow(NET, DATA, square_residual, TIMES)
    assert opinions.level in ("confirmed", "certified")
    assert (both.inner == alone.inner).all()
    assert alone.error <= both.error < 1e-7


def test_a_solution_concept_of_one_method_is_not_confirmed():
    """The second method follows Filippov solutions only."""
    with confirming() as opinions:
        gradient_flow(NET, DATA, square_residual, TIMES, concept=REGULAR)
    assert opinions.level == "repeated"


def test_a_small_smooth_case_is_enclosed():
    """Its error is then the distance from an enclosure, and smaller than that of the two runs."""
    net, data = TwoLayer([[1, 0]], [1], 0), Dataset([[1, 0]], [1])
    alone = gradient_flow(net, data, square_residual, TIMES)
    with confirming() as opinions:
        enclosed = gradient_flow(net, data, square_residual, TIMES)
    assert opinions.level == "certified"
    assert enclosed.error <= alone.error
