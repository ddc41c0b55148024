"""Proofs for whole domains: SMT (z3) over the reals and interval subdivision in ball arithmetic."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

BITS = 128
MOST_BOXES = 100_000


def by_smt(statement: Callable[[], Any], meaning: str = "", *, seconds: float = 20) -> str | None:
    """The statement holds for all reals when z3 shows that its negation has no model. The method names what z3 was
    asked; `meaning` says what that is of the claim.
    """
    import z3

    asked, solver = statement(), z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    solver.add(z3.Not(asked))
    if solver.check() != z3.unsat:
        return None
    found = f"the negation of {' '.join(str(asked).split())} has no model over the reals"
    return f"z3: {meaning} ({found})" if meaning else f"z3: {found}"


def in_words(step: str) -> str:
    """A step of a proof that nothing computes."""
    return f"in words: {step}"


def by_subdivision(slack: Callable[[arb], arb], low: Fraction, high: Fraction, meaning: str = "") -> str | None:
    """slack(x) > 0 for every x in [low, high]: the interval is halved until every ball of values is positive. `meaning`
    says what is positive.
    """
    with ctx.workprec(BITS):
        pending = [(low, high)]
        boxes = 0
        while pending:
            a, b = pending.pop()
            boxes += 1
            if boxes > MOST_BOXES:
                return None
            if slack(_ball(a, b)) > 0:
                continue
            middle = (a + b) / 2
            if slack(_ball(middle, middle)) <= 0:
                return None
            pending += [(a, middle), (middle, b)]
    covered = f"{boxes} interval{'s' * (boxes > 1)} cover{'s' * (boxes == 1)} [{low}, {high}]"
    return f"ball arithmetic: {meaning} ({covered})" if meaning else f"ball arithmetic: {covered}"


def steps(*methods: str | None) -> str | None:
    """All steps of a proof, or None when one of them fails."""
    return "; ".join(method for method in methods if method) if all(methods) else None


def _ball(low: Fraction, high: Fraction) -> arb:
    return arb(fmpq(low.numerator, low.denominator)).union(arb(fmpq(high.numerator, high.denominator)))
