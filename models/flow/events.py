"""Where in a step a neuron first reaches a hyperplane, or a sliding neuron may leave one."""

from typing import Any

import numpy as np

from refute.models.compiled import compiled
from refute.models.flow.pattern import drift, pulls
from refute.models.flow.rk import between

TOUCHES = 16 * np.finfo(float).eps  # a pre-activation this small, in units of |w|, counts as zero
NOISE = 1e-13  # the same for a normal velocity, in units of the terms that it is summed from
ROUND_OFF = 2 * np.finfo(float).eps  # of a share of a step, relative
PIECES = 16  # a step is looked at in so many places before a zero is pinned down


@compiled
def distances(across: Any, state: Any, into: Any) -> None:
    """w_h . u_l for all neurons and lines; of a derivative, the speeds at which they change. Four
    coordinates at a time.
    """
    dim, lines = across.shape
    single = dim % 4
    for h in range(into.shape[0]):
        row, start = into[h], h * dim
        if single == 0:
            for line in range(lines):
                row[line] = 0.0
        else:
            weight, along = state[start], across[0]
            for line in range(lines):
                row[line] = weight * along[line]
        for e in range(1, single):
            weight, along = state[start + e], across[e]
            for line in range(lines):
                row[line] += weight * along[line]
        for e in range(single, dim, 4):
            a, b, c, d = state[start + e], state[start + e + 1], state[start + e + 2], state[start + e + 3]
            along_a, along_b, along_c, along_d = across[e], across[e + 1], across[e + 2], across[e + 3]
            for line in range(lines):
                row[line] += a * along_a[line] + b * along_b[line] + c * along_c[line] + d * along_d[line]


@compiled
def norms(state: Any, dim: int, into: Any) -> None:
    """|w_h| for all neurons."""
    for h in range(into.shape[0]):
        total = 0.0
        for e in range(h * dim, (h + 1) * dim):
            total += state[e] * state[e]
        into[h] = np.sqrt(total)


@compiled
def suspects(
    pattern: Any, start: Any, start_speed: Any, end: Any, end_speed: Any, sizes: Any, step: float, into: Any
) -> int:
    """Mark the pairs that may reach their hyperplane: on the wrong side at the end, or turning back
    close to it. How many.
    """
    count = 0
    for h in range(end.shape[0]):
        floor = -TOUCHES * sizes[h]
        for line in range(end.shape[1]):
            side = (
                pattern.side[h, line] * pattern.alive[h]
            )  # zero where nothing can happen: no comparison below is then true
            last, before, after = side * end[h, line], side * start_speed[h, line], side * end_speed[h, line]
            # the parabolas through either end with the slopes there: how low can it go in between?
            turns = (before < 0.0) & (after > 0.0) & (min(side * start[h, line], last) < step * min(-before, after))
            into[h, line] = (last < floor) | turns
            count += into[h, line]
    return count


@compiled
def value_at(along: Any, share: float) -> float:
    """The continuous extension of one pre-activation, given its start and its seven coefficients."""
    value = 0.0
    for k in range(along.shape[0] - 1, 0, -1):
        value = (value + along[k]) * (share if k % 2 == 1 else 1.0 - share)
    return float(along[0]) + value


@compiled
def lowest(along: Any, side: float, low: float, high: float) -> float:
    """Where side * value is least between two shares of the step, by thirds."""
    for _ in range(60):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if side * value_at(along, left) < side * value_at(along, right):
            high = right
        else:
            low = left
    return 0.5 * (low + high)


@compiled
def pinned(along: Any, side: float, low: float, high: float) -> float:
    """The end, to round-off, of where side * value is not negative between two shares: false position by the Illinois
    rule.

    No new share is closer to an end than round-off: once one end is at the zero, the other comes to it in one step.
    """
    at_low, at_high, latest = max(side * value_at(along, low), 0.0), side * value_at(along, high), 0
    for _ in range(60):
        least = ROUND_OFF * high
        if high - low <= 2 * least:
            break
        middle = low + (high - low) * at_low / (at_low - at_high) if at_low > at_high else 0.5 * (low + high)
        middle = min(max(middle, low + least), high - least)
        value = side * value_at(along, middle)
        if value < 0.0:
            high, at_high, at_low, latest = middle, value, at_low * (0.5 if latest < 0 else 1.0), -1
        else:
            low, at_low, at_high, latest = middle, value, at_high * (0.5 if latest > 0 else 1.0), 1
    return high


@compiled
def first_zero(along: Any, side: float, threshold: float, latest: float) -> float:
    """The first share of the step at which side * value falls through zero, if to below -threshold; 2 if it does not.

    Of a value that is negative at the end a zero after the share `latest` is of no interest: 2 as well.
    """
    low, high, deepest, least = 0.0, 2.0, 0.0, np.inf
    crosses = side * value_at(along, 1.0) < -threshold
    for k in range(1, PIECES + 1):
        if crosses and low >= latest:
            return 2.0
        value = side * value_at(along, k / PIECES)
        if value < least:
            deepest, least = k / PIECES, value
        if value < -threshold:
            high = k / PIECES
            break
        low = k / PIECES
    if high > 1.0:
        low = max(deepest - 1 / PIECES, 0.0)
        high = lowest(along, side, low, min(deepest + 1 / PIECES, 1.0))
        if side * value_at(along, high) >= -threshold:
            return 2.0
    if high > latest and side * value_at(along, latest) >= 0.0:
        return 2.0
    return pinned(along, side, low, high)


@compiled
def first_hit(problem: Any, pattern: Any, state: Any, shape: Any, sizes: Any, marked: Any) -> Any:
    """The earliest share of the step at which a marked pair reaches its hyperplane, with the pair;
    share 2 if none does.
    """
    dim = problem.directions.shape[1]
    along = np.empty(shape.shape[0] + 1)
    best, who, where = 2.0, -1, -1
    for h in range(marked.shape[0]):
        for line in range(marked.shape[1]):
            if not marked[h, line]:
                continue
            for k in range(shape.shape[0] + 1):
                along[k] = 0.0
                for e in range(dim):
                    along[k] += problem.directions[line, e] * (
                        state[h * dim + e] if k == 0 else shape[k - 1, h * dim + e]
                    )
            share = first_zero(along, pattern.side[h, line], TOUCHES * sizes[h], best)
            if share < best:
                best, who, where = share, h, line
    return best, who, where


@compiled
def slack(problem: Any, pattern: Any, h: int, outer: float, fixed: bool, at_zero: float) -> float:
    """How far sliding neuron h is from leaving, in units of its round-off: negative when the sliding solution has
    ended.

    The gate g of a line with strength B must satisfy g B = x, the multiplier that holds the neuron on the line, with g
    between the slope and 1 (or with g = sigma'(0) where that is fixed).
    """
    lines, dim = problem.directions.shape
    gates, base = np.empty(lines), np.empty(dim)
    terms = 0.0
    for line in range(lines):
        gates[line] = pattern.gates[h, line] if pattern.side[h, line] != 0 else 0.0
    drift(problem, gates, base)
    for i in range(problem.labels.shape[0]):
        terms += abs(problem.residuals[i] * problem.factors[i])
    noise = NOISE * abs(outer) * problem.rate * terms
    worst = np.inf
    for line in range(lines):
        if pattern.side[h, line] == 0 and noise > 0.0:
            strength = outer * (problem.positive[line] - problem.negative[line])
            x = pattern.shift[h, line]
            for e in range(dim):
                x -= pattern.dual[h, line, e] * outer * base[e]
            above = (at_zero if fixed else 1.0) * strength - x
            below = (at_zero if fixed else problem.slope) * strength - x
            worst = min(worst, noise - above, noise + below)
    return worst / noise if noise > 0.0 else 1.0


@compiled
def least_slack(problem: Any, pattern: Any, state: Any, fixed: bool, at_zero: float) -> Any:
    """The smallest slack of all sliding neurons, given the pulls at this state, and whose it is; infinite when none
    slides.
    """
    (width, _), dim = pattern.side.shape, problem.directions.shape[1]
    worst, who = np.inf, -1
    for h in range(width):
        if pattern.rank[h] > 0 and pattern.alive[h] > 0.0:
            value = slack(problem, pattern, h, state[width * dim + h], fixed, at_zero)
            if value < worst:
                worst, who = value, h
    return worst, who


@compiled
def first_exit(problem: Any, pattern: Any, state: Any, shape: Any, at_start: float, limit: float, at_limit: float, who: int,
               harmless: float, fixed: bool, at_zero: float, trial: Any) -> Any:  # fmt: skip
    """The share of the step at which a sliding neuron leaves, who it is, and how many evaluations of the pulls (now
    those there) it took.

    `at_start` is the least slack at the start, `at_limit` < 0 the one of neuron `who` at the share `limit`, where the
    pulls are known. A neuron that stays too long goes wrong by its slack times the delay: up to `harmless`, in units of
    its noise and the step.
    """
    low, high, at_low, at_high, evaluations, latest = 0.0, limit, max(at_start, 0.0), at_limit, 0, limit
    weight_low, weight_high = at_low, at_high  # the Illinois rule: an end that stays counts half
    for k in range(60):
        steep = (at_low - at_high) / (high - low)
        if at_high > -100.0 or (not fixed and at_high * at_high <= harmless * steep):
            break  # past the end of the slide by round-off only, or by too little to matter
        share = 0.5 * (low + high) if k % 4 == 3 else low + (high - low) * weight_low / (weight_low - weight_high)
        if not fixed:
            share += 0.5 * np.sqrt(harmless / steep)  # a little late is as good as in time, a little early is of no use
        if share <= low or share >= high or high - low < 1e-14:
            break
        between(state, shape, share, trial)
        pulls(problem, pattern, trial)
        value, candidate = least_slack(problem, pattern, trial, fixed, at_zero)
        evaluations, latest = evaluations + 1, share
        if value < 0.0:
            high, at_high, who = share, value, candidate
            weight_high, weight_low = value, 0.5 * weight_low
        else:
            low, at_low = share, value
            weight_low, weight_high = value, 0.5 * weight_high
    if latest != high:
        between(state, shape, high, trial)
        pulls(problem, pattern, trial)
        evaluations += 1
    return high, who, evaluations
