"""A statement and its counterexample in LaTeX, to be copied into a paper or a letter to its authors."""

import re
from collections.abc import Iterator
from typing import Any

from refute.show.report.entry import Entry
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
MOST_ENTRIES = 64


def latex(entry: Entry) -> str:
    """A paragraph for the statement, one for the counterexample where there is one."""
    said = [r"\paragraph{" + plain(f"{entry.claim.reference or entry.id}") + "}"]
    said += [words(each) for each in paragraphs(entry.claim.statement)]
    known = entry.counterexample
    if known is not None:
        said += [r"\paragraph{" + ("Evidence against it." if entry.verdict == "against" else "Counterexample.") + "}"]
        bindings = list(_bindings(known.get("case")))
        said += (
            [
                "\\begin{align*}\n"
                + " \\\\\n".join(f"  {name} &= {value}" for name, value in bindings)
                + "\n\\end{align*}"
            ]
            if bindings
            else []
        )
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


def _bindings(case: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if not isinstance(case, dict):
        return
    for name, value in case.items():
        if name == "record":
            continue
        full = f"{path}{name}"
        if isinstance(value, dict) and isinstance(value.get("record"), str):
            yield from _bindings(value, f"{full}.")
        elif isinstance(value, dict) and isinstance(value.get("list"), list):
            yield from _bindings({f"{name}[{k}]": one for k, one in enumerate(value["list"])}, path)
        else:
            yield r"\text{" + plain(full) + "}", _value(value)


def _value(value: Any) -> str:
    if not isinstance(value, dict):
        return _number(value)
    if isinstance(value.get("word"), str):
        return r"\text{" + plain(value["word"]) + "}"
    shape, entries = value.get("shape"), value.get("entries")
    sound = (
        isinstance(shape, list) and isinstance(entries, list) and all(type(size) is int and size > 0 for size in shape)
    )
    if (
        not sound
        or not isinstance(shape, list)
        or not isinstance(entries, list)
        or len(shape) > 2
        or len(entries) > MOST_ENTRIES
    ):
        return r"\text{(see the certificate)}"
    width = shape[-1] if shape else 1
    rows = [" & ".join(map(_number, entries[k : k + width])) for k in range(0, len(entries), width)]
    return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"


def _number(value: Any) -> str:
    text = str(value)
    found = re.fullmatch(r"(-?)(\d+)/(\d+)", text)
    return rf"{found[1]}\tfrac{{{found[2]}}}{{{found[3]}}}" if found else plain(text)
