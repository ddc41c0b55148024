"""Derived quantities: what several claims compute from the same case, such as the course of a training.

A conclusion names them as parameters, like fields of the case. Each is computed once per case, arithmetic and
precision, and serves every claim and mutant that asks for it; the latest are kept.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

KEPT = 256  # values, over all derived quantities of a process


@dataclass(frozen=True, eq=False)
class Derived:
    """A quantity computed from fields of the case, from other derived quantities, and from what the engine injects."""

    function: Callable[..., Any]

    @property
    def name(self) -> str:
        return self.function.__name__


def derived(function: Callable[..., Any]) -> Derived:
    """Make a function a quantity that conclusions may name: `@derived def course(data, net, rate): ...`."""
    return Derived(function)


@dataclass
class Kept:
    """The latest values, by what they depend on."""

    most: int = KEPT
    values: "OrderedDict[Hashable, Any]" = field(default_factory=OrderedDict)

    def get(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        if key in self.values:
            self.values.move_to_end(key)
            return self.values[key]
        value = compute()
        self.values[key] = value
        while len(self.values) > self.most:
            self.values.popitem(last=False)
        return value


kept = Kept()
