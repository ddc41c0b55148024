"""A case: one concrete instance of a claim, exact, immutable and printable.

A case is a mapping from names to values. A value is a rational (`Fraction` or float), a count (`int`), a word (`str`),
an array of rationals, or a record of such values (a network, a dataset). Counts and words are handed to a conclusion as
they are; rationals and arrays are lifted into the arithmetic that the engine chooses.
"""

import hashlib
import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar, dataclass_transform

import numpy as np

from refute.arithmetic.numbers import EXACT, Arithmetic, Array, exact_array, rational, written
from refute.errors import BadInput, Unreadable
from refute.shown import Shown

T = TypeVar("T")

_records: dict[str, type[Any]] = {}
_LARGEST_FILE_ENTRY = 1_000_000
_MOST_AXES = 8


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[T]) -> type[T]:
    """Make `cls` a frozen record of exact values. Numbers, fractions as text ("1/3") and nested lists become exact.

    A field annotated `int` is a count and one annotated `str` a word; they stay as they are. `validate()` is called if
    defined. `AXES` may name the axes of its arrays ({"inputs": ("samples", "dimension")}): a counterexample is shrunk
    along them.
    """

    def __post_init__(self: Any) -> None:
        for each in fields(self):
            value = exact(getattr(self, each.name), each.name)
            number = isinstance(value, (int, str)) and each.type not in (int, str)
            object.__setattr__(self, each.name, rational(value, each.name) if number else value)
        check = getattr(self, "validate", None)
        if check is not None:
            check()

    ways = {"__post_init__": __post_init__, "__repr__": _show_record, "_repr_html_": Shown._repr_html_}
    for name, way in ways.items():
        setattr(cls, name, way)
    made = dataclass(frozen=True, eq=False, repr=False)(cls)
    if made.__name__ in _records and _records[made.__name__].__module__ != made.__module__:
        raise BadInput(
            f"two record types are called {made.__name__}: in {_records[made.__name__].__module__} and in "
            f"{made.__module__}"
        )
    _records[made.__name__] = made
    return made


def is_record(value: object) -> bool:
    return type(value).__name__ in _records and is_dataclass(value)


def exact(value: Any, name: str = "value") -> Any:
    """`value` as a case stores it."""
    if isinstance(value, (str, Fraction)) or is_record(value):
        return value
    if isinstance(value, (bool, np.bool_)):
        raise BadInput(f"{name} must be a number, a word or an array, got the bool {value}", "use 0 or 1, or a word")
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        rational(value, name)
        return float(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        if is_record_list(value) and len(value):
            return tuple(value)
        if isinstance(value, tuple) and value and all(isinstance(entry, np.ndarray) for entry in value):
            return tuple(exact_array(entry, f"{name}[{k}]") for k, entry in enumerate(value))
        return exact_array(value, name)
    raise BadInput(
        f"{name} has type {type(value).__name__}, which a case cannot hold", "use numbers, words, arrays or records"
    )


def is_record_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(is_record(entry) for entry in value)


def _rebuild(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """`value` with every rational and array replaced by `leaf(...)`; records keep their type and skip validation."""
    if is_record(value):
        copy = object.__new__(type(value))
        for each in fields(value):
            object.__setattr__(copy, each.name, _rebuild(getattr(value, each.name), leaf))
        return copy
    if isinstance(value, tuple):
        return tuple(_rebuild(entry, leaf) for entry in value)
    if isinstance(value, (Fraction, float, np.ndarray)):
        return leaf(value)
    return value


def _rationals(value: Any) -> Iterator[Fraction]:
    if is_record(value):
        for each in fields(value):
            yield from _rationals(getattr(value, each.name))
    elif isinstance(value, tuple):
        for entry in value:
            yield from _rationals(entry)
    elif isinstance(value, np.ndarray):
        yield from (rational(entry) for entry in value.reshape(-1).tolist())
    elif isinstance(value, Fraction):
        yield value


def lift(value: Any, arithmetic: Arithmetic) -> Any:
    """`value` (of a case) in the given arithmetic."""
    return _rebuild(value, lambda v: arithmetic.array(v) if isinstance(v, np.ndarray) else arithmetic.scalar(v))


@dataclass(frozen=True, eq=False)
class Case(Shown, Mapping[str, Any]):
    """A frozen mapping from names to exact values. Two cases are equal when their digests are."""

    fields: Mapping[str, Any]
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, **values: Any) -> "Case":
        return cls({name: exact(value, name) for name, value in values.items()})

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def lifted(self, name: str, arithmetic: Arithmetic) -> Any:
        """A field in the given arithmetic; in rationals, which every assumption asks for, it is lifted once."""
        lifted = partial(lift, self.fields[name], arithmetic)
        return self.once(name, lifted) if arithmetic is EXACT else lifted()

    def once(self, what: Hashable, compute: Callable[[], T]) -> T:
        """What is asked of a case again and again, by several claims, is computed once."""
        if what not in self._known:
            self._known[what] = compute()
        found: T = self._known[what]
        return found

    def __reduce__(self) -> tuple[type["Case"], tuple[Mapping[str, Any]]]:
        """A case travels without what has been computed from it."""
        return Case, (self.fields,)

    def dyadic(self) -> bool:
        """Whether float64 holds every number of the case exactly."""
        return all(Fraction(float(number)) == number for value in self.fields.values() for number in _rationals(value))

    def digest(self) -> str:
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:16]

    def __hash__(self) -> int:
        return hash(self.digest())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and self.digest() == other.digest()

    def to_json(self) -> dict[str, Any]:
        return {name: to_json(value) for name, value in self.fields.items()}

    @classmethod
    def from_json(cls, data: Any) -> "Case":
        if not isinstance(data, dict):
            raise Unreadable(f"a case is a JSON object, got {type(data).__name__}")
        try:
            return cls({str(name): from_json(value, str(name)) for name, value in data.items()})
        except RecursionError:
            raise Unreadable("the case is nested too deeply") from None

    def __str__(self) -> str:
        return ", ".join(f"{name} = {show(value)}" for name, value in self.fields.items()) or "(nothing to choose)"

    def __repr__(self) -> str:
        return f"Case({self})"


def to_json(value: Any) -> Any:
    if is_record(value):
        return {"record": type(value).__name__, **{f.name: to_json(getattr(value, f.name)) for f in fields(value)}}
    if isinstance(value, tuple):
        return {"list": [to_json(entry) for entry in value]}
    if isinstance(value, np.ndarray):
        entries = [entry if isinstance(entry, float) else written(entry) for entry in value.reshape(-1).tolist()]
        return {"shape": list(value.shape), "entries": entries}
    if isinstance(value, str):
        return {"word": value}
    return written(value) if isinstance(value, Fraction) else value


def from_json(data: Any, name: str = "value") -> Any:
    """The value that `to_json` wrote; anything else is an error, never code."""
    if isinstance(data, str):
        return rational(data, name)
    if isinstance(data, (int, float)) and not isinstance(data, bool):
        return exact(data, name)
    if isinstance(data, dict):
        if isinstance(data.get("word"), str):
            return data["word"]
        if isinstance(data.get("list"), list):
            return tuple(from_json(entry, name) for entry in data["list"])
        if isinstance(data.get("record"), str):
            return _record_from_json(data, name)
        if "shape" in data and "entries" in data:
            return _array_from_json(data, name)
    raise Unreadable(f"{name}: cannot read {str(data)[:80]} as a value of a case")


def _record_from_json(data: dict[str, Any], name: str) -> Any:
    kind = _records.get(data["record"])
    if kind is None:
        raise Unreadable(
            f"{name}: unknown record type {data['record'][:40]!r}; known: {', '.join(sorted(_records)) or 'none'}"
        )
    wanted, given = {f.name for f in fields(kind)}, set(data) - {"record"}
    if wanted != given:
        raise Unreadable(f"{name}: a {data['record']} has the fields {sorted(wanted)}, got {sorted(given)}")
    values = {key: from_json(data[key], f"{name}.{key}") for key in sorted(wanted)}
    try:
        return kind(**values)
    except (AttributeError, IndexError, TypeError, ValueError) as error:  # a word where an array belongs
        raise Unreadable(f"{name}: no {data['record']} has these fields: {error}") from error


def _array_from_json(data: dict[str, Any], name: str) -> Array:
    shape, entries = data["shape"], data["entries"]
    good = (
        isinstance(shape, list)
        and len(shape) <= _MOST_AXES
        and all(type(s) is int and 0 <= s <= _LARGEST_FILE_ENTRY for s in shape)
    )
    if not good or not isinstance(entries, list) or int(np.prod(shape, dtype=object)) != len(entries):
        raise Unreadable(
            f"{name}: shape {str(shape)[:40]} does not fit {len(entries) if isinstance(entries, list) else '?'} entries"
        )
    floats = bool(entries) and all(isinstance(entry, float) for entry in entries)
    source = np.empty(len(entries), dtype=np.float64 if floats else object)
    for k, entry in enumerate(entries):
        source[k] = entry
    return exact_array(source.reshape(shape), name)


def show(value: Any) -> str:
    """A value as a person would write it on a blackboard."""
    if isinstance(value, np.ndarray):
        return "[" + ", ".join(show(entry) for entry in value) + "]" if value.ndim else show(value.item())
    if isinstance(value, tuple):
        return "(" + ", ".join(show(entry) for entry in value) + ")"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return written(value) if isinstance(value, Fraction) else str(value)


def _show_record(self: Any) -> str:
    inside = ", ".join(f"{each.name}={show(getattr(self, each.name))}" for each in fields(self))
    return f"{type(self).__name__}({inside})"
