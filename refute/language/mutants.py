"""Wrong statements: what the same predicate must be able to tell from the right one.

A mutant bends a line of the conclusion, `scaled("1/2", "|w|")`, or changes what the conclusion is given; the text of
the conclusion does not know of it. A line is named by its beginning; without a name every line is bent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import isfunction
from typing import Any

from refute.arithmetic.numbers import lifted_like
from refute.errors import BadClaim
from refute.functions import to_power
from refute.language.assumption import Assumption
from refute.language.bends import DENIED, STRICT, Bend, Side


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong statement that the same predicate must be able to tell from the right one.

    `bends` act on lines of the conclusion, `constants` replaces constants of the statement, `changes` acts on a field
    or a derived quantity before the conclusion sees it, `without` drops (and violates) an assumption; `conclusion`
    replaces it all.
    """

    name: str
    constants: Mapping[str, Any] = field(default_factory=dict)
    without: Assumption | None = None
    conclusion: Callable[..., Any] | None = None
    bends: tuple[Bend, ...] = ()
    changes: Mapping[str, Side] = field(default_factory=dict)

    def called(self, name: str) -> "Mutant":
        """The same mutant with words of its own."""
        return replace(self, name=name)


@dataclass(frozen=True, slots=True)
class Tested:
    """A conclusion and the wrong versions of it that must fall: what `@mutants(...)` hands to the claim above it."""

    conclusion: Callable[..., Any]
    mutants: tuple[Mutant, ...]


def mutants(*wrong: Mutant) -> Callable[[Callable[..., Any]], Tested]:
    """The wrong versions of a conclusion, each of which must be refuted; stands below `@claim`.

    @claim("notes.square", given=sized(x=number()), recorded="supported")
    @mutants(scaled("101/100"), strict())
    def squares_are_not_negative(x): ...
    """

    def tested(conclusion: Callable[..., Any]) -> Tested:
        if not isfunction(conclusion):
            name = getattr(conclusion, "id", conclusion)
            raise BadClaim(f"@mutants stands above the claim {name}", "write it below @claim, beside the function")
        return Tested(conclusion, wrong)

    return tested


def moved(name: str, /, **constants: Any) -> Mutant:
    """Constants of the statement are moved."""
    return Mutant(name, constants=constants)


def without(assumption: Assumption) -> Mutant:
    """One assumption is dropped."""
    return Mutant(f'without "{assumption.text}"', without=assumption)


def instead(name: str, conclusion: Callable[..., Any]) -> Mutant:
    """Another statement altogether."""
    return Mutant(name, conclusion=conclusion)


def changed(name: str, /, **changes: Side) -> Mutant:
    """The conclusion is given something else: `changed("of -w", net=lambda net: net.scaled(-1))`."""
    return Mutant(name, changes=changes)


def _about(line: str) -> str:
    return f"{line}: " if line else ""


def _number(value: Fraction | int | str | float) -> Fraction:
    return Fraction(value)


def scaled(factor: Fraction | int | str | float, line: str = "") -> Mutant:
    """The right side (the bound, the law) times a factor."""
    number = _number(factor)
    bend = Bend(line, right=lambda right: right * lifted_like(right, number))
    return Mutant(f"{_about(line)}the right side times {number}", bends=(bend,))


def shifted(by: Fraction | int | str | float, line: str = "") -> Mutant:
    """The right side plus a number."""
    number = _number(by)
    bend = Bend(line, right=lambda right: right + lifted_like(right, number))
    return Mutant(f"{_about(line)}the right side plus {number}", bends=(bend,))


def exponent(power: Fraction | int | str | float, line: str = "") -> Mutant:
    """The right side to a power."""
    number = _number(power)
    whole = int(number) if number.denominator == 1 else None

    def raised(right: Any) -> Any:
        return to_power(right, whole if whole is not None else lifted_like(right, number))

    return Mutant(f"{_about(line)}the right side to the power {number}", bends=(Bend(line, right=raised),))


def strict(line: str = "") -> Mutant:
    """< in place of <=."""
    return Mutant(f"{_about(line)}strict", bends=(Bend(line, relation=STRICT),))


def flipped(line: str = "") -> Mutant:
    """The relation denied: > in place of <=, >= in place of <."""
    return Mutant(f"{_about(line)}turned round", bends=(Bend(line, relation=DENIED),))


def bent(name: str, line: str = "", *, left: Side | None = None, right: Side | None = None) -> Mutant:
    """A function of a side in its place: `bent("without the root", "|w|", right=lambda bound: bound**2)`."""
    return Mutant(name, bends=(Bend(line, left=left, right=right),))
