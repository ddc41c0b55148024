"""When the log-polar flow is recorded: at times that the trajectory decides and the steps of the integrator do not."""

from typing import Any

import numpy as np
import pytest

from refute.models.dataset import Dataset
from refute.models.logpolar import log_polar_flow
from refute.models.logpolar.balanced import Balanced
from refute.models.logpolar.clock import LITTLE, dyadic_times, first_time
from refute.models.loss import EXPONENTIAL_SUM, SQUARE, Loss
from refute.models.training import Stop

PAIR = Dataset([[1.0, 0.0], [-0.5, 1.0], [-1.0, -0.5]], [1.0, 0.5, -1.0])
START = Balanced([[1.0, 0.5], [-1.0, 0.25], [-0.25, 1.0]], [1, -1, 1], -40.0, 0)
LEVEL = 1e-3
LOSSES = pytest.mark.parametrize("loss", [SQUARE, EXPONENTIAL_SUM], ids=["square", "exponential"])


def runs(loss: Loss, **options: Any) -> list[Any]:
    """At tolerances that lead to other steps."""
    return [
        log_polar_flow(START, PAIR, loss, level=LEVEL, tolerance=tolerance, **options)
        for tolerance in (1e-8, 3e-9, 1e-10)
    ]


def steep(times: Any) -> Any:
    """A coordinate that jumps up at 3 and one that hardly moves."""
    return np.column_stack([np.tanh(50 * (times - 3)), 0.01 * times])


def test_neighbours_among_the_times_are_alike():
    """Where the motion is fast the times are dense; few are needed elsewhere."""
    times = np.concatenate([[0.0], dyadic_times(steep, 10.0), [10.0]])
    assert np.abs(np.diff(steep(times), axis=0)).max() <= LITTLE
    assert len(times) < 50


def test_the_times_are_dyadic_whatever_the_end():
    """An end that is off by round-off or more has the same times before it."""
    times = dyadic_times(steep, 9.7)
    assert np.array_equal(times, dyadic_times(steep, 9.7 + 1e-9))
    assert (times * 2**20 == np.round(times * 2**20)).all()


def test_the_first_time_is_found_to_the_last_digit():
    """It is true there and not one float earlier; what is true from the start happens there."""
    found = first_time(lambda t: t * t >= 2, 0.0, 2.0)
    assert found**2 >= 2 > np.nextafter(found, 0) ** 2
    assert first_time(lambda t: True, 0.5, 2.0) == 0.5


@LOSSES
def test_a_run_ends_where_its_level_is_met(loss: Loss):
    """The largest slope of the loss at the end is the level, at every tolerance: no step goes past it."""
    for run in runs(loss):
        assert run.stop is Stop.FITTED
        slopes = [
            np.abs(loss.residual(PAIR.labels.astype(float), f)).max() for f in (run.output[-1], 0 * run.output[-1])
        ]
        assert slopes[0] == pytest.approx(LEVEL * slopes[1], abs=run.output_error)


@LOSSES
def test_steps_do_not_reach_what_is_recorded(loss: Loss):
    """At other tolerances the times are the same but for the last one, and so are the states, to within the errors."""
    first, *others = runs(loss)
    for run in others:
        assert np.array_equal(run.time[:-1], first.time[:-1])
        assert abs(run.time[-1] - first.time[-1]) <= run.time_error + first.time_error
        assert np.abs(run.output - first.output).max() <= run.output_error + first.output_error
        assert np.abs(run.direction - first.direction).max() <= run.error + first.error


@LOSSES
def test_outputs_are_loud_when_they_are_told_to_be(loss: Loss):
    """The time of each is recorded, the output has the asked size there, and was never above before."""
    run = runs(loss, loud=0.25)[0]
    assert np.isfinite(run.loud).all()
    for i, time in enumerate(run.loud):
        k = int(np.flatnonzero(run.time == time)[0])
        assert abs(run.output[k, i]) == pytest.approx(0.25, abs=1e-9)
        assert (np.abs(run.output[:k, i]) <= 0.25).all()
    assert np.isinf(log_polar_flow(START, PAIR, loss, level=LEVEL, loud=1e3).loud).all()


def test_a_run_that_was_cut_short_decides_nothing():
    """Where it ends is a matter of its steps, so its errors are beyond any margin."""
    run = log_polar_flow(START, PAIR, SQUARE, steps=20)
    assert run.stop is Stop.BUDGET
    assert min(run.error, run.output_error, run.time_error) >= 1e9
