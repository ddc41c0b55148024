"""Asked for a second opinion, the flow is computed by two methods and its error covers their difference."""

import numpy as np
import pytest

from refute.decide.confirmation import confirming
from refute.models import Dataset, TwoLayer
from refute.models.flow import REGULAR, confirm, gradient_flow
from refute.models.loss import SQUARE

NET = TwoLayer([[1, 0], [-1, 1]], [1, -1], 0)
DATA = Dataset([[1, 0], [0, 1], [-1, 2]], [1, -1, 2])
TIMES = np.linspace(0, 1, 5)


def test_both_methods_agree_and_say_so():
    """The error grows by no more than the accuracy of the second method."""
    alone = gradient_flow(NET, DATA, SQUARE, TIMES)
    with confirming() as opinions:
        both = gradient_flow(NET, DATA, SQUARE, TIMES)
    assert opinions.level in ("confirmed", "certified")
    assert (both.inner == alone.inner).all()
    assert alone.error <= both.error < 1e-7


def test_a_solution_concept_of_one_method_is_not_confirmed():
    """The second method follows Filippov solutions only."""
    with confirming() as opinions:
        gradient_flow(NET, DATA, SQUARE, TIMES, concept=REGULAR)
    assert opinions.level == "repeated"


def _large(rng):
    """A case that is not enclosed: five neurons."""
    return TwoLayer(rng.standard_normal((5, 2)), rng.standard_normal(5), 0)


@pytest.mark.parametrize(("shift", "grade"), [(0.0, "confirmed"), (1e-4, "contradicted")])
def test_methods_that_differ_by_more_than_their_errors_contradict_each_other(monkeypatch, shift, grade):
    """The second one measures its own error by a coarser run, and the dispute says by how much they differ."""
    honest = confirm.confirm_flow

    def wrong(*args, **options):
        inner, outer = honest(*args, **options)
        return inner + shift, outer

    monkeypatch.setattr(confirm, "confirm_flow", wrong)
    net = _large(np.random.default_rng(0))
    alone = gradient_flow(net, DATA, SQUARE, TIMES)
    with confirming() as opinions:
        both = gradient_flow(net, DATA, SQUARE, TIMES)
    assert opinions.level == grade
    assert both.error >= alone.error + 0.99 * shift
    assert [line.split(", and")[0][-9:] for line in opinions.disputes] == (["by 0.0001"] if shift else [])


def test_a_rough_second_method_does_not_contradict(monkeypatch):
    """Its error is measured: at a tolerance of 10^-5 the two differ, by no more than that."""
    monkeypatch.setattr(confirm, "FINE", 1e-5)
    net = _large(np.random.default_rng(0))
    alone = gradient_flow(net, DATA, SQUARE, TIMES)
    with confirming() as opinions:
        both = gradient_flow(net, DATA, SQUARE, TIMES)
    assert opinions.level == "confirmed"
    assert both.error > alone.error + 1e-8


def test_a_small_smooth_case_is_enclosed():
    """Its error is then the distance from an enclosure, and smaller than that of the two runs."""
    net, data = TwoLayer([[1, 0]], [1], 0), Dataset([[1, 0]], [1])
    alone = gradient_flow(net, data, SQUARE, TIMES)
    with confirming() as opinions:
        enclosed = gradient_flow(net, data, SQUARE, TIMES)
    assert opinions.level == "certified"
    assert enclosed.error <= alone.error
