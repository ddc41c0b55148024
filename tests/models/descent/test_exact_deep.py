"""Gradient descent of deep networks in rationals and balls."""

from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from refute.errors import BadInput, Diverged, SignUnknown
from refute.models.dataset import Dataset
from refute.models.descent.exact import ball_descent, exact_descent
from refute.models.descent.exact_deep import ball_deep_descent, exact_deep_descent
from refute.models.descent.single import descend_deep
from refute.models.loss import LOGISTIC, SQUARE, Loss
from refute.models.network import DeepNetwork, TwoLayer, as_deep

TWO = TwoLayer([[1, "1/2"], [-1, 2]], [1, "-1/2"], "1/8")  # type: ignore[arg-type]
DATA = Dataset([[1, 1], [-1, 2], [2, "-1/2"]], [1, -1, 1])  # type: ignore[arg-type]


def chain(*matrices: Any, slope: Any = 0) -> DeepNetwork:
    return DeepNetwork(tuple(np.array(matrix, dtype=float) for matrix in matrices), slope)


def deep(slope: Any = "1/4", size: float = 0.5) -> DeepNetwork:
    rng = np.random.default_rng(0)
    return DeepNetwork(tuple(size * rng.standard_normal(shape) for shape in ((3, 2), (3, 3), (1, 3))), slope)


def test_one_step_of_depth_three_by_hand() -> None:
    """All weights and x are 1, y = 2, rate 1/4: every layer feels the residual 1, so all become 5/4; then f = 125/64,
    residual 3/64.

    The second step adds (1/4) (3/64) (25/16) = 75/4096 to each: 5195/4096.
    """
    run = exact_deep_descent(
        chain([[1]], [[1]], [[1]]),
        Dataset([[1]], [2]),
        rate="1/4",
        steps=2,
        slope_at_zero=chain([[1]], [[1]], [[1]]).slope,
    )
    for layer in run.weights:
        assert [str(value) for value in layer[:, 0, 0]] == ["1", "5/4", "5195/4096"]


def test_a_unit_at_zero_takes_the_given_slope_and_a_dead_layer_stays() -> None:
    """w . x = 0: with sigma'(0) = 1 the first layer moves by rate * residual * 1, with 0 nothing moves in it at all."""
    net, data = chain([[0]], [[1]], [[1]]), Dataset([[1]], [2])
    for at_zero, first in (("1", "1/2"), ("0", "0")):
        run = exact_deep_descent(net, data, rate="1/4", steps=1, slope_at_zero=at_zero)
        assert [str(layer[1, 0, 0]) for layer in run.weights] == [first, "1", "1"]
    still = ball_deep_descent(net, data, rate="1/4", steps=50, slope_at_zero=net.slope)
    assert [float(layer[-1, 0, 0]) for layer in still.weights] == [0.0, 1.0, 1.0]


def test_depth_two_is_the_two_layer_code() -> None:
    """In rationals exactly, in balls by overlap; also with the outer layer fixed."""
    for outer in (True, False):
        one = exact_descent(TWO, DATA, rate="1/10", steps=3, train_outer=outer, slope_at_zero=TWO.slope)
        other = exact_deep_descent(
            as_deep(TWO), DATA, rate="1/10", steps=3, trained=[True, outer], slope_at_zero=TWO.slope
        )
        assert (one.inner == other.weights[0]).all()
        assert (one.outer == other.weights[1][:, 0]).all()
    balls, deeper = (
        ball_descent(TWO, DATA, rate="1/10", steps=100, slope_at_zero=TWO.slope),
        ball_deep_descent(as_deep(TWO), DATA, rate="1/10", steps=100, slope_at_zero=TWO.slope),
    )
    assert all(a.overlaps(b) for a, b in zip(balls.inner.reshape(-1), deeper.weights[0].reshape(-1), strict=True))


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC], ids=["square", "logistic"])
@pytest.mark.parametrize("slope", [0, "1/4", 1])
def test_balls_enclose_what_float64_approximates(loss: Loss, slope: Any) -> None:
    """After 150 steps of a network of depth three float64 is within 1e-13 of enclosures of radius below 1e-15; records
    agree.
    """
    run = ball_deep_descent(
        deep(slope), DATA, loss, rate="1/16", steps=150, record=[0, 75], accuracy=1e-16, slope_at_zero=deep(slope).slope
    )
    rough = descend_deep(deep(slope), DATA, loss, rate=1 / 16, steps=150, every=75, slope_at_zero=deep(slope).slope)
    assert run.radius < 1e-15
    assert run.steps == (0, 75, 150)
    for enclosed, floats in zip(run.weights, rough.weights, strict=True):
        middle = np.array(
            [
                float(w.mid()) if isinstance(w, arb) else float(fmpq(w).p) / float(fmpq(w).q)
                for w in enclosed.reshape(-1)
            ]
        )
        assert np.abs(middle.reshape(floats.shape) - floats).max() < 1e-13


def test_ties_divergence_and_bad_arguments_are_named() -> None:
    """A structural tie past the rational start is an unknown sign; a huge rate diverges; irrational
    losses need balls.
    """
    twins = chain(
        [[1], [1]], [[1, -1], [1, 1]], [[1, 1]]
    )  # the first unit of layer 2 sees the difference of two equal neurons
    with pytest.raises(SignUnknown, match="unit 0 of layer 2"):
        ball_deep_descent(
            twins,
            Dataset([[1]], [1]),
            LOGISTIC,
            rate="1/3",
            steps=9,
            trained=[True, False, True],
            slope_at_zero=twins.slope,
        )
    with pytest.raises(Diverged, match="step"):
        ball_deep_descent(deep(), DATA, rate=100, steps=60, slope_at_zero=deep().slope)
    with pytest.raises(BadInput, match="square"):
        exact_deep_descent(deep(), DATA, LOGISTIC, rate=1, steps=1, slope_at_zero=deep().slope)
    with pytest.raises(BadInput, match="rate"):
        exact_deep_descent(deep(), DATA, rate=-1, steps=1, slope_at_zero=deep().slope)
    with pytest.raises(BadInput, match="trained"):
        exact_deep_descent(deep(), DATA, rate=1, steps=1, trained=[True], slope_at_zero=deep().slope)
