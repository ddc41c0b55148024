"""Gradient descent in rationals and balls."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from refute.errors import BadInput, Diverged, SignUnknown
from refute.models.dataset import Dataset
from refute.models.descent.exact import ball_descent, exact_descent
from refute.models.descent.single import descend
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE, Loss
from refute.models.network import TwoLayer, signed_halves

NET = TwoLayer([[1, "1/2"], [-1, 2], ["1/3", -1]], [1, "-1/2", "3/4"], "1/8")  # type: ignore[arg-type]
DATA = Dataset([[1, 1], [-1, 2], [2, "-1/2"], [0, 1]], [1, -1, 1, 1])  # type: ignore[arg-type]


def _even(points: list[list[str]], labels: list[str]) -> Dataset:
    """Points and their mirror images, with odd labels: Condition 3."""
    rows = [[Fraction(v) for v in row] for row in points]
    targets = [Fraction(v) for v in labels]
    mirrored = [[-v for v in row] for row in rows]
    return Dataset(rows + mirrored, targets + [-v for v in targets])  # type: ignore[arg-type, operator]


def _rank_one(outer: list[str], direction: list[str]) -> tuple[list[list[Fraction]], list[Fraction]]:
    """W1 = W2^T r^T with a unit r: Assumption 4, if the norms of the positive and negative parts agree."""
    v, r = [Fraction(x) for x in outer], [Fraction(x) for x in direction]
    return [[a * b for b in r] for a in v], v


@pytest.mark.parametrize(
    ("alpha", "root"),
    [
        ("1/8", "3/4"),
        ("7/25", "4/5"),
        ("1", "1"),
        ("17/32", "7/8"),
        ("1/49", "5/7"),
        ("47/81", "8/9"),
        ("17/81", "7/9"),
    ],
)
def test_relu_descent_is_linear_descent_in_exact_rationals(alpha: str, root: str) -> None:
    """Under Condition 3 and Assumption 4 steps of size eta on slope alpha are steps of size eta (alpha+1)/2 on the
    linear network.

    W = W_lin / c with c = sqrt((alpha+1)/2), exactly, after every step (zhang2024, Theorem 5, for descent).
    """
    slope = Fraction(alpha)
    half = (slope + 1) / 2
    c = Fraction(root)
    assert c * c == half
    data = _even([["1", "2"], ["-3/2", "1"], ["0", "1"]], ["1", "2", "-1/2"])
    inner, outer = _rank_one(["3", "4", "-5"], ["3/5", "-4/5"])
    linear = TwoLayer(inner, outer, 1)  # type: ignore[arg-type]
    scaled = TwoLayer([[w / c for w in row] for row in inner], [v / c for v in outer], slope)  # type: ignore[arg-type]
    eta = Fraction(1, 100)
    relu = exact_descent(scaled, data, rate=eta, steps=4, slope_at_zero=half)
    line = exact_descent(linear, data, rate=eta * half, steps=4, slope_at_zero=linear.slope)
    lifted = c.numerator, c.denominator
    for one, other in ((relu.inner, line.inner), (relu.outer, line.outer)):
        assert (one * lifted[0] == other * lifted[1]).all()


def test_the_equivalence_needs_the_balanced_signs() -> None:
    """With |W2+| != |W2-| the two descents differ after one step: the test above can fail."""
    data = _even([["1", "2"], ["-3/2", "1"]], ["1", "2"])
    inner, outer = _rank_one(["3", "4", "-4"], ["3/5", "-4/5"])
    c = Fraction(3, 4)
    scaled = TwoLayer([[w / c for w in row] for row in inner], [v / c for v in outer], "1/8")  # type: ignore[arg-type]
    relu = exact_descent(scaled, data, rate="1/100", steps=1, slope_at_zero="9/16")
    line = exact_descent(TwoLayer(inner, outer, 1), data, rate="9/1600", steps=1, slope_at_zero=1)  # type: ignore[arg-type]
    assert not (relu.inner * 3 == line.inner * 4).all()


def test_one_exact_step_by_hand() -> None:
    """w = v = x = 1, y = 2, rate 1/4: the residual is 1, so both weights become 5/4."""
    run = exact_descent(TwoLayer([[1]], [1], 0), Dataset([[1]], [2]), rate="1/4", steps=1, slope_at_zero=0)  # type: ignore[arg-type]
    assert str(run.inner[1, 0, 0]) == "5/4"
    assert str(run.outer[1, 0]) == "5/4"


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC, EXPONENTIAL_SUM], ids=str)
@pytest.mark.parametrize("train_outer", [True, False])
def test_balls_enclose_what_float64_approximates(loss: Loss, train_outer: bool) -> None:
    """After 1000 steps the float64 weights lie within 1e-12 of enclosures whose radius is below 1e-15."""
    balls = ball_descent(
        NET,
        DATA,
        loss,
        rate="1/20",
        steps=1000,
        record=[0, 500],
        train_outer=train_outer,
        accuracy=1e-16,
        slope_at_zero=NET.slope,
    )
    floats = descend(
        NET, DATA, loss, rate=0.05, steps=1000, every=500, train_outer=train_outer, slope_at_zero=NET.slope
    )
    assert balls.steps == (0, 500, 1000)
    assert balls.radius < 1e-15
    for exact, approximate in ((balls.inner, floats.inner), (balls.outer, floats.outer)):
        middle = np.vectorize(lambda v: float(arb(v).mid()))(exact)
        np.testing.assert_allclose(approximate, middle, rtol=0, atol=1e-12)


def test_balls_contain_the_rational_trajectory() -> None:
    """Where both can be had, rationals lie inside the balls, at every step of the overlap."""
    exact = exact_descent(NET, DATA, rate="1/8", steps=8, slope_at_zero=NET.slope)
    balls = ball_descent(NET, DATA, rate="1/8", steps=8, record=range(8), accuracy=1e-20, slope_at_zero=NET.slope)
    assert 0 < balls.rational_steps < 8
    for step in range(9):
        for value, ball in zip(exact.inner[step].reshape(-1), balls.inner[step].reshape(-1), strict=True):
            assert arb(ball).overlaps(arb(value))


def test_structural_zeros_stay_exact() -> None:
    """A zero neuron, a dead neuron and a neuron orthogonal to an input through orthogonal data do
    not stop the balls.
    """
    dead = TwoLayer([[0, 0], [1, -1], [-1, -1]], [0, 1, 1], 0)  # type: ignore[arg-type]
    run = ball_descent(dead, Dataset([[1, 1], [2, 1]], [1, 1]), LOGISTIC, rate=1, steps=200, slope_at_zero=dead.slope)  # type: ignore[arg-type]
    assert [str(v) for v in run.inner[-1, 0]] == ["0", "0"]
    assert [float(v) for v in run.inner[-1, 2]] == [-1.0, -1.0]
    tied = TwoLayer([[1, -1]], [1], 0)  # type: ignore[arg-type]
    orthogonal = Dataset([[1, 1], [1, -1], [2, -2]], [1, 1, 1])  # type: ignore[arg-type]
    assert ball_descent(tied, orthogonal, LOGISTIC, rate=1, steps=200, slope_at_zero=tied.slope).bits == 128


def test_an_undecidable_tie_is_named() -> None:
    """Two mirrored inputs keep w . x_0 at zero by cancellation, which no precision decides: the error names step and
    pair.
    """
    tied = TwoLayer([[1, 0]], [1], 0)  # type: ignore[arg-type]
    mirrored = Dataset([[0, 1], [1, 1], [1, -1]], [1, 1, 1])  # type: ignore[arg-type]
    with pytest.raises(SignUnknown, match=r"step 1: the sign of w_0 \. x_0 .* tie"):
        ball_descent(tied, mirrored, LOGISTIC, rate=1, steps=5000, slope_at_zero=tied.slope)


def test_a_linear_network_needs_no_signs() -> None:
    """At slope 1 the same tie does no harm."""
    tied = TwoLayer([[1, 0]], [1], 1)  # type: ignore[arg-type]
    mirrored = Dataset([[0, 1], [1, 1], [1, -1]], [1, 1, 1])  # type: ignore[arg-type]
    assert ball_descent(tied, mirrored, LOGISTIC, rate=1, steps=50, slope_at_zero=tied.slope).bits == 128


def test_precision_doubles_until_signs_are_known() -> None:
    """A signal of size 2^-300 needs more than the first 128 bits only if it must be told from its own error."""
    tiny = Fraction(1, 2**300)
    net = TwoLayer([[1 + tiny, -1]], [1], 0)  # type: ignore[arg-type]
    run = ball_descent(net, Dataset([[1, 1], [1, 2]], [1, -1]), LOGISTIC, rate="1/8", steps=20, slope_at_zero=net.slope)  # type: ignore[arg-type]
    assert run.radius < 1e-12


def test_kou2023_steps_have_fixed_outer_weights() -> None:
    """With `train_outer=False` the outer weights stay exactly +-1/m."""
    net = signed_halves(np.array([[1, 0]], dtype=object), np.array([[0, 1]], dtype=object), "1/2")
    run = ball_descent(net, DATA, LOGISTIC, rate="1/4", steps=20, slope_at_zero=1, train_outer=False)
    assert [float(v) for v in run.outer[-1]] == [1.0, -1.0]


def test_divergence_names_the_step() -> None:
    """A step size that is too large leaves every bound, in balls too."""
    with pytest.raises((Diverged, SignUnknown), match="step"):
        ball_descent(NET, DATA, rate=100, steps=1000, slope_at_zero=NET.slope)


def test_wrong_input_is_named() -> None:
    """The argument at fault is in the message."""
    with pytest.raises(BadInput, match="loss must be the square loss"):
        exact_descent(NET, DATA, LOGISTIC, rate=1, steps=1, slope_at_zero=NET.slope)
    for name, wrong in {
        "rate": {"rate": -1},
        "steps": {"rate": 1, "steps": -1},
        "slope_at_zero": {"rate": 1, "slope_at_zero": 2},
    }.items():
        with pytest.raises(BadInput, match=name):
            exact_descent(NET, DATA, **{"steps": 1, "slope_at_zero": 0, **wrong})  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="record"):
        ball_descent(NET, DATA, rate=1, steps=3, record=[5], slope_at_zero=NET.slope)
