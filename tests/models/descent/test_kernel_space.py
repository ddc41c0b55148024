"""kou2023's gradient descent in the span of the data."""

from fractions import Fraction

import numpy as np
import pytest

from refute.errors import BadInput, Diverged
from refute.models.dataset import Dataset
from refute.models.descent.kernel_space import kernel_descent, start
from refute.models.descent.single import descend
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE, Loss
from refute.models.network import TwoLayer, signed_halves


def _case(slope: float = 0.5) -> tuple[TwoLayer, Dataset]:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 9)) / 3
    return signed_halves(0.1 * rng.standard_normal((3, 9)), 0.1 * rng.standard_normal((3, 9)), slope), Dataset(
        x, np.array([1.0, -1, -1, 1])
    )


@pytest.mark.parametrize("loss", [LOGISTIC, EXPONENTIAL_SUM, SQUARE], ids=str)
@pytest.mark.parametrize("slope", [0.0, 0.2, 1.0])
def test_the_span_holds_the_weights(loss: Loss, slope: float) -> None:
    """w(t) = w(0) + sum_i c_i(t) x_i and u = <w, x_i> are those of descent on the weights (3.2), to round-off."""
    net, data = _case(slope)
    problem, state = start(net, data, rate=0.1, loss=loss, slope_at_zero=1.0)
    end = kernel_descent(problem, state, 300)
    run = descend(net, data, loss, rate=0.1, steps=300, slope_at_zero=1.0, train_outer=False)
    np.testing.assert_allclose(end.inner(net, data), run.inner[-1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(end.signals, run.inner[-1] @ data.inputs.T, rtol=0, atol=1e-12)
    assert float(problem.value(end.signals)) == pytest.approx(run.loss[-1], rel=1e-11)


def test_one_step_is_the_printed_recursion() -> None:
    """rho changes by eta |x_i|^2 / (nm) s_i sigma'(u) j y_i, with s_i = 1 / (1 + e^{q_i})."""
    net, data = _case(0.25)
    problem, state = start(net, data, rate=0.3, slope_at_zero=1.0)
    after = kernel_descent(problem, state, 1)
    s = 1 / (1 + np.exp(problem.margins(state.signals)))
    gates = np.where(state.signals >= 0, 1.0, 0.25)
    j = np.repeat([1.0, -1.0], 3)[:, None]
    wanted = 0.3 * (data.inputs**2).sum(axis=1) / (4 * 3) * s * gates * j * data.labels
    np.testing.assert_allclose(after.rho(problem), wanted, rtol=1e-13)


def test_splitting_a_run_changes_nothing() -> None:
    """100 steps are 60 steps and 40 steps, to the last bit."""
    problem, state = start(*_case(), rate=0.1, slope_at_zero=1.0)
    whole, split = kernel_descent(problem, state, 100), kernel_descent(problem, kernel_descent(problem, state, 60), 40)
    np.testing.assert_array_equal(whole.signals, split.signals)
    assert split.step == 100


def test_the_convention_at_zero_matters_from_zero_weights_only() -> None:
    """From W = 0 the value sigma'(0) decides the first step; from Gaussian weights the trajectories
    agree bit by bit.
    """
    net, data = _case(0.0)
    zero = signed_halves(np.zeros((3, 9)), np.zeros((3, 9)), 0.0)
    ends = {}
    for at_zero in (0.0, 1.0):
        ends[at_zero] = [
            kernel_descent(*start(case, data, rate=0.1, slope_at_zero=at_zero), 20).coefficients for case in (net, zero)
        ]
    np.testing.assert_array_equal(ends[0.0][0], ends[1.0][0])
    assert not ends[0.0][1].any()
    assert ends[1.0][1].any()


def test_wrong_input_is_named() -> None:
    """A negative rate, a negative number of steps, other dimensions: the argument is in the message."""
    net, data = _case()
    with pytest.raises(BadInput, match="rate"):
        start(net, data, rate=-1.0, slope_at_zero=1.0)
    problem, state = start(net, data, rate=1.0, slope_at_zero=1.0)
    with pytest.raises(BadInput, match="steps"):
        kernel_descent(problem, state, -1)
    with pytest.raises(BadInput, match="dimension"):
        start(net, Dataset(np.ones((2, 3)), np.ones(2)), rate=1.0, slope_at_zero=1.0)


def test_divergence_names_the_step() -> None:
    """The square loss with a rate that is far too large stops with the step in the message."""
    problem, state = start(*_case(), rate=1e4, loss=SQUARE, slope_at_zero=1.0)
    with pytest.raises(Diverged, match=r"step \d+"):
        kernel_descent(problem, state, 10_000)


def test_the_sign_of_a_first_signal_is_the_exact_one() -> None:
    """Where every sum of products would round to zero, or away from it."""
    inner = np.array([[1.0, 2.0**-80, -1.0], [0.1, -0.3, 0.0], [1.0, 0.0, -1.0]])
    _, state = start(
        signed_halves(inner, inner, 0.5),
        Dataset(np.array([[1.0, 1.0, 1.0], [3.0, 1.0, 0.0]]), np.ones(2)),
        rate=1.0,
        slope_at_zero=1.0,
    )
    assert state.signals[0, 0] == 2.0**-80
    assert state.signals[1, 1] == float(Fraction(0.1) * 3 - Fraction(0.3)) > 0
    assert state.signals[2, 0] == 0
