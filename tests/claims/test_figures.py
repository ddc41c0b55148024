"""Every figure of the papers can be drawn, says what it found, and refuses what it does not support."""

import re
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from matplotlib.figure import Figure
from matplotlib.image import imread

from refute.commands.main import cli
from refute.language import registry
from tests.registered import registered_claims

pytestmark = pytest.mark.slow

registered_claims()  # imports every paper
FIGURES = registry.figures()
# The sketches of min2024 take no options and no time. Even quick, the images of kou2023 are trained on for half a
# minute each.
SLOW = {("kou2023", number) for number in "2345"}
QUICK = {name for name, draw in FIGURES.items() if "quick" in signature(draw).parameters or name[0] == "min2024"}
DRAWN = sorted(QUICK - SLOW)
PRINTED = {
    "zhang2024": ["1", "2", "3", "6b"],
    "min2024": [str(number) for number in range(1, 22)],
    "chistikov2023": ["1", "2"],
    "kou2023": ["1", "2", "3", "4", "5"],
}
SKETCH = ("min2024", "14")


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every paper is imported above; looking for them again would take longer than most of the figures."""
    monkeypatch.setattr("refute.commands.figure.load_all", lambda: None)


def refute_figure(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["figure", *arguments])


@pytest.mark.parametrize(("paper", "number"), DRAWN, ids=lambda word: str(word))
def test_a_figure_is_drawn_and_compared_with_the_paper(paper: str, number: str, tmp_path: Path):
    """The picture is not empty, and every comparison of its caption has numbers and a conclusion."""
    target = tmp_path / "figure.png"
    quick = ["--quick"] if "quick" in signature(FIGURES[paper, number]).parameters else []
    done = refute_figure(paper, number, *quick, "--out", str(target))
    assert done.exit_code == 0, done.stderr
    path, title, *lines = done.stdout.splitlines()
    assert Path(path).name == "figure.png"
    assert paper in title
    compared = [line for line in lines if "(paper: " in line and line.endswith(("same phenomenon", "does not show it"))]
    assert compared
    assert all(re.search(r"\d", line) for line in compared)
    assert imread(target)[..., :3].std() > 0.01


@pytest.mark.parametrize("paper", PRINTED)
def test_every_figure_of_a_paper_is_known(paper: str):
    """Those that the paper prints are listed in their order, with their options."""
    done = refute_figure(paper)
    assert done.exit_code == 0
    listed = [line.split()[1] for line in done.stdout.splitlines()]
    assert listed[: len(PRINTED[paper])] == PRINTED[paper]
    assert refute_figure("--list").stdout.count(f"{paper} ") >= len(listed)


def test_without_arguments_all_figures_are_listed():
    """One line each, as with --list."""
    done = refute_figure()
    assert len(done.stdout.splitlines()) == len(FIGURES)
    assert done.stdout == refute_figure("--list").stdout


@pytest.mark.parametrize(("ending", "begins"), [(".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_a_vector_figure_is_reproducible(ending: str, begins: bytes, tmp_path: Path):
    """Twice the same bytes, without a date; the SVG is well-formed and carries the caption."""
    files = [tmp_path / f"{k}{ending}" for k in range(2)]
    for file in files:
        assert refute_figure(*SKETCH, "--out", str(file)).exit_code == 0
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert first.startswith(begins)
    if ending == ".svg":
        root = ElementTree.fromstring(first)
        assert root.tag.endswith("svg")
        assert any(element.get("id") == "caption" for element in root.iter())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*SKETCH, "--seeds", "3"], "this figure does not take --seeds"),
        ([*SKETCH, "--quick", "--seeds", "2"], "does not take --seeds"),
        (["zhang2024", "1", "--full"], "it takes --seeds, --quick"),
        (["chistikov2023", "1", "--quick", "--full"], "choose one of them"),
        (["zhang2024", "4"], "known figures: zhang2024 1, zhang2024 2, zhang2024 3, zhang2024 6b"),
        (["nobody"], "papers with figures: chistikov2023, kou2023, min2024, zhang2024"),
        (["zhang2024", "1", "--seeds", "0"], "0 is not in the range"),
        (["zhang2024", "1", "--out", "figure.nonsense"], "the ending is none of .png, .svg, .pdf"),
    ],
)
def test_what_a_figure_does_not_support_is_refused(arguments: list[str], said: str):
    """Exit 2 before anything is drawn, with the value and a way out."""
    done = refute_figure(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def plain() -> Figure:
    return Figure()


def one_option(seeds: int = 1) -> Figure:
    return labelled(f"{seeds} seeds")


def all_options(
    *, progress: Callable[[int, int], None], seeds: int = 1, quick: bool = False, full: bool = False
) -> Figure:
    progress(1, 2)
    return labelled(f"{seeds} {quick} {full}")


def labelled(text: str) -> Figure:
    drawn = Figure()
    drawn.set_label(text)
    return drawn


@pytest.mark.parametrize(
    ("draw", "arguments", "said"),
    [
        (plain, [], []),
        (one_option, [], ["1 seeds"]),
        (one_option, ["--seeds", "4"], ["4 seeds"]),
        (all_options, ["--seeds", "2", "--quick"], ["2 True False"]),
        (all_options, ["--full"], ["1 False True"]),
    ],
)
def test_a_figure_gets_what_its_parameters_name(
    draw: Any, arguments: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """Given options and the report of progress are passed by name; the label of the picture is
    printed after its path.
    """
    monkeypatch.setitem(registry._figures, ("notes", "1"), draw)
    done = refute_figure("notes", "1", "--out", str(tmp_path / "one.png"), *arguments)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[1:] == said
