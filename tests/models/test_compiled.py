"""Compiled code is made anew when its source, or one that it imports, has changed."""

from pathlib import Path

import models
from refute.models.compiled import stamp


def test_a_change_in_what_is_imported_changes_the_stamp(tmp_path: Path) -> None:
    """Whatever room it lies in, however indirectly it is imported; a source that is not imported does not count."""
    room = tmp_path / "models" / "room"
    room.mkdir(parents=True)
    (room / "far.py").write_text("def far(): return 1\n")
    (room / "near.py").write_text("from models.room.far import far\n")
    (room / "outer.py").write_text("from models.room.near import far\n")
    first = stamp(room / "outer.py", tmp_path)
    (room / "other.py").write_text("def other(): return 1\n")
    stamp.cache_clear()
    assert stamp(room / "outer.py", tmp_path) == first
    (room / "far.py").write_text("def far(): return 2\n")
    stamp.cache_clear()
    assert stamp(room / "outer.py", tmp_path) != first


def test_compiled_modules_import_from_modules_only() -> None:
    """The stamp follows `from models.a.b import name` where b is a file: no compiled module imports from a package or
    with `import`.
    """
    root = Path(models.__file__).parent
    for source in (each for each in root.rglob("*.py") if "@compiled" in each.read_text()):
        lines = [
            line
            for line in source.read_text().splitlines()
            if line.lstrip().startswith(("from models", "import models"))
        ]
        for line in lines:
            word, module = line.split()[:2]
            assert word == "from", source
            assert (root.parent / f"{module.replace('.', '/')}.py").exists(), (source, module)
