"""Text that cannot do anything to a terminal: what a claim says may hold any character, and some are orders."""

import unicodedata

ORDERS = (
    "Cc",
    "Cf",
    "Cs",
    "Co",
    "Cn",
    "Zl",
    "Zp",
)  # control, format (right-to-left marks too), lone halves, unassigned, separators
KEPT = "\n"


def visible(text: str) -> str:
    """The text with every character that a terminal would obey rather than show written as an
    escape: \\x1b, \\u202e.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(c) if unicodedata.category(c) in ORDERS and c not in KEPT else c for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def one_line(text: str) -> str:
    """`visible`, with line breaks escaped too: for a name, a cell, a title."""
    return visible(text).replace("\n", "\\n")
