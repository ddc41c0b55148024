"""Files of claims are watched: what is new, gone or written again is named."""

from pathlib import Path

from refute.run.watching import changes, watched


def test_a_change_is_seen_once(tmp_path: Path):
    """Nothing at first; then each change."""
    (tmp_path / "mine.py").write_text("x = 1\n")
    seen = changes([tmp_path], every=0.01)
    assert next(seen) == set()
    (tmp_path / "mine.py").write_text("x = 10\n")
    (tmp_path / "new.py").write_text("y = 1\n")
    (tmp_path / "notes.txt").write_text("not a claim\n")
    assert next(seen) == {tmp_path / "mine.py", tmp_path / "new.py"}
    (tmp_path / "new.py").unlink()
    assert next(seen) == {tmp_path / "new.py"}


def test_what_lies_beside_a_file_matters(tmp_path: Path):
    """A file of claims may import it; without a file, the papers are watched."""
    (tmp_path / "mine.py").write_text("x = 1\n")
    assert watched([f"{tmp_path}/mine.py::name"]) == [tmp_path]
    assert watched([str(tmp_path)]) == [tmp_path]
    assert all((folder / "zhang2024").is_dir() for folder in watched(["zhang2024.*"]))
