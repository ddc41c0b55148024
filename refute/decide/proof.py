"""Proofs for whole domains: SMT (z3) over the reals and interval subdivision in ball arithmetic."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

BITS = 128
MOST_BOXES = 100_000


def by_smt(statement: Callable[[], Any], seconds: float = 20) -> str | None:
    """The statement holds for all reals when z3 shows that its negation has no model."""
    import z3

    solver = z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    solver.add(z3.Not(statement()))
    return "z3: the negation has no model over the reals" if solver.check() == z3.unsat else None


def by_subdivision(slack: Callable[[arb], arb], low: Fraction, high: Fraction) -> str | None:
    """slack(x) > 0 for every x in [low, high]: the interval is halved until every ball of values is positive."""
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
    return f"ball arithmetic: {boxes} intervals cover [{low}, {high}]"


def steps(*methods: str | None) -> str | None:
    """All steps of a proof, or None when one of them fails."""
    return "; ".join(method for method in methods if method) if all(methods) else None


def _ball(low: Fraction, high: Fraction) -> arb:
    return arb(fmpq(low.numerator, low.denominator)).union(arb(fmpq(high.numerator, high.denominator)))
