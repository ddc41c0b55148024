"""`refute completion`: the script that makes a shell complete commands, options, ids of claims, papers and figures.

What there is to complete is read from the text of the claims: importing them would take longer than a person waits for
a Tab. So ids that are made in a loop are not offered; they are found by a glob.
"""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from refute.run.outline import ids_of
from refute.run.packs import packs
from refute.run.source import DEFAULT_PACKAGE

SHELLS = ("bash", "zsh", "fish")

_FIGURE = re.compile(r'^@figure\(\s*"(\w+)",\s*"?(\w+)"?', re.MULTILINE)

_HOW = """\
\b
  bash   refute completion bash > ~/.local/share/bash-completion/completions/refute
  zsh    refute completion zsh > ~/.zfunc/_refute   (with fpath+=~/.zfunc before compinit in .zshrc)
  fish   refute completion fish > ~/.config/fish/completions/refute.fish
"""


@click.command(epilog=_HOW)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options, ids of claims, papers and figures in a shell.

    \b
    Example: eval "$(refute completion bash)"
    """
    kind = get_completion_class(shell)
    assert kind is not None  # the three that click knows
    root = context.find_root()
    click.echo(kind(root.command, {}, "refute", "_REFUTE_COMPLETE").source())


def claim_ids(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids that begin so; files, where it looks like a path or no id begins so."""
    if "/" not in incomplete:
        paper = incomplete.partition(".")[0]
        places = [(root, root / paper if (root / paper).is_dir() else root) for root in _folders()]
        known = {id for root, place in places for path in place.rglob("*.py") for id in ids_of(path, root)}
        found = sorted(id for id in known if id.startswith(incomplete))
        if found:
            return [CompletionItem(id) for id in found]
    return [CompletionItem(incomplete, type="file")]


def paper_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The folders of claims."""
    papers = {path.parent.name for folder in _folders() for path in folder.glob("*/__init__.py")}
    papers |= {pack.name for pack in packs()}
    return [CompletionItem(name) for name in sorted(papers) if name.startswith(incomplete)]


def figure_numbers(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The figures of the paper that was named before; of every paper, if none was."""
    paper = context.params.get("paper")
    found = {number for text in _texts() for of, number in _FIGURE.findall(text) if paper in (None, of)}
    return [
        CompletionItem(number) for number in sorted(found, key=lambda n: (len(n), n)) if number.startswith(incomplete)
    ]


def _texts() -> Iterator[str]:
    for folder in _folders():
        for path in sorted(folder.rglob("*.py")):
            yield path.read_text(encoding="utf-8", errors="replace")


def _folders() -> list[Path]:
    """Where the claims are; none of them is imported."""
    spec = find_spec(DEFAULT_PACKAGE)
    own = [Path(place) for place in spec.submodule_search_locations or ()] if spec else []
    return own + [folder for pack in packs() for folder in pack.folders()]
