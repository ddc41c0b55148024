r"""Asymptotic statements: what a quantity does as t grows without bound, judged at horizons whose logarithm doubles.

A finite run proves nothing about a limit, and the size of a slack at one time says little: 1/(log t + d) is
Theta(1/log t) for every d. What tells is how the steps of g = log(quantity/law) shrink from one horizon to the next:
1/log t halves them, (log t)^c keeps them, and a wrong exponent doubles them. Steps that die out are evidence for, steps
that persist are evidence against, and what bends in between says nothing.

To say "against", the steps of log(dQ/dL) must persist as well, where Q and L are quantity and law, or their inverses if
the law vanishes: by the theorem of Stolz and Cesaro Q/L tends to dQ/dL where that has a limit, and an offset, as in
log t + 10^4, drops out of it. And d log Q/d log L may not be on its way to 1.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from refute.arithmetic.enclosed import Enclosed
from refute.arithmetic.numbers import Array, balls, enclosure
from refute.errors import BadClaim
from refute.language.bends import as_bent
from refute.language.relations import RESOLUTION, ROUNDING, Decision, Margin, nothing

Floats = NDArray[np.float64]
Horizons = Sequence[Any] | Array

HORIZONS = (1e5, 1e10, 1e20, 1e40, 1e80, 1e160)
SMALL = (1e-5, 1e-10, 1e-20, 1e-40, 1e-80, 1e-160)

DIES, PERSISTS = 0.85, 0.95  # a ratio of successive steps, extrapolated: up to the one, and from the other on
SAGS = 0.002  # ratios that fall by more than this die out in the end
POWER_OF_LOG, POWER_OF_T = 1.1, 1.9  # ratios up to the one may fall to 1, ratios from the other on to 2
ERRATIC, LARGE = 2.2, 3.0  # beyond the powers of t a step may belong to an oscillation, unless it is a factor of e^3
NOTABLE = 0.01  # a smaller step of a logarithm may belong to any correction
NEARLY = 0.9  # the last ratio itself of steps that persist
LAST = 3  # so many steps are looked at
STILL = 1e-6  # a smaller step of a logarithm is none
KNOWN = 0.01  # what is known worse than this is not known to stand still
TURNED = 0.05  # a step that goes back may be so large
SAFETY = 4  # a step within so many times its error says nothing
BEGUN = 0.1  # the part by which the loss must have moved
NEGLIGIBLE = math.log(1e-100)
BITS = 64
SMALLEST = 5e-324


@dataclass(frozen=True, slots=True)
class Power:
    """The law t^of_t (log t)^of_log, known by its logarithm: at far horizons it neither overflows nor vanishes."""

    of_t: float
    of_log: float = 0.0

    def __pow__(self, exponent: float) -> "Power":
        return Power(self.of_t * float(exponent), self.of_log * float(exponent))

    def logs(self, at: Floats) -> Floats:
        """Its logarithms, from those of the horizons."""
        return np.asarray(self.of_t * at + self.of_log * np.log(np.abs(at)))


@dataclass(frozen=True, slots=True)
class Logs:
    """A quantity by its natural logarithms, with a bound on their error: for what no float holds."""

    values: Any
    error: Any = 0.0


Law = Power | Callable[[Any], Any] | Sequence[Any] | Array | float


def power(of_t: float, of_log: float = 0.0) -> Power:
    """t^of_t (log t)^of_log."""
    return Power(float(of_t), float(of_log))


def grows_like(
    quantity: Any, law: Law = 1, line: str = "", *, at: Horizons = HORIZONS, error: Any = 0, clock: Any = None
) -> Margin:
    """quantity = Theta(law), entry by entry.

    `quantity` and `law` are functions of a horizon, or arrays whose first axis runs over the horizons `at` (a run that
    ended early has fewer); a law may be a number or a `power`. `error` bounds the error of the quantity. `clock` is the
    loss at the horizons, or at the start and at the horizons: before it has moved by a tenth the run has not begun.
    """
    return _bounded(line, quantity, law, at, error, clock, above=True, below=True)


def bounded_by(
    quantity: Any, law: Law = 1, line: str = "", *, at: Horizons = HORIZONS, error: Any = 0, clock: Any = None
) -> Margin:
    """quantity = O(law), entry by entry; the parameters are those of `grows_like`."""
    return _bounded(line, quantity, law, at, error, clock, above=True)


def at_least_like(
    quantity: Any, law: Law = 1, line: str = "", *, at: Horizons = HORIZONS, error: Any = 0, clock: Any = None
) -> Margin:
    """quantity = Omega(law), entry by entry; the parameters are those of `grows_like`."""
    return _bounded(line, quantity, law, at, error, clock, below=True)


def tends_to(
    quantity: Any, limit: Any = 0, line: str = "", *, at: Horizons = HORIZONS, error: Any = 0, clock: Any = None
) -> Margin:
    """quantity -> limit, entry by entry, at whatever rate; the other parameters are those of `grows_like`.

    A distance in float64 is known to within the rounding of one, or of the quantity where that is larger.
    """
    quantity, _, limit = as_bent(quantity, "limit", limit, line)
    table = _Table.of(quantity, at, error, clock, limit, unit=1.0)
    found = [_judged(_approach, entry) for entry in table.entries()]
    return _worst(f"{line}: steps of the log of the distance", found, table)


def eventually(relation: Callable[[Any], Margin], line: str = "", *, at: Horizons = HORIZONS) -> Margin:
    """An inequality that holds from some time on; `relation(t)` is its margin at a horizon.

    For: it holds at the last two horizons. Against: it fails at the last four, by a part of what is compared that does
    not die out.
    """
    margins = {_shown(horizon): relation(horizon) for horizon in at}
    margins = {horizon: margin for horizon, margin in margins.items() if not margin.empty}
    if not margins:
        return nothing(line)
    *_, last = margins.values()
    failing = [horizon for horizon, margin in margins.items() if margin.against]
    decision, delay = _from_some_time_on(list(margins.values())), ""
    if decision is Decision.HOLDS and failing:
        delay = f"fails up to {failing[-1]}, holds later"
    words = ", ".join(f"{margin.decision.value} at {horizon}" for horizon, margin in margins.items())
    text = f"{line}: {words}; there {last.line}"
    return Margin(last.value, last.error, scale=last.scale, line=text, trend=decision, delay=delay, parts=last.parts)


def for_large(relation: Callable[[Any], Margin], line: str = "", *, at: Horizons = HORIZONS) -> Margin:
    """An inequality that holds for every sufficiently large constant: `relation(C)` is its margin."""
    return eventually(relation, line, at=at)


def for_small(relation: Callable[[Any], Margin], line: str = "", *, at: Horizons = SMALL) -> Margin:
    """An inequality that holds for every sufficiently small scale: `relation(epsilon)` is its margin."""
    return eventually(relation, line, at=at)


def _from_some_time_on(margins: list[Margin]) -> Decision:
    if all(margin.decision is Decision.HOLDS for margin in margins[-2:]):
        return Decision.HOLDS
    if len(margins) <= LAST or not all(margin.against for margin in margins[-LAST - 1 :]):
        return Decision.UNDECIDED
    gaps = [_logarithm(-float(margin.value / margin.scale), float(margin.error / margin.scale)) for margin in margins]
    logs, errors = np.array(gaps).T
    found = _vanishes(logs, errors, np.zeros(len(logs)))
    return Decision.AGAINST if found is Decision.AGAINST else Decision.UNDECIDED


@dataclass(frozen=True, slots=True)
class _Table:
    """log |quantity - limit| with errors, (horizon, entry); where an error is infinite the logarithm is an upper bound.

    `sizes` are the logarithms of the largest of |quantity|, |limit| and the unit; `shape` is that of one horizon,
    `begun` the first that counts.
    """

    horizons: tuple[Any, ...]
    logs: Floats
    errors: Floats
    sizes: Floats
    positive: NDArray[np.bool_]
    shape: tuple[int, ...]
    begun: int

    @classmethod
    def of(cls, quantity: Any, at: Horizons, error: Any, clock: Any, limit: Any = 0, unit: float = 0.0) -> "_Table":
        found: Any = [quantity(horizon) for horizon in at] if callable(quantity) else quantity
        if isinstance(found, Enclosed):
            found, error = found.value, found.error + np.asarray(error, dtype=float)
        values = np.asarray(found.values if isinstance(found, Logs) else found)
        if values.ndim == 0 or len(values) > len(at):
            given = f"a quantity of shape {values.shape} at {len(at)} horizons"
            raise BadClaim(given, "its first axis runs over the horizons")
        horizons, begun = tuple(at)[: len(values)], _begun(clock, len(values))
        _doubling(horizons)

        def column(each: Any) -> Array:
            return np.broadcast_to(np.asarray(each), values.shape).reshape(len(values), -1)

        if isinstance(found, Logs):
            logs, errors = column(values).astype(float), column(found.error).astype(float)
            return cls(horizons, logs, errors, logs, np.ones(logs.shape, dtype=bool), values.shape[1:], begun)
        triples = zip(column(values).flat, column(limit).flat, column(error).flat, strict=True)
        cells = np.array([_cell(*triple, unit) for triple in triples]).reshape(len(values), -1, 4)
        logs, errors, sizes, positive = np.moveaxis(cells, -1, 0)
        return cls(horizons, logs, errors, sizes, positive > 0, values.shape[1:], begun)

    def entries(self, laws: Floats | None = None) -> Iterator[tuple[Any, ...]]:
        """For every entry, since the run began: logarithms, errors, those of the law, and where it is positive."""
        others = self.sizes if laws is None else laws
        for columns in zip(self.logs.T, self.errors.T, others.T, self.positive.T, strict=True):
            yield tuple(column[self.begun :] for column in columns)


def _doubling(at: Horizons) -> Floats:
    """The logarithms of the horizons, which double."""
    logs = np.array([_logarithm(horizon, 0)[0] for horizon in at])
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = logs[1:] / logs[:-1]
    if not (np.abs(factors - 2) <= 0.2).all():
        raise BadClaim(
            f"the logarithms of the horizons {[_shown(one) for one in at]} do not double",
            "use refute.language.limits.HORIZONS or SMALL",
        )
    return logs


def _begun(clock: Any, count: int) -> int:
    """The first horizon at which the loss has moved by a tenth since the first time that is known."""
    if clock is None:
        return 0
    loss = np.array([float(enclosure(value)[0]) for value in np.asarray(clock).tolist()])
    since = len(loss) - count
    if loss.ndim != 1 or since < 0:
        raise BadClaim(
            f"a clock of {len(loss)} losses at {count} horizons",
            "give the loss at every horizon, and at the start before them",
        )
    moved = np.abs(loss - loss[0]) >= BEGUN * np.abs(loss[0])
    moved[0] = False
    return max(int(np.argmax(moved)) - since, 0) if moved.any() else count


def _logarithm(value: Any, error: Any, scale: float = 0.0) -> tuple[float, float]:
    """log |value| and a bound on its error, infinite where only the upper end is known; (-inf, 0) for an exact zero.

    A float is known to within the rounding of a number of size `scale`.
    """
    floating = isinstance(value, (float, np.floating))
    if not math.isfinite(error) or (floating and not math.isfinite(value)):
        return math.nan, math.inf
    doubt = float(sum(enclosure(error)))
    if floating:
        doubt += float(ROUNDING) * max(scale, abs(float(value))) + SMALLEST
    size = abs(value if isinstance(value, arb) else balls(BITS).scalar(enclosure(value)[0])) + arb(0, doubt)
    if size > 0:
        log = size.log()
        return float(log.mid()), float(log.rad())
    upper = size.upper()
    return (float(upper.log()), math.inf) if upper > 0 else (-math.inf, 0.0)


def _cell(value: Any, limit: Any, error: Any, unit: float) -> tuple[float, float, float, bool]:
    """log |value - limit|, its error, the log of the largest of both and of the unit, and whether value > limit."""
    size = max(_logarithm(value, 0)[0], _logarithm(limit, 0)[0], _logarithm(unit, 0)[0])
    scale = math.exp(min(size, 700.0)) if isinstance(value, (float, np.floating)) else 0.0
    return *_logarithm(value - limit, error, scale), size, bool(value > limit)


def _law_logs(law: Law, table: _Table) -> Floats:
    """The logarithms of the law, (horizon, entry)."""
    if isinstance(law, Power):
        logs = law.logs(_doubling(table.horizons))
    else:
        given = [law(horizon) for horizon in table.horizons] if callable(law) else law
        values = np.asarray(given)
        if values.ndim and len(values) != len(table.horizons):
            raise BadClaim(
                f"a law with {len(values)} values at {len(table.horizons)} horizons",
                "its first axis runs over the horizons",
            )
        logs = np.array([_logarithm(value, 0)[0] for value in values.reshape(-1).tolist()]).reshape(values.shape)
        if not np.isfinite(logs).all():
            raise BadClaim(f"the law is not positive at every horizon: {given}", "a law is positive")
    wide = logs.reshape(*logs.shape[:1], *[1] * (len(table.shape) - logs.ndim + 1), *logs.shape[1:])
    return np.broadcast_to(wide, (len(table.horizons), *table.shape)).reshape(len(table.horizons), -1)


class _Course(Enum):
    """Where a sequence goes."""

    SETTLES, RISES, FALLS, BENDS = "settles", "rises", "falls", "bends"

    def turned(self) -> "_Course":
        return {_Course.RISES: _Course.FALLS, _Course.FALLS: _Course.RISES}.get(self, self)


@dataclass(frozen=True, slots=True)
class _Found:
    """What is said of one entry, with its last steps and their ratios, and how far the last ratio is in doubt;
    `delayed` if one horizon less is against.
    """

    decision: Decision
    steps: Floats
    ratios: Floats
    doubt: float = 0.0
    delayed: bool = False

    def __str__(self) -> str:
        steps, ratios = (", ".join(f"{value:.3g}" for value in values) for values in (self.steps, self.ratios))
        return f"{steps}; ratios {ratios}" if len(self.steps) == LAST else "too few horizons since the run began"

    @property
    def slack(self) -> float:
        """Between -1 and 1, negative when against: a hunt walks down it."""
        ratio = float(self.ratios[-1]) if len(self.ratios) and math.isfinite(self.ratios[-1]) else PERSISTS
        nearness = min(max((DIES + PERSISTS) / 2 - ratio, -1.0), 1.0)
        if self.decision is Decision.UNDECIDED:
            return nearness
        return max(nearness, 0.01) if self.decision is Decision.HOLDS else min(nearness, -0.01)


def _ratios(steps: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.abs(steps[1:]) / np.abs(steps[:-1])


def _course(values: Floats, errors: Floats) -> _Course:
    """From the last steps and their ratios. These are extrapolated: ratios that creep up to 1 do not die out."""
    steps, doubt = np.diff(values)[-LAST:], (errors[1:] + errors[:-1])[-LAST:]
    if len(steps) < LAST or not (np.isfinite(steps).all() and np.isfinite(doubt).all()):
        return _Course.BENDS
    size = np.abs(steps)
    still = size <= np.maximum(STILL, SAFETY * doubt)
    if still[-2:].all():
        return _Course.SETTLES if SAFETY * doubt[-2:].max() <= KNOWN else _Course.BENDS
    with np.errstate(divide="ignore", invalid="ignore"):
        highest = (size + doubt)[1:] / np.maximum(size - doubt, 0)[:-1]
        lowest = np.maximum(size - doubt, 0)[1:] / (size + doubt)[:-1]
    first, last = _ratios(steps)
    one_way = len(set(np.sign(steps[~still]))) == 1
    trend = last - first
    if highest[-1] <= DIES and last + 2 * trend <= DIES and (one_way or size[-2:].max() <= TURNED):
        return _Course.SETTLES
    if one_way and not still.any() and lowest[0] >= DIES and lowest[1] >= NEARLY and last + trend >= PERSISTS:
        return _Course.RISES if steps[-1] > 0 else _Course.FALLS
    return _Course.BENDS


def _course_of_growth(values: Floats, errors: Floats, laws: Floats) -> _Course | None:
    """Of log(dQ/dL): quantity and law, or their inverses if the law vanishes; None if it does neither."""
    sense = np.sign(np.diff(laws)[-LAST - 1 :])
    if not len(sense) or not sense[0] or not (sense == sense[0]).all():
        return None
    grown, doubt = sense[0] * np.diff(values), errors[1:] + errors[:-1]
    sure = grown > SAFETY * doubt
    if not sure[-LAST:].any() and (grown + SAFETY * doubt <= STILL)[-LAST:].all():
        return _Course.FALLS if sense[0] > 0 else _Course.RISES
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        risen = (sense[0] * values)[1:] + np.where(sure, np.log(-np.expm1(-grown)), math.nan)
        wanted = (sense[0] * laws)[1:] + np.log(-np.expm1(-np.abs(np.diff(laws))))
        blurred = (errors[1:] + errors[:-1] * np.exp(-grown)) / -np.expm1(-grown)
    course = _course(risen - wanted, blurred)
    return course if sense[0] > 0 else course.turned()


def _lasting(steps: Floats) -> bool:
    """Whether steps that persist are more than a correction that passes: notable, and with ratios that do not fall.

    They may fall to 1, as for a power of log t with an offset, or to 2, as for a power of t.
    """
    first, last = _ratios(steps)
    trend = last - first
    steady = trend >= -SAGS or 1 <= last <= POWER_OF_LOG or last + trend >= POWER_OF_T
    return steady and bool(abs(steps[-1]) >= (NOTABLE if last <= ERRATIC else LARGE))


def _catches_up(values: Floats, errors: Floats, laws: Floats) -> bool:
    """Whether d log quantity/d log law is still on its way to 1, as for sqrt(log t + 10^4) against sqrt(log t)."""
    sizes = np.abs(np.diff(laws))
    if not (sizes > STILL).all():
        return False
    exponents, doubt = np.diff(values) / np.diff(laws), (errors[1:] + errors[:-1]) / sizes
    away = np.abs(exponents - 1)
    return _course(exponents, doubt) is not _Course.SETTLES and bool(away[-1] < away[-2] - STILL)


Rule = Callable[[Floats, Floats, Floats, NDArray[np.bool_]], _Found]
_RANK = (Decision.AGAINST, Decision.UNDECIDED, Decision.HOLDS)


def _bounds(above: bool, below: bool) -> Rule:
    """Whether the law bounds the quantity above, below or both."""
    said = {
        _Course.SETTLES: Decision.HOLDS,
        _Course.BENDS: Decision.UNDECIDED,
        _Course.RISES: Decision.AGAINST if above else Decision.HOLDS,
        _Course.FALLS: Decision.AGAINST if below else Decision.HOLDS,
    }

    def decide(values: Floats, errors: Floats, laws: Floats, positive: NDArray[np.bool_]) -> Decision:
        gaps = values - laws
        if len(gaps) <= LAST:
            return Decision.UNDECIDED
        if not below and not np.isfinite(gaps + errors)[-LAST:].all():
            return Decision.HOLDS if (gaps[-LAST:] <= max(gaps[0], NEGLIGIBLE)).all() else Decision.UNDECIDED
        if below and not positive[-LAST - 1 :].all():
            gone = np.isfinite(errors).all() and not positive[-LAST - 1 :].any()
            return Decision.AGAINST if gone else Decision.UNDECIDED
        growth = _course_of_growth(values, errors, laws)
        found = {said[course] for course in (_course(gaps, errors), growth) if course is not None}
        steps = np.diff(gaps)[-LAST:]
        if above != below and ((steps <= 0) if above else (steps >= 0)).all():
            found.add(Decision.HOLDS)
        if found == {Decision.AGAINST}:
            return Decision.AGAINST if _lasting(steps) and not _catches_up(values, errors, laws) else Decision.UNDECIDED
        return Decision.HOLDS if Decision.HOLDS in found and Decision.AGAINST not in found else Decision.UNDECIDED

    return lambda values, errors, laws, positive: _told(decide(values, errors, laws, positive), values - laws, errors)


def _approach(values: Floats, errors: Floats, sizes: Floats, positive: NDArray[np.bool_]) -> _Found:
    """Whether a distance vanishes: its logarithm keeps falling. It does not if the logarithm settles, or rises."""
    return _told(_vanishes(values, errors, sizes), values, errors)


def _vanishes(values: Floats, errors: Floats, sizes: Floats) -> Decision:
    if len(values) <= LAST:
        return Decision.UNDECIDED
    if not (math.isfinite(values[-1]) and errors[-1] <= KNOWN):  # zero as far as can be told
        largest = max(sizes.max(), values[0] if math.isfinite(errors[0]) else -math.inf)
        return Decision.HOLDS if (values[-2:] <= largest + math.log(RESOLUTION)).all() else Decision.UNDECIDED
    course, steps = _course(values, errors), np.diff(values)[-2:]
    if course is _Course.FALLS:
        return Decision.HOLDS
    stays = course is _Course.SETTLES and (np.abs(steps) <= -math.log(PERSISTS)).all()
    return Decision.AGAINST if stays or course is _Course.RISES else Decision.UNDECIDED


def _told(decision: Decision, values: Floats, errors: Floats) -> _Found:
    with np.errstate(invalid="ignore"):
        steps = np.diff(values)[-LAST:]
        blurred = (errors[1:] + errors[:-1])[-LAST:] + float(ROUNDING) * np.abs(values).max(initial=1.0)
    return _Found(decision, steps, _ratios(steps), _doubt_of_ratio(steps, blurred))


def _doubt_of_ratio(steps: Floats, blurred: Floats) -> float:
    """How far the ratio of the last two steps may be off when each step is known to within `blurred`; at most 2, the
    range of a slack.
    """
    if len(steps) < 2:
        return 0.0
    size, (before, now) = np.abs(steps[-2:]), blurred[-2:]
    doubt = (size[1] + now) / (size[0] - before) - size[1] / size[0] if size[0] > before else math.inf
    return min(float(doubt), 2.0) if math.isfinite(doubt) else 2.0


def _judged(rule: Rule, entry: tuple[Any, ...]) -> _Found:
    found = rule(*entry)
    if found.decision is not Decision.HOLDS:
        return found
    before = rule(*(part[:-1] for part in entry))
    return replace(found, delayed=before.decision is Decision.AGAINST)


def _bounded(
    line: str,
    quantity: Any,
    law: Law,
    at: Horizons,
    error: Any,
    clock: Any,
    *,
    above: bool = False,
    below: bool = False,
) -> Margin:
    quantity, _, law = as_bent(quantity, "law", law, line)
    table = _Table.of(quantity, at, error, clock)
    rule = _bounds(above, below)
    found = [_judged(rule, entry) for entry in table.entries(_law_logs(law, table))]
    return _worst(f"{line}: steps of log(quantity/law)", found, table)


def _worst(words: str, found: list[_Found], table: _Table) -> Margin:
    """The entry that speaks most against, as a margin; a search sees all of them."""
    if not found:
        return nothing(words)
    slacks = np.array([one.slack for one in found])
    worst = min(range(len(found)), key=lambda k: (_RANK.index(found[k].decision), slacks[k]))
    where = f" at {tuple(int(i) for i in np.unravel_index(worst, table.shape))}" if len(found) > 1 else ""
    one, value = found[worst], Fraction(float(slacks[worst]))
    error = abs(value) + 1 if one.decision is Decision.UNDECIDED else Fraction(one.doubt)
    late = next((entry for entry in found if entry.delayed), None)
    delay = f"against up to {_shown(table.horizons[-2])}, for at {_shown(table.horizons[-1])}" if late else ""
    parts = ((slacks, slacks * 0, slacks * 0),)
    return Margin(value, error, line=f"{words} {one}{where}", parts=parts, trend=one.decision, delay=delay)


def _shown(horizon: Any) -> str:
    """A power of ten."""
    logs = _logarithm(horizon, 0)[0] / math.log(10)
    return f"10^{logs:.3g}"
