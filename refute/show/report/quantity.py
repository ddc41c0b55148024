"""Numbers from files, as people read them. A file may hold anything: what is no number is shown as the text it is, cut
short.
"""

import math
from typing import Any

from refute.arithmetic.numbers import rational
from refute.errors import RefuteError
from refute.language.relations import Margin, approximate

MINUS = "\N{MINUS SIGN}"
_MOST_LETTERS = 60


def as_float(value: Any) -> float | None:
    """A finite float, or None; fractions may be written as text."""
    if isinstance(value, bool):
        return None
    try:
        number = approximate(rational(value)) if isinstance(value, str) else float(value)
    except (RefuteError, TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def shown_number(value: Any, digits: int = 4) -> str:
    """Four significant digits; a fraction that no float is near as a power of ten."""
    if value is None:
        return "—"
    number = as_float(value)
    if isinstance(value, str) and not number:
        return _power_of_ten(value)
    return short(str(value), _MOST_LETTERS) if number is None else f"{number:.{digits}g}".replace("-", MINUS)


def _power_of_ten(text: str) -> str:
    try:
        return str(Margin(rational(text))).replace("-", MINUS)
    except RefuteError:
        return short(text, _MOST_LETTERS)


def short(text: str, most: int) -> str:
    """The text, or its beginning."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(number: int, word: str) -> str:
    """ "1 case", "2 cases"."""
    return f"{number:,}".replace(",", " ") + f" {word}" + ("" if number == 1 else "s")


def moment(text: str) -> str:
    """A time such as "2026-01-31T12:00:00.123+00:00", to the minute."""
    return text[:16].replace("T", " ")
