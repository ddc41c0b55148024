"""Signed slack with an error bound: what a conclusion returns.

Negative means violated. A claim never compares with a tolerance: it says how large the numerical error may be (zero for
exact arithmetic, the radius for balls, the integrator's bound for a flow) and the engine decides.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from refute.arithmetic.enclosed import Enclosed, enclosed
from refute.arithmetic.numbers import Array, enclosure, lifted_like, rational, written
from refute.errors import BadClaim
from refute.functions import absolute, largest
from refute.language.bends import as_bent

# A weak inequality that touches its bound counts as met only if the error is below this part of the quantities
# compared.
RESOLUTION = Fraction(1, 10**6)


# The rounding of a comparison in float64: this part of what is compared, a thousand units in the last place.
ROUNDING = Fraction(1, 2**43)

UNKNOWN = 2.0**1000  # the bound of what is not known at all


class Decision(Enum):
    """AGAINST is evidence against a statement about a limit, which no finite run violates."""

    HOLDS = "holds"
    UNDECIDED = "undecided"
    AGAINST = "against"
    VIOLATED = "violated"


@dataclass(frozen=True, slots=True)
class Margin:
    """`value` is the signed slack, `error` a bound on its numerical error, `scale` the size of what was compared.

    `strict` says that slack zero is a violation already. `line` is the compared line with its numbers. `parts` are the
    slacks of all entries compared with their two sides: a search looks at each of them, so that a part that always
    touches does not mask another. `empty` says that nothing was compared: such a case is no evidence. `trend` is what
    `refute.language.limits` says of a limit, in place of the sign of the slack; `delay` says up to where it would have
    been against, had the run been shorter.
    """

    value: Fraction
    error: Fraction = Fraction(0)
    strict: bool = False
    scale: Fraction = Fraction(1)
    line: str = ""
    empty: bool = False
    parts: tuple[tuple[Array, Array, Array], ...] = field(default=(), compare=False, repr=False)
    trend: Decision | None = None
    delay: str = ""

    def __post_init__(self) -> None:
        if not self.error >= 0:  # NaN included
            raise BadClaim(f"a margin with the error {self.error}", "an error is a bound: zero or positive")
        if type(self.value) is not Fraction:
            object.__setattr__(self, "value", rational(self.value, "the slack of a margin"))
        if type(self.error) is not Fraction:
            bound = UNKNOWN if self.error == math.inf else self.error
            object.__setattr__(self, "error", rational(bound, "the error of a margin"))
        if self.trend is Decision.VIOLATED:
            raise BadClaim("a trend that is a violation", "a finite run speaks against a limit, it does not violate it")

    def __bool__(self) -> bool:
        raise TypeError("a margin is not true or false; look at `margin.decision`")

    def __reduce__(self) -> tuple[Any, ...]:
        """What travels between processes: the parts do not (balls cannot, and only a search looks at them)."""
        return Margin, (
            self.value,
            self.error,
            self.strict,
            self.scale,
            self.line,
            self.empty,
            (),
            self.trend,
            self.delay,
        )

    @property
    def decision(self) -> Decision:
        if self.trend is not None:
            return self.trend
        low, high = self.value - self.error, self.value + self.error
        if high < 0 or (self.strict and high == 0 == self.error):
            return Decision.VIOLATED
        if low > 0 or (low == 0 and not self.strict):
            return Decision.HOLDS
        if not self.strict and self.error <= RESOLUTION * self.scale:
            return Decision.HOLDS  # an equality case: met to within the error
        return Decision.UNDECIDED

    @property
    def certain(self) -> bool:
        """Holds whatever the error is. A ball that only touches its bound is taken for an equality, which proves
        nothing.
        """
        return self.decision is Decision.HOLDS and self.value - self.error >= 0

    @property
    def violated(self) -> bool:
        return self.decision is Decision.VIOLATED

    @property
    def against(self) -> bool:
        """Violated, or a trend against the statement."""
        return self.decision in (Decision.VIOLATED, Decision.AGAINST)

    def labelled(self, name: str) -> "Margin":
        return replace(self, line=f"{name}: {self.line}" if self.line else name)

    def __str__(self) -> str:
        error = f" +- {approximate(self.error):.2g}" if self.error else ""
        return f"{_short(self.value)}{error}"


def _short(value: Fraction) -> str:
    text = written(value)
    if len(text) <= 12:
        return text
    ordinary = Fraction(1, 10**300) < abs(value) < 10**300
    return f"{approximate(value):.6g}" if ordinary else f"{'-' if value < 0 else ''}1e{_log10(value)}"


def _log10(value: Fraction) -> int:
    """The power of ten next to |value|, give or take one."""
    return round((abs(value.numerator).bit_length() - value.denominator.bit_length()) * math.log10(2))


def approximate(value: Fraction) -> float:
    """The nearest float; infinite when too large for one."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _compare(slack_values: Any, left: Any, right: Any, strict: bool, error: Any, line: str) -> Margin:
    """The entry of `slack` that is nearest to failure, with the numbers that stand on both sides there."""
    if isinstance(slack_values, Enclosed):
        slack_values, error = slack_values.value, slack_values.error + _bounds(error)
    slack, a, b = np.asarray(slack_values), _middle(left), _middle(right)
    if slack.size == 0:
        return nothing(line)
    errors = np.broadcast_to(_bounds(error), slack.shape).reshape(-1)
    rounding, largest_side = (ROUNDING, _largest_side(a, b)) if slack.dtype.kind == "f" else (Fraction(0), Fraction(0))

    def entry(k: int) -> Margin:
        value, radius = enclosure(slack.reshape(-1)[k])
        scale = max(abs(enclosure(side.reshape(-1)[k])[0]) for side in (a, b))
        rounded = rounding * (largest_side if value < 0 else scale)
        stated = sum(enclosure(errors[k]), Fraction(0))
        return Margin(value, radius + stated + rounded, strict, max(scale, Fraction(1)))

    candidates = _candidates(slack.reshape(-1), errors)
    worst = min(candidates, key=lambda k: _nearness(entry(k))) if len(candidates) > 1 else candidates[0]
    where = f" at {tuple(int(i) for i in np.unravel_index(worst, slack.shape))}" if slack.size > 1 else ""
    sides = f"left {_side(a, worst)}, right {_side(b, worst)}{where}"
    return replace(entry(worst), line=f"{line}: {sides}" if line else sides, parts=((slack, a, b),))


def _middle(side: Any) -> Array:
    return side.value if isinstance(side, Enclosed) else np.asarray(side)


def _bounds(error: Any) -> Any:
    """The error that a claim states, a number or one for each entry, as a bound."""
    bounds = np.asarray(error)
    for bound in bounds.reshape(-1).tolist():
        if not (bound >= 0 if not isinstance(bound, arb) else not bound < 0):  # NaN included
            raise BadClaim(f"a comparison with the error {bound}", "an error is a bound: zero or positive")
    if bounds.dtype.kind == "f" and np.isinf(bounds).any():
        return np.where(np.isinf(bounds), UNKNOWN, bounds)
    return bounds


def _largest_side(left: Array, right: Array) -> Fraction:
    """The size of the largest number compared: a violation in float64 must stand out from its rounding."""
    return max(enclosure(float(np.abs(side.astype(float)).max()))[0] for side in (left, right))


def _candidates(slack: Array, errors: Array) -> Sequence[int]:
    """Where the worst entry can be: at the smallest number, but anywhere among balls, since a wide one may hide a
    violation.
    """
    if slack.dtype != object:
        odd = np.flatnonzero(~np.isfinite(slack))
        if odd.size:
            return [int(odd[0])]
        if errors.dtype == object:
            return range(len(slack)) if errors.any() else [int(np.argmin(slack))]
        return sorted({int(np.argmin(slack + errors)), int(np.argmin(slack - errors))})
    enclosed = [enclosure(value) for value in slack]
    if any(radius for _, radius in enclosed):
        return range(len(enclosed))
    return [min(range(len(enclosed)), key=lambda k: enclosed[k][0])]


_WORST_FIRST = (Decision.VIOLATED, Decision.AGAINST, Decision.UNDECIDED, Decision.HOLDS)


def _nearness(margin: Margin) -> tuple[int, Fraction]:
    """Violated parts first, then trends against, undecided ones, and those that hold; by slack
    relative to the scale.
    """
    return _WORST_FIRST.index(margin.decision), (margin.value + margin.error) / margin.scale


def _side(values: Array, index: int) -> str:
    return _short(enclosure(values.reshape(-1)[index])[0])


def nothing(line: str) -> Margin:
    """There is nothing to compare ("no neuron dies"): true of the case, and no evidence."""
    return Margin(Fraction(0), line=f"{line} (nothing to compare)", empty=True)


def _literal(side: Any, other: Any) -> Any:
    """A literal such as Fraction(1, 4) or 0.5 beside rationals or balls, in their arithmetic."""
    if isinstance(side, Fraction):
        return lifted_like(other, side)
    exact = isinstance(other, (fmpq, arb)) or (isinstance(other, np.ndarray) and other.dtype == object)
    return lifted_like(other, Fraction(side)) if exact and type(side) is float else side


def _related(left: Any, relation: str, right: Any, line: str, error: Any) -> Margin:
    """The margin of `left relation right`, or of what a mutant makes of it, in every entry; a list is an array."""
    left, right = (np.asarray(side) if isinstance(side, list) else side for side in (left, right))
    left, relation, right = as_bent(_literal(left, right), relation, _literal(right, left), line)
    left, right = _literal(left, right), _literal(right, left)  # a count times 99/100 is a literal again
    a: Any
    b: Any
    if isinstance(left, Enclosed) or isinstance(right, Enclosed):
        shape = np.broadcast_shapes(enclosed(left).shape, enclosed(right).shape)
        a, b = (enclosed(side).broadcast_to(shape) for side in (left, right))
    else:
        a, b = np.broadcast_arrays(np.asarray(left), np.asarray(right))
    match relation:
        case "=":
            return _compare(-absolute(a - b), a, b, False, error, line)
        case "!=":
            gap = np.asarray(largest(absolute(np.asarray(_middle(a) - _middle(b))))).reshape(1)
            doubt = largest(enclosed(a).error + enclosed(b).error) if isinstance(a, Enclosed) else 0
            return _compare(gap, gap, gap * 0, True, _bounds(error) + doubt, line)
        case "<=" | "<":
            return _compare(b - a, a, b, relation == "<", error, line)
    return _compare(a - b, a, b, relation == ">", error, line)


def equal(left: Any, right: Any, line: str = "", *, error: Any = 0) -> Margin:
    """left = right in every entry. Margin: minus the largest difference."""
    return _related(left, "=", right, line, error)


def at_most(left: Any, right: Any, line: str = "", *, error: Any = 0) -> Margin:
    """left <= right in every entry. Margin: the smallest right - left."""
    return _related(left, "<=", right, line, error)


def at_least(left: Any, right: Any, line: str = "", *, error: Any = 0) -> Margin:
    """left >= right in every entry."""
    return _related(left, ">=", right, line, error)


def less(left: Any, right: Any, line: str = "", *, error: Any = 0) -> Margin:
    """left < right in every entry (slack zero is a violation)."""
    return _related(left, "<", right, line, error)


def differs(left: Any, right: Any, line: str = "", *, error: Any = 0) -> Margin:
    """left != right in at least one entry. Margin: the largest difference, which must be positive."""
    return _related(left, "!=", right, line, error)


def all_of(*margins: Margin) -> Margin:
    """Every part must hold: the part that is nearest to failure speaks for all, an empty one only if all are."""
    worst = min(margins, key=lambda margin: (margin.empty, *_nearness(margin)), default=nothing("no part"))
    delay = worst.delay or next((margin.delay for margin in margins if margin.delay), "")
    return replace(worst, parts=tuple(part for margin in margins for part in margin.parts), delay=delay)


def any_of(*margins: Margin) -> Margin:
    """One part must hold: the best part speaks for all."""
    return max(margins, key=lambda m: (_WORST_FIRST.index(m.decision), m.value / m.scale))


def as_margin(result: Any, name: str) -> Margin:
    """What a conclusion returned, as a margin: a Margin, or a number or array that must be >= 0 everywhere."""
    if isinstance(result, Margin):
        return result
    advice = "return a signed slack: a number or an array (negative = violated), or equal(...), at_most(...), less(...)"
    if result is None:
        raise BadClaim(f"{name} returned nothing", advice)
    if isinstance(result, (bool, np.bool_)) or (isinstance(result, np.ndarray) and result.dtype == bool):
        raise BadClaim(f"{name} returned the bool {result}: a bool says nothing about how close the case came", advice)
    if isinstance(result, (str, bytes, dict, Iterable)) and not isinstance(result, (np.ndarray, list, tuple, Enclosed)):
        raise BadClaim(f"{name} returned {result!r} of type {type(result).__name__}", advice)
    if isinstance(result, Enclosed):
        return at_least(result, 0.0, "slack")
    values = np.asarray(result)
    if values.dtype.kind not in "iufO":
        raise BadClaim(f"{name} returned an array of type {values.dtype}", advice)
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        bad = values.reshape(-1)[~np.isfinite(values.reshape(-1))][0]
        raise BadClaim(
            f"{name} returned {bad}",
            "find the division by zero or the overflow, or declare an assumption that excludes it",
        )
    return at_least(values, values * 0, "slack")
