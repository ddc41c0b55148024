"""Gradient flow against what is known without integrating: closed forms, conserved quantities, and
its own finer runs.
"""

import numpy as np
import pytest

from refute.errors import BadInput, Diverged
from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.loss import LOGISTIC, LOGISTIC_PRINTED, SQUARE, Loss

TIMES = np.linspace(0, 3, 7)
ONE = Dataset(np.array([[1.0]]), np.array([2.0]))


def random_case(seed: int, slope: float) -> tuple[TwoLayer, Dataset]:
    rng = np.random.default_rng(seed)
    data = Dataset(rng.standard_normal((4, 2)), rng.standard_normal(4))
    return TwoLayer(rng.standard_normal((3, 2)), rng.standard_normal(3), slope), data


def gap(one, other) -> float:
    return float(max(np.abs(one.inner - other.inner).max(), np.abs(one.outer - other.outer).max()))


@pytest.mark.parametrize("start", [1e-6, 0.1, 1.0, 3.0])
@pytest.mark.parametrize("tau", [0.5, 1.0, 4.0])
def test_one_linear_neuron_follows_the_logistic_curve(start: float, tau: float):
    """With w = a the product s = w a obeys tau s' = 2 s (y - s); the error bound covers the difference."""
    run = gradient_flow(TwoLayer([[start]], [start], 1), ONE, SQUARE, TIMES * tau, tau=tau)
    s = 2 / (1 + (2 / start**2 - 1) * np.exp(-4 * TIMES))
    assert np.abs(run.outer[:, 0] - np.sqrt(s)).max() <= run.error + 1e-14
    assert np.abs(run.inner[:, 0, 0] - np.sqrt(s)).max() <= run.error + 1e-14
    assert run.error < 1e-7


def test_zero_weights_stay_zero():
    """They are a stationary point."""
    run = gradient_flow(TwoLayer([[0.0]], [0.0], 0), ONE, SQUARE, TIMES)
    assert not run.outer.any()
    assert not run.inner.any()


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8, 1e-12])
def test_a_neuron_that_fits_the_data_stays(tolerance: float):
    """A stable stationary point is kept to within the error, over long times."""
    for label in (0.5, 2.0, 3.0, 5.0, 10.0):
        start = np.sqrt(label)
        fitted = Dataset(np.array([[1.0]]), np.array([label]))
        for horizon in (1, 3, 10, 30):
            run = gradient_flow(
                TwoLayer([[start]], [start], 0), fitted, SQUARE, np.linspace(0, horizon, 50), tolerance=tolerance
            )
            assert np.abs(run.outer - start).max() <= run.error


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("residual", [SQUARE, LOGISTIC, LOGISTIC_PRINTED], ids=["square", "logistic", "printed"])
@pytest.mark.parametrize("seed", range(5))
def test_the_error_bound_is_honest(seed: int, slope: float, residual):
    """A coarse run is nearer to a much finer one than its error says, with crossings on the way; 45 cases."""
    net, data = random_case(seed, slope)
    times = TIMES / 3
    coarse = gradient_flow(net, data, residual, times, tolerance=1e-5)
    fine = gradient_flow(net, data, residual, times, tolerance=1e-12)
    assert gap(coarse, fine) <= coarse.error + fine.error
    assert fine.error < 1e-6


@pytest.mark.parametrize("slope", [0.0, 0.5])
def test_a_finer_tolerance_gives_a_smaller_error(slope: float):
    """The bound falls with the tolerance, over most of its range."""
    net, data = random_case(11, slope)
    errors = [gradient_flow(net, data, SQUARE, TIMES, tolerance=t).error for t in (1e-4, 1e-7, 1e-10)]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_every_neuron_keeps_its_imbalance(seed: int, slope: float):
    """|w_h|^2 - a_h^2 is conserved to what the error of the weights allows."""
    net, data = random_case(seed, slope)
    run = gradient_flow(net, data, SQUARE, TIMES)
    imbalance = (run.inner**2).sum(axis=2) - run.outer**2
    reach = np.abs(run.inner).sum(axis=2).max() + np.abs(run.outer).max()
    assert np.abs(imbalance - imbalance[0]).max() <= 4 * reach * run.error


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_never_increases(seed: int):
    """Along the flow of the square loss, up to the error of the outputs."""
    net, data = random_case(seed, 0.0)
    run = gradient_flow(net, data, SQUARE, TIMES)
    residuals = run.outputs(data.inputs) - data.labels
    loss = (residuals**2).mean(axis=1) / 2
    slack = (np.abs(residuals).max() + run.output_error(data.inputs)) * run.output_error(data.inputs)
    assert (np.diff(loss) <= 2 * slack).all()


def test_the_scale_of_time():
    """Training with time constant tau up to tau t is training with one up to t."""
    net, data = random_case(3, 0.3)
    quick, slow = (gradient_flow(net, data, SQUARE, TIMES * tau, tau=tau) for tau in (1.0, 10.0))
    assert gap(quick, slow) <= quick.error + slow.error


def sliding() -> tuple[TwoLayer, Dataset]:
    """Two samples that pull a ReLU neuron onto the hyperplane of the second one, from both sides."""
    return TwoLayer([[1.0, 0.5]], [1.0], 0), Dataset(
        np.array([[1.0, 0.2], [0.2, 1.0], [0.0, -1.0]]), np.array([2.0, -3.0, 2.0])
    )


def test_a_sliding_neuron_neither_hangs_nor_lies():
    """The run ends, and finer runs stay within its error; an error that decides nothing is an honest answer too."""
    net, data = sliding()
    runs = [gradient_flow(net, data, SQUARE, TIMES, tolerance=t) for t in (1e-6, 1e-9)]
    assert gap(*runs) <= runs[0].error + runs[1].error
    assert np.isfinite(runs[0].inner).all()


def test_time_zero_is_the_start():
    """Also as the only time."""
    net, data = random_case(0, 0.5)
    run = gradient_flow(net, data, SQUARE, np.array([0.0]))
    assert (run.inner[0] == net.inner).all()
    assert (run.outer[0] == net.outer).all()


def test_divergence_is_an_error():
    """A constant residual drives the weights to infinity like exp(t); the message has the time."""
    with pytest.raises(Diverged, match="diverged at time"):
        gradient_flow(TwoLayer([[3.0]], [3.0], 1), ONE, Loss.of(lambda labels, outputs: labels), np.array([50.0]))


def test_a_solution_that_ends_decides_nothing():
    """With w = a and residual f the weights obey u' = u^3 and blow up at time 1/18: an error, or an error bound without
    use.
    """
    try:
        run = gradient_flow(TwoLayer([[3.0]], [3.0], 1), ONE, Loss.of(lambda labels, outputs: outputs), np.array([1.0]))
    except Diverged:
        return
    assert run.error >= 1e6
    assert run.reached == pytest.approx(1 / 18)


@pytest.mark.parametrize("times", [[], [1.0, 0.5], [-1.0, 1.0], [float("nan")], [float("inf")]], ids=str)
def test_times_must_increase_from_zero(times):
    """Anything else is refused."""
    with pytest.raises(BadInput, match="times must"):
        gradient_flow(TwoLayer([[1.0]], [1.0], 0), ONE, SQUARE, np.array(times))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_data_that_are_not_finite_are_refused(bad: float):
    """When the record is made: no trajectory ever sees them."""
    with pytest.raises(BadInput, match="finite"):
        Dataset(np.array([[bad]]), np.array([1.0]))
    with pytest.raises(BadInput, match="finite"):
        Dataset(np.array([[1.0]]), np.array([bad]))
    with pytest.raises(BadInput, match="finite"):
        TwoLayer(np.array([[bad]]), np.array([1.0]), 0)
