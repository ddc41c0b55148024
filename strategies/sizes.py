"""Draw the sizes first, then everything that must agree on them."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple, dataclass
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.errors import BadClaim
from refute.language.cases import Cases, Fields, Values, extents, together, values_of

RANGES = {"dimension": (1, 3), "samples": (1, 4), "width": (1, 4), "depth": (2, 4)}


@dataclass(frozen=True, slots=True)
class Size:
    """Input dimension, number of samples, hidden width, depth (number of weight matrices)."""

    dimension: int
    samples: int
    width: int
    depth: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A range of sizes that are drawn from, where the domain has others too."""

    least: int
    most: int


def drawn(least: int, most: int) -> Drawn:
    """Sizes to draw that are no bounds of the domain: `samples=drawn(1, 3)` only keeps cases small."""
    return Drawn(least, most)


Sizes = tuple[int, int] | Drawn | None
Part = Values | Callable[[Size], SearchStrategy[Any]] | SearchStrategy[Any]
Draw = Callable[[Size], SearchStrategy[Any]] | SearchStrategy[Any]


@st.composite
def _sized(draw: DrawFn, limits: Size, least: Size, parts: dict[str, Draw]) -> Fields:
    size = Size(
        *(
            low if low == high else draw(st.integers(low, high))
            for low, high in zip(astuple(least), astuple(limits), strict=True)
        )
    )
    return {name: draw(part if isinstance(part, SearchStrategy) else part(size)) for name, part in parts.items()}


def sized(
    *, dimension: Sizes = None, samples: Sizes = None, width: Sizes = None, depth: Sizes = None, **parts: Part
) -> Cases:
    """Cases whose fields share one size: `sized(net=two_layer, data=dataset, a=positive())`.

    A part is a strategy, or a function from the size to one. Each size is a (least, most) pair and shrinks to the
    least. A pair that is written bounds the domain; where none is, sizes are small and the domain has all, and so it
    has with `drawn(least, most)`.
    """
    written = {"dimension": dimension, "samples": samples, "width": width, "depth": depth}
    for name, pair in written.items():
        if not (pair is None or isinstance(pair, tuple | Drawn)):
            raise BadClaim(
                f"sized({name}=...) got {pair!r:.60}, which is no pair",
                f"{name} is the name of a size: write (least, most), or call the field otherwise",
            )
    bounds = {name: pair for name, pair in written.items() if isinstance(pair, tuple)}
    free = {name: (pair.least, pair.most) for name, pair in written.items() if isinstance(pair, Drawn)}
    ranges = {**RANGES, **free, **bounds}
    low, high = (Size(**{name: pair[k] for name, pair in ranges.items()}) for k in (0, 1))
    stated = {name: values_of(part) for name, part in parts.items()}
    return Cases(
        _sized(high, low, {name: _drawn(part) for name, part in parts.items()}),
        domain=_Domain(stated, bounds).admitted,
        nearest=_Domain(stated, bounds).nearest,
        least=asdict(low),
        most={name: pair[1] for name, pair in bounds.items()},
        silent=tuple(name for name, part in stated.items() if part is None),
    )


def mixed(*cases: Cases) -> Cases:
    """Cases of any of several strategies, in the domain of the first."""
    return cases[0].drawn_by(st.one_of(*(one.strategy for one in cases)))


def _drawn(part: Part) -> Draw:
    """Making a strategy costs as much as drawing from it, so each size has its own only once."""
    draws = part.draws if isinstance(part, Values) else part
    return draws if isinstance(draws, SearchStrategy) else lru_cache(maxsize=256)(draws)


@dataclass(frozen=True)
class _Domain:
    """The domain of fields that share one size: each in its own, all of one size, and that within the bounds."""

    parts: Mapping[str, Values | None]
    bounds: Mapping[str, tuple[int, int]]

    def admitted(self, fields: Mapping[str, Any]) -> dict[str, bool | None]:
        """Of each field whether its part admits it; all are outside where they do not fit together."""
        found = {
            name: False if name not in fields else None if part is None else bool(part.admits(fields[name]))
            for name, part in self.parts.items()
        }
        return found if False in found.values() or self._fit(fields) else dict.fromkeys(found, False)

    def _fit(self, fields: Mapping[str, Any]) -> bool:
        return together(self.parts, fields) and all(
            self.bounds[axis][0] <= extent <= self.bounds[axis][1]
            for name, part in self.parts.items()
            for axis, extent in extents(fields[name], part.sizes if part else None).items()
            if axis in self.bounds
        )

    def nearest(self, fields: Fields) -> Fields:
        """The fields, each taken back to the domain of its part where that knows how."""
        ways = {name: part.nearest for name, part in self.parts.items() if part is not None}
        return {name: (ways.get(name) or _unchanged)(value) for name, value in fields.items()}


def _unchanged(value: Any) -> Any:
    return value
