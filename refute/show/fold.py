"""Long lines on a narrow terminal: broken between words and between the values of a case, never inside one, and so that
a command can be copied: each of its lines but the last ends with a backslash.
"""

import re
import shutil
import textwrap
from typing import IO, Any

_LABEL = re.compile(r"\s*(?:Exit code:\s+)?(?:\S+(?: \S+){0,2}?\s{2,}|\d+ )")
_BETWEEN = re.compile(r", (?=[A-Za-z_][\w.]* = )")  # the values of a case
_COMMAND = re.compile(r"\s*\w+\s+(?=refute )")
INDENT, LEAST = 4, 24  # of what goes on in the next line; of the room that a label leaves


def width_of(stream: IO[Any]) -> int | None:
    """The columns of a terminal; None for a pipe or a file, which has no width."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


def folded(text: str, width: int | None) -> str:
    """The text in lines of at most so many characters, but for words that are longer."""
    if width is None:
        return text
    return "\n".join(line if len(line) <= width else _folded(line, width) for line in text.split("\n"))


def _folded(line: str, width: int) -> str:
    command = _COMMAND.match(line)
    if command:
        return "\n".join([command[0].rstrip(), *_continued(line[command.end() :], width)])
    label = _LABEL.match(line)
    indent = label.end() if label and width - label.end() >= LEAST else INDENT
    parts = _BETWEEN.split(line)
    lines = [part + "," * (k < len(parts) - 1) for k, part in enumerate(parts)]
    return "\n".join(
        _wrapped(each, width, " " * indent * (k > 0), " " * (indent + 2 * (len(parts) > 1)))
        for k, each in enumerate(lines)
    )


def _continued(command: str, width: int) -> list[str]:
    """A command in the syntax of a shell; one with quotes stays whole, since a space in it may be part of a word."""
    words = (
        [command]
        if "'" in command
        else textwrap.wrap(command, width - INDENT - 2, break_long_words=False, break_on_hyphens=False)
    )
    return [" " * INDENT + each + " \\" * (k < len(words) - 1) for k, each in enumerate(words)]


def _wrapped(line: str, width: int, first: str, others: str) -> str:
    own = len(line) - len(line.lstrip())
    return textwrap.fill(
        line[own:],
        width,
        initial_indent=first + line[:own],
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
        replace_whitespace=False,
        expand_tabs=False,
    )
