"""Many flows at once: the same results as one by one, on the CPU to the last bit, as tensors within the bounds."""

import numpy as np
import pytest

from refute.errors import BadInput
from refute.models import Dataset, TwoLayer
from refute.models.device import available
from refute.models.flow import gradient_flow
from refute.models.flow.batch import Case, gradient_flows, smooth_flows
from refute.models.loss import LOGISTIC, SQUARE, Loss
from refute.models.training import Stop

TIMES = np.array([0.0, 0.1, 0.3])


def cases(count: int = 8) -> list[Case]:
    """Two shapes, mixed; some trajectories have events within the horizon, some start on a hyperplane."""
    found = []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        samples, dim, width = ((4, 2, 3), (3, 3, 2))[seed % 2]
        inner = rng.integers(-4, 5, (width, dim)) / 4 if seed == 3 else rng.standard_normal((width, dim))
        found.append((TwoLayer(inner, rng.standard_normal(width), (0.0, 0.3)[seed % 3 == 0]),
                      Dataset(rng.standard_normal((samples, dim)), rng.standard_normal(samples))))  # fmt: skip
    return found


def test_on_the_cpu_it_is_the_single_path_to_the_last_bit_whatever_the_company() -> None:
    """Alone, in a batch and in the reversed batch every case gets identical weights."""
    many = cases()
    together, reversed_ = gradient_flows(many, SQUARE, TIMES), gradient_flows(many[::-1], SQUARE, TIMES)[::-1]
    for case, one, other in zip(many, together, reversed_, strict=True):
        alone = gradient_flow(*case, SQUARE, TIMES)
        for run in (one, other):
            assert (run.inner == alone.inner).all()
            assert (run.outer == alone.outer).all()
            assert (run.error, run.events) == (alone.error, alone.events)


@pytest.mark.parametrize("device", available())
@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC], ids=["square", "logistic"])
def test_tensors_agree_with_the_compiled_integrator_within_the_bounds(device: str, loss: object) -> None:
    """Cases without events are done by tensors, exactly those with events are left; company does not change them by
    more than round-off.
    """
    many = cases(12)
    found = smooth_flows(many, loss, TIMES, tolerance=1e-9, device=device)  # type: ignore[arg-type]
    some = 0
    for k, (case, run) in enumerate(zip(many, found, strict=True)):
        single = gradient_flow(*case, loss, TIMES, tolerance=1e-9)  # type: ignore[arg-type]
        if run is None:
            continue
        some += 1
        assert not single.events, k
        assert run.stop is Stop.HORIZON
        bound = run.error + single.error
        assert max(np.abs(run.inner - single.inner).max(), np.abs(run.outer - single.outer).max()) <= bound < 1e-6
        (alone,) = smooth_flows([case], loss, TIMES, tolerance=1e-9, device=device)  # type: ignore[arg-type]
        assert alone is not None
        assert np.abs(alone.inner - run.inner).max() <= 1e-13
    assert some >= 3


def test_a_loss_of_ones_own_goes_to_the_single_path_and_bad_arguments_are_named() -> None:
    """Tensors know the losses only; the batch entry point takes any."""
    many = cases(2)
    own = Loss.of(lambda y, f: y - f)
    assert smooth_flows(many, own, TIMES) == [None, None]
    assert (gradient_flows(many, own, TIMES)[0].inner == gradient_flow(*many[0], own, TIMES).inner).all()
    with pytest.raises(BadInput, match="tolerance"):
        smooth_flows(many, SQUARE, TIMES, tolerance=0.0)
