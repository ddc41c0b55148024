"""One installed name: what is built holds everything, and what lies around a user's claims does no harm."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LINKED = ("claims", "models", "strategies")  # folders at the top of the tree that are linked into the package
SHIPPED = {".py", ".pyi", ".json", ".toml", ".html", ".css", ".js"}
LEFT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "_build", "figures")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("setuptools") is None, reason="nothing is built without setuptools"),
    pytest.mark.xdist_group("installed"),
]

MINE = """
from fractions import Fraction
from refute import at_least, claim
from refute.strategies import number, sized
import settings
from bounds import LEAST

@claim("mine.squares", given=sized(x=number()), recorded="supported")
def squares_are_not_negative(x):
    "x^2 >= 0"
    return at_least(x * x, LEAST + settings.OFFSET)
"""
BESIDE = {
    "mine.py": MINE,
    "bounds.py": "LEAST = 0\n",
    "settings.py": "OFFSET = 0\n",
    "models.py": "WHOSE = 'the user'\n",
    "strategies.py": "raise RuntimeError('strategies of the user')\n",
    "claims/__init__.py": "raise RuntimeError('claims of the user')\n",
    "tests.py": "raise RuntimeError('tests of the user')\n",
    "test_mine.py": "import models\n\ndef test_models_are_mine():\n    assert models.WHOSE == 'the user'\n",
}


def package_files(root: Path) -> set[str]:
    """What is to be installed: all files of the package, those of the linked folders too."""
    found: set[str] = set()
    for folder in ("refute", *LINKED):
        for path in (root / folder).rglob("*"):
            name = path.relative_to(root).as_posix()
            linked = folder == "refute" and name.split("/")[1] in LINKED  # listed from where they really are
            if path.is_file() and not linked and (path.suffix in SHIPPED or path.name == "py.typed"):
                found.add(name if folder == "refute" else f"refute/{name}")
    return found


def build(tree: Path, what: str) -> Path:
    """The wheel or the sdist of a tree, without a network."""
    script = f"from setuptools import build_meta; print(build_meta.build_{what}({str(tree / 'dist')!r}))"
    (tree / "dist").mkdir(exist_ok=True)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=tree, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return tree / "dist" / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone: building leaves files in it."""
    folder = tmp_path_factory.mktemp("clone") / "refute"
    return Path(shutil.copytree(ROOT, folder, symlinks=True, ignore=LEFT))


@pytest.fixture(scope="module")
def wheel(tree: Path) -> Path:
    return build(tree, "wheel")


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages with nothing but the wheel in it."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def run(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with the wheel before whatever is installed in this environment."""
    environment = {**os.environ, "PYTHONPATH": str(site), "COLUMNS": "200"}
    return subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


def test_a_wheel_holds_everything(wheel: Path, tree: Path):
    """Modules, stubs, certificates, proofs, templates and styles; and nothing outside the one name."""
    names = set(contents(wheel))
    assert names == package_files(tree)
    for needed in ("__init__.pyi", "py.typed", "models/__init__.pyi", "strategies/__init__.pyi"):
        assert f"refute/{needed}" in names
    for suffix in ("style.css", "proofs.toml", ".json", "base.html", "theme.js"):
        assert any(name.endswith(suffix) for name in names), suffix


def test_an_sdist_builds_the_same_wheel(tree: Path, wheel: Path, tmp_path: Path):
    """Whoever packages it from source gets the same files."""
    with tarfile.open(build(tree, "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    assert contents(build(unpacked, "wheel")) == contents(wheel)


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A folder with a claim, its sibling, and modules of the user's own under names that we use, too."""
    for name, text in BESIDE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_users_own_modules_do_no_harm(site: Path, beside: Path):
    """Her models.py, strategies.py, claims/ and settings.py are hers, and a sibling of the claim can be imported."""
    done = run(site, beside, "-m", "refute", "check", "mine.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 supported" in done.stdout


def test_a_users_own_tests_import_her_own_modules(site: Path, beside: Path):
    """In one session of pytest with her claims."""
    done = run(site, beside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "mine.py", "test_mine.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_a_clone_in_the_current_folder_is_not_taken_for_the_package(site: Path, tree: Path):
    """After `git clone .../refute` there is a folder called refute, which is no package."""
    script = "import refute, refute.models, refute.claims.conjectures as c; print(refute.__file__, c.__path__[0])"
    done = run(site, tree.parent, "-c", script)
    assert done.returncode == 0, done.stderr
    assert [Path(word).is_relative_to(site) for word in done.stdout.split()] == [True, True]


def test_installed_claims_are_checked_with_their_certificates(site: Path, tmp_path: Path):
    """The pinned counterexample comes with the wheel: nothing needs to be searched."""
    done = run(site, tmp_path, "-m", "refute", "check", "conjectures.*")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 supported, 1 refuted" in done.stdout
