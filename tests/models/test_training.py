"""What integrators hand back is one kind of thing, and what is public is there and documented."""

import inspect

import numpy as np
import pytest

import refute.models
from refute.errors import BadInput
from refute.models import (
    LOGISTIC,
    SQUARE,
    Balanced,
    Dataset,
    Stop,
    TwoLayer,
    as_deep,
    deep_gradient_flow,
    finished,
    gradient_flow,
    log_polar_flow,
    long_descent,
    signed_halves,
)
from refute.models.checks import check_dimension, checked_times
from refute.models.descent.kernel_space import start

NET, DATA = TwoLayer([[1.0, 0.5]], [1.0], 0), Dataset([[1.0, 0.0]], [2.0])
TIMES = [0.5, 1.0]
HALVES = signed_halves(np.array([[1.0, 0.2]]), np.array([[0.1, 1.0]]), 0.5)
RUNS = {
    "flow": lambda: gradient_flow(NET, DATA, SQUARE, TIMES),
    "deep flow": lambda: deep_gradient_flow(as_deep(NET), DATA, SQUARE, TIMES),
    "log-polar flow": lambda: log_polar_flow(
        Balanced([[1.0, 0.5]], [1], 0.0, 0.0), DATA, SQUARE, times=TIMES, horizon=1.0
    ),
    "long descent": lambda: long_descent(
        *start(HALVES, Dataset(np.eye(2), [1.0, -1.0]), rate=0.1, loss=LOGISTIC, slope_at_zero=1.0), [10.0, 1e6]
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_every_run_says_when_how_far_off_and_why_it_ended(name: str):
    """Whatever its state looks like."""
    run = RUNS[name]()
    assert np.ndim(run.time) == 1
    assert 0 <= run.error < 1e-3
    assert run.stop is Stop.HORIZON
    assert finished(run)


def test_every_stop_is_a_remedy():
    """No two ends are the same, and each says what to do."""
    assert len({stop.value for stop in Stop}) == len(Stop) == len(Stop.__members__)


@pytest.mark.parametrize("name", refute.models.__all__)
def test_what_is_public_is_there_and_documented(name: str):
    """Loaded when asked for; functions and types say what they are."""
    found = getattr(refute.models, name)
    if inspect.isroutine(found) or inspect.isclass(found):
        assert found.__doc__
        assert not found.__doc__.startswith(f"{name}(")  # what a dataclass writes when its author does not


@pytest.mark.parametrize("times", [[], [1.0, 0.5], [-1.0], [np.nan], [[1.0]], "soon"])
def test_wrong_times_are_named(times):
    """Before anything is computed."""
    with pytest.raises(BadInput, match="times"):
        checked_times(times)


def test_a_network_and_data_of_other_dimensions_are_refused():
    """With both dimensions."""
    with pytest.raises(BadInput, match="dimension 3, the data have dimension 2"):
        check_dimension(3, 2)
