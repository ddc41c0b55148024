"""The early phase in units of the initial scale agrees with the flow itself and with a closed form."""

import numpy as np
import pytest

from refute.models import Dataset, TwoLayer
from refute.models.flow import gradient_flow
from refute.models.loss import SQUARE
from refute.models.zhang2024 import early
from refute.models.zhang2024.early import ACCURACY, early_flow, growth_share

PARTS = np.linspace(0.0, 1.0, 5)


def mirrored(rng: np.random.Generator, odd: float = -1.0) -> Dataset:
    x, y = rng.normal(size=(3, 2)), 3 * rng.normal(size=3)
    return Dataset(np.vstack([x, -x]), np.concatenate([y, odd * y]))


@pytest.mark.parametrize("slope", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("odd", [-1.0, 0.5])
def test_it_is_the_flow_from_a_moderate_scale(slope: float, odd: float):
    """With w = 10^-3 a direct integration resolves the change, with odd labels and without."""
    rng = np.random.default_rng(3)
    data, net = mirrored(rng, odd), TwoLayer(rng.normal(size=(3, 2)), rng.normal(size=3), slope)
    scales = np.log([1e3])
    growth = growth_share(data, slope) * scales
    found = early_flow(net, data, scales, growth, PARTS)
    size = np.linalg.norm(np.asarray(data.correlation, dtype=float))
    times = PARTS * growth / ((1 + slope) * size / 2)
    run = gradient_flow(net.with_weights(1e-3 * net.inner, 1e-3 * net.outer), data, SQUARE, times, tolerance=1e-13)
    direct = 1e3 * np.concatenate([run.inner, run.outer[..., None]], axis=-1)
    assert np.abs(direct - found.weights[:, 0]).max() <= ACCURACY * np.abs(found.change).max() + 1e4 * run.error


def test_the_change_of_one_linear_neuron():
    """a' = a (s - a^2) with a(0) = w has a = w E / sqrt(1 + w^2 (E^2 - 1)/s): the change is -w^3 E^3/(2s) to leading
    order.
    """
    data, net = (
        Dataset(np.array([[1.0], [-1.0]]), np.array([10.0, -10.0])),
        TwoLayer(np.array([[1.0]]), np.array([1.0]), 1.0),
    )
    scales = np.log(10) * np.array([30.0, 100.0])
    growth = growth_share(data, 1.0) * scales
    found = early_flow(net, data, scales, growth, np.array([0.0, 1.0]))
    expected = -np.exp(3 * growth - 2 * scales) / 20
    assert np.allclose(found.change[-1, :, 0, 0], expected, rtol=1e-4)
    assert not found.change[0].any()


def test_a_run_that_spends_its_budget_decides_nothing(monkeypatch: pytest.MonkeyPatch):
    """As when a neuron that does not grow slides along a boundary: the change is not known, and its error says so."""
    rng = np.random.default_rng(3)
    data, net = mirrored(rng), TwoLayer(rng.normal(size=(3, 2)), rng.normal(size=3), 0.0)
    scales = np.log([1e3, 1e9])
    monkeypatch.setattr(early, "BUDGET", 1)
    found = early_flow(net, data, scales, growth_share(data, 0.0) * scales, PARTS)
    assert np.isfinite(found.weights).all()
    assert (found.missed[1:] > 1e6 * early.norms(found.weights[1:])).all()
