"""The cases of a claim depend on its seed, not on what else is loaded."""

import importlib
import sys
from contextlib import nullcontext
from fractions import Fraction

import pytest
from hypothesis import strategies as st

import refute.search
from refute import Kind, Run, at_least, check
from refute.language.claim import Claim


def _drawn() -> list[Fraction]:
    seen: list[Fraction] = []

    def conclusion(x):
        seen.append(Fraction(int(x)))
        return at_least(x, 0)

    check(
        Claim(
            "test.wide",
            conclusion,
            Kind.ALGEBRAIC,
            given=st.fixed_dictionaries({"x": st.integers(0, 10**9).map(Fraction)}),
        ),
        Run(),
    )
    return seen


@pytest.fixture
def load_numbers(tmp_path, monkeypatch):
    """Load a module full of numbers that Hypothesis would like to draw."""
    monkeypatch.syspath_prepend(tmp_path)
    count = iter(range(100))

    def load() -> None:
        name = f"numbers_of_mine_{next(count)}_{tmp_path.name}"
        (tmp_path / f"{name}.py").write_text("\n".join(f"X{k} = {987_654_000 + k}" for k in range(200)))
        importlib.import_module(name)

    yield load
    for name in [name for name in sys.modules if name.startswith("numbers_of_mine")]:
        del sys.modules[name]


def test_loaded_modules_do_not_change_the_cases(load_numbers):
    """The same seed draws the same cases before and after a module with other numbers is loaded."""
    before = _drawn()
    load_numbers()
    assert _drawn() == before


def test_hypothesis_would_have_used_them(load_numbers, monkeypatch):
    """Without the guard the numbers of the module turn up among the cases."""
    monkeypatch.setattr(refute.search, "nothing_read_in_modules", nullcontext)
    load_numbers()
    assert any(987_654_000 <= x < 987_654_200 for _ in range(2) for x in _drawn())
