"""Files of tiny claims, a registry that forgets, and the command line in this process."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from refute.commands.main import cli
from refute.language import registry
from refute.run import loading

HEADER = """
import os, time
from hypothesis import strategies as st
from refute import Assumption, Kind, at_least, less, claim, stated
from refute.strategies import sized
numbers = sized(x=stated(st.fractions(-4, 4, max_denominator=8), lambda x: abs(x) <= 4))
positive = Assumption("positive", "x is positive", lambda x: less(0 * x, x, "0 < x"), numbers)
"""

TRUE = """
@claim("notes.true", "Lemma 1", given=numbers, recorded="supported")
def square_is_nonnegative(x):
    "x^2 >= 0"
    return x * x
"""

FALSE = """
@claim("notes.false", "Conjecture 2", given=numbers, assumes=[positive])
def square_is_larger(x):
    "x^2 >= x for positive x"
    return at_least(x * x, x, "x^2 >= x")
"""

IN_FLOATS = """
@claim("notes.floats", kind=Kind.DYNAMICS, given=numbers)
def is_small(x):
    "x <= 2, in float64 by one method"
    return less(x, 2.0, "x < 2")
"""

NOTHING = """
@claim("notes.nothing", given=numbers)
def says_nothing(x):
    "..."
"""

WriteClaims = Callable[..., Path]
Refute = Callable[..., Result]


def written(folder: Path, body: str, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER + dedent(body))
    return path


@pytest.fixture
def fresh_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims of one test are unknown to the next."""
    monkeypatch.setattr(registry, "_claims", {})
    monkeypatch.setattr(registry, "_figures", {})


@pytest.fixture
def claim_file(fresh_registry: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteClaims:
    """Write a file of claims into the current directory, which is a temporary one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFUTE_RESULTS", raising=False)
    return lambda body, name="mine.py": written(tmp_path, body, name)


@pytest.fixture
def package(claim_file: WriteClaims, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WriteClaims]:
    """Write modules of the package of claims that is taken for the installed one."""
    name = "installed_claims"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(loading, "DEFAULT_PACKAGE", name)
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    yield lambda body, module: claim_file(body, f"{name}/{module}")
    for module in [module for module in sys.modules if module.split(".")[0] == name]:
        del sys.modules[module]


@pytest.fixture
def refute(fresh_registry: None) -> Refute:
    """Run a command in this process; `--device cpu` spares it the search for a GPU."""

    def run(*arguments: object) -> Result:
        words = [str(argument) for argument in arguments]
        quick = ["--device", "cpu"] if words[0] == "check" and "--device" not in words else []
        return CliRunner().invoke(cli, [*words, *quick])

    return run
