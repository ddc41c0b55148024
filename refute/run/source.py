"""Which files hold claims, told from their text alone: nothing is imported."""

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

DEFAULT_PACKAGE = "refute.claims"
DECORATORS = ("claim", "identity")
TEST_FILES = ("test_*.py", "*_test.py", "conftest.py")

_DECORATED = re.compile(rb"^@[^\n]*\b(claim|identity)\b", re.MULTILINE)


def has_claims(path: Path) -> bool:
    """Whether the file has a top-level function decorated with `claim` or `identity` (of this
    package, not of another).
    """
    try:
        text = path.read_bytes()
    except OSError:
        return False
    if not _DECORATED.search(text):  # spares the parser most files
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return b"refute" in text  # a file of claims that cannot be read must be reported, not passed over
    return _declares(tree)


def _declares(tree: ast.Module) -> bool:
    foreign: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(_is_ours(decorator, foreign) for decorator in node.decorator_list):
            return True
        foreign |= _bound_elsewhere(node)
    return False


def _is_ours(decorator: ast.expr, foreign: set[str]) -> bool:
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.attr in DECORATORS and node.value.id not in foreign
    return isinstance(node, ast.Name) and node.id in DECORATORS and node.id not in foreign


def _bound_elsewhere(node: ast.stmt) -> set[str]:
    """The names that a statement binds to something that is not of this package."""
    if isinstance(node, ast.ImportFrom) and (node.level or not _of_this_package(node.module or "")):
        return {alias.asname or alias.name for alias in node.names}
    if isinstance(node, ast.Import):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names if not _of_this_package(alias.name)}
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    return set()


def _of_this_package(module: str) -> bool:
    return module.split(".")[0] == "refute"


def claim_files(folder: Path) -> Iterator[Path]:
    """The files of claims below a folder; tests, and what is hidden or begins with an underscore, are passed over."""
    for path in sorted(folder.rglob("*.py")):
        hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
        if not hidden and not any(path.match(pattern) for pattern in TEST_FILES) and has_claims(path):
            yield path
