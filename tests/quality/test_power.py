"""Power: planted false statements are found with the quick effort, and shrink to the smallest case that refutes them.

Each line is a statement that somebody could believe, where it is looked for, and the counterexample that a person would
write down. True statements that look like them stand.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from refute import Against, Case, Cases, Kind, Refuted, Run, Supported, at_least, at_most, check, differs, equal, less
from refute.functions import absolute, squared_norm
from refute.models import SQUARE, Dataset, DeepNetwork, TwoLayer, descent_direction, gradient_flow
from refute.strategies import (
    balanced_start,
    collinear_data,
    correlated_data,
    dataset,
    deep,
    number,
    orthogonal_data,
    point,
    repeated_data,
    separable_data,
    signed,
    signed_data,
    sized,
    tiny_start,
    two_layer,
    whitened_data,
)
from tests.planted import planted

ONE = np.array([[1]], dtype=object)
RELU = TwoLayer([[1]], [1], 0)
ON_POINTS = sized(net=two_layer, x=point, y=point)
WITH_DATA = sized(net=two_layer, data=dataset)


def direction(net: TwoLayer, data: Dataset, slope_at_zero: Any = 0) -> Any:
    return descent_direction(net, data, SQUARE, slope_at_zero)


FALSE: dict[str, tuple[Callable[..., Any], Cases, dict[str, Any]]] = {
    "a square is at least the number": (lambda x: at_least(x * x, x), sized(x=number()), {"x": Fraction(1, 2)}),
    "two points have an acute angle": (lambda x, y: at_least(x @ y, 0), sized(x=point, y=point), {"x": [1], "y": [-1]}),
    "networks are odd": (
        lambda net, x: equal(net(-x), -net(x)),
        sized(net=two_layer, x=point),
        {"net": RELU, "x": [1]},
    ),
    "networks are linear": (
        lambda net, x, y: equal(net(x + y), net(x) + net(y)),
        ON_POINTS,
        {"net": RELU, "x": [1], "y": [-1]},
    ),
    "networks are convex": (
        lambda net, x, y: at_most(2 * net((x + y) / 2), net(x) + net(y)),
        ON_POINTS,
        {"net": TwoLayer([[1]], [-1], 0), "x": [1], "y": [-1]},
    ),
    "outputs are not negative": (
        lambda net, x: at_least(net(x), 0),
        sized(net=two_layer, x=point),
        {"net": TwoLayer([[1]], [-1], 0), "x": [1]},
    ),
    "deep networks are odd": (
        lambda net, x: equal(net(-x), -net(x)),
        sized(net=deep, x=point),
        {"net": DeepNetwork((ONE, ONE), 0), "x": [1]},
    ),
    "outer weights of two neurons agree": (
        lambda net: at_least(net.outer[0] * net.outer[1], 0),
        sized(net=two_layer, width=(2, 4)),
        {"net": TwoLayer([[0], [0]], [1, -1], 0)},
    ),
    "data vary": (lambda data: less(0, data.covariance.trace()), sized(data=dataset), {"data": Dataset([[0]], [0])}),
    "the first input is the longest": (
        lambda data: at_least(squared_norm(data.inputs[0]), squared_norm(data.inputs[-1])),
        sized(data=dataset),
        {"data": Dataset([[0], [1]], [0, 0])},
    ),
    "separable data have one label": (
        lambda data: equal(data.labels, data.labels[0]),
        sized(data=separable_data),
        {"data": Dataset([[-1], [1]], [1, -1])},
    ),
    "equal inputs have nearly equal labels": (
        lambda data: at_most(absolute(data.labels[0] - data.labels[-1]), 1),
        sized(data=repeated_data),
        {"data": Dataset([[0], [0]], [0, 2])},
    ),
    "collinear inputs point one way": (
        lambda data: at_least(data.inputs[0] @ data.inputs[-1], 0),
        sized(data=collinear_data),
        {"data": Dataset([[-1], [1]], [0, 0])},
    ),
    "orthogonal inputs are not correlated with the labels": (
        lambda data: equal(squared_norm(data.correlation), 0),
        sized(data=orthogonal_data),
        {"data": Dataset([[1]], [1])},
    ),
    "balanced starts have positive outer weights": (
        lambda net: at_least(net.outer, 0),
        sized(net=balanced_start),
        {"net": TwoLayer([[1]], [-1], 0)},
    ),
    "a neuron that is not zero has a gradient": (
        lambda net, data: differs(squared_norm(direction(net, data)[0]) + 1 - squared_norm(net.outer), 0),
        sized(net=two_layer, data=separable_data, width=(1, 2)),
        {"net": TwoLayer([[0]], [1], 0), "data": Dataset([[1]], [1])},
    ),
    "sigma'(0) does not matter": (
        lambda net, data: equal(direction(net, data, 0)[0], direction(net, data, 1)[0]),
        WITH_DATA,
        {"net": TwoLayer([[0]], [1], 0), "data": Dataset([[1]], [1])},
    ),
}


def fallen(claim: Any, outcome: Any) -> Case:
    assert isinstance(outcome, Refuted | Against), (claim.id, outcome)
    return outcome.counterexample.case


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_falls_at_the_smallest_case(name: str):
    """With the quick effort, exactly."""
    conclusion, given, expected = FALSE[name]
    claim = planted(conclusion, given=given)
    outcome = check(claim, Run(remember=False))
    assert isinstance(outcome, Refuted)
    assert fallen(claim, outcome) == Case.of(**expected)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["networks are linear", "networks are convex", "networks are odd"])
def test_it_falls_whatever_the_seed(name: str, seed: int):
    """Luck has no part in it, and the smallest case is always the same."""
    conclusion, given, expected = FALSE[name]
    claim = planted(conclusion, given=given)
    assert fallen(claim, check(claim, Run(seed=seed, remember=False))) == Case.of(**expected)


TRUE: dict[str, tuple[Callable[..., Any], Cases]] = {
    "orthogonal inputs with labels +1 and -1 are correlated": (
        lambda data: less(0, squared_norm(data.correlation)),
        sized(data=signed(orthogonal_data)),
    ),
    "white inputs are correlated at most by one": (
        lambda data: at_most(squared_norm(data.correlation), 1),
        sized(data=signed(whitened_data)),
    ),
    "correlated inputs have no zero mean": (
        lambda data: less(0, squared_norm(data.inputs.sum(axis=0))),
        sized(data=correlated_data),
    ),
    "networks are positively homogeneous": (
        lambda net, x: equal(net(3 * x), 3 * net(x)),
        sized(net=two_layer, x=point),
    ),
    "balance is kept to first order": (
        lambda net, data: equal((net.inner * direction(net, data)[0]).sum(axis=1), net.outer * direction(net, data)[1]),
        sized(net=tiny_start(balanced_start), data=signed_data),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_that_looks_like_them_stands(name: str):
    """No false alarm, in exact arithmetic."""
    conclusion, given = TRUE[name]
    assert isinstance(check(planted(conclusion, given=given), Run(remember=False)), Supported)


@pytest.mark.slow
def test_a_false_statement_about_training_falls():
    """The flow of one neuron towards a label of zero is not at rest: refuted by two methods, on one sample."""

    def nothing_moves(net: TwoLayer, data: Dataset, tolerance: float) -> Any:
        run = gradient_flow(net, data, SQUARE, [1.0], tolerance=tolerance)
        return equal(run.inner[-1], net.inner, "weights", error=run.error)

    given = sized(net=two_layer, data=dataset, width=(1, 1), dimension=(1, 1), samples=(1, 2))
    claim = planted(nothing_moves, given=given, kind=Kind.DYNAMICS)
    case = fallen(claim, check(claim, Run(remember=False)))
    assert len(case["data"].labels) == 1
    assert all(abs(weight) <= 2 for weight in (*case["net"].inner.reshape(-1), *case["net"].outer))
