"""The examples earn the verdicts that are recorded in them, for the reason that is given there.

The packs are installed from their wheels in an environment of their own; the single files are checked as they lie.
"""

import ast
import json
import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("examples")]

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
PACKS = ("du2018", "lyu2020")
SHORT = sorted(EXAMPLES.glob("short/*.py"))
MOST_LINES = 10  # of code for one claim: its decorators and its body

# Of what is false: the line that is violated, or how the trend is told.
REASONS = {
    "du2018.theorem_2_1.softplus": "incoming against outgoing",
    "du2018.corollary_2_1.twice": "gain of a layer against the one below",
    "du2018.descent.layers": "change of the difference",
    "lyu2020.theorem_4_1.hard": "hard margin",
    "lyu2020.theorem_4_4.global": "margin against that of a rival",
    "saxe2014.mode.sigmoid.slow": "strength of the mode",
    "soudry2018.theorem_3.direction.fast": "distance of the directions",
    "soudry2018.theorem_3.least_squares": "distance",
    "boursier2022.theorem_1.any_inputs": "squared norm",
    "phuong2021.theorem_3_2.separable": "direction",
    "gaussian_starts.all_are_bounded.no_union": "all weights are bounded",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment into which the packs are installed; it borrows the packages of this one."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home / "venv", with_pip=False)
    library = next((home / "venv" / "lib").iterdir()) / "site-packages"
    (library / "borrowed.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n{ROOT / 'src'}\n")
    shutil.copytree(EXAMPLES, home / "examples")
    packs = [f"./examples/{pack}" for pack in PACKS]
    run(home, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", *packs)
    return home


def run(home: Path, *words: str, code: int = 0) -> str:
    """Python in that environment, outside the clone."""
    python = home / "venv" / "bin" / "python"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST") and name != "PYTHONPATH"}
    done = subprocess.run([python, *words], cwd=home, capture_output=True, text=True, env=kept, timeout=600)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("workers", [1, 2])
def test_every_claim_earns_its_verdict_for_its_reason(home: Path, workers: int):
    """With one worker and with two, the same: the exit code says that all are as recorded."""
    files = [f"examples/short/{path.name}" for path in SHORT]
    wanted = [f"{pack}.*" for pack in PACKS]
    rows = json.loads(run(home, "-m", "refute", "check", *wanted, *files, "--json", "--jobs", str(workers)))
    assert {row["paper"] for row in rows} == {*PACKS, *(path.stem for path in SHORT)}
    false = {row["id"]: row for row in rows if row["verdict"] in ("refuted", "against")}
    assert set(false) == set(REASONS)
    for id, reason in REASONS.items():
        assert f"{reason}: " in false[id]["detail"], false[id]["detail"]


def test_pins_verify_for_a_colleague_who_installed_the_packs(home: Path):
    """She is told no file."""
    for pack in PACKS:
        pins = next((home / "venv" / "lib").iterdir()) / "site-packages" / pack / "refuted"
        said = run(home, "-m", "refute", "verify", str(pins), code=1 if pack == "lyu2020" else 0)
        assert {line.split()[0] for line in said.splitlines() if line} <= {"valid", "evidence"}


@pytest.mark.parametrize("path", [*SHORT, *EXAMPLES.glob("*2*/*2*/*.py")], ids=lambda path: path.stem)
def test_a_claim_has_at_most_ten_lines(path: Path):
    """Decorators and body, without the docstring."""
    for node in ast.walk(ast.parse(path.read_text())):
        decorators = ast.unparse(node.decorator_list) if isinstance(node, ast.FunctionDef) else ""
        if "claim(" in decorators:
            body = [line for part in node.body[1:] for line in ast.unparse(part).splitlines()]
            assert len(node.decorator_list) + len(body) <= MOST_LINES, node.name
