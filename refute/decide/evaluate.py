"""Evaluate assumptions and conclusion on one case, in the arithmetic that can decide them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from inspect import Parameter
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from flint import ctx

from refute.arithmetic.numbers import EXACT, FLOAT, Arithmetic, balls
from refute.decide.confirmation import CERTIFIED, CONFIRMED, CONTRADICTED, REPEATED, asked, confirming
from refute.decide.effort import Run
from refute.decide.pulse import JUDGING, tell
from refute.decide.verdict import Counterexample
from refute.errors import BadClaim, BadInput, Inexact, RefuteError, SignUnknown, missing
from refute.language.assumption import Assumption, parameters
from refute.language.bends import Bend, Side, bending
from refute.language.case import Case
from refute.language.claim import INJECTED, Claim, liftable
from refute.language.derived import Derived, kept
from refute.language.kind import Kind
from refute.language.place import where_raised
from refute.language.premise import PremiseUnmet
from refute.language.relations import Decision, Margin, as_margin

FIRST_BITS = 192
MOST_BITS = 3072
FINE_ENOUGH = Fraction(1, 10**420)  # a weak inequality that touches in a ball this thin is taken for an equality
TOLERANCE = 1e-10
CONFIRMING_TOLERANCE = 1e-12
TRAINED = Fraction(1, 10**9)  # of what an experiment compares: how far it is trusted at most
STREAM = 0  # of the random numbers that a case fixes: neither a run nor a file can choose others
IN_FLOATS = "float64"
ON_ENCLOSED = f"{IN_FLOATS}, on trajectories enclosed in balls"


@dataclass(frozen=True, slots=True)
class _Said:
    """A case, and the assumptions that it meets, in the order in which they were asked."""

    case: Case
    assumptions: tuple[tuple[Assumption, Margin], ...]


@dataclass(frozen=True, slots=True)
class Unmet(_Said):
    """The first assumption that the case does not meet."""

    assumption: Assumption
    slack: Margin


@dataclass(frozen=True, slots=True)
class Idle(_Said):
    """A premise of the conclusion does not hold, so that nothing is said about the case."""

    premise: str


@dataclass(frozen=True, slots=True)
class Judged(_Said):
    """The margin of the conclusion on a case that meets every assumption, and what it rests on."""

    margin: Margin
    level: str
    arithmetic: str

    @property
    def against(self) -> bool:
        """Whether the case violates the claim, or is evidence against it."""
        return self.margin.against

    def counterexample(self, claim: Claim) -> Counterexample:
        """The case as it is reported."""
        assumptions = tuple((assumption.text, margin) for assumption, margin in self.assumptions)
        return Counterexample(claim.id, self.case, assumptions, self.margin, self.level, self.arithmetic)


Judgement = Unmet | Idle | Judged  # what one case says


def speaks_against(judgement: Judgement) -> TypeGuard[Judged]:
    """Whether the case meets every assumption and violates the claim, or is evidence against it."""
    return isinstance(judgement, Judged) and judgement.against


@dataclass(frozen=True, slots=True)
class Setting:
    """What a function is evaluated with besides the case: what the engine injects, constants, and
    what a mutant changes.
    """

    extra: Mapping[str, Any]
    derived: Mapping[str, Derived] = field(default_factory=dict)
    changes: Mapping[str, Side] = field(default_factory=dict)
    bends: tuple[Bend, ...] = ()

    @classmethod
    def of(cls, claim: Claim, case: Case, run: Run, tolerance: float) -> "Setting":
        extra = {**claim.constants, "tolerance": tolerance, "trials": run.profile.trials, "device": run.device}
        if any(parameter.name == "rng" for parameter in parameters(claim.conclusion)):
            extra["rng"] = np.random.default_rng([STREAM, *bytes.fromhex(case.digest())])
        return cls(extra, {quantity.name: quantity for quantity in claim.derived}, claim.changes, claim.bends)


@dataclass(slots=True)
class _Arguments:
    """The arguments of the conclusion on one case, in one arithmetic."""

    case: Case
    arithmetic: Arithmetic
    setting: Setting

    def of(self, function: Callable[..., Any], name: str) -> dict[str, Any]:
        return {p.name: self._changed(p.name, self._value(p, name)) for p in parameters(function)}

    def _changed(self, name: str, value: Any) -> Any:
        change = self.setting.changes.get(name)
        return value if change is None else change(value)

    def _value(self, parameter: Parameter, name: str) -> Any:
        wanted, extra = parameter.name, self.setting.extra
        if wanted in self.case and parameter.kind is parameter.KEYWORD_ONLY:
            raise BadClaim(
                f"{name} has a constant {wanted!r}, and so has the case a field",
                "a constant and a field need different names",
            )
        if wanted in self.case:
            return self.case.lifted(wanted, self.arithmetic)
        if wanted in self.setting.derived:
            return self._derived(self.setting.derived[wanted], name)
        if wanted in extra:
            given = deepcopy(extra["rng"]) if wanted == "rng" else extra[wanted]  # one stream for every arithmetic
        elif parameter.default is not parameter.empty:
            given = parameter.default
        else:
            raise BadClaim(
                f"{name} needs {wanted!r}, but the case has {sorted(self.case) or 'no fields'}",
                f"name the parameters like the fields of `given` or `derived`, or use one of {', '.join(INJECTED)}",
            )
        return self.arithmetic.scalar(given) if liftable(given) else given

    def _derived(self, quantity: Derived, name: str) -> Any:
        """Computed once for all claims that ask for it, except while integrators are asked for a second opinion."""

        def compute() -> Any:
            own = _Arguments(self.case, self.arithmetic, Setting(effort, self.setting.derived))
            return quantity.function(**own.of(quantity.function, f"{quantity.name}(), derived for {name},"))

        effort = {key: self.setting.extra[key] for key in ("tolerance", "device") if key in self.setting.extra}
        if asked():
            return compute()
        arithmetic = (self.arithmetic.name, self.arithmetic.bits)
        return kept.get((quantity, self.case.digest(), *arithmetic, *effort.values()), compute)


def _call(function: Callable[..., Any], case: Case, arithmetic: Arithmetic, setting: Setting, name: str) -> Margin:
    try:
        with np.errstate(all="ignore"):
            values = _Arguments(case, arithmetic, setting).of(function, name)
            if not setting.bends:
                return as_margin(function(**values), name)
            with bending(setting.bends) as now:
                margin = as_margin(function(**values), name)
            unmet = [bend.line for bend in setting.bends if not any(line.startswith(bend.line) for line in now.met)]
            if unmet and now.met:
                raise BadClaim(
                    f"{name} has no line {unmet[0]!r} to bend",
                    f"its lines are {', '.join(sorted(repr(line) for line in now.met))}",
                )
            return margin
    except (Inexact, SignUnknown, RefuteError):
        raise
    except Exception as error:
        if lacking := missing(error):
            raise lacking from error
        code = getattr(function, "__code__", None)
        where = where_raised(error, Path(code.co_filename).resolve() if code else None)
        raise BadClaim(f"{name} raised {type(error).__name__}: {error}{where}", _remedy(error)) from error


def _remedy(error: Exception) -> str:
    if isinstance(error, TypeError) and "flint" in str(error):
        return (
            "numbers are exact here: write x / 2 instead of 0.5 * x, or `*, factor=Fraction(1, 2)` as "
            "a parameter of the conclusion"
        )
    return "mend the predicate, or declare an assumption that excludes the case"


def _fine(margin: Margin) -> bool:
    """Whether more bits would change nothing."""
    if margin.decision is Decision.UNDECIDED:
        return False
    return (
        margin.against
        or margin.trend is not None
        or margin.value - margin.error > 0
        or margin.error <= FINE_ENOUGH * margin.scale
    )


def evaluate_exactly(function: Callable[..., Any], case: Case, setting: Setting, name: str) -> tuple[Margin, str]:
    """In rationals if every step is rational, else in balls whose precision doubles until the sign is known."""
    try:
        return _call(function, case, EXACT, setting, name), "rationals"
    except Inexact:
        pass
    bits, margin = FIRST_BITS, None
    while bits <= MOST_BITS:
        try:
            with ctx.workprec(bits):
                margin = _call(function, case, balls(bits), setting, name)
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


def evaluate_in_floats(claim: Claim, case: Case, run: Run, tolerance: float) -> Margin:
    margin = _call(claim.conclusion, case, FLOAT, Setting.of(claim, case, run, tolerance), f"{claim.name}()")
    return _trusted(margin) if claim.kind is Kind.EXPERIMENT else margin


def _trusted(margin: Margin) -> Margin:
    """Training carries the order in which a processor adds up its sums into the last digits of what it ends in; counts
    have none.
    """
    return margin if margin.value.denominator == 1 else replace(margin, error=max(margin.error, TRAINED * margin.scale))


def _evaluate_rigorously(claim: Claim, case: Case, run: Run) -> tuple[Margin, str, str]:
    margin, arithmetic = evaluate_exactly(
        claim.conclusion, case, Setting.of(claim, case, run, TOLERANCE), f"{claim.name}()"
    )
    return margin, "exact" if arithmetic == "rationals" else CERTIFIED, arithmetic


def _takes_tolerance(claim: Claim, function: Callable[..., Any]) -> bool:
    """Whether a tighter tolerance would change anything, also through what the conclusion is derived from."""
    wanted = {parameter.name for parameter in parameters(function)}
    through = [quantity for quantity in claim.derived if quantity.name in wanted]
    return "tolerance" in wanted or any(_takes_tolerance(claim, quantity.function) for quantity in through)


def evaluate_conclusion(claim: Claim, case: Case, run: Run, certify: bool = False) -> tuple[Margin, str, str]:
    """Margin, level and arithmetic. A violation seen in float64 counts only if it survives a tighter tolerance, where
    there is one.

    To certify it is to evaluate the conclusion in balls where it can be: what they decide, for or against, stands. Else
    the integrators are asked for a second method and for an enclosure besides. Where two methods contradict each other
    nothing is decided.
    """
    if claim.kind.exact:
        return _evaluate_rigorously(claim, case, run)
    margin = evaluate_in_floats(claim, case, run, TOLERANCE)
    if certify and claim.in_balls:
        with suppress(BadInput):  # a model that cannot enclose what it is asked for
            rigorous = _evaluate_rigorously(claim, case, run)
            if rigorous[0].decision is not Decision.UNDECIDED:
                return rigorous
    tightens = _takes_tolerance(claim, claim.conclusion)
    if margin.decision is Decision.HOLDS or not (tightens or (certify and margin.against)):
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
    trend = None if margin.trend is None else Decision.UNDECIDED
    return replace(margin, error=margin.error + abs(margin.value) + margin.scale, line=line, trend=trend)


def evaluate_assumption(assumption: Assumption, case: Case) -> Margin:
    """Once for every case, which many claims may share."""

    def compute() -> Margin:
        return evaluate_exactly(assumption.margin, case, Setting({}), f'the assumption "{assumption.text}"')[0]

    return case.once(assumption, compute)


def examined(claim: Claim, case: Case) -> Iterator[tuple[Assumption, Margin]]:
    """The assumptions one after the other, up to the first that is not met."""
    for assumption in claim.assumes:
        margin = evaluate_assumption(assumption, case)
        yield assumption, margin
        if margin.decision is not Decision.HOLDS:
            return


def admissible(claim: Claim, case: Case) -> bool:
    """Whether the case meets every assumption."""
    return all(margin.decision is Decision.HOLDS for _, margin in examined(claim, case))


def judge(claim: Claim, case: Case, run: Run, certify: bool = False) -> Judgement:
    """Check every assumption exactly, then the conclusion; stop at the first assumption that is not met."""
    tell(JUDGING, case)
    met = tuple(examined(claim, case))
    if met and met[-1][1].decision is not Decision.HOLDS:
        return Unmet(case, met[:-1], *met[-1])
    try:
        margin, level, arithmetic = evaluate_conclusion(claim, case, run, certify)
    except PremiseUnmet as unmet:
        return Idle(case, met, unmet.message)
    if margin.empty:
        return Idle(case, met, margin.line)
    return Judged(case, met, margin, level, arithmetic)


def judge_firmly(claim: Claim, case: Case, run: Run) -> Judgement:
    """The judgement; what one float method holds against the claim is decided at once by all the others that there are,
    for or against.
    """
    found = judge(claim, case, run)
    alarm = speaks_against(found) and run.certify and not claim.kind.exact
    return judge(claim, case, run, certify=True) if alarm else found
