"""Ways to change a case: small steps in its numbers, and leaps into degenerate corners."""

import math
from collections.abc import Callable, Collection
from fractions import Fraction

import numpy as np

from refute.errors import RefuteError
from refute.language.case import Case
from refute.search.coordinates import groups, numbers, with_numbers

Generator = np.random.Generator
Values = list[Fraction]
Groups = list[list[int]]

FINEST = 40  # bits after the point


def rounded(value: float, step: float) -> Fraction:
    """A dyadic number near `value`, no finer than the step needs: counterexamples should stay short."""
    bits = min(max(0, math.ceil(-math.log2(max(step, 1e-12))) + 3), FINEST)
    return Fraction(round(value * 2**bits), 2**bits)


def stepped(case: Case, fields: Collection[str], rng: Generator, step: float) -> Case | None:
    """Gaussian steps, relative to the size of each number, in one number, in a group, or in all."""
    values, found = numbers(case, fields), groups(case, fields)
    if not values:
        return None
    kind = rng.random()
    if kind < 0.4:
        places = [int(rng.integers(len(values)))]
    elif kind < 0.7 and found:
        places = found[int(rng.integers(len(found)))]
    else:
        places = list(range(len(values)))
    for place in places:
        value = float(values[place])
        change = step * max(abs(value), 0.1) * float(rng.standard_normal())
        values[place] = rounded(value + change, step * max(abs(value), 0.1))
    return _made(case, fields, values)


def leapt(case: Case, fields: Collection[str], rng: Generator) -> Case | None:
    """One leap into a corner."""
    values, found = numbers(case, fields), groups(case, fields)
    if not values:
        return None
    _CORNERS[int(rng.integers(len(_CORNERS)))](values, found, rng)
    return _made(case, fields, values)


def _made(case: Case, fields: Collection[str], values: Values) -> Case | None:
    try:
        return with_numbers(case, fields, values)
    except RefuteError:
        return None  # a record refused the number: a slope outside [0, 1], say


def _zero(values: Values, found: Groups, rng: Generator) -> None:
    for place in _some(values, found, rng):
        values[place] *= 0


def _scale(values: Values, found: Groups, rng: Generator) -> None:
    """Extreme ratios: one group ten, a thousand or a million times larger or smaller."""
    factor = Fraction(10) ** int(rng.choice([-6, -3, -1, 1, 3, 6]))
    for place in _some(values, found, rng):
        values[place] *= factor


def _negate(values: Values, found: Groups, rng: Generator) -> None:
    for place in _some(values, found, rng):
        values[place] = -values[place]


def _repeat(values: Values, found: Groups, rng: Generator) -> None:
    """One row becomes another, its antipode, or a multiple of it."""
    pair = _pair(found, rng)
    if pair:
        factor = Fraction(int(rng.choice([1, -1, 2, -2])))
        for source, target in zip(*pair, strict=True):
            values[target] = factor * values[source]


def _orthogonal(values: Values, found: Groups, rng: Generator) -> None:
    """One row is projected off another: a point on a hyperplane of a neuron, orthogonal inputs."""
    pair = _pair(found, rng)
    if pair:
        source, target = pair
        square = sum(values[k] * values[k] for k in source)
        if square:
            part = sum(values[a] * values[b] for a, b in zip(source, target, strict=True)) / square
            for a, b in zip(source, target, strict=True):
                values[b] -= part * values[a]


def _simplify(values: Values, found: Groups, rng: Generator) -> None:
    """Every number becomes the nearest half."""
    for k, value in enumerate(values):
        values[k] = Fraction(round(2 * value), 2)


_CORNERS: list[Callable[[Values, Groups, Generator], None]] = [_zero, _scale, _negate, _repeat, _orthogonal, _simplify]


def _some(values: Values, found: Groups, rng: Generator) -> list[int]:
    if found and rng.random() < 0.6:
        return found[int(rng.integers(len(found)))]
    return [int(rng.integers(len(values)))]


def _pair(found: Groups, rng: Generator) -> tuple[list[int], list[int]] | None:
    """Two different groups of one length."""
    rng_order = rng.permutation(len(found))
    for first in rng_order:
        partners = [
            k for k in rng_order if k != first and len(found[k]) == len(found[first]) and found[k] != found[first]
        ]
        if partners:
            return found[int(first)], found[int(partners[0])]
    return None
