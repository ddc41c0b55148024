"""What the pages show besides words: strategies drawn, pinned counterexamples drawn, the figures of the papers listed.

Pictures are made when the pages are built and lie in docs/_generated; nothing of it is kept in the repository.
"""

import inspect
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings

import refute.strategies as offered
from refute.claims import drawings  # noqa: F401 - registers how networks are trained for pictures
from refute.language.cases import Values
from refute.language.claim import Claim
from refute.language.registry import figures
from refute.models import Dataset, TwoLayer
from refute.run.loading import load_all
from refute.show.report import plane
from refute.show.report.prose import headline
from refute.show.report.scene import scene

HERE = Path(__file__).parent
MADE = HERE / "_generated"
SIZE = offered.Size(dimension=2, samples=2, width=3, depth=2)
SHOWN, MOST = 6, 60  # draws of one strategy; counterexamples on one page


def draws(strategy: Any, count: int) -> list[Any]:
    """The same every time."""
    found: list[Any] = []

    @seed(7)
    @settings(max_examples=4 * count, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found[len(found) - count :]  # the first ones are the simplest


def _parts() -> Iterator[tuple[str, Any, list[Any]]]:
    """Every public strategy that can be drawn in the plane, with some of its values."""
    calls: dict[str, Callable[[], Any]] = {
        "array": lambda: offered.array(2),
        "nearly_orthogonal_data": offered.nearly_orthogonal_data,
        "number": offered.number,
        "positive": offered.positive,
        "slopes": offered.slopes,
        "signed": lambda: offered.signed(offered.orthogonal_data),
    }
    for name in sorted(offered.__all__):
        part = getattr(offered, name)
        try:
            made = calls[name]() if name in calls else part
            strategy = made(SIZE) if isinstance(made, Values) else made
            count = 200 if name in ("array", "number", "positive", "slopes", "point") else SHOWN
            yield name, part, draws(strategy, count)
        except Exception:  # a function of other arguments: it has its docstring
            yield name, part, []


def strategies_page() -> str:
    (MADE / "strategies").mkdir(parents=True, exist_ok=True)
    return "\n".join(_strategy(name, part, values) for name, part, values in _parts())


def _strategy(name: str, part: Any, values: list[Any]) -> str:
    words = inspect.getdoc(part.draws if isinstance(part, Values) and not part.__doc__ else part) or ""
    said = " ".join(words.split("\n\n")[0].split())
    picture = MADE / "strategies" / f"{name}.svg"
    shown = (
        f"\n```{{image}} _generated/strategies/{name}.svg\n:alt: values of {name}\n```\n"
        if _pictured(values, picture)
        else ""
    )
    return f"## {name}\n\n{said.replace('<', '&lt;').replace('*', chr(92) + '*').replace('|', chr(92) + '|')}\n{shown}"


def _pictured(values: list[Any], target: Path) -> bool:
    """Data as points, networks as arrows, numbers as a strip; False where a value is none of them."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": target.stem, "svg.fonttype": "none"}):
        if values and all(isinstance(value, Dataset | TwoLayer) for value in values):
            picture = Figure(figsize=(8, 1.5), layout="constrained")
            for axes, value in zip(picture.subplots(1, len(values)), values, strict=True):
                _points(axes, value)
        elif values and (numbers := _numbers(values)) is not None:
            picture = Figure(figsize=(8, 1.0), layout="constrained")
            axes = picture.subplots()
            axes.plot(numbers, np.zeros(len(numbers)), "|", markersize=22, alpha=0.4, color="tab:blue")
            axes.set(yticks=[], xscale="symlog")
        else:
            return False
        picture.savefig(target, metadata={"Date": None})
    return True


def _numbers(values: list[Any]) -> list[float] | None:
    try:
        return [float(number) for value in values for number in np.asarray(value, dtype=object).reshape(-1)]
    except (TypeError, ValueError):
        return None


def _points(axes: Any, value: Dataset | TwoLayer) -> None:
    rows = np.asarray(value.inputs if isinstance(value, Dataset) else value.inner, dtype=float)
    signs = np.asarray(value.labels if isinstance(value, Dataset) else value.outer, dtype=float)
    flat = np.column_stack([rows, np.zeros((len(rows), 2))])[:, :2]
    reach = 1.2 * (np.abs(flat).max(initial=0.0) or 1.0)
    axes.axhline(0, color="0.8", lw=0.6)
    axes.axvline(0, color="0.8", lw=0.6)
    for (x, y), sign in zip(flat, signs, strict=True):
        colour = "tab:red" if sign > 0 else "tab:blue" if sign < 0 else "0.5"
        if isinstance(value, Dataset):
            axes.plot(x, y, "o" if sign > 0 else "s", color=colour, markersize=4)
        else:
            axes.annotate("", xy=(x, y), xytext=(0, 0), arrowprops={"arrowstyle": "->", "color": colour})
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])


def counterexamples_page() -> str:
    """The pinned cases of printed statements that lie in the plane or on a line."""
    found = [
        made for claim in load_all() if claim.recorded == "refuted" and claim.printed and (made := _exhibit(claim))
    ]
    return "\n".join(found[:MOST])


def _exhibit(claim: Claim) -> str | None:
    path = Path(claim.place.rpartition(":")[0]).parent / "refuted" / f"{claim.id}.json"
    if not path.is_file():
        return None
    data = json.loads(path.read_text(encoding="utf-8"))
    seen = scene(data["case"])
    drawn = plane.drawn(seen) if seen is not None and seen.dimension <= 2 else None
    if drawn is None:
        return None
    said = " ".join(headline(claim.statement).split())
    return (
        f"## {claim.id}\n\n{claim.reference}. {said}\n\n"
        f'```{{raw}} html\n<div class="drawn">{drawn.drawing}</div>\n```\n\n'
        f"`{data['violated'].replace('`', '')}` (slack {data['slack'][:24]}, {data['level']}). "
        f"Check it again: `refute verify claims/{claim.paper}/refuted/{claim.id}.json`.\n"
    )


def figures_page() -> str:
    """Each figure with its own words, how to draw it, and the picture where `make figures` has drawn it."""
    load_all()
    lines = []
    for paper, number in sorted(figures(), key=lambda name: (name[0], len(name[1]), name[1])):
        words = " ".join((inspect.getdoc(figures()[paper, number]) or "").split())
        picture = MADE / "figures" / f"{paper}-{number}.png"
        shown = (
            f"\n```{{image}} _generated/figures/{picture.name}\n:alt: {paper}, figure {number}\n```\n"
            if picture.is_file()
            else ""
        )
        lines.append(f"## {paper}, figure {number}\n\n{words}\n\n`refute figure {paper} {number} --quick`\n{shown}")
    return "\n".join(lines)


PAGES = {"strategies": strategies_page, "counterexamples": counterexamples_page, "figures": figures_page}
