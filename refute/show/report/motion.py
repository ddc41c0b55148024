"""How a small network of a case moves when it is trained. The engine cannot train: packages that can register a drawer.

A drawer takes a claim's id and a case and returns a `Motion`, or None where it has nothing to show.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from refute.language.case import Case
from refute.show.report import svg
from refute.show.report.marks import SIZE, Figure, Frame, grid, points
from refute.show.report.quantity import shown_number
from refute.show.report.scene import Floats, Scene

WIDTH, HEIGHT = 420.0, 240.0
LEFT, RIGHT, TOP, FLOOR = 72.0, 406.0, 16.0, 196.0
MOST_NEURONS = 24
STILL = 1e-6  # of the largest weight: no path to see


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Inner weights (times, neurons, dimension) and the loss at increasing times; `words` say what was integrated."""

    time: Floats
    inner: Floats
    loss: Floats
    words: str


Drawer = Callable[[str, Case], Motion | None]
_drawers: list[Drawer] = []


def drawer(function: Drawer) -> Drawer:
    """Register a function that can train."""
    _drawers.append(function)
    return function


def motion(id: str, case: Case) -> Motion | None:
    """What the first drawer that can says; a drawer that fails has nothing to show, since a picture decides nothing."""
    for draw in _drawers:
        try:
            found = draw(id, case)
        except Exception:
            continue
        if found is not None and _worth_drawing(found):
            return found
    return None


def _worth_drawing(found: Motion) -> bool:
    """Finite, and something moves."""
    finite = len(found.time) > 1 and np.isfinite(found.inner).all() and np.isfinite(found.loss).all()
    return bool(finite and np.abs(found.inner - found.inner[0]).max() > STILL * np.abs(found.inner).max())


def figures(found: Motion, scene: Scene) -> list[Figure]:
    """The paths of the neurons where there is a plane to draw them in, and the loss."""
    paths = [_paths(found, scene)] if scene.dimension > 1 and found.inner.shape[1] <= MOST_NEURONS else []
    return [*paths, _loss(found)]


def _paths(found: Motion, scene: Scene) -> Figure:
    inputs = scene.inputs[:, :2] if scene.inputs is not None else np.zeros((0, 2))
    frame = Frame(max(float(np.abs(found.inner[:, :, :2]).max()), float(np.abs(inputs).max(initial=0.0)) / 2) or 1.0)
    layers = [grid(), *points(inputs, scene.labels, frame)]
    for neuron in range(found.inner.shape[1]):
        course = [frame.at(weights) for weights in found.inner[:, neuron, :2]]
        positive = scene.network is None or scene.network.outer[neuron] >= 0
        layers.append(svg.path(course, f"course {'positive' if positive else 'negative'}"))
        layers.append(svg.element("circle", cx=course[0][0], cy=course[0][1], r=3.0, class_="start"))
        layers.append(svg.element("circle", cx=course[-1][0], cy=course[-1][1], r=4.0, class_="finish"))
    where = "" if scene.dimension == 2 else f" in the first two of {scene.dimension} coordinates"
    caption = f"Paths of the inner weights{where}, from the ring to the disc. {found.words}"
    return Figure(svg.picture(SIZE, SIZE, caption, *layers, class_="picture plane"), caption)


def _loss(found: Motion) -> Figure:
    highest = float(found.loss.max()) or 1.0
    across = (found.time - found.time[0]) / (found.time[-1] - found.time[0])
    course = [
        (LEFT + float(x) * (RIGHT - LEFT), FLOOR - float(y) / highest * (FLOOR - TOP))
        for x, y in zip(across, found.loss, strict=True)
    ]
    layers = [
        svg.line(LEFT, FLOOR, RIGHT, FLOOR, "axis"),
        svg.line(LEFT, TOP, LEFT, FLOOR, "axis"),
        svg.path(course, "course positive"),
        svg.element(
            "circle",
            cx=course[-1][0],
            cy=course[-1][1],
            r=3.5,
            class_="finish clock",
            data_start=float(found.time[0]),
            data_end=float(found.time[-1]),
        ),
        svg.text(LEFT - 6, TOP + 4, shown_number(highest, 3), anchor="end"),
        svg.text(LEFT - 6, FLOOR + 4, "0", anchor="end"),
        svg.text(RIGHT, FLOOR + 18, f"t = {shown_number(float(found.time[-1]), 3)}", anchor="end"),
        svg.text((LEFT + RIGHT) / 2, FLOOR + 18, "time", "label axis-name"),
    ]
    caption = (
        f"The loss, from {shown_number(float(found.loss[0]))} to {shown_number(float(found.loss[-1]))}. {found.words}"
    )
    return Figure(svg.picture(WIDTH, HEIGHT, caption, *layers, class_="picture"), caption)
