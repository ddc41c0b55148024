"""Two independent integrators agree, with crossings and slides on the way."""

import numpy as np
import pytest

from refute.errors import BadInput
from refute.models import Dataset, TwoLayer
from refute.models.flow import Change, gradient_flow
from refute.models.flow.confirm import confirm_flow
from refute.models.loss import EXPONENTIAL_SUM, LOGISTIC, SQUARE

TIMES = np.array([1.0, 2.0])


@pytest.mark.parametrize("seed", range(15))
def test_second_method_confirms_the_first(seed: int) -> None:
    """On random data, with opposite points among them, the two methods differ by less than 1e-7."""
    rng = np.random.default_rng(seed)
    samples, dim, width = (int(rng.integers(2, most)) for most in (6, 4, 5))
    inputs = rng.standard_normal((samples, dim))
    if seed % 3 == 1:
        inputs[1] = -inputs[0]
    net = TwoLayer(0.3 * rng.standard_normal((width, dim)), rng.standard_normal(width), float(rng.choice([0.0, 0.3])))
    data, loss = Dataset(inputs, rng.standard_normal(samples)), (SQUARE, LOGISTIC, EXPONENTIAL_SUM)[seed % 3]
    run = gradient_flow(net, data, loss, TIMES)
    inner, outer = confirm_flow(net, data, loss, TIMES, tolerance=1e-10)
    assert max(np.abs(run.inner - inner).max(), np.abs(run.outer - outer).max()) <= run.error + 1e-7


def test_it_confirms_slides() -> None:
    """Among the trajectories that both follow, some slide."""
    net, data = TwoLayer([[0, 1]], [1], 0), Dataset([[1, 0], [0.5, 1]], [-1, 2])
    run = gradient_flow(net, data, SQUARE, TIMES)
    inner, _ = confirm_flow(net, data, SQUARE, TIMES)
    assert run.events[0].kind is Change.SLIDES
    assert np.abs(run.inner - inner).max() <= run.error + 1e-7


def test_repelling_boundaries_are_refused() -> None:
    """Where the solution is not unique the second method does not choose."""
    with pytest.raises(BadInput, match="not unique"):
        confirm_flow(TwoLayer([[0, 1]], [1], 0), Dataset([[1, 0], [-1, 0.5]], [3, 1]), SQUARE, TIMES)
