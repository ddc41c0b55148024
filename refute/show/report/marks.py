"""The marks that drawings of cases share: a frame around the origin, points by the sign of their label, arrows."""

import math
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from refute.show.report import svg
from refute.show.report.scene import Floats

SIZE, EDGE = 420.0, 26.0


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing and the words below it."""

    drawing: Markup
    caption: str


@dataclass(frozen=True, slots=True)
class Frame:
    """The plane around the origin, `reach` far in every direction."""

    reach: float

    def at(self, point: Floats) -> tuple[float, float]:
        half = SIZE / 2
        factor = (half - EDGE) / self.reach
        return half + factor * float(point[0]), half - factor * float(point[1])


def grid() -> Markup:
    """The two axes."""
    half = SIZE / 2
    return svg.line(0, half, SIZE, half, "axis") + svg.line(half, 0, half, SIZE, "axis")


def points(inputs: Floats, labels: Floats | None, frame: Frame) -> list[Markup]:
    signs = np.sign(labels) if labels is not None else np.zeros(len(inputs))
    return [
        point_mark(*frame.at(point), float(sign), labels is not None) for point, sign in zip(inputs, signs, strict=True)
    ]


def point_mark(x: float, y: float, sign: float, labelled: bool = True) -> Markup:
    """A disc for a positive label, a square for a negative one, a ring for zero."""
    if not labelled or sign > 0:
        return svg.element("circle", cx=x, cy=y, r=5.5, class_="point positive" if labelled else "point")
    if sign < 0:
        return svg.element("rect", x=x - 5, y=y - 5, width=10.0, height=10.0, class_="point negative")
    return svg.element("circle", cx=x, cy=y, r=5.0, class_="point zero")


def arrow(tip: Floats, frame: Frame, class_: str) -> Markup:
    """From the origin to the tip."""
    (x0, y0), (x1, y1) = frame.at(np.zeros(2)), frame.at(tip)
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 1:
        return svg.element("circle", cx=x1, cy=y1, r=3.0, class_=f"{class_} head")
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    size = min(11.0, length)
    base = x1 - size * ux, y1 - size * uy
    head = [(x1, y1), (base[0] - 4.5 * uy, base[1] + 4.5 * ux), (base[0] + 4.5 * uy, base[1] - 4.5 * ux)]
    return svg.line(x0, y0, *base, class_) + svg.path(head, f"{class_} head", closed=True)
