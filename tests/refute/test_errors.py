"""A package that is not installed is named with the extra that brings it."""

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from refute.errors import EXTRAS, missing

ROOT = Path(__file__).parent.parent.parent
WITHOUT = """
import sys
for name in {names}:
    sys.modules[name] = None
sys.argv = ["refute", {arguments}]
from refute.commands.main import main
main()
"""


def without(names: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """`refute` where these packages cannot be imported."""
    code = WITHOUT.format(names=names, arguments=", ".join(map(repr, arguments)))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_every_extra_brings_what_it_says():
    """Each package belongs to a distribution that pyproject.toml lists there, or that one of those depends on."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    owners = packages_distributions()
    brought = {"markupsafe": "jinja2", "mpmath": "sympy", "llvmlite": "numba", "dask": "distributed"}
    for extra, packages in EXTRAS.items():
        listed = {line.split(">")[0].lower().replace("_", "-") for line in extras[extra]}
        for package in packages:
            owner = brought.get(package) or {name.lower() for name in owners[package]}
            assert listed & ({owner} if isinstance(owner, str) else owner) or package == "IPython", package


def test_other_errors_are_nobodys_extra():
    """A misspelt import of the user's own is said as it is."""
    assert missing(ModuleNotFoundError("no", name="my_settings")) is None
    assert missing(ValueError("no")) is None
    assert missing(ModuleNotFoundError("no", name="scipy.optimize")).hint == "pip install 'refute[train]'"


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [("jinja2", ["report"], "report"), ("matplotlib", ["figure", "zhang2024", "1"], "report")],
)
def test_a_command_says_what_it_needs(package: str, arguments: list[str], extra: str):
    """Without a traceback."""
    done = without([package], *arguments)
    assert done.returncode == 2
    assert f"error: {package} is not installed\n\nhint: pip install 'refute[{extra}]'" in done.stderr


def test_claims_that_need_an_extra_are_passed_over():
    """Said once, and the others are there."""
    done = without(["numba"], "list", "zhang2024.lemma_8.*")
    assert done.returncode == 0
    assert done.stderr.count("numba is not installed") == 1
    assert "zhang2024.lemma_8.second_moment_bound" in done.stdout
