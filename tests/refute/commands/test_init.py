"""A pack that `refute init` makes works like a paper that comes with the project: found by its entry point, with every
command, from an installation of its own.
"""

import json
import os
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.refute.conftest import Refute

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own into which the pack is installed; it borrows the packages of this one."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home / "venv", with_pip=False)
    library = next((home / "venv" / "lib").iterdir()) / "site-packages"
    (library / "borrowed.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n{ROOT / 'src'}\n")
    run(home, "-m", "refute", "init", "lyu2020")
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "./lyu2020"]
    run(home, *install)
    return home


def run(home: Path, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Python in that environment, outside the clone and outside the pack."""
    python = home / "venv" / "bin" / "python"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST") and name != "PYTHONPATH"}
    done = subprocess.run([python, *words], cwd=home, capture_output=True, text=True, env=kept, timeout=300)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def refute(home: Path, *words: str, code: int = 0) -> str:
    return run(home, "-m", "refute", *words, code=code).stdout


def test_the_pack_is_installed_as_a_wheel(home: Path):
    """Not read from the folder where it was written."""
    where = run(home, "-c", "import lyu2020; print(lyu2020.__file__)").stdout
    assert "site-packages" in where


def test_its_claims_are_found_by_id(home: Path):
    """Beside those of the papers that come with the project."""
    rows = json.loads(refute(home, "list", "lyu2020.*", "--json"))
    assert [row["id"] for row in rows] == [f"lyu2020.lemma_1.{name}" for name in ("balance", "labels", "descends")]


def test_they_are_checked_and_what_falls_is_verified(home: Path):
    """By another process, which is told no file."""
    rows = json.loads(refute(home, "check", "lyu2020.*", "--json"))
    assert [row["verdict"] for row in rows] == ["supported", "supported", "refuted"]
    assert refute(home, "verify", rows[2]["certificate"]).startswith("valid")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mutate", "lyu2020.*"], "3 refuted, 0 survived"),
        (["ablate", "lyu2020.lemma_1.labels"], "necessary"),
        (["find", "lyu2020.lemma_1.descends", "--budget", "50 cases"], "refuted after"),
        (["document", "lyu2020", "--out", "pages", "--no-ablate"], "pages/lyu2020.md"),
        (["report", "lyu2020.*", "--out", "site"], "site/index.html: 3 claims"),
    ],
)
def test_every_command_works_on_it(home: Path, words: list[str], said: str):
    """Like on a paper that comes with the project."""
    assert said in refute(home, *words)


def test_its_own_tests_and_claims_are_green(home: Path):
    """As soon as it is made."""
    python = home / "venv" / "bin" / "python"
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=home / "lyu2020",
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout
    assert "claims: 2 supported, 1 refuted" in done.stdout


@pytest.mark.parametrize("name", ["class", "Lyu2020", "2020", "a-b", "refute", "json", ""])
def test_a_bad_name_is_wrong_use(refute: Refute, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nothing is written."""
    monkeypatch.chdir(tmp_path)
    done = refute("init", name)
    assert done.exit_code == 2
    assert "lyu2020" in done.stderr
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(refute: Refute, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder with something in it stays as it is."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lyu2020").mkdir()
    (tmp_path / "lyu2020" / "notes.txt").write_text("mine")
    assert refute("init", "lyu2020").exit_code == 2
    assert [path.name for path in (tmp_path / "lyu2020").iterdir()] == ["notes.txt"]


def test_two_packs_with_one_id_are_named(home: Path, tmp_path: Path):
    """Both places stand in the error."""
    (tmp_path / "other2020.py").write_text(
        "from refute import claim\n@claim('lyu2020.lemma_1.balance')\ndef same(x):\n    return x\n"
    )
    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[refute.claims]\nother2020 = other2020\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import refute.commands.main as c; c.main()"
    done = run(home, "-c", code, "list", code=2)
    assert "two claims are called 'lyu2020.lemma_1.balance'" in done.stderr
    assert "lyu2020/lemma_1.py" in done.stderr
    assert "other2020.py" in done.stderr
