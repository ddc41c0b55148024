"""Counterexamples lose samples, neurons and dimensions, but never leave the claim's domain."""

from refute import Case, Claim, Kind, Margin, Run, at_most
from refute.arithmetic.numbers import Array
from refute.decide.evaluate import judge
from refute.models import Dataset, TwoLayer
from refute.search.shrink import shrink, smaller
from refute.strategies import dataset, point, sized, two_layer

NET = TwoLayer([[0, 1, 0], [0, 2, 5], [0, 0, 0]], [1, 0, 3], "1/2")
DATA = Dataset([[0, 0, 0], [0, 1, 0]], [0, 1])


def output_is_not_positive(net: TwoLayer, data: Dataset, x: Array) -> Margin:
    """f(x) <= 0."""
    return at_most(net(x), 0, "f(x)")


def shrunk(**limits: tuple[int, int]) -> Case:
    given = sized(net=two_layer, data=dataset, x=point, **limits)
    claim = Claim("test.not_positive", output_is_not_positive, Kind.ALGEBRAIC, given=given)
    return shrink(claim, judge(claim, Case.of(net=NET, data=DATA, x=[0, 1, 0]), Run()), Run()).case


def test_what_does_not_matter_is_removed():
    """One neuron, one dimension and one sample remain."""
    case = shrunk()
    assert case["net"].inner.tolist() == [[1]]
    assert case["x"].tolist() == [1]
    assert len(case["data"].labels) == 1


def test_sizes_stop_where_the_strategy_stops():
    """A claim about two neurons in two dimensions keeps both."""
    case = shrunk(width=(2, 3), dimension=(2, 3))
    assert case["net"].inner.shape == (2, 2)


def test_nothing_is_removed_without_declared_sizes():
    """A strategy that does not say how small its cases may be is left alone."""
    assert list(smaller(Case.of(net=NET, data=DATA), {})) == []
