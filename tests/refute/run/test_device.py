from importlib.metadata import EntryPoint

import pytest

from refute.errors import BadInput
from refute.run import device


def offering(monkeypatch: pytest.MonkeyPatch, *places: str) -> None:
    entries = [EntryPoint("some", place, device.GROUP) for place in places]
    monkeypatch.setattr(device, "entry_points", lambda group: entries)


def gpu() -> list[str]:
    return ["cpu", "cuda"]


def no_gpu() -> list[str]:
    return ["cpu"]


def out_of_order() -> list[str]:
    raise RuntimeError("the driver is too old")


@pytest.mark.parametrize(("offer", "expected"), [("gpu", "cuda"), ("no_gpu", "cpu"), ("out_of_order", "cpu")])
def test_auto_takes_a_gpu_where_there_is_one(monkeypatch: pytest.MonkeyPatch, offer: str, expected: str):
    """Whatever cannot say what it has offers nothing."""
    offering(monkeypatch, f"{__name__}:{offer}")
    assert device.resolve("auto") == expected


def test_a_package_that_cannot_be_imported_is_passed_over(monkeypatch: pytest.MonkeyPatch):
    """The others are still asked."""
    offering(monkeypatch, "no_such_package:available", f"{__name__}:gpu")
    assert device.resolve("cuda") == "cuda"


def test_the_cpu_is_always_there(monkeypatch: pytest.MonkeyPatch):
    """Nobody is asked for it."""
    monkeypatch.setattr(device, "entry_points", None)
    assert device.resolve("cpu") == "cpu"


def test_a_gpu_that_is_missing_or_unknown_is_an_error(monkeypatch: pytest.MonkeyPatch):
    """The message says which device, the hint what to use."""
    offering(monkeypatch, f"{__name__}:no_gpu")
    with pytest.raises(BadInput, match="'cuda' was asked for, but none is available") as caught:
        device.resolve("cuda")
    assert "--device cpu" in caught.value.hint
    with pytest.raises(BadInput, match="unknown device 'tpu'"):
        device.resolve("tpu")
