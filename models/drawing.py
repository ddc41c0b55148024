"""What the figures of the papers share: a caption under the picture, comparisons with the paper's words, a report of
progress.

matplotlib is imported where it is used. A figure takes any of `progress`, `seeds`, `quick`, `full` as keyword arguments
and returns its picture; the label of the picture is the caption.
"""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]  # what is done, of how much

POINT = 1 / 72  # inches
SIZE = 8.5  # of the letters of a caption, in points
POSITIVE, NEGATIVE, QUIET = "tab:red", "tab:blue", "0.6"


def silent(done: int, total: int) -> None:
    """Report nothing."""


def watched(items: Sequence[T], progress: Progress) -> Iterator[T]:
    """The items one after another; each is reported when the next one is asked for."""
    for done, item in enumerate(items, start=1):
        yield item
        progress(done, len(items))


def compared(found: str, paper: str, shows: bool) -> str:
    """A line of a caption: what was found, what the paper says of it, and whether the picture shows that."""
    return f"{found} (paper: {paper}): {'same phenomenon' if shows else 'does not show it'}"


def blank(width: float, height: float) -> Any:
    """An empty picture of this size in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def captioned(picture: Any, lines: Sequence[str]) -> Any:
    """The picture with the lines drawn below it, each wrapped to its width, and kept unwrapped as its label."""
    width, height = picture.get_size_inches()
    letters = int(width / (0.56 * SIZE * POINT))
    wrapped = [textwrap.fill(line, letters, subsequent_indent="    ") for line in lines]
    room = (1.3 * SIZE * (1 + sum(text.count("\n") + 1 for text in wrapped))) * POINT
    picture.set_size_inches(width, height + room)
    share = room / (height + room)
    picture.set_layout_engine("constrained", rect=(0, share, 1, 1 - share))
    picture.text(0.01, share * 0.98, "\n".join(wrapped), va="top", fontsize=SIZE, gid="caption", parse_math=False)
    picture.set_label("\n".join(lines))
    return picture


def listed(values: Sequence[float], form: str = ".3g") -> str:
    """Numbers for a caption."""
    return ", ".join(format(value, form) for value in values)


def rays(axes: Any, directions: Floats, colour: str, reach: float = 1.0, **style: Any) -> None:
    """Segments from the origin in the plane, `reach` long."""
    for x, y in np.atleast_2d(directions):
        size = np.hypot(x, y) or 1.0
        axes.plot([0, reach * x / size], [0, reach * y / size], color=colour, **style)


def arrow(axes: Any, start: Floats, vector: Floats, colour: str, text: str = "") -> None:
    """An arrow in the plane, with words at its head."""
    end = np.asarray(start, dtype=float) + vector
    axes.annotate(
        "",
        xy=end,
        xytext=start,
        arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.6, "shrinkA": 0, "shrinkB": 0},
    )
    if text:
        axes.annotate(text, xy=end, xytext=(4, 4), textcoords="offset points", color=colour)


def plane(axes: Any, reach: float, title: str) -> None:
    """Equal scales, a square around the origin, no ticks."""
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", title=title, xticks=[], yticks=[])


def cone(axes: Any, inside: Callable[[Floats], bool], colour: str, reach: float) -> None:
    """Shade the directions of a convex cone in the plane, found on a grid of half degrees."""
    angles = np.radians(np.arange(0, 360, 0.5))
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    held = np.array([inside(direction) for direction in directions])
    if held.any():
        begin = int(np.argmin(held))  # outside, so that the directions inside are consecutive from here on
        kept = np.roll(directions, -begin, axis=0)[np.roll(held, -begin)]
        axes.fill(*(reach * np.vstack([np.zeros(2), kept])).T, color=colour, alpha=0.15, lw=0)
