"""The margins of the cases tried, as bars over a logarithmic axis with zero in its middle: violated left, met right."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from refute.show.report import svg
from refute.show.report.quantity import MINUS, as_float, counted, shown_number

WIDTH, HEIGHT, FLOOR, TOP = 640.0, 180.0, 138.0, 22.0
SMALLEST, LARGEST = -15, 12  # powers of ten; beyond them bars are lumped together
WIDEST, ROOM = 64.0, 16.0  # the width of a bar at most, of a number at least
FEW = 5  # so many decades are divided into thirds


def finite(margins: Iterable[Any]) -> list[float]:
    return [number for number in map(as_float, margins) if number is not None]


def summary(margins: list[float], fallen: bool = True) -> str:
    """The text alternative. Where nothing fell, no negative slack is larger than its error."""
    low, middle, high = min(margins), statistics.median(margins), max(margins)
    zero, negative = margins.count(0.0), sum(margin < 0 for margin in margins)
    sizes = f"smallest {shown_number(low)}, median {shown_number(middle)}, largest {shown_number(high)}"
    parts = [f"Relative slacks of {counted(len(margins), 'case')}: {sizes}"]
    parts += [f"{zero} exactly zero"] if zero else []
    parts += [f"{negative} negative{'' if fallen else ', each within its numerical error'}"] if negative else []
    return "; ".join(parts) + "."


@dataclass(frozen=True, slots=True)
class Axis:
    """Bars from `low` to `high`: 0 for zero, 1, 2, ... for growing positive margins from 10^first on, -1, -2, ... for
    negative ones.

    A decade is divided into `parts` bars.
    """

    low: int
    high: int
    first: int
    parts: int

    @property
    def step(self) -> float:
        return min(WIDTH / (self.high - self.low + 1), WIDEST)

    def left(self, place: int) -> float:
        """Where a bar begins; the bars stand in the middle of the picture."""
        return (WIDTH - self.step * (self.high + self.low + 1)) / 2 + place * self.step


def histogram(margins: Iterable[Any], fallen: bool = True) -> Markup | None:
    """None without a finite margin. A negative slack is a violation only where the claim fell; else it is as good as
    zero, whatever its last digits say.
    """
    numbers = finite(margins)
    if not numbers:
        return None
    sizes = [_power(abs(number)) for number in numbers if number]
    first, last = (math.floor(min(sizes)), math.floor(max(sizes)) + 1) if sizes else (0, 1)
    parts = 3 if last - first <= FEW else 1
    counts = Counter(_place(number, first, parts) for number in numbers)
    axis = Axis(min(*counts, 0), max(*counts, 0), first, parts)
    tallest = max(counts.values())
    bars = [_bar(place, count / tallest, count, axis, fallen) for place, count in sorted(counts.items())]
    return svg.picture(WIDTH, HEIGHT, summary(numbers, fallen), *bars, *_drawn(axis), class_="picture histogram")


def _power(size: float) -> float:
    return min(max(math.log10(size), SMALLEST), LARGEST)


def _place(number: float, first: int, parts: int) -> int:
    place = 1 + int((_power(abs(number)) - first) * parts + 1e-9) if number else 0
    return place if number >= 0 else -place


def _bar(place: int, share: float, count: int, axis: Axis, fallen: bool) -> Markup:
    height = max(share * (FLOOR - TOP), 2.0)
    kind = "met" if place > 0 else "violated" if place < 0 and fallen else "touching"
    left, step = axis.left(place), axis.step
    gap = min(2.0, step / 8)
    bar = svg.element("rect", x=left + gap, y=FLOOR - height, width=step - 2 * gap, height=height, class_=f"bar {kind}")
    return bar + svg.text(left + step / 2, FLOOR - height - 5, str(count), "label small") if step > ROOM else bar


def _drawn(axis: Axis) -> list[Markup]:
    """The line, zero below its bar, and powers of ten at the edges of bars where there is room."""
    zero = axis.left(0) + axis.step / 2
    drawn = [svg.line(0, FLOOR, WIDTH, FLOOR, "axis"), svg.text(zero, FLOOR + 18, "0")]
    every = max(1, round((axis.high - axis.low + 1) / axis.parts / 10)) * axis.parts
    for sign, most in ((1, axis.high), (-1, -axis.low)):
        for k in range(0, most + 1, every) if most else ():
            x = axis.left(k + 1 if sign > 0 else -k)
            drawn.append(svg.line(x, FLOOR, x, FLOOR + 5, "axis"))
            if ROOM < x < WIDTH - ROOM and abs(x - zero) > ROOM:
                drawn.append(
                    svg.text(x, FLOOR + 18, f"{MINUS if sign < 0 else ''}10{_raised(axis.first + k // axis.parts)}")
                )
    name = "slack relative to the size of what is compared (red: violated; amber: zero within the error)"
    return [*drawn, svg.text(WIDTH / 2, HEIGHT - 4, name, "label axis-name")]


def _raised(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
