"""Draw the sizes first, then everything that must agree on them."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple, dataclass
from functools import lru_cache, partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy


@dataclass(frozen=True, slots=True)
class Size:
    """Input dimension, number of samples, hidden width, depth (number of weight matrices)."""

    dimension: int
    samples: int
    width: int
    depth: int


Part = Callable[[Size], SearchStrategy[Any]] | SearchStrategy[Any]


@st.composite
def _sized(draw: DrawFn, limits: Size, least: Size, parts: dict[str, Part]) -> dict[str, Any]:
    size = Size(
        *(
            low if low == high else draw(st.integers(low, high))
            for low, high in zip(astuple(least), astuple(limits), strict=True)
        )
    )
    return {name: draw(part if isinstance(part, SearchStrategy) else part(size)) for name, part in parts.items()}


def sized(
    *,
    dimension: tuple[int, int] = (1, 3),
    samples: tuple[int, int] = (1, 4),
    width: tuple[int, int] = (1, 4),
    depth: tuple[int, int] = (2, 4),
    **parts: Part,
) -> SearchStrategy[dict[str, Any]]:
    """Cases whose fields share one size: `sized(net=two_layer, data=dataset, a=positive())`.

    A part is a strategy, or a function from the size to one. Each size is a (least, most) pair and shrinks to the
    least.
    """
    low, high = zip(dimension, samples, width, depth, strict=True)
    # Making a strategy costs as much as drawing from it, so each size has its own only once.
    kept: dict[str, Part] = {}
    for name, part in parts.items():
        kept[name] = part if isinstance(part, SearchStrategy) else lru_cache(maxsize=256)(part)
    strategy = _sized(Size(*high), Size(*low), kept)
    strategy.least = asdict(Size(*low))  # type: ignore[attr-defined]  # how far a counterexample may be shrunk
    strategy.domain = partial(_domain, parts)  # type: ignore[attr-defined]
    strategy.nearest = partial(_nearest, parts)  # type: ignore[attr-defined]
    return strategy


def _domain(parts: dict[str, Part], fields: Mapping[str, Any]) -> dict[str, bool | None]:
    """Of each field whether its part admits it; None where the part states no domain."""
    found: dict[str, bool | None] = {}
    for name, part in parts.items():
        admits = getattr(part, "admits", None)
        found[name] = None if admits is None or name not in fields else bool(admits(fields[name]))
    return found


def _nearest(parts: dict[str, Part], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields, each taken back to the domain of its part where that knows how."""
    ways = {name: getattr(part, "nearest", None) for name, part in parts.items()}
    return {name: value if ways.get(name) is None else ways[name](value) for name, value in fields.items()}  # type: ignore[misc]
