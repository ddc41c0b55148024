"""The flow of deep networks: the two-layer flow at depth two, and what is conserved at any depth."""

import numpy as np
import pytest

from refute.errors import BadInput, Diverged
from refute.models import Dataset, DeepNetwork, TwoLayer
from refute.models.flow import deep, gradient_flow
from refute.models.flow.deep import DeepTrajectory, deep_gradient_flow
from refute.models.loss import LOGISTIC, SQUARE, Loss
from refute.models.network import as_deep
from refute.models.training import Stop

TIMES = np.linspace(0.0, 2.0, 5)


def three_layers(seed: int) -> tuple[DeepNetwork, Dataset]:
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal((3, 2)), rng.standard_normal((3, 3)), rng.standard_normal((1, 3))
    return DeepNetwork(weights, (0.0, 0.2)[seed % 2]), Dataset(rng.standard_normal((4, 2)), rng.standard_normal(4))


def outputs(run: DeepTrajectory, k: int, x: np.ndarray) -> np.ndarray:
    signal = x @ run.weights[0][k].T
    for layer in run.weights[1:]:
        signal = np.maximum(signal, run.slope * signal) @ layer[k].T
    return signal[:, 0]


@pytest.mark.parametrize("seed", [1, 4, 7, 8, 9])
def test_depth_two_is_the_two_layer_flow(seed: int) -> None:
    """Both integrators give the same weights and the same events, with slides among them."""
    rng = np.random.default_rng(seed)
    inputs, labels = rng.standard_normal((5, 3)), rng.standard_normal(5)
    net = TwoLayer(0.5 * rng.standard_normal((4, 3)), rng.standard_normal(4), (0.0, 0.3)[seed % 2])
    data = Dataset(inputs, labels)
    shallow, deep = (
        gradient_flow(net, data, SQUARE, TIMES),
        deep_gradient_flow(as_deep(net), data, SQUARE, TIMES, tolerance=1e-8),
    )
    bound = shallow.error + deep.error
    assert bound < 1e-5
    assert np.abs(shallow.inner - deep.weights[0]).max() <= bound
    assert np.abs(shallow.outer - deep.weights[1][:, 0]).max() <= bound
    met = [sorted((e.neuron, e.sample, e.kind.name) for e in run.events) for run in (shallow, deep)]
    assert met[0] == met[1]


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5])
def test_imbalances_are_conserved(seed: int) -> None:
    """For each hidden neuron the squared norms of its incoming and of its outgoing weights differ by a constant."""
    net, data = three_layers(seed)
    run = deep_gradient_flow(net, data, SQUARE, TIMES, tolerance=1e-8)
    reach = 1 + max(float(np.abs(layer).sum(axis=(1, 2)).max()) for layer in run.weights)
    for below, above in zip(run.weights, run.weights[1:], strict=False):
        imbalance = (below**2).sum(axis=2) - (above**2).sum(axis=1)
        assert np.abs(imbalance - imbalance[0]).max() <= 4 * reach * run.error


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC])
def test_loss_falls(loss) -> None:
    """The loss does not increase along the flow."""
    net, data = three_layers(4)
    run = deep_gradient_flow(net, data, loss, TIMES, tolerance=1e-8)
    x, y = np.array(data.inputs, dtype=float), np.array(data.labels, dtype=float)
    values = [float(loss.value(y, outputs(run, k, x))) for k in range(len(TIMES))]
    assert (np.diff(values) <= 1e-6).all()


def test_error_bound_against_a_finer_run() -> None:
    """A run of tolerance 1e-6 is as close to one of 1e-10 as it says."""
    net, data = three_layers(4)
    rough, good = (deep_gradient_flow(net, data, SQUARE, TIMES, tolerance=tolerance) for tolerance in (1e-6, 1e-10))
    assert (
        max(float(np.abs(a - b).max()) for a, b in zip(rough.weights, good.weights, strict=True))
        <= rough.error + good.error
    )


def test_refusals() -> None:
    """Times that do not increase are refused; weights that leave every bound raise."""
    net, data = three_layers(1)
    with pytest.raises(BadInput, match="times"):
        deep_gradient_flow(net, data, SQUARE, np.array([1.0, 0.0]))
    with pytest.raises(Diverged):
        deep_gradient_flow(net, data, Loss.of(lambda labels, values: 9 * values), np.array([50.0]))


def overshooting() -> tuple[DeepNetwork, Dataset]:
    """Labels of hundreds: trial steps overshoot to weights of 10^200. Two inputs lie at the origin."""
    weights = np.array([[-1.0, 1.0], [-1.0, -2.0]]), np.array([[2.0, 0.0]]), np.array([[0.0]])
    return DeepNetwork(weights, 0.9), Dataset(np.array([[0, -1], [3, 0], [0, 0], [0, 0]]), np.array([100, -200, 0, 0]))


def test_trial_steps_that_overshoot_are_rejected(capfd: pytest.CaptureFixture[str]) -> None:
    """LAPACK is not asked about them; units at the origin have no events, and the runs agree within their errors."""
    rough, fine = (
        deep_gradient_flow(*overshooting(), SQUARE, TIMES / 2, tolerance=tolerance) for tolerance in (1e-7, 1e-9)
    )
    assert capfd.readouterr() == ("", "")
    assert {event.sample for event in fine.events} == {0}
    assert rough.error < 1e-4
    assert (
        max(np.abs(a - b).max() for a, b in zip(rough.weights, fine.weights, strict=True)) <= rough.error + fine.error
    )


def test_a_spent_budget_is_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights are held, the error decides nothing, and the remedy is said."""
    monkeypatch.setattr(deep, "BUDGET", 60)
    run = deep_gradient_flow(*overshooting(), SQUARE, TIMES / 2)
    assert run.stop is Stop.BUDGET
    assert run.reached < 1
    assert run.error == deep.HOPELESS


def test_a_velocity_that_overflows_at_the_start_is_refused() -> None:
    """Weights of 10^150 have a cube that float64 does not know."""
    net, data = overshooting()
    with pytest.raises(BadInput, match="not finite"):
        deep_gradient_flow(DeepNetwork(tuple(1e150 * np.ones(w.shape) for w in net.weights), 0.9), data, SQUARE, TIMES)
