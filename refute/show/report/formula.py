"""LaTeX as MathML. What the converter returns is taken apart and put together again: only known elements and attributes
remain.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup

_SPACE = "{http://www.w3.org/1998/Math/MathML}"
_ELEMENTS = frozenset(
    (
        *(
            "math",
            "mi",
            "mn",
            "mo",
            "mtext",
            "mspace",
            "mrow",
            "mfrac",
            "msqrt",
            "mroot",
            "mstyle",
            "mpadded",
            "mphantom",
        ),
        *(
            "msub",
            "msup",
            "msubsup",
            "munder",
            "mover",
            "munderover",
            "mmultiscripts",
            "mprescripts",
            "mtable",
            "mtr",
            "mtd",
        ),
    )
)
_ATTRIBUTES = frozenset(
    (
        *(
            "display",
            "stretchy",
            "fence",
            "separator",
            "form",
            "accent",
            "accentunder",
            "movablelimits",
            "minsize",
            "maxsize",
        ),
        *(
            "largeop",
            "symmetric",
            "lspace",
            "rspace",
            "displaystyle",
            "scriptlevel",
            "linethickness",
            "width",
            "height",
        ),
        *("depth", "voffset", "columnspan", "rowspan"),
    )
)
_CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
_LONGEST = 4000
_PRIMES = re.compile(r"('+)\^(\{(?:[^{}]|\{[^{}]*\})*\}|.)")

# MathML Core knows no variant but "normal": the letters of an alphabet are characters of their own, a few under an
# older name.
_ALPHABETS = {
    "bold": ("MATHEMATICAL BOLD",),
    "bold-italic": ("MATHEMATICAL BOLD ITALIC",),
    "script": ("MATHEMATICAL SCRIPT", "SCRIPT"),
    "fraktur": ("MATHEMATICAL FRAKTUR", "BLACK-LETTER"),
    "double-struck": ("MATHEMATICAL DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "sans-serif": ("MATHEMATICAL SANS-SERIF",),
    "monospace": ("MATHEMATICAL MONOSPACE",),
}
_PRIME = "\N{PRIME}"

ElementTree.register_namespace("", _SPACE.strip("{}"))


class _NotMathematics(Exception):
    """The converter returned something that is not plain MathML."""


@lru_cache(maxsize=8192)
def formula(latex: str, display: bool = False) -> Markup:
    """The formula, typeset; shown as code when it cannot be."""
    try:
        return Markup(_checked(latex, display))
    except Exception:  # the converter has many ways to fail on text that is no LaTeX
        return Markup('<code class="formula">{}</code>').format(latex)


def _checked(latex: str, display: bool) -> str:
    if len(latex) > _LONGEST:
        raise _NotMathematics
    tree = ElementTree.fromstring(_prepared(latex, display))
    for element in tree.iter():
        _clean(element)
    for element in list(tree.iter(f"{_SPACE}msup")):
        _lower_primes(element)
    tree.set("display", "block" if display else "inline")
    return str(ElementTree.tostring(tree, encoding="unicode"))


def _prepared(latex: str, display: bool) -> str:
    """Primes before a superscript are one superscript: the converter takes them for two."""
    joined = _PRIMES.sub(lambda found: "^{" + r"\prime " * len(found[1]) + found[2] + "}", latex)
    return str(convert(joined, display="block" if display else "inline"))


def _clean(element: Any) -> None:
    name = str(element.tag).removeprefix(_SPACE)
    text = element.text or ""
    if name not in _ELEMENTS or (
        name == "mi" and "\\" in text
    ):  # an unknown command is passed through as an identifier
        raise _NotMathematics
    if len(element) != _CHILDREN.get(name, len(element)):
        raise _NotMathematics
    variant = element.attrib.get("mathvariant")
    for key in [key for key in element.attrib if key not in _ATTRIBUTES]:
        del element.attrib[key]
    if variant == "normal":
        element.set("mathvariant", "normal")
    elif variant in _ALPHABETS:
        element.text = "".join(_letter(letter, variant) for letter in text)


def _lower_primes(power: Any) -> None:
    """The glyph of a prime stands high already: beside its base, not above it, whatever the font."""
    above = power[1] if len(power) == 2 else None
    primes = [above] if above is not None and len(above) == 0 else list(above if above is not None else ())
    if primes and all(each.text == _PRIME for each in primes):
        base = power[0]
        for child in list(power):
            power.remove(child)
        power.tag = f"{_SPACE}mrow"
        prime = ElementTree.Element(f"{_SPACE}mo", {"lspace": "0", "rspace": "0"})
        prime.text = _PRIME * len(primes)
        power.extend([base, prime])


def _letter(letter: str, variant: str) -> str:
    """The letter or digit in another alphabet; itself where the alphabet has none."""
    plain = unicodedata.name(letter, "").removeprefix("LATIN ").replace("LETTER ", "")
    for alphabet in _ALPHABETS[variant]:
        try:
            return unicodedata.lookup(f"{alphabet} {plain}")
        except KeyError:
            continue
    return letter
