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

from refute.arithmetic.numbers import Array, Number, enclosure, written
from refute.errors import BadClaim
from refute.functions import absolute, largest

# A weak inequality that touches its bound counts as met only if the error is below this part of the quantities
# compared.
RESOLUTION = Fraction(1, 10**6)


# The rounding of a comparison in float64: this part of what is compared, a thousand units in the last place.
ROUNDING = Fraction(1, 2**43)


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


def _compare(slack_values: Any, left: Array, right: Array, strict: bool, error: Any, line: str) -> Margin:
    """The entry of `slack` that is nearest to failure, with the numbers that stand on both sides there."""
    slack = np.asarray(slack_values)
    if slack.size == 0:
        return nothing(line)
    extra = _stated(error)
    rounding, largest_side = (
        (ROUNDING, _largest_side(left, right)) if slack.dtype.kind == "f" else (Fraction(0), Fraction(0))
    )

    def entry(k: int) -> Margin:
        value, radius = enclosure(slack.reshape(-1)[k])
        scale = max(abs(enclosure(side.reshape(-1)[k])[0]) for side in (left, right))
        rounded = rounding * (largest_side if value < 0 else scale)
        return Margin(value, radius + extra + rounded, strict, max(scale, Fraction(1)))

    candidates = _candidates(slack.reshape(-1))
    worst = min(candidates, key=lambda k: _nearness(entry(k))) if len(candidates) > 1 else candidates[0]
    where = f" at {tuple(int(i) for i in np.unravel_index(worst, slack.shape))}" if slack.size > 1 else ""
    sides = f"left {_side(left, worst)}, right {_side(right, worst)}{where}"
    return replace(entry(worst), line=f"{line}: {sides}" if line else sides, parts=((slack, left, right),))


def _stated(error: Any) -> Fraction:
    """The error that a claim states, as a bound."""
    if isinstance(error, (float, np.floating)) and math.isnan(error):
        raise BadClaim("a comparison with the error NaN", "an error is a bound: zero or positive")
    bound = sum(enclosure(error), Fraction(0))
    if bound < 0:
        raise BadClaim(f"a comparison with the error {error}", "an error is a bound: zero or positive")
    return bound


def _largest_side(left: Array, right: Array) -> Fraction:
    """The size of the largest number compared: a violation in float64 must stand out from its rounding."""
    return max(enclosure(float(np.abs(side.astype(float)).max()))[0] for side in (left, right))


def _candidates(slack: Array) -> Sequence[int]:
    """Where the worst entry can be: at the smallest number, but anywhere among balls, since a wide one may hide a
    violation.
    """
    if slack.dtype != object:
        odd = np.flatnonzero(~np.isfinite(slack))
        return [int(odd[0] if odd.size else np.argmin(slack))]
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


def _sides(left: Any, right: Any) -> tuple[Array, Array]:
    first, second = np.broadcast_arrays(np.asarray(left), np.asarray(right))
    return first, second


def nothing(line: str) -> Margin:
    """There is nothing to compare ("no neuron dies"): true of the case, and no evidence."""
    return Margin(Fraction(0), line=f"{line} (nothing to compare)", empty=True)


def equal(left: Any, right: Any, line: str = "", *, error: Number = 0) -> Margin:
    """left = right in every entry. Margin: minus the largest difference."""
    a, b = _sides(left, right)
    return _compare(-absolute(a - b), a, b, False, error, line)


def at_most(left: Any, right: Any, line: str = "", *, error: Number = 0) -> Margin:
    """left <= right in every entry. Margin: the smallest right - left."""
    a, b = _sides(left, right)
    return _compare(b - a, a, b, False, error, line)


def at_least(left: Any, right: Any, line: str = "", *, error: Number = 0) -> Margin:
    """left >= right in every entry."""
    a, b = _sides(left, right)
    return _compare(a - b, a, b, False, error, line)


def less(left: Any, right: Any, line: str = "", *, error: Number = 0) -> Margin:
    """left < right in every entry (slack zero is a violation)."""
    a, b = _sides(left, right)
    return _compare(b - a, a, b, True, error, line)


def differs(left: Any, right: Any, line: str = "", *, error: Number = 0) -> Margin:
    """left != right in at least one entry. Margin: the largest difference, which must be positive."""
    a, b = _sides(left, right)
    gap = np.asarray(largest(absolute(np.asarray(a - b)))).reshape(1)
    return _compare(gap, gap, gap * 0, True, error, line)


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
    if isinstance(result, (str, bytes, dict, Iterable)) and not isinstance(result, (np.ndarray, list, tuple)):
        raise BadClaim(f"{name} returned {result!r} of type {type(result).__name__}", advice)
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
