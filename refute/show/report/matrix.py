"""The values of a case as MathML: fractions, vectors as rows, matrices; what is too large is told by its size."""

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from refute.show.report.quantity import MINUS, short

MOST_ENTRIES, MOST_DIGITS = 64, 24
_MATH = Markup('<math display="inline">{}</math>')


def parts(case: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Names such as "net.inner" with their values, in the order of the case."""
    if not isinstance(case, dict):
        return
    for name, value in case.items():
        if name == "record":
            continue
        full = f"{path}{name}"
        if isinstance(value, dict) and isinstance(value.get("record"), str):
            yield from parts(value, f"{full}.")
        elif isinstance(value, dict) and isinstance(value.get("list"), list):
            yield from parts({f"{name}[{k}]": entry for k, entry in enumerate(value["list"])}, path)
        else:
            yield full, value


def bindings(case: Any) -> Iterator[tuple[str, Markup]]:
    """The parts of a case, typeset."""
    return ((name, typeset(value)) for name, value in parts(case))


def typeset(value: Any) -> Markup:
    if isinstance(value, dict):
        if isinstance(value.get("word"), str):
            return Markup("<code>{}</code>").format(short(value["word"], 200))
        return _array(value.get("shape"), value.get("entries"))
    return _MATH.format(_number(value))


def _array(shape: Any, entries: Any) -> Markup:
    good = isinstance(shape, list) and isinstance(entries, list) and all(type(size) is int for size in shape)
    if not good or len(shape) > 2 or len(entries) > MOST_ENTRIES or not entries:
        size = " by ".join(str(each) for each in shape) if good else "unknown size"
        return Markup("<span>array, {}: see the certificate</span>").format(short(size, 40))
    width = shape[-1] if shape else 1
    if width < 1 or len(entries) % width:
        return Markup("<span>array whose size does not fit</span>")
    rows = [entries[k : k + width] for k in range(0, len(entries), width)]
    cells = Markup("").join(_row(row) for row in rows)
    return _MATH.format(Markup("<mtable>{}</mtable>").format(cells))


def _row(row: list[Any]) -> Markup:
    return Markup("<mtr>{}</mtr>").format(
        Markup("").join(Markup("<mtd>{}</mtd>").format(_number(entry)) for entry in row)
    )


def _number(value: Any) -> Markup:
    text = str(value) if isinstance(value, int) else repr(value) if isinstance(value, float) else str(value)
    sign = Markup("<mo>{}</mo>").format(MINUS) if text.startswith("-") else Markup("")
    above, _, below = text.removeprefix("-").partition("/")
    made = Markup("<mn>{}</mn>").format(short(above, MOST_DIGITS))
    if below:
        made = Markup("<mfrac>{}<mn>{}</mn></mfrac>").format(made, short(below, MOST_DIGITS))
    return Markup("<mrow>{}{}</mrow>").format(sign, made) if sign else made
