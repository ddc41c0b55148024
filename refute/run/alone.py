"""Import a file that lies in no package, together with the files beside it that it imports.

A file of claims may import its neighbours, `import settings` or `from .settings import training`, whatever they are
called: they are found in its folder only, and two folders may each have a `settings.py`. A neighbour never takes the
place of a module of Python itself.
"""

import hashlib
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType


class Neighbours:
    """A finder of the modules that lie in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.loaded: dict[str, ModuleType] = {}

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        inside = path is None and name not in sys.stdlib_module_names
        found = PathFinder.find_spec(name, [str(self.folder)]) if inside else None
        return found if found is not None and found.origin is not None else None

    def names(self) -> set[str]:
        """What the folder holds that can be imported by a plain name."""
        packages = {path.parent.name for path in self.folder.glob("*/__init__.py")}
        return ({path.stem for path in self.folder.glob("*.py")} | packages) - sys.stdlib_module_names


_known: dict[Path, Neighbours] = {}


@contextmanager
def _among_neighbours(folder: Path) -> Iterator[None]:
    """Inside, plain imports look in the folder first; outside, what was there before is there again."""
    if folder not in _known:
        _known[folder] = Neighbours(folder)
        sys.meta_path.append(_known[folder])  # for imports inside functions, after everything else
    neighbours = _known[folder]
    tops = neighbours.names()
    others = {name: module for name, module in sys.modules.items() if name.split(".")[0] in tops}
    for name in others:
        del sys.modules[name]
    sys.modules.update(neighbours.loaded)
    sys.meta_path.insert(0, neighbours)
    try:
        yield
    finally:
        sys.meta_path.remove(neighbours)
        sys.meta_path.append(neighbours)
        neighbours.loaded = {name: module for name, module in sys.modules.items() if name.split(".")[0] in tops}
        sys.modules.update(others)


def import_alone(file: Path) -> ModuleType:
    """Import the file once, under a name of its own."""
    package = f"refute_file_{hashlib.sha256(str(file.parent).encode()).hexdigest()[:12]}"
    name = f"{package}.{file.stem}"
    if name in sys.modules:
        return sys.modules[name]
    if package not in sys.modules:
        parent = ModuleType(
            package, "The folder of a file of claims, so that it can import its neighbours by `from .name import ...`."
        )
        parent.__path__ = [str(file.parent)]
        sys.modules[package] = parent
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _among_neighbours(file.parent):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
