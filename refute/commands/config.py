"""`refute config`: what is set for the commands in this folder, and where."""

from pathlib import Path

import click

from refute.commands.common import say
from refute.commands.main import OFFERED
from refute.language.place import shown
from refute.run.configuration import KEYS, configuration


@click.command()
def config() -> None:
    """Print what [tool.refute] of pyproject.toml sets in this folder, and where it is set.

    \b
    Example: refute config
    """
    found = configuration(Path.cwd(), OFFERED)
    say(f"from {shown(found.path)}" if found.path else "no pyproject.toml here or above has a table [tool.refute]")
    for key, about in KEYS.items():
        value = found.common.get(key)
        say(f"{key} = {value!r}" if value is not None else f"{key} is not set: {about}")
    for command, table in found.commands.items():
        for key, value in table.items():
            say(f"{command}.{key} = {value!r}")
