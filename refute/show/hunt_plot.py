"""A picture of a hunt: how near it came against how many cases it tried, and where among the cases it came nearest."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from refute.errors import BadInput
from refute.search.campaign import Campaign
from refute.search.chunk import CLIMBS, CORNERS, DRAW, WITNESS
from refute.search.coordinates import Layout
from refute.search.probe import NEAR
from refute.search.robustness import Floats
from refute.search.sighting import Sighting, coordinate_names
from refute.show.visible import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png", ".pdf")
MAPS = 3  # sizes of a case that get a map of their own
BINS = 8  # intervals of a coordinate in which the margins are compared

METHODS = {DRAW: ("o", "#999999"), CORNERS: ("s", "#E69F00"), WITNESS: ("D", "#CC79A7")} | dict(
    zip(CLIMBS, [("^", "#0072B2"), ("v", "#009E73"), ("P", "#56B4E9")], strict=True)
)
VIOLATED: dict[str, Any] = {
    "marker": "*",
    "s": 160,
    "facecolor": "#D55E00",
    "edgecolor": "black",
    "linewidth": 0.6,
    "zorder": 4,
}


def checked_target(path: Path) -> Path:
    """The file to draw into; told before the hunt, not after it, when it cannot be one."""
    if path.suffix.lower() not in ENDINGS:
        raise BadInput(f"cannot draw into {path}", f"a picture ends in {', '.join(ENDINGS)}")
    return path


def save(campaign: Campaign, path: Path) -> None:
    """Draw the hunt into a file; the same hunt gives the same file."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": campaign.claim.id, "svg.fonttype": "none", "axes.formatter.useoffset": False}):
        figure = drawn(campaign)
        dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}[path.suffix.lower()]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # an id may hold anything
                figure.savefig(path, metadata=dates)
        except OSError as error:
            raise BadInput(f"cannot write {path}: {error}", "choose another --plot, such as hunt.svg") from error


def drawn(campaign: Campaign) -> "Figure":
    """Effort above, maps below."""
    from matplotlib.figure import Figure

    maps = _by_layout(campaign.seen)
    shown = maps[:MAPS]
    figure = Figure(figsize=(11, 8.5 if shown else 4.5), layout="constrained")
    rows: Any = figure.subfigures(2, 1) if shown else [figure]
    rows[0].suptitle(_title(campaign), parse_math=False, fontsize="medium")
    _draw_effort(rows[0].subplots(), campaign)
    if shown:
        _draw_maps(rows[1], shown, len(maps))
    return figure


def _title(campaign: Campaign) -> str:
    outcome = "a counterexample was found" if campaign.violation is not None else "no counterexample"
    return f"{one_line(campaign.claim.id)}: {outcome}, {campaign.tried} cases tried, {campaign.met} met the assumptions"


def _draw_effort(axes: "Axes", campaign: Campaign) -> None:
    for arm, (marker, colour) in METHODS.items():
        mine = [one for one in campaign.seen if one.arm == arm]
        if mine:
            points = [one.after for one in mine], [one.height for one in mine]
            axes.scatter(*points, s=18, marker=marker, color=colour, alpha=0.7, linewidth=0, label=arm)
    steps = _steps(campaign)
    if steps:
        tried, best = zip(*steps, strict=True)
        axes.step(
            [*tried, campaign.tried], [*best, best[-1]], where="post", color="black", linewidth=1.2, label="best so far"
        )
    broken = [one for one in campaign.seen if one.violated]
    if broken:
        axes.scatter(
            [one.after for one in broken], [one.height for one in broken], label="violates the claim", **VIOLATED
        )
    _scale_margins(axes, [one.height for one in campaign.seen])
    axes.axhline(0, color="#D55E00", linewidth=0.8)
    axes.set(
        xlabel="cases tried", ylabel="relative margin (negative: violated)", xlim=(0, max(1, campaign.tried) * 1.02)
    )
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="small")


def _steps(campaign: Campaign) -> list[tuple[int, float]]:
    """After how many cases the best margin fell to what: case by case where cases were seen, else generation by
    generation.
    """
    steps: list[tuple[int, float]] = []
    for one in campaign.seen:
        if not steps or one.height < steps[-1][1]:
            steps.append((one.after, one.height))
    return steps or campaign.history


def _scale_margins(axes: "Axes", heights: Sequence[float]) -> None:
    """Margins run over powers of ten towards zero and through it: linear only below the smallest one seen."""
    sizes = np.abs([height for height in heights if abs(height) > NEAR])
    smallest = float(sizes.min(initial=1.0))
    if smallest < 0.05:
        axes.set_yscale("symlog", linthresh=smallest)


def _by_layout(seen: Sequence[Sighting]) -> list[list[Sighting]]:
    """The sightings with coordinates by the sizes of their case: first the size of the nearest miss, then the most
    frequent ones.
    """
    groups: dict[Layout, list[Sighting]] = {}
    for one in seen:
        if one.point:
            groups.setdefault(one.layout, []).append(one)
    ranked = sorted(groups.values(), key=lambda group: (-len(group), str(group[0].layout)))
    return sorted(ranked, key=lambda group: group is not min(ranked, key=_nearest)) if ranked else []


def _nearest(group: Sequence[Sighting]) -> tuple[bool, float]:
    return min((not one.violated, one.height) for one in group)


def _draw_maps(row: Any, groups: Sequence[Sequence[Sighting]], known: int) -> None:
    heights = np.array([one.height for group in groups for one in group])
    ranks = _ranks(heights)
    sizes = "all cases have one size" if known == 1 else f"{len(groups)} of {known} sizes of a case"
    row.suptitle(
        f"where the cases lie, by the two coordinates that tell most about the margin; {sizes}", fontsize="medium"
    )
    all_axes = np.atleast_1d(row.subplots(1, len(groups)))
    painted = None
    start = 0
    for axes, group in zip(all_axes, groups, strict=True):
        painted = _draw_map(axes, group, ranks[start : start + len(group)])
        start += len(group)
    bar = row.colorbar(painted, ax=list(all_axes), location="right", fraction=0.03)
    places = np.linspace(0, 1, 6)
    bar.set_ticks(places, labels=[f"{height:.3g}" for height in np.quantile(heights, places)])
    bar.set_label("relative margin")


def _draw_map(axes: "Axes", group: Sequence[Sighting], ranks: Floats) -> Any:
    points = np.array([one.point for one in group])
    names = coordinate_names(group[0].layout)
    chosen = telling(points, ranks)
    first, second = chosen if len(chosen) == 2 else (chosen[0], None)
    xs, ys = points[:, first], points[:, second] if second is not None else np.array([one.height for one in group])
    order = np.argsort(-ranks, kind="stable")  # the nearest misses on top
    painted = axes.scatter(xs[order], ys[order], c=ranks[order], cmap="viridis", vmin=0, vmax=1, s=22, linewidth=0)
    broken = [k for k, one in enumerate(group) if one.violated]
    axes.scatter(xs[broken], ys[broken], **VIOLATED)
    _scale_coordinate(xs, axes.set_xscale, axes.xaxis)
    _scale_coordinate(ys, axes.set_yscale, axes.yaxis)
    axes.set_xlabel(names[first], parse_math=False)
    axes.set_ylabel(names[second] if second is not None else "relative margin", parse_math=False)
    axes.set_title(f"{_sizes(group[0].layout)}\n{len(group)} cases", fontsize="small", parse_math=False, wrap=True)
    axes.tick_params(labelsize="small")
    return painted


def _scale_coordinate(values: Floats, scale: Any, axis: Any) -> None:
    """Leaps make numbers a million times larger: then powers of ten, on both sides of zero, and few
    of them labelled.
    """
    sizes = np.abs(values[values != 0])
    if len(sizes) and sizes.max() > 100 * np.median(sizes):
        scale("symlog", linthresh=float(np.median(sizes)))
        axis.get_major_locator().set_params(numticks=5)


def _sizes(layout: Layout) -> str:
    """Only arrays have sizes: "net.inner 3 x 2, x 2"; "numbers" where there are none."""
    arrays = [f"{name} {' x '.join(map(str, shape))}" for name, shape in layout if shape]
    text = ", ".join(arrays) or ", ".join(name for name, _ in layout)
    return text if len(text) <= 60 else f"{text[:57]}..."


def telling(points: Floats, ranks: Floats) -> list[int]:
    """The coordinates, at most two, that say most about the ranks of the margins, the most telling first.

    A coordinate is cut into intervals with equally many cases; what it tells is the part of the variance of the ranks
    that lies between the intervals. So a margin that is small at both ends of a coordinate, or in its middle, counts as
    well as one that falls.
    """
    told = [_variance_between(column, ranks) for column in points.T]
    varied = [k for k in range(len(told)) if np.ptp(points[:, k]) > 0] or list(range(len(told)))
    return sorted(varied, key=lambda k: (-round(told[k], 9), k))[:2]


def _variance_between(column: Floats, ranks: Floats) -> float:
    intervals = np.digitize(column, np.unique(np.quantile(column, np.linspace(0, 1, BINS + 1)[1:-1])))
    means = np.array([ranks[intervals == k].mean() for k in np.unique(intervals)])
    counts = np.array([(intervals == k).sum() for k in np.unique(intervals)])
    return float(np.sum(counts * (means - ranks.mean()) ** 2) / len(ranks))


def _ranks(values: Floats) -> Floats:
    """0 for the smallest, 1 for the largest, equal for equal values: margins run over powers of ten, colours do not."""
    known, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts + 1) / 2
    return (middle / max(1, len(values) - 1))[places] if len(known) > 1 else np.zeros(len(values))
