"""Wrong versions of a claim, made from the claim itself: constants moved, the inequality turned round or made strict,
assumptions dropped.

Declared mutants must be refuted; generated ones are a stricter question. A survivor is a claim without teeth there, or
a statement that happens to be true as well: strict where equality is never reached, an assumption that is not needed.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from refute.language.assumption import parameters
from refute.language.claim import INJECTED, Claim
from refute.language.denial import turned, with_margin
from refute.language.kind import Kind
from refute.language.mutants import Mutant, moved, without

FACTORS = (Fraction(2), Fraction(1, 2), Fraction(11, 10), Fraction(9, 10))


def constants(claim: Claim) -> dict[str, Any]:
    """The numbers of the statement: keyword-only parameters, with their values."""
    found = {
        p.name: claim.constants.get(p.name, p.default) for p in parameters(claim.conclusion) if p.kind is p.KEYWORD_ONLY
    }
    return {
        name: value
        for name, value in found.items()
        if name not in INJECTED
        and isinstance(value, (int, float, Fraction))
        and not isinstance(value, bool)
        and value != 0
    }


def scaled(value: Any, factor: Fraction) -> Any:
    """`factor` times the value, of the value's own type; None where an integer would not stay one."""
    if isinstance(value, int):
        return int(value * factor) if (value * factor).denominator == 1 else None
    return type(value)(value * factor) if isinstance(value, Fraction) else float(value) * float(factor)


def generated(claim: Claim) -> Iterator[Mutant]:
    """Every generic wrong version of the claim."""
    if claim.kind is Kind.SYMBOLIC:
        return
    for name, value in constants(claim).items():
        for factor in FACTORS:
            changed = scaled(value, factor)
            if changed is not None:
                yield moved(f"{name} = {changed} instead of {value}", **{name: changed})
        if isinstance(value, int):
            yield moved(f"{name} = {value + 1} instead of {value}", **{name: value + 1})
    yield Mutant("turned round", conclusion=with_margin(claim.conclusion, turned))
    yield Mutant(
        "made strict", conclusion=with_margin(claim.conclusion, lambda margin: replace(margin, strict=True, parts=()))
    )
    for assumption in claim.assumes:
        if assumption.violate is not None:
            yield without(assumption)
