"""An assumption: a named condition with a signed margin, a way to satisfy it and a way to violate it.

`satisfy(draw, **fields)` repairs a drawn case so that it holds; `violate(draw, **fields)` breaks it and, as far as it
can, nothing else. Both return the changed fields. Because they act on cases drawn already, assumptions compose: a claim
lists the ones it needs and the engine applies them in order, so cases are admissible by construction, not by filtering.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from refute.errors import BadClaim
from refute.language.cases import Cases, Fields
from refute.language.relations import Margin

Repair = Callable[..., Mapping[str, Any]]


@lru_cache(maxsize=1024)
def parameters(function: Callable[..., Any]) -> tuple[inspect.Parameter, ...]:
    """What a function takes; looking it up anew for every case would cost more than many a predicate."""
    return tuple(inspect.signature(function).parameters.values())


@dataclass(frozen=True, eq=False)
class Assumption:
    """`text` says it in words; `margin` takes fields of the case by name; `base` draws cases to try it on.

    The id is that of the paper where it states the condition, and "noun.property" where the statement only implies it.
    """

    id: str
    text: str
    margin: Callable[..., Margin]
    base: Cases | SearchStrategy[Fields]
    satisfy: Repair | None = None
    violate: Repair | None = None

    def __str__(self) -> str:
        return self.text

    @property
    def needs(self) -> tuple[str, ...]:
        """The fields of a case that the assumption speaks about."""
        return tuple(parameter.name for parameter in parameters(self.margin))

    def apply(self, repair: Repair, draw: DrawFn, drawn: Fields) -> Fields:
        wanted = [parameter.name for parameter in parameters(repair)][1:]
        missing = [name for name in wanted if name not in drawn]
        if missing:
            raise BadClaim(
                f'the assumption "{self.text}" speaks about {missing}, which the case does not have: it has '
                f"{sorted(drawn)}"
            )
        return drawn | dict(repair(draw, **{name: drawn[name] for name in wanted}))

    def satisfied_by(self, base: Cases | SearchStrategy[Fields] | None = None) -> SearchStrategy[Fields]:
        """Cases that satisfy the assumption."""
        return repaired(base if base is not None else self.base, satisfied=[self])

    def violated_by(self, base: Cases | SearchStrategy[Fields] | None = None) -> SearchStrategy[Fields]:
        """Cases that violate the assumption."""
        return repaired(base if base is not None else self.base, violated=[self])


@st.composite
def _repaired(
    draw: DrawFn, base: SearchStrategy[Fields], satisfied: tuple[Assumption, ...], violated: tuple[Assumption, ...]
) -> Fields:
    drawn = draw(base)
    for assumption in satisfied:
        if assumption.satisfy is not None:
            drawn = assumption.apply(assumption.satisfy, draw, drawn)
    for assumption in violated:
        if assumption.violate is not None:
            drawn = assumption.apply(assumption.violate, draw, drawn)
    return drawn


def repaired(
    base: Cases | SearchStrategy[Fields],
    *,
    satisfied: list[Assumption] | None = None,
    violated: list[Assumption] | None = None,
) -> SearchStrategy[Fields]:
    """Cases of `base`, made to satisfy some assumptions and to violate others."""
    return _repaired(Cases.of(base).strategy, tuple(satisfied or ()), tuple(violated or ()))


def assumption(
    id: str, base: Cases | SearchStrategy[Fields], satisfy: Repair | None = None, violate: Repair | None = None
) -> Callable[[Callable[..., Margin]], Assumption]:
    """Make a function that returns a margin an assumption; its docstring says the condition in words.

    `base` draws cases to try it on, `satisfy` and `violate` change a drawn case so that it holds and does not.
    """

    def decorate(function: Callable[..., Margin]) -> Assumption:
        text = " ".join((inspect.getdoc(function) or "").split())
        if not text:
            raise BadClaim(f"the assumption {id!r} has no docstring", "say the condition in words, on one line")
        return Assumption(id, text, function, base, satisfy, violate)

    return decorate
