"""The cases of a claim depend on its seed, not on what else is loaded."""

import importlib
import os
import subprocess
import sys
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refute.claims
import refute.search.stream
from refute import Kind, Run, at_least, at_most, check
from refute.language.claim import Claim
from refute.search import generation
from refute.search.stream import Stream
from tests.planted import planted

pytestmark = pytest.mark.slow


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


def test_it_does_not_matter_who_has_drawn_from_a_strategy_before():
    """A test of one's own that draws from the strategy of a claim leaves the cases of the claim as they are."""

    def cases(seen: bool) -> list[str]:
        part = st.sampled_from(["a", "b"]) | st.sampled_from(["b", "c"])
        strategy = st.fixed_dictionaries({"x": st.lists(st.integers(0, 9).map(lambda n: n * n), max_size=9), "y": part})
        strategy = strategy.map(lambda fields: {"x": Fraction(sum(fields["x"])), "y": fields["y"]})
        if seen:
            given(strategy)(settings(max_examples=3, database=None)(lambda fields: None))()
        claim = planted(lambda x, y: at_least(x, 0), given=strategy)
        return [str(case) for case in Stream.of(claim, strategy, Run()).read()]

    assert cases(seen=False) == cases(seen=True)


def test_loaded_modules_do_not_change_the_cases(load_numbers):
    """The same seed draws the same cases before and after a module with other numbers is loaded."""
    before = _drawn()
    load_numbers()
    assert _drawn() == before


def test_hypothesis_would_have_used_them(load_numbers, monkeypatch):
    """Without the guard the numbers of the module turn up among the cases."""
    monkeypatch.setattr(refute.search.stream, "nothing_read_in_modules", nullcontext)
    load_numbers()
    assert any(987_654_000 <= x < 987_654_200 for _ in range(2) for x in _drawn())


TRACED = """
import hashlib
from unittest.mock import patch
from refute import Run
from refute.run.loading import load_file
from refute.search import draw
seen = []
judge = draw.judge
def listening(claim, case, run, **options):
    seen.append(str(case))
    return judge(claim, case, run, **options)
with patch.object(draw, "judge", listening):
    draw.hunt(load_file("one_step.py")[1], Run())
print(len(seen), hashlib.sha256("".join(seen).encode()).hexdigest())
"""


def test_what_is_tried_on_the_way_to_a_smaller_case_is_the_same_in_every_process():
    """Whatever the hashes of words and the places of functions are there."""
    folder = Path(refute.claims.__path__[0]) / "conjectures"
    said = {
        subprocess.run(
            [sys.executable, "-c", TRACED],
            cwd=folder,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(3)
    }
    assert len(said) == 1
    assert int(said.pop().split()[0]) > 50


def test_what_is_patched_in_hypothesis_is_there():
    """The installed version has all that is replaced."""
    assert generation._moved() == ()


def test_insides_that_moved_are_named_and_cost_no_draw(monkeypatch: pytest.MonkeyPatch):
    """A warning instead of a crash, and the claim is still refuted."""
    gone = ("hypothesis.internal.elsewhere", "_get_local_constants", lambda: None)
    monkeypatch.setattr(generation, "_REPLACED", (gone, *generation._REPLACED[1:]))
    generation._moved.cache_clear()
    claim = planted(lambda x: at_most(x, 1, "x <= 1"))
    with pytest.warns(RuntimeWarning, match=r"has no hypothesis\.internal\.elsewhere\._get_local_constants"):
        outcome = check(claim, Run(remember=False))
    assert outcome.word == "refuted"
    monkeypatch.undo()
    generation._moved.cache_clear()
    assert generation._moved() == ()
