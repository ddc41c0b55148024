"""What is derived here by hand is what the harness records as refuted."""

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.registered import registered_claims

HERE = Path(__file__).parent
PAPERS = ("chistikov2023", "kou2023", "min2024", "zhang2024")


def module_of(paper: str) -> ModuleType:
    """The derivations of one paper."""
    return import_module(f"{__package__}.test_{paper}")


@pytest.mark.parametrize("paper", PAPERS)
def test_ten_refutations_of_each_paper_are_derived_again(paper: str):
    """Each derivation is a test, and names a printed sentence that is recorded as refuted."""
    module, known = module_of(paper), {claim.id: claim for claim in registered_claims()}
    assert len(set(module.REFUTES.values())) >= 10
    for name, id in module.REFUTES.items():
        assert callable(getattr(module, name, None)), f"{name} is no test of {module.__name__}"
        assert known[id].recorded == "refuted", id


@pytest.mark.parametrize("paper", PAPERS)
def test_the_derivations_know_nothing_of_the_harness(paper: str):
    """No module of the project is imported."""
    tree = ast.parse((HERE / f"test_{paper}.py").read_text())
    imported = {
        (alias.name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported.isdisjoint({"refute", "claims", "models", "strategies", "tests", ""})
