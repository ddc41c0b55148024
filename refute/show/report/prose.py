"""Statements as HTML: paragraphs, code in backquotes, formulas between dollars or \\( \\) as MathML. Everything else is
text.
"""

import inspect
import re

from markupsafe import Markup, escape

from refute.show.report.formula import formula

_PIECE = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\\\[(?P<bracket>.+?)\\\]|\$(?P<inline>[^$]+)\$|\\\((?P<paren>.+?)\\\)|`(?P<code>[^`]+)`",
    re.DOTALL,
)
_DISPLAYED = ("display", "bracket")


def paragraphs(text: str) -> list[str]:
    return [part for part in re.split(r"\n\s*\n", inspect.cleandoc(text)) if part.strip()]


def headline(text: str) -> str:
    """The first paragraph: what is claimed."""
    return next(iter(paragraphs(text)), "")


def line(text: str) -> Markup:
    """Words, code and formulas of one paragraph."""
    made, end = Markup(""), 0
    for piece in _PIECE.finditer(text):
        made += escape(text[end : piece.start()]) + _piece(piece)
        end = piece.end()
    return made + escape(text[end:])


def prose(text: str) -> Markup:
    """Every paragraph; one whose lines are all indented is kept as it is written."""
    return Markup("\n").join(_paragraph(part) for part in paragraphs(text))


def _paragraph(part: str) -> Markup:
    lines = part.split("\n")
    if all(each.startswith("    ") for each in lines):
        return Markup("<pre>{}</pre>").format("\n".join(each[4:] for each in lines))
    return Markup("<p>{}</p>").format(line(part))


def _piece(piece: re.Match[str]) -> Markup:
    name = str(piece.lastgroup)
    if name == "code":
        return Markup("<code>{}</code>").format(piece[name])
    return formula(piece[name], display=name in _DISPLAYED)


def identifier(id: str) -> Markup:
    """An id that may be broken after its dots and underscores."""
    return Markup(re.sub(r"([._])", r"\1<wbr>", str(escape(id))))
