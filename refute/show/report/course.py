"""What a statement compares in its counterexample: the quantity against its bound, with the place where it fails."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from refute.show.report import svg
from refute.show.report.marks import Figure
from refute.show.report.quantity import as_float, short, shown_number

WIDTH, HEIGHT = 640.0, 280.0
LEFT, RIGHT, TOP, FLOOR = 84.0, 622.0, 22.0, 226.0
MOST = 2000  # points of a file that are drawn
WIDE = 1000.0  # a range of positive numbers that is drawn on a logarithmic axis
_NUMBER = r"(-?\d+(?:/\d+|(?:\.\d+)?(?:e[+-]?\d+)?))"
_SIDES = re.compile(rf"^(?:(?P<line>.*): )?left {_NUMBER}, right {_NUMBER}")


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides over `x`; the place `at` is the worst. `over` says what x is: time, or the number of the entry."""

    left: Sequence[float]
    right: Sequence[float]
    x: Sequence[float]
    at: int
    over: str
    line: str


def sides(stored: Any, violated: Any) -> Sides | None:
    """What is stored of both sides; else the two numbers that the violated line states."""
    if isinstance(stored, Mapping) and (found := _stored(stored)) is not None:
        return found
    match = _SIDES.match(violated) if isinstance(violated, str) else None
    numbers = [as_float(each) for each in match.groups()[1:]] if match else [None]
    if match is None or None in numbers:
        return None
    left, right = (number or 0.0 for number in numbers)
    return Sides([left], [right], [0], 0, "entry", match["line"] or "")


def _stored(stored: Mapping[str, Any]) -> Sides | None:
    lists = [stored.get(name) for name in ("left", "right", "x")]
    if not all(isinstance(each, list) and 0 < len(each) <= MOST for each in lists):
        return None
    left, right, x = ([as_float(number) for number in each or ()] for each in lists)
    at = stored.get("at")
    if type(at) is not int or not 0 <= at < len(x) or not len(left) == len(right) == len(x):
        return None
    if None in (*left, *right, *x):
        return None
    over = "time" if stored.get("over") == "time" else "entry"
    a, b, c = ([number or 0.0 for number in each] for each in (left, right, x))
    return Sides(a, b, c, at, over, short(str(stored.get("line") or ""), 120))


def drawn(found: Sides) -> Figure:
    """Curves over time or over the entries; two marks on a line where there is but one entry."""
    return _curves(found) if len(found.x) > 1 else _marks(found)


@dataclass(frozen=True, slots=True)
class _Scale:
    """From numbers to places; logarithmic where all are positive and far apart."""

    low: float
    high: float
    logarithmic: bool
    start: float
    end: float

    @classmethod
    def of(cls, numbers: Sequence[float], start: float, end: float) -> "_Scale":
        low, high = min(numbers), max(numbers)
        if low > 0 and high / low > WIDE:
            return cls(math.log10(low), math.log10(high), True, start, end)
        room = 0.06 * (high - low) or abs(high) or 1.0
        return cls(low - room, high + room, False, start, end)

    def __call__(self, number: float) -> float:
        value = math.log10(number) if self.logarithmic else number
        return self.start + (value - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Three or four numbers, round ones."""
        if self.logarithmic:
            powers = range(math.ceil(self.low), math.floor(self.high) + 1)
            return [10.0**power for power in powers[:: max(1, len(powers) // 4)]]
        step = 10 ** math.floor(math.log10((self.high - self.low) / 2))
        step = next(step * factor for factor in (1, 2, 5, 10) if (self.high - self.low) / (step * factor) <= 5)
        first = math.ceil(self.low / step)
        return [k * step for k in range(first, math.floor(self.high / step) + 1)]


def _curves(found: Sides) -> Figure:
    across = _Scale.of(found.x, LEFT, RIGHT)
    if not across.logarithmic:
        across = _Scale(min(found.x), max(found.x), False, LEFT, RIGHT)
    up = _Scale.of([*found.left, *found.right], FLOOR, TOP)
    dots = found.over == "entry" and len(found.x) <= 24
    layers = [*_axes(across, up, found.over)]
    for values, name in ((found.right, "right"), (found.left, "left")):
        points = [(across(x), up(y)) for x, y in zip(found.x, values, strict=True)]
        layers += [] if dots else [svg.path(points, f"side {name}")]  # nothing lies between a few entries
        layers += (
            [svg.element("circle", cx=x, cy=y, r=2.6, class_=f"side-dot {name}") for x, y in points] if dots else []
        )
    x, a, b = (values[found.at] for values in (found.x, found.left, found.right))
    layers += _worst(across(x), up(a), up(b))
    place = f"t = {shown_number(x)}" if found.over == "time" else f"entry {round(x)}"
    marks = ("green", "grey") if dots else ("solid", "dashed")
    caption = (
        f"{_named(found)}: the left side ({marks[0]}) and the right side ({marks[1]}), over "
        f"{'time' if found.over == 'time' else 'the entries that are compared'}. Marked: {place}, where the left side "
        f"is {shown_number(a)} and the right side {shown_number(b)}."
    )
    return Figure(svg.picture(WIDTH, HEIGHT, caption, *layers, class_="picture course-of-sides"), caption)


def _marks(found: Sides) -> Figure:
    """One comparison: both numbers on one line."""
    a, b = found.left[0], found.right[0]
    across = _Scale.of(
        [a, b, *([0.0] if min(a, b) * max(a, b) <= 0 or abs(a - b) > min(abs(a), abs(b)) else [])], 60, 580
    )
    y = 62.0
    layers = [svg.line(30, y, WIDTH - 18, y, "axis")]
    for tick in across.ticks():
        layers += [
            svg.line(across(tick), y, across(tick), y + 5, "axis"),
            svg.text(across(tick), y + 22, shown_number(tick)),
        ]
    layers.append(svg.line(across(a), y, across(b), y, "gap"))
    sign = 1 if a >= b else -1
    for number, name, side in ((a, "left", sign), (b, "right", -sign)):
        at_edge = across(number) > 470 if side > 0 else across(number) < 150
        layers.append(svg.element("circle", cx=across(number), cy=y, r=6.0, class_=f"side-dot {name}"))
        words = f"{name} {shown_number(number)}"
        anchor = "middle" if not at_edge else "end" if side > 0 else "start"
        layers.append(svg.text(across(number), y - (14 if name == "left" else 34), words, anchor=anchor))
    caption = f"{_named(found)}: the left side is {shown_number(a)}, the right side {shown_number(b)}."
    return Figure(svg.picture(WIDTH, 100.0, caption, *layers, class_="picture course-of-sides"), caption)


def _named(found: Sides) -> str:
    return found.line or "What is compared"


def _worst(x: float, a: float, b: float) -> list[Markup]:
    gap = svg.line(x, a, x, b, "gap")
    ring = svg.element("circle", cx=x, cy=a, r=6.5, class_="worst")
    return [gap, ring]


def _axes(across: _Scale, up: _Scale, over: str) -> list[Markup]:
    drawn = [svg.line(LEFT, FLOOR, RIGHT, FLOOR, "axis"), svg.line(LEFT, TOP, LEFT, FLOOR, "axis")]
    for tick in across.ticks():
        x = across(tick)
        if over == "time" or float(tick).is_integer():
            drawn += [svg.line(x, FLOOR, x, FLOOR + 5, "axis"), svg.text(x, FLOOR + 20, shown_number(tick, 3))]
    for tick in up.ticks():
        y = up(tick)
        drawn += [
            svg.line(LEFT - 5, y, LEFT, y, "axis"),
            svg.text(LEFT - 9, y + 4, shown_number(tick, 3), anchor="end"),
        ]
    return [*drawn, svg.text((LEFT + RIGHT) / 2, HEIGHT - 8, "time" if over == "time" else "entry", "label axis-name")]
