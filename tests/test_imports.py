"""Imports point one way: refute <- models <- strategies <- claims."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "refute": {"refute"},
    "models": {"refute", "models"},
    "strategies": {"refute", "models", "strategies"},
    "claims": {"refute", "models", "strategies", "claims"},
}
PACKAGES = {*ALLOWED, "tests", "benchmarks"}
FORBIDDEN = {"refute": {"torch"}}
FILES = sorted(path for package in ALLOWED for path in (ROOT / package).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    """The top packages that a module imports, also inside functions and by name through importlib."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write imports absolutely"
            yield (node.module or "").split(".")[0]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("importlib.import_module", "__import__"):
            yield from (word.value.split(".")[0] for word in node.args[:1] if isinstance(word, ast.Constant))


def wrong_imports(package: str, source: str) -> set[str]:
    names = set(imported(ast.parse(source)))
    return (names & PACKAGES) - ALLOWED[package] | names & FORBIDDEN.get(package, set())


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path):
    """A module imports its own package and those below it, never the tests; the engine never imports torch."""
    assert wrong_imports(path.relative_to(ROOT).parts[0], path.read_text()) == set()


@pytest.mark.parametrize(
    ("package", "source", "wrong"),
    [
        ("refute", "import torch", {"torch"}),
        ("refute", "def f():\n    from models.flow import gradient_flow", {"models"}),
        ("models", "if True:\n    import strategies.sizes as s", {"strategies"}),
        ("strategies", "import importlib\nimportlib.import_module('claims.zhang2024')", {"claims"}),
        ("claims", "from tests.planted import planted", {"tests"}),
        ("claims", "import torch, refute, models, strategies, claims", set()),
    ],
)
def test_a_wrong_import_is_seen(package: str, source: str, wrong: set[str]):
    """The check has teeth, also inside functions."""
    assert wrong_imports(package, source) == wrong


def test_there_are_files_to_check():
    """Every package is there."""
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(ALLOWED)
