"""A statement and its counterexample in LaTeX, to be copied into a paper or a letter to its authors."""

import re
from typing import Any

from refute.show.report.entry import Entry
from refute.show.report.matrix import MOST_ENTRIES, parts
from refute.show.report.prose import paragraphs

_MATHS = re.compile(r"(\$\$.+?\$\$|\\\[.+?\\\]|\$[^$]+\$|\\\(.+?\\\)|`[^`]+`)", re.DOTALL)
_SPECIAL = str.maketrans(
    {
        **{each: f"\\{each}" for each in "#%&_{}$"},
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
    }
)


def latex(entry: Entry) -> str:
    """A paragraph for the statement, one for the counterexample where there is one."""
    said = [r"\paragraph{" + plain(f"{entry.claim.reference or entry.id}") + "}"]
    said += [words(each) for each in paragraphs(entry.claim.statement)]
    known = entry.counterexample
    if known is not None:
        said += [r"\paragraph{" + ("Evidence against it." if entry.verdict == "against" else "Counterexample.") + "}"]
        rows = [rf"  \text{{{plain(name)}}} &= {_value(value)}" for name, value in parts(known.get("case"))]
        said += ["\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"] if rows else []
        said += [plain(str(known.get("violated"))) + "."] if known.get("violated") else []
    said.append(f"% {entry.id}, found by refute: {entry.verdict}")
    return "\n\n".join(said)


def words(text: str) -> str:
    """Prose with its formulas as they are; code in typewriter letters."""
    return "".join(
        r"\texttt{" + plain(part[1:-1]) + "}" if part.startswith("`") else part if k % 2 else plain(part)
        for k, part in enumerate(_MATHS.split(text))
    )


def plain(text: str) -> str:
    return text.translate(_SPECIAL)


def _value(value: Any) -> str:
    if not isinstance(value, dict):
        return _number(value)
    if isinstance(value.get("word"), str):
        return r"\text{" + plain(value["word"]) + "}"
    shape, entries = value.get("shape"), value.get("entries")
    if not isinstance(shape, list) or not isinstance(entries, list) or not all(type(size) is int for size in shape):
        return r"\text{(see the certificate)}"
    if len(shape) > 2 or len(entries) > MOST_ENTRIES or min(shape, default=1) < 1:
        return r"\text{(see the certificate)}"
    width = shape[-1] if shape else 1
    rows = [" & ".join(map(_number, entries[k : k + width])) for k in range(0, len(entries), width)]
    return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"


def _number(value: Any) -> str:
    text = str(value)
    found = re.fullmatch(r"(-?)(\d+)/(\d+)", text)
    return rf"{found[1]}\tfrac{{{found[2]}}}{{{found[3]}}}" if found else plain(text)
