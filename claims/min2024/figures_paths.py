"""Figures 14 to 17: paths of activation counts (k_+, k_-), the maximal path, and which of its edges takes at least as
long.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from refute import figure
from refute.models.drawing import blank, captioned, compared
from refute.models.min2024.activation_paths import Point, best_path, is_path, maximal_path, succeeds, travel_time

POSITIVE, NEGATIVE = 6, 5
Edge = tuple[Point, Point]
# Ten steps from (0, 4) to (6, 0): a neuron that sees four negative data at first. The paper's own path is not legible.
PATH: list[Point] = [(0, 4), (0, 3), (1, 3), (2, 3), (2, 2), (3, 2), (3, 1), (4, 1), (4, 0), (5, 0), (6, 0)]


def _edges(path: list[Point]) -> list[Edge]:
    return list(pairwise(path))


def _loses(edge: Edge) -> bool:
    return edge[1][1] < edge[0][1]


def partner(edge: Edge) -> Point:
    """The point of the maximal path whose edge takes at least as long: for steps by one, different edges of a path have
    different ones.

    Losing a negative datum at (p, q): (0, q), or (1, 1) if q = 1. Gaining a positive one: (p, 0), or (0, 1) if p = 0.
    """
    (p, q), _ = edge
    if _loses(edge):
        return (0, q) if q > 1 else (1, 1)
    return (p, 0) if p else (0, 1)


def _grid(title: str) -> tuple[Any, Any]:
    picture = blank(6.4, 4.6)
    axes = picture.subplots()
    axes.set(
        xlabel="$k_+$",
        ylabel="$k_-$",
        title=title,
        aspect="equal",
        xticks=range(POSITIVE + 1),
        yticks=range(NEGATIVE + 1),
    )
    axes.grid(alpha=0.4)
    axes.plot(0, 0, "x", color="k", ms=10)  # no path visits (0, 0)
    return picture, axes


def _follow(axes: Any, path: list[Point], colour: str, name: str) -> None:
    axes.plot(
        *zip(*path, strict=True),
        "o-",
        color=colour,
        label=f"{name}: {len(path) - 1} steps, time {float(travel_time(path)):.3f}",
    )


SIZES = f"{POSITIVE} positive and {NEGATIVE} negative data"


@figure("min2024", 14)
def a_path() -> Any:
    """A path of ten steps from the first activation counts of a neuron to S_+."""
    picture, axes = _grid("a path")
    _follow(axes, PATH, "C0", "path")
    axes.legend()
    legal = is_path(PATH, POSITIVE, NEGATIVE, succeeds) and len(PATH) == 11
    found = f"{len(PATH) - 1} steps from {PATH[0]} to {PATH[-1]}, travel time {travel_time(PATH)}"
    first = f"min2024, Figure 14. {SIZES}; times in units of 4/(min(zeta, xi) sqrt(mu) X_min)."
    return captioned(picture, [first, compared(found, "a path of length 10 that ends at (n_+, 0)", legal)])


def _maximal_lines(longest: list[Point]) -> list[str]:
    slowest = best_path(POSITIVE, NEGATIVE, lambda k: Fraction(1, sum(k)))
    most = best_path(POSITIVE, NEGATIVE, lambda k: Fraction(1))
    time = travel_time(longest)
    return [
        f"min2024, Figure 15. {SIZES}; no count goes back; all paths, by dynamic programming.",
        compared(
            f"P_max takes {time} = {float(time):.3f}, the slowest of all paths {slowest[0]}, the drawn path "
            f"{travel_time(PATH)}",
            "no path takes longer than P_max",
            slowest[0] == time,
        ),
        compared(
            f"P_max has {len(longest) - 1} steps, no path has more than {most[0]}",
            "the maximal length is n",
            len(longest) - 1 == most[0],
        ),
        compared(f"{most[1]} paths have that length", "uniquely determined", most[1] == 1),
    ]


@figure("min2024", 15)
def the_maximal_path() -> Any:
    """The path of Figure 14 and the maximal path, with their travel times."""
    longest = maximal_path(POSITIVE, NEGATIVE)
    picture, axes = _grid("a path and the maximal path")
    _follow(axes, PATH, "C0", "path")
    _follow(axes, longest, "C1", r"$P_{max}$")
    axes.legend()
    return captioned(picture, _maximal_lines(longest))


def _correspondence(number: int, losing: bool, name: str) -> Any:
    longest = maximal_path(POSITIVE, NEGATIVE)
    nexts = dict(_edges(longest))
    chosen = [edge for edge in _edges(PATH) if _loses(edge) is losing]
    partners = [partner(edge) for edge in chosen]
    picture, axes = _grid(f"edges that {name}")
    _follow(axes, PATH, "C0", "path")
    _follow(axes, longest, "C1", r"$P_{max}$")
    for edge, point in zip(chosen, partners, strict=True):
        (a, b), (c, d) = (_middle(*one) for one in (edge, (point, nexts[point])))
        axes.annotate("", xy=(c, d), xytext=(a, b), arrowprops={"arrowstyle": "->", "color": "0.4", "ls": "--"})
    axes.legend(fontsize=8)
    every = [partner(edge) for edge in _edges(PATH)]
    slower = all(sum(point) <= sum(edge[0]) for edge, point in zip(chosen, partners, strict=True))
    gaps = [Fraction(1, sum(point)) - Fraction(1, sum(edge[0])) for edge, point in zip(chosen, partners, strict=True)]
    return captioned(
        picture,
        [
            f"min2024, Figure {number}. The edges that {name}, with the edge of P_max that stands for each (dashed).",
            compared(
                f"{len(chosen)} edges; their partners take longer by {', '.join(map(str, gaps))}",
                "edges of the path are shorter; here, or the same edge",
                slower,
            ),
            compared(
                f"{len(set(every))} partners for all {len(every)} edges of the path",
                "one-to-one",
                len(set(every)) == len(every),
            ),
        ],
    )


def _middle(a: Point, b: Point) -> tuple[float, float]:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


@figure("min2024", 16)
def edges_that_lose() -> Any:
    """Edges on which a negative datum is lost, and their partners on the maximal path."""
    return _correspondence(16, True, "lose a negative datum")


@figure("min2024", 17)
def edges_that_gain() -> Any:
    """Edges on which a positive datum is gained, and their partners on the maximal path."""
    return _correspondence(17, False, "gain a positive datum")
