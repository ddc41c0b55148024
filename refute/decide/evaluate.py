"""Evaluate assumptions and conclusion on one case, in the arithmetic that can decide them."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from flint import ctx

from refute.arithmetic.numbers import EXACT, FLOAT, Arithmetic, balls
from refute.decide.confirmation import CERTIFIED, CONFIRMED, CONTRADICTED, REPEATED, confirming
from refute.decide.effort import Run
from refute.errors import BadClaim, BadInput, Inexact, RefuteError, SignUnknown
from refute.language.assumption import Assumption, parameters
from refute.language.case import Case
from refute.language.claim import INJECTED, Claim, liftable
from refute.language.place import where_raised
from refute.language.premise import PremiseUnmet
from refute.language.relations import Decision, Margin, as_margin

FIRST_BITS = 192
MOST_BITS = 3072
FINE_ENOUGH = Fraction(1, 10**420)  # a weak inequality that touches in a ball this thin is taken for an equality
TOLERANCE = 1e-10
CONFIRMING_TOLERANCE = 1e-12
IN_FLOATS = "float64"
ON_ENCLOSED = f"{IN_FLOATS}, on trajectories enclosed in balls"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one case says: the first unmet assumption, the premise that does not hold, or the margin
    of the conclusion.
    """

    case: Case
    assumptions: tuple[tuple[Assumption, Margin], ...]
    unmet: tuple[Assumption, Margin] | None
    margin: Margin | None = None
    level: str = ""
    arithmetic: str = ""
    premise: str = ""


def _call(
    function: Callable[..., Any], case: Case, arithmetic: Arithmetic, extra: Mapping[str, Any], name: str
) -> Margin:
    values: dict[str, Any] = {}
    for parameter in parameters(function):
        if parameter.name in case and parameter.kind is parameter.KEYWORD_ONLY:
            raise BadClaim(
                f"{name} has a constant {parameter.name!r}, and so has the case a field",
                "a constant and a field need different names",
            )
        if parameter.name in case:
            values[parameter.name] = case.lifted(parameter.name, arithmetic)
        elif parameter.name in extra:
            given = (
                deepcopy(extra["rng"]) if parameter.name == "rng" else extra[parameter.name]
            )  # every arithmetic sees the same stream
            values[parameter.name] = arithmetic.scalar(given) if liftable(given) else given
        elif parameter.default is not parameter.empty:
            values[parameter.name] = (
                arithmetic.scalar(parameter.default) if liftable(parameter.default) else parameter.default
            )
        else:
            raise BadClaim(
                f"{name} needs {parameter.name!r}, but the case has {sorted(case) or 'no fields'}",
                f"name the parameters like the fields of `given`, or use one of {', '.join(INJECTED)}",
            )
    try:
        with np.errstate(all="ignore"):
            return as_margin(function(**values), name)
    except (Inexact, SignUnknown, RefuteError):
        raise
    except Exception as error:
        code = getattr(function, "__code__", None)
        where = where_raised(error, Path(code.co_filename).resolve() if code else None)
        raise BadClaim(f"{name} raised {type(error).__name__}: {error}{where}", _remedy(error)) from error


def _remedy(error: Exception) -> str:
    if isinstance(error, TypeError) and "flint" in str(error):
        return "numbers are exact here: write x / 2 instead of 0.5 * x, or `*, factor=Fraction(1, 2)` as a parameter of the conclusion"
    return "mend the predicate, or declare an assumption that excludes the case"


def _fine(margin: Margin) -> bool:
    """Whether more bits would change nothing."""
    if margin.decision is Decision.UNDECIDED:
        return False
    return margin.violated or margin.value - margin.error > 0 or margin.error <= FINE_ENOUGH * margin.scale


def evaluate_exactly(
    function: Callable[..., Any], case: Case, extra: Mapping[str, Any], name: str
) -> tuple[Margin, str]:
    """In rationals if every step is rational, else in balls whose precision doubles until the sign is known."""
    try:
        return _call(function, case, EXACT, extra, name), "rationals"
    except Inexact:
        pass
    bits, margin = FIRST_BITS, None
    while bits <= MOST_BITS:
        try:
            with ctx.workprec(bits):
                margin = _call(function, case, balls(bits), extra, name)
        except SignUnknown:
            margin = None
        if margin is not None and _fine(margin):
            break
        bits *= 2
    if margin is None:
        return Margin(
            Fraction(0), Fraction(1), strict=True, line="a sign is unknown at the highest precision"
        ), f"balls, {MOST_BITS} bits"
    return margin, f"balls, {min(bits, MOST_BITS)} bits"


def _injected(claim: Claim, case: Case, run: Run, tolerance: float) -> dict[str, Any]:
    given = {**claim.constants, "tolerance": tolerance, "trials": run.profile.trials, "device": run.device}
    if any(parameter.name == "rng" for parameter in parameters(claim.conclusion)):
        given["rng"] = np.random.default_rng([run.seed, *bytes.fromhex(case.digest())])
    return given


def evaluate_in_floats(claim: Claim, case: Case, run: Run, tolerance: float) -> Margin:
    return _call(claim.conclusion, case, FLOAT, _injected(claim, case, run, tolerance), f"{claim.name}()")


def _evaluate_rigorously(claim: Claim, case: Case, run: Run) -> tuple[Margin, str, str]:
    margin, arithmetic = evaluate_exactly(
        claim.conclusion, case, _injected(claim, case, run, TOLERANCE), f"{claim.name}()"
    )
    return margin, "exact" if arithmetic == "rationals" else CERTIFIED, arithmetic


def evaluate_conclusion(claim: Claim, case: Case, run: Run, certify: bool = False) -> tuple[Margin, str, str]:
    """Margin, level and arithmetic. A violation seen in float64 counts only if it survives a tighter tolerance, where
    there is one.

    To certify it is to evaluate the conclusion in balls where it can be, or else to ask the integrators for a second
    method and for an enclosure besides. Where the two methods contradict each other nothing is decided.
    """
    if claim.kind.exact:
        return _evaluate_rigorously(claim, case, run)
    margin = evaluate_in_floats(claim, case, run, TOLERANCE)
    if certify and claim.in_balls and margin.violated:
        with suppress(BadInput):  # a model that cannot enclose what it is asked for
            rigorous = _evaluate_rigorously(claim, case, run)
            if rigorous[0].violated:
                return rigorous
    tightens = any(p.name == "tolerance" for p in parameters(claim.conclusion))
    if margin.decision is Decision.HOLDS or not (tightens or (certify and margin.violated)):
        return margin, REPEATED, IN_FLOATS
    if not certify:
        return evaluate_in_floats(claim, case, run, CONFIRMING_TOLERANCE), REPEATED, IN_FLOATS
    with confirming() as opinions:
        margin = evaluate_in_floats(claim, case, run, CONFIRMING_TOLERANCE)
    if opinions.level == CONTRADICTED:
        return _disputed(margin, opinions.disputes[0]), CONTRADICTED, IN_FLOATS
    if opinions.level != CERTIFIED:
        return margin, opinions.level, IN_FLOATS
    return (margin, CERTIFIED, ON_ENCLOSED) if case.dyadic() else (margin, CONFIRMED, IN_FLOATS)


def _disputed(margin: Margin, dispute: str) -> Margin:
    """The margin with an error that swallows it."""
    line = f"{dispute}; {margin.line}" if margin.line else dispute
    return replace(margin, error=margin.error + abs(margin.value) + margin.scale, line=line)


def evaluate_assumption(assumption: Assumption, case: Case) -> Margin:
    return evaluate_exactly(assumption.margin, case, {}, f'the assumption "{assumption.text}"')[0]


def judge(claim: Claim, case: Case, run: Run, certify: bool = False) -> Judgement:
    """Check every assumption exactly, then the conclusion; stop at the first assumption that is not met."""
    met: list[tuple[Assumption, Margin]] = []
    for assumption in claim.assumes:
        margin = evaluate_assumption(assumption, case)
        if margin.decision is not Decision.HOLDS:
            return Judgement(case, tuple(met), (assumption, margin))
        met.append((assumption, margin))
    try:
        margin, level, arithmetic = evaluate_conclusion(claim, case, run, certify)
    except PremiseUnmet as unmet:
        return Judgement(case, tuple(met), None, premise=unmet.message)
    if margin.empty:
        return Judgement(case, tuple(met), None, premise=margin.line)
    return Judgement(case, tuple(met), None, margin, level, arithmetic)
