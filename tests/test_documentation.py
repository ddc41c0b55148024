"""Every example of the documentation is executed and shows what really comes out.

A page is a script, run from top to bottom in an empty folder:
    ```python    is executed, and the claims it makes are checked; one that begins with `#
                 mine.py` is written to that file instead
    ```pycon     is a session of the interpreter, whose output must be that of the page
    ```console   has lines `$ refute ...`, each with the output that the page shows ("..." stands for anything)
    ```sh        is not executed, but every `refute` in it must be a command with these options, every `make` a target
"""

import doctest
import glob
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import nbformat
import pytest
from click.testing import CliRunner
from nbclient import NotebookClient

import refute
from refute import Broken, Run, check, strategies
from refute.commands.main import OFFERED, cli
from refute.language import registry

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w.]+)\n")
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = [
        (match[2].strip().split(" ")[0], match[3], text.count("\n", 0, match.start()) + 1)
        for match in FENCE.finditer(text)
    ]
    return [Block(*one) for one in found]


def identifier(page: Path) -> str:
    return str(page.relative_to(ROOT))


EXECUTED = [page for page in PAGES if any(block.language in ("python", "pycon", "console") for block in blocks(page))]


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command with the output that should follow it."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def assert_same(expected: str, got: str, where: str) -> None:
    __tracebackhide__ = True
    if not doctest.OutputChecker().check_output(expected, got, LOOSELY):
        pytest.fail(f"{where} shows\n{expected}\nbut what comes out is\n{got}")


@dataclass
class Script:
    """A page that is being executed: its names, and how its last command ended."""

    page: Path
    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "notes"})
    exit_code: int = 0

    def run(self, block: Block) -> None:
        where = f"{identifier(self.page)}:{block.line}"
        if block.language == "python":
            self.python(block, where)
        elif block.language == "pycon":
            self.session(block, where)
        elif block.language == "console":
            for command, expected in commands(block):
                assert_same(expected, self.command(command), f"{where} ($ {command})")

    def python(self, block: Block, where: str) -> None:
        named = FILE.match(block.text)
        if named:
            (self.folder / named[1]).write_text(block.text)
            return
        known = set(registry.claims())
        source = block.text
        exec(compile(source, where, "exec"), self.names)
        for claim in set(registry.claims()) - known:
            outcome = check(claim, Run())
            assert not isinstance(outcome, Broken), f"{where}: {claim.id}: {outcome}"

    def session(self, block: Block, where: str) -> None:
        example = doctest.DocTestParser().get_doctest(block.text, self.names, where, str(self.page), block.line)
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=LOOSELY, verbose=False)
        runner.run(example, out=said.append, clear_globs=False)
        self.names.update(example.globs)
        assert runner.failures == 0, "".join(said)

    def command(self, line: str) -> str:
        words = [found for word in shlex.split(line) for found in (sorted(glob.glob(word)) if "*" in word else [word])]
        if words == ["echo", "$?"]:
            return f"{self.exit_code}\n"
        if words[0] == "cat":
            return "".join(Path(word).read_text() for word in words[1:])
        if words[0] == "refute":
            done = CliRunner().invoke(cli, words[1:])
            self.exit_code = done.exit_code
            return done.output
        assert words[0] == "pytest", f"no command to execute: {line}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        ran = subprocess.run(
            [sys.executable, "-m", *words], capture_output=True, text=True, timeout=120, env=kept, check=False
        )
        self.exit_code = ran.returncode
        return ran.stdout


@pytest.mark.parametrize("page", EXECUTED, ids=identifier)
def test_examples_run_and_show_true_output(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What a page shows is what a reader gets who follows it in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_claims", {})
    script = Script(page, tmp_path)
    for block in blocks(page):
        script.run(block)


@pytest.mark.parametrize("page", PAGES, ids=identifier)
def test_commands_that_are_only_shown_exist(page: Path):
    """Every `refute` command in a block that is not executed has these options; every `make` target is there."""
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    for block in blocks(page):
        for line in block.text.splitlines() if block.language == "sh" else []:
            words = shlex.split(line, comments=True)
            if words[:1] == ["refute"]:
                command = cli.get_command(click.Context(cli), words[1])
                assert command is not None, f"{identifier(page)}: there is no command {words[1]!r}"
                command.make_context(words[1], list(words[2:]))
            elif words[:1] == ["make"]:
                assert set(words[1:]) <= set(targets), f"{identifier(page)}: {line}"


def test_there_are_examples():
    """Nothing is executed where nothing is found: the pages that teach have examples."""
    assert {"CONTRIBUTING.md", "docs/tutorial.md", "docs/kinds.md", "docs/notebook.md"} <= {
        identifier(page) for page in EXECUTED
    }


def test_a_false_output_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The test has teeth: wrong output, a wrong session and a claim that cannot run all fail."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_claims", {})
    script = Script(ROOT / "docs" / "none.md", tmp_path)
    with pytest.raises(pytest.fail.Exception, match="what comes out"):
        script.run(Block("console", "$ refute --version\nrefute, version 99\n", 1))
    with pytest.raises(AssertionError, match="Expected"):
        script.run(Block("pycon", ">>> 1 + 1\n3\n", 1))
    with pytest.raises(AssertionError, match="returned nothing"):
        script.run(Block("python", "from refute import claim\n@claim()\ndef says_nothing():\n    '...'\n", 1))


def test_every_public_name_is_documented():
    """The reference lists each name that the packages offer."""
    text = (ROOT / "docs" / "api.md").read_text()
    assert [
        name for name in refute.__all__ if not re.search(rf"^\.\. auto\w+:: refute\.{name}$", text, re.MULTILINE)
    ] == []
    assert [
        name
        for name in strategies.__all__
        if not re.search(rf"^\.\. auto\w+:: refute\.strategies\.{name}$", text, re.MULTILINE)
    ] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, built as `make docs` builds them."""
    out = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-b",
            "html",
            "-q",
            "-W",
            "--keep-going",
            "-d",
            str(out / "doctrees"),
            str(ROOT / "docs"),
            str(out),
        ],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return out


def test_the_pages_are_built_and_need_no_network(site: Path):
    """A build without warnings has every page; none of them loads anything from elsewhere; formulas are typeset."""
    names = {page.stem for page in PAGES if page.parent.name == "docs"}
    assert names <= {page.stem for page in site.glob("*.html")}
    text = {name: (site / f"{name}.html").read_text(encoding="utf-8") for name in names}
    loaded = re.compile(
        r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"(?:https?:)?//|<link\b[^>]*\bhref=\"(?:https?:)?//"
    )
    assert [name for name in names if loaded.search(text[name])] == []
    assert all(f"refute {command}" in text["commands"] for command in OFFERED)
    assert "<math" in text["zhang2024"]
    for name in ("refute.claim", "refute.strategies.sized", "refute.functions.exp"):
        assert f'id="{name}"' in text["api"]


def test_internal_links_lead_somewhere(site: Path):
    """Every link from one page to another, and to a place inside it, has its target."""
    anchors = {
        page.name: set(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8"))) for page in site.glob("*.html")
    }
    for page in site.glob("*.html"):
        for target, anchor in re.findall(r'href="([\w.-]*\.html)?(?:#([^"]*))?"', page.read_text(encoding="utf-8")):
            assert not target or target in anchors, f"{page.name} -> {target}"
            assert not anchor or anchor in anchors[target or page.name], f"{page.name} -> {target}#{anchor}"


def cell_outputs(cell: Any) -> dict[str, str]:
    """What a cell shows: text and HTML of its result; an error or a printed line is none of it."""
    assert [output.output_type for output in cell.outputs] in ([], ["execute_result"]), cell.outputs
    return dict(cell.outputs[0].data) if cell.outputs else {}


def test_the_tour_runs(tmp_path: Path):
    """The notebook is stored without outputs, runs from top to bottom, and every cell shows what the text around it
    says.
    """
    notebook = nbformat.read(ROOT / "docs" / "tour.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    imports, verdict, case, certificate, verified, amended, stale, hunted, trajectory = [
        cell_outputs(cell) for cell in cells
    ]
    assert imports == {}
    assert verdict["text/plain"].startswith("refuted: counterexample  net = TwoLayer(inner=[[0]], outer=[1], slope=1)")
    assert (
        case["text/plain"]
        == "net = TwoLayer(inner=[[0]], outer=[1], slope=1), data = Dataset(inputs=[[1]], labels=[1])"
    )
    assert re.search(r"^level +exact$", certificate["text/plain"], re.MULTILINE)
    assert verified["text/plain"].startswith("valid")
    assert re.match(r"supported: no counterexample in \d\d+ cases", amended["text/plain"])
    assert stale["text/plain"].startswith("invalid: the statement or the assumptions of the claim differ")
    assert hunted["text/plain"].startswith("no counterexample in ")
    assert "3 neurons in dimension 2" in trajectory["text/plain"]
    assert trajectory["text/html"].count("<polyline") == 3
    for shown in (verdict, case, certificate, verified, amended, stale, hunted, trajectory):
        assert "<table" in shown["text/html"]
    assert [path.name[:22] for path in (tmp_path / ".refute" / "certificates").iterdir()] == ["tour.inactive_neurons."]
