"""Packs: installed packages that offer claims, by an entry point of the group `refute.claims`.

    [project.entry-points."refute.claims"]
    lyu2020 = "lyu2020.claims"

The name is that of the paper, with which the ids of its claims begin; the value is the package that holds them.
"""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from refute.errors import Unreadable

GROUP = "refute.claims"


@dataclass(frozen=True, slots=True)
class Pack:
    """What is offered under a name; `distribution` is what was installed."""

    name: str
    package: str
    distribution: str

    def folders(self) -> list[Path]:
        """Where the package lies. What contains it is imported, it is not."""
        try:
            spec = find_spec(self.package)
        except Exception as error:
            raise self.unreadable(f"{type(error).__name__}: {error}") from error
        if spec is None:
            raise self.unreadable(f"there is no package {self.package}")
        return [Path(place) for place in spec.submodule_search_locations or ()]

    def unreadable(self, why: str) -> Unreadable:
        return Unreadable(
            f"cannot load the pack {self.name}: {why}", f"mend its entry point, or `pip uninstall {self.distribution}`"
        )


@cache
def packs() -> tuple[Pack, ...]:
    """What is installed beside the papers that come with the project, by name."""
    found = [
        Pack(each.name, each.value, each.dist.name if each.dist else each.name) for each in entry_points(group=GROUP)
    ]
    return tuple(sorted(set(found), key=lambda pack: (pack.name, pack.package)))


def pack_of(module: str) -> Pack | None:
    """The pack that a module belongs to."""
    return next((pack for pack in packs() if f"{module}.".startswith(f"{pack.package}.")), None)
