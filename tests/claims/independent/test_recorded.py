"""What is derived here by hand is what the harness records as refuted."""

import ast
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.registered import registered_claims

HERE = Path(__file__).parent
PAPERS = ("chistikov2023", "kou2023", "min2024", "zhang2024")
RECORDED = {"REFUTES": "refuted", "AGAINST": "against", "WITNESSES": "proved"}


def module_of(paper: str) -> ModuleType:
    """The derivations of one paper."""
    return import_module(f"{__package__}.test_{paper}")


@pytest.mark.parametrize("paper", PAPERS)
def test_ten_refutations_of_each_paper_are_derived_again(paper: str):
    """Each derivation is a test, and names a sentence that is recorded as refuted. A paper with fewer than ten has them
    all, and trends against a sentence and witnesses beside them.
    """
    module, known = module_of(paper), {claim.id: claim for claim in registered_claims()}
    derived = {word: getattr(module, name, {}) for name, word in RECORDED.items()}
    for word, names in derived.items():
        for name, id in names.items():
            assert callable(getattr(module, name, None)), f"{name} is no test of {module.__name__}"
            assert known[id].recorded == word, id
    refuted = {claim.id for claim in known.values() if claim.paper == paper and claim.recorded == "refuted"}
    assert len(set(derived["refuted"].values())) >= 10 or refuted <= set(derived["refuted"].values())
    assert len({id for names in derived.values() for id in names.values()}) >= 10


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
