"""Many log-polar flows: each is what it is alone."""

import numpy as np
import pytest

from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.batch import log_polar_flows
from refute.models.loss import SQUARE


def test_company_does_not_matter() -> None:
    """Alone, in a batch and in the reversed batch: identical log-norms, directions and bounds."""
    cases = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        inputs = rng.standard_normal((3, 2))
        cases.append(
            (Balanced(rng.standard_normal((2, 2)), rng.choice([-1.0, 1.0], 2), -50.0, 0), Dataset(inputs, inputs[:, 0]))
        )
    options = {"level": 1e-2, "tolerance": 1e-6}
    together, mirrored = (
        log_polar_flows(cases, SQUARE, **options),
        log_polar_flows(cases[::-1], SQUARE, **options)[::-1],
    )  # type: ignore[arg-type]
    for case, one, other in zip(cases, together, mirrored, strict=True):
        alone = log_polar_flow(*case, SQUARE, **options)  # type: ignore[arg-type]
        for run in (one, other):
            assert (run.log_norm == alone.log_norm).all()
            assert (run.direction == alone.direction).all()
            assert run.error == alone.error
    with pytest.raises(BadInput, match="device"):
        log_polar_flows(cases, SQUARE, device="abacus")
