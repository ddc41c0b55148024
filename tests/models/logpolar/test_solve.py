"""The log-polar flow: calibration values, agreement with the ordinary flow, degenerate starts, sliding, several
take-offs.
"""

from fractions import Fraction

import numpy as np
import pytest

from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.flow import gradient_flow
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.plateau import Change
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC_SUM, SQUARE, TWICE_LOGISTIC_SUM, Loss
from refute.models.network import TwoLayer
from refute.models.training import Stop

A = Dataset([[1, Fraction(1, 4)], [Fraction(5, 4), -1]], [1, Fraction(5, 4)])
A_SHAPE = [[Fraction(1, 2), 1], [Fraction(1, 2), Fraction(3, 2)], [Fraction(3, 2), Fraction(1, 2)]]
SEPARATED = Dataset([[1.0, 0.2], [1.0, -0.1], [-0.3, 0.02]], [1.0, 1.0, -1.0])


def balanced(seed: int, width: int, dimension: int, log_scale: float, slope: float = 0.0) -> Balanced:
    rng = np.random.default_rng(seed)
    return Balanced(rng.standard_normal((width, dimension)), rng.choice([-1.0, 1.0], width), log_scale, slope)


def generic(seed: int, samples: int, dimension: int) -> Dataset:
    rng = np.random.default_rng(seed)
    inputs = rng.standard_normal((samples, dimension))
    return Dataset(inputs, inputs @ rng.standard_normal(dimension))


@pytest.mark.parametrize("digits", [-100, -1216.833, -10000, -100000])
def test_the_calibration_instance_is_reproduced_at_every_scale(digits):
    """Instance A of chistikov2023: switching times, limit of the squared norms and final pair angle 1.12957 lambda."""
    run = log_polar_flow(Balanced(A_SHAPE, [1, 1, -1], digits * np.log(10), 0), A, SQUARE)
    assert run.stop is Stop.FITTED
    assert [(s.neuron, s.point, s.change) for s in run.switches] == [
        (2, 1, Change.LEAVES), (0, 1, Change.ENTERS), (1, 1, Change.ENTERS), (2, 0, Change.DIES)]  # fmt: skip
    assert np.allclose([s.time for s in run.switches], [0.516236, 0.600284, 0.943549, 2.623481], atol=1e-6)
    assert np.allclose(np.exp(2 * run.log_norm[-1]), [0.5100619, 0.4899381, 0], atol=2e-6)
    assert np.exp((run.log_gap[0, 1] + np.log(2)) / 2 - digits * np.log(10)) == pytest.approx(1.12957, abs=1e-5)
    assert run.dead.tolist() == [False, False, True]
    assert run.error < 1e-6


@pytest.mark.parametrize("exponent", [-2, -4, -6])
@pytest.mark.parametrize(
    "loss", [SQUARE, EXPONENTIAL_SUM, LOGISTIC_SUM, TWICE_LOGISTIC_SUM], ids=["square", "exp", "logistic", "twice"]
)
def test_it_agrees_with_the_ordinary_flow(loss: Loss, exponent: int):
    """Both coordinate systems give the same outputs at the same times, within the sum of their error bounds."""
    start = balanced(3, 5, 2, exponent * np.log(10))
    times = np.array([1.0, 5.0, 12.0, 20.0])
    run = log_polar_flow(start, SEPARATED, loss, times=times)
    inner = np.asarray(start.shape) * 10.0**exponent
    net = TwoLayer(inner, np.asarray(start.signs) * np.linalg.norm(inner, axis=1), 0)
    other = gradient_flow(net, SEPARATED, loss, times, tolerance=1e-11)
    rows = [int(np.argmin(np.abs(run.time - t))) for t in times]
    assert np.allclose(run.time[rows], times, rtol=1e-12)
    outputs = np.einsum(
        "tjn,tj->tn", np.maximum(np.einsum("tjd,nd->tjn", other.inner, SEPARATED.inputs), 0), other.outer
    )
    allowed = run.output_error + 10 * other.error + 1e-9
    assert np.abs(run.output[rows] - outputs).max() <= allowed
    assert allowed < 1e-5


@pytest.mark.parametrize("seed", [1, 3])
def test_sliding_trajectories_agree_with_the_ordinary_flow(seed: int):
    """On generic data neurons slide along hyperplanes; both integrators take the same Filippov solution."""
    start, data = balanced(seed, 6, 3, -3 * np.log(10)), generic(seed, 8, 3)
    times = np.array([2.0, 6.0, 10.0])
    run = log_polar_flow(start, data, SQUARE, times=times)
    inner = np.asarray(start.shape) * 1e-3
    other = gradient_flow(
        TwoLayer(inner, np.asarray(start.signs) * np.linalg.norm(inner, axis=1), 0), data, SQUARE, times, tolerance=1e-9
    )
    rows = [int(np.argmin(np.abs(run.time - t))) for t in times]
    weights = np.exp(run.log_norm[rows])[..., None] * run.direction[rows]
    assert any(s.change is Change.SLIDES for s in run.switches)
    assert np.abs(weights - other.inner).max() <= run.error * 10 + other.error + 1e-7


def test_the_error_bound_is_honest():
    """Outputs at a coarse tolerance differ from a much finer run by less than the reported bound."""
    start, data = balanced(5, 6, 3, -8 * np.log(10)), generic(7, 5, 3)
    times = [10.0, 20.0, 30.0]
    rough = log_polar_flow(start, data, SQUARE, times=times, tolerance=1e-6)
    fine = log_polar_flow(start, data, SQUARE, times=times, tolerance=1e-11)
    pick = lambda run: run.output[[int(np.argmin(np.abs(run.time - t))) for t in times]]  # noqa: E731
    assert np.abs(pick(rough) - pick(fine)).max() <= rough.output_error + fine.output_error


def test_a_second_take_off_far_behind_the_first_is_not_stepped_over():
    """A weak class takes off long after the strong one; at the end both are fitted, also at 10^-10000."""
    run = log_polar_flow(balanced(0, 6, 2, -10000 * np.log(10)), SEPARATED, SQUARE)
    assert run.stop is Stop.FITTED
    assert np.allclose(run.output[-1], SEPARATED.labels, atol=1e-5)


def test_the_invariant_gives_the_angle_that_the_directions_give():
    """At a moderate scale ln(1 - cos) from the conserved product equals the one from the directions."""
    run = log_polar_flow(Balanced(A_SHAPE, [1, 1, -1], np.log(1e-3), 0), A, SQUARE)
    direct = np.log(np.sum((run.direction[-1, 0] - run.direction[-1, 1]) ** 2) / 2)
    assert run.log_gap[0, 1] == pytest.approx(direct, abs=1e-3)


def test_training_never_increases_the_loss_and_directions_stay_unit():
    """Along the flow the loss is monotone within its error, and every direction has norm 1."""
    data = generic(2, 5, 3)
    run = log_polar_flow(balanced(1, 6, 3, -50.0), data, SQUARE)
    losses = ((run.output - data.labels) ** 2).sum(axis=1)
    assert (np.diff(losses) <= 100 * run.output_error + 1e-12).all()
    assert np.allclose(np.linalg.norm(run.direction, axis=2), 1, atol=1e-12)
    assert (np.diff(run.time) >= 0).all()


def test_dead_and_zero_neurons_stay_where_they_are():
    """A neuron inactive on every point, one on the boundary of the dead cone and a zero neuron never move; nothing is
    left to train.
    """
    data = Dataset([[1.0, 0.0], [1.0, 1.0]], [1.0, 2.0])
    run = log_polar_flow(Balanced([[-1.0, -0.5], [0.0, -1.0], [0.0, 0.0]], [1, 1, 1], -5.0, 0), data, SQUARE)
    assert run.stop is Stop.AT_REST
    assert run.dead.all()
    assert np.allclose(run.direction, run.direction[0])
    assert run.log_norm[-1, 2] == -np.inf


def test_a_neuron_on_a_hyperplane_and_repeated_points_are_accepted():
    """Starts on an activation boundary and repeated or zero points do not stop the flow."""
    data = Dataset([[1.0, 0.0], [1.0, 0.0], [0.5, 1.0], [0.0, 0.0]], [1.0, 1.0, 1.0, 0.0])
    run = log_polar_flow(Balanced([[0.0, 1.0], [1.0, -0.5]], [1, 1], -300.0, 0), data, SQUARE)
    assert run.stop is Stop.FITTED or run.stop is Stop.HORIZON
    assert np.isfinite(run.output).all()


def test_leaky_neurons_do_not_die():
    """With a positive slope every neuron keeps moving, and a linear network (slope 1) fits linear labels."""
    data = generic(4, 4, 2)
    run = log_polar_flow(balanced(2, 4, 2, -1000.0, slope=1.0), data, SQUARE)
    assert run.stop is Stop.FITTED
    assert not run.dead.any()


def test_bad_arguments_are_named():
    """Negative times, a level of zero and a wrong dimension are errors that name the argument."""
    start = Balanced([[1.0, 0.0]], [1], -5.0, 0)
    with pytest.raises(BadInput, match="times"):
        log_polar_flow(start, A, SQUARE, times=[-1.0])
    with pytest.raises(BadInput, match="level"):
        log_polar_flow(start, A, SQUARE, level=0.0)
    with pytest.raises(BadInput, match="dimension"):
        log_polar_flow(Balanced([[1.0]], [1], -5.0, 0), A, SQUARE)
    with pytest.raises(BadInput, match="signs"):
        Balanced([[1.0, 0.0]], [2], -5.0, 0)


def test_a_tie_at_a_point_that_is_fitted_from_the_start_does_not_stop_the_flow():
    """The zero label at (-1, 0) pulls by round-off only while neurons pass its hyperplane: they neither stick to it nor
    cycle.
    """
    data = Dataset([[-0.25, 0.5], [-1.0, 0.0], [-0.25, -1.0]], [0.5, 0.0, -2.0])
    start = Balanced([[-0.5, 0.75], [-1.0, 0.75], [0.75, -1.0], [-0.75, 0.75]], [-1, -1, 1, 1], -118.8, 0.25)
    run = log_polar_flow(start, data, SQUARE, tolerance=1e-7, level=1e-3)
    assert run.stop is Stop.FITTED
    assert len(run.switches) < 20
