"""Log-polar flow of many cases."""

from collections.abc import Sequence

from refute.errors import BadInput
from refute.models.dataset import Dataset
from refute.models.device import available
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.solve import LogPolarTrajectory, log_polar_flow
from refute.models.loss import Loss


def log_polar_flows(
    cases: Sequence[tuple[Balanced, Dataset]],
    loss: Loss,
    *,
    horizon: float | None = None,
    times: Sequence[float] = (),
    level: float = 1e-6,
    tolerance: float = 1e-10,
    steps: int = 20_000,
    device: str = "cpu",
) -> list[LogPolarTrajectory]:
    """`log_polar_flow` of every case, in order; each gets the same result to the last bit whatever stands beside it.

    Its steps are sequential (closed-form stages, root finding, implicit steps of a small system), so the cases run one
    after the other on the host, whatever the device: a device changes neither the results nor the time.
    """
    if device.split(":")[0] not in available():
        raise BadInput(f"there is no device {device!r}", f"use one of {available()}")
    return [
        log_polar_flow(*case, loss, horizon=horizon, times=times, level=level, tolerance=tolerance, steps=steps)
        for case in cases
    ]
