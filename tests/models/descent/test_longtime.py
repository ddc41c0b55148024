"""Gradient descent for very long times."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.special import expit

from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.descent.kernel_space import Problem, State, kernel_descent, start
from refute.models.descent.longtime import LongRun, collocation, left_out, long_descent, pivoted_cholesky
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE, Loss
from refute.models.network import signed_halves
from refute.models.training import Stop

Floats = NDArray[np.float64]


def _problem(
    seed: int, *, n: int = 4, m: int = 5, slope: float = 0.5, p: float = 0.02, rate: float = 0.5, scale: float = 0.01
) -> tuple[Problem, State]:
    """kou2023 with a Gram matrix of unit diagonal and off-diagonal p y_i y_k, alternating labels."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, -1.0, 1.0)
    gram = np.eye(n) + p * (1 - np.eye(n)) * np.outer(y, y)
    w = scale * rng.standard_normal((2, m, n))
    return start(signed_halves(w[0], w[1], slope), Dataset(np.linalg.cholesky(gram), y), rate=rate, slope_at_zero=1.0)


def _gap(run: LongRun, k: int, state: State) -> float:
    pairs = ((run.signals[k], state.signals), (run.coefficients[k], state.coefficients))
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)


@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_with_stepping_within_the_reported_error(seed: int) -> None:
    """At t = 10, 10^3, 10^5 the run differs from direct steps by less than its error, which is below 1e-7."""
    rng = np.random.default_rng(seed)
    slope, p, scale = (
        float(rng.choice([0.0, 0.1, 0.5, 1.0])),
        float(rng.choice([0.0, 0.01, 0.05])),
        float(rng.choice([1e-3, 0.3])),
    )
    problem, state = _problem(
        seed, n=int(rng.integers(1, 7)), m=int(rng.integers(1, 6)), slope=slope, p=p, scale=scale, rate=2.0
    )
    run = long_descent(problem, state, np.array([10.0, 1e3, 1e5]))
    assert run.stop is Stop.HORIZON
    assert run.error < 1e-7
    for k, time in enumerate(run.time):
        state = kernel_descent(problem, state, int(time) - state.step)
        assert _gap(run, k, state) <= run.error


def test_a_million_steps() -> None:
    """n = 4, m = 5, t = 10^6: margins, loss and weights agree with direct steps to nine digits."""
    problem, state = _problem(0)
    run = long_descent(problem, state, np.array([1e6]))
    end = kernel_descent(problem, state, 10**6)
    assert _gap(run, 0, end) <= run.error < 1e-8
    np.testing.assert_allclose(run.margins[0], problem.margins(end.signals), rtol=1e-9)
    assert run.loss[0] == pytest.approx(float(problem.value(end.signals)), rel=1e-8)


def test_sign_changes_are_followed() -> None:
    """A start whose pattern changes after the freeze is frozen anew at the very step, and still agrees with direct
    steps.
    """
    rng = np.random.default_rng(31)
    net = signed_halves(0.5 * rng.standard_normal((3, 2)), 0.5 * rng.standard_normal((3, 2)), 0.01)
    problem, state = start(net, Dataset(np.eye(2), np.array([1.0, -1.0])), rate=0.05, slope_at_zero=1.0)
    run = long_descent(problem, state, np.array([1e5]), freeze=10)
    assert len(run.frozen) > 1
    assert _gap(run, 0, kernel_descent(problem, state, 10**5)) <= run.error < 1e-5
    assert run.frozen[1] == pytest.approx(round(run.frozen[1]), rel=1e-12)


def test_orthogonal_data_obey_the_scalar_law() -> None:
    """With p = 0 the reduced system is q + e^q = kappa (t - t0) + const up to O(log t): at 10^18 it holds to 1e-12 of
    kappa t.
    """
    problem, state = _problem(1, p=0.0)
    run = long_descent(problem, state, np.array([1e4, 1e18]))
    q0, q1 = run.margins
    gates = np.where(run.signals[-1] > 0, 1.0, 0.5)
    kappa = problem.step * np.diag(problem.gram) * ((problem.outer[:, None] * gates) ** 2).sum(axis=0)
    np.testing.assert_allclose(q1 + np.exp(q1), kappa * (1e18 - 1e4) + q0 + np.exp(q0), rtol=1e-7)


def test_the_implicit_integrator_agrees_with_scipy_radau() -> None:
    """From a frozen state at 3000 to 10^12, scipy's Radau on the plain equation dA/dtau = e^tau expit(-q(A)) gives the
    same margins.
    """
    problem, state = _problem(2, p=0.05)
    middle = kernel_descent(problem, state, 3000)
    gates = np.where(middle.signals > 0, 1.0, 0.5)
    push = problem.outer[:, None] * gates * problem.labels
    matrix = problem.step * problem.gram * (push.T @ push)
    q0 = problem.margins(middle.signals)

    def field(tau: float, a: Floats) -> Floats:
        return np.asarray(np.exp(tau) * expit(-(q0 + matrix @ a)))

    def jacobian(tau: float, a: Floats) -> Floats:
        s = expit(-(q0 + matrix @ a))
        return np.asarray(-np.exp(tau) * (s * (1 - s))[:, None] * matrix)

    span = (np.log(3000.0), np.log(1e12))
    reference = solve_ivp(field, span, np.zeros(4), "Radau", rtol=1e-10, atol=1e-12, jac=jacobian)
    run = long_descent(problem, state, np.array([1e12]))
    np.testing.assert_allclose(run.margins[0], q0 + matrix @ reference.y[:, -1], rtol=2e-5)


def test_the_error_falls_with_the_square_of_the_freeze() -> None:
    """Frozen at t0 the terms dropped, O(s^4), leave an error O(t0^-2 / t) at a later t: frozen eight times later, 64
    times better.
    """
    problem, state = _problem(3, rate=20.0)
    exact = kernel_descent(problem, state, 20_000)
    gaps = [
        _gap(long_descent(problem, state, np.array([2e4]), freeze=freeze, tolerance=1e-12), 0, exact)
        for freeze in (8, 64)
    ]
    assert 40 < gaps[0] / gaps[1] < 90


def test_very_long_times() -> None:
    """At t = 10^20 the margins still grow like log t and the loss like 1/t, in a leaky and in an exponential run."""
    problem, state = _problem(4)
    run = long_descent(problem, state, np.array([1e12, 1e16, 1e20]))
    assert run.stop is Stop.HORIZON
    np.testing.assert_allclose(np.diff(run.margins, axis=0), np.log(1e4), rtol=1e-6)
    np.testing.assert_allclose(run.loss * run.time, run.loss[0] * run.time[0], rtol=1e-6)
    other = Problem(problem.gram, problem.labels, problem.outer, 0.5, 1.0, 0.1, EXPONENTIAL_SUM)
    assert long_descent(other, state, np.array([1e20])).stop is Stop.HORIZON


@pytest.mark.parametrize("loss", [LOGISTIC, EXPONENTIAL_SUM], ids=["logistic", "exponential"])
def test_opposing_labels_on_one_input_hold_each_other(loss: Loss) -> None:
    """Two samples pull for ever against each other: the output tends to zero, the coefficients grow like t; a third is
    fitted.
    """
    rng = np.random.default_rng(0)
    w = 0.1 * rng.standard_normal((2, 3, 2))
    data = Dataset(np.array([[1.0, 0.5], [0.3, -1.0], [1.0, 0.5]]), np.array([1.0, 1.0, -1.0]))
    problem, state = start(signed_halves(w[0], w[1], 0.5), data, rate=0.1, loss=loss, slope_at_zero=1.0)
    run = long_descent(problem, state, np.array([1e5, 1e12]))
    assert _gap(run, 0, kernel_descent(problem, state, 10**5)) <= run.error < 1e-3
    assert run.stop is Stop.HORIZON
    assert (run.signals[:, :, 0] == run.signals[:, :, 2]).all()
    assert np.abs(run.margins[1, [0, 2]]).max() < 1e-6 < 5 < run.margins[1, 1]
    gates = np.where(run.signals[1, :, 0] > 0, 1.0, 0.5)
    share = 0.5 if loss is LOGISTIC else 1.0
    np.testing.assert_allclose(
        run.coefficients[1, :, 0], share * problem.step * problem.outer * gates * 1e12, rtol=1e-6
    )


def test_a_label_zero_pulls_at_nothing() -> None:
    """A sample with label zero changes neither the others' signals nor has it a coefficient."""
    problem, state = _problem(6, n=4)
    silent = Problem(problem.gram, problem.labels * [1, 1, 1, 0], problem.outer, 0.5, 1.0, 0.5, LOGISTIC)
    run = long_descent(silent, state, np.array([1e4, 1e16]))
    assert run.stop is Stop.HORIZON
    assert (run.coefficients[:, :, 3] == 0).all()
    three = Problem(problem.gram[:3, :3], problem.labels[:3], problem.outer, 0.5, 1.0, 0.5 * 3 / 4, LOGISTIC)
    without = long_descent(three, State(0, state.signals[:, :3], state.coefficients[:, :3]), np.array([1e4, 1e16]))
    np.testing.assert_allclose(run.signals[:, :, :3], without.signals, rtol=0, atol=1e-8 * np.abs(run.signals).max())


def test_a_sample_much_smaller_than_the_others_still_moves() -> None:
    """Squared norms 10^11.6 apart, and the gates of a ReLU that is nearly dead besides: the small sample follows the
    plain recursion.
    """
    net = signed_halves(np.array([[0.0, 0.0]]), np.array([[0.0, -1.0]]), 0.01)
    problem, state = start(net, Dataset(np.diag([249.0, 1 / 2500]), np.array([1.0, -1.0])), rate=1.0, slope_at_zero=1.0)
    run = long_descent(problem, state, np.array([3e6]))
    end = kernel_descent(problem, state, 3_000_000)
    assert end.signals[1, 1] > 0.07
    assert run.signals[0, 1, 1] == pytest.approx(end.signals[1, 1], rel=1e-6)
    assert _gap(run, 0, end) <= run.error < 1e-8


def _opposed(second: list[float]) -> tuple[Problem, State]:
    """A linear network on (1, 0) with label 1 and on another input with label -1."""
    net = signed_halves(np.array([[0.5, 0.25]]), np.array([[0.25, 0.5]]), 1.0)
    return start(net, Dataset(np.array([[1.0, 0.0], second]), np.array([1.0, -1.0])), rate=1.0, slope_at_zero=1.0)


def test_what_the_factor_leaves_out_is_part_of_the_error() -> None:
    """Inputs 10^-9 apart and opposed: their difference is below round-off, and separates them when amounts have grown
    to 10^18.
    """
    problem, state = _opposed([1.0, 1e-9])
    errors = [long_descent(problem, state, np.array([time])).error for time in (1e6, 1e20)]
    assert errors[0] < 1e-2
    assert errors[1] == np.inf


def test_dependent_inputs_leave_nothing_out() -> None:
    """In balls the second input has no part outside the span of the first; a tiny one is measured as it is."""
    for second, outside in (([3.0, 0.0], 0.0), ([3.0, 2.0**-30], 2.0**-60)):
        problem, _ = _opposed(second)
        gates = np.ones((2, 2))
        matrix = (gates * problem.outer) @ (gates * problem.outer).T * problem.gram * problem.step
        assert pivoted_cholesky(matrix)[1] == [0]
        found = left_out(problem, np.arange(2), gates, matrix, [0])
        assert found[0] == 0
        assert found[1] == pytest.approx(outside * problem.step * 2, rel=1e-12, abs=1e-150)


def test_inputs_whose_squares_leave_the_floats_are_refused() -> None:
    """10^200 and 10^-200 square to infinity and zero."""
    one = np.ones((1, 1))
    for size in (1e200, 1e-200):
        with pytest.raises(BadInput, match="squared norms"):
            start(
                signed_halves(one, one, 0.5),
                Dataset(np.array([[size], [1.0]]), np.array([1.0, -1.0])),
                rate=1.0,
                slope_at_zero=1.0,
            )


def test_pivoted_cholesky_has_as_many_columns_as_the_rank() -> None:
    """L L^T gives the matrix back; of rank two among four, and zero."""
    half = np.array([[1.0, 2.0], [2.0, 4.0], [0.0, 1.0], [1.0, -1.0]])
    factor, pivots = pivoted_cholesky(half @ half.T)
    assert factor.shape == (4, 2)
    assert len(set(pivots)) == 2
    np.testing.assert_allclose(factor @ factor.T, half @ half.T, atol=1e-13)
    factor, pivots = pivoted_cholesky(np.zeros((2, 2)))
    assert not factor.any()
    assert not pivots


def test_chatter_is_reported() -> None:
    """ReLU on negatively correlated classes slides along a boundary: times within reach are stepped, later ones left
    out.
    """
    rng = np.random.default_rng(40)
    y = np.array([1.0, -1.0, 1.0, -1.0])
    gram = np.eye(4) - 0.1 * (1 - np.eye(4)) * np.outer(y, y)
    w = 0.5 * rng.standard_normal((2, 5, 4))
    problem, state = start(
        signed_halves(w[0], w[1], 0.0), Dataset(np.linalg.cholesky(gram), y), rate=2.0, slope_at_zero=1.0
    )
    run = long_descent(problem, state, np.array([100.0, 1e5, 1e9]), changes=20)
    assert run.stop is Stop.CHATTERS
    assert run.time.tolist() == [100.0, 1e5]
    np.testing.assert_array_equal(run.signals[-1], kernel_descent(problem, state, 10**5).signals)
    assert "raise `direct`" in run.stop.value
    assert long_descent(problem, state, np.array([1e5]), changes=20).stop is Stop.HORIZON


def test_radau_nodes_integrate_exactly() -> None:
    """Collocation at s nodes integrates polynomials of degree 2s - 2 exactly, and ends at 1."""
    for stages in (2, 5, 7):
        nodes, weights, _ = collocation(stages)
        assert nodes[-1] == 1
        for degree in range(2 * stages - 1):
            assert weights[-1] @ nodes**degree == pytest.approx(1 / (degree + 1), rel=1e-13)


def test_wrong_input_is_named() -> None:
    """Times that do not increase, are no whole steps or not finite, other losses and labels: named in the message."""
    problem, state = _problem(5)
    for times in ([], [2.0, 1.0], [1.5], [np.nan], [-1.0]):
        with pytest.raises(BadInput, match="times"):
            long_descent(problem, state, np.array(times))
    with pytest.raises(BadInput, match="tolerance"):
        long_descent(problem, state, np.array([10.0]), tolerance=0.0)
    with pytest.raises(BadInput, match="freeze"):
        long_descent(problem, state, np.array([10.0]), freeze=0)
    with pytest.raises(BadInput, match="loss"):
        long_descent(
            Problem(problem.gram, problem.labels, problem.outer, 0.5, 1.0, 0.1, SQUARE), state, np.array([10.0])
        )
    with pytest.raises(BadInput, match="labels"):
        long_descent(
            Problem(problem.gram, 2 * problem.labels, problem.outer, 0.5, 1.0, 0.1, LOGISTIC), state, np.array([10.0])
        )


def test_outputs_that_overflow_end_the_run() -> None:
    """The exponential loss with steps that are far too large: nothing raises, and the error decides nothing."""
    inputs = np.array([[0.0, 0.25], [-1.0, 0.25], [-0.75, 0.5], [-0.75, 0.75], [0.00075, 0.2495]])
    net = signed_halves(np.array([[-0.5, -0.25]]) / 1024, np.array([[0.00048828125, 0.0009765625]]), 0.0)
    problem, state = start(
        net, Dataset(inputs, np.array([-1.0, 1.0, -1.0, -1.0, -1.0])), rate=1.0, loss=EXPONENTIAL_SUM, slope_at_zero=1.0
    )
    run = long_descent(problem, state, np.array([20.0, 664.0]), freeze=15)
    assert run.error > 1
