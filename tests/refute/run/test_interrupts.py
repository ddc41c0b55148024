"""Ctrl-C arrives even where Python would drop it."""

import gc
import signal
import sys
import time
from typing import Any

import pytest

from refute.run.interrupts import kept_interrupts

pytestmark = pytest.mark.slow


@pytest.fixture
def collections():
    """What is called at each garbage collection."""
    before = list(gc.callbacks)
    yield gc.callbacks
    gc.callbacks[:] = before


@pytest.fixture
def heard():
    """Ctrl-C is not ignored, as it is in what a shell runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def once(raised: BaseException) -> Any:
    """A callback of the collector that raises one exception, once."""
    left = [raised]

    def callback(phase: str, info: dict[str, int]) -> None:
        if left:
            raise left.pop()

    return callback


@pytest.mark.usefixtures("heard")
def test_an_interrupt_in_a_callback_of_the_collector_is_raised_again(collections: list[Any]):
    with kept_interrupts():
        collections.append(once(KeyboardInterrupt()))
        gc.collect()  # Python drops the interrupt here
        with pytest.raises(KeyboardInterrupt):
            time.sleep(30)


def test_other_dropped_exceptions_are_reported_as_before(collections: list[Any], monkeypatch: pytest.MonkeyPatch):
    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: seen.append(dropped.exc_value))
    error = ValueError("not an interrupt")
    with kept_interrupts():
        collections.append(once(error))
        gc.collect()
    assert seen == [error]


def test_the_hook_is_put_back():
    before = sys.unraisablehook
    with kept_interrupts():
        assert sys.unraisablehook is not before
    assert sys.unraisablehook is before
