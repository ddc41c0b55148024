"""The cases of a claim as a value: what draws them, and the domain that they are drawn from.

A strategy draws from a small part of what a claim speaks of. The domain says which values each field may take
(`admits`) and which go together; `nearest` takes a value that a step moved out of the domain back to it (labels to +1
and -1, say), so that a search can walk along a thin domain. What a search may change, what a shrinker may simplify and
what a certificate may contain is decided here: a number outside the domain would refute nothing.

Hypothesis forbids to inherit from its strategies, and nothing is set on them. The domain of a strategy that is drawn
from as it is (`draw(number())`) therefore stands in a table beside it, and what `.map` makes of it has none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from refute.errors import RefuteError
from refute.language.case import Case, is_record

if TYPE_CHECKING:
    from refute.language.claim import Claim

T = TypeVar("T")

Fields = dict[str, Any]
Verdicts = Mapping[str, bool | None]  # of each field: inside its domain, outside, or nothing stated
Domain = Callable[[Mapping[str, Any]], Verdicts]
SizesOf = Callable[[Any], Mapping[str, int]]


@dataclass(eq=False)
class Values:
    """The values of one field: what draws them (a strategy, or a function from the size to one) and their domain.

    `sizes` gives the extents that must agree with those of the other fields; records name theirs in `AXES`.
    """

    draws: Any
    admits: Callable[[Any], bool]
    nearest: Callable[[Any], Any] | None = None
    sizes: SizesOf | None = None

    def __call__(self, size: Any) -> SearchStrategy[Any]:
        """The strategy for this size."""
        strategy: SearchStrategy[Any] = self.draws if isinstance(self.draws, SearchStrategy) else self.draws(size)
        return strategy


_stated: WeakKeyDictionary[SearchStrategy[Any], Values] = WeakKeyDictionary()


def stated(
    strategy: SearchStrategy[T],
    admits: Callable[[Any], bool],
    nearest: Callable[[Any], Any] | None = None,
    sizes: SizesOf | None = None,
) -> SearchStrategy[T]:
    """The strategy with its domain and the way back to it. It is an object of its own: Hypothesis may hand out one and
    the same `st.integers(1, 5)` in two places.
    """
    own: SearchStrategy[T] = st.deferred(lambda: strategy)
    _stated[own] = Values(own, admits, nearest, sizes)
    return own


def only(value: Any) -> Values:
    """This one value, in the domain too."""
    known = Case.of(value=value)
    return Values(st.just(value), lambda other: Case.of(value=other) == known)


def values(
    admits: Callable[[Any], bool], nearest: Callable[[Any], Any] | None = None, sizes: SizesOf | None = None
) -> Callable[[Callable[[Any], SearchStrategy[Any]]], Values]:
    """A decorator that states the domain of a part: a function from the size to a strategy.

    `admits(value)` says whether a field may take the value; `nearest(value)` takes one that left the domain back to
    it; `sizes(value)` gives the extents, by name, that must agree with those of the other fields (`along`).
    """

    def decorate(function: Callable[[Any], SearchStrategy[Any]]) -> Values:
        made = Values(function, admits, nearest, sizes)
        update_wrapper(made, function)  # its name and its docstring
        return made

    return decorate


def values_of(part: Any) -> Values | None:
    """A part with its domain; None where it states none."""
    if isinstance(part, Values):
        return part
    return _stated.get(part) if isinstance(part, SearchStrategy) else None


def along(*axes: str) -> SizesOf:
    """The extents of an array with these axes."""
    return lambda value: dict(zip(axes, value.shape, strict=True))


def extents(value: Any, sizes: SizesOf | None = None) -> Mapping[str, int]:
    """The named sizes of a value: as its field states them, or as the class of a record names them in `AXES`."""
    if sizes is not None:
        return sizes(value)
    named: Mapping[str, tuple[str, ...]] = getattr(type(value), "AXES", {}) if is_record(value) else {}
    return {
        axis: extent
        for name, axes in named.items()
        for axis, extent in zip(axes, np.shape(getattr(value, name)), strict=True)
    }


@dataclass(frozen=True)
class Cases:
    """A strategy of cases (dicts of fields), with their domain.

    strategy  draws from the domain, from a small part of it
    domain    of each field of a case whether it is admitted; None where nothing is stated
    nearest   takes the fields of a case back to the domain, as far as it knows how
    least     the sizes down to which a counterexample is shrunk
    most      the largest sizes, where an author bounds them
    silent    the fields of which nothing is stated
    """

    strategy: SearchStrategy[Fields]
    domain: Domain | None = None
    nearest: Callable[[Fields], Fields] | None = None
    least: Mapping[str, int] = field(default_factory=dict)
    most: Mapping[str, int] = field(default_factory=dict)
    silent: tuple[str, ...] = ()

    @property
    def stated(self) -> bool:
        """Whether the domain says of every field which values it may take."""
        return self.domain is not None and not self.silent

    @classmethod
    def of(cls, given: "Cases | SearchStrategy[Fields]") -> "Cases":
        """Cases as they are; a strategy of Hypothesis becomes cases whose domain is not stated."""
        return given if isinstance(given, Cases) else cls(given)

    def drawn_by(self, strategy: SearchStrategy[Fields]) -> "Cases":
        """The same domain, drawn from in another way."""
        return replace(self, strategy=strategy)

    def map(self, change: Callable[[Fields], Fields]) -> "Cases":
        """The drawn cases changed, inside the same domain."""
        return self.drawn_by(self.strategy.map(change))

    def filter(self, condition: Callable[[Mapping[str, Any]], Any]) -> "Cases":
        """Only the cases that meet the condition: the others are not drawn, and lie outside."""
        return self.within(condition).drawn_by(self.strategy.filter(condition))

    def within(self, condition: Callable[[Mapping[str, Any]], Any]) -> "Cases":
        """The same strategy, and only that part of the domain where fields that are admitted one by one meet a
        condition on all of them.
        """
        domain = self.domain

        def narrowed(fields: Mapping[str, Any]) -> Verdicts:
            assert domain is not None
            found = domain(fields)
            return found if False in found.values() or condition(fields) else dict.fromkeys(found, False)

        return self if domain is None else replace(self, domain=narrowed)

    def joined(self, strategy: SearchStrategy[Fields], **admits: Callable[[Any], bool]) -> "Cases":
        """The cases of a strategy that adds fields to these, which may take the values that are admitted."""
        domain = self.domain

        def wider(fields: Mapping[str, Any]) -> Verdicts:
            assert domain is not None
            own = {name: value for name, value in fields.items() if name not in admits}
            added = {name: name in fields and bool(admit(fields[name])) for name, admit in admits.items()}
            return {**domain(own), **added}

        return replace(self, strategy=strategy, domain=None if domain is None else wider)

    def admitted(self, fields: Mapping[str, Any]) -> dict[str, bool | None]:
        """For each field: inside the domain, outside (also where it is missing or unknown), or None where nothing is
        stated. Fields on which the domain breaks down, a word where a network belongs, are outside.
        """
        if self.domain is None:
            return dict.fromkeys(fields)
        try:
            return {**dict.fromkeys(fields, False), **self.domain(fields)}
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RefuteError):
            return dict.fromkeys(fields, False)


def together(parts: Mapping[str, Values | None], fields: Mapping[str, Any]) -> bool:
    """Whether the named sizes of all fields agree."""
    found: dict[str, int] = {}
    for name, part in parts.items():
        for axis, extent in extents(fields[name], part.sizes if part else None).items():
            if found.setdefault(axis, extent) != extent:
                return False
    return True


def admitted(claim: "Claim", case: Mapping[str, Any]) -> dict[str, bool | None]:
    """For each field of the case: inside the domain, outside, or None where none is stated. Listed instances are a
    domain: every other case lies outside.
    """
    if claim.instances:
        return dict.fromkeys(case, Case.of(**case) in claim.instances)
    return claim.given.admitted(case) if claim.given is not None else dict.fromkeys(case)


def brought_back(claim: "Claim", case: Case) -> Case:
    """The case with every field that left its domain taken back to it, where the domain knows how."""
    nearest = claim.given.nearest if claim.given is not None else None
    return case if nearest is None or inside(claim, case) else Case.of(**nearest(dict(case)))


def movable(claim: "Claim", case: Case) -> frozenset[str]:
    """The fields whose numbers may be changed: their domain is stated and they lie in it."""
    return frozenset(name for name, inside in admitted(claim, case).items() if inside)


def inside(claim: "Claim", case: Case) -> bool:
    """Whether no field leaves its stated domain."""
    return all(verdict is not False for verdict in admitted(claim, case).values())
