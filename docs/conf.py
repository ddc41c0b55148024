"""How the pages are built: `make docs`. Everything works without a network, formulas included (MathML)."""

import html
import importlib.metadata
import re
import sys
from pathlib import Path
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx

from refute.commands.main import OFFERED, cli
from refute.show.report.formula import formula

sys.path.insert(0, str(Path(__file__).parent))
from gallery import PAGES

project = "refute"
copyright = "the authors of refute, MIT licence"
release = version = importlib.metadata.version("refute")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_generated"]

html_theme = "furo"
html_title = "refute"
html_static_path = ["_static"]
html_css_files = ["wide.css", "drawn.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 100


def inline_math(self: Any, node: nodes.math) -> None:
    self.body.append(str(formula(html.unescape(node.astext()))))
    raise nodes.SkipNode


def displayed_math(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math">{formula(html.unescape(node.astext()), display=True)}</div>')
    raise nodes.SkipNode


CODE = re.compile(r"`[^`\n]+`")
SPECIAL = re.compile(r"([*|_\\`])")
ARRAY = re.compile(r"~?(?:numpy\.)?ndarray\[tuple\[~?(?:typing\.)?Any, \.\.\.\], ~?(?:numpy\.)?dtype\[[^\]]*\]\]")
ALIGNED = re.compile(r"^\s|\S {2,}\S")


def plain(text: str) -> str:
    """A paragraph of a docstring as reStructuredText: `code` stays code, every other mark is a character."""
    pieces, codes = CODE.split(text), CODE.findall(text)
    escaped = [SPECIAL.sub(r"\\\1", piece) for piece in pieces]
    return "".join(
        piece + (f"\\ `{code}`\\ " if code else "") for piece, code in zip(escaped, [*codes, ""], strict=True)
    )


def docstrings_are_prose(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with formulas in ASCII, not reStructuredText; indented and aligned lines keep their
    form.
    """
    paragraphs = "\n".join(lines).strip("\n").split("\n\n")
    lines.clear()
    for paragraph in paragraphs:
        inside = paragraph.split("\n")
        if any(ALIGNED.search(line) for line in inside):
            lines += ["::", "", *(f"    {line}" for line in inside), ""]
        else:
            lines += [*plain(paragraph).split("\n"), ""]


def arrays_are_arrays(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: Any, returns: Any
) -> tuple[Any, Any]:
    """In signatures numpy's long name for an array is `Array`."""
    return tuple(text and ARRAY.sub("Array", text) for text in (signature, returns))  # type: ignore[return-value]


def command_help(app: Sphinx, page: str, source: list[str]) -> None:
    """On the page of commands: what `--help` says, of every command there is."""
    if page == "commands":
        shown = [f"## refute {name}\n\n```text\n{_help(name)}\n```\n" for name in OFFERED]
        source[0] += "\n" + "\n".join(shown)


def generated(app: Sphinx, page: str, source: list[str]) -> None:
    """What is drawn from the package itself."""
    if page in PAGES:
        source[0] += "\n" + PAGES[page]()


def _help(name: str) -> str:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command.get_help(click.Context(command, info_name=f"refute {name}", terminal_width=100))


def setup(app: Sphinx) -> None:
    app.add_html_math_renderer("mathml", (inline_math, None), (displayed_math, None))
    app.connect("autodoc-process-docstring", docstrings_are_prose)
    app.connect("autodoc-process-signature", arrays_are_arrays)
    app.connect("source-read", command_help)
    app.connect("source-read", generated)
