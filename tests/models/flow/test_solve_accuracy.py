"""The error that the flow reports bounds its true error, against references of fifty digits or solutions in closed
form.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from refute.models import Dataset, TwoLayer
from refute.models.flow import Change, Trajectory, gradient_flow
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE, Loss
from refute.models.training import Stop
from tests.models.flow.fifty_digits import Reference

LOSSES: tuple[tuple[Loss, str], ...] = ((SQUARE, "square"), (LOGISTIC, "logistic"), (EXPONENTIAL_SUM, "exponential"))


def miss(run: Trajectory, inner: Any, outer: Any) -> float:
    return float(max(np.abs(run.inner[-1] - inner).max(), np.abs(run.outer[-1] - outer).max()))


def against_reference(
    net: Any, data: Any, slope: Any, loss: Loss, name: str, horizon: float, tolerance: float
) -> tuple[float, Trajectory]:
    inner, outer = Reference(*net, slope, *data, name, averaged=loss.averaged).run(horizon)
    run = gradient_flow(TwoLayer(*net, slope), Dataset(*data), loss, np.array([horizon]), tolerance=tolerance)
    return miss(run, inner, outer), run


def grid(rng: np.random.Generator, *shape: int) -> Any:
    """Quarters between -1 and 1: full of zeros, repeated and opposite points, and neurons on hyperplanes."""
    return rng.integers(-4, 5, shape) / 4


@pytest.mark.parametrize("start", range(0, 210, 30))
def test_error_bound_on_degenerate_grids(start: int) -> None:
    """On small grids (points on hyperplanes, repeated points, zero labels, dead and zero neurons) the true error is
    below the bound.
    """
    for seed in range(start, start + 30):
        rng = np.random.default_rng(seed)
        samples, dim, width = (int(rng.integers(1, most)) for most in (4, 3, 3))
        net, data = (grid(rng, width, dim), grid(rng, width)), (grid(rng, samples, dim), 2 * grid(rng, samples))
        loss, name = LOSSES[seed % 3 if seed % 5 == 0 else 0]  # the others are slow in fifty digits
        slope = (0.0, 0.0, 0.25, 1.0)[int(rng.integers(4))]
        tolerance = 10.0 ** -int(rng.integers(5, 12))
        error, run = against_reference(net, data, slope, loss, name, 0.4, tolerance)
        assert error <= run.error < 1, (seed, error, run.error)


@pytest.mark.parametrize("condition", [1e2, 1e4, 1e8])
def test_error_bound_on_badly_conditioned_data(condition: float) -> None:
    """With singular values of the inputs between 1 and 1/condition, and with a singular covariance, the bound holds."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        basis = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        inputs = (
            rng.standard_normal((3, 3)) @ np.diag([1.0, condition**-0.5, 1 / condition if seed % 2 else 0.0]) @ basis
        )
        net = rng.standard_normal((2, 3)), rng.standard_normal(2)
        error, run = against_reference(net, (inputs, rng.standard_normal(3)), 0.0, SQUARE, "square", 1.0, 1e-9)
        assert error <= run.error < 1e-5


def test_tighter_tolerance_gives_smaller_error() -> None:
    """A hundredfold smaller tolerance makes the true error at least ten times smaller, down to round-off."""
    rng = np.random.default_rng(3)
    net, data = (
        (rng.standard_normal((3, 2)), rng.standard_normal(3)),
        (rng.standard_normal((4, 2)), rng.standard_normal(4)),
    )
    truth, times = Reference(*net, 0.0, *data, "square").run(1.0), np.array([1.0])
    errors = [
        miss(gradient_flow(TwoLayer(*net, 0.0), Dataset(*data), SQUARE, times, tolerance=10.0**-k), *truth)
        for k in (4, 6, 8, 10)
    ]
    assert all(finer <= coarser / 10 for coarser, finer in pairwise(errors))


def test_slide_in_closed_form() -> None:
    """A neuron held on the hyperplane of the first point moves along it as the second point asks: w = (0, 2 -
    e^{-t/2}).

    Sum over two samples halved: w' = P (1/2) (y2 - w.x2) x2 on w1 = 0, that is w2' = (2 - w2)/2 for the label 2.
    The first point pulls w1 down from above with strength (1 + w1)/2 >= 1/2, the second lifts it by (2 - w2)/4 <= 1/4:
    it slides.
    """
    data = Dataset([[1, 0], [Fraction(1, 2), 1]], [-1, 2])
    times = np.array([0.5, 1.0, 2.0])
    run = gradient_flow(TwoLayer([[0, 1]], [1], 0), data, SQUARE, times, train_outer=False)
    exact = 2 - np.exp(-times / 2)
    assert np.abs(run.inner[:, 0, 1] - exact).max() <= run.error < 1e-8
    assert np.abs(run.inner[:, 0, 0]).max() <= 1e-15
    assert [(event.sample, event.kind) for event in run.events] == [(0, Change.SLIDES)]


@pytest.mark.parametrize("seed", range(12))
def test_slides_agree_with_the_reference(seed: int) -> None:
    """Trajectories that slide, among them on two lines at once, agree with fifty digits within the bound."""
    rng = np.random.default_rng(1000 + seed)
    inputs = rng.integers(-4, 5, (4, 2)) / 4
    net = (rng.integers(-4, 5, (3, 2)) / 8, rng.choice([-1.0, 1.0], 3))
    error, run = against_reference(net, (inputs, rng.choice([-2.0, 2.0], 4)), 0.0, SQUARE, "square", 1.0, 1e-9)
    assert run.stop is Stop.HORIZON
    assert error <= run.error < 1e-5
