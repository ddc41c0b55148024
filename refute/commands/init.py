"""`refute init`: a pack for a paper of one's own."""

import keyword
import sys
from importlib import resources
from pathlib import Path
from string import Template

import click

from refute.commands.common import say
from refute.errors import BadInput

# What is written, by the template that it is made of; NAME stands for the name of the paper.
FILES = {
    "pyproject.toml": "pyproject.toml.in",
    "README.md": "README.md.in",
    "NAME/__init__.py": "package.py.in",
    "NAME/assumptions.py": "assumptions.py.in",
    "NAME/strategies.py": "strategies.py.in",
    "NAME/lemma_1.py": "lemma_1.py.in",
    "NAME/proofs.toml": "proofs.toml.in",
    "tests/test_NAME.py": "test_pack.py.in",
    ".github/workflows/claims.yml": "check.yml.in",
}


@click.command()
@click.argument("name")
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), help="The folder; by default one of the name, here."
)
def init(name: str, into: Path | None) -> None:
    """Begin a pack of claims: a folder with a statement, an assumption, a strategy, tests and a README.

    NAME is that of the paper, such as lyu2020: ids of claims begin with it.

    \b
    Example: refute init lyu2020
    """
    _check(name)
    folder = into if into is not None else Path(name)
    if folder.exists() and any(folder.iterdir()):
        raise BadInput(f"the folder {folder} is not empty", "choose another --into, or empty it")
    templates = resources.files("refute.scaffold")
    for place, template in FILES.items():
        path = folder / place.replace("NAME", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = Template((templates / template).read_text(encoding="utf-8")).substitute(name=name)
        path.write_text(text, encoding="utf-8")
        say(str(path))
    say(f"\nnext: cd {folder} && pip install -e . && pytest")


def _check(name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        raise BadInput(f"{name!r} cannot be the name of a package", "use small letters, digits and _, such as lyu2020")
    if name in sys.stdlib_module_names or name in ("refute", "tests"):
        raise BadInput(f"{name!r} is taken", "use the first author and the year, such as lyu2020")
