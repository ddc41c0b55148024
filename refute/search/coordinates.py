"""The rational numbers inside a case as one list, and a case with other numbers in their places."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields as parts_of
from fractions import Fraction
from typing import Any

import numpy as np

from refute.arithmetic.numbers import rational
from refute.language.case import Case, is_record

Layout = tuple[tuple[str, tuple[int, ...]], ...]


def numbers(case: Case, fields: Collection[str]) -> list[Fraction]:
    """Every rational in the given fields, in a fixed order. Counts and words are not numbers."""
    return [number for name, value in case.items() if name in fields for number in _read(value)]


def with_numbers(case: Case, fields: Collection[str], values: Sequence[Fraction]) -> Case:
    """The same case with these numbers; records validate themselves again, so an inadmissible number is an error."""
    supply = iter(values)
    return Case.of(**{name: _write(value, supply) if name in fields else value for name, value in case.items()})


def groups(case: Case, fields: Collection[str]) -> list[list[int]]:
    """Positions that belong together: each array, and each row of an array with rows."""
    found: list[list[int]] = []
    position = 0
    for array_or_number in (leaf for name, value in case.items() if name in fields for _, leaf in _leaves(value, name)):
        if not isinstance(array_or_number, np.ndarray):
            position += 1
            continue
        places = (position + np.arange(array_or_number.size)).reshape(array_or_number.shape)
        position += array_or_number.size
        found.append(places.reshape(-1).tolist())
        if places.ndim > 1:
            found += places.reshape(-1, places.shape[-1]).tolist()
    return [group for group in found if group]


def shape(case: Case) -> str:
    """The sizes in a case, as a word."""
    leaves = (leaf for name, value in case.items() for _, leaf in _leaves(value, name))
    return " ".join(str(leaf.shape) if isinstance(leaf, np.ndarray) else "." for leaf in leaves)


def layout(case: Case, fields: Collection[str]) -> Layout:
    """The name and the shape of each number (it has no axes) and each array in the given fields, in the order of
    `numbers`.
    """
    leaves = ((name, leaf) for field, value in case.items() if field in fields for name, leaf in _leaves(value, field))
    return tuple((name, leaf.shape if isinstance(leaf, np.ndarray) else ()) for name, leaf in leaves)


def _varying(value: Any) -> list[str]:
    """The parts of a record that are numbers to move; a record names those that are not (signs, say) in DISCRETE."""
    return [each.name for each in parts_of(value) if each.name not in getattr(value, "DISCRETE", ())]


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers and arrays inside a value, each with its name: net.inner, rows[2]."""
    if is_record(value):
        for part in _varying(value):
            yield from _leaves(getattr(value, part), f"{name}.{part}")
    elif isinstance(value, tuple):
        for k, entry in enumerate(value):
            yield from _leaves(entry, f"{name}[{k}]")
    elif isinstance(value, (Fraction, float, np.ndarray)):
        yield name, value


def _read(value: Any) -> Iterator[Fraction]:
    for _, leaf in _leaves(value):
        if isinstance(leaf, np.ndarray):
            yield from (rational(entry) for entry in leaf.reshape(-1).tolist())
        else:
            yield rational(leaf)


def _write(value: Any, supply: Iterator[Fraction]) -> Any:
    if is_record(value):
        kept = {each.name: getattr(value, each.name) for each in parts_of(value)}
        return type(value)(**kept | {name: _write(kept[name], supply) for name in _varying(value)})
    if isinstance(value, tuple):
        return tuple(_write(entry, supply) for entry in value)
    if isinstance(value, np.ndarray):
        entries = [next(supply) for _ in range(value.size)]
        if value.dtype == np.float64:
            return np.array([float(entry) for entry in entries]).reshape(value.shape)
        filled = np.empty(value.size, dtype=object)
        filled[:] = entries
        return filled.reshape(value.shape)
    if isinstance(value, (Fraction, float)):
        return next(supply)
    return value
