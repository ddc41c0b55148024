"""Imports point one way: between the folders at the top, and between the rooms of the engine."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("claims", "models", "strategies")  # at the top of the tree; installed as refute.claims, ...
PAPERS = {path.parent.name for path in ROOT.glob("claims/*/proofs.toml")}

# From the ground to the roof: a room may import itself and what stands before it. What shares a line is one floor.
FLOORS = [
    {"errors", "shown"},
    {"arithmetic", "functions"},
    {"language"},
    {"decide"},
    {"kernel"},
    {"search"},
    {"run"},
    {"study"},
    {"show"},
    {"models"},
    {"strategies"},
    {"claims"},
]
# The same inside models/, whose rooms are files and folders; those of papers come last.
MODEL_FLOORS = [
    {"dataset", "loss", "network", "compiled", "device", "drawing", "training"},
    {"checks", "gradient"},
    {"initialisation", "geometry"},
    {"descent", "reference", "validated"},
    {"flow"},
    {"logpolar", "general"},
    PAPERS,
]
ENTRANCES = {"", "__init__", "__main__", "commands", "plugin"}  # they open every room, and nothing imports them
LEVELS, MODEL_LEVELS = (
    {room: level for level, floor in enumerate(floors) for room in floor} for floors in (FLOORS, MODEL_FLOORS)
)
ENGINE = {room for room in LEVELS if room not in FOLDERS}
FORBIDDEN = {"torch": ENGINE | {"commands", "plugin"}}
FILES = sorted(path for folder in (*FOLDERS, "refute") for path in (ROOT / folder).rglob("*.py"))


def room_free(path: Path) -> tuple[str, ...]:
    """The name of the module, without `refute`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "refute" else parts
    return parts[:-1] if parts[-1] == "__init__" else parts


TREES = {".".join(room_free(path)): ast.parse(path.read_text()) for path in FILES}
PACKAGES = {".".join(room_free(path)) for path in FILES if path.name == "__init__.py"}


def room_of(path: Path) -> tuple[str, str]:
    """The room and, in a folder of a paper, the paper."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "refute" else parts
    return parts[0], parts[1] if len(parts) > 1 and parts[1] in PAPERS else ""


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a module imports, also inside functions and by name through importlib."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write imports absolutely"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("importlib.import_module", "__import__"):
            yield from (word.value for word in node.args[:1] if isinstance(word, ast.Constant))


def top_level(tree: ast.Module) -> set[str]:
    """What is imported when the module is: without imports in functions and for type checkers."""
    return set(imported(ast.Module([node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], [])))


def wrong_imports(room: str, paper: str, source: str) -> set[str]:
    """Modules of a floor above, of another paper, of the tests, or heavy ones that the engine must not know."""
    wrong = set()
    for name in imported(ast.parse(source)):
        top, *rest = name.split(".")
        if top in ("tests", "benchmarks", *FOLDERS) or room in FORBIDDEN.get(top, ()):
            wrong.add(name)
        elif top == "refute" and rest and rest[0] in LEVELS and room not in ENTRANCES:
            other = rest[1] if len(rest) > 1 and rest[1] in PAPERS else paper
            if LEVELS[rest[0]] > LEVELS[room] or (other != paper and room in FOLDERS):
                wrong.add(name)
        elif top == "refute" and rest and rest[0] in ("commands", "plugin") and room not in ENTRANCES:
            wrong.add(name)
    return wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path):
    """A module imports its own room and those below it, no other paper's, and never the tests."""
    assert wrong_imports(*room_of(path), path.read_text()) <= EXCEPTIONS.get(str(path.relative_to(ROOT)), set())


# Each with its reason.
EXCEPTIONS = {
    # A value that a notebook displays asks for its card when it is displayed.
    "refute/shown.py": {"refute.show.notebook.html"}
}


def upward(room: str, source: str) -> set[str]:
    """Modules of models/ that stand above this room of it."""
    names = {name for name in imported(ast.parse(source)) if name.startswith("refute.models.")}
    return {name for name in names if MODEL_LEVELS.get(name.split(".")[2], 0) > MODEL_LEVELS[room]}


MODELS = [path for path in FILES if ROOT / "models" in path.parents and path.name != "__init__.py"]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: str(path.relative_to(ROOT)))
def test_rooms_of_models_stand_on_each_other(path: Path):
    """Descent knows nothing of flows, and what trains knows nothing of papers."""
    room = path.relative_to(ROOT / "models").with_suffix("").parts[0]
    assert upward(room, path.read_text()) == set()


def test_a_wrong_import_inside_models_is_seen():
    """Also within functions."""
    source = "def f():\n    from refute.models.flow.solve import gradient_flow"
    assert upward("descent", source) == {"refute.models.flow.solve.gradient_flow"}
    assert upward("logpolar", source) == set()


def test_every_room_of_models_has_a_floor():
    """A new file or folder says where it stands."""
    rooms = {path.relative_to(ROOT / "models").with_suffix("").parts[0] for path in MODELS}
    assert rooms == set(MODEL_LEVELS)


@pytest.mark.parametrize(
    ("room", "source", "wrong"),
    [
        ("decide", "import torch", {"torch"}),
        ("search", "def f():\n    from refute.models.flow import gradient_flow", {"refute.models.flow.gradient_flow"}),
        ("kernel", "from refute.search.draw import hunt", {"refute.search.draw.hunt"}),
        ("language", "import refute.decide.evaluate", {"refute.decide.evaluate"}),
        ("models", "if True:\n    import refute.strategies.sizes as s", {"refute.strategies.sizes"}),
        ("strategies", "import importlib\nimportlib.import_module('refute.claims.x')", {"refute.claims.x"}),
        ("claims", "from tests.planted import planted", {"tests.planted.planted"}),
        ("claims", "from models import Dataset", {"models.Dataset"}),
        ("show", "from refute.commands.main import cli", {"refute.commands.main.cli"}),
        ("claims", "import torch\nfrom refute.models import Dataset\nfrom refute import claim", set()),
    ],
)
def test_a_wrong_import_is_seen(room: str, source: str, wrong: set[str]):
    """The check has teeth, also inside functions."""
    assert wrong_imports(room, "", source) == wrong


def test_papers_do_not_import_each_other():
    """A claim of one paper knows nothing of another's models."""
    source = "from refute.models.min2024.cones import region"
    assert wrong_imports("claims", "kou2023", source) == {"refute.models.min2024.cones.region"}
    assert wrong_imports("claims", "min2024", source) == set()


def test_no_two_modules_need_each_other():
    """Imports of modules have no circle, imports in functions left aside."""
    trees = {f"refute.{name}".rstrip("."): tree for name, tree in TREES.items()}
    needs = {name: {module_of(each, trees) for each in top_level(tree)} & set(trees) for name, tree in trees.items()}
    done: set[str] = set()
    while ready := {name for name in trees if name not in done and needs[name] - {name} <= done}:
        done |= ready
    assert set(trees) - done == set()


def module_of(name: str, known: dict[str, ast.Module]) -> str:
    """The module that a name such as refute.language.claim.moved lies in."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


def public(room: str) -> dict[str, str]:
    """The public names of models/ or strategies/, each with the module where it lives."""
    tree = ast.parse((ROOT / room / "__init__.pyi").read_text())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {f"{room}.{alias.name}": f"{room}.{node.module}" for node in found for alias in node.names}


PUBLIC = public("models") | public("strategies")
NEEDS = {
    name: {module_of(PUBLIC.get(each, each), TREES) for each in (n.removeprefix("refute.") for n in imported(tree))}
    for name, tree in TREES.items()
}
SHARED = sorted(name for name in TREES if name.split(".")[0] in ("models", "strategies") and name not in PACKAGES)


def below(names: set[str]) -> set[str]:
    """These modules and all that they need."""
    found, todo = set(), list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += NEEDS[name] & set(TREES)
    return found


def test_a_module_is_needed_by_another_or_public():
    """What nothing imports, neither directly nor by a public name, is not kept."""
    needed = set.union(*NEEDS.values()) | set(PUBLIC.values())
    assert [name for name in SHARED if name not in needed] == []


def test_what_serves_one_paper_lies_in_its_folder():
    """What lies outside stands behind a public name, or two papers need it, or none: then somebody else does."""
    behind = below(set(PUBLIC.values()))
    served = [below({name for name in TREES if name.startswith(f"claims.{paper}.")}) for paper in PAPERS]
    shared = [name for name in SHARED if not PAPERS & set(name.split(".")) and name not in behind]
    assert [name for name in shared if sum(name in each for each in served) == 1] == []


FOLDERS_OF_TESTS = sorted(
    path.relative_to(ROOT / "tests")
    for room in ("refute", "models", "strategies")
    for path in (ROOT / "tests" / room).rglob("*")
    if path.is_dir() and "__pycache__" not in path.parts
)


@pytest.mark.parametrize("folder", FOLDERS_OF_TESTS, ids=str)
def test_tests_lie_where_what_they_test_lies(folder: Path):
    """A folder of tests has the name of a folder of modules."""
    assert (ROOT / folder).is_dir()


def test_there_are_files_to_check():
    """Every room is there."""
    assert {room_of(path)[0] for path in FILES} >= set(LEVELS)
