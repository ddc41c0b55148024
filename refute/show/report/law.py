"""A fitted power law, drawn in log-log from the words that state it: exponent, confidence interval, drift, sweep."""

import math
import re
from dataclasses import dataclass

from refute.show.report import svg
from refute.show.report.marks import Figure
from refute.show.report.quantity import shown_number

WIDTH, HEIGHT = 420.0, 280.0
LEFT, RIGHT, TOP, FLOOR = 64.0, 404.0, 18.0, 228.0

_NUMBER = r"([-+]?[\d.]+(?:e[-+]?\d+)?)"
_LAW = re.compile(rf"exponent {_NUMBER} \+- {_NUMBER}, drift {_NUMBER}, over \[{_NUMBER}, {_NUMBER}\]")


@dataclass(frozen=True, slots=True)
class Stated:
    """quantity ~ parameter**exponent for parameters from `first` to `last`; `spread` bounds the
    error of the exponent.
    """

    exponent: float
    spread: float
    first: float
    last: float


def stated(text: str) -> Stated | None:
    """The first law that a text states."""
    found = _LAW.search(text)
    if found is None:
        return None
    try:
        exponent, half, drift, first, last = map(float, found.groups())
    except ValueError:  # more dots than a number has
        return None
    sound = math.isfinite(exponent + half + drift + last) and 0 < first < last
    return Stated(exponent, half + drift, first, last) if sound else None


def drawn(law: Stated) -> Figure:
    """The line with its fan of uncertainty; the constant in front is not stated, so the quantity is relative to its
    value at the end.
    """
    span = math.log10(law.last / law.first)
    steepest = max(abs(law.exponent - law.spread), abs(law.exponent + law.spread), 1e-9) * span
    rising = law.exponent >= 0

    def at(x: float, exponent: float) -> tuple[float, float]:
        depth = (1 - x) * span * exponent
        y = TOP + depth / steepest * (FLOOR - TOP) if rising else FLOOR + depth / steepest * (FLOOR - TOP)
        return LEFT + x * (RIGHT - LEFT), y

    fan = [at(0, law.exponent - law.spread), at(1, law.exponent), at(0, law.exponent + law.spread)]
    layers = [
        svg.path(fan, "region", closed=True),
        svg.path([at(0, law.exponent), at(1, law.exponent)], "boundary"),
        svg.line(LEFT, FLOOR, RIGHT, FLOOR, "axis"),
        svg.line(LEFT, TOP, LEFT, FLOOR, "axis"),
        svg.text(LEFT, FLOOR + 18, shown_number(law.first, 2)),
        svg.text(RIGHT, FLOOR + 18, shown_number(law.last, 2), anchor="end"),
        svg.text((LEFT + RIGHT) / 2, FLOOR + 36, "parameter (log)", "label axis-name"),
        svg.text(LEFT - 6, TOP + 10, "1" if rising else f"10^{shown_number(steepest, 2)}", anchor="end"),
        svg.text(LEFT - 6, FLOOR - 2, f"10^{shown_number(-steepest, 2)}" if rising else "1", anchor="end"),
    ]
    caption = (
        f"Fitted law in log-log: exponent {shown_number(law.exponent)}, known to ±{shown_number(law.spread, 2)} "
        f"(shaded; confidence "
        f"interval and drift), for parameters from {shown_number(law.first, 2)} to {shown_number(law.last, 2)}. "
        "The quantity is relative to its value at the right end."
    )
    return Figure(svg.picture(WIDTH, HEIGHT, caption, *layers), caption)
